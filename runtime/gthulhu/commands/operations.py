# SPDX-License-Identifier: Apache-2.0
"""`gthulhu set`, `label` and `stop`; and what all commands for the policy in force share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gthulhu.options import add_state, task_number
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from gthulhu.control import Answer
    from gthulhuc.cli.commands import Commands, Parser

    Run: TypeAlias = Callable[[argparse.Namespace], int]

_SET = """\
The policy defines the tunables and their ranges; `gthulhu status` lists them. A new value takes
effect at once and lasts until the next swap.

examples:
  sudo gthulhu set quantum=500us
  sudo gthulhu set quantum=500us heft=300

exit status: 0 done, 1 refused, 2 usage, or the loader does not respond, 3 no policy is in force
"""
_LABEL = """\
Labels the process, all processes that it has started, and all that it will start. The label takes
effect at once, overrides a label of the process's container, and lasts as long as the loader:
through swaps, rollbacks and CPU hotplug. Without KEY=VALUE, the command shows the labels.

examples:
  sudo gthulhu label 4711 tier=batch           sets a label
  sudo gthulhu label 4711 tier=web tenant-     sets one label and removes another
  sudo gthulhu label 4711                      shows the labels: inherited ones with the process
                                               they come from, and those of the container

exit status: 0 done, 1 refused, 2 usage, or the loader does not respond, 3 no policy is in force
"""
_STOP = """\
examples:
  sudo gthulhu stop

exit status: 0 done, 2 usage, or the loader does not respond, 3 no policy was in force
"""


def add_set(commands: Commands) -> None:
    """Adds `set`."""
    change = add(commands, "set", _set, "change tunables of the policy in force", _SET)
    change.add_argument(
        "settings", metavar="NAME=VALUE", nargs="+", type=setting, help="such as `quantum=500us`"
    )


def add_label(commands: Commands) -> None:
    """Adds `label`."""
    label = add(commands, "label", _label, "label a process and all that it starts", _LABEL)
    label.add_argument("pid", metavar="PID", type=task_number, help="a process")
    label.add_argument(
        "changes",
        metavar="KEY=VALUE",
        nargs="*",
        type=_change,
        help="or `KEY-`, which removes the label",
    )


def add_stop(commands: Commands) -> None:
    """Adds `stop`."""
    add(commands, "stop", _stop, "end the policy in force", _STOP)


def add(commands: Commands, name: str, run: Run, help: str, epilog: str) -> Parser:
    """Adds a command for the policy in force."""
    description = f"{help[0].upper()}{help[1:]}."
    parser = add_command(commands, name, run, help=help, description=description, epilog=epilog)
    add_state(parser)
    return parser


def setting(text: str) -> str:
    """Checks the form of a tunable's new value, for argparse. Raises ArgumentTypeError."""
    import argparse

    name, equals, value = text.partition("=")
    if name and equals and value:
        return text
    raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found `{text}`")


def _change(text: str) -> str:
    import argparse

    if not re.fullmatch(r"[^=]+(=.*|-)", text, re.DOTALL):
        raise argparse.ArgumentTypeError(f"expected KEY=VALUE or KEY-, found `{text}`")
    if any(mark in text for mark in "\t\n"):
        raise argparse.ArgumentTypeError(f"{text}: remove tabs and newlines from the label")
    return text


# ---- the commands -------------------------------------------------------------------------------


def _set(options: argparse.Namespace) -> int:
    for setting in options.settings:
        code = outcome(ask(options, "set", setting), "{name} is {value}, was {before}")
        if code != frame.OK:
            return code
    return frame.OK


def _label(options: argparse.Namespace) -> int:
    answer = ask(options, "label", str(options.pid), *options.changes)
    if not answer.get("ok"):
        return outcome(answer, "")
    if not options.changes:
        frame.out("".join(line + "\n" for line in _labels(answer)))
        return frame.OK
    number = answer["processes"]
    frame.out(f"labelled {number} process{'es' if number != 1 else ''}\n")
    if unused := answer.get("unused"):
        frame.err(f"  = note: no rule of the policy uses {unused}\n")
    return frame.OK


def _stop(options: argparse.Namespace) -> int:
    answer = ask(options, "stop", is_long=True)
    return outcome(answer, "stopped {policy}, generation {generation}")


# ---- answers ------------------------------------------------------------------------------------


def ask(
    options: argparse.Namespace, *fields: str, is_long: bool = False, file: int | None = None
) -> Answer:
    """Sends a request to the loader; raises as `control.ask` does."""
    from gthulhu import control

    return control.ask(options.state, *fields, is_long=is_long, file=file)


def outcome(answer: Answer, well: str) -> int:
    """Prints the result of a request; `well` is the format for success. Returns the exit code."""
    if answer.get("ok"):
        frame.out(well.format_map(answer) + "\n")
        return frame.OK
    frame.complain(str(answer["error"]), str(answer.get("help", "")))
    if log := answer.get("log"):
        frame.err("".join(f"  | {line}\n" for line in str(log).splitlines()))
    if then := answer.get("then"):
        frame.err(f"  = note: {then}\n")
    return frame.FOUND_ERRORS


def _labels(answer: Answer) -> Iterator[str]:
    """The labels of a process and of its container."""

    def shown(fact: Answer) -> str:
        giver = f" (from {fact['from']})" if "from" in fact else ""
        return str(fact["fact"]).removeprefix("label:") + giver

    def text(facts: list[Answer]) -> str:
        return ", ".join(map(shown, facts)) or "none"

    yield f"its own: {text(answer['own'])}"
    if not answer["cgroup"]:
        yield "no container is known"
        return
    yield f"of {answer['cgroup']}: {text(answer['container'])}"
    if not answer["complete"]:
        yield "the container may have more labels"
