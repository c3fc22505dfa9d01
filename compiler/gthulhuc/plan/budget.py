# SPDX-License-Identifier: Apache-2.0
"""How much of a scheduler's room a policy needs, and how much there is.

The kernel's limits are 512 bytes of stack for all nested functions together, and a million
instructions that the verifier looks at. A program that runs with interrupts off should not take
long either. tests/vm/test_limits.py loads policies near the limits below.
"""

from __future__ import annotations

from gthulhuc import ir
from gthulhuc.diagnostics import Collector, Diagnostic
from gthulhuc.diagnostics.codes import TOO_MANY_STEPS, TOO_MUCH_STACK, TOO_MUCH_TABLE, Code
from gthulhuc.irmatch import Automaton, Names
from gthulhuc.records import dataclass
from gthulhuc.source import Span

MOST_STEPS = 1 << 15
"""Some 5 ns each: a task is classified in 0.2 ms at most."""
MOST_TABLE_BYTES = 64 << 20
MOST_STACK_BYTES = 256
"""For the comparisons of names and paths; the rest of the 512 bytes is for the scheduler."""
_STEP_BYTES = 40
_SLOT_BYTES = 24


@dataclass(frozen=True, slots=True)
class Need:
    """One resource: what a policy uses of what there is, and the code of the error beyond that."""

    name: str
    used: int
    most: int
    code: Code
    hint: str

    @property
    def text(self) -> str:
        """The figure for a reader."""
        if self.most >= 1 << 20:
            return f"{self.used / (1 << 20):.1f} of {self.most >> 20} MB of {self.name}"
        return f"{self.used} of {self.most} {self.name}"


def needs(scheduler: ir.Ir) -> tuple[Need, ...]:
    """Returns what the scheduler of a policy needs."""
    return (
        Need(
            "steps to classify a task",
            scheduler.decisions.longest if scheduler.decisions else 0,
            MOST_STEPS,
            TOO_MANY_STEPS,
            "compare names in one list (`comm in [..]`): a list is a single step",
        ),
        Need(
            "tables",
            _table_bytes(scheduler),
            MOST_TABLE_BYTES,
            TOO_MUCH_TABLE,
            "let names alone decide most rules: they need no column in the table",
        ),
        Need(
            "bytes of stack",
            _stack_bytes(scheduler),
            MOST_STACK_BYTES,
            TOO_MUCH_STACK,
            "put patterns that belong together into one list, or match exact names",
        ),
    )


def excess(scheduler: ir.Ir, span: Span) -> list[Diagnostic]:
    """Returns an error for each resource of which a policy needs too much."""
    report = Collector()
    for need in needs(scheduler):
        if need.used > need.most:
            message = f"the policy needs too much: {need.text}"
            report.error(need.code, message, span, hint=need.hint)
    return report.sorted()


def _automata(scheduler: ir.Ir) -> list[Automaton]:
    names = scheduler.names.automata if scheduler.names else ()
    paths = scheduler.cgroups
    return [*names, *((*paths.paths, *paths.units, *paths.pods) if paths else ())]


def _table_bytes(scheduler: ir.Ir) -> int:
    automata = _automata(scheduler)
    if programs := scheduler.programs:
        automata += [*programs.paths, *programs.arguments]
    total = sum(256 + 2 * len(each.next_state) + 8 * len(each.accepts) for each in automata)
    total += _name_bytes(scheduler.names) if scheduler.names else 0
    total += sum(16 * len(table.ranges) for table in scheduler.ranges)
    return total + _STEP_BYTES * (len(scheduler.decisions.steps) if scheduler.decisions else 0)


def _name_bytes(names: Names) -> int:
    if names.table is None:
        return 0
    row = 8 * names.table.nr_words + 4 * len(names.first)
    slots = _SLOT_BYTES << names.table.hash.slot_bits
    return row * len(names.table.rows) + slots + 2 * len(names.table.hash.displacements)


def _stack_bytes(scheduler: ir.Ir) -> int:
    """The facts of a cgroup, and the reading of its path or the words of a task's names.

    A table of paths takes 8 and 20 bytes, a word of a name 8. The frames of `dispatch`,
    `check_class` and `reclassify` are above these.
    """
    words = len(scheduler.names.automata) if scheduler.names else 0
    names = scheduler.features.comm + scheduler.features.process
    paths = scheduler.cgroups
    automata = len(_automata(scheduler)) - words if paths else 0
    return 8 * automata + max(20 * automata, 8 * (words + 1) * names)
