# SPDX-License-Identifier: Apache-2.0
"""Scenarios for the host model: tasks, and events that happen to them.

The tasks' expected classes and allowed CPUs come from the checked policy and the reference
interpreter, not from the compiler's output.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from gthulhu_lab.simulation import machine, tasks
from gthulhuc import checked, reference
from gthulhuc.checked import Migrate
from gthulhuc.fields import Field
from gthulhuc.frontend import check
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.source import Source

US, MS, S = 1_000, 1_000_000, 1_000_000_000
FOREVER = (1 << 64) - 1
CLONE_VFORK, CLONE_PARENT, CLONE_THREAD = 0x4000, 0x8000, 0x10000
SETTLE_NS = 50 * US
SLACK_NS = 25 * US
"""An interrupt, a kick and a switch take less time."""


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


def _asks_about_ancestors(rule: checked.Rule) -> bool:
    subjects = [leaf.subject for leaf in leaves(rule.match) if hasattr(leaf, "subject")]
    return rule.actions.inherit or any(
        subject.field in {Field.PARENT, Field.ANCESTOR} for subject in subjects
    )


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
        eager = {Migrate.EAGER: 2, Migrate.BALANCED: 1}.get(actions.migrate, 0)
        assert isinstance(actions.slice_max_ns, int)
        after_ns = actions.preempt.after_ns if actions.preempt else 0
        assert isinstance(after_ns, int)
        self._say("class", number, f"{own:#x}", eager, actions.slice_max_ns, 0, after_ns)

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
            tasks.text(comm), tasks.text(task.cgroup), task.uid, task.gid, task.nice,
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
        """Wakes a task on a CPU; `sync`: what runs there says that it is about to sleep."""
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
        if not any(map(_asks_about_ancestors, self._policy.rules)):
            self._say("forget", pid)

    def rename(self, pid: int, comm: bytes) -> None:
        self.tasks[pid].comm = comm
        self._tell("rename", pid, tasks.text(comm))

    def cgroup(self, pid: int, path: bytes, *, whole: bool = True) -> None:
        """Moves a task, or its whole process, to another cgroup."""
        for task in self.tasks.values():
            if task.pid == pid or (whole and task.leader == self.tasks[pid].leader):
                task.cgroup = path
        self._tell("cgroup", pid, tasks.text(path), int(whole))

    def weight(self, path: bytes, weight: int) -> None:
        """Sets a cgroup's `cpu.weight`; it is made if it is not there."""
        self._say("weight", tasks.text(path), weight)

    def idle(self, path: bytes, *, idle: bool) -> None:
        """Sets a cgroup's `cpu.idle`."""
        self._say("idle", tasks.text(path), int(idle))

    def quota(
        self, path: bytes, quota_ns: int | None, period_ns: int = 100 * MS, burst_ns: int = 0
    ) -> None:
        """Sets a cgroup's `cpu.max` and `cpu.max.burst`, in whole us; None: no limit."""
        numbers = (quota_ns or 0, period_ns, burst_ns)
        self._say("quota", tasks.text(path), *(number // US for number in numbers))

    def in_kernel(self, pid: int, *, inside: bool) -> None:
        """Puts a task into the middle of a system call, or back into its program."""
        self._say("kernel", pid, int(inside))

    def rmdir(self, path: bytes) -> None:
        """Removes a cgroup without tasks."""
        self._say("rmdir", tasks.text(path))

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
        self._say("call", pid, tasks.text(function.encode()), interrupts)

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


def choices(seed: int) -> random.Random:
    """Reproducible random choices."""
    return random.Random(seed)
