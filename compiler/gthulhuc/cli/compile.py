# SPDX-License-Identifier: Apache-2.0
"""`gthulhuc`: compiles a policy to a BPF object, or to any stage before it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gthulhuc.cli import frame

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from gthulhuc.diagnostics import Diagnostic
    from gthulhuc.ir import Ir
    from gthulhuc.source import Source

_DESCRIPTION = "Compile a scheduling policy into a sched_ext scheduler for Linux."
_EPILOG = """\
examples:
  gthulhuc policy.gpl                       writes policy.bpf.o
  gthulhuc policy.gpl -o /etc/policy.bpf.o
  gthulhuc policy.gpl --emit c              prints the scheduler's C code
  gthulhuc - -o out.bpf.o < policy.gpl      reads standard input

exit status: 0 done, 1 the policy has errors, 2 usage, tool chain or an unreadable file

`gthulhu check` only checks a policy, `gthulhu run` loads an object.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    return frame.guarded(lambda: _run(argv))


def _run(argv: Sequence[str] | None) -> int:
    import gc

    gc.disable()  # the data lives to the end and has no reference cycles
    return _compile(make_parser().parse_args(argv))


def make_parser() -> argparse.ArgumentParser:
    """The parser with all options; help, completion and the manual page use it."""
    import argparse

    from gthulhuc import __version__
    from gthulhuc.cli import reporting
    from gthulhuc.cli.commands import Parser

    parser = Parser(
        prog="gthulhuc",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="the policy; - for standard input")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="the output file; - for standard output (default: an object goes to FILE with .bpf.o "
        "in the current folder, all else to standard output)",
    )
    parser.add_argument(
        "--emit",
        choices=("ast", "ir", "c", "o"),
        default="o",
        help="the stage to write: syntax tree (ast) or IR as JSON, C code, or the object (default)",
    )
    add_options(parser)
    reporting.add_options(parser)
    parser.add_argument("--version", action="version", version=f"gthulhuc {__version__}")
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of every command that compiles an object."""
    parser.add_argument(
        "--stats",
        action="store_true",
        help="make the scheduler keep counters for each rule, for `gthulhu stats`; a switch "
        "between tasks then takes about 3 %% longer",
    )
    parser.add_argument(
        "--monitor",
        action="store_true",
        help="classify and count tasks, as with --stats, without scheduling them: the kernel's own "
        "scheduler still runs them. Needs a policy's source, not an object",
    )


def _compile(options: argparse.Namespace) -> int:
    from gthulhuc.cli import shared

    if options.emit == "o" and options.output is None and options.file == shared.STDIO:
        raise shared.CommandError(
            "an object from standard input needs a file name", "give it with -o OUT"
        )
    source, found = shared.read_source(options.file)
    if options.emit == "ast":
        return _emit_ast(source, found, options)
    code, planned = _planned(source, found, options)
    if planned is not None:
        intermediate, sources = planned
        _write(_product(intermediate, options), sources, options)
    return code


def build(source: Source, found: list[Diagnostic], options: argparse.Namespace) -> bytes | int:
    """Compiles a policy and prints its problems; returns the object, or the exit code on errors.

    Raises CommandError.
    """
    code, planned = _planned(source, found, options)
    return code if planned is None else _object(planned[0], options)


def _planned(
    source: Source, found: list[Diagnostic], options: argparse.Namespace
) -> tuple[int, tuple[Ir, list[str]] | None]:
    """The exit code for a policy's problems and, without errors, its IR and its files."""
    from gthulhuc import frontend
    from gthulhuc.cli import reporting

    target = reporting.target_of(options)
    policy, intermediate, problems = frontend.to_ir(source, target=target)
    code = reporting.report([*found, *problems], source.name, options)
    if code != frame.OK or policy is None or intermediate is None:
        return code, None
    return code, (intermediate, [part.source.name for part in policy.sources])


def _emit_ast(source: Source, found: list[Diagnostic], options: argparse.Namespace) -> int:
    from gthulhuc.cli import reporting
    from gthulhuc.frontend import parse
    from gthulhuc.syntax.dump import to_json

    file, problems = parse(source)
    code = reporting.report([*found, *problems], source.name, options)
    if code == frame.OK and file is not None:
        _write(to_json(file).encode(), [source.name], options)
    return code


def _product(intermediate: Ir, options: argparse.Namespace) -> bytes:
    if options.emit == "ir":
        from gthulhuc import ir

        return ir.to_json(intermediate).encode()

    from gthulhuc import codegen

    c_text = codegen.render(intermediate, stats=options.stats, monitor=options.monitor)
    return c_text.encode() if options.emit == "c" else _compiled(c_text)


def _object(intermediate: Ir, options: argparse.Namespace) -> bytes:
    from gthulhuc import codegen

    return _compiled(codegen.render(intermediate, stats=options.stats, monitor=options.monitor))


def _compiled(c_text: str) -> bytes:
    from gthulhuc import codegen

    try:
        return codegen.compile_object(c_text)
    except codegen.ToolchainError as error:
        raise frame.CommandError(str(error), error.help) from error


def _write(product: bytes, sources: list[str], options: argparse.Namespace) -> None:
    """Writes the product, but never over one of its sources. Raises CommandError."""
    from gthulhuc.cli import shared

    output = options.output
    if output is None:
        output = shared.STDIO if options.emit != "o" else _object_name(options.file)
    if output == shared.STDIO:
        if options.emit == "o" and sys.stdout.isatty():
            raise shared.CommandError(
                "refusing to write an object to a terminal", "name a file with -o OUT"
            )
    elif any(shared.is_same(output, source) for source in sources):
        raise shared.CommandError(
            f"refusing to overwrite {output}, a source of this policy",
            "name another file with -o",
        )
    shared.write_file(output, product)


def _object_name(file: str) -> str:
    from pathlib import Path

    return Path(file).with_suffix(".bpf.o").name


if __name__ == "__main__":
    sys.exit(main())
