# SPDX-License-Identifier: Apache-2.0
"""Lowers one comparison of a field with a value, by the kind of the field."""

from __future__ import annotations

import re

from gthulhuc import checked
from gthulhuc.checked import Subject
from gthulhuc.diagnostics import Edit, Help, codes
from gthulhuc.fields import ARGUMENTS_MAX, FIELDS, LABEL_KEY_MAX, Field, Kind
from gthulhuc.passes.reading.numbers import number_comparison
from gthulhuc.passes.reading.operands import Context
from gthulhuc.passes.reading.strings import string_comparison
from gthulhuc.passes.reading.values import COUNT, UNITS_NS
from gthulhuc.syntax import ast

# Classification reads the window; one of less than a millisecond would be over by then.
WITHIN_NS = (UNITS_NS["ms"], 3600 * UNITS_NS["s"])
_LAST_ARGUMENT = ARGUMENTS_MAX - 1
# Later passes look boxes up by subject; to find the same object is faster than an equal one.
_SUBJECTS = {field: Subject(field) for field in Field}
# KSYM_NAME_LEN; names with a dot are the compiler's clones (`foo.isra.0`).
FUNCTION = re.compile(rb"[A-Za-z_][A-Za-z0-9_.]{0,510}")


def lower_comparison(node: ast.Comparison, context: Context) -> checked.Predicate | None:
    """Returns the checked form of a comparison with a field; None after an error."""
    field = FIELDS[node.field.text]
    match field.row.kind:
        case Kind.CALLS:
            return _calls(node, context)
        case Kind.FLAG:
            return _flag(node, field, context)
        case Kind.LABEL:
            return _label(node, context)
        case Kind.ARGUMENTS if node.argument is not None:
            return _argument(node, node.argument, context)
    if (extra := node.argument or node.within) is not None:
        message = f"`{field.value}` takes no argument before its operator"
        hint = f"write `{field.row.example}`"
        context.report.error(codes.WRONG_OPERATOR, message, extra.span, hint=hint)
        return None
    if node.operator is None or node.operand is None:
        message = f"`{field.value}` needs an operator and a value"
        hint = f"write `{field.row.example}`"
        context.report.error(codes.WRONG_OPERATOR, message, node.span, hint=hint)
        return None
    if field.row.kind in (Kind.ID, Kind.NUMBER):
        return number_comparison(node, field, context)
    return string_comparison(node, _SUBJECTS[field], context)


def _flag(node: ast.Comparison, field: Field, context: Context) -> checked.Predicate | None:
    extra = node.argument or node.within or node.operator
    if extra is None:
        return checked.Has(_SUBJECTS[field], node.span)
    message = f"`{field.value}` is true or false and takes no operator or value"
    plain = f"not {field.value}" if _is_negated(node) else field.value
    hint = Help(f"write `{plain}`", edits=[Edit(node.span, plain)])
    context.report.error(codes.WRONG_OPERATOR, message, extra.span, hint=hint)
    return None


def _is_negated(node: ast.Comparison) -> bool:
    """Whether a comparison with a truth value, as other languages have them, means `not`."""
    value = "" if node.operand is None else node.operand.span.text.strip("\"'").lower()
    is_equal = node.operator is not None and node.operator.text == "=="
    return (value in ("false", "no", "0")) == is_equal and value != ""


def _label(node: ast.Comparison, context: Context) -> checked.Predicate | None:
    wanted = f"write `{Field.LABEL.row.example}`"
    if not isinstance(node.argument, ast.Text):
        message = "`label` needs a key in double quotes"
        context.report.error(codes.WRONG_OPERATOR, message, node.field.span, hint=wanted)
        return None
    if node.within is not None:
        message = "`within` is valid only after `calls`"
        context.report.error(codes.WRONG_OPERATOR, message, node.within.span, hint=wanted)
        return None
    key = node.argument.value
    if not 0 < len(key) <= LABEL_KEY_MAX:
        message = f"a label key must have 1 to {LABEL_KEY_MAX} bytes"
        context.report.error(codes.WRONG_VALUE, message, node.argument.span)
        return None
    subject = Subject(Field.LABEL, key)
    if node.operator is None:
        return checked.Has(subject, node.span)
    return string_comparison(node, subject, context)


def _argument(
    node: ast.Comparison, place: ast.Text | ast.Number, context: Context
) -> checked.Predicate | None:
    """A comparison with one argument of the command line."""
    wanted = 'write `cmdline[0] == "nginx"`'
    if not isinstance(place, ast.Number):
        message = "one argument of `cmdline` is named by its number"
        context.report.error(codes.WRONG_OPERATOR, message, place.span, hint=wanted)
        return None
    if node.operator is None or node.operand is None:
        message = "an argument of `cmdline` needs an operator and a value"
        context.report.error(codes.WRONG_OPERATOR, message, node.span, hint=wanted)
        return None
    number = context.values.literal(place, "the number of an argument", COUNT, 0, _LAST_ARGUMENT)
    if number is None:
        return None
    return string_comparison(node, Subject(Field.CMDLINE, b"%d" % number), context)


def _calls(node: ast.Comparison, context: Context) -> checked.Predicate | None:
    wanted = f"write `{Field.CALLS.row.example}`"
    report = context.report
    if not isinstance(node.argument, ast.Text) or node.within is None:
        missing = "a function name in double quotes"
        if isinstance(node.argument, ast.Text):
            missing = "`within` and a duration"
        message = f"`calls` needs {missing}"
        report.error(codes.WRONG_OPERATOR, message, node.field.span, hint=wanted)
        return None
    if node.operator is not None:
        message = "`calls` is true or false and takes no operator or value"
        report.error(codes.WRONG_OPERATOR, message, node.operator.span, hint=wanted)
        return None
    is_fine = True
    if not FUNCTION.fullmatch(node.argument.value):
        message = "not a valid name of a kernel function"
        report.error(codes.WRONG_VALUE, message, node.argument.span, hint=wanted)
        is_fine = False
    if node.via is not None and node.via.text != "softirq":
        message = f"unknown word `{node.via.text}` after `via`"
        report.error(codes.UNKNOWN_WORD, message, node.via.span, hint="expected `softirq`")
        is_fine = False
    within_ns = context.values.fixed(node.within, "`within`", context.duration, *WITHIN_NS)
    if within_ns is None or not is_fine:
        return None
    function = node.argument.value.decode()
    return checked.Calls(function, within_ns, node.via is not None, node.span)
