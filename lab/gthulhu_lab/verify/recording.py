# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Reads figures from the files of a scene's guest.

A recorded guest gives waits, CPU time, and the tasks that ran meanwhile. Other guests give the
workloads' reports.
"""

from __future__ import annotations

import bisect
import hashlib
import json
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

from gthulhu import counters
from gthulhu_lab import stats, timeline, trace
from gthulhu_lab.catalogue import Report
from gthulhu_lab.errors import GuestError, LabError
from gthulhu_lab.experiment import Variation
from gthulhu_lab.request import GuestResult
from gthulhu_lab.timeline import IDLE, Timeline, Wait
from gthulhu_lab.verify.claims import NEEDED
from gthulhu_lab.verify.facts import Facts, calls_of, class_of, ids_of
from gthulhu_lab.verify.runs import ClassFigures, RecordedRun, ReportedRun, Samples, Waits
from gthulhu_lab.verify.scene import Group, Scene
from gthulhuc import checked
from gthulhuc.reference import KERNEL_THREADS

# Raise one when the same trace, or the same reports, are read in another way.
_FORMAT = 2
_REPORT_FORMAT = 2
OTHERS = "others"  # tasks that are not the block's
NOBODY = "idle"
# CPU time is shown for the longest hundredth of the waits, and for at most this number.
_LONGEST = 100
_TICKS_PER_S = 100  # the unit of CPU times in /proc
# The fields that are read between others: the parent, the session, user and system time, the CPU.
_STAT = re.compile(
    r"^/proc/(\d+)/task/(\d+)/stat:\d+ \((.*)\) (\S) (\d+) \d+ (\d+)"
    r"(?: -?\d+){7} (\d+) (\d+)(?: -?\d+){23} (\d+)",
    re.MULTILINE,
)


class MisplacedError(LabError):
    """A task is not in the rule that it was made for."""


@dataclass(frozen=True, slots=True)
class _Thread:
    pid: int
    tid: int
    name: str
    state: str
    parent: int  # a process
    session: int
    ran_ticks: int
    cpu: int  # where it runs, or has run


def read(scene: Scene, name: str, variation: Variation, result: GuestResult) -> RecordedRun:
    """The figures of a recorded guest. Raises GuestError for incomplete ones, MisplacedError."""
    common = _common(scene, name, variation, result)
    files = result.files
    events = trace.parse(files["scene.trace"].decode(errors="replace"))
    before, after = (_threads(files[f"stat-{when}"]) for when in ("before", "after"))
    line = _with_silent_cpus(timeline.build(events), result.environment.cpus, before, after)
    tasks = _placed(scene, files, before, after)
    tasks.add_forks(events)
    starved = [
        thread
        for thread in before
        if thread.state == "R" and any(t.tid == thread.tid and t.state == "R" for t in after)
    ]
    return RecordedRun(
        **common,
        window_us=line.span.length_us,
        classes=_figures(line, tasks, starved),
        cpu_us=_cpu_us(line, tasks),
    )


def _with_silent_cpus(
    line: Timeline, cpus: int, before: list[_Thread], after: list[_Thread]
) -> Timeline:
    """Adds what ran on CPUs without any event: a task that has the CPU alone, or none."""
    silent = set(range(cpus)) - {run.cpu for run in line.runs}
    seen = {run.task.pid for run in line.runs}
    ran_ticks = {thread.tid: thread.ran_ticks for thread in before}
    least = line.span.length_us * _TICKS_PER_S / 1_000_000 / 2
    alone = {
        thread.cpu: trace.Task(thread.tid, thread.name, 120)
        for thread in after
        if thread.state == "R"
        and thread.tid in ran_ticks.keys() - seen
        and thread.ran_ticks - ran_ticks[thread.tid] > least
    }
    runs = [
        timeline.CpuRun(
            line.span.start_us,
            line.span.end_us,
            alone.get(cpu, trace.Task(IDLE, f"swapper/{cpu}", 120)),
            cpu,
        )
        for cpu in sorted(silent)
    ]
    return replace(line, runs=[*runs, *line.runs])


def habits(policy: checked.Policy, group: Group) -> Iterator[Facts]:
    """The possible facts of a group's tasks, which behave differently; the intended facts first.

    A process that only waits for others is not as interactive as they are, and of the functions
    that the workload calls a task may call any.
    """
    facts = group.facts
    calls = sorted(
        calls_of(policy, group.workload.calls),
        key=lambda each: (each.function, each.within_ns, each.via_softirq),
    )
    some = [frozenset(each) for number in (1, 2) for each in combinations(calls, number)]
    moods = (facts.interactive, not facts.interactive) if calls or facts.interactive else (False,)
    for called in dict.fromkeys((facts.calls, frozenset(calls), *some, frozenset())):
        for interactive in moods:
            yield replace(facts, calls=called, interactive=interactive)


def reading(scene: Scene, *, is_recorded: bool) -> str:
    """A hash of everything outside the guest that decides how its files are read."""
    form = _FORMAT if is_recorded else _REPORT_FORMAT
    ids = ids_of(scene.policy)
    classes = [
        (
            group.class_name,
            *(
                class_of(scene.policy, facts, ids, leader=leader, child=child)
                for facts in habits(scene.policy, group)
                for leader, child in product((True, False), repeat=2)
            ),
        )
        for group in scene.groups
    ]
    return hashlib.sha256(repr((form, classes)).encode()).hexdigest()[:16]


def read_reported(
    scene: Scene, name: str, variation: Variation, result: GuestResult
) -> ReportedRun:
    """Returns the figures of the block's claims as its workloads report them. Raises as `read`."""
    common = _common(scene, name, variation, result)
    files = result.files
    before, after = (_threads(files[f"stat-{when}"]) for when in ("before", "after"))
    _placed(scene, files, before, after)
    return ReportedRun(
        **common,
        figures=dict(_reported(scene, files)),
        operations={
            group.workload.name: len(_values(files, number, Report.TIME))
            for number, group in enumerate(scene.groups)
            if Report.TIME in group.workload.reports
        },
    )


def _reported(scene: Scene, files: Mapping[str, bytes]) -> Iterator[tuple[str, float]]:
    """The figures of workloads that did any work; percentiles only with enough samples."""
    for number, group in enumerate(scene.groups):
        name = group.workload.name
        for kind in group.workload.reports:
            values = _values(files, number, kind)
            if not any(values):
                continue
            yield f"{kind}({name})", statistics.median(values)
            for word, needed in NEEDED.items():
                if kind is Report.TIME and len(values) >= needed:
                    yield f"{word}({kind} {name})", stats.named(word, values)


def _values(files: Mapping[str, bytes], number: int, kind: Report) -> list[float]:
    return [float(line) for line in files.get(f"group-{number}/{kind}", b"").split()]


def _common(scene: Scene, name: str, variation: Variation, result: GuestResult) -> dict[str, Any]:
    """The fields of both kinds of runs. Raises GuestError if anything ended too early."""
    state = result.text("state").strip()
    if result.scheduler and state != "enabled":
        raise GuestError(f"{name} was no longer in force at the end: {state}")
    if ended := result.files.get("ended", b"").decode().split():
        raise GuestError(_ended(scene, result.files, ended))
    return {
        "workload": scene.block.workload,
        "line": scene.line,
        "scheduler": name,
        "in_force": result.scheduler,
        "seed": variation.seed,
        "phase_us": variation.phase_us,
        "environment": result.environment,
        "wall_s": result.wall_s,
    }


def _ended(scene: Scene, files: Mapping[str, bytes], pids: list[str]) -> str:
    for number, group in enumerate(scene.groups):
        if files.get(f"pid-{number}", b"").decode().strip() in pids:
            said = files.get(f"group-{number}.out", b"").decode(errors="replace").strip()
            reason = said or "it printed nothing"
            return f"the workload `{group.workload.name}` ended too early: {reason}"
    return "a workload ended too early"


def _threads(text: bytes) -> list[_Thread]:
    return [
        _Thread(
            int(pid),
            int(tid),
            name,
            state,
            int(parent),
            int(session),
            int(user) + int(system),
            int(cpu),
        )
        for pid, tid, name, state, parent, session, user, system, cpu in _STAT.findall(
            text.decode(errors="replace")
        )
    ]


def _rules(answer: bytes | None) -> dict[int, str]:
    """The class of each task, as the loader reports it. Raises LabError."""
    if answer is None:
        return {}
    said = json.loads(answer)
    if not said.get("ok"):
        raise LabError(f"the loader refused to list the tasks of each rule: {said.get('error')}")
    names = [counters.owner(each["owner"]).name for each in said["classes"]]
    return {task["tid"]: names[task["class"]] for task in said["tasks"]}


def _misplaced(thread: _Thread, group: Group, actual: str, expected: str) -> MisplacedError:
    return MisplacedError(
        f"a task of `{group.workload.name}` ({thread.name}, thread {thread.tid}): expected class "
        f"`{group.class_name}`, found `{actual}` (the reference says `{expected}`)"
    )


def _only_waits(thread: _Thread, threads: list[_Thread]) -> bool:
    """Whether a process sleeps while those that it has started work.

    The kernel may drop the event of its new name, and then its class follows when it runs again.
    """
    return (thread.tid, thread.state) == (thread.session, "S") and any(
        other.session == thread.session and other.pid != thread.pid for other in threads
    )


def _placed(
    scene: Scene,
    files: Mapping[str, bytes],
    before: list[_Thread],
    after: list[_Thread],
) -> _Tasks:
    """The tasks that were seen, each in its class. Raises MisplacedError."""
    tasks = _Tasks(scene, files)
    tasks.add(before, _rules(files.get("rules-before")))
    settled = {(thread.tid, thread.name) for thread in before}
    tasks.add(after, _rules(files.get("rules-after")), settled)
    return tasks


class _Tasks:
    """The class and the scene's group of each task of the trace."""

    def __init__(self, scene: Scene, files: Mapping[str, bytes]) -> None:
        self._policy = scene.policy
        self._ids = ids_of(scene.policy)
        self._sessions = {
            int(files[f"pid-{number}"]): group for number, group in enumerate(scene.groups)
        }
        self._groups: dict[int, Group] = {}
        self._classes: dict[int, str] = {}
        self._names = {group.class_name for group in scene.groups}

    def add(
        self,
        threads: list[_Thread],
        rules: Mapping[int, str],
        settled: Collection[tuple[int, str]] = frozenset(),
    ) -> None:
        """Threads that were seen, and what the scheduler says of them. Raises MisplacedError.

        `settled`: those that were there a while ago, by number and name. One that is new may not
        have its name yet, and the class of one that has just got it follows at its next dispatch.
        """
        processes = {thread.pid: thread for thread in threads}
        for thread in threads:
            group = self._group(thread, processes)
            if group is None:
                self._classes[thread.tid] = rules.get(thread.tid, OTHERS)
                continue
            possible = list(self._possible(group, thread))
            actual = rules.get(thread.tid, possible[0])
            if actual not in possible:
                if (thread.tid, thread.name) in settled and not _only_waits(thread, threads):
                    raise _misplaced(thread, group, actual, possible[0])
                actual = possible[0]
            self._groups[thread.tid] = group
            self._classes[thread.tid] = actual

    def _group(self, thread: _Thread, processes: Mapping[int, _Thread]) -> Group | None:
        """The group of a thread's session; a new session belongs to its parent's group."""
        above: _Thread | None = thread
        while above is not None:
            if (group := self._sessions.get(above.session)) is not None:
                return group
            above = processes.get(above.parent)
        return None

    def _possible(self, group: Group, thread: _Thread) -> Iterator[str]:
        for facts in habits(self._policy, group):
            yield class_of(
                self._policy,
                facts,
                self._ids,
                leader=thread.pid == thread.tid,
                child=self._sessions.get(thread.pid) is not group,
            )

    def add_forks(self, events: Iterable[trace.Event]) -> None:
        """Put tasks that were forked during the trace into their parent's group."""
        for event in events:
            if isinstance(event, trace.Fork) and event.child not in self._classes:
                group = self._groups.get(event.pid)
                if group is None:
                    continue
                self._groups[event.child] = group
                # Its facts are its parent's, or those of a child of it: it is in no other rule.
                self._classes[event.child] = group.class_name

    def measured(self, pid: int) -> str | None:
        """The class of a task of the scene in its intended class; None for other tasks."""
        group = self._groups.get(pid)
        found = self._classes.get(pid)
        return found if group is not None and group.class_name == found else None

    def owner(self, pid: int) -> str:
        """The owner of CPU time: the class of a task of the block, OTHERS or NOBODY."""
        if pid == IDLE:
            return NOBODY
        if (found := self.measured(pid)) is not None:
            return found
        known = self._classes.get(pid, OTHERS)
        return known if known == KERNEL_THREADS else OTHERS

    @property
    def names(self) -> list[str]:
        """The classes of the block."""
        return sorted(self._names)

    def count(self, name: str) -> int:
        """How many tasks were measured as ones of a class."""
        return sum(self.measured(pid) == name for pid in self._groups)


def _figures(line: Timeline, tasks: _Tasks, starved: list[_Thread]) -> dict[str, ClassFigures]:
    waits: dict[str, list[Wait]] = defaultdict(list)
    seen = set()
    for wait in line.waits:
        seen.add(wait.task.pid)
        if (name := tasks.measured(wait.task.pid)) is not None:
            waits[name].append(wait)
    seen |= {run.task.pid for run in line.runs}
    # A task that waited all the time left no event.
    for thread in starved:
        name = tasks.measured(thread.tid)
        if name is not None and thread.tid not in seen:
            task = trace.Task(thread.tid, thread.name, 120)
            span = line.span
            waits[name].append(Wait(span.start_us, span.end_us, task, woken=False, cpu=None))
    cpu_us: Counter[str] = Counter()
    for run in line.runs:
        if (name := tasks.measured(run.task.pid)) is not None:
            cpu_us[name] += run.length_us
    meanwhile = _Meanwhile(line, tasks)
    return {
        name: ClassFigures(
            tasks=tasks.count(name),
            wakeup=meanwhile.waits([wait for wait in waits[name] if wait.woken]),
            wait=meanwhile.waits(waits[name]),
            cpu_us=cpu_us[name],
        )
        for name in tasks.names
    }


def _cpu_us(line: Timeline, tasks: _Tasks) -> dict[str, int]:
    found: Counter[str] = Counter()
    for run in line.runs:
        found[tasks.owner(run.task.pid)] += run.length_us
    return {name: us for name, us in sorted(found.items()) if us}


class _Meanwhile:
    """The CPU time of each class while others waited."""

    def __init__(self, line: Timeline, tasks: _Tasks) -> None:
        self._tasks = tasks
        self._runs: dict[int, list[timeline.CpuRun]] = defaultdict(list)
        for run in line.runs:
            self._runs[run.cpu].append(run)
        self._starts = {cpu: [run.start_us for run in runs] for cpu, runs in self._runs.items()}

    def waits(self, waits: list[Wait]) -> Waits:
        """The waits, and the tasks that ran during the longest."""
        longest = sorted(waits, key=lambda wait: -wait.length_us)
        found: Counter[str] = Counter()
        for wait in longest[: max(1, min(_LONGEST, len(longest) // 100))]:
            for cpu, runs in self._runs.items():
                at = max(0, bisect.bisect_right(self._starts[cpu], wait.start_us) - 1)
                while at < len(runs) and runs[at].start_us < wait.end_us:
                    found[self._tasks.owner(runs[at].task.pid)] += runs[at].common_us(wait)
                    at += 1
        return Waits(
            samples=Samples.of(wait.length_us for wait in waits),
            meanwhile_us={name: us for name, us in sorted(found.items()) if us},
        )
