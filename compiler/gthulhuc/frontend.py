# SPDX-License-Identifier: Apache-2.0
"""From a file to a checked policy.

The parser's runtime is imported only when something is parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.source import Source, Span

if TYPE_CHECKING:
    from gthulhuc import checked
    from gthulhuc.passes.includes import Loader
    from gthulhuc.syntax import ast
    from gthulhuc.target import Target


def decode(name: str, data: bytes) -> tuple[Source, list[Diagnostic]]:
    """The source in a file's bytes; text that is not UTF-8 gives an error with its place."""
    report = Collector()
    return _decode(name, data, report), report.sorted()


def parse(source: Source) -> tuple[ast.File | None, list[Diagnostic]]:
    """The AST of a source, and what is wrong with its form."""
    from gthulhuc.syntax.parse import parse as parse_source

    report = Collector()
    file = parse_source(source, report)
    return file, report.sorted()


def check(
    source: Source, *, load: Loader | None = None, target: Target | None = None
) -> tuple[checked.Policy | None, list[Diagnostic]]:
    """The checked policy, None when there is an error; and all diagnostics by their place.

    `load` gives the content of included files (from disk when it is None), and `target` is the
    machine whose CPUs the policy is checked against.
    """
    from gthulhuc import regular
    from gthulhuc.passes import includes
    from gthulhuc.passes.pipeline import run
    from gthulhuc.syntax.parse import parse as parse_source

    report = Collector()
    file = parse_source(source, report)
    if file is None:
        return None, report.sorted()
    whole = includes.expand(file, report, load or regular.read, _decode, parse_source)
    return run(whole, report, target), report.sorted()


def _decode(name: str, data: bytes, report: Collector) -> Source:
    text = data.decode("utf-8-sig", errors="replace")
    source = Source(name, text)
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The decoder strips the mark before it counts, so its positions are those of the rest.
        good = error.object[: error.start].decode("utf-8")
        at = len(good)
        report.error(
            codes.INVALID_UTF8,
            f"the file is not valid UTF-8: byte 0x{error.object[error.start]:02x}",
            Span(source, at, at + 1),
            hint="save it as UTF-8",
        )
    return source
