# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Plays loads on the host model, and reads the figures that it prints."""

from __future__ import annotations

import functools
import hashlib
import os
import random
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gthulhu_lab.cache import locked
from gthulhu_lab.errors import LabError
from gthulhu_lab.experiment import Variation
from gthulhu_lab.paths import build_dir
from gthulhu_lab.simulation import costs, foreign, load, model, tasks
from gthulhu_lab.simulation.behaviours import US
from gthulhu_lab.simulation.load import Load
from gthulhu_lab.simulation.machine import FULL_SPEED, Machine
from gthulhu_lab.simulation.model import Mode
from gthulhu_lab.simulation.tasks import Start
from gthulhuc import checked, codegen, ir, plan
from gthulhuc.checked import CpuGroup

MOST_EVENTS = 100_000_000
"""A simulation with more is ended: it would take a minute or more."""
DEADLINE_S = 600.0
WARMUP_NS = 200_000_000
EPOCH_NS = 1_000_000_000
"""The virtual time at which each run begins (`sim/machine.h`)."""
_START_NS = 10_000_000
_APART_NS = (1_000, 5_000)
_DEFECT = "this is a defect of gthulhuc; please report it"
_DEFECT_OF_OTHERS = "report it to its authors; docs/simulation.md says what the model simplifies"
_KERNEL = 0x702
_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """A group's CPU time, and how often its tasks waited how long.

    `woken`, `all`: pairs of a wait in ns, at most 3 % too short, and their number, in order. Waits
    after a wake-up are in both.
    """

    tasks: int
    ran_ns: int
    woken: tuple[tuple[int, int], ...]
    all: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """Wake-ups, switches or the like: their number, and the time in ns that all of them took.

    They follow a path, fetch lines of memory, wait for lines on their way, and for locks.
    `longest_ns`: the time of the one that took longest.
    """

    number: int
    path_ns: int
    transfer_ns: int
    line_wait_ns: int
    lock_wait_ns: int
    longest_ns: int


@dataclass(frozen=True, slots=True)
class Use:
    """How often a variable's lines moved or a lock was held, and how long CPUs waited for it.

    `worst_ns`: of these times, what one line took.
    """

    number: int
    ns: int
    wait_ns: int
    worst_ns: int


@dataclass(frozen=True, slots=True)
class Spent:
    """The time of all CPUs that the kernel and the scheduler took, in ns, and for what.

    `calls`: those of the scheduler, by the names of its callbacks and programs.
    """

    kernel_ns: int
    operations: Mapping[str, Operation]
    calls: Mapping[str, Operation]
    lines: Mapping[str, Use]
    locks: Mapping[str, Use]


@dataclass(frozen=True, slots=True)
class Figures:
    """A run: its window in ns, and what happened in it. `spent`: None without costs."""

    window_ns: int
    switches: int
    wakeups: int
    events: int
    groups: tuple[GroupFigures, ...]
    spent: Spent | None


@dataclass(slots=True)
class _Reading:
    tasks: int
    ran_ns: int
    woken: list[tuple[int, int]] = field(default_factory=list)
    all: list[tuple[int, int]] = field(default_factory=list)


def program(mode: Mode, flags: Sequence[str]) -> Path:
    """Returns the compiled model. Raises LabError."""
    return _kept(mode, "\0".join(flags).encode(), lambda target: model.build(target, mode, flags))


def _kept(mode: Mode, what: bytes, build: model.Build) -> Path:
    """Returns a program; it is built if no process has done that yet."""
    parts = [_sources(model.find_compiler()).encode(), mode.name.encode(), what]
    name = hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]
    target = build_dir() / "simulation" / name
    try:
        with locked(target):
            if not target.exists():
                with tempfile.TemporaryDirectory(dir=target.parent) as folder:
                    build(Path(folder) / "program")
                    (Path(folder) / "program").rename(target)
    except OSError as error:
        raise LabError(f"cannot write {target}: {error.strerror}") from error
    return target


@functools.cache
def _sources(compiler: str) -> str:
    """A hash of the compiler and of what it compiles."""
    path = Path(compiler).resolve()
    parts = [os.fsencode(path), repr(path.stat().st_mtime_ns).encode()]
    parts += [source.read_bytes() for source in model.sources()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


class Player:
    """The compiled model. Programs are kept in the build folder, by a hash of their sources.

    `costed`: the schedulers tell the model of their accesses to memory, for machines with costs.
    `flags`: more of the compiler's, for the model.
    """

    def __init__(self, *, costed: bool = True, flags: Sequence[str] = ()) -> None:
        self._mode = Mode.COSTED if costed else Mode.FAST
        self._foreign: set[Path] = set()
        self._program = program(Mode.FAST, ("-w", *flags))

    def policy(self, policy: checked.Policy, machine: Machine) -> Path:
        """Returns the scheduler of a policy on a machine, compiled. Raises LabError."""
        return self.scheduler(codegen.render(classes_of(policy, machine)))

    def scheduler(self, text: str) -> Path:
        """Returns the scheduler of a C text, compiled. Raises LabError."""
        # Without optimisation all compilers see the same accesses.
        flags = ("-w",) if self._mode is Mode.COSTED else ("-O1", "-w")
        return _kept(
            self._mode,
            text.encode(),
            lambda target: model.build_scheduler(text, target, self._mode, flags),
        )

    def control(self, name: str) -> Path:
        """Returns a scheduler to compare with, compiled. Raises LabError.

        `name`: one of the model's, or the path of another sched_ext scheduler's C file.
        """
        if source := model.CONTROLS.get(name):
            return _kept(
                self._mode,
                name.encode(),
                lambda target: model.build_control(source, target, self._mode),
            )
        found = _kept(
            self._mode,
            foreign.expanded(Path(name)).encode(),
            lambda target: foreign.build(Path(name), self._program, target, self._mode),
        )
        self._foreign.add(found)
        return found

    def run(self, scheduler: Path, scenario: str) -> Figures:
        """Returns the figures of one run. Raises LabError if the scheduler or the model fails."""
        return figures(self.output(scheduler, scenario))

    def output(self, scheduler: Path, scenario: str) -> str:
        """Returns what the model prints of a run. Raises LabError if it or the scheduler fails."""
        try:
            result = subprocess.run(
                [self._program, scheduler], input=scenario.encode(), capture_output=True,
                check=False, timeout=DEADLINE_S,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise LabError(
                f"the simulation was ended after {DEADLINE_S:.0f} s: a callback of the scheduler "
                "loops, or the machine is too large",
                "take fewer CPUs or a shorter time",
            ) from error
        output = result.stdout.decode(errors="replace")
        if result.returncode == 0:
            return output
        lines = output.splitlines()
        said = next((line for line in lines if line.startswith(("violation ", "fail "))), "")
        if said.startswith("fail more than"):
            raise LabError(f"the simulation was ended: {said.removeprefix('fail ')}",
                           "take fewer CPUs or a shorter time")  # fmt: skip
        if said.startswith("violation "):
            remedy = _DEFECT_OF_OTHERS if scheduler in self._foreign else _DEFECT
            raise LabError(f"the scheduler broke a rule of the kernel: {said}", remedy)
        errors = result.stderr.decode(errors="replace").strip()
        raise LabError(f"the host model failed: {said or errors or result.returncode}")


def classes_of(policy: checked.Policy, machine: Machine) -> ir.Ir:
    """Returns a policy's scheduler for a machine. Raises LabError."""
    load.refuse_names(policy)
    return plan.build(placed(policy, machine))


def placed(policy: checked.Policy, machine: Machine) -> checked.Policy:
    """Returns the policy with the CPUs of groups (`llc 0`, `fast`) that the machine has.

    Raises LabError for a group that it lacks.
    """
    rules = tuple(
        replace(rule, actions=_placed(rule.actions, rule.name, machine)) for rule in policy.rules
    )
    return replace(policy, rules=rules, default=_placed(policy.default, "default", machine))


def _placed(actions: checked.Actions, rule: str, machine: Machine) -> checked.Actions:
    if actions.cpus is None:
        return actions
    found = set(actions.cpus.cpus)
    for kind, number in actions.cpus.groups:
        if kind.is_chosen:
            raise LabError(
                f"rule {rule}: the model does not choose CPUs, as `{kind.text(number)}` asks for",
                "list the CPUs by number",
            )
        if isinstance(number, bytes):
            raise LabError(
                f"rule {rule}: the model has no interrupts, as `{kind.text(number)}` asks for",
                "list the CPUs by number",
            )
        found |= _members(kind, number, machine)
    cpus = tuple(sorted(cpu for cpu in found if cpu < machine.cpus))
    if not cpus or set(cpus) <= machine.offline:
        raise LabError(
            f"rule {rule}: machine {machine.name} has none of the CPUs of `cpus` online",
            "choose another machine",
        )
    core = {cpu for core in machine.cores if found & core for cpu in core}
    if actions.cpus.core and not core <= found:
        raise LabError(
            f"rule {rule}: the model does not keep the siblings of exclusive CPUs free",
            "name all CPUs of each core",
        )
    return replace(actions, cpus=replace(actions.cpus, cpus=cpus, groups=(), core=False))


def _members(kind: CpuGroup, number: int | None, machine: Machine) -> frozenset[int]:
    """The CPUs of a group, none if the machine lacks it."""
    if number is not None:
        groups = machine.nodes if kind is CpuGroup.NODE else machine.llcs
        return groups[number] if number < len(groups) else frozenset()
    speeds = {cpu: machine.speeds.get(cpu, FULL_SPEED) for cpu in range(machine.cpus)}
    least = min(speeds.values())
    if kind is CpuGroup.FAST:
        return frozenset(cpu for cpu, speed in speeds.items() if speed >= FULL_SPEED * 9 // 10)
    return frozenset(cpu for cpu, speed in speeds.items() if speed <= least + least // 10)


def scenario(
    wanted: Load,
    machine: Machine,
    *,
    seed: int,
    seconds: float,
    warmup_ns: int = WARMUP_NS,
    timeline: int = 0,
    fine: bool = False,
    phase_us: int | None = None,
) -> str:
    """Returns the text of a run, for the host model; figures count after the warm-up.

    Tasks begin at random times of the warm-up's first part; a script's tasks begin in their order,
    without a warm-up. `timeline`: so many events after it are printed, too. `fine`: the events of
    CPUs interleave (`sim/strand.c`). `phase_us`: when periodic tasks are due in their periods;
    None: each seed has the phase that `gthulhu verify` gives it.
    """
    lines = [f"0 {line}" for line in costs.lines(machine.costs)]
    lines.append(f"0 machine {machine.cpus} {_KERNEL} {seed} 50000 25000 {1 << 62}")
    lines += [f"0 {line}" for line in machine.lines()]
    lines.append(f"0 limit {MOST_EVENTS}")
    if phase_us is None:
        phase_us = Variation.number(seed - 1).phase_us
    made = tasks.Tasks(wanted.groups, machine.cpus, phase_us * US)
    lines += [f"0 {line}" for line in made.lines]
    lines += ["0 start", *(["0 fine"] if fine else [])]
    warm_ns = 0 if wanted.is_script else warmup_ns
    begin = [f"{warm_ns} count", *([f"{warm_ns} show {timeline}"] if timeline else [])]
    if wanted.is_script:
        lines += [*begin, *_in_turn(made.starts, machine, seed)]
    else:
        lines += [*_wakeups(made.starts, machine, seed, min(_START_NS, warm_ns // 2)), *begin]
    end_ns = warm_ns + round(seconds * _S)
    return "\n".join([*lines, f"{end_ns} figures", ""])


def tuned(text: str, values: Mapping[int, int]) -> str:
    """Returns the text of a run in which tunables have these values, by number in the scheduler."""
    lines = [f"0 tunable {number} {value}\n" for number, value in values.items()]
    return "".join([*lines, text])


def _in_turn(starts: Sequence[Start], machine: Machine, seed: int) -> Iterator[str]:
    """The first wake-up of each task of a script: one CPU releases them in their order."""
    choice = random.Random(seed)
    cpu = min(set(range(machine.cpus)) - machine.offline)
    now_ns, found = 0, []
    for pid, delay_ns in starts:
        now_ns += choice.randrange(*_APART_NS)
        found.append((now_ns + delay_ns, pid))
    for at_ns, pid in sorted(found):
        yield f"{at_ns} wake {pid} {cpu} 0"


def _wakeups(starts: Sequence[Start], machine: Machine, seed: int, within_ns: int) -> Iterator[str]:
    """The first wake-up of each task, at a random time on a random CPU."""
    choice = random.Random(seed)
    pids = [start.pid for start in starts]
    online = sorted(set(range(machine.cpus)) - machine.offline)
    times = sorted(choice.randrange(within_ns) for _ in pids)
    for time_ns, pid in zip(times, choice.sample(pids, len(pids)), strict=True):
        yield f"{time_ns} wake {pid} {choice.choice(online)} 0"


def figures(output: str) -> Figures:
    """Returns the figures in what the model printed."""
    groups: dict[int, _Reading] = {}
    totals = (0, 0, 0, 0)
    kernel_ns = None
    tallies: dict[str, dict[str, Operation]] = {"operation": {}, "call": {}}
    uses: dict[str, dict[str, Use]] = {"line": {}, "lock": {}}
    for line in output.splitlines():
        word, *texts = line.split()
        match word:
            case "total":
                first, second, third, fourth = map(int, texts)
                totals = (first, second, third, fourth)
            case "group":
                groups[int(texts[0])] = _Reading(int(texts[1]), int(texts[2]))
            case "wait":
                number, low, woken, every = map(int, texts)
                groups[number].all.append((low, every))
                if woken:
                    groups[number].woken.append((low, woken))
            case "kernel":
                kernel_ns = int(texts[0])
            case "operation" | "call":
                tallies[word][" ".join(texts[6:])] = Operation(*map(int, texts[:6]))
            case "line" | "lock":
                uses[word][" ".join(texts[4:])] = Use(*map(int, texts[:4]))
    spent = None
    if kernel_ns is not None:
        spent = Spent(kernel_ns, tallies["operation"], tallies["call"], uses["line"], uses["lock"])
    return Figures(
        *totals,
        tuple(
            GroupFigures(each.tasks, each.ran_ns, tuple(each.woken), tuple(each.all))
            for _, each in sorted(groups.items())
        ),
        spent,
    )
