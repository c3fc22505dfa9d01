# SPDX-License-Identifier: Apache-2.0
"""What a policy asks about a task, each question once, and the tables that answer it."""

from __future__ import annotations

from gthulhuc import checked, ir
from gthulhuc.plan import dfa
from gthulhuc.source import Span

MAX_FACTS = 64
"""Facts of one kind of string: they are the bits of a u64 in the kernel."""

Question = tuple[str, tuple[bytes, ...]]
"""Operator (`is`, `glob`, `under`) and operands."""


class TooManyFactsError(Exception):
    """More different questions about one kind of string than there is room for."""


class Facts:
    """Collects questions while conditions are built; then makes the matchers.

    `comm` and `process` are both thread names, so a question about one is the same fact as the
    same question about the other.
    """

    def __init__(self) -> None:
        self.subjects: set[str] = set()
        self._questions: dict[str, dict[Question, str]] = {"name": {}, "cgroup": {}}

    def condition(self, predicate: checked.Predicate) -> ir.Condition:
        """The predicate over facts, which are noted for the matchers."""
        match predicate:
            case checked.Not(operand=operand):
                return ir.Not(self.condition(operand))
            case checked.And(operands=operands):
                return ir.All(tuple(self.condition(operand) for operand in operands))
            case checked.Or(operands=operands):
                return ir.AnyOf(tuple(self.condition(operand) for operand in operands))
            case checked.Equals(field=field, values=values):
                return self._test(field, ("is", tuple(sorted(values))), predicate.span)
            case checked.Glob(field=field, patterns=patterns):
                return self._test(field, ("glob", tuple(sorted(patterns))), predicate.span)
            case checked.Under(path=path):
                return self._test(checked.Field.CGROUP, ("under", (path,)), predicate.span)

    def _test(self, field: checked.Field, question: Question, span: Span) -> ir.Test:
        self.subjects.add(field.value)
        kind = "cgroup" if field is checked.Field.CGROUP else "name"
        known = self._questions[kind]
        if question not in known:
            if len(known) == MAX_FACTS:
                raise TooManyFactsError(kind)
            known[question] = f"{kind}_{len(known)}"
        return ir.Test(subject=field.value, fact=known[question], text=" ".join(span.text.split()))

    def names(self) -> ir.Matcher | None:
        """Matcher of thread names: literals by look-up, globs by automaton."""
        questions = self._questions["name"]
        if not questions:
            return None
        entries: dict[bytes, int] = {}
        for bit, (operator, values) in enumerate(questions):
            if operator == "is":
                for value in values:
                    entries[value] = entries.get(value, 0) | 1 << bit
        globs = [question for question in questions if question[0] == "glob"]
        return ir.Matcher(
            facts=tuple(questions.values()),
            entries=tuple(sorted(entries.items(), key=lambda entry: name_key(entry[0]))),
            automaton=self._automaton("name", globs),
        )

    def cgroups(self) -> ir.Matcher | None:
        """Matcher of cgroup paths: one automaton, since a path is read once per cgroup."""
        questions = self._questions["cgroup"]
        if not questions:
            return None
        return ir.Matcher(
            facts=tuple(questions.values()),
            entries=(),
            automaton=self._automaton("cgroup", list(questions)),
        )

    def _automaton(self, kind: str, questions: list[Question]) -> ir.Automaton | None:
        if not questions:
            return None
        automaton = dfa.build([_patterns(question) for question in questions])
        known = self._questions[kind]
        return ir.Automaton(
            facts=tuple(known[question] for question in questions),
            patterns=tuple(
                f"{operator} {' '.join(value.decode('latin-1') for value in values)}"
                for operator, values in questions
            ),
            column=automaton.column,
            nr_columns=automaton.nr_columns,
            next_state=automaton.next_state,
            accepts=automaton.accepts,
        )


def name_key(name: bytes) -> tuple[int, int]:
    """Order of the look-up table: the two little-endian words of the name, zero padded."""
    padded = name.ljust(16, b"\0")
    return int.from_bytes(padded[:8], "little"), int.from_bytes(padded[8:], "little")


def _patterns(question: Question) -> tuple[dfa.Pattern, ...]:
    operator, values = question
    if operator == "is":
        return tuple(dfa.literal(value) for value in values)
    if operator == "glob":
        return tuple(dfa.glob(value) for value in values)
    root = values[0] if values[0] != b"/" else b""
    below = (*dfa.literal(root + b"/"), dfa.STAR)
    return (dfa.literal(root), below)
