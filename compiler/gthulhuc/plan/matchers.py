# SPDX-License-Identifier: Apache-2.0
"""Builds the tables that answer questions about strings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gthulhuc import checked, irmatch
from gthulhuc.fields import Field
from gthulhuc.plan import dfa, hashing, kubernetes, patterns
from gthulhuc.plan.errors import PlanError, Refusals, too_large
from gthulhuc.plan.ladders import Ladder, Ladders
from gthulhuc.plan.questions import Question
from gthulhuc.regexes import Regex
from gthulhuc.source import Span

WORD_BITS = 64
AUTOMATON_COMPARISONS = 63
"""The most comparisons of one automaton; one more bit of the word marks it as computed."""
MAX_AUTOMATA = 8
MAX_PROGRAM_AUTOMATA = 3
"""Beside the names of a path, which take half of the stack."""
MAX_ANCESTOR_WORDS = 4
_MAX_CELLS_TOGETHER = 1 << 16

Place = tuple[int, int]
"""The word and bit of a comparison."""


class NameMatchers:
    """Returns the table and the automata for names, and the location of each comparison.

    `deciding` are the comparisons by which names alone decide a rule, each with its class, in the
    order of the rules.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        deciding: Iterable[tuple[checked.Equals, str]],
        ladders: Ladders,
        refusals: Refusals,
    ) -> None:
        # Questions about ancestors come first, because every task keeps their words.
        ordered = sorted(questions, key=lambda question: Field.ANCESTOR not in question.subjects)
        tested = [question for question in ordered if question.needs_word]
        literal = [question for question in tested if question.operator == "is"]
        self.places: dict[str, Place] = {
            question.id: divmod(index, WORD_BITS) for index, question in enumerate(literal)
        }
        patterns = [question for question in tested if question.operator != "is"]
        numbered = ladders.of(Field.COMM, Field.PROCESS, Field.PARENT)
        groups = refusals.attempt(lambda: _automata(patterns, numbered)) or []
        for word, group in enumerate(groups):
            for bit, comparison in enumerate(group.comparisons):
                self.places[comparison] = (word, bit)
        table, first = _table(literal, deciding)
        self.names = irmatch.Names(
            table=table,
            automata=tuple(groups),
            first=first,
            ancestor_words=refusals.attempt(lambda: _ancestor_words(literal)) or 0,
        )


def _ancestor_words(literal: Sequence[Question]) -> int:
    asked = [question for question in literal if Field.ANCESTOR in question.subjects]
    words = -(-len(asked) // WORD_BITS)
    if words > MAX_ANCESTOR_WORDS:
        limit = MAX_ANCESTOR_WORDS * WORD_BITS
        raise too_large(
            f"more than {limit} different comparisons with `ancestor`",
            asked[limit].span,
            "put the names into one list, or write rules that compare only `ancestor`",
        )
    return words


def _table(
    literal: Sequence[Question], deciding: Iterable[tuple[checked.Equals, str]]
) -> tuple[irmatch.NameTable | None, tuple[str, ...]]:
    """The perfect-hash table, and the fields by which a name decides a rule."""
    holding: dict[bytes, list[str]] = {}
    for question in literal:
        for value in question.values:
            holding.setdefault(value, []).append(question.id)
    first: dict[bytes, dict[str, str]] = {}
    subjects: dict[str, None] = {}
    for equals, class_id in deciding:
        subject = equals.subject.field.value
        subjects[subject] = None
        for value in equals.values:
            first.setdefault(value, {}).setdefault(subject, class_id)
    names = sorted(holding.keys() | first.keys())
    if not names:
        return None, ()
    # Most of many names are alike, so rows are made of what is different.
    rows: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], int] = {((), ()): 0}
    entries = []
    table = hashing.build(names)
    for name in names:
        row = tuple(holding.get(name, ())), tuple(sorted(first.get(name, {}).items()))
        number = rows.setdefault(row, len(rows))
        slot = hashing.slot_of(name, table)
        entries.append(irmatch.NameEntry(name.decode("latin-1"), slot, number))
    nr_words = -(-len(literal) // WORD_BITS)
    made = [
        irmatch.NameRow(ids, tuple(irmatch.FirstRule(*each) for each in by)) for ids, by in rows
    ]
    result = irmatch.NameTable(table, tuple(entries), tuple(made), nr_words)
    return result, tuple(sorted(subjects))


class PathMatchers:
    """Returns the automata for paths of cgroups, and the location of each comparison."""

    def __init__(
        self,
        paths: Sequence[Question],
        units: Sequence[Question],
        pods: Sequence[Question],
        ladders: Ladders,
        refusals: Refusals,
    ) -> None:
        def built(
            questions: Sequence[Question], marker: Regex | None = None, field: Field = Field.QOS
        ) -> tuple[irmatch.Automaton, ...]:
            asked = [question for question in questions if question.needs_word]
            numbered = ladders.of(field)
            return tuple(refusals.attempt(lambda: _automata(asked, numbered, marker)) or ())

        self.paths = irmatch.Paths(
            paths=built(paths, field=Field.CGROUP),
            units=built(units, kubernetes.UNIT, Field.UNIT),
            pods=built(pods, kubernetes.POD),
        )
        automata = (*self.paths.paths, *self.paths.units, *self.paths.pods)
        self.places: dict[str, Place] = {
            comparison: (word, bit)
            for word, automaton in enumerate(automata)
            for bit, comparison in enumerate(automaton.comparisons)
        }


class ProgramMatchers:
    """Returns the automata for programs and arguments, and the location of each comparison."""

    def __init__(
        self, files: Sequence[Question], arguments: Sequence[Question], refusals: Refusals
    ) -> None:
        def built(questions: Sequence[Question]) -> tuple[irmatch.Automaton, ...]:
            asked = [question for question in questions if question.needs_word]
            return tuple(
                refusals.attempt(lambda: _automata(asked, most=MAX_PROGRAM_AUTOMATA)) or ()
            )

        self.programs = irmatch.Programs(
            paths=built(files),
            arguments=built(arguments),
            numbered=tuple((q.id, int(q.key)) for q in arguments if q.key is not None),
        )
        automata = (*self.programs.paths, *self.programs.arguments)
        self.places: dict[str, Place] = {
            comparison: (word, bit)
            for word, automaton in enumerate(automata)
            for bit, comparison in enumerate(automaton.comparisons)
        }


def automaton_of(question: Question) -> irmatch.Automaton:
    """Returns the automaton for a single question. Raises PlanError."""
    return _split([question], None)[0]


def _automata(
    questions: Sequence[Question],
    ladders: Sequence[Ladder] = (),
    marker: Regex | None = None,
    most: int = MAX_AUTOMATA,
) -> list[irmatch.Automaton]:
    """As few automata as possible for these questions, then those of ladders. Raises PlanError."""
    found: list[irmatch.Automaton] = []
    room = most - len(ladders)
    if room < 0:
        raise _too_many_tables(ladders[most].patterns[0].span, most)
    for start in range(0, len(questions), AUTOMATON_COMPARISONS):
        found += _split(questions[start : start + AUTOMATON_COMPARISONS], marker)
        # A table that fills up takes a while, so the first one too many is the last.
        if len(found) > room:
            span = next(q.span for q in questions if q.id == found[room].comparisons[0])
            raise _too_many_tables(span, most)
    return [*found, *(ladder.automaton for ladder in ladders)]


def _too_many_tables(span: Span, most: int) -> PlanError:
    return too_large(
        f"the patterns of this kind together need more than {most} tables",
        span,
        "a list (`comm ~ [..]`) counts as one pattern, so put those with the same actions into one "
        "rule; globs with a `*` at both ends need the most room",
    )


def _split(questions: Sequence[Question], marker: Regex | None) -> list[irmatch.Automaton]:
    """One automaton for all questions, or one for each half if it would be too large."""
    trees = [_tree(question) for question in questions]
    if marker is not None:
        trees.append(marker)
    limit = dfa.MAX_CELLS if len(questions) == 1 else _MAX_CELLS_TOGETHER
    try:
        table = dfa.build(trees, limit)
    except dfa.TooManyStatesError:
        if len(questions) == 1:
            raise too_large(
                "this pattern needs a table that is too large for a scheduler",
                questions[0].span,
                "do not count after a `.*` that could match the same text: say what is there "
                "(`[0-9a-f]{32}` for `.{32}`), or write a glob's `*`",
            ) from None
        half = len(questions) // 2
        return _split(questions[:half], marker) + _split(questions[half:], marker)
    return [
        irmatch.Automaton(
            comparisons=tuple(question.id for question in questions),
            marker=None if marker is None else len(questions),
            column=table.column,
            nr_columns=table.nr_columns,
            next_state=table.next_state,
            accepts=table.accepts,
        )
    ]


def _tree(question: Question) -> Regex:
    if question.kind == "qos":
        return kubernetes.qos_paths(question.operator, question.values)
    return patterns.question(question.operator, question.values)
