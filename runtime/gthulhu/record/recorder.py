# SPDX-License-Identifier: Apache-2.0
"""Runs gthulhu-record, and makes a record of what it writes."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import IO, Any

from gthulhu import loader
from gthulhu.progress import Progress
from gthulhu.record import machine
from gthulhu.record.anonymise import Anonymiser
from gthulhu.record.framing import Block, Kind, RecordError
from gthulhu.record.labels import Labels, Source
from gthulhu.record.writer import FullError, Writer, read_block
from gthulhuc.cli.frame import CommandError, reason

NAME = "gthulhu-record"
_IN_CHECKOUT = Path(__file__).parents[2] / NAME
_SETTLE_S = 5  # what the start costs is spread over so much time
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ending(StrEnum):
    """Why a recording ended."""

    TIME = "the time was over"
    SIGNAL = "a signal ended it"
    SIZE = "the size limit was reached"
    COST = "it cost more than was allowed"
    DISC = "the file could not be written"
    FAILURE = "the recorder failed"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request for a recording.

    `seconds`: 0: until a signal. `limit`: bytes. `cost`: share of all CPUs' time. `labels`: are
    read before it begins, and after its end.
    """

    seconds: int
    limit: int
    cost: float
    labels: Source
    anonymiser: Anonymiser | None = None


@dataclass(slots=True)
class Cost:
    """The cost of recording so far, in ns of CPU time, and its length in ns."""

    cpus: int
    programs_ns: int = 0
    recorder_ns: int = 0
    """Time of gthulhu-record, without its start."""
    writer_ns: int = 0
    """Time of this process, which compresses."""
    length_ns: int = 0

    @property
    def share(self) -> float:
        """The cost as a share of the time of all CPUs."""
        used = self.programs_ns + self.recorder_ns + self.writer_ns
        return used / (self.length_ns * self.cpus) if self.length_ns else 0.0


@dataclass(slots=True)
class Recording:
    """A recording, while it runs and afterwards."""

    writer: Writer
    wanted: Wanted
    cost: Cost
    ending: Ending = Ending.TIME
    failure: OSError | None = None
    begin_ns: int = 0
    end_ns: int = 0
    events: int = 0
    lost: list[Mapping[str, int]] = field(default_factory=list)
    labels: Labels = field(default_factory=Labels)
    """Those that are in it already."""
    processes: tuple[int, ...] = ()
    """The processes that record, which are in the record themselves."""
    _writer_before_ns: int = 0

    @property
    def nr_lost(self) -> int:
        """Events that were lost on all CPUs."""
        return sum(each["events"] for each in self.lost)

    def take(self, block: Block) -> bool:
        """Writes a block; returns whether the recording goes on."""
        try:
            if not self.writer.size:
                self.writer.begin(self._info(), block.header.begin_ns)
                self._add(self.labels, block.header.begin_ns)
            self.writer.put(self._shown(block))
        except FullError:
            self.ending = Ending.SIZE
            return False
        except OSError as error:
            self._fail(error)
            return False
        return block.header.kind != Kind.ROUND or self._count(block)

    def _shown(self, block: Block) -> Block:
        anonymiser = self.wanted.anonymiser
        return block if anonymiser is None else anonymiser.block(block)

    def _add(self, labels: Labels, at_ns: int) -> None:
        for block in labels.blocks(at_ns):
            self.writer.add(self._shown(block))

    def add_labels(self, labels: Labels) -> None:
        """Writes the labels at its end, if they differ from those at its begin."""
        if not self.writer.size or labels == self.labels:
            return
        try:
            self._add(labels, self.end_ns)
        except FullError:
            self.ending = Ending.SIZE
        except OSError as error:
            self._fail(error)

    def _info(self) -> dict[str, Any]:
        info = machine.describe() | {"recorder": self.processes, "anonymised": False}
        anonymiser = self.wanted.anonymiser
        return info if anonymiser is None else anonymiser.info(info)

    def _count(self, block: Block) -> bool:
        """Takes note of a round; returns whether it costs no more than it may."""
        import json

        said = json.loads(block.content)
        at_ns = block.header.begin_ns
        if not self.begin_ns:
            self.begin_ns = at_ns
            self._writer_before_ns = time.process_time_ns()
        self.end_ns = at_ns
        self.events, self.lost = said["events"], said["lost"]
        cost = self.cost
        cost.programs_ns, cost.recorder_ns = said["programs_ns"], said["recorder_ns"]
        cost.writer_ns = time.process_time_ns() - self._writer_before_ns
        cost.length_ns = at_ns - self.begin_ns
        if cost.length_ns > _SETTLE_S * 1e9 and cost.share > self.wanted.cost:
            self.ending = Ending.COST
            return False
        return True

    def end(self) -> None:
        """Writes the last block, if there is a first one."""
        if not self.writer.size:
            return
        cost = self.cost
        said = {
            "ending": self.ending.name.lower(),
            "scheduler": machine.scheduler(),
            "events": self.events,
            "lost": self.lost,
            "cpus": cost.cpus,
            "programs_ns": cost.programs_ns,
            "recorder_ns": cost.recorder_ns,
            "writer_ns": cost.writer_ns,
        }
        try:
            self.writer.end(said, self.end_ns)
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.ending, self.failure = Ending.DISC, error


def record(file: IO[bytes], wanted: Wanted, progress: Progress) -> Recording:
    """Records into a file until it ends for one of the reasons. Raises CommandError."""
    program = loader.find_program(NAME, "GTHULHU_RECORD", os.environ, _IN_CHECKOUT)
    writer, cost = Writer(file, wanted.limit), Cost(os.cpu_count() or 1)
    recording = Recording(writer, wanted, cost, labels=wanted.labels.read())
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                [program, "--for", str(wanted.seconds)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=said,
            )
        except OSError as error:
            raise CommandError(f"cannot run {program}: {reason(error)}") from error
        recording.processes = (os.getpid(), process.pid)
        with process, _stops(process, recording):
            _copy(process, recording, progress)
            recording.add_labels(wanted.labels.read())
        progress.hide()
        if process.returncode and recording.ending in {Ending.TIME, Ending.SIGNAL}:
            recording.ending = Ending.FAILURE
        recording.end()
        if recording.ending is Ending.FAILURE:
            said.seek(0)
            raise _failure(said.read().decode(errors="replace"))
    return recording


def _copy(process: subprocess.Popen[bytes], recording: Recording, progress: Progress) -> None:
    assert process.stdout is not None
    goes_on = True
    try:
        while (block := read_block(process.stdout)) is not None:
            if not goes_on:
                continue  # so that it can end
            goes_on = recording.take(block)
            if not goes_on:
                process.terminate()
            progress.show(_progress(recording))
    except RecordError:
        if goes_on:
            recording.ending = Ending.FAILURE


def _progress(recording: Recording) -> str:
    passed = recording.cost.length_ns / 1e9
    of = f" of {recording.wanted.seconds}" if recording.wanted.seconds else ""
    size = recording.writer.size / 1e6
    return f"recording: {passed:.0f} s{of}, {size:.1f} MB, {recording.nr_lost} lost; Ctrl-C ends it"


@contextmanager
def _stops(process: subprocess.Popen[bytes], recording: Recording) -> Iterator[None]:
    """Signals that end this process end the recording instead, in order."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        if recording.ending is Ending.TIME:
            recording.ending = Ending.SIGNAL
        process.terminate()

    before = {number: signal.getsignal(number) for number in _STOPS}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:  # as `nohup` leaves it
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _failure(said: str) -> CommandError:
    """The error that gthulhu-record has printed, as one of ours."""
    lines = said.splitlines()
    message = lines[0].partition(f"{NAME}: ")[2] if lines else ""
    helps = [line.partition("help: ")[2] for line in lines if line.startswith("  help: ")]
    rest = [line for line in lines[1:] if not line.startswith("  help: ")]
    whole = "\n".join([message or f"{NAME} ended without a reason", *rest])
    return CommandError(whole, helps[0] if helps else "")
