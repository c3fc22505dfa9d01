# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A window of a replay, as a timeline for Perfetto."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gthulhu_lab.errors import LabError
from gthulhu_lab.replay.run import Run
from gthulhu_lab.simulation import timeline
from gthulhu_lab.simulation.play import EPOCH_NS
from gthulhuc import ir

_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a record, in s from its begin."""

    begin_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        """How long it is."""
        return self.end_s - self.begin_s


def parse(text: str) -> Window:
    """Returns the window in a text such as `1.5:2`. Raises LabError."""
    begin, _, end = text.partition(":")
    try:
        found = Window(float(begin or 0), float(end))
    except ValueError:
        found = Window(0, 0)
    if 0 <= found.begin_s < found.end_s:
        return found
    raise LabError(
        f"expected a window as BEGIN:END in seconds of the record, found {text}",
        "for example --window 1.5:2",
    )


def within(window: Window, length_s: float) -> Window:
    """Returns the part of a window that a record has. Raises LabError if it has none."""
    if window.begin_s >= length_s:
        raise LabError(
            f"the window begins at {window.begin_s:g} s, and the record ends at {length_s:.3g} s",
            "choose an earlier one with --window",
        )
    return Window(window.begin_s, min(window.end_s, length_s))


def paths(path: str) -> tuple[str, str]:
    """Returns the files for the policy and for EEVDF: `a.pftrace` and `a.eevdf.pftrace`."""
    whole = Path(path)
    return path, str(whole.with_name(f"{whole.stem}.eevdf{whole.suffix}"))


def write(run: Run, name: str, scheduler: ir.Ir, window: Window) -> bytes:
    """Returns the timeline of a window. `name`: of the scheduler; `scheduler` has the classes."""
    begin_ns = EPOCH_NS + round(window.begin_s * _S)
    end_ns = EPOCH_NS + round(window.end_s * _S)
    text = "\n".join(_lines(run.output, begin_ns, end_ns))
    return timeline.write(text, name, scheduler, begin_ns, window.length_s).content


def _lines(output: str, begin_ns: int, end_ns: int) -> Iterator[str]:
    """Yields all tasks, and the events of the window; the first ones say which tasks run."""
    running: dict[str, str] = {}
    events = []
    for line in output.splitlines():
        if line.startswith("process "):
            yield line
        elif line.startswith(("switch ", "waking ")):
            words = line.split()
            if begin_ns <= int(words[1]) < end_ns:
                events.append(line)
            elif words[0] == "switch" and int(words[1]) < begin_ns:
                cpu, task, number = words[2], words[5], words[6]
                running[cpu] = f"switch {begin_ns} {cpu} 0 0 {task} {number}"
    yield from running.values()
    yield from events
