# SPDX-License-Identifier: Apache-2.0
"""Runs a generated scheduler as an ordinary program on the host model.

`Machine` compiles the model of the kernel (sim) once and each scheduler into a
shared object, both under sanitizers. `Scenario` lists the events of tasks. It takes
the tasks' expected classes and allowed CPUs from the checked policy and the reference interpreter,
not from the compiler's output.
"""

from __future__ import annotations

import dataclasses
import os
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gthulhu_lab.simulation import machine, model
from gthulhu_lab.simulation.model import Mode, ModelError
from gthulhuc import checked, codegen, plan, reference
from gthulhuc.checked import Migrate
from gthulhuc.fields import Field
from gthulhuc.frontend import check
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.source import Source

_STRICT = ("-Wall", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function")

US, MS, S = 1_000, 1_000_000, 1_000_000_000
FOREVER = (1 << 64) - 1
CLONE_VFORK, CLONE_PARENT, CLONE_THREAD = 0x4000, 0x8000, 0x10000
SETTLE_NS = 50 * US
SLACK_NS = 25 * US
"""An interrupt, a kick and a switch take less time."""


class SanitizerError(Exception):
    """A sanitizer found a defect; the message is its report."""


class Machine:
    """The compiled model, and schedulers to run on it.

    `fast`: without sanitizers and checks of the invariants, for runs of seconds that are about
    shares.
    """

    def __init__(self, folder: Path, *, fast: bool = False) -> None:
        self._folder = folder
        self._mode = Mode.FAST if fast else Mode.CHECKED
        self._program = folder / "machine"
        self._number = 0
        model.build(self._program, self._mode, _STRICT)

    def scheduler(self, policy: checked.Policy, c_text: str | None = None) -> Path:
        """Returns the scheduler of a policy, or of C text, as a shared object."""
        self._number += 1
        target = self._folder / str(self._number) / "policy.so"
        target.parent.mkdir()
        text = codegen.render(plan.build(policy)) if c_text is None else c_text
        model.build_scheduler(text, target, self._mode, _STRICT)
        return target

    def decisions(self, scheduler: Path, scenario: Scenario) -> list[Event]:
        """Returns the events of tasks in order: wake-ups, waits, runs and stops.

        Raises as `run` does, and AssertionError after a violation.
        """
        lines = map(_EVENT.fullmatch, self._trace(scheduler, scenario))
        return [Event(int(line[1]), line[3], int(line[4]), int(line[2])) for line in lines if line]

    def calls(self, scheduler: Path, scenario: Scenario) -> Counter[tuple[int, str]]:
        """Returns how often each CPU called each part of the scheduler, and kicked a CPU ("kick").

        Raises as `decisions` does.
        """
        lines = map(_CALL.match, self._trace(scheduler, scenario))
        return Counter((int(line[1]), line[2]) for line in lines if line)

    def _trace(self, scheduler: Path, scenario: Scenario) -> list[str]:
        output, trace = self._play(scheduler, scenario, {"MACHINE_TRACE": "1"})
        violation = _violation(output)
        assert violation is None, violation
        return trace

    def run(self, scheduler: Path, scenario: Scenario) -> Outcome:
        """Returns the outcome. Raises SanitizerError, and ModelError for an invalid scenario."""
        lines, _ = self._play(scheduler, scenario)
        return Outcome(
            _violation(lines), {tally.pid: tally for tally in map(_tally, lines) if tally}
        )

    def _play(
        self, scheduler: Path, scenario: Scenario, settings: Mapping[str, str] | None = None
    ) -> tuple[list[str], list[str]]:
        """The model's output: lines of its outcome, and its events."""
        result = subprocess.run(
            [self._program, scheduler], input=scenario.text(), capture_output=True, check=False,
            env={**os.environ, **(settings or {})},
        )  # fmt: skip
        output, errors = result.stdout.decode("latin-1"), result.stderr.decode("latin-1")
        if "Sanitizer" in errors or "runtime error" in errors:
            raise SanitizerError(errors)
        if result.returncode not in (0, 3):
            raise ModelError(output + errors)
        return output.splitlines(), errors.splitlines()


@dataclass(frozen=True)
class Event:
    """An event of a task on a CPU; `what` is wake, enqueue, running or stopping."""

    at_ns: int
    what: str
    pid: int
    cpu: int


_EVENT = re.compile(r" *(\d+) cpu (-?\d+): (wake|enqueue|running|stopping) (\d+)")
_CALL = re.compile(r" *\d+ cpu (-?\d+): (\w+) ")


@dataclass(frozen=True)
class Tally:
    """The CPU time and waits of a task, in ns."""

    pid: int
    bursts: int
    waits: int
    wait_ns: int
    max_wait_ns: int
    max_run_ns: int
    ran_ns: tuple[int, ...]


def _violation(lines: Iterable[str]) -> str | None:
    return next((line for line in lines if line.startswith("violation ")), None)


def _tally(line: str) -> Tally | None:
    word, *numbers = line.split()
    if word != "task":
        return None
    pid, _, bursts, waits, wait_ns, max_wait_ns, max_run_ns, *ran_ns = map(int, numbers)
    return Tally(pid, bursts, waits, wait_ns, max_wait_ns, max_run_ns, tuple(ran_ns))


@dataclass(frozen=True)
class Outcome:
    """The first violation, or None, and the figures of each task until then."""

    violation: str | None
    tasks: dict[int, Tally]


def compiled(text: str) -> checked.Policy:
    """Returns the checked policy of a valid text."""
    policy, problems = check(Source("test.gpl", text))
    assert policy is not None, problems
    return policy


@dataclass(kw_only=True)
class Facts:
    """Properties of a task besides its names; `cpus` is its affinity, None for all CPUs."""

    cgroup: bytes = b"/"
    uid: int = 0
    gid: int = 0
    nice: int = 0
    cpus: int | None = None
    kthread: bool = False


@dataclass(kw_only=True)
class SimTask(Facts):
    """A task with the facts that a policy can compare; `classes`: the expected ones, by mood."""

    pid: int
    leader: int
    parent: int
    comm: bytes
    ancestors: tuple[bytes, ...] = ()
    inherits: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    gone: bool = False
    classes: tuple[int, int] = field(default=(-1, -1))


class Scenario:
    """A list of events. Times are in ns from the start and never decrease."""

    def __init__(
        self,
        policy: checked.Policy,
        *,
        cpus: int = 4,
        profile: machine.Machine | None = None,
        kernel: str = "7.2",
        seed: int = 0,
    ) -> None:
        """`profile`: the machine, else one of that many equal CPUs."""
        self.cpus = profile.cpus if profile else cpus
        self.tasks: dict[int, SimTask] = {}
        self._policy = policy
        self._names = [rule.name for rule in policy.rules]
        self._names += [reference.DEFAULT, reference.KERNEL_THREADS]
        self._now_ns = 0
        self._lines: list[str] = []
        self._started = False
        major, minor = map(int, kernel.split("."))
        self._say("machine", self.cpus, major << 8 | minor, seed, SETTLE_NS, SLACK_NS, 5 * S)
        for line in profile.lines() if profile else ():
            self._say(line)
        for number, actions in enumerate(self._actions()):
            self._say_class(number, actions)
        self.task(b"init")

    def _actions(self) -> list[checked.Actions]:
        default = self._policy.default
        kthreads = dataclasses.replace(
            default, cpus=None, migrate=Migrate.BALANCED, slice_max_ns=5 * MS
        )
        return [*(rule.actions for rule in self._policy.rules), default, kthreads]

    def _say_class(self, number: int, actions: checked.Actions) -> None:
        """Returns a class's CPUs without those that are exclusive to another."""
        everywhere = (1 << self.cpus) - 1
        own = everywhere
        if actions.cpus and not actions.cpus.prefer:
            own = _mask(actions.cpus.cpus) & everywhere
        for other, theirs in enumerate(self._actions()):
            if other != number and theirs.cpus and theirs.cpus.exclusive and not theirs.monitor:
                own &= ~_mask(theirs.cpus.cpus)
        eager = actions.migrate in (Migrate.EAGER, Migrate.BALANCED)
        assert isinstance(actions.slice_max_ns, int)
        after_ns = actions.preempt.after_ns if actions.preempt else 0
        assert isinstance(after_ns, int)
        self._say("class", number, f"{own:#x}", int(eager), actions.slice_max_ns, 0, after_ns)

    # ---- before the scheduler, and its start ----

    def task(
        self,
        comm: bytes,
        facts: Facts | None = None,
        *,
        maker: int = 1,
        thread: bool = False,
        burst: int = MS,
        sleep: int = 0,
    ) -> int:
        """Adds a task older than the scheduler; returns its pid."""
        pid = len(self.tasks) + 1
        leader = self.tasks[maker].leader if thread else pid
        parent = 0
        if pid > 1:
            parent = self.tasks[leader].parent if thread else self.tasks[maker].leader
        true = dataclasses.asdict(facts or Facts())
        task = SimTask(pid=pid, leader=leader, parent=parent, comm=comm, **true)
        task.cpus = (1 << self.cpus) - 1 if task.cpus is None else task.cpus
        self.tasks[pid] = task
        self._say(
            "task", pid, maker if pid > 1 else 0, CLONE_THREAD if thread else 0,
            _text(comm), _text(task.cgroup), task.uid, task.gid, task.nice,
            f"{task.cpus:#x}", int(task.kthread),
        )  # fmt: skip
        self.work(pid, burst, sleep)
        return pid

    def start(self) -> None:
        """Loads the scheduler."""
        self._started = True
        self._find_ancestors()
        self._expect()
        self._say("start")

    def at(self, time_ns: int) -> None:
        """Sets the time of the next events."""
        assert time_ns >= self._now_ns
        self._now_ns = time_ns

    # ---- events ----

    def work(self, pid: int, burst: int, sleep: int, partner: int = 0) -> None:
        """Sets how long a task runs and sleeps in turn, and which task it wakes first."""
        self._say("work", pid, burst, sleep, partner)

    def script(self, number: int, *steps: str) -> None:
        """Defines a script; sim/script.c has the steps."""
        for step in steps:
            self._say("step", number, step)

    def follow(self, pid: int, number: int) -> None:
        """Lets a task follow a script instead of its work. Its forks count as itself."""
        self._say("script", pid, number)

    def count(self) -> None:
        """Lets the figures of all tasks begin anew."""
        self._say("count")

    def wake(self, pid: int, cpu: int = 0, *, sync: bool = False) -> None:
        """Wakes a task by an interrupt of a CPU."""
        self._say("wake", pid, cpu, int(sync))

    def gap(self, pid: int, for_ns: int) -> None:
        """Lets time pass between the next `enqueue` of a task and its insertion."""
        self._say("gap", pid, for_ns)

    def fork(
        self, maker: int, *, thread: bool = False, sibling: bool = False,
        burst: int = MS, sleep: int = 0,
    ) -> int:  # fmt: skip
        """Forks a task, which becomes runnable; returns its pid."""
        pid = len(self.tasks) + 1
        old = self.tasks[maker]
        flags = (CLONE_THREAD if thread else 0) | (CLONE_PARENT if sibling else 0)
        task = dataclasses.replace(old, pid=pid, inherits=self._passed_on(old))
        if not thread:
            task.leader = pid
            task.parent = self.tasks[old.leader].parent if sibling else old.leader
            if not sibling:
                task.ancestors = (self.tasks[old.leader].comm, *old.ancestors)
        self.tasks[pid] = task
        task.classes = self._classes_of(task)
        self._say("fork", pid, maker, flags, *task.classes, burst, sleep)
        return pid

    def exit(self, pid: int) -> None:
        """Kills the task."""
        self.tasks[pid].gone = True
        for other in self.tasks.values():
            if other.leader == other.pid and other.parent == pid:
                other.parent = 1
        self._say("exit", pid)

    def forget(self, pid: int) -> None:
        """Drops a task's storage; the facts about its ancestors may change with that."""
        features = plan.build(self._policy).features
        if not (features.parent or features.ancestor or features.inherit):
            self._say("forget", pid)

    def rename(self, pid: int, comm: bytes) -> None:
        self.tasks[pid].comm = comm
        self._tell("rename", pid, _text(comm))

    def cgroup(self, pid: int, path: bytes, *, whole: bool = True) -> None:
        """Moves a task, or its whole process, to another cgroup."""
        for task in self.tasks.values():
            if task.pid == pid or (whole and task.leader == self.tasks[pid].leader):
                task.cgroup = path
        self._tell("cgroup", pid, _text(path), int(whole))

    def weight(self, path: bytes, weight: int) -> None:
        """Sets a cgroup's `cpu.weight`; it is made if it is not there."""
        self._say("weight", _text(path), weight)

    def rmdir(self, path: bytes) -> None:
        """Removes a cgroup without tasks."""
        self._say("rmdir", _text(path))

    def affinity(self, pid: int, cpus: int) -> None:
        self.tasks[pid].cpus = cpus
        self._say("affinity", pid, f"{cpus:#x}")

    def nice(self, pid: int, nice: int) -> None:
        self.tasks[pid].nice = nice
        self._tell("nice", pid, nice)

    def ids(self, pid: int, uid: int, gid: int) -> None:
        self.tasks[pid].uid = uid
        self.tasks[pid].gid = gid
        self._tell("ids", pid, uid, gid)

    def call(self, pid: int, function: str, interrupts: int = 0) -> None:
        """The task, or an interrupt on it, enters a function; its class is then open."""
        self.open(pid)
        self._say("call", pid, _text(function.encode()), interrupts)

    def open(self, pid: int) -> None:
        """Ignores the task's class for now."""
        self._say("expect", pid, -1, -1)

    def has_called(self, pid: int, *predicates: str) -> None:
        """From now on, the task's expected class assumes that these `calls` hold."""
        task = self.tasks[pid]
        task.calls = frozenset(predicates)
        task.classes = self._classes_of(task)
        self._say("expect", pid, *task.classes)

    def migration(self, pid: int, *, allowed: bool) -> None:
        """Allows or forbids the task to migrate; while forbidden, it stays on its CPU."""
        self._say("migration", pid, int(allowed))

    def real_time(self, cpu: int, for_ns: int) -> None:
        """Lets a real-time task take a CPU."""
        self._say("rt", cpu, for_ns)

    def online(self, cpu: int, *, online: bool) -> None:
        """Takes a CPU online or offline; the scheduler is reloaded."""
        self._find_ancestors()
        self._tell("online", cpu, int(online))

    def end(self, time_ns: int) -> Scenario:
        """Ends the scenario at that time."""
        self.at(time_ns)
        self._say("end")
        return self

    def text(self) -> bytes:
        return "".join(line + "\n" for line in self._lines).encode("ascii")

    # ---- expectations ----

    def alive(self, *, kthreads: bool = True) -> list[SimTask]:
        """Returns the tasks that are still alive."""
        return [t for t in self.tasks.values() if not t.gone and (kthreads or not t.kthread)]

    def _find_ancestors(self) -> None:
        """Recomputes ancestors as a newly loaded scheduler sees them."""
        for task in self.tasks.values():
            found, process = [], self.tasks[task.leader]
            while process.parent:
                process = self.tasks[process.parent]
                found.append(process.comm)
            task.ancestors = tuple(found)
            maker = task.parent if task.pid == task.leader else task.leader
            task.inherits = self._passed_on(self.tasks[maker]) if maker else frozenset()

    def _passed_on(self, maker: SimTask) -> frozenset[str]:
        """The rules with `inherit` that take this task's children."""
        verdict = self._verdict(maker)
        takers = [*verdict.monitored, *([verdict.rule] if verdict.rule else [])]
        return maker.inherits | {rule.name for rule in takers if rule.actions.inherit}

    def _classes_of(self, task: SimTask) -> tuple[int, int]:
        """The task with and without frequent sleeps."""
        calm, often = (self._verdict(task, interactive=mood).name for mood in (False, True))
        return self._names.index(calm), self._names.index(often)

    def _verdict(self, task: SimTask, *, interactive: bool = False) -> reference.Classification:
        facts = reference.Task(
            labels_known=False,
            comm=task.comm,
            process=self.tasks[task.leader].comm,
            parent=task.ancestors[0] if task.ancestors else None,
            ancestors=task.ancestors,
            cgroup=task.cgroup,
            numbers={Field.UID: task.uid, Field.GID: task.gid, Field.NICE: task.nice},
            kthread=task.kthread,
            leader=task.pid == task.leader,
            inherits=task.inherits,
            interactive=interactive,
            calls=frozenset(
                leaf
                for rule in self._policy.rules
                for leaf in leaves(rule.match)
                if isinstance(leaf, checked.Calls) and leaf.span.text in task.calls
            ),
        )
        return reference.classify(self._policy, facts)

    def _expect(self) -> None:
        for task in self.tasks.values():
            classes = self._classes_of(task)
            if classes != task.classes and not task.gone:
                task.classes = classes
                self._say("expect", task.pid, *classes)

    def _tell(self, verb: str, *arguments: int | str) -> None:
        """Records an event that may change classes."""
        if self._started:
            self._expect()
        self._say(verb, *arguments)

    def _say(self, verb: str, *arguments: int | str) -> None:
        self._lines.append(" ".join(map(str, (self._now_ns, verb, *arguments))))


def _mask(cpus: Iterable[int]) -> int:
    return sum(1 << cpu for cpu in cpus)


def _text(data: bytes) -> str:
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"
    return "." + "".join(chr(byte) if byte in plain else f"%{byte:02x}" for byte in data)


def choices(seed: int) -> random.Random:
    """Reproducible random choices."""
    return random.Random(seed)
