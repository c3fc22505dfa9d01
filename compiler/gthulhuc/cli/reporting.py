# SPDX-License-Identifier: Apache-2.0
"""Options and output of all commands that check policies: `--format`, `-W`, `--target`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gthulhuc.cli import shared
from gthulhuc.cli.shared import CommandError

if TYPE_CHECKING:
    from gthulhuc.diagnostics import Diagnostic
    from gthulhuc.target import Target

FORMATS = ("human", "short", "json", "sarif", "github")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a command that reports problems in policies."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="human",
        help="the output of problems: for people (default), one line each, JSON, SARIF 2.1.0, or "
        "annotations of a GitHub workflow",
    )
    parser.add_argument(
        "-W",
        dest="warnings",
        metavar="WHAT",
        action="append",
        default=[],
        help="`-W no-NAME` hides a warning, `-W NAME` shows it again, `-W error=NAME` makes it an "
        "error, `-W error` makes all of them errors; NAME may be `all`",
    )
    parser.add_argument(
        "--target",
        metavar="MACHINE",
        help="check CPUs against a machine: `cpus=64`, `host`, or a JSON file with `cpus`, "
        "`nodes`, `llcs`, `fast` and `slow`",
    )
    parser.add_argument(
        "--explain",
        metavar="CODE",
        action=_Explain,
        help="explain a code such as GPL0206, with examples, and exit",
    )
    shared.add_common_options(parser)


def target_of(options: argparse.Namespace) -> Target | None:
    """The machine that `--target` names. Raises CommandError."""
    if options.target is None:
        return None
    from gthulhuc.target import TargetError, read_target

    try:
        return read_target(options.target)
    except TargetError as error:
        hint = "give `cpus=64`, `host`, or a JSON file"
        raise CommandError(str(error), hint) from error


def selected(diagnostics: Sequence[Diagnostic], options: argparse.Namespace) -> list[Diagnostic]:
    """The diagnostics after `-W`. Raises CommandError for an unknown warning."""
    if not options.warnings:
        return list(diagnostics)
    from gthulhuc.diagnostics.selection import UnknownWarningError, select

    try:
        return select(options.warnings).apply(diagnostics)
    except UnknownWarningError as error:
        raise CommandError(f"-W: {error}", error.hint) from error


def report(diagnostics: Sequence[Diagnostic], name: str, options: argparse.Namespace) -> int:
    """Prints the selected diagnostics; returns their exit code.

    Text for people goes to standard error. Formats for programs go to standard output, unless the
    command's product goes there.
    """
    found = selected(diagnostics, options)
    if options.format == "human":
        return shared.show(found, name, options.color)
    write(found, options)
    return shared.status(found)


def write(found: Sequence[Diagnostic], options: argparse.Namespace) -> None:
    """Prints diagnostics in a format for programs."""
    from gthulhuc.diagnostics import machine

    writers = {
        "short": machine.short,
        "json": machine.as_json,
        "sarif": machine.sarif,
        "github": machine.github,
    }
    text = writers[options.format](found)
    put = shared.err if _is_taken(options) else shared.out
    put(text.encode(errors="replace"))


def _is_taken(options: argparse.Namespace) -> bool:
    """Whether the command's product goes to standard output."""
    emit = getattr(options, "emit", None)
    output = getattr(options, "output", None)
    return emit is not None and (output == shared.STDIO or (output is None and emit != "o"))


class _Explain(argparse.Action):
    """Prints an explanation and exits, as --help does."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        del namespace, option_string
        from gthulhuc.diagnostics.pages import explain

        try:
            text = explain(str(values))
        except KeyError as error:
            hint = str(error.args[0]) or "messages have their codes in brackets: `error[GPL0206]`"
            raise CommandError(f"there is no code `{values}`", hint) from error
        shared.out(text)
        parser.exit(shared.OK)
