# SPDX-License-Identifier: Apache-2.0
"""Prints conditions of the IR as C expressions over the variables of classify()."""

from __future__ import annotations

from gthulhuc import ir
from gthulhuc.codegen.text import WIDTH, c_break
from gthulhuc.fields import FIELDS
from gthulhuc.irmatch import All, AnyOf, Comparison, Condition, Form, Test

NAME_FIELDS = ("comm", "process", "parent")
"""Fields with a row of one name in classify(); ancestors share one combined row."""


class Conditions:
    """Prints conditions; `rows` are the fields whose rows of the name table they need."""

    def __init__(self, scheduler: ir.Ir) -> None:
        self._comparisons = {comparison.id: comparison for comparison in scheduler.comparisons}
        self._ranges: dict[str, int] = {t.fact: len(t.ranges) for t in scheduler.ranges}
        self._ids: dict[str, list[int]] = {}
        for id_ in scheduler.ids:
            self._ids.setdefault(id_.fact, []).append(id_.index)
        self._calls = {
            comparison.fact for comparison in scheduler.runtime if comparison.function is not None
        }
        self._has_kthreads = scheduler.features.kthread
        self._parts = 0
        self.rows = set(scheduler.names.first) & set(NAME_FIELDS) if scheduler.names else set[str]()

    def of(self, cls: ir.TaskClass) -> tuple[list[dict[str, str]], str]:
        """Returns the condition of a class: parts to compute first, and an expression over them."""
        assert cls.condition is not None
        user = ["!kthread"] if self._has_kthreads and not cls.kthreads else []
        text, binds = self._expression(cls.condition)
        if user:
            text = f"!kthread && {text if binds in {'', '&&'} else f'({text})'}"
        if len(f"\tif ({text})") + 7 <= WIDTH:
            return [], text
        parts: list[dict[str, str]] = []
        terms, operator = self._terms(cls.condition, parts)
        if user and operator == "||":
            terms = [self._part(parts, terms, "||")]
        operator = "||" if not user and operator == "||" else "&&"
        return parts, c_break("\tif (", user + terms, operator, "\t    ")

    def _expression(self, condition: Condition) -> tuple[str, str]:
        """Returns a condition on one line, and its outermost operator ("" for none)."""
        match condition:
            case Test():
                return self._test(condition)
            case All(operands=operands):
                return self._join(operands, "&&")
            case AnyOf(operands=operands):
                return self._join(operands, "||")

    def _join(self, operands: tuple[Condition, ...], operator: str) -> tuple[str, str]:
        texts = []
        for operand in operands:
            text, binds = self._expression(operand)
            texts.append(f"({text})" if binds not in {"", operator} else text)
        return f" {operator} ".join(texts), operator

    def _terms(self, condition: Condition, parts: list[dict[str, str]]) -> tuple[list[str], str]:
        """Short terms that together form the condition; long ones become parts."""
        if isinstance(condition, Test):
            text, binds = self._test(condition)
            return ([f"({text})"] if binds else [text]), ""
        operator = "&&" if isinstance(condition, All) else "||"
        terms = []
        for operand in condition.operands:
            inner, _ = self._terms(operand, parts)
            if isinstance(operand, Test):
                terms += inner
            else:
                inner_operator = "&&" if isinstance(operand, All) else "||"
                terms.append(self._part(parts, inner, inner_operator))
        return terms, operator

    def _part(self, parts: list[dict[str, str]], terms: list[str], operator: str) -> str:
        id_ = f"part_{self._parts}"
        self._parts += 1
        text = c_break(f"\tbool {id_} = ", terms, operator, "\t\t")
        whole = f" {operator} ".join(terms)
        on_next_line = "\n" in text and len(whole) < WIDTH - len("\t\t".expandtabs(8))
        parts.append({"id": id_, "text": f"\n\t\t{whole}" if on_next_line else f" {text}"})
        return id_

    def value(self, test: Test) -> tuple[str, int | None, str]:
        """Returns what a step of the graph reads for a test, and the bit of it that must be set.

        If the words are those of a name's row, the number of the word; no bit: the value is 0 or 1.
        """
        comparison = self._comparisons.get(test.fact)
        if comparison is None or comparison.form in {Form.FLAG, Form.COUNTED}:
            return test.subject, None, ""
        if comparison.form is Form.TABLE and test.subject != "ancestor":
            self.rows.add(test.subject)
            return f"{test.subject}_row->facts", comparison.word, comparison.id.upper()
        text, _ = self._test(test)
        return text.rpartition(" & ")[0], None, comparison.id.upper()

    def _test(self, test: Test) -> tuple[str, str]:
        comparison = self._comparisons[test.fact]
        if comparison.id in self._calls:
            text = f"kept->calls.recent & {comparison.id.upper()}"
            return (text, "&") if test.holds else (f"!({text})", "")
        if comparison.form is Form.RUNTIME:
            word = "known_true" if test.holds else "known_false"
            return f"kept->labels.{word} & {comparison.id.upper()}", "&"
        if comparison.form is Form.INHERITED:
            return f"kept->inherited & {comparison.id.upper()}", "&"
        if comparison.form in {Form.TABLE, Form.AUTOMATON, Form.CGROUP, Form.PROGRAM}:
            text = f"{self._word(test.subject, comparison)} & {comparison.id.upper()}"
            return (text, "&") if test.holds else (f"!({text})", "")
        if comparison.form in {Form.FLAG, Form.COUNTED}:
            return ("" if test.holds else "!") + test.subject, ""
        return self._number(test, comparison)

    def _word(self, subject: str, comparison: Comparison) -> str:
        """The word that holds the answer."""
        if comparison.form is Form.CGROUP:
            return f"cgroup->words[{comparison.word}]"
        if comparison.form is Form.PROGRAM:
            return f"kept->program[{comparison.word}]"
        if subject == "ancestor":
            kind = "facts" if comparison.form is Form.TABLE else "patterns"
            return f"kept->ancestor_{kind}[{comparison.word}]"
        if comparison.form is Form.TABLE:
            self.rows.add(subject)
            return f"{subject}_row->facts[{comparison.word}]"
        owner = "kept->parent" if subject == "parent" else subject
        return f"{owner}.patterns[{comparison.word}]"

    def _number(self, test: Test, comparison: Comparison) -> tuple[str, str]:
        negation = "" if test.holds else "!"
        if comparison.id in self._ranges:
            nr = self._ranges[comparison.id]
            return f"{negation}in_ranges({comparison.id}_ranges, {nr}, {test.subject})", ""
        if comparison.form is Form.RESOLVED:
            first, *others = self._ids[comparison.id]
            ids = f"&policy_ids[{first}], {len(others) + 1}"
            return f"{negation}is_one_of({ids}, {test.subject})", ""
        tests = [_range(test.subject, value) for value in comparison.values]
        text = " || ".join(f"({t})" if "&&" in t and len(tests) > 1 else t for t in tests)
        if negation:
            return f"!({text})", ""
        return text, "||" if len(tests) > 1 else "&&" if "&&" in text else ""


def _range(subject: str, text: str) -> str:
    low, high = (int(end) for end in text.split(".."))
    lowest, highest = FIELDS[subject].row.bounds
    if low == high:
        return f"{subject} == {_literal(low)}"
    tests = []
    if low > lowest:
        tests.append(f"{subject} >= {_literal(low)}")
    if high < highest:
        tests.append(f"{subject} <= {_literal(high)}")
    return " && ".join(tests) or "true"


def _literal(number: int) -> str:
    return f"{number}U" if number >= 1 << 31 else str(number)
