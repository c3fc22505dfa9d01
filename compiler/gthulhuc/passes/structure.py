# SPDX-License-Identifier: Apache-2.0
"""Checks how often, and where, blocks and statements occur.

Afterwards there is one policy block (or an error) and at most one `default`. No block has a
statement twice, every rule has a `match`, and `default` has only what is allowed there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath

from gthulhuc import actions
from gthulhuc.diagnostics import Collector, Help, Label, codes
from gthulhuc.diagnostics.suggest import remove
from gthulhuc.passes.draft import Draft, DraftRule
from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast


def split_file(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with the file's policy block, rules and `default`."""
    policies = [item for item in draft.file.items if isinstance(item, ast.PolicyBlock)]
    defaults = [item for item in draft.file.items if isinstance(item, ast.DefaultBlock)]
    rules = [item for item in draft.file.items if isinstance(item, ast.RuleBlock)]
    if not policies and draft.file.is_whole:
        _report_no_policy(draft.file, report)
    _only_one("policy", policies, report)
    _only_one("default", defaults, report)
    return replace(
        draft,
        policy=policies[0] if policies else None,
        default_block=_check_default(defaults[0], report) if defaults else None,
        rules=tuple(DraftRule(_check_rule(rule, report)) for rule in rules),
    )


def _report_no_policy(file: ast.File, report: Collector) -> None:
    what = "has no `policy` block" if file.items else "is empty"
    report.error(
        codes.NO_POLICY,
        f"the file {what}",
        Span(file.source, 0, 0),
        hint=Help("begin it with `policy NAME`", f"policy {_name_for(file.source)}\n\n"),
    )


def _name_for(source: Source) -> str:
    """A name for the policy in a file, after the file's."""
    stem = PurePath(source.name).stem
    return stem if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", stem) else "unnamed"


def _only_one(
    word: str, blocks: list[ast.PolicyBlock] | list[ast.DefaultBlock], report: Collector
) -> None:
    for block in blocks[1:]:
        report.error(
            codes.DUPLICATE_BLOCK,
            f"a second `{word}` block",
            _head(block.span, word),
            secondary=[Label(_head(blocks[0].span, word), "first defined here")],
        )


def _check_rule(rule: ast.RuleBlock, report: Collector) -> ast.RuleBlock:
    statements = each_once(rule.statements, report)
    if rule.is_whole and not any(isinstance(item, ast.Match) for item in statements):
        report.error(
            codes.NO_MATCH,
            f"rule `{rule.name.text}` has no `match`",
            rule.name.span,
            hint='add a match, such as `match comm == "sshd"`; '
            "actions for all other tasks go into `default`",
        )
    return rule if len(statements) == len(rule.statements) else replace(rule, statements=statements)


def _check_default(block: ast.DefaultBlock, report: Collector) -> ast.DefaultBlock:
    kept = []
    for statement in each_once(block.statements, report):
        word = actions.name_of(statement)
        if why := actions.BY_NAME[word].not_in_default:
            _refuse_in_default(word, statement.span, statement.span, why, report)
        elif (
            isinstance(statement, ast.Cpus)
            and statement.modifier
            and statement.modifier.text == "exclusive"
        ):
            why = "exclusive CPUs belong to a rule, and `default` is not a rule"
            extra = statement.modifier.span
            _refuse_in_default("exclusive", extra, extra, why, report)
        else:
            kept.append(statement)
    return replace(block, statements=tuple(kept))


def _refuse_in_default(word: str, span: Span, extra: Span, why: str, report: Collector) -> None:
    """Refuses a word at a place, with which `extra` would go."""
    report.error(
        codes.NOT_IN_DEFAULT,
        f"`{word}` is not allowed in `default`",
        _head(span, word),
        hint=remove(extra, "remove it"),
        note=why,
    )


def each_once(
    statements: tuple[ast.Statement, ...], report: Collector
) -> tuple[ast.Statement, ...]:
    """Returns the statements of a block without repetitions, which it reports."""
    first: dict[str, ast.Statement] = {}
    for statement in statements:
        word = actions.name_of(statement)
        before = first.setdefault(word, statement)
        if before is statement:
            continue
        is_match = isinstance(statement, ast.Match)
        report.error(
            codes.DUPLICATE_STATEMENT,
            f"`{word}` appears twice in this block",
            _head(statement.span, word),
            secondary=[Label(_head(before.span, word), "first used here")],
            hint="join the two predicates with `and` or `or`" if is_match else (),
        )
    return tuple(first.values())


def _head(span: Span, word: str) -> Span:
    return Span(span.source, span.start, span.start + len(word))
