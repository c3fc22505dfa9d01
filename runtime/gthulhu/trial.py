# SPDX-License-Identifier: Apache-2.0
"""`gthulhu swap --trial`: waits until a policy on trial stays, or the one before is back."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhu import control, loader
from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from gthulhu.control import Answer

_PATIENCE_S = 5  # for a service manager to start a lost loader again


def follow(folder: str, answers: control.Conversation, note: str) -> int:
    """Prints the note and waits for the end of a trial that has begun. Returns the exit code.

    Ctrl-C ends the trial. If the loader is lost, the generation before is put in force again.
    """
    began = answers.last
    try:
        frame.out(note)
        sys.stdout.flush()
        ended = answers.next()
    except KeyboardInterrupt:
        answers.hang_up()
        ended = answers.next()
    if ended is None:
        return _replace_loader(folder, began)
    if ended["stays"]:
        frame.out("{policy}, generation {generation}, stays: {reason}\n".format_map(ended))
        return frame.OK
    frame.complain(f"the trial failed: {ended['reason']}")
    if ended["in_force"]:
        now = "{policy}, generation {generation}, is in force".format_map(ended)
    else:
        now = "no policy is in force"
    frame.err(f"  = note: {now}\n")
    return frame.FOUND_ERRORS


def _replace_loader(folder: str, began: Answer) -> int:
    """Puts the generation before the trial in force, unless a service manager's loader does it."""
    frame.complain("the trial failed: its loader was lost")
    end = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end:
        try:
            now = control.ask(folder, "status")
        except control.NotRunningError:
            time.sleep(0.2)
            continue
        frame.err("  = note: a new loader has {policy} in force\n".format_map(now))
        return frame.FOUND_ERRORS
    before = [kept for kept in control.kept_generations(folder) if kept.number == began["from"]]
    if not before:
        raise CommandError("no policy is in force", "`gthulhu run` puts one in force")
    _start(folder, before[0])
    frame.err(f"  = note: {before[0].called} is in force again\n")
    return frame.FOUND_ERRORS


def _start(folder: str, kept: control.Kept) -> None:
    """Starts a loader in the background with a kept generation and its tunables."""
    lines = Path(folder, f"generation-{kept.number}.txt").read_text(errors="replace").splitlines()
    command = [loader.find_loader(os.environ), "--detach", "--quiet", f"--state={folder}"]
    command += [f"--set={line}" for line in lines[1:]]
    # It was in force a moment ago, whatever was said of its object before.
    command += ["--force", "--called", kept.called, "--", str(kept.path)]
    if subprocess.run(command, check=False).returncode:
        raise CommandError(
            "the generation before the trial cannot be put in force again",
            f"`{kept.command()}` tries it again",
        )
