# SPDX-License-Identifier: Apache-2.0
"""The part of the IR that defines which tasks a class takes, and how to find out."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from gthulhuc.records import dataclass


class Form(StrEnum):
    """How the scheduler answers a comparison."""

    TABLE = "table"
    """A perfect-hash table of names, read once when a name is new."""
    AUTOMATON = "automaton"
    """A table that reads the bytes of a name."""
    CGROUP = "per-cgroup"
    """An automaton over a cgroup's path, run once per cgroup; the cgroup keeps the result."""
    PROGRAM = "per-program"
    """An automaton over a program's path or arguments, run once at exec; the process keeps the
    result."""
    RANGE = "range"
    """Comparisons of a number."""
    FLAG = "flag"
    """A bit or a pointer that the kernel keeps for the task."""
    COUNTED = "counted"
    """Recent behaviour of the task, which the scheduler itself counts."""
    INHERITED = "inherited"
    """A bit that the task inherits from the task that started it."""
    RUNTIME = "runtime fact"
    """A bit of the task that the runtime sets."""
    RESOLVED = "resolved at load"
    """A number that the loader looks up for a name."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of a task's fact, listed once for all rules that ask it.

    `word` and `bit`: where the answer is, among the words of its kind; None where no word holds
    it. `why`: of the form, for a reader. `text` and `line`: where it is asked first.
    """

    id: str
    form: Form
    why: str
    word: int | None
    bit: int | None
    operator: str
    values: tuple[str, ...]
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Test:
    """A test that a comparison is known to hold, or known not to hold."""

    subject: str
    fact: str
    holds: bool
    kind: Literal["Test"] = "Test"


@dataclass(frozen=True, slots=True)
class All:
    operands: tuple[Condition, ...]
    kind: Literal["All"] = "All"


@dataclass(frozen=True, slots=True)
class AnyOf:
    operands: tuple[Condition, ...]
    kind: Literal["AnyOf"] = "AnyOf"


Condition: TypeAlias = Test | All | AnyOf
"""In negation normal form: `not` has been pushed down to the tests (Kleene's three-valued logic,
where a rule takes a task when its predicate is known to be true)."""


@dataclass(frozen=True, slots=True)
class Between:
    """Asks whether a number of the task lies between two, both included."""

    subject: str
    low: int
    high: int
    kind: Literal["Between"] = "Between"


@dataclass(frozen=True, slots=True)
class NamedId:
    """Asks whether a number of the task is the one that the loader found for a name."""

    subject: str
    id: int
    kind: Literal["NamedId"] = "NamedId"


@dataclass(frozen=True, slots=True)
class Earlier:
    """Asks whether names alone decide a class before this one."""

    class_id: str
    kind: Literal["Earlier"] = "Earlier"


@dataclass(frozen=True, slots=True)
class Counts:
    """Asks nothing: a rule with `monitor` counts the task."""

    class_id: str
    kind: Literal["Counts"] = "Counts"


Ask: TypeAlias = Test | Between | NamedId | Earlier | Counts
"""In a step, a test without a comparison is about a flag that is its subject."""
Target: TypeAlias = int | str
"""The number of a step, or the id of a class; an empty one is what names alone decide."""


@dataclass(frozen=True, slots=True)
class Step:
    """A question, and where its answers lead."""

    ask: Ask
    yes: Target
    no: Target


@dataclass(frozen=True, slots=True)
class Decisions:
    """The conditions of a large policy as a graph; `longest` are the most steps for a task."""

    start: Target
    steps: tuple[Step, ...]
    longest: int


@dataclass(frozen=True, slots=True)
class Automaton:
    """An automaton: one pass over a string decides all of its comparisons.

    The next state is `next_state[state * nr_columns + column[byte]]`, 0 is the first;
    `accepts[state]` are indices into `comparisons`. `marker`: index of the accept that says that
    the string is one of those that the comparisons are about (a unit's name, a pod's path), if
    there is one.
    """

    comparisons: tuple[str, ...]
    marker: int | None
    column: tuple[int, ...]
    nr_columns: int
    next_state: tuple[int, ...]
    accepts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Hash:
    """A perfect hash of 16 bytes, as two little-endian words.

    h = (word0 * multipliers[0] + word1) * multipliers[1] mod 2^64; the bucket are the highest
    `bucket_bits` of h, the slot is the next `slot_bits` exclusive-or displacements[bucket].
    """

    multipliers: tuple[int, int]
    bucket_bits: int
    slot_bits: int
    displacements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NameEntry:
    """A literal of the policy: its slot in the table, and its row."""

    name: str
    slot: int
    row: int


@dataclass(frozen=True, slots=True)
class FirstRule:
    """The first class, of those that names alone decide, that takes a task by this field."""

    subject: str
    class_id: str


@dataclass(frozen=True, slots=True)
class NameRow:
    """A row of a name: the comparisons that hold, and the rules that it decides."""

    comparisons: tuple[str, ...]
    first: tuple[FirstRule, ...]


@dataclass(frozen=True, slots=True)
class NameTable:
    """The literals of names. Row 0 belongs to all other names; no comparison holds there."""

    hash: Hash
    entries: tuple[NameEntry, ...]
    rows: tuple[NameRow, ...]
    nr_words: int


@dataclass(frozen=True, slots=True)
class Names:
    """Matchers of thread names. `first`: fields by which a name alone decides a rule.

    The comparisons of ancestors are in the first `ancestor_words` words of the table.
    """

    table: NameTable | None
    automata: tuple[Automaton, ...]
    first: tuple[str, ...]
    ancestor_words: int


@dataclass(frozen=True, slots=True)
class Paths:
    """Matchers of cgroup paths. A comparison's word counts through `paths`, `units` and `pods`.

    `paths` read the whole path; `units` each component of it, the last that has the marker
    counts; `pods` the path too, and what they say where the marker was seen last counts.
    """

    paths: tuple[Automaton, ...]
    units: tuple[Automaton, ...]
    pods: tuple[Automaton, ...]


@dataclass(frozen=True, slots=True)
class Programs:
    """Matchers of programs. A comparison's word counts through `paths` and `arguments`.

    `paths` read the path of the program's file, `arguments` each argument. `numbered` are
    comparisons with one argument alone, and the number of it.
    """

    paths: tuple[Automaton, ...]
    arguments: tuple[Automaton, ...]
    numbered: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class RangeTable:
    """The ranges of one comparison of a number, ascending, ends included."""

    fact: str
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Id:
    """A user or group whose number the loader looks up."""

    fact: str
    index: int
    database: str
    name: str


@dataclass(frozen=True, slots=True)
class RuntimeComparison:
    """A bit that the runtime sets: known to be true, or known to be false.

    `subject` is label (of `key`), namespace, pod, container or calls. `late`: not known at first;
    otherwise it is false until it is said to be true. `automaton`: of patterns, which the runtime
    steps through the text.
    """

    fact: str
    index: int
    subject: str
    key: str | None
    operator: str
    values: tuple[str, ...]
    function: str | None
    within_ns: int | None
    via_softirq: bool
    late: bool
    automaton: Automaton | None
