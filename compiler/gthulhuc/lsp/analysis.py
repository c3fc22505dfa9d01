# SPDX-License-Identifier: Apache-2.0
"""Analyses a text that is being edited."""

from __future__ import annotations

from gthulhuc import checked, frontend
from gthulhuc.diagnostics import Diagnostic, codes
from gthulhuc.includes import Loader, Parser
from gthulhuc.lsp.program import Definition, Program, read
from gthulhuc.records import dataclass
from gthulhuc.source import Source
from gthulhuc.syntax import ast
from gthulhuc.syntax.parse import parse


@dataclass(frozen=True, slots=True)
class Analysis:
    """A program, its diagnostics, and the policy, if any."""

    program: Program
    problems: tuple[Diagnostic, ...]
    policy: checked.Policy | None

    @property
    def source(self) -> Source:
        """The text."""
        return self.program.source

    @property
    def definitions(self) -> dict[str, Definition]:
        """The definitions of the text and its libraries."""
        return self.program.definitions


def analyse(source: Source, load: Loader, parser: Parser = parse) -> Analysis:
    """Returns the analysis of a text; `load` returns the content of included files."""
    policy, problems = frontend.check(source, load=load, tests=False)
    if policy is not None:  # hover knows its classes although a test fails
        problems += frontend.try_tests(policy)
    program = read(source, load, parser)
    own = program.own
    if own and not any(isinstance(item, ast.PolicyBlock) for item in own):
        # A file without `policy` may be a library, which is checked through its includers.
        quiet = (codes.NO_POLICY, codes.UNUSED)
        problems = [problem for problem in problems if problem.code not in quiet]
    return Analysis(program, tuple(problems), policy)
