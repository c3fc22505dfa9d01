# SPDX-License-Identifier: Apache-2.0
"""The intermediate representation: every decision about the scheduler, none about C.

The plan derives it from a checked policy; templates print it. Its JSON form (`--emit ir`) is the
published interface, so a change of meaning here raises SCHEMA.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any, TypeAlias

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class PolicyInfo:
    """Where the scheduler comes from and what it asks of the kernel."""

    name: str
    file: str
    sha256: str
    compiler: str
    kernel_min: tuple[int, int] | None
    watchdog_ms: int | None


@dataclass(frozen=True, slots=True)
class Automaton:
    """Facts that one pass over a string decides: bit i of `accepts[state]` is `facts[i]`."""

    facts: tuple[str, ...]
    patterns: tuple[str, ...]
    column: tuple[int, ...]
    nr_columns: int
    next_state: tuple[int, ...]
    accepts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Matcher:
    """How one kind of string is matched: its facts are bits, in the order of `facts`.

    `entries` are the literals, sorted by the little-endian number that their 16 bytes are (high
    half first), each with the facts it makes true; for cgroups there are none, their literals are
    part of the automaton.
    """

    facts: tuple[str, ...]
    entries: tuple[tuple[bytes, int], ...]
    automaton: Automaton | None


@dataclass(frozen=True, slots=True)
class Test:
    """A fact about one string of a task: `subject` is comm, process or cgroup."""

    subject: str
    fact: str
    text: str


@dataclass(frozen=True, slots=True)
class Not:
    operand: Condition


@dataclass(frozen=True, slots=True)
class All:
    operands: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    operands: tuple[Condition, ...]


Condition: TypeAlias = Test | Not | All | AnyOf


@dataclass(frozen=True, slots=True)
class Domain:
    """Tasks that share one queue: those of the classes with the same CPUs.

    `cpus` None: all CPUs that are not exclusive to another domain. `express`: it has a second
    queue, for tasks that interrupt.
    """

    id: str
    cpus: tuple[int, ...] | None
    exclusive: bool
    express: bool
    rule: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class TaskClass:
    """The tasks of one rule, of `default`, or the kernel threads that no rule takes."""

    id: str
    name: str
    line: int | None
    condition: Condition | None
    level: str
    lead_ns: int
    weight: int
    slice_min_ns: int
    slice_max_ns: int
    domain: str
    migrate: str
    migrate_return: bool
    preempts: tuple[str, ...]
    """Levels that its waking tasks may interrupt, the lowest first."""


@dataclass(frozen=True, slots=True)
class Features:
    """What the scheduler has to hold; what is false here is not in the object."""

    comm: bool
    process: bool
    cgroup: bool
    express: bool
    hard_cpus: bool
    exclusive: bool
    home: bool
    never: bool
    lazy: bool
    migrate_return: bool
    adaptive_slice: bool


@dataclass(frozen=True, slots=True)
class Ir:
    """One scheduler. Classes stand in the order in which they are tried."""

    policy: PolicyInfo
    names: Matcher | None
    """comm and process, which are strings of one kind."""
    cgroups: Matcher | None
    domains: tuple[Domain, ...]
    classes: tuple[TaskClass, ...]
    levels: tuple[str, ...]
    """Levels in use, the highest first."""
    features: Features


def to_json(ir: Ir) -> str:
    """The IR as indented JSON, with a final newline; byte strings become latin-1 text."""
    return json.dumps({"schema": SCHEMA} | _plain(ir), indent=2) + "\n"


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        kind = {"kind": type(value).__name__} if isinstance(value, (Test, Not, All, AnyOf)) else {}
        return kind | {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(element) for element in value]
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, (Enum, IntEnum)):
        return value.value
    return value
