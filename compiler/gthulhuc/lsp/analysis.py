# SPDX-License-Identifier: Apache-2.0
"""Analyses a text that is being edited."""

from __future__ import annotations

from typing import TypeAlias

from gthulhuc import checked, frontend, includes
from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.includes import Loader
from gthulhuc.records import dataclass
from gthulhuc.source import Source
from gthulhuc.syntax import ast
from gthulhuc.syntax.parse import parse

Definition: TypeAlias = ast.SetItem | ast.Tunable | ast.RuleBlock


@dataclass(frozen=True, slots=True)
class Analysis:
    """A text, its diagnostics, the definitions of it and its libraries, and the policy, if any.

    `own` are the items of the text itself, including its includes.
    """

    source: Source
    problems: tuple[Diagnostic, ...]
    own: tuple[ast.Item, ...]
    definitions: dict[str, Definition]
    policy: checked.Policy | None


def analyse(source: Source, load: Loader) -> Analysis:
    """Returns the analysis of a text; `load` returns the content of included files."""
    policy, problems = frontend.check(source, load=load, tests=False)
    if policy is not None:  # hover knows its classes although a test fails
        problems += frontend.try_tests(policy)
    silent = Collector()
    file = parse(source, silent)
    own = () if file is None else file.items
    items = own
    if file is not None:
        items = includes.expand(file, silent, load, _decode, parse).items
    if own and not any(isinstance(item, ast.PolicyBlock) for item in own):
        # A file without `policy` may be a library, which is checked through its includers.
        quiet = (codes.NO_POLICY, codes.UNUSED)
        problems = [problem for problem in problems if problem.code not in quiet]
    return Analysis(source, tuple(problems), own, _definitions(items), policy)


def _decode(name: str, data: bytes, report: Collector) -> Source:
    source, problems = frontend.decode(name, data)
    del problems, report  # reported when the text itself is checked
    return source


def _definitions(items: tuple[ast.Item, ...]) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for item in items:
        if isinstance(item, Definition):
            found.setdefault(item.name.text, item)
    return found
