# SPDX-License-Identifier: Apache-2.0
"""The intermediate representation: every decision about the scheduler, none about C.

The plan derives it from a checked policy; templates print it. Its JSON form (`--emit ir`) is the
published interface, so a change of meaning here raises SCHEMA. `gthulhuc.irmatch` holds its part
about matching tasks.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from gthulhuc.irmatch import (
    Comparison,
    Condition,
    Decisions,
    Id,
    Names,
    Paths,
    Programs,
    RangeTable,
    RuntimeComparison,
)
from gthulhuc.records import dataclass

SCHEMA = 5


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that the policy came from; `file` is its base name."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class PolicyInfo:
    """The origin of the scheduler and its requirements on the kernel."""

    name: str
    file: str
    sha256: str
    included: tuple[SourceFile, ...]
    compiler: str
    kernel_min: tuple[int, int] | None
    watchdog_ms: int | None


@dataclass(frozen=True, slots=True)
class Tunable:
    """A value that can be set at load and at run time; `unit` is ns, % (in 1/1000), or empty."""

    name: str
    index: int
    default: int
    low: int
    high: int
    unit: str
    line: int


@dataclass(frozen=True, slots=True)
class TunableValue:
    """The value that the tunable with this name has."""

    tunable: str


Value: TypeAlias = int | TunableValue


@dataclass(frozen=True, slots=True)
class CpuGroup:
    """A group whose CPUs only the machine defines: `group` is node, llc, fast or slow.

    For `any`, `of llc` and `of node` the loader chooses `number` CPUs that are near each other. For
    `irq` it follows the CPUs that serve interrupts with such a `name`, a glob; for `not irq`, the
    others.
    """

    group: str
    number: int | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Domain:
    """The tasks that share one queue: those of the classes with the same CPUs.

    `cpus` None means all CPUs that are not exclusive to another domain. With `core`, the siblings
    of its exclusive CPUs serve no other domain either.
    """

    id: str
    cpus: tuple[int, ...] | None
    groups: tuple[CpuGroup, ...]
    exclusive: bool
    core: bool
    rule: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class PreferredCpus:
    """CPUs that a class prefers while one of them is idle."""

    cpus: tuple[int, ...]
    groups: tuple[CpuGroup, ...]


@dataclass(frozen=True, slots=True)
class Preempt:
    """Preemption after `after_ns` of the other's run, for at most `budget_ns` per `period_ns`."""

    after_ns: Value
    budget_ns: Value | None
    period_ns: Value | None


@dataclass(frozen=True, slots=True)
class Share:
    """The part of its CPUs that a class has as a whole, in thousandths; None: no bound.

    `cgroup`: all tasks of the class are in it, or below; None: not known.
    """

    low: int | None
    high: int | None
    cgroup: str | None = None


@dataclass(frozen=True, slots=True)
class TaskClass:
    """The tasks of one rule, of `default`, or the kernel threads that no rule takes.

    `by_name`: names alone decide, so the row of a name says that it is in this class, and the
    condition stands for the reader. `kthreads`: kernel threads too. `inherit`: what its tasks start
    has the comparison `inherited_ID`, and its condition tests it. `monitor`: it takes no task, so
    its actions have no effect.
    """

    id: str
    name: str
    file: str | None
    line: int | None
    condition: Condition | None
    by_name: bool
    kthreads: bool
    inherit: bool
    monitor: bool
    level: str
    lead_ns: int
    weight: Value
    slice_min_ns: Value
    slice_max_ns: Value
    max_wait_ns: Value
    domain: str
    prefer: PreferredCpus | None
    migrate: str
    migrate_return: bool
    preempt: Preempt | None
    numbers: Mapping[str, Value]
    """Values of further actions that are one number per class, of those that are set."""
    preempts: tuple[str, ...]
    """Levels that its waking tasks may preempt, the lowest first."""
    share: Share | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a promise about a class, which is named by its id.

    `bound` is in ns or, for a share, in thousandths of all CPU time. `text` is as in the policy.
    """

    statistic: str
    metric: str | None
    cls: str
    operator: str
    bound: Value
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Promise:
    """Claims that the loader judges on the running machine; `otherwise` is its reaction."""

    rule: str
    window_ns: int
    otherwise: str
    claims: tuple[Claim, ...]
    line: int


@dataclass(frozen=True, slots=True)
class State:
    """A step of a condition, which is in postfix order: `not`, `and`, `or`, or what is asked.

    `power`: the profile is `of`. `battery`: the charge is below `high` thousandths.
    `on-battery`. `pressure`: on the resource `of`, above `low` thousandths over `over_ns`.
    `time`: from minute `low` of the day up to minute `high`.
    """

    asks: str
    of: str
    low: int
    high: int
    over_ns: int


@dataclass(frozen=True, slots=True)
class When:
    """A condition on the machine, which the loader evaluates; `text` is as in the policy."""

    condition: tuple[State, ...]
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Change:
    """The value of a number of a class while a `when`, by its index, holds; None: always.

    If several change one number, the last whose `when` holds decides. `number` is a member of
    TaskClass or of its Preempt, an action of its numbers, or `preempts`: whether it may preempt.
    A budget of None is no budget.
    """

    when: int | None
    cls: str
    number: str
    value: Value | str | None


@dataclass(frozen=True, slots=True)
class Features:
    """The parts of the scheduler; a part that is false is not in the object."""

    comm: bool
    process: bool
    parent: bool
    ancestor: bool
    cgroup: bool
    uid: bool
    gid: bool
    nice: bool
    leader: bool
    kthread: bool
    interactive: bool
    inherit: bool
    monitor: bool
    runtime: bool
    preemption: bool
    preempt_after: bool
    preempt_budget: bool
    hard_cpus: bool
    exclusive: bool
    home: bool
    never: bool
    lazy: bool
    migrate_return: bool
    adaptive_slice: bool
    cgroup_weight: bool
    cgroup_limit: bool
    cgroup_auto: bool


@dataclass(frozen=True, slots=True)
class Ir:
    """One scheduler; its classes are in the order in which they are tried."""

    policy: PolicyInfo
    tunables: tuple[Tunable, ...]
    comparisons: tuple[Comparison, ...]
    names: Names | None
    """The matchers of comm, process, parent and ancestor, which are strings of one kind."""
    cgroups: Paths | None
    """The matchers of cgroup, unit and qos, which follow from a cgroup's path."""
    ranges: tuple[RangeTable, ...]
    ids: tuple[Id, ...]
    runtime: tuple[RuntimeComparison, ...]
    domains: tuple[Domain, ...]
    classes: tuple[TaskClass, ...]
    decisions: Decisions | None
    """The conditions of the classes as a graph, where they are too many to be C."""
    levels: tuple[str, ...]
    """Levels in use, the highest first."""
    features: Features
    promises: tuple[Promise, ...] = ()
    programs: Programs | None = None
    """The matchers of exe and cmdline, which are known from an exec to the next."""
    whens: tuple[When, ...] = ()
    changes: tuple[Change, ...] = ()


def to_json(ir: Ir) -> str:
    """Returns the IR as indented JSON with a final newline; bytes become latin-1 text.

    If a field can have several types, `kind` names the type.
    """
    return json.dumps({"schema": SCHEMA} | _plain(ir), indent=1) + "\n"


_FIELDS: dict[type, tuple[str, ...]] = {}


def _plain(value: Any) -> Any:
    if isinstance(value, (int, str, type(None))):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, dict):
        return {name: _plain(element) for name, element in value.items()}
    if isinstance(value, tuple):
        return [_plain(element) for element in value]
    kind = type(value)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in dataclasses.fields(value))
    return {name: _plain(getattr(value, name)) for name in _FIELDS[kind]}
