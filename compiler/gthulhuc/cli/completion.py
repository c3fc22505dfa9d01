# SPDX-License-Identifier: Apache-2.0
"""`gthulhu completion`: prints the completion script of a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from gthulhuc.cli import shared
from gthulhuc.cli.commands import Commands, add_command

_EPILOG = """\
examples:
  bash  gthulhu completion bash > ~/.local/share/bash-completion/completions/gthulhu
  zsh   gthulhu completion zsh > ~/.zfunc/_gthulhu      (a folder of $fpath)
  fish  gthulhu completion fish > ~/.config/fish/completions/gthulhu.fish

`--for gthulhuc` does the same for the compiler.
"""
# Metavars of arguments that are files or folders.
_FILES = frozenset({"FILE", "OBJECT", "OUT", "TARGET"})
_FOLDERS = frozenset({"FOLDER"})


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "completion",
        run,
        help="print a shell's completion script",
        description="Print the script with which a shell completes the commands.",
        epilog=_EPILOG,
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    add_program_option(parser)


def add_program_option(parser: argparse.ArgumentParser) -> None:
    """Adds the option that chooses one of the two programs."""
    parser.add_argument(
        "--for",
        dest="program",
        choices=("gthulhu", "gthulhuc"),
        default="gthulhu",
        help="the program (default: gthulhu)",
    )


def parser_of(program: str) -> argparse.ArgumentParser:
    """The parser of a program, with all its commands and options."""
    if program == "gthulhuc":
        from gthulhuc.cli import compile as compiler

        return compiler.make_parser()
    from gthulhuc.cli import gthulhu

    return gthulhu.make_parser()


def run(options: argparse.Namespace) -> int:
    """Prints the script."""
    import shtab

    parser = parser_of(options.program)
    for action in _actions(parser):
        if action.metavar in _FILES:
            vars(action)["complete"] = shtab.FILE
        elif action.metavar in _FOLDERS:
            vars(action)["complete"] = shtab.DIRECTORY
    script = shtab.complete(parser, shell=options.shell)
    shared.out(script if script.endswith("\n") else script + "\n")
    return shared.OK


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _actions(inner)
