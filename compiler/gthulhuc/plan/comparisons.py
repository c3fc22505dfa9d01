# SPDX-License-Identifier: Apache-2.0
"""Decides how the scheduler answers each question of a policy, and builds the tables."""

from __future__ import annotations

from collections.abc import Iterable

from gthulhuc import checked, irmatch
from gthulhuc.fields import LATE, Field
from gthulhuc.irmatch import Form
from gthulhuc.plan.errors import Refusals, too_large
from gthulhuc.plan.ladders import Ladders
from gthulhuc.plan.matchers import NameMatchers, PathMatchers, ProgramMatchers, automaton_of
from gthulhuc.plan.questions import FIRST, NUMBERS, RUNTIME, Question, Questions

MAX_INLINE_RANGES = 2
MAX_RUNTIME_COMPARISONS = 64
MAX_INHERITED = 64

_PATTERN = {
    FIRST: "the number of the first rule",
    "glob": "globs",
    "regex": "regular expressions",
    "is": "paths",
    "under": "paths",
}
_AT_EXEC = (Form.PROGRAM, "read once at exec, and remembered with the process")
_BY_KIND = {
    "exe": _AT_EXEC,
    "cmdline": _AT_EXEC,
    "inherited": (Form.INHERITED, "a bit that a task has from the one that starts it, for life"),
    "interactive": (Form.COUNTED, "the scheduler counts how often a task goes to sleep"),
}
_BY_OPERATOR = {
    "named": (Form.RESOLVED, "a name of the machine's; the loader puts the number in"),
    "has": (Form.FLAG, "the kernel stores it for every task"),
}


class Comparisons:
    """Returns all comparisons of a policy and the matchers that decide them.

    `deciding`: comparisons with literals that alone decide a rule, each with its class.
    """

    def __init__(
        self,
        questions: Questions,
        deciding: Iterable[tuple[checked.Equals, str]],
        ladders: Ladders,
        refusals: Refusals,
    ) -> None:
        of_kind = questions.of_kind
        asked_late = [q for q in questions if q.subjects & RUNTIME]
        self.runtime = refusals.attempt(lambda: _runtime(asked_late)) or ()
        self.ids = _ids([q for q in questions if q.operator == "named"])
        self.ranges = tuple(
            irmatch.RangeTable(q.id, q.ranges)
            for q in questions
            if len(q.ranges) > MAX_INLINE_RANGES
        )
        names = NameMatchers(of_kind("name"), deciding, ladders, refusals)
        paths = PathMatchers(of_kind("cgroup"), of_kind("unit"), of_kind("qos"), ladders, refusals)
        self.names = names.names if of_kind("name") else None
        self.cgroups = paths.paths if paths.places else None
        programs = ProgramMatchers(of_kind("exe"), of_kind("cmdline"), refusals)
        self.programs = programs.programs if programs.places else None
        bits = {asked.fact: (0, asked.index) for asked in self.runtime}
        heirs = of_kind("inherited")
        bits |= refusals.attempt(lambda: _inherited(heirs)) or {}
        places = names.places | paths.places | programs.places | bits
        self.comparisons = tuple(_comparison(question, places) for question in questions)


def _comparison(question: Question, places: dict[str, tuple[int, int]]) -> irmatch.Comparison:
    form, why = _form(question)
    word, bit = places.get(question.id, (None, None))
    values = tuple(value.decode("latin-1") for value in question.values)
    if question.ranges:
        values = tuple(f"{a}..{b}" for a, b in question.ranges)
    return irmatch.Comparison(
        id=question.id,
        form=form,
        why=why,
        word=word,
        bit=bit,
        operator=question.operator,
        values=values,
        text=question.text,
        line=question.span.line,
    )


def _form(question: Question) -> tuple[Form, str]:
    """The form in which a question is answered, and the reason."""
    if question.calls:
        return Form.RUNTIME, "a program at the function's entry notes when a task came by"
    if question.subjects & RUNTIME:
        return Form.RUNTIME, "the kernel does not know it; the runtime sets the task's bit"
    simple = _BY_KIND.get(question.kind) or _BY_OPERATOR.get(question.operator)
    if simple is not None:
        return simple
    if question.subjects & NUMBERS:
        if len(question.ranges) > MAX_INLINE_RANGES:
            return Form.RANGE, "a number of the task, looked for in sorted ranges"
        return Form.RANGE, "a number of the task, compared where it is asked for"
    if question.kind == "name":
        if question.operator == "is":
            number = len(question.values)
            return Form.TABLE, f"literals ({number}): all of the policy's in one look-up"
        kind = _PATTERN[question.operator]
        return Form.AUTOMATON, f"{kind}: one pass over at most 15 bytes for all of the policy's"
    return Form.CGROUP, "a path never changes: it is read once per cgroup, and remembered with it"


def _runtime(questions: list[Question]) -> tuple[irmatch.RuntimeComparison, ...]:
    if len(questions) > MAX_RUNTIME_COMPARISONS:
        raise too_large(
            f"more than {MAX_RUNTIME_COMPARISONS} comparisons that only the runtime can resolve",
            questions[MAX_RUNTIME_COMPARISONS].span,
            "put their values into one list",
        )
    return tuple(
        irmatch.RuntimeComparison(
            fact=question.id,
            index=index,
            subject=question.kind,
            key=None if question.key is None else question.key.decode("latin-1"),
            operator=question.operator,
            values=tuple(value.decode("latin-1") for value in question.values),
            function=question.calls.function if question.calls else None,
            within_ns=question.calls.within_ns if question.calls else None,
            via_softirq=bool(question.calls and question.calls.via_softirq),
            late=bool(question.subjects & LATE),
            automaton=automaton_of(question) if question.operator in {"glob", "regex"} else None,
        )
        for index, question in enumerate(questions)
    )


def _inherited(questions: list[Question]) -> dict[str, tuple[int, int]]:
    if len(questions) > MAX_INHERITED:
        raise too_large(
            f"more than {MAX_INHERITED} rules with `inherit`",
            questions[MAX_INHERITED].span,
            "merge rules with the same actions",
        )
    return {question.id: (0, bit) for bit, question in enumerate(questions)}


def _ids(questions: list[Question]) -> tuple[irmatch.Id, ...]:
    wanted = [(question, name) for question in questions for name in question.values]
    return tuple(
        irmatch.Id(
            fact=question.id,
            index=index,
            database="passwd" if Field.UID in question.subjects else "group",
            name=name.decode("latin-1"),
        )
        for index, (question, name) in enumerate(wanted)
    )
