# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A scene: the tasks of one `expect` block, and the guest that they run in."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gthulhu_lab import catalogue, workloads
from gthulhu_lab.catalogue import Workload, units
from gthulhu_lab.experiment import Variation
from gthulhu_lab.measure import Subject
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import Clock, GuestFiles, GuestRequest
from gthulhu_lab.verify import claims, witness
from gthulhu_lab.verify.claims import Claim
from gthulhu_lab.verify.facts import Facts, ids_of
from gthulhuc import checked, reference
from gthulhuc.claims import Expectation
from gthulhuc.fields import Field

SETTLE_S = 6  # after its boot the kernel is busy for this long
WARMUP_S = 0.5
SHORTEST_WINDOW_S = 1.5
LONGEST_WINDOW_S = 60.0
# Run time of the measured workload without a recording; a tenth of it is warm-up.
COUNTED_S = 2
TIMED_S = 10
_MEASURED = 0.9  # of that at least
_USUAL_OPERATIONS = 200  # of a workload that notes what each takes, in a second
_SETTLE_WALL_S = 3  # as above, where idle time is not skipped
_USUAL_RATE = 1500  # of samples, in a second
# Programs continue this long after the window, as the script may have to wait for a CPU.
_FEW_S = 60.0
_TRACE_KIB = 16384  # for each CPU
_DEADLINE_S = 1800.0


@dataclass(frozen=True, slots=True)
class Group:
    """A workload, and what its tasks are given: all that a launcher starts.

    `amount`: how many times the CPUs, in thousandths.
    """

    workload: Workload
    rule: str | None
    facts: Facts
    amount: int

    @property
    def class_name(self) -> str:
        return reference.DEFAULT if self.rule is None else self.rule


@dataclass(frozen=True, slots=True)
class Scene:
    """One block of a policy: the groups of tasks, the measured workload first.

    `reported_s`: its run time where it reports; None: the usual time.
    """

    policy: checked.Policy
    block: Expectation
    claims: tuple[Claim, ...]
    groups: tuple[Group, ...]
    reported_s: int | None = None

    @property
    def line(self) -> int:
        """The line of the block."""
        return claims.line_of(self.block.span)


def build(policy: checked.Policy, block: Expectation, known: Mapping[str, Workload]) -> Scene:
    """The scene of a block. Raises witness.NoWitnessError."""
    wanted = [(block.workload, block.rule, 1000)]
    wanted += [(load.workload, load.rule, load.amount) for load in block.loads]
    groups = [
        Group(
            known[name],
            rule,
            witness.find(policy, rule, _own_name(name), known[name].calls),
            amount,
        )
        for name, rule, amount in wanted
    ]
    return Scene(policy, block, claims.read(block), tuple(groups))


def _own_name(workload: str) -> bytes:
    """The name of tasks if the rule does not give one: the workload's own."""
    return workload.encode()[:15]


def window_s(claims: Sequence[Claim]) -> float:
    """The length of the first recording: enough samples at the usual rate of wake-ups."""
    most = max((claim.needed for claim in claims if not claim.report), default=0)
    return max(SHORTEST_WINDOW_S, most / _USUAL_RATE)


def reported_s(claims: Sequence[Claim], clock: Clock) -> int:
    """The first run time of a workload that reports: enough operations for percentiles."""
    shortest = COUNTED_S if clock is Clock.ICOUNT else TIMED_S
    most = max((claim.needed for claim in claims if claim.report), default=0)
    return max(shortest, math.ceil(most / _USUAL_OPERATIONS / _MEASURED))


def request(
    scene: Scene,
    subject: Subject,
    variation: Variation,
    *,
    is_policy: bool,
    kernel: str,
    cpus: int,
    clock: Clock,
    window_s: float | None,
) -> GuestRequest:
    """The guest of a scene under a scheduler.

    `is_policy`: the scheduler tells the rule of each task. `window_s`: the length of the recording;
    None: the workloads report instead.
    """
    if window_s is not None:
        scripts: Sequence[str] = _RECORDED
        seconds = load_seconds = math.ceil(WARMUP_S + window_s + _FEW_S)
        settings = [
            f"SETTLE_S={SETTLE_S}",
            f"WARMUP_S={WARMUP_S:g}",
            f"WINDOW_S={window_s:g}",
            f"TRACE_KIB={_TRACE_KIB}",
        ]
    else:
        scripts = _REPORTED
        seconds = scene.reported_s or reported_s(scene.claims, clock)
        load_seconds = math.ceil(_DEADLINE_S)
        settings = [
            f"SETTLE_S={SETTLE_S if clock is Clock.ICOUNT else _SETTLE_WALL_S}",
            # The programs ignore the first tenth of their time, which is over by then.
            f"LOOK_S={seconds / 40:g}",
        ]
    how = _How(variation, cpus, seconds, load_seconds, is_told=subject.has_loader)
    files = {**_programs(scene), **subject.guest_files()}
    files |= {name: GUEST_SCRIPTS / name for name in scripts[1:]}
    files["scene.sh"] = _script(scene, settings, how).encode(errors="surrogateescape")
    if is_policy:
        files["ask-for-rules"] = b""
    ids = ids_of(scene.policy)
    if ids.users or ids.groups:
        files["/etc/passwd"] = _database(ids.users, b"%(name)b:x:%(id)d:0::/root:/bin/sh\n")
        files["/etc/group"] = _database(ids.groups, b"%(name)b:x:%(id)d:\n")
    return GuestRequest(
        script=(GUEST_SCRIPTS / scripts[0]).read_text(),
        kernel=kernel,
        files=files,
        modules=catalogue.modules(group.workload for group in scene.groups),
        cpus=cpus,
        clock=clock,
        seed=variation.seed,
        deadline_s=_DEADLINE_S,
        # Or vmalloc() would clear whole batches of pages with preemption off: some 30 us each, for
        # the byte is an instruction here, and no scheduler has a say until then.
        cmdline="init_on_alloc=0",
    )


@dataclass(frozen=True, slots=True)
class _How:
    """How a scene runs: the measured workload for `seconds`, and the loads beside it.

    `is_told`: the scheduler, the policy or a baseline, has a loader that accepts labels.
    """

    variation: Variation
    cpus: int
    seconds: int
    load_seconds: int
    is_told: bool


# A guest's script, and the files that it sources.
_RECORDED = ("verify.sh", "trace.sh", "groups.sh")
_REPORTED = ("reports.sh", "groups.sh")


def _programs(scene: Scene) -> GuestFiles:
    """Only the programs that the scene needs: everything in an image influences the figures."""
    needed = {"launch", "place", "ask"}
    for group in scene.groups:
        needed |= {group.workload.program, *group.workload.starts}
    others = {f"bin/{name}" for name in workloads.NAMES if name not in needed}
    found = catalogue.files(group.workload for group in scene.groups)
    return {path: source for path, source in found.items() if path not in others}


def _script(scene: Scene, settings: Sequence[str], how: _How) -> str:
    loads = " ".join(str(number) for number in range(1, len(scene.groups)))
    lines = [*settings, f"LOADS={shlex.quote(loads)}", "start_groups() {"]
    # Loads start before the measured workload; groups that prepare something start first.
    groups = list(enumerate(scene.groups))
    groups.sort(key=lambda each: (not each[1].workload.prepares, -each[0]))
    for number, group in groups:
        lines += [f"\t{line}" for line in _start(number, group, how)]
        if how.is_told:
            lines += [f"\t{line}" for line in _told(number, group.facts)]
        if group.workload.prepares and not number:
            lines += ["\tmeasured=$started"]
    if scene.groups[0].workload.prepares:
        # The script that waits for the measured workload reads `started`.
        lines += ["\tstarted=$measured"]
    return "\n".join([*lines, "}", ""])


def _start(number: int, group: Group, how: _How) -> Iterator[str]:
    facts = group.facts
    words: list[bytes] = [b"start", b"%d" % number, facts.process, facts.comm]
    for name in facts.above:
        words += [b"--above", name]
    if facts.cgroup != b"/":
        words += [b"--cgroup", facts.cgroup]
    # The user last: only root may set the others.
    for field in (Field.NICE, Field.GID, Field.UID):
        if value := facts.numbers.get(field):
            words += [b"--" + field.value.encode(), b"%d" % value]
    command = group.workload.command(
        cpus=how.cpus,
        amount=units(group.amount, how.cpus),
        seconds=how.load_seconds if number else how.seconds,
        phase_us=how.variation.phase_us,
        results=f"/results/group-{number}",
    )
    words += [b"--", *(word.encode() for word in command)]
    yield " ".join(_quoted(word) for word in words)
    if group.workload.prepares:
        yield f'until [ -e "$RESULTS/group-{number}/ready" ]; do'
        yield '\tkill -0 "$started" || die "a workload was never ready"'
        yield "\tsleep 0.01"
        yield "done"


def _told(number: int, facts: Facts) -> Iterator[str]:
    """The commands that tell the loader labels, as the agent and `gthulhu label` do."""
    if facts.pod:
        known = [name.encode() + b"=" + value for name, value in facts.pod.items()]
        known += [b"label:%b=%b" % label for label in facts.labels.items()]
        yield " ".join(("tell cgroup", *map(_quoted, (facts.cgroup, b"all", *known))))
        return
    for label in facts.labels.items():
        yield f"label {number} {_quoted(b'%b=%b' % label)}"


def _quoted(word: bytes) -> str:
    return shlex.quote(word.decode("utf-8", errors="surrogateescape"))


def _database(numbers: Mapping[bytes, int], form: bytes) -> bytes:
    """A passwd or group file with root and the names in the policy."""
    entries = {b"root": 0, **numbers}
    return b"".join(form % {b"name": name, b"id": number} for name, number in entries.items())
