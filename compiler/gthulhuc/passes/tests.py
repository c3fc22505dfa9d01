# SPDX-License-Identifier: Apache-2.0
"""Reads `test` blocks: the facts about each task, and the rule that it is to have.

Afterwards `tests` holds the blocks whose lines have no mistakes. `gthulhuc.testing` decides them.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from gthulhuc import checked
from gthulhuc.checked import Subject
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.diagnostics.suggest import did_you_mean, one_of, write
from gthulhuc.fields import COMM_MAX, FIELDS, LABEL_KEY_MAX, QOS_CLASSES, Field, Kind
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reading.claims import Claims
from gthulhuc.passes.reading.comparisons import FUNCTION, WITHIN_NS
from gthulhuc.passes.reading.foreign import foreign_field
from gthulhuc.passes.reading.numbers import NAME_MAX
from gthulhuc.passes.reading.paths import path_problem
from gthulhuc.passes.reading.values import COUNT, DURATION, Values
from gthulhuc.passes.reasoning.contents import leaves
from gthulhuc.source import Span
from gthulhuc.syntax import ast
from gthulhuc.syntax.text import quote

_UNIT = re.compile(rb"[^/]+\.(service|scope)")


def read(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with all sound `test` blocks in `tests`."""
    blocks = [item for item in draft.file.items if isinstance(item, ast.TestBlock)]
    if not blocks:
        return draft
    values = Values(draft, report)
    reader = _Reader(draft, report, values, Claims(draft, report, values))
    _refuse_same_names(blocks, report)
    found = [reader.block(block) for block in blocks]
    tests = tuple(test for test in found if test is not None)
    return replace(draft, tests=tests, used=draft.used | values.used)


def _refuse_same_names(blocks: list[ast.TestBlock], report: Collector) -> None:
    first: dict[bytes, ast.TestBlock] = {}
    for block in blocks:
        before = first.setdefault(block.name.value, block)
        if before is not block:
            report.error(
                codes.DUPLICATE_NAME,
                f"a test with the name {block.name.span.text} is defined twice",
                block.name.span,
                secondary=[Label(before.name.span, "first defined here")],
            )


@dataclass(slots=True)
class _Reader:
    draft: Draft
    report: Collector
    values: Values
    claims: Claims
    _numbers: dict[Field, Span] | None = None

    def block(self, block: ast.TestBlock) -> checked.Test | None:
        if not block.lines:
            hint = 'add a task and its rule, such as `comm "ffmpeg" -> default`'
            message = f"test {block.name.span.text} has no tasks"
            self.report.error(codes.NO_CLAIM, message, block.name.span, hint=hint)
        found = [self._line(line) for line in block.lines]
        lines = tuple(line for line in found if line is not None)
        if len(lines) < len(block.lines):
            return None
        return checked.Test(block.name.value.decode(errors="replace"), lines, block.span)

    # ---- lines ---------------------------------------------------------------------------------

    def _line(self, line: ast.TestLine) -> checked.TestLine | None:
        is_fine = self._is_expectable(line.rule)
        bare = self._bare_words(line)
        found = [self._fact(fact) for fact in line.facts if fact.span.start not in bare]
        facts = tuple(fact for fact in found if fact is not None)
        if not is_fine or len(facts) < len(line.facts) or not self._agree(facts):
            return None
        return checked.TestLine(facts, line.rule.text, line.span)

    def _is_expectable(self, rule: ast.Word) -> bool:
        """Whether a rule may take a task."""
        if rule.text == "default":
            return True
        if not self.claims.is_rule(rule):
            return False
        if not any(r.block.name.text == rule.text and r.given.monitor for r in self.draft.rules):
            return True
        message = f"rule `{rule.text}` has `monitor`, so it takes no task"
        hint = "name the rule that takes the task, or `default`"
        self.report.error(codes.WRONG_VALUE, message, rule.span, hint=hint)
        return False

    def _agree(self, facts: tuple[checked.Fact, ...]) -> bool:
        """Whether all facts of a line can hold together; reports the first that cannot."""
        first: dict[Hashable, checked.Fact] = {}
        for fact in facts:
            before = first.setdefault(_place(fact), fact)
            if before is not fact:
                message = f"the line already gives `{_name(fact)}`"
                self._refuse(codes.DUPLICATE_STATEMENT, message, fact, before)
                return False
        by_field = {fact.subject.field: fact for fact in facts}
        path = by_field.get(Field.CGROUP)
        for field in (Field.UNIT, Field.QOS):
            if path is not None and field in by_field:
                message = f"`{field.value}` follows from `cgroup`, which the line gives, too"
                self._refuse(codes.WRONG_VALUE, message, by_field[field], path)
                return False
        names = [by_field[each].value for each in (Field.COMM, Field.PROCESS) if each in by_field]
        leader = by_field.get(Field.LEADER)
        if leader is not None and leader.value is True and len(set(names)) > 1:
            message = "a main thread has the name of its process"
            self._refuse(codes.WRONG_VALUE, message, leader, by_field[Field.COMM])
            return False
        return all(self._has_number(fact, facts) for fact in facts)

    def _has_number(self, fact: checked.Fact, facts: tuple[checked.Fact, ...]) -> bool:
        """Whether a user or group has all that rules compare: a name alone has no number."""
        field, name = fact.subject.field, fact.value
        is_named = field.row.kind is Kind.ID and isinstance(name, bytes) and name != b"root"
        if not is_named or any(f.subject == fact.subject and f is not fact for f in facts):
            return True
        compared = self._compared().get(field)
        if compared is None:
            return True
        shown = fact.span.one_line
        self.report.error(
            codes.WRONG_VALUE,
            f"a name has another number on each machine, and a rule compares `{field.value}` "
            "with numbers",
            fact.span,
            secondary=[Label(compared, "compared here")],
            hint=f"give both: `{shown} {field.value} 1000`",
        )
        return False

    def _compared(self) -> Mapping[Field, Span]:
        """The first comparison with numbers of each field."""
        if self._numbers is None:
            self._numbers = {}
            for rule in self.draft.rules:
                for leaf in leaves(rule.match) if rule.match else ():
                    if isinstance(leaf, checked.InRanges):
                        self._numbers.setdefault(leaf.subject.field, leaf.span)
        return self._numbers

    def _refuse(
        self, code: codes.Code, message: str, fact: checked.Fact, other: checked.Fact
    ) -> None:
        self.report.error(code, message, fact.span, secondary=[Label(other.span, "given here")])

    # ---- facts ---------------------------------------------------------------------------------

    def _fact(self, fact: ast.Fact) -> checked.Fact | None:
        """The checked form of a fact; None after an error."""
        field = FIELDS.get(fact.field.text)
        if field is None:
            self._report_unknown(fact)
            return None
        extra = fact.within or fact.via
        if extra is not None and field is not Field.CALLS:
            self._wrong(fact, field, extra, f"`{field.value}` takes only a value")
            return None
        if field.row.kind is Kind.FLAG:
            return self._flag(fact, field)
        if fact.is_negated:
            return self._absent(fact, field)
        return self._call(fact, field) if field is Field.CALLS else self._given(fact, field)

    def _flag(self, fact: ast.Fact, field: Field) -> checked.Fact | None:
        if fact.values:
            message = f"`{field.value}` is true or false and takes no value"
            self._wrong(fact, field, fact.values[0], message)
            return None
        return checked.Fact(Subject(field), not fact.is_negated, fact.span)

    def _given(self, fact: ast.Fact, field: Field) -> checked.Fact | None:
        """A field with its value."""
        subject, values = self._subject(fact, field)
        if subject is None:
            return None
        if field.row.kind is Kind.ARGUMENTS:
            return self._arguments(fact, field)
        if len(values) != 1:
            needs = "a key and a value" if field is Field.LABEL else "one value"
            at = values[1] if len(values) > 1 else fact.field
            self._wrong(fact, field, at, f"`{field.value}` needs {needs}")
            return None
        value = self._value(values[0], field)
        return None if value is None else checked.Fact(subject, value, fact.span)

    def _arguments(self, fact: ast.Fact, field: Field) -> checked.Fact | None:
        """All arguments of a program."""
        if not fact.values:
            message = f"`{field.value}` needs the arguments, from the program's name on"
            self._wrong(fact, field, fact.field, message)
            return None
        found = [self._value(value, field) for value in fact.values]
        texts = tuple(text for text in found if isinstance(text, bytes))
        return checked.Fact(Subject(field), texts, fact.span) if len(texts) == len(found) else None

    def _bare_words(self, line: ast.TestLine) -> set[int]:
        """Reports values without quotes, which parse as fields; returns where both begin."""
        found: set[int] = set()
        for fact, word in pairwise(line.facts):
            field = FIELDS.get(fact.field.text)
            is_bare = word.field.text not in FIELDS and not (word.values or word.is_negated)
            if field is None or fact.values or fact.is_negated or not is_bare:
                continue
            if field.row.kind in (Kind.FLAG, Kind.CALLS, Kind.LABEL):
                continue
            name = word.field.text
            wanted = "a number" if field.row.kind is Kind.NUMBER else "a string"
            hint = write(f'"{name}"') if wanted == "a string" else ()
            message = f"`{field.value}` expects {wanted}, found `{name}`"
            self.report.error(codes.WRONG_VALUE, message, word.field.span, hint=hint)
            found |= {fact.span.start, word.span.start}
        return found

    def _report_unknown(self, fact: ast.Fact) -> None:
        name = fact.field.text
        hint: str | tuple[str, ...] = foreign_field(name) or did_you_mean(name, FIELDS)
        if isinstance(self.draft.names.get(name), ast.RuleBlock) or name == "default":
            hint = write(f"-> {name}")
        self.report.error(codes.UNKNOWN_WORD, f"unknown field `{name}`", fact.field.span, hint=hint)

    def _wrong(
        self,
        fact: ast.Fact,
        field: Field,
        at: ast.Word | ast.Number | ast.Text,
        message: str,
    ) -> None:
        hint = f"write `{'not ' * fact.is_negated}{field.row.fact}`"
        self.report.error(codes.WRONG_VALUE, message, at.span, hint=hint)

    def _absent(self, fact: ast.Fact, field: Field) -> checked.Fact | None:
        """`not pod`: the task has no value."""
        subject, values = self._subject(fact, field)
        if subject is None:
            return None
        if not field.row.is_optional or values:
            message = f"a fact says what `{field.value}` is, not what it is not"
            hint = f"write `{field.row.fact}`"
            if field.row.is_optional:
                hint = f"write `not {field.value}` for a task without one"
            self.report.error(codes.WRONG_VALUE, message, fact.span, hint=hint)
            return None
        return checked.Fact(subject, None, fact.span)

    def _subject(
        self, fact: ast.Fact, field: Field
    ) -> tuple[Subject | None, tuple[ast.Text | ast.Number, ...]]:
        """The subject of a fact, and its values after the key of a label."""
        if field.row.kind is not Kind.LABEL:
            return Subject(field), fact.values
        key = fact.values[0] if fact.values else None
        if not isinstance(key, ast.Text) or not 0 < len(key.value) <= LABEL_KEY_MAX:
            at = key or fact.field
            self._wrong(fact, field, at, f"`label` needs a key of 1 to {LABEL_KEY_MAX} bytes")
            return None, ()
        return Subject(field, key.value), fact.values[1:]

    def _call(self, fact: ast.Fact, field: Field) -> checked.Fact | None:
        name = fact.values[0] if len(fact.values) == 1 else None
        if not isinstance(name, ast.Text) or not FUNCTION.fullmatch(name.value):
            at = fact.values[0] if fact.values else fact.field
            self._wrong(fact, field, at, "`calls` needs the name of a kernel function")
            return None
        if fact.via is not None and fact.via.text != "softirq":
            message = f"unknown word `{fact.via.text}` after `via`"
            self.report.error(codes.UNKNOWN_WORD, message, fact.via.span, hint=write("softirq"))
            return None
        age_ns: int | None = 0
        if fact.within is not None:
            age_ns = self.values.fixed(fact.within, "`within`", DURATION, *WITHIN_NS)
        if age_ns is None:
            return None
        call = checked.Calls(name.value.decode(), age_ns, fact.via is not None, fact.span)
        return checked.Fact(Subject(field), call, fact.span)

    # ---- values --------------------------------------------------------------------------------

    def _value(self, value: ast.Text | ast.Number, field: Field) -> bytes | int | None:
        """The value of a fact; None after an error."""
        kind = field.row.kind
        if isinstance(value, ast.Number):
            if kind in (Kind.ID, Kind.NUMBER):
                return self.values.literal(value, f"`{field.value}`", COUNT, *field.row.bounds)
            message, hint = f"`{field.value}` is a string", write(f'"{value.text}"')
        elif kind is Kind.NUMBER:
            message = f"`{field.value}` is a number"
            plain = value.value.decode(errors="replace")
            hint = write(plain if plain.lstrip("-").isdecimal() else field.row.fact)
        else:
            return self._text(value, field)
        self.report.error(codes.WRONG_VALUE, message, value.span, hint=hint)
        return None

    def _text(self, text: ast.Text, field: Field) -> bytes | None:
        problem, code = "", codes.WRONG_VALUE
        hint: str | tuple[str, ...] = ()
        match field.row.kind:
            case Kind.NAME if len(text.value) > COMM_MAX:
                code = codes.NAME_TOO_LONG
                problem = f"`{field.value}` has at most {COMM_MAX} bytes"
                hint = write(quote(text.value[:COMM_MAX]), ", as the kernel stores it")
            case Kind.PATH | Kind.FILE if bad := path_problem(text.value, may_end_in_slash=False):
                code, problem = codes.BAD_PATH, f"invalid path for `{field.value}`: {bad.why}"
                hint = write(quote(bad.instead.encode())) if bad.instead else ()
            case Kind.UNIT if not _UNIT.fullmatch(text.value):
                problem = "a unit name must end in `.service` or `.scope`"
                hint = "for another place in the tree, give `cgroup`"
            case Kind.QOS if text.value not in QOS_CLASSES:
                known = [value.decode() for value in QOS_CLASSES]
                problem = f"`qos` must be {one_of(known, 'or')}"
                hint = did_you_mean(text.value.decode(errors="replace"), known)
            case Kind.ID if text.value.isdigit():
                problem, hint = "a number takes no quotes", write(text.value.decode())
            case Kind.ID if not 0 < len(text.value) <= NAME_MAX:
                problem = f"not a valid name for `{field.value}`"
        if problem:
            self.report.error(code, problem, text.span, hint=hint)
            return None
        if field.row.kind not in (Kind.LABEL, Kind.ARGUMENTS) and b"*" in text.value:
            self.report.warning(
                codes.ODD_STRING,
                "`*` is a literal character in a fact",
                text.span,
                hint=f"give the `{field.value}` of one task",
            )
        return text.value


def _place(fact: checked.Fact) -> Hashable:
    """Two facts of a line with the same place contradict each other."""
    field, value = fact.subject.field, fact.value
    if field is Field.CALLS:
        assert isinstance(value, checked.Calls)
        return field, value.function, value.via_softirq
    if field.row.kind is Kind.ID:  # a user has a number and a name
        return field, isinstance(value, bytes)
    return (fact.subject, value) if field.row.is_many and field is not Field.LABEL else fact.subject


def _name(fact: checked.Fact) -> str:
    key = "" if fact.subject.key is None else f" {quote(fact.subject.key)}"
    return f"{fact.subject.field.value}{key}"
