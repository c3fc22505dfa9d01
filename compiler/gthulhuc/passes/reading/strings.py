# SPDX-License-Identifier: Apache-2.0
"""Lowers comparisons of strings: names, paths, units, pods and labels."""

from __future__ import annotations

import re

from gthulhuc import checked, globs, regexes
from gthulhuc.checked import Subject
from gthulhuc.diagnostics import Collector, Edit, Help, codes
from gthulhuc.diagnostics.suggest import did_you_mean, one_of, write
from gthulhuc.fields import ARGUMENT_MAX, COMM_MAX, LATE, QOS_CLASSES, Kind
from gthulhuc.passes.reading.operands import Context, Items, items_of, opposite
from gthulhuc.passes.reading.paths import path_problem
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.syntax import ast, lookalikes
from gthulhuc.syntax.text import quote

_UNITS = (b".service", b".scope")
_STARTERS = (".timer", ".socket", ".path")  # units that start another unit
_MOUNT = b"/sys/fs/cgroup"


def string_comparison(
    node: ast.Comparison, subject: Subject, context: Context
) -> checked.Predicate | None:
    """Returns the checked form of a comparison with a string; None after an error."""
    return _Strings(node, subject, subject.field.row.kind, context).lower()


@dataclass(frozen=True, slots=True)
class _Strings:
    node: ast.Comparison
    subject: Subject
    kind: Kind
    context: Context

    def lower(self) -> checked.Predicate | None:
        operator, operand = self.node.operator, self.node.operand
        assert operator is not None
        assert operand is not None
        if self.kind is Kind.QOS and operator.text in ("~", "=~"):
            self._wrong_operator(
                operator, "`qos` takes no patterns: it has only three values", "write `qos in [..]`"
            )
            return None
        match operator.text:
            case "==" | "!=":
                return self._equals(operator, operand)
            case "in":
                return self._in(operand)
            case "~":
                return self._glob(operand)
            case "=~":
                return self._regex(operand)
            case "under":
                return self._under(operator, operand)
        hint = "use `==`, `!=`, `in`, `~` or `=~`"
        self._wrong_operator(
            operator, f"`{self._name}` is a string and has no operator `{operator.text}`", hint
        )
        return None

    # ---- operators -----------------------------------------------------------------------------

    def _equals(self, operator: ast.Word, operand: ast.Operand) -> checked.Predicate | None:
        is_list = isinstance(operand, ast.ListLiteral | ast.Word)
        text = self._text(operand, "in" if is_list else None)
        if text is None or not self._is_possible(text, Items((text,), text.span, None)):
            return None
        result = checked.Equals(self.subject, (text.value,), self.node.span)
        return self._unequal(result) if operator.text == "!=" else result

    def _unequal(self, equal: checked.Equals) -> checked.Predicate:
        """`!=`: like every comparison, false for a task without such a label or pod."""
        other = opposite(equal, equal.span)
        if self.subject.field not in LATE:
            return other
        field, argument = self.node.field.span, self.node.argument
        span = field if argument is None else field.to(argument.span)
        return checked.And((checked.Has(self.subject, span), other), equal.span)

    def _in(self, operand: ast.Operand) -> checked.Predicate | None:
        found = self._texts(operand, "in")
        if found is None:
            return None
        items, texts = found
        fine = [self._is_possible(text, items) for text in texts]  # each reports its error
        if not all(fine):
            return None
        values = tuple(dict.fromkeys(text.value for text in texts))
        return checked.Equals(self.subject, values, self.node.span)

    def _glob(self, operand: ast.Operand) -> checked.Predicate | None:
        if isinstance(operand, ast.Text):
            operand = ast.ListLiteral((operand,), operand.span)
        found = self._texts(operand, "~")
        if found is None:
            return None
        items, texts = found
        fine = [self._is_possible_glob(text, items) for text in texts]
        if not all(fine):
            return None
        patterns = tuple(dict.fromkeys(text.value for text in texts))
        return checked.Glob(self.subject, patterns, self.node.span)

    def _regex(self, operand: ast.Operand) -> checked.Predicate | None:
        text = self._text(operand, None)
        if text is None:
            return None
        try:
            tree = regexes.parse(text.value)
        except regexes.RegexError as error:
            span = inside(text, error.start, error.end)
            hint: str | tuple[str, ...] = error.hint or ()
            if error.hint and error.instead is not None and span != text.span:
                hint = Help(error.hint, error.instead)
            self.context.report.error(
                codes.BAD_REGEX, f"invalid regular expression: {error}", span, hint=hint
            )
            return None
        if self.kind is Kind.NAME and regexes.shortest(tree) > COMM_MAX:
            self._report_too_long(text, Items((text,), text.span, None), None)
            return None
        if self.kind is Kind.ARGUMENTS and regexes.shortest(tree) > ARGUMENT_MAX:
            self._report_long_argument(text, Items((text,), text.span, None))
            return None
        return checked.Regex(self.subject, text.value, self.node.span)

    def _under(self, operator: ast.Word, operand: ast.Operand) -> checked.Predicate | None:
        if self.kind not in (Kind.PATH, Kind.FILE):
            message = f"`under` expects a path, but `{self._name}` is not a path"
            hint = f"to match a glob, write `{self._name} ~ ..`"
            self._wrong_operator(operator, message, hint)
            return None
        if isinstance(operand, ast.Text):
            operand = ast.ListLiteral((operand,), operand.span)
        found = self._texts(operand, "under")
        if found is None:
            return None
        items, texts = found
        fine = [self._is_path(text, items, may_end_in_slash=True) for text in texts]
        if not all(fine):
            return None
        paths = dict.fromkeys(text.value.rstrip(b"/") or b"/" for text in texts)
        return checked.Under(self.subject, tuple(paths), self.node.span)

    # ---- values --------------------------------------------------------------------------------

    def _text(self, operand: ast.Operand, instead: str | None) -> ast.Text | None:
        if isinstance(operand, ast.Text):
            return operand
        hint: tuple[str, ...] = ()
        if instead is not None:
            shown = operand.span.one_line if len(operand.span.text) < 40 else "[..]"
            hint = (f"for a list, write `{self._name} {instead} {shown}`",)
            if isinstance(operand, ast.Word):
                quoted = f'"{operand.text}"'
                hint = (Help(f"for a string, write `{quoted}`", quoted), *hint)
        message = f"`{self._name}` must be compared with a single string here"
        self.context.report.error(
            codes.WRONG_VALUE, message, operand.span, "not a string", hint=hint
        )
        return None

    def _texts(self, operand: ast.Operand, operator: str) -> tuple[Items, list[ast.Text]] | None:
        """The strings of a list, or of the list that a name stands for; None after an error."""
        report = self.context.report
        if not isinstance(operand, ast.ListLiteral | ast.Word):
            message = f"`{operator}` expects a list of strings"
            shown = operand.span.text
            hint = write(f"[{shown}]") if isinstance(operand, ast.Text) else ()
            report.error(codes.WRONG_VALUE, message, operand.span, "not a list", hint=hint)
            return None
        items = items_of(operand, self.context)
        if items is None:
            return None
        if not items.items:
            report.error(codes.EMPTY_LIST, "the list is empty", items.span, "never true")
            return None
        texts = [item for item in items.items if isinstance(item, ast.Text)]
        for item in items.items:
            if not isinstance(item, ast.Text):
                hint = write(f'"{item.text}"')
                message = f"`{item.text}` is not a string"
                report.error(
                    codes.WRONG_VALUE, message, item.span, secondary=items.used_here, hint=hint
                )
        return (items, texts) if len(texts) == len(items.items) else None

    def _is_possible(self, text: ast.Text, items: Items) -> bool:
        """Whether the field can have this value; reports an error otherwise."""
        self._warn_of_lookalikes(text, items)
        match self.kind:
            case Kind.PATH | Kind.FILE if not self._is_path(text, items, may_end_in_slash=False):
                return False
            case Kind.ARGUMENTS if len(text.value) > ARGUMENT_MAX:
                self._report_long_argument(text, items)
                return False
            case Kind.NAME if len(text.value) > COMM_MAX:
                self._report_too_long(text, items, literal_glob(text.value[:COMM_MAX]))
                return False
            case Kind.QOS if text.value not in QOS_CLASSES:
                known = [value.decode() for value in QOS_CLASSES]
                hint: tuple[str, ...] = did_you_mean(text.value.decode(errors="replace"), known)
                message = f"`qos` must be {one_of(known, 'or')}"
                self._wrong_value(message, text, items, hint)
                return False
            case Kind.UNIT if not text.value.endswith(_UNITS):
                shown = text.value.decode(errors="replace")
                message = "a unit name must end in `.service` or `.scope`; this can never match"
                self._wrong_value(message, text, items, (_unit_meant(shown),))
                return False
        if self.kind in (Kind.NAME, Kind.UNIT) and not text.value:
            self.context.report.warning(
                codes.ODD_STRING,
                f"no task has an empty `{self._name}`",
                text.span,
                secondary=items.used_here,
                hint="name the program, or remove the comparison",
            )
        if self.kind not in (Kind.LABEL, Kind.QOS) and "*" in text.span.text:  # `\x2a` is meant
            assert self.node.operator is not None
            negation = "not " * (self.node.operator.text == "!=")
            meant = f"{negation}{self._name} ~ {text.span.text}"
            self._warn_of_glob(text, items, self.node.operator.text, meant)
        return True

    def _is_possible_glob(self, text: ast.Text, items: Items) -> bool:
        atoms = parse_glob(text, self.context.report)
        if atoms is None:
            return False
        self._warn_of_lookalikes(text, items)
        self._warn_of_braces(text, items)
        if self.kind is Kind.ARGUMENTS and globs.shortest(text.value) > ARGUMENT_MAX:
            self._report_long_argument(text, items)
            return False
        if self.kind is Kind.NAME and globs.shortest(text.value) > COMM_MAX:
            fixed = next((i for i, atom in enumerate(atoms) if isinstance(atom, globs.Star)), None)
            is_literal_head = text.value[:COMM_MAX].isalnum() or b"[" not in text.value
            longest = COMM_MAX if fixed is None else min(fixed, COMM_MAX)
            self._report_too_long(text, items, text.value[:longest] if is_literal_head else None)
            return False
        is_path = self.kind in (Kind.PATH, Kind.FILE)
        if is_path and text.value[:1] not in (b"/", b"*", b"?", b"["):
            message = f"{self._what} must begin with `/`; this can never match"
            self.context.report.error(codes.BAD_PATH, message, text.span, secondary=items.used_here)
            return False
        if self.kind is Kind.PATH:
            self._warn_of_mount(text, items)
        return True

    def _warn_of_lookalikes(self, text: ast.Text, items: Items) -> None:
        found = lookalikes.in_latin(text.span.text)
        if found is None:
            return
        odd, spelled = found
        shown, alike = lookalikes.name(odd), lookalikes.plain(odd)
        self.context.report.warning(
            codes.ODD_STRING,
            f"{shown} among Latin letters, which looks like `{alike}`",
            text.span,
            secondary=items.used_here,
            hint=write(spelled, "; if this letter is meant, write its bytes as `\\xHH`"),
        )

    def _warn_of_braces(self, text: ast.Text, items: Items) -> None:
        """Shells expand `{a,b}`; here it stands for itself."""
        found = re.search(rb"\{([^{}]*,[^{}]*)\}", text.value)
        if found is None:
            return
        head, tail = text.value[: found.start()], text.value[found.end() :]
        listed = ", ".join(quote(head + part + tail) for part in found[1].split(b","))
        self.context.report.warning(
            codes.ODD_STRING,
            "braces are literal characters in a glob",
            text.span,
            secondary=items.used_here,
            hint=write(f"[{listed}]") if self._is_single(text) else f"list the globs: `[{listed}]`",
        )

    def _is_path(self, text: ast.Text, items: Items, *, may_end_in_slash: bool) -> bool:
        problem = path_problem(text.value, may_end_in_slash=may_end_in_slash)
        if problem is None:
            self._warn_of_mount(text, items)
            if may_end_in_slash and "*" in text.span.text:
                path = text.value
                meant = f"{self._name} ~ {quote(path)}"
                if path.endswith(b"/*") and b"*" not in path[:-2]:
                    meant = f"{self._name} under {quote(path[:-2] or b'/')}"
                self._warn_of_glob(text, items, "under", meant)
            return True
        message = f"invalid {self._what.split(' ', 1)[1]}: {problem.why}"
        hint: str | tuple[str, ...] = ()
        if problem.instead:
            hint = write(quote(problem.instead.encode()))
        if self.kind is Kind.FILE and b"/" not in text.value:
            meant = f"{self._name} ~ {quote(b'*/' + literal_glob(text.value))}"
            operator = self.node.operator
            is_equal = operator is not None and operator.text == "==" and self._is_single(text)
            edits = [Edit(self.node.span, meant)] if is_equal else []
            hint = Help(f"for a program in any folder, write `{meant}`", edits=edits)
        self.context.report.error(
            codes.BAD_PATH, message, text.span, secondary=items.used_here, hint=hint
        )
        return False

    def _warn_of_mount(self, text: ast.Text, items: Items) -> None:
        if self.kind is not Kind.PATH:
            return
        inner = text.value.removeprefix(_MOUNT)
        if inner == text.value or inner[:1] not in (b"", b"/"):
            return
        self.context.report.warning(
            codes.ODD_STRING,
            "a cgroup path starts below `/sys/fs/cgroup`",
            text.span,
            secondary=items.used_here,
            hint=write(quote(inner or b"/")),
        )

    def _warn_of_glob(self, text: ast.Text, items: Items, operator: str, meant: str) -> None:
        edits = [Edit(self.node.span, meant)] if self._is_single(text) else []
        self.context.report.warning(
            codes.ODD_STRING,
            f"`*` is a literal character with `{operator}`",
            text.span,
            secondary=items.used_here,
            hint=Help(f"write `{meant}`", edits=edits) if edits else f"write `{meant}`",
        )

    def _is_single(self, text: ast.Text) -> bool:
        """Whether the comparison is with this string alone."""
        return self.node.operand is not None and self.node.operand.span == text.span

    def _report_too_long(self, text: ast.Text, items: Items, head: bytes | None) -> None:
        name = self._name
        hint: tuple[str, ...] = ()
        if head is not None:
            glob = f"{name} ~ {quote(head + b'*')}"
            said = f"to match the shortened name, write `{glob}`"
            operator = self.node.operator
            is_equal = operator is not None and operator.text in ("==", "~")
            edits = [Edit(self.node.span, glob)] if is_equal and self._is_single(text) else []
            hint = (Help(said, edits=edits) if edits else said,)
        self.context.report.error(
            codes.NAME_TOO_LONG,
            f"`{name}` can never match this: it has at most {COMM_MAX} bytes",
            text.span,
            f"{len(text.value)} bytes",
            secondary=items.used_here,
            hint=hint,
            note="the kernel truncates thread names to 15 bytes",
        )

    def _report_long_argument(self, text: ast.Text, items: Items) -> None:
        self.context.report.error(
            codes.NAME_TOO_LONG,
            f"`cmdline` can never match this: {ARGUMENT_MAX} bytes of an argument are compared",
            text.span,
            f"{len(text.value)} bytes",
            secondary=items.used_here,
            hint="compare how it begins, with a glob that ends in `*`",
        )

    def _wrong_value(
        self, message: str, text: ast.Text, items: Items, hint: tuple[str, ...]
    ) -> None:
        self.context.report.error(
            codes.WRONG_VALUE, message, text.span, secondary=items.used_here, hint=hint
        )

    def _wrong_operator(self, operator: ast.Word, message: str, hint: str) -> None:
        self.context.report.error(codes.WRONG_OPERATOR, message, operator.span, hint=hint)

    @property
    def _what(self) -> str:
        """The meaning of a path, with an article."""
        return "a cgroup path" if self.kind is Kind.PATH else "a path of a program"

    @property
    def _name(self) -> str:
        return str(self.subject.field.value)


def _unit_meant(name: str) -> str:
    """Help for a name that is neither a service's nor a scope's."""
    stem, dot, _ = name.rpartition(".")
    if name.endswith(".slice"):
        # `a-b.slice` is the child of `a.slice`.
        parts = stem.split("-")
        heads = ("-".join(parts[: i + 1]) for i in range(len(parts)))
        path = "/".join(f"{head}.slice" for head in heads)
        return f'write `cgroup under "/{path if all(parts) else ""}"`'
    if name.endswith(_STARTERS):
        service = quote(f"{stem}.service".encode())
        return write(service, f", what the `{dot}{name.rpartition('.')[2]}` starts")
    if "*" in name:
        return f"write `unit ~ {quote(f'{name}.service'.encode())}`"
    return write(quote(f"{name}.service".encode()))


def parse_glob(text: ast.Text, report: Collector) -> tuple[globs.Atom, ...] | None:
    """Returns the atoms of a glob; None after an error."""
    try:
        return globs.parse(text.value)
    except globs.GlobError as error:
        span = inside(text, error.start, error.end)
        hint = write("[!") if span.text == "[^" else ()
        report.error(codes.BAD_GLOB, f"malformed glob: {error}", span, hint=hint)
        return None


def inside(text: ast.Text, start: int, end: int) -> Span:
    """Returns the place of bytes of a string's value; the whole string if it has escapes."""
    span = text.span
    if len(span.text) != len(text.value) + 2:
        return span
    return Span(span.source, span.start + 1 + start, span.start + 1 + end)


def literal_glob(value: bytes) -> bytes:
    """Returns a glob that matches only this value."""
    return b"".join(b"[%c]" % byte if byte in b"*?[" else b"%c" % byte for byte in value)
