# SPDX-License-Identifier: Apache-2.0
"""`gthulhu manual`: prints the manual page, made from the parsers that print `--help`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator

from gthulhuc import __version__
from gthulhuc.cli import shared
from gthulhuc.cli.commands import Commands, add_command
from gthulhuc.cli.completion import add_program_option, parser_of

_EPILOG = """\
examples:
  gthulhu manual | man -l -
  gthulhu manual --for gthulhuc > /usr/local/share/man/man1/gthulhuc.1
"""
_HEADINGS = ("examples", "exit status")
# The commands have chapters of their own, and every program has --help.
_NOT_SHOWN = (argparse._SubParsersAction, argparse._HelpAction)


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "manual",
        run,
        help="print the manual page",
        description="Print the manual page, for man(1).",
        epilog=_EPILOG,
    )
    add_program_option(parser)


def run(options: argparse.Namespace) -> int:
    """Prints the manual page."""
    parser = parser_of(options.program)
    shared.out("".join(line + "\n" for line in page(parser)))
    return shared.OK


def page(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The lines of a manual page, in man(7) macros."""
    name = parser.prog
    yield f'.TH {name.upper()} 1 "" "{name} {__version__}" "User Commands"'
    yield from (".SH NAME", f"{_escaped(name)} \\- {_escaped(_first(parser).rstrip('.'))}")
    yield ".SH SYNOPSIS"
    commands = dict(commands_of(parser))
    for command in commands.values() or (parser,):
        yield from _synopsis(command)
    yield from (".SH DESCRIPTION", *_text(parser.description or ""))
    yield from _options(parser, ".SH OPTIONS")
    if commands:
        yield ".SH COMMANDS"
    for title, command in commands.items():
        yield from (f".SS {_escaped(title)}", *_text(command.description or ""))
        yield from _options(command, "")
        yield from _epilog(command.epilog or "", ".PP")
    yield from _epilog(parser.epilog or "", ".SH")
    other = "gthulhuc" if name == "gthulhu" else "gthulhu"
    yield from (".SH SEE ALSO", f".BR {other} (1)")


def commands_of(
    parser: argparse.ArgumentParser, prefix: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """All commands of a program, by their full names."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield f"{prefix}{name}", command
                yield from commands_of(command, f"{prefix}{name} ")


def _first(parser: argparse.ArgumentParser) -> str:
    text = " ".join((parser.description or "").split())
    return text[:1].lower() + text[1:]


def _synopsis(parser: argparse.ArgumentParser) -> Iterator[str]:
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    rest = usage.removeprefix(parser.prog).strip()
    yield from (".PP", f'.B "{_escaped(parser.prog)}"')
    if rest:
        yield _line(_escaped(rest))


def _options(parser: argparse.ArgumentParser, heading: str) -> Iterator[str]:
    formatter = argparse.HelpFormatter(parser.prog)
    actions = [
        action for action in parser._actions if action.help and not isinstance(action, _NOT_SHOWN)
    ]
    if actions and heading:
        yield heading
    for action in actions:
        shown = formatter._format_action_invocation(action)
        help_text = formatter._expand_help(action)
        yield from (".TP", f".B {_escaped(shown)}", *_text(help_text))


def _epilog(epilog: str, heading: str) -> Iterator[str]:
    """The epilogue: its paragraphs, and its examples and exit status under titles."""
    for block in re.split(r"\n\s*\n", epilog.strip("\n")):
        title, _, rest = block.partition(":")
        if title in _HEADINGS:
            yield from (".SH " + title.upper(),) if heading == ".SH" else (".PP", f".I {title}:")
            yield from _verbatim(rest.strip("\n").split("\n")) if "\n" in rest else _text(rest)
        elif block:
            yield from (".PP", *_text(block))


def _verbatim(lines: Iterable[str]) -> Iterator[str]:
    yield from (".RS 2", ".nf", *(_line(_escaped(line)) for line in lines), ".fi", ".RE")


def _text(text: str) -> Iterator[str]:
    if words := " ".join(text.split()):
        yield _line(_escaped(words))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("`", "\\(ga")


def _line(text: str) -> str:
    """A line, protected if it begins with one of roff's control characters."""
    return "\\&" + text if text[:1] in (".", "'") else text
