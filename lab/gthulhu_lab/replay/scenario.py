# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a record's tasks, and what they did, as a scenario of the host model."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gthulhu.record.labels import Facts
from gthulhu.record.reader import Record
from gthulhu_lab.replay import machines
from gthulhu_lab.replay.actions import Course, Replayable
from gthulhu_lab.simulation import costs
from gthulhu_lab.simulation.behaviours import CLONE_THREAD
from gthulhu_lab.simulation.machine import Machine, mask
from gthulhu_lab.simulation.tasks import text

KERNEL = 0x702
MOST_EVENTS = 1_000_000_000
MOST_SHOWN = 50_000_000
"""Switches and wake-ups of a replay."""
_INIT = 1
_WORDS = 13  # of actions in a line


@dataclass(frozen=True, slots=True)
class Counted:
    """Groups of courses that the model counts, by number, between two times of the record."""

    groups: Mapping[int, int]
    begin_ns: int
    end_ns: int


def write(
    record: Record, replayable: Replayable, machine: Machine, counted: Counted | None = None
) -> Iterator[str]:
    """Yields the lines of a scenario, which prints a timeline, or only what is `counted`."""
    yield from (f"0 {line}" for line in costs.lines(machine.costs))
    yield machine_line(machine, 1)
    yield from (f"0 {line}" for line in machine.lines())
    yield f"0 limit {MOST_EVENTS}"
    yield f"0 record {replayable.length_ns}"
    yield f"0 task {_INIT} 0 0 .init ./ 0 0 0 {mask(range(machine.cpus))} 0"
    yield from _timers(replayable)
    groups = _groups(record, replayable)
    for course in replayable.courses:
        yield from _actions(course, machine, groups)
    if counted is not None:
        yield from (f"0 course {each} {group}" for each, group in counted.groups.items())
    here = [each for each in replayable.courses if not each.is_forked]
    yield from _tasks(record, here, machine)
    for each in here:
        if each.task.facts and (group := groups.get(each.task.facts[0].session)):
            yield f"0 session {each.number} {group}"
    yield from _labels(record, here)
    yield "0 start"
    if counted is None:
        yield "0 count"
        yield f"0 show {MOST_SHOWN}"
    yield from (f"0 follow {each.number} {each.number}" for each in here)
    online = sorted(set(range(machine.cpus)) - machine.offline)
    lines = [*_outside(replayable, here, online)]
    end_ns = replayable.length_ns
    if counted is not None:
        lines.append((counted.begin_ns, "count"))
        end_ns = counted.end_ns
    for at_ns, line in sorted(lines, key=lambda each: each[0]):
        if at_ns < end_ns:
            yield f"{at_ns} {line}"
    yield f"{end_ns} figures"


def machine_line(machine: Machine, seed: int) -> str:
    """Returns the line that begins a machine. `seed`: of the model's random delays."""
    return f"0 machine {machine.cpus} {KERNEL} {seed} 50000 25000 {1 << 62}"


def _groups(record: Record, replayable: Replayable) -> Mapping[int, int]:
    """Returns numbers for sessions if the kernel makes them groups, those that compute most first.

    The control has room for so many only; further ones share.
    """
    if not record.info.get("autogroup"):
        return {}
    computed: Counter[int] = Counter()
    for course in replayable.courses:
        for session in {facts.session for facts in course.task.facts} - {0}:
            computed[session] += course.computed_ns
    return {session: number for number, (session, _) in enumerate(computed.most_common(), 1)}


def _timers(replayable: Replayable) -> Iterator[str]:
    for number, timer in enumerate(replayable.timers):
        yield (f"0 timer {number} {timer.first_ns} {timer.period_ns} {timer.mode}")


def _actions(course: Course, machine: Machine, groups: Mapping[int, int]) -> Iterator[str]:
    words = []
    for action in course.actions:
        word = action.word
        if action.kind == "m":
            wanted = int(str(action.value), 16)
            cpus = {cpu for cpu in range(wanted.bit_length()) if wanted >> cpu & 1}
            word = f"m:{mask(machines.usable(cpus, machine))}"
        elif action.kind == "k":
            word = f"k:{groups.get(int(action.value), 0)}"
        words.append(word)
    for begin in range(0, len(words), _WORDS):
        yield f"0 actions {course.number} {' '.join(words[begin : begin + _WORDS])}"
    if course.again is not None:
        yield f"0 again {course.number} {course.again}"
    if course.entries:
        yield f"0 enters {course.number} {max(1, course.counted_ns // course.entries)}"


def _tasks(record: Record, here: Sequence[Course], machine: Machine) -> Iterator[str]:
    """Those that are there when the record begins, after their parents and leaders."""
    by_number = {each.task.number: each for each in here}
    done: set[int] = set()

    def above(each: Course) -> int:
        """The task that comes first: the leader of its process, else its parent."""
        if not each.task.facts:
            return each.task.parent or 0
        facts = each.task.facts[0]
        return facts.process if facts.process != each.task.number else facts.parent

    for each in here:
        line = [each]
        while (number := above(line[-1])) in by_number and by_number[number] not in line:
            line.append(by_number[number])
        for task in reversed(line):
            if task.number not in done:
                done.add(task.number)
                yield _task(record, task, by_number.get(above(task)), machine)


def _task(record: Record, each: Course, maker: Course | None, machine: Machine) -> str:
    if not each.task.facts:
        name = each.task.names[0][1] if each.task.names else b"?"
        return f"0 task {each.number} {_INIT} 0 {text(name)} ./ 0 0 0 {mask(range(machine.cpus))} 0"
    facts = each.task.facts[0]
    is_thread = facts.process != each.task.number and maker is not None
    name = each.task.names[0][1] if each.task.names else facts.name
    cgroup = record.cgroups.get(facts.cgroup, b"/")
    cpus = mask(machines.usable(facts.affinity, machine))
    return (
        f"0 task {each.number} {maker.number if maker else _INIT} {CLONE_THREAD * is_thread} "
        f"{text(name)} {text(cgroup)} {facts.uid} {facts.gid} {facts.nice} {cpus} "
        f"{int(facts.kthread)}"
    )


def _labels(record: Record, here: Sequence[Course]) -> Iterator[str]:
    """Those of containers that have tasks, and those that tasks were given."""
    paths = {PurePosixPath(os.fsdecode(path)) for path in record.cgroups.values()}
    paths |= {above for path in paths for above in path.parents}
    for path, container in record.labels.containers.items():
        if PurePosixPath(path) in paths:
            cgroup = text(os.fsencode(path))
            yield f"0 container {cgroup} {int(container.complete)}"
            for fact in container.facts:
                yield f"0 fact {cgroup} {text(os.fsencode(fact))}"
    sets: dict[Facts, int] = {}
    for each in here:
        facts = record.labels.tasks.get(each.task.number)
        if facts is None:
            continue
        if facts not in sets:
            sets[facts] = len(sets) + 1
            for fact in facts:
                yield f"0 label {sets[facts]} {text(os.fsencode(fact))}"
        yield f"0 labelled {each.number} {sets[facts]}"


def _outside(
    replayable: Replayable, here: Sequence[Course], online: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """The first wake-ups, those by interrupts, and tasks that go before all of sched_ext."""
    for number, each in enumerate(each for each in here if each.runs_first):
        yield number, f"wake {each.number} {online[number % len(online)]} 0"
    for gift in replayable.gifts:
        cpu = online[gift.cpu % len(online)]
        yield max(gift.at_ns, 1), f"give {gift.number} {cpu} {int(gift.is_sync)}"
    for run in replayable.real_time:
        yield run.at_ns, f"rt {online[run.cpu % len(online)]} {run.length_ns}"
