# SPDX-License-Identifier: Apache-2.0
"""One comparison of a field with a value: operator, kind and form of the value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gthulhuc import checked, globs
from gthulhuc.checked import Field
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.passes.fields import COMM_MAX, SUPPORTED, is_task_name
from gthulhuc.passes.unsupported import refuse_at
from gthulhuc.source import Span
from gthulhuc.syntax import ast


@dataclass(frozen=True, slots=True)
class NameList:
    """The list behind a set's name, and where that name was used."""

    literal: ast.ListLiteral
    use: ast.Word


ListOf: TypeAlias = Callable[[ast.Word], NameList | None]

_ORDER = ("<", "<=", ">", ">=")


def lower_comparison(
    node: ast.Comparison, list_of: ListOf, report: Collector
) -> checked.Predicate | None:
    """The checked form of a comparison with a field, or None when it was refused."""
    field = SUPPORTED.get(node.field.text)
    if field is None:
        refuse_at(f"`{node.field.text}`", node.field.span, report)
        return None
    return _Comparison(node, field, list_of, report).lower()


@dataclass(frozen=True, slots=True)
class _Comparison:
    node: ast.Comparison
    field: Field
    list_of: ListOf
    report: Collector

    def lower(self) -> checked.Predicate | None:
        name = self.field.value
        example = f'`{name} == "{self._example()}"`'
        extra = self.node.argument or self.node.within
        if extra is not None:
            message = f"`{name}` takes nothing before its operator"
            self.report.error(codes.WRONG_OPERATOR, message, extra.span, hint=f"write {example}")
            return None
        operator, operand = self.node.operator, self.node.operand
        if operator is None or operand is None:
            message = f"`{name}` is compared with nothing"
            self.report.error(
                codes.WRONG_OPERATOR, message, self.node.span, hint=f"write {example}"
            )
            return None
        match operator.text:
            case "==" | "!=":
                return self._equals(operator, operand)
            case "in":
                return self._in(operand)
            case "~":
                return self._glob(operand)
            case "under":
                return self._under(operator, operand)
            case "=~":
                refuse_at("`=~`", operator.span, self.report)
            case _:
                message = f"`{name}` is a string and has no order"
                hint = "strings have `==`, `!=`, `in`, `~` and `=~`"
                self.report.error(codes.WRONG_OPERATOR, message, operator.span, hint=hint)
        return None

    # ---- operators -----------------------------------------------------------------------------

    def _equals(self, operator: ast.Word, operand: ast.Operand) -> checked.Predicate | None:
        is_list = isinstance(operand, ast.ListLiteral | ast.Word)
        text = self._text(operand, "in" if is_list else None)
        if text is None or not self._is_possible(text, None):
            return None
        result: checked.Predicate = checked.Equals(self.field, (text.value,), self.node.span)
        return checked.Not(result, self.node.span) if operator.text == "!=" else result

    def _in(self, operand: ast.Operand) -> checked.Predicate | None:
        texts = self._texts(operand, "in")
        if texts is None:
            return None
        fine = [self._is_possible(text, self._use(operand)) for text in texts]
        if not all(fine):
            return None
        values = tuple(dict.fromkeys(text.value for text in texts))
        return checked.Equals(self.field, values, self.node.span)

    def _glob(self, operand: ast.Operand) -> checked.Predicate | None:
        texts = [operand] if isinstance(operand, ast.Text) else self._texts(operand, "~")
        if texts is None:
            return None
        fine = [self._is_possible_glob(text, self._use(operand)) for text in texts]
        if not all(fine):
            return None
        patterns = tuple(dict.fromkeys(text.value for text in texts))
        return checked.Glob(self.field, patterns, self.node.span)

    def _under(self, operator: ast.Word, operand: ast.Operand) -> checked.Predicate | None:
        if self.field is not Field.CGROUP:
            message = f"`under` is for paths, and `{self.field.value}` is none"
            hint = f"write `{self.field.value} ~ ...` to compare with a glob"
            self.report.error(codes.WRONG_OPERATOR, message, operator.span, hint=hint)
            return None
        text = self._text(operand, None)
        if text is None or not self._is_path(text, None, may_end_in_slash=True):
            return None
        return checked.Under(text.value.rstrip(b"/") or b"/", self.node.span)

    # ---- values --------------------------------------------------------------------------------

    def _text(self, operand: ast.Operand, instead: str | None) -> ast.Text | None:
        if isinstance(operand, ast.Text):
            return operand
        name = self.field.value
        if instead is not None:
            shown = " ".join(operand.span.text.split()) if len(operand.span.text) < 40 else "[..]"
            hint: tuple[str, ...] = (f"for a list write `{name} {instead} {shown}`",)
            if isinstance(operand, ast.Word):
                hint = (f'a string stands in quotes: `"{operand.text}"`', *hint)
        else:
            hint = ()
        message = f"`{name}` is compared with one string here"
        self.report.error(codes.WRONG_VALUE, message, operand.span, "not a string", hint=hint)
        return None

    def _texts(self, operand: ast.Operand, operator: str) -> list[ast.Text] | None:
        """The strings of a list or of the list that a name stands for."""
        use: ast.Word | None = None
        if isinstance(operand, ast.Word):
            named = self.list_of(operand)
            if named is None:
                return None
            operand, use = named.literal, named.use
        if not isinstance(operand, ast.ListLiteral):
            message = f"`{operator}` takes a list of strings"
            shown = operand.span.text
            hint = f"write `{operator} [{shown}]`" if isinstance(operand, ast.Text) else ()
            self.report.error(codes.WRONG_VALUE, message, operand.span, "not a list", hint=hint)
            return None
        if not operand.items:
            self.report.error(codes.EMPTY_LIST, "the list is empty", operand.span, "never true")
            return None
        texts = [item for item in operand.items if isinstance(item, ast.Text)]
        for item in operand.items:
            if not isinstance(item, ast.Text):
                hint = f'a string stands in quotes: `"{item.text}"`'
                message = f"`{item.text}` is not a string"
                secondary = [Label(use.span, "used here")] if use else []
                self.report.error(
                    codes.WRONG_VALUE, message, item.span, secondary=secondary, hint=hint
                )
        return texts if len(texts) == len(operand.items) else None

    def _use(self, operand: ast.Operand) -> Span | None:
        return operand.span if isinstance(operand, ast.Word) else None

    def _is_possible(self, text: ast.Text, use: Span | None) -> bool:
        """Whether the field can have this value; reports it otherwise."""
        if self.field is Field.CGROUP:
            return self._is_path(text, use, may_end_in_slash=False)
        if len(text.value) <= COMM_MAX:
            return True
        self._report_too_long(text, use, _literal_glob(text.value[:COMM_MAX]))
        return False

    def _is_possible_glob(self, text: ast.Text, use: Span | None) -> bool:
        try:
            atoms = globs.parse(text.value)
        except globs.GlobError as error:
            span = text.span
            if len(span.text) == len(text.value) + 2:  # no escapes: the bytes are the characters
                span = Span(span.source, span.start + 1 + error.start, span.start + 1 + error.end)
            self.report.error(codes.BAD_GLOB, f"malformed glob: {error}", span)
            return False
        if is_task_name(self.field) and globs.shortest(text.value) > COMM_MAX:
            fixed = next((i for i, atom in enumerate(atoms) if isinstance(atom, globs.Star)), None)
            is_literal_head = text.value[:COMM_MAX].isalnum() or b"[" not in text.value
            longest = COMM_MAX if fixed is None else min(fixed, COMM_MAX)
            self._report_too_long(text, use, text.value[:longest] if is_literal_head else None)
            return False
        if self.field is Field.CGROUP and text.value[:1] not in (b"/", b"*", b"?", b"["):
            message = "a cgroup's path begins with `/`; this can never match"
            self.report.error(codes.BAD_PATH, message, text.span)
            return False
        return True

    def _report_too_long(self, text: ast.Text, use: Span | None, head: bytes | None) -> None:
        name = self.field.value
        hint: tuple[str, ...] = ()
        if head is not None:
            shown = head.decode(errors="replace")
            hint = (f'the glob that would match: `{name} ~ "{shown}*"`',)
        self.report.error(
            codes.NAME_TOO_LONG,
            f"`{name}` can never match this: it has at most {COMM_MAX} bytes",
            text.span,
            f"{len(text.value)} bytes",
            secondary=[Label(use, "used here")] if use else [],
            hint=hint,
            note="the kernel cuts the name of a thread after 15 bytes",
        )

    def _is_path(self, text: ast.Text, use: Span | None, *, may_end_in_slash: bool) -> bool:
        path = text.value.decode(errors="replace")
        inner = path.rstrip("/") if may_end_in_slash else path
        parts = inner.split("/")[1:]
        fixed = "/" + "/".join(part for part in path.split("/") if part not in ("", "."))
        if not path.startswith("/"):
            why = "it begins with `/`"
        elif path == "/" or inner == "":
            return True
        elif any(part in ("", ".", "..") for part in parts):
            why = "its components are names, one `/` between them"
        else:
            return True
        hint = f'write `"{fixed}"`' if ".." not in parts else ()
        secondary = [Label(use, "used here")] if use else []
        message = f"this is not a cgroup's path: {why}"
        self.report.error(codes.BAD_PATH, message, text.span, secondary=secondary, hint=hint)
        return False

    def _example(self) -> str:
        return "/system.slice" if self.field is Field.CGROUP else "sshd"


def _literal_glob(value: bytes) -> bytes:
    """A glob that matches just this value."""
    return b"".join(b"[%c]" % byte if byte in b"*?[" else b"%c" % byte for byte in value)
