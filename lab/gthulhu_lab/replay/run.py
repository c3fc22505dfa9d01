# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Replays a record on the host model: under the control `eevdf`, and under policies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from gthulhu.record.reader import Record
from gthulhu_lab.errors import LabError
from gthulhu_lab.replay import extract, figures, scenario
from gthulhu_lab.replay.actions import Overhead, Replayable
from gthulhu_lab.replay.figures import Tally, TaskFigures
from gthulhu_lab.replay.scenario import Counted
from gthulhu_lab.simulation import play
from gthulhu_lab.simulation.costs import Costs
from gthulhu_lab.simulation.machine import Machine
from gthulhuc.cli import shared

EEVDF = "eevdf"
OF_LINES = frozenset({"own", "sibling", "llc", "node", "far", "memory"})
"""Costs of memory; an emulated machine has none of them."""
_FEWEST = 20
"""Wake-ups from which costs are fitted."""
_LEAST, _MOST = 0.25, 6.0
_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Run:
    """A replay: what the model printed, and the figures of tasks by their numbers.

    `repeated_ns`: CPU time of tasks that did more than the record has. `forked`: tasks that such a
    task made again, with the numbers of those in the record.
    """

    output: str
    tasks: Mapping[int, TaskFigures]
    repeated_ns: int
    forked: Mapping[int, int]
    at_once_ns: int | None


@dataclass(frozen=True, slots=True)
class Subject:
    """A record, ready to be replayed on a machine. `scale`: of the costs, to fit the record."""

    record: Record
    replayable: Replayable
    machine: Machine
    tasks: Mapping[int, TaskFigures]
    scale: float | None
    text: str

    def replay(self, player: play.Player, scheduler: Path) -> Run:
        """Replays the record under a scheduler. Raises LabError."""
        return _replay(self, player, scheduler)

    def counting(self, counted: Counted) -> str:
        """Returns the text of a run that prints the figures of groups (`play.figures`)."""
        return _text(self.record, self.replayable, self.machine, counted)


@contextmanager
def opened(path: str) -> Iterator[Record]:
    """A context with a record that can be replayed; says if it is damaged.

    Raises LabError, RecordError.
    """
    with Record.open(path) as record:
        if record.end_ns <= record.begin_ns:
            raise LabError(
                f"{path} has nothing to replay: it ends before its first whole second",
                "record for longer",
            )
        if record.damage is not None:
            shared.err(f"{path}: {record.damage}; what is before that is replayed\n")
        yield record


def prepare(
    record: Record,
    machine: Machine,
    player: play.Player,
    *,
    is_fitted: bool,
    tell: Callable[[str], None] = lambda _: None,
) -> Subject:
    """Returns a record as the model replays it. Raises LabError, RecordError.

    `is_fitted`: costs are scaled so that a wake-up of an idle CPU takes as long as in the record.
    """
    subject = _subject(record, machine, None, tell)
    if not is_fitted or not machine.costs:
        return subject
    wanted = _at_once(figures.tally_of_record(record, subject.replayable))
    scale = 1.0
    for _ in range(_ROUNDS if wanted is not None else 0):
        tell("fitting the costs to the record")
        found = subject.replay(player, player.control(EEVDF)).at_once_ns
        if not found or wanted is None:
            break
        scale = min(_MOST, max(_LEAST, scale * wanted / found))
        place = replace(machine, costs=scaled(machine.costs, scale))
        subject = _subject(record, place, scale, tell)
    return subject


def scaled(costs: Costs, scale: float) -> Costs:
    """Returns costs of a machine on which the kernel's work takes so many times as long."""
    return {name: round(ns * scale) if name not in OF_LINES else ns for name, ns in costs.items()}


def overhead(costs: Costs) -> Overhead:
    """Returns what of recorded CPU time is the kernel's, and the model's own work replaces."""
    if not costs:
        return Overhead()
    return Overhead(costs["schedule"] + costs["switch_over"], costs["wake"])


def _subject(
    record: Record, machine: Machine, scale: float | None, tell: Callable[[str], None]
) -> Subject:
    def progress(part: float) -> None:
        tell(f"reading {record.name}: {100 * part:.0f} %")

    found = extract.extract(record, overhead(machine.costs), tell=progress)
    tasks = figures.of_record(record, found)
    return Subject(record, found, machine, tasks, scale, _text(record, found, machine))


def _text(
    record: Record, replayable: Replayable, machine: Machine, counted: Counted | None = None
) -> str:
    return "\n".join([*scenario.write(record, replayable, machine, counted), ""])


def _replay(subject: Subject, player: play.Player, scheduler: Path) -> Run:
    output = player.output(scheduler, subject.text)
    lines = output.splitlines()
    tally = figures.of_lines(lines, subject.replayable.length_ns)
    words = [line.split() for line in lines if line.startswith(("repeated ", "again "))]
    repeated_ns = sum(int(each[1]) for each in words if each[0] == "repeated")
    forked = {int(each[1]): int(each[2]) for each in words if each[0] == "again"}
    return Run(output, tally.tasks, repeated_ns, forked, _at_once(tally))


def _at_once(tally: Tally) -> int | None:
    """How long a wake-up takes that waits for nobody, as a CPU is idle; None: too few of them."""
    if len(tally.idle_ns) < _FEWEST:
        return None
    return figures.quantile(sorted(tally.idle_ns), 500)
