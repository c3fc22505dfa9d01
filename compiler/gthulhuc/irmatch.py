# SPDX-License-Identifier: Apache-2.0
"""The part of the IR that says which tasks a class takes, and how that is found out."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from gthulhuc.records import dataclass


class Form(StrEnum):
    """How a question about a task is answered."""

    TABLE = "table"
    """A perfect-hash table of names, read once when a name is new."""
    AUTOMATON = "automaton"
    """A table that is stepped through the bytes of a name."""
    CGROUP = "per-cgroup"
    """An automaton over the path of a cgroup, run once per cgroup and remembered with it."""
    RANGE = "range"
    """Comparisons of a number."""
    FLAG = "flag"
    """A bit or a pointer of the kernel's own about the task."""
    COUNTED = "counted"
    """What the task has done of late, which the scheduler itself counts."""
    INHERITED = "inherited"
    """A bit of the task, which it has from the task that started it."""
    RUNTIME = "runtime fact"
    """Only the runtime can answer: it sets a bit of the task."""
    RESOLVED = "resolved at load"
    """A number that the loader puts in for a name."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A question about a task, which is there once however many rules ask it.

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
    """A fact about a field of a task that has to be known to hold, or known not to hold."""

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
class Automaton:
    """Facts that one pass over a string decides.

    The next state is `next_state[state * nr_columns + column[byte]]`, 0 is the first;
    `accepts[state]` are indices into `facts`. `marker`: index of the accept that says that the
    string is one of those that the facts are about (a unit's name, a pod's path), if there is one.
    """

    facts: tuple[str, ...]
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
    """What a name tells: which facts hold, and which rules it decides."""

    facts: tuple[str, ...]
    first: tuple[FirstRule, ...]


@dataclass(frozen=True, slots=True)
class NameTable:
    """Literals of names. Row 0 is that of every other name, where nothing holds."""

    hash: Hash
    entries: tuple[NameEntry, ...]
    rows: tuple[NameRow, ...]
    nr_words: int


@dataclass(frozen=True, slots=True)
class Names:
    """Matchers of thread names. `first`: fields by which a name alone decides a rule.

    The facts that are asked about ancestors are in the first `ancestor_words` of the table.
    """

    table: NameTable | None
    automata: tuple[Automaton, ...]
    first: tuple[str, ...]
    ancestor_words: int


@dataclass(frozen=True, slots=True)
class Paths:
    """Matchers of cgroup paths. A fact's word counts through `paths`, `units` and `pods`.

    `paths` read the whole path; `units` each component of it, the last that has the marker
    counts; `pods` the path too, and what they say where the marker was seen last counts.
    """

    paths: tuple[Automaton, ...]
    units: tuple[Automaton, ...]
    pods: tuple[Automaton, ...]


@dataclass(frozen=True, slots=True)
class RangeTable:
    """The ranges of one fact about a number, ends included, ascending."""

    fact: str
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Id:
    """A user or group whose number is looked up when the policy is loaded."""

    fact: str
    index: int
    database: str
    name: str


@dataclass(frozen=True, slots=True)
class RuntimeFact:
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
