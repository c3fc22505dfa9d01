# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Groups a record's tasks by what a policy can match: the name of a thread, and its cgroup."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median

from gthulhu.record.reader import Record, Task
from gthulhu_lab.replay import figures
from gthulhu_lab.replay.figures import IDLE, QUANTILES, quantile
from gthulhu_lab.suggest.watch import Watch

ROOT = b"/"
_NUMBERED = re.compile(rb"\d+")
_FEWEST_GAPS = 20


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """Tasks that a policy sees as one: `comm`, in which `#` stands for a number, and a cgroup."""

    comm: bytes
    cgroup: bytes = ROOT


KERNEL = Key(b"threads of the kernel", b"")
RECORDER = Key(b"the recorder", b"")
CPU = Key(b"no task: the CPU's own time", b"")
"""Neither of these can be matched, but others wait for them."""
OUTSIDE = frozenset({KERNEL, RECORDER, CPU})


@dataclass(slots=True)
class Group:
    """Tasks with their figures. Times are in ns.

    `names`: of threads, whole. `share`: of all CPUs' time. `waits`: after wake-ups, sorted.
    `burst_ns`: mean CPU time from a wake-up to the next sleep. `period_ns`: the median time from a
    wake-up of a task to its next one; None: too few. `blocked_ns`: of the waits, by the group that
    ran meanwhile. `members`: tasks by their numbers in the record and their begin.
    """

    key: Key
    names: set[bytes] = field(default_factory=set)
    members: set[tuple[int, int | None]] = field(default_factory=set)
    share: float = 0.0
    waits: list[int] = field(default_factory=list)
    burst_ns: float = 0.0
    period_ns: int | None = None
    blocked_ns: Counter[Key] = field(default_factory=Counter)

    @property
    def is_outside(self) -> bool:
        """Whether no rule is for it."""
        return self.key in OUTSIDE

    def wait_ns(self, word: str) -> int | None:
        """Returns a quantile of the waits; None: too few."""
        return quantile(self.waits, QUANTILES[word])

    @property
    def late_ns(self) -> int | None:
        """The longest quantile that there are enough waits for, up to p99."""
        return next((ns for word in ("p99", "p90") if (ns := self.wait_ns(word)) is not None), None)

    @property
    def blamed(self) -> list[tuple[Key, float]]:
        """For whom it waits, each with the part of the waiting time; the largest first."""
        whole = max(1, self.blocked_ns.total())
        return [(key, ns / whole) for key, ns in self.blocked_ns.most_common()]


def of_record(record: Record) -> dict[Key, Group]:
    """Returns the groups of a record. Raises RecordError."""
    tasks = [task for same in record.tasks.values() for task in same]
    numbers = {(task.number, task.begin_ns): number for number, task in enumerate(tasks, 1)}
    watch = Watch()
    figures.count(record, numbers, watch)
    keys = dict(enumerate(keys_of(record, tasks), 1))
    found: dict[Key, Group] = {}
    for number, key in keys.items():
        group = found.setdefault(key, Group(key))
        group.names.add(tasks[number - 1].name)
        group.members.add((tasks[number - 1].number, tasks[number - 1].begin_ns))
    whole_ns = max(1, record.end_ns - record.begin_ns) * cpus_of(record)
    _count(found, watch, keys, whole_ns)
    return found


def cpus_of(record: Record) -> int:
    """Returns the number of CPUs that were online."""
    told = [each for each in record.info.get("cpus", ()) if each.get("online", 1)]
    return len(told) or len(record.cpus) or 1


def _count(
    found: Mapping[Key, Group], watch: Watch, keys: Mapping[int, Key], whole_ns: int
) -> None:
    rounds: Counter[Key] = Counter()
    ran_ns: Counter[Key] = Counter()
    gaps: dict[Key, list[int]] = defaultdict(list)
    for number, key in keys.items():
        task = watch.tasks.get(number)
        if task is None:
            continue
        habits, group = watch.habits[number], found[key]
        ran_ns[key] += task.ran_ns
        # A task that never sleeps computes in one go.
        rounds[key] += max(1, habits.sleeps)
        group.waits += task.woken
        gaps[key] += habits.gaps
        for other, ns in habits.blocked_ns.items():
            group.blocked_ns[CPU if other == IDLE else keys[other]] += ns
    for key, group in found.items():
        group.waits.sort()
        group.share = ran_ns[key] / whole_ns
        group.burst_ns = ran_ns[key] / max(1, rounds[key])
        group.period_ns = round(median(gaps[key])) if len(gaps[key]) >= _FEWEST_GAPS else None


def keys_of(record: Record, tasks: Iterable[Task]) -> Iterable[Key]:
    """Yields the group of each task."""
    # Numbers of pseudonyms tell tasks apart that have nothing in common.
    is_anonymous = bool(record.info.get("anonymised"))
    recorders = {int(number) for number in record.info.get("recorder") or ()}
    for task in tasks:
        facts = task.facts[-1] if task.facts else None
        if facts and facts.kthread:
            yield KERNEL
        elif recorders & {task.number, task.process}:
            yield RECORDER
        else:
            comm = task.name if is_anonymous else family(task.name)
            yield Key(comm, record.cgroups.get(facts.cgroup, ROOT) if facts else ROOT)


def family(name: bytes) -> bytes:
    """Returns a name in which `#` stands for each number."""
    return _NUMBERED.sub(b"#", name)
