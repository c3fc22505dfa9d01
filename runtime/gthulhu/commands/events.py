# SPDX-License-Identifier: Apache-2.0
"""`gthulhu events`: what happened to the policies of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu.options import add_state
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from io import BufferedReader
    from pathlib import Path

    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Each event is a line of JSON: `event`, the time `at`, `policy`, `generation`, and what belongs to
it. Events stay until the machine reboots; the log keeps the last 1 to 2 MB. systemd's journal has
them, too: `journalctl -t gthulhu-events -o cat`.

  loaded, swapped, rolled-back, ended          which policy is in force, and who asked for it
  went-back                                    the loader replaced the policy by itself
  ejected, disabled                            by the kernel, with the reason
  promise-broken, promise-recovered            with the values of the last window
  trial-began, trial-passed, trial-failed
  condition-began, condition-ended             what a `when` block asks has begun or ceased to hold
  cpus-changed                                 CPUs came or went, so the policy was loaded again
  cgroups-count                                cgroups have got the cpu controller; likewise
  labelled                                     labels became known; only with `run -vv`

examples:
  sudo gthulhu events
  sudo gthulhu events --follow | jq 'select(.event == "went-back")'

exit status: 0 done, 2 usage, or the log cannot be read
"""
_PAUSE_S = 0.2


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "events",
        run,
        help="show what happened to the policies",
        description="Show the log of events: swaps, ejections, broken promises, trials.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "-f", "--follow", action="store_true", help="wait for further events until Ctrl-C"
    )
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """Prints the events, and with `--follow` those to come. Raises CommandError."""
    import sys
    from pathlib import Path

    folder = Path(options.state)
    if not folder.is_dir():
        raise CommandError(
            f"no loader has run here: {folder} does not exist",
            "`gthulhu run` starts one; for another folder, give --state",
        )
    try:
        for line in lines(folder, follow=options.follow):
            frame.out(line.decode(errors="replace"))
            sys.stdout.flush()
    except PermissionError as error:
        raise CommandError(f"not permitted to read {folder}/events", "run it as root") from error
    except OSError as error:
        raise CommandError(f"cannot read {folder}/events: {frame.reason(error)}") from error
    return frame.OK


def lines(folder: Path, *, follow: bool) -> Iterator[bytes]:
    """The lines of the older log and of the current one; with `follow`, those to come.

    With `follow` it also yields an empty one each time that it has waited, so that a caller can
    end it. Raises OSError.
    """
    import time

    before, current = folder / "events.1", folder / "events"
    if before.exists():
        yield from before.read_bytes().splitlines(keepends=True)
    reader = _open(current)
    while True:
        if reader is not None:
            yield from reader
        if not follow:
            return
        time.sleep(_PAUSE_S)
        yield b""
        if reader is None:
            reader = _open(current)
        elif _was_replaced(reader, current):
            yield from reader  # what came before the log was renamed
            reader = _open(current)


def _open(path: Path) -> BufferedReader | None:
    try:
        return path.open("rb")
    except FileNotFoundError:
        return None


def _was_replaced(reader: BufferedReader, path: Path) -> bool:
    import os

    try:
        return not os.path.samestat(os.fstat(reader.fileno()), path.stat())
    except FileNotFoundError:
        return False
