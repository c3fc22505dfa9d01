# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a policy's `expect` blocks: which guests that takes, and what is known already."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gthulhu_lab import catalogue, kernels, qemu, results, selftest, vm, workloads
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.kernels import DEFAULT_KERNEL, Flavour
from gthulhu_lab.measure import EEVDF, Subject
from gthulhu_lab.peers import HOW_TO_BUILD, PEERS
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import GuestRequest
from gthulhu_lab.verify import check, recording, scene, verdict
from gthulhu_lab.verify.recording import MisplacedError, Run, line_of
from gthulhu_lab.verify.scene import LONGEST_WINDOW_S, Scene, Variation
from gthulhu_lab.verify.verdict import Failure, Verification
from gthulhuc import checked, codegen, frontend, plan
from gthulhuc.cli import shared
from gthulhuc.cli.loader import find_loader
from gthulhuc.diagnostics import Diagnostic
from gthulhuc.plan import supported

_EEVDF = "eevdf"
_SPARE = 1.25  # of a window that was too short: so much more than it takes


@dataclass(frozen=True, slots=True)
class Options:
    """What is run, and how. `only`: a block's line or workload."""

    seeds: int = 5
    cpus: int = 4
    kernels: Sequence[str] = (DEFAULT_KERNEL,)
    jobs: int = 1
    use_cache: bool = True
    only: str | None = None


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
    window_s: float

    def __str__(self) -> str:
        block = self.scene.block
        what = f"{block.workload} (line {line_of(block)}) under {self.name}"
        return f"{what}, {self.kernel}, seed {self.variation.seed}"


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
    if problems := check.mistakes(blocks):
        raise PolicyError(problems)
    if problems := check.limits(policy, blocks):
        raise PolicyError(problems, shared.FAILED)
    with Progress(sys.stderr) as progress:
        progress.step("compiling")
        subject = _compiled(policy)
        subjects = {path: subject, **_baselines(path, blocks)}
        progress.step("building the workloads")
        workloads.build()
        qemu.version()
        for kernel in options.kernels:
            kernels.ensure(kernel, Flavour.CLOUD, progress=progress.step)
        progress.step("checking the clock of this QEMU (once)")
        selftest.ensure()
        scenes = [scene.build(policy, block, catalogue.load()) for block in blocks]
        guests = _guests(path, scenes, subjects, options)
        outcomes = _Runs(policy, options, progress).all(guests)
    judged = []
    for kernel in options.kernels:
        for each in scenes:
            found = [o for g, o in zip(guests, outcomes, strict=True)
                     if (g.kernel, g.scene) == (kernel, each)]  # fmt: skip
            judged.append(
                verdict.judge(
                    each.block,
                    path,
                    kernel,
                    [outcome for outcome in found if isinstance(outcome, Run)],
                    [outcome for outcome in found if isinstance(outcome, Failure)],
                )
            )
    return Verification(
        policy=path,
        sha256=hashlib.sha256(source).hexdigest(),
        seeds=tuple(Variation.number(number).seed for number in range(options.seeds)),
        blocks=tuple(judged),
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
            if baseline is None or verdict.baseline_name(baseline) in found:
                continue
            found[verdict.baseline_name(baseline)] = _baseline(path, baseline)
    return found


def _baseline(path: str, baseline: checked.Baseline) -> Subject:
    if baseline.is_policy:
        return _compiled(_checked(str(Path(path).parent / baseline.name))[0])
    if baseline.name == _EEVDF:
        return EEVDF
    peer = PEERS.get(baseline.name)
    if peer is None:
        raise LabError(f"the lab does not know {baseline.name}", f"It has {', '.join(PEERS)}.")
    if not peer.is_there:
        raise LabError(f"{peer.name} is not built", f"Run `{HOW_TO_BUILD}`.")
    return peer.subject()


def _guests(
    path: str, scenes: Sequence[Scene], subjects: Mapping[str, Subject], options: Options
) -> list[Guest]:
    """All runs; those of a first seed come first, so that trouble shows early."""
    return [
        Guest(
            scene=each,
            name=name,
            subject=subjects[name],
            is_policy=name == path,
            kernel=kernel,
            variation=Variation.number(number),
            window_s=scene.window_s(each.block),
        )
        for number in range(options.seeds)
        for kernel in options.kernels
        for each in scenes
        for name in dict.fromkeys((path, *_compared(each.block)))
    ]


def _compared(block: checked.Expectation) -> list[str]:
    return [verdict.baseline_name(claim.baseline) for claim in block.claims if claim.baseline]


class _Runs:
    """Guests that run, side by side if asked for, and the time that it takes."""

    def __init__(self, policy: checked.Policy, options: Options, progress: Progress) -> None:
        self._policy = policy
        self._options = options
        self._progress = progress
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._begun = self._booted = self._wanted = 0

    def all(self, guests: Sequence[Guest]) -> list[Run | Failure]:
        """What became of all guests, in their order."""
        self._wanted = len(guests)
        return vm.side_by_side(self._one, guests, self._options.jobs)

    def _one(self, guest: Guest) -> Run | Failure:
        try:
            run = self._figures(guest)
            # Who wakes up more rarely than was thought is looked at for longer, once.
            if (longer := enough_s(guest, run)) is not None:
                run = self._figures(replace(guest, window_s=longer))
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
            )
        return run

    def _figures(self, guest: Guest) -> Run:
        request = self._request(guest)
        key = f"{results.key(request)}-{recording.FORMAT}"
        known = results.load(key, Run) if self._options.use_cache else None
        if known is not None:
            with self._lock:
                self._wanted -= 1
            # The same guest may be that of another block, or of a policy of another name.
            names = {"line": line_of(guest.scene.block), "scheduler": guest.name}
            return known.model_copy(update=names)
        self._announce(guest)
        try:
            run = recording.read(
                guest.scene, self._policy, guest.name, guest.variation, vm.run(request)
            )
        finally:
            with self._lock:
                self._booted += 1
        results.store(key, run)
        return run

    def _request(self, guest: Guest) -> GuestRequest:
        return scene.request(
            guest.scene,
            self._policy,
            guest.subject,
            guest.variation,
            is_policy=guest.is_policy,
            kernel=guest.kernel,
            cpus=self._options.cpus,
            window_s=guest.window_s,
        )

    def _announce(self, guest: Guest) -> None:
        with self._lock:
            self._begun += 1
            left = ""
            if self._booted:
                each_s = (time.monotonic() - self._started) / self._booted
                minutes = each_s * max(0, self._wanted - self._booted) / 60
                left = f"; about {minutes:.0f} min left"
            self._progress.step(f"guest {self._begun} of {self._wanted}: {guest}{left}")


def enough_s(guest: Guest, run: Run) -> float | None:
    """The window that gives all claims their samples; None: they have them, or never will."""
    factor = 1.0
    for claim in guest.scene.block.claims:
        needed = scene.NEEDED.get(claim.statistic, 0)
        there = verdict.samples_of(claim, run)
        if claim.metric is not None and there < needed:
            factor = max(factor, needed / max(1, there) * _SPARE)
    wanted = guest.window_s * factor
    return None if factor == 1.0 or wanted > LONGEST_WINDOW_S else wanted
