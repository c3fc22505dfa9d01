# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a policy's `expect` blocks: which guests that takes, and what is known already."""

from __future__ import annotations

import hashlib
import math
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gthulhu.loader import find_loader
from gthulhu_lab import (
    catalogue,
    kernels,
    qemu,
    results,
    selftest,
    significance,
    vm,
    wall,
    workloads,
)
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.kernels import DEFAULT_KERNEL, Flavour
from gthulhu_lab.measure import EEVDF, Subject
from gthulhu_lab.peers import HOW_TO_BUILD, PEERS
from gthulhu_lab.progress import Countdown, Progress
from gthulhu_lab.request import Clock, GuestRequest, GuestResult
from gthulhu_lab.verify import check, recording, scene, verdict
from gthulhu_lab.verify.method import Method, claims_of
from gthulhu_lab.verify.recording import MisplacedError, Reported, Run, line_of
from gthulhu_lab.verify.scene import LONGEST_WINDOW_S, Scene, Variation
from gthulhu_lab.verify.verdict import Failure, Verification
from gthulhuc import checked, codegen, frontend, peers, plan
from gthulhuc.cli import shared
from gthulhuc.diagnostics import Diagnostic
from gthulhuc.plan import supported

_LOT = 7  # the seed of the order of turns
_SPARE = 1.25  # of a window that was too short: so much more than it takes


@dataclass(frozen=True, slots=True)
class Options:
    """What is run, and how. `only`: a block's line or workload.

    `beside`: schedulers whose figures are wanted, too: `eevdf`, peers, and policies by their files.
    """

    seeds: int = 5
    turns: int = significance.USUAL_TURNS
    cpus: int = 4
    kernels: Sequence[str] = (DEFAULT_KERNEL,)
    jobs: int = 1
    use_cache: bool = True
    only: str | None = None
    beside: Sequence[str] = ()


class PolicyError(Exception):
    """The policy is not one that can be verified, for reasons with their places.

    `status`: FOUND_ERRORS where it is wrong, FAILED where the lab cannot do it.
    """

    def __init__(
        self, diagnostics: Sequence[Diagnostic], status: int = shared.FOUND_ERRORS
    ) -> None:
        super().__init__("the policy has errors")
        self.diagnostics = diagnostics
        self.status = status


@dataclass(frozen=True, slots=True)
class Guest:
    """One run to be made: a scene under a scheduler."""

    scene: Scene
    name: str  # of the scheduler
    subject: Subject
    is_policy: bool
    kernel: str
    variation: Variation
    method: Method
    cpus: int
    clock: Clock
    window_s: float | None  # of a recording, where there is one

    def __str__(self) -> str:
        block = self.scene.block
        what = f"{block.workload} (line {line_of(block)}) under {self.name}"
        which = "seed" if self.method.is_exact else "turn of seed"
        return f"{what}, {self.kernel}, {which} {self.variation.seed}"

    def request(self) -> GuestRequest:
        """What the lab is asked for."""
        return scene.request(
            self.scene,
            self.subject,
            self.variation,
            is_policy=self.is_policy,
            kernel=self.kernel,
            cpus=self.cpus,
            clock=self.clock,
            window_s=self.window_s,
        )

    def read(self, result: GuestResult) -> Run | Reported:
        """The figures that it has left. Raises GuestError, MisplacedError."""
        reader = recording.read if self.method is Method.RECORDED else recording.read_reported
        return reader(self.scene, self.name, self.variation, result)


def select(policy: checked.Policy, only: str | None) -> list[checked.Expectation]:
    """The blocks that are asked for. Raises LabError where there is none."""
    blocks = list(policy.expectations)
    if not blocks:
        raise LabError(f"{policy.name} has no `expect`: it promises nothing that could be verified")
    if only is None:
        return blocks
    if only.isdecimal():
        line = int(only)
        chosen = [b for b in blocks if line_of(b) <= line <= _last_line(b)]
    else:
        chosen = [block for block in blocks if block.workload == only]
    if not chosen:
        there = ", ".join(f"{block.workload} (line {line_of(block)})" for block in blocks)
        raise LabError(f"no `expect` is on line {only} or of that workload", f"There are: {there}.")
    return chosen


def _last_line(block: checked.Expectation) -> int:
    return block.span.source.position(block.span.end)[0]


def verify(path: str, options: Options) -> Verification:
    """Check, compile, boot and judge; progress goes to stderr. Raises PolicyError, LabError."""
    policy, source = _checked(path)
    blocks = select(policy, options.only)
    known = catalogue.load(Path(path).parent)
    if problems := check.mistakes(blocks, known):
        raise PolicyError(problems)
    if problems := check.limits(policy, blocks, known):
        raise PolicyError(problems, shared.FAILED)
    with Progress(sys.stderr) as progress:
        progress.step("compiling")
        subject = _compiled(policy)
        besides = {name: _named(name) for name in options.beside}
        subjects = {**besides, path: subject, **_baselines(path, blocks)}
        progress.step("building the workloads")
        workloads.build()
        qemu.version()
        for kernel in options.kernels:
            kernels.ensure(kernel, Flavour.CLOUD, progress=progress.step)
        scenes = [scene.build(policy, block, known) for block in blocks]
        exact = _exact(path, scenes, subjects, options)
        timed = _timed(path, scenes, subjects, options)
        if exact:
            progress.step("checking the clock of this QEMU (once)")
            selftest.ensure()
        runs = _Runs(options, Countdown(progress, "guest", len(exact) + len(timed)))
        outcomes = runs.all(exact, options.jobs)
        # One at a time: another guest would be noise for it.
        outcomes += runs.all(timed, 1)
    together = len(options.kernels) * sum(len(claims_of(b, Method.TIMED)) for b in blocks)
    judged = []
    for kernel in options.kernels:
        for each in scenes:
            found = [o for g, o in zip([*exact, *timed], outcomes, strict=True)
                     if (g.kernel, g.scene) == (kernel, each)]  # fmt: skip
            judged.append(
                verdict.judge(
                    each.block,
                    path,
                    kernel,
                    [outcome for outcome in found if not isinstance(outcome, Failure)],
                    [outcome for outcome in found if isinstance(outcome, Failure)],
                    together,
                )
            )
    return Verification(
        policy=path,
        sha256=hashlib.sha256(source).hexdigest(),
        seeds=tuple(Variation.number(number).seed for number in range(options.seeds)),
        blocks=tuple(judged),
        turns=options.turns if timed else 0,
        beside=tuple(options.beside),
    )


def _checked(path: str) -> tuple[checked.Policy, bytes]:
    name, content = shared.read_file(path)
    source, found = frontend.decode(name, content)
    policy, problems = frontend.check(source)
    errors = [problem for problem in (*found, *problems) if problem.is_error]
    if policy is not None and not errors:
        errors = list(supported.refuse(policy))
    if policy is None or errors:
        raise PolicyError(errors)
    return policy, content


def _compiled(policy: checked.Policy) -> Subject:
    """The policy's own scheduler, as `gthulhu run` starts it."""
    try:
        ir = plan.build(policy)
        # What a claim says is in the source, and not in the scheduler: the guest is the same.
        ir = replace(ir, policy=replace(ir.policy, sha256=""))
        data = codegen.compile_object(codegen.render(ir))
    except plan.PlanError as error:
        raise PolicyError(error.diagnostics) from error
    except codegen.ToolchainError as error:
        raise LabError(str(error), error.help) from error
    loader = Path(find_loader({}))
    return Subject(
        policy.name,
        "gthulhu-loader /lab/policy.bpf.o",
        {"policy.bpf.o": data, "bin/gthulhu-loader": loader},
    )


def _baselines(path: str, blocks: Sequence[checked.Expectation]) -> dict[str, Subject]:
    """The schedulers that claims are compared with, by their names among the runs."""
    found: dict[str, Subject] = {}
    for block in blocks:
        for claim in block.claims:
            baseline = claim.baseline
            if baseline is not None and baseline.name not in found:
                found[baseline.name] = _baseline(path, baseline)
    return found


def _baseline(path: str, baseline: checked.Baseline) -> Subject:
    name = baseline.name
    return _named(str(Path(path).parent / name) if baseline.is_policy else name)


def _named(name: str) -> Subject:
    """A scheduler by its name, or a policy by its file."""
    if name.endswith(".gpl"):
        return _compiled(_checked(name)[0])
    if name == peers.EEVDF:
        return EEVDF
    peer = PEERS.get(name)
    if peer is None:
        raise LabError(f"unknown scheduler {name!r}", f"The lab has {', '.join(peers.BASELINES)}.")
    if not peer.is_there:
        raise LabError(f"{peer.name} is not built", f"Run `{HOW_TO_BUILD}`.")
    return peer.subject()


def _exact(
    path: str, scenes: Sequence[Scene], subjects: Mapping[str, Subject], options: Options
) -> list[Guest]:
    """The perturbed runs; those of a first seed come first, so that trouble shows early."""
    return [
        Guest(
            scene=each,
            name=name,
            subject=subjects[name],
            is_policy=name == path,
            kernel=kernel,
            variation=Variation.number(number),
            method=method,
            cpus=options.cpus,
            clock=Clock.ICOUNT,
            window_s=scene.window_s(each.block) if method is Method.RECORDED else None,
        )
        for number in range(options.seeds)
        for kernel in options.kernels
        for each in scenes
        for method in (Method.RECORDED, Method.COUNTED)
        for name in _schedulers(path, each.block, method, options.beside)
    ]


def _timed(
    path: str, scenes: Sequence[Scene], subjects: Mapping[str, Subject], options: Options
) -> list[Guest]:
    """The runs on a wall clock: in a turn each scheduler of a block once, in an order by lot."""
    wanted = [
        (kernel, each, names)
        for kernel in options.kernels
        for each in scenes
        if (names := _schedulers(path, each.block, Method.TIMED, options.beside))
    ]
    clock = wall.usual_clock() if wanted else Clock.TCG
    return [
        Guest(
            scene=each,
            name=names[index],
            subject=subjects[names[index]],
            is_policy=names[index] == path,
            kernel=kernel,
            variation=Variation.number(turn),
            method=Method.TIMED,
            # More than the machine has would take turns, which is no scheduler's doing.
            cpus=min(options.cpus, os.cpu_count() or 1),
            clock=clock,
            window_s=None,
        )
        for kernel, each, names in wanted
        for turn, index in significance.turns(options.turns, len(names), _LOT)
    ]


def _schedulers(
    path: str, block: checked.Expectation, method: Method, beside: Sequence[str]
) -> list[str]:
    """Under which a block runs for what it claims of a method; none without such a claim."""
    claims = claims_of(block, method)
    compared = [claim.baseline.name for claim in claims if claim.baseline]
    return list(dict.fromkeys((path, *compared, *beside))) if claims else []


class _Runs:
    """Guests that run, side by side if asked for, and the time that it takes."""

    def __init__(self, options: Options, countdown: Countdown) -> None:
        self._options = options
        self._countdown = countdown

    def all(self, guests: Sequence[Guest], at_once: int) -> list[Run | Reported | Failure]:
        """What became of all guests, in their order."""
        return vm.side_by_side(self._one, guests, at_once)

    def _one(self, guest: Guest) -> Run | Reported | Failure:
        try:
            run = self._figures(guest)
            # Who does what is measured more rarely than was thought is looked at for longer, once.
            if (longer := looks_longer(guest, run)) is not None:
                self._countdown.wants(1)
                run = self._figures(longer)
        except MisplacedError as error:
            raise MisplacedError(f"{guest}: {error.message}") from error
        except GuestError as error:
            block = guest.scene.block
            return Failure(
                workload=block.workload,
                line=line_of(block),
                scheduler=guest.name,
                seed=guest.variation.seed,
                reason=str(error),
                clock=guest.clock,
            )
        return run

    def _figures(self, guest: Guest) -> Run | Reported:
        request = guest.request()
        if not guest.method.is_exact:
            # Chance has a part in it: what it was last time says nothing about this one.
            return self._boot(guest, request)
        is_recorded = guest.method is Method.RECORDED
        reading = recording.reading(guest.scene, is_recorded=is_recorded)
        key = f"{results.key(request)}-{reading}"
        model: type[Run | Reported] = Run if is_recorded else Reported
        known = results.load(key, model) if self._options.use_cache else None
        if known is not None:
            self._countdown.wants(-1)
            # The same guest may be that of another block, or of a policy of another name.
            names = {"line": line_of(guest.scene.block), "scheduler": guest.name}
            return known.model_copy(update=names)
        run = self._boot(guest, request)
        results.store(key, run)
        return run

    def _boot(self, guest: Guest, request: GuestRequest) -> Run | Reported:
        with self._countdown.step(str(guest)):
            return guest.read(vm.run(request))


def looks_longer(guest: Guest, run: Run | Reported) -> Guest | None:
    """One that gives all claims their samples; None: they have them, or never will."""
    missing = [
        needed / max(1, there)
        for claim in claims_of(guest.scene.block, guest.method)
        if claim.metric is not None
        and (there := verdict.samples_of(claim, run)) < (needed := scene.needed(claim))
    ]
    if not missing:
        return None
    before = guest.window_s or scene.reported_s(guest.scene.block, guest.clock)
    wanted = before * max(missing) * _SPARE
    if wanted > LONGEST_WINDOW_S:
        return None
    if guest.window_s is None:
        return replace(guest, scene=replace(guest.scene, reported_s=math.ceil(wanted)))
    return replace(guest, window_s=wanted)
