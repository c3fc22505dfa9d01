# SPDX-License-Identifier: Apache-2.0
"""Collects a policy's questions about tasks, each once, and converts predicates to conditions.

A condition is a predicate with `not` pushed down to its questions, so that three-valued logic
needs no third value: a rule takes a task whose condition is known to be true, and an open question
is neither known to hold nor known not to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gthulhuc import checked
from gthulhuc.fields import LATE, Field, Kind, of_kind
from gthulhuc.irmatch import All, AnyOf, Condition, Test
from gthulhuc.plan.ladders import Ladder
from gthulhuc.source import Span

NAMES = of_kind(Kind.NAME)
NUMBERS = of_kind(Kind.ID, Kind.NUMBER)
RUNTIME = LATE | {Field.CALLS}

FIRST = "first"
"""The operator of a bit of the number of the first rule that a pattern decides."""
_MAX_TEXT = 160


@dataclass(slots=True)
class Question:
    """One question.

    `subjects`: the fields about which it is asked; `needs_word`: a condition tests it, so its
    answer needs a place.
    """

    id: str
    kind: str
    operator: str
    values: tuple[bytes, ...]
    ranges: tuple[tuple[int, int], ...]
    calls: checked.Calls | None
    key: bytes | None
    span: Span
    subjects: set[Field] = field(default_factory=set)
    needs_word: bool = False

    @property
    def text(self) -> str:
        """The question's source text, on one line, truncated if it is long."""
        if self.operator == FIRST:
            return "a bit of the number of the first rule that a pattern decides, from here on"
        start, end = self.span.start, self.span.end
        text = " ".join(self.span.source.text[start : min(end, start + 4 * _MAX_TEXT)].split())
        return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 3] + "..."


_Key = tuple[str, str, tuple[bytes, ...], tuple[tuple[int, int], ...], object]


class Questions:
    """All questions of a policy, in the order of their first use."""

    def __init__(self) -> None:
        self._known: dict[_Key, Question] = {}
        self._numbers: dict[str, int] = {}
        self._subjects: set[Field] = set()

    def __iter__(self) -> Iterator[Question]:
        return iter(self._known.values())

    def of_kind(self, kind: str) -> list[Question]:
        """Returns the questions of one kind: name, cgroup, unit, qos, uid, gid, nice, ..."""
        return [question for question in self if question.kind == kind]

    def asked_about(self, *subjects: Field) -> bool:
        """Whether there is a question about any of these fields."""
        return not self._subjects.isdisjoint(subjects)

    def condition(
        self, predicate: checked.Predicate, *, by_name: bool = False, holds: bool = True
    ) -> Condition:
        """Returns the condition of a predicate (negated unless `holds`); adds its questions.

        `by_name`: the condition is only shown, not evaluated.
        """
        match predicate:
            case checked.Not(operand=operand):
                return self.condition(operand, by_name=by_name, holds=not holds)
            case checked.And(operands=operands) | checked.Or(operands=operands):
                parts = tuple(
                    self.condition(operand, by_name=by_name, holds=holds) for operand in operands
                )
                both = isinstance(predicate, checked.And) == holds
                return All(parts) if both else AnyOf(parts)
        question, subject = self._ask(predicate)
        question.needs_word |= not by_name
        self._add_subject(question, subject)
        return Test(subject.value, question.id, holds)

    def first_of(self, ladder: Ladder) -> None:
        """Adds the bits of the number that a ladder's table gives."""
        span = ladder.patterns[0].span
        for fact in ladder.automaton.comparisons:
            kind = fact.partition("_first_")[0]
            question = Question(fact, kind, FIRST, (), (), None, None, span)
            self._add_subject(question, ladder.field)
            self._known[(kind, fact, (), (), None)] = question

    def inherited(self, class_id: str, span: Span) -> Test:
        """Returns the question whether a task of a class started this one, even indirectly."""
        kind = "inherited"
        question = Question(f"{kind}_{class_id}", kind, "has", (), (), None, None, span)
        self._known[(kind, class_id, (), (), None)] = question
        return Test(kind, question.id, True)

    def _add_subject(self, question: Question, subject: Field) -> None:
        question.subjects.add(subject)
        self._subjects.add(subject)

    def _ask(self, predicate: checked.Predicate) -> tuple[Question, Field]:
        match predicate:
            case checked.Equals(subject=subject, values=values):
                return self._note(subject, "is", tuple(sorted(values)), predicate.span)
            case checked.Glob(subject=subject, patterns=patterns):
                return self._note(subject, "glob", tuple(sorted(patterns)), predicate.span)
            case checked.Regex(subject=subject, pattern=pattern):
                return self._note(subject, "regex", (pattern,), predicate.span)
            case checked.Under(subject=subject, paths=paths):
                return self._note(subject, "under", tuple(sorted(paths)), predicate.span)
            case checked.Has(subject=subject):
                return self._note(subject, "has", (), predicate.span)
            case checked.InRanges(subject=subject, ranges=ranges):
                return self._note(subject, "ranges", (), predicate.span, ranges=ranges)
            case checked.IdNamed(subject=subject, names=names):
                return self._note(subject, "named", tuple(sorted(names)), predicate.span)
            case checked.Calls():
                subject = checked.Subject(Field.CALLS)
                return self._note(subject, "calls", (), predicate.span, calls=predicate)
        raise TypeError(predicate)

    def _note(
        self,
        subject: checked.Subject,
        operator: str,
        values: tuple[bytes, ...],
        span: Span,
        *,
        ranges: tuple[tuple[int, int], ...] = (),
        calls: checked.Calls | None = None,
    ) -> tuple[Question, Field]:
        kind = "name" if subject.field in NAMES else subject.field.value
        rest = (calls.function, calls.within_ns, calls.via_softirq) if calls else subject.key
        key = (kind, operator, values, ranges, rest)
        question = self._known.get(key)
        if question is None:
            number = self._numbers.get(kind, 0)
            self._numbers[kind] = number + 1
            question = Question(
                f"{kind}_{number}", kind, operator, values, ranges, calls, subject.key, span
            )
            self._known[key] = question
        return question, subject.field


def literals(predicate: checked.Predicate) -> tuple[checked.Equals, ...] | None:
    """Returns the comparisons of a predicate that only lists names; None for any other."""
    match predicate:
        case checked.Equals(subject=subject) if subject.field in NAMES:
            return (predicate,)
        case checked.Or(operands=operands):
            parts = [literals(operand) for operand in operands]
            found = [part for part in parts if part is not None]
            return sum(found, ()) if len(found) == len(parts) else None
    return None
