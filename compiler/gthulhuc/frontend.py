# SPDX-License-Identifier: Apache-2.0
"""Turns a file into a checked policy and its IR.

The parser is imported only when something is parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.source import Source, Span

if TYPE_CHECKING:
    from gthulhuc import checked, ir
    from gthulhuc.includes import Loader
    from gthulhuc.syntax import ast
    from gthulhuc.target import Target


def decode(name: str, data: bytes) -> tuple[Source, list[Diagnostic]]:
    """Returns the source in a file's bytes, and an error for text that is not UTF-8."""
    report = Collector()
    return _decode(name, data, report), report.sorted()


def parse(source: Source) -> tuple[ast.File | None, list[Diagnostic]]:
    """Returns the AST of a source (None if it cannot be parsed), and diagnostics."""
    from gthulhuc.syntax.parse import parse as parse_source

    report = Collector()
    file = parse_source(source, report) if source.is_text else None
    return file, report.sorted()


def check(
    source: Source, *, load: Loader | None = None, target: Target | None = None, tests: bool = True
) -> tuple[checked.Policy | None, list[Diagnostic]]:
    """Returns the checked policy (None after an error), and all diagnostics in order of place.

    `load` returns the content of included files (None reads them from disk); `target` is the
    machine to check the policy's CPUs against; `tests`: its `test` blocks must hold. A policy
    without errors can be compiled.
    """
    policy, _, problems = to_ir(source, load=load, target=target, tests=tests)
    return policy, problems


def try_tests(policy: checked.Policy) -> list[Diagnostic]:
    """Returns an error for each line of a `test` block whose task has another rule."""
    if not policy.tests:
        return []
    from gthulhuc import testing

    report = Collector()
    testing.check(policy, report)
    return report.sorted()


def to_ir(
    source: Source, *, load: Loader | None = None, target: Target | None = None, tests: bool = True
) -> tuple[checked.Policy | None, ir.Ir | None, list[Diagnostic]]:
    """Returns what `check` does, and the IR; policy and IR are None after an error."""
    from gthulhuc import plan

    report = Collector()
    policy = _checked(source, report, load, target)
    if policy is None:
        return None, None, report.sorted()
    try:
        planned = plan.build(policy)
    except plan.PlanError as error:
        report.extend(error.diagnostics)
        return None, None, report.sorted()
    if tests and (failed := try_tests(policy)):
        report.extend(failed)
        return None, None, report.sorted()
    return policy, planned, report.sorted()


def _checked(
    source: Source, report: Collector, load: Loader | None, target: Target | None
) -> checked.Policy | None:
    """The policy of a source after the passes, without its syntax tree; None after an error."""
    from gthulhuc import includes, regular
    from gthulhuc.passes.pipeline import run
    from gthulhuc.syntax.parse import parse as parse_source

    file = parse_source(source, report) if source.is_text else None
    if file is None:
        return None
    return run(
        includes.expand(file, report, load or regular.read, _decode, parse_source), report, target
    )


_BINARY = {
    b"\x7fELF": "an object file",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}
_MOST_NULS = 0.05
"""The share of NUL bytes of which text may have less by mistake."""


def _decode(name: str, data: bytes, report: Collector) -> Source:
    text = data.decode("utf-8-sig", errors="replace")
    kind = next((kind for magic, kind in _BINARY.items() if data.startswith(magic)), None)
    nuls = data[:1024].count(0) / (len(data[:1024]) or 1)
    if kind is None and nuls > _MOST_NULS:
        # Text in UTF-16 without a mark has a NUL in every other byte.
        kind = "text in UTF-16" if 0.4 < nuls < 0.6 else "binary"
    if kind is not None:
        report.error(
            codes.NOT_A_POLICY,
            f"the file is {kind}, not a policy",
            Span(Source(name, ""), 0, 0),
            hint="save it as UTF-8" if "text" in kind else "name the policy's source",
        )
        return Source(name, "", is_text=False)
    source = Source(name, text)
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The decoder strips the byte order mark first, so its positions count from after it.
        good = error.object[: error.start].decode("utf-8")
        at = len(good)
        report.error(
            codes.INVALID_UTF8,
            f"the file is not valid UTF-8: byte 0x{error.object[error.start]:02x}",
            Span(source, at, at + 1),
            hint="save it as UTF-8",
        )
    return source
