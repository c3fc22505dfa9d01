# SPDX-License-Identifier: Apache-2.0
"""Analyses a text that is being edited."""

from __future__ import annotations

from collections.abc import Iterator

from gthulhuc import checked, frontend, plan
from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.includes import Loader, Parser
from gthulhuc.lsp.pieces import located_problem
from gthulhuc.lsp.program import Definition, Program, read
from gthulhuc.passes import pipeline
from gthulhuc.passes.memo import Memo
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
    *_, found = (step for step in steps(source, load, parser) if step is not None)
    return found


def steps(
    source: Source, load: Loader, parser: Parser = parse, memo: Memo | None = None
) -> Iterator[Analysis | None]:
    """Yields the analysis of a text bit by bit: None after each part of the work.

    `memo` has what was found about the text as it was before, if `parser` keeps parts of its tree.

    The first analysis has what the passes found. The last one has also what the plan and the tests
    found; it may be the first.
    """
    report = Collector()
    program = read(source, load, parser, report)
    yield None
    if program.file is None:
        yield Analysis(program, _problems(report, program), None)
        return
    stages = pipeline.stages(program.file, report, memo=memo)
    draft = next(stages)
    while (after := next(stages, None)) is not None:
        draft = after
        yield None
    policy = None if report.has_errors else pipeline.finished(draft)
    yield Analysis(program, _problems(report, program), policy)
    if policy is None:
        return
    try:
        plan.build(policy)
    except plan.PlanError as error:
        report.extend(error.diagnostics)
        policy = None
    else:
        yield None
        report.extend(frontend.try_tests(policy))  # hover knows its classes although one fails
    yield Analysis(program, _problems(report, program), policy)


def _problems(report: Collector, program: Program) -> tuple[Diagnostic, ...]:
    """The diagnostics in the order of their places in whole texts.

    A file without `policy` may be a library, which is checked through its includers.
    """
    own = program.own
    is_library = own and not any(isinstance(item, ast.PolicyBlock) for item in own)
    quiet = (codes.NO_POLICY, codes.UNUSED) if is_library else ()
    found = Collector()
    found.extend(located_problem(each) for each in report.sorted() if each.code not in quiet)
    return tuple(found.sorted())
