# SPDX-License-Identifier: Apache-2.0
"""`gthulhuc`: from a policy to a BPF object, or to any stage on the way."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhuc import __version__
from gthulhuc.cli import reporting, shared
from gthulhuc.cli.shared import CommandError

if TYPE_CHECKING:
    from gthulhuc import checked
    from gthulhuc.diagnostics import Diagnostic
    from gthulhuc.ir import Ir
    from gthulhuc.source import Source

_DESCRIPTION = "Compile a scheduling policy into a sched_ext scheduler for Linux."
_EPILOG = """\
examples:
  gthulhuc policy.gpl                       writes policy.bpf.o
  gthulhuc policy.gpl -o /etc/policy.bpf.o
  gthulhuc policy.gpl --emit c              prints the scheduler's C
  gthulhuc - -o out.bpf.o < policy.gpl      reads standard input

exit status: 0 done, 1 the policy has errors, 2 usage, tool chain or an unreadable file

`gthulhu check` only checks, `gthulhu run` loads an object.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    gc.disable()  # all that is made here is needed to the end, and nothing of it is a cycle
    options = make_parser().parse_args(argv)
    return shared.guarded(lambda: _compile(options))


def make_parser() -> argparse.ArgumentParser:
    """All options; help, completion and the manual page come from here."""
    parser = argparse.ArgumentParser(
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
        help="where to write; - for standard output (default: FILE with .bpf.o for the object, "
        "in the current folder; standard output for all else)",
    )
    parser.add_argument(
        "--emit",
        choices=("ast", "ir", "c", "o"),
        default="o",
        help="the stage to write: syntax tree and IR as JSON, C, or the object (default)",
    )
    reporting.add_options(parser)
    parser.add_argument("--version", action="version", version=f"gthulhuc {__version__}")
    return parser


def _compile(options: argparse.Namespace) -> int:
    if options.emit == "o" and options.output is None and options.file == shared.STDIO:
        raise CommandError("the object needs a name", "give it with -o OUT")
    source, found = shared.read_source(options.file)
    if options.emit == "ast":
        return _emit_ast(source, found, options)

    from gthulhuc.frontend import check

    policy, problems = check(source, target=reporting.target_of(options))
    if policy is not None and options.emit in {"c", "o"}:
        from gthulhuc.plan import supported

        problems = [*problems, *supported.refuse(policy)]
    code = reporting.report([*found, *problems], source.name, options)
    if code != shared.OK or policy is None:
        return code
    return _plan(policy, source, options)


def _plan(policy: checked.Policy, source: Source, options: argparse.Namespace) -> int:
    from gthulhuc import plan

    _spare_sources(options.output, [part.source.name for part in policy.sources])
    try:
        intermediate = plan.build(policy)
    except plan.PlanError as error:
        return reporting.report(error.diagnostics, source.name, options)
    _emit(intermediate, options)
    return shared.OK


def _emit_ast(source: Source, found: list[Diagnostic], options: argparse.Namespace) -> int:
    from gthulhuc.frontend import parse
    from gthulhuc.syntax.dump import to_json

    file, problems = parse(source)
    code = reporting.report([*found, *problems], source.name, options)
    if code == shared.OK and file is not None:
        _spare_sources(options.output, [source.name])
        shared.write_file(options.output or shared.STDIO, to_json(file).encode())
    return code


def _spare_sources(output: str | None, sources: list[str]) -> None:
    """Raises CommandError if the output would take the place of a file that was read."""
    for source in sources:
        both = output and Path(output).exists() and Path(source).exists()
        if output and both and Path(output).samefile(source):
            raise CommandError(
                f"{output} is a source of this policy", "give the output another name with -o"
            )


def _emit(intermediate: Ir, options: argparse.Namespace) -> None:
    if options.emit == "ir":
        from gthulhuc import ir

        shared.write_file(options.output or shared.STDIO, ir.to_json(intermediate).encode())
        return

    from gthulhuc import codegen

    c_text = codegen.render(intermediate)
    if options.emit == "c":
        shared.write_file(options.output or shared.STDIO, c_text.encode())
        return
    output = options.output or Path(options.file).with_suffix(".bpf.o").name
    _emit_object(c_text, output)


def _emit_object(c_text: str, output: str) -> None:
    from gthulhuc import codegen

    def build(scratch: Path) -> None:
        codegen.compile_object(c_text, scratch)

    try:
        if output == shared.STDIO:
            _build_to_stdout(build)
        else:
            shared.make_file(Path(output), build)
    except codegen.ToolchainError as error:
        raise CommandError(str(error), error.help) from error


def _build_to_stdout(build: Callable[[Path], None]) -> None:
    import tempfile

    if sys.stdout.isatty():
        raise CommandError("an object is nothing for a terminal", "give it a name with -o OUT")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder) / "policy.bpf.o"
        build(scratch)
        shared.write_file(shared.STDIO, scratch.read_bytes())


if __name__ == "__main__":
    sys.exit(main())
