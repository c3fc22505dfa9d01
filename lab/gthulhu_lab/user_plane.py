# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the user plane of a 5G network under schedulers, beside rising load.

The workload is `gtp-ping`. Each guest gives the figures of one scheduler with one load,
and then, in a recording, how long each thread waited for a CPU.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import (
    catalogue,
    experiment,
    peers,
    significance,
    subjects,
    timeline,
    tools,
    trace,
    workloads,
)
from gthulhu_lab.errors import GuestError
from gthulhu_lab.experiment import Experiment, FailedExperiment, Variation
from gthulhu_lab.kernels import DEFAULT_KERNEL
from gthulhu_lab.measure import Subject
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.peers import Peer
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import (
    Clock,
    GuestEnvironment,
    GuestFiles,
    GuestRequest,
    GuestResult,
)

WORKLOAD = "gtp-ping"
PROGRAMS = ("nr-ue", "nr-gnb")
# Programs that a peer's configuration prefers. The others would wait for the load.
SCENE = ("nr-gnb", "nr-ue", "ping", "client", "bulk", "server", "sink")
FUNCTIONS = ("gtp_encap_recv", "gtp_dev_xmit")  # the UPF's functions for a packet, up and down
_NEEDED = ("launch", "hog")
_SCRIPTS = ("trace.sh", "groups.sh")
_SETTLE_S = 6
_WARMUP_S = 0.5
_WINDOW_S = 1.5
# The recorded workload runs until it is ended, which may have to wait for a CPU.
_RECORDED_S = 60
_TRACE_KIB = 16384  # for each CPU
_DEADLINE_S = 1800.0
_SENT = re.compile(r"^(\d+) packets transmitted, (\d+) packets received", re.MULTILINE)
_ENTRY = re.compile(rf"^ *(.+)-\d+ +\[\d+\] \S+ +[\d.]+: ({'|'.join(FUNCTIONS)}): ", re.MULTILINE)
_ANSWERED = re.compile(r" seq=(\d+) ")
_ON_THEIR_WAY_S = 1.0  # pings that are not yet lost when the last of them is sent


@dataclass(frozen=True, slots=True)
class UserPlaneOptions:
    """Settings of a benchmark. `loads`: busy loops, as multiples of the CPUs.

    `labels`: given to policies' loaders for all processes of the user plane.
    """

    policies: Sequence[Path]
    peers: Sequence[Peer]
    loads: Sequence[int] = (0, 1, 2, 4)
    labels: Sequence[str] = ()
    stress_ng: bool = False  # instead of the lab's own busy loops
    seeds: int = 5
    seconds: int = 30
    cpus: int = 4
    kernel: str = DEFAULT_KERNEL
    clock: Clock = Clock.ICOUNT
    jobs: int = 1
    use_cache: bool = True


class Hop(BaseModel):
    """How long a thread waited each time that it was woken, in the recording."""

    model_config = ConfigDict(frozen=True)

    process: str
    role: str
    waits_us: list[int]
    longest_us: int = 0
    """The longest of these, less the time in which its CPU ran kernel threads of its own."""


class UserPlaneRun(BaseModel):
    """The figures of one guest, and everything that determined them."""

    model_config = ConfigDict(frozen=True)

    subject: str
    scheduler: str  # the kernel's name for it; empty for EEVDF
    load: int
    phase_us: int
    environment: GuestEnvironment
    pings_us: list[int]  # round trips
    sent: int
    lost: int
    requests_us: list[int]
    unanswered: int
    bulk_rate: float  # packets that arrived per second
    hops: list[Hop]
    # For each of the UPF's functions: how often it interrupted each task, in the recording.
    current: dict[str, dict[str, int]]
    wall_s: float


class UserPlaneComparison(BaseModel):
    """The whole result."""

    model_config = ConfigDict(frozen=True)

    loads: list[int]
    stress_ng: bool = False
    seeds: list[int]
    seconds: int
    subjects: list[str]
    absent: list[str]  # peers that are not built
    runs: list[UserPlaneRun]
    failures: list[FailedExperiment]

    def of(self, subject: str, load: int) -> list[UserPlaneRun]:
        """The runs of a row of the table."""
        return [run for run in self.runs if (run.subject, run.load) == (subject, load)]


@dataclass(frozen=True, slots=True)
class UserPlaneExperiment(Experiment[UserPlaneRun]):
    """One subject beside one load."""

    model = UserPlaneRun

    subject: Subject
    load: int
    number: int  # of the perturbed run
    options: UserPlaneOptions

    def __str__(self) -> str:
        return f"{self.subject.name}, {self.condition}, seed {self.variation.seed}"

    @property
    def condition(self) -> str:
        return f"hogs {self.load}x"

    @property
    def names(self) -> dict[str, str]:
        return {"subject": self.subject.name}

    @property
    def variation(self) -> Variation:
        return Variation.number(self.number)

    def request(self) -> GuestRequest:
        """The guest to boot."""
        options = self.options
        workload = catalogue.find(WORKLOAD)
        needed = {f"bin/{name}" for name in (*_NEEDED, workload.program, *workload.starts)}
        gives_labels = self.subject.has_loader and bool(options.labels)
        if gives_labels:
            needed.add("bin/ask")
        files: GuestFiles = {
            path: file for path, file in workloads.build().items() if path in needed
        }
        files |= self.subject.guest_files()
        files |= {name: GUEST_SCRIPTS / name for name in _SCRIPTS}
        files["scene.sh"] = self._script().encode()
        if gives_labels:
            files["give-labels"] = b""
        if options.stress_ng:
            files |= tools.files("stress-ng")
            files["bin/hog"] = GUEST_SCRIPTS / "stress.sh"
        return GuestRequest(
            script=(GUEST_SCRIPTS / "user-plane.sh").read_text(),
            kernel=options.kernel,
            files=files,
            modules=workload.modules,
            cpus=options.cpus,
            clock=options.clock,
            seed=self.variation.seed,
            deadline_s=_DEADLINE_S,
        )

    def _script(self) -> str:
        lines = [
            f"SETTLE_S={_SETTLE_S}",
            f"HOGS={self.load * self.options.cpus}",
            f"WARMUP_S={_WARMUP_S:g}",
            f"WINDOW_S={_WINDOW_S:g}",
            f"TRACE_KIB={_TRACE_KIB}",
            f"FUNCTIONS={shlex.quote(' '.join(FUNCTIONS))}",
        ]
        for function, folder, seconds in (
            ("measure", "figures", self.options.seconds),
            ("record", "recorded", _RECORDED_S),
        ):
            words = catalogue.find(WORKLOAD).command(
                cpus=self.options.cpus,
                seconds=seconds,
                phase_us=self.variation.phase_us,
                results=f"/results/{folder}",
            )
            # exec, for signals and labels to reach it and not a shell above it.
            lines += [f"{function}() {{", f"\texec {shlex.join(words)}", "}"]
        if self.options.labels:
            lines += ["give_labels() {"]
            lines += [f'\ttell label "$1" {shlex.quote(label)}' for label in self.options.labels]
            lines += ["}"]
        return "\n".join([*lines, ""])

    def read(self, result: GuestResult) -> UserPlaneRun:
        """The figures of the guest. Raises GuestError if they are not complete."""
        rate, unanswered = (
            result.numbers(f"figures/{name}", float, 1)[0] for name in ("rate", "unanswered")
        )
        times_us = {
            name: [ns // 1000 for ns in result.numbers(f"figures/{name}", int)]
            for name in ("time", "requests")
        }
        interval_us = catalogue.find(WORKLOAD).parameters["ping_us"].value
        sent, lost = count_lost(result.text("figures/ping"), interval_us)
        recorded = result.text("user-plane.trace")
        return UserPlaneRun(
            subject=self.subject.name,
            scheduler=result.scheduler,
            load=self.load,
            phase_us=self.variation.phase_us,
            environment=result.environment,
            pings_us=times_us["time"],
            sent=sent,
            lost=lost,
            requests_us=times_us["requests"],
            unanswered=int(unanswered),
            bulk_rate=rate,
            hops=list(_hops(recorded, result.files)),
            current=_current(recorded),
            wall_s=result.wall_s,
        )


def measure(options: UserPlaneOptions) -> UserPlaneComparison:
    """Compile, boot, measure; progress goes to stderr."""
    with Progress(sys.stderr) as progress:
        policies = {file.stem: file for file in options.policies}
        preferring = [peer.preferring(SCENE) for peer in options.peers]
        measured = subjects.assemble(policies, preferring, progress)
        experiments = list_experiments(measured, options)
        outcomes = experiment.run(
            experiments, progress, jobs=options.jobs, use_cache=options.use_cache
        )
    return UserPlaneComparison(
        loads=list(options.loads),
        stress_ng=options.stress_ng,
        seeds=experiment.seeds(options.seeds),
        seconds=options.seconds,
        subjects=[subject.name for subject in measured],
        absent=peers.absent(options.peers),
        runs=experiment.succeeded(outcomes),
        failures=experiment.failures(experiments, outcomes),
    )


def list_experiments(
    measured: Sequence[Subject], options: UserPlaneOptions
) -> list[UserPlaneExperiment]:
    """All of them: each turn has each scheduler with each load, on a wall clock in random order."""
    rows = [(subject, load) for load in options.loads for subject in measured]
    if options.clock is Clock.ICOUNT:  # where nothing drifts, trouble shows in the usual order
        turns = [(turn, row) for turn in range(options.seeds) for row in range(len(rows))]
    else:
        turns = list(significance.turns(options.seeds, len(rows)))
    return [UserPlaneExperiment(*rows[row], turn, options) for turn, row in turns]


def count_lost(said: str, interval_us: int) -> tuple[int, int]:
    """How many pings were sent, and lost. Raises GuestError where ping did not come to its end.

    Those of the last second may still be on their way when it ends, unless later ones came back.
    """
    counts = _SENT.search(said)
    if counts is None:
        raise GuestError("ping did not say how many packets it sent")
    sent = int(counts[1])
    answered = {int(number) for number in _ANSWERED.findall(said)}
    on_their_way = int(_ON_THEIR_WAY_S * 1e6 / interval_us)
    due = max(max(answered, default=-1) + 1, sent - on_their_way)
    return sent, due - len(answered)


def _current(recorded: str) -> dict[str, dict[str, int]]:
    """The tasks that the UPF's functions interrupted: they run in soft interrupts."""
    found = Counter(_ENTRY.findall(recorded))
    return {
        function: {
            name: count for (name, entered), count in sorted(found.items()) if entered == function
        }
        for function in FUNCTIONS
    }


def _hops(recorded: str, files: Mapping[str, bytes]) -> Iterator[Hop]:
    """The waits of each thread of the programs, in the order in which a packet meets them."""
    waits: dict[int, list[timeline.Wait]] = defaultdict(list)
    names: dict[str, set[int]] = defaultdict(set)
    seen = timeline.build(trace.parse(recorded))
    for wait in seen.waits:
        names[wait.task.name].add(wait.task.pid)
        if wait.woken:
            waits[wait.task.pid].append(wait)
    kernel = [run for run in seen.runs if timeline.percpu_kthread(run.task) is not None]
    for program in PROGRAMS:
        for line in files.get(f"recorded/{program}", b"").decode().splitlines():
            pid, role = line.split()
            yield _hop(program, role, waits[int(pid)], kernel)
    for name in ("ping", "client", "bulk"):
        yield _hop(name, "", [wait for pid in names[name] for wait in waits[pid]], kernel)


def _hop(
    process: str, role: str, waits: Sequence[timeline.Wait], kernel: Sequence[timeline.CpuRun]
) -> Hop:
    """`kernel`: runs of the CPUs' own kernel threads, which go before all other tasks."""
    waits = sorted(waits, key=lambda wait: wait.length_us)
    longest_us = 0
    for wait in reversed(waits):
        if wait.length_us <= longest_us:
            break
        theirs_us = sum(wait.common_us(run) for run in kernel if run.cpu == wait.cpu)
        longest_us = max(longest_us, wait.length_us - theirs_us)
    lengths_us = [wait.length_us for wait in waits]
    return Hop(process=process, role=role, waits_us=lengths_us, longest_us=longest_us)
