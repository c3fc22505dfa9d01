# SPDX-License-Identifier: Apache-2.0
"""Collects definitions by name; sets, tunables and rules share one namespace.

Afterwards `names` holds the first definition of each name. No two differ only in `-` and `_`, and
none hides a field.
"""

from __future__ import annotations

from dataclasses import replace

from gthulhuc.diagnostics import Collector, Edit, Help, Label, codes
from gthulhuc.fields import FIELDS
from gthulhuc.passes.draft import Definition, Draft
from gthulhuc.source import Span
from gthulhuc.syntax import ast

_KIND = {ast.SetItem: "set", ast.Tunable: "tunable", ast.RuleBlock: "rule"}


def define(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with the definitions of the file in `names`."""
    names: dict[str, Definition] = {}
    alike: dict[str, Definition] = {}
    for item in draft.file.items:
        if not isinstance(item, ast.SetItem | ast.Tunable | ast.RuleBlock):
            continue
        name = item.name.text
        if _is_reserved(item, report):
            continue
        before = alike.setdefault(name.replace("-", "_"), item)
        if before is not item:
            _report_taken(item, before, report)
        names.setdefault(name, item)
    return replace(draft, names=names)


def _is_reserved(item: Definition, report: Collector) -> bool:
    name = item.name.text
    if isinstance(item, ast.RuleBlock):
        if name != "default":
            return False
        message = "a rule cannot be named `default`"
        head = Span(item.span.source, item.span.start, item.name.span.end)
        said = "write `default {` for all other tasks"
        hint: str = Help(said, edits=[Edit(head, "default")])
    elif name in FIELDS:
        message, hint = f"`{name}` is the name of a field", "choose another name"
    else:
        return False
    report.error(codes.RESERVED_NAME, message, item.name.span, hint=hint)
    return True


def _report_taken(item: Definition, before: Definition, report: Collector) -> None:
    name = item.name.text
    first = Label(before.name.span, f"first defined here, as a {_KIND[type(before)]}")
    if before.name.text == name:
        report.error(
            codes.DUPLICATE_NAME,
            f"name `{name}` is defined twice",
            item.name.span,
            secondary=[first],
        )
    else:
        report.error(
            codes.CONFUSABLE_NAME,
            f"`{name}` and `{before.name.text}` differ only in `-` and `_`",
            item.name.span,
            secondary=[first],
        )
