# SPDX-License-Identifier: Apache-2.0
"""`gthulhu record`: records what the scheduler does, for a replay."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu.options import add_labels, add_state
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from gthulhu.record.anonymise import Anonymiser, Asked
    from gthulhu.record.recorder import Recording
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Records who woke whom and from where, who ran and slept and why, new, renamed and ended tasks with
their cgroups, affinity and nice, timers as they were asked for, and requests to block devices,
under any scheduler; and the labels of containers, as `gthulhu agent` finds them, and those that a
policy in force knows. It ends when the time is over, on Ctrl-C, or when a limit is reached, and
says which; it does not sample. The file is valid in any case, and after a crash it can be read up
to there.

--anonymise keeps no names of tasks, cgroups, programs and interrupts, and no labels, but those that
the policies of --keep ask for, so that the record can be shared. Numbers (tasks, users, system
calls) stay.

--from makes a record of what another tool has recorded: a trace of Perfetto (of tracebox, scxtop or
`gthulhu trace`), or the text of `perf script`. It has less than a record of a node, and says what.

examples:
  sudo gthulhu record -o node.gtr                        60 seconds
  sudo gthulhu record -o node.gtr --for 10m --size 1G    10 minutes, at most 1 GB
  sudo gthulhu record -o node.gtr --anonymise --keep web.gpl
  gthulhu record --anonymise -o shared.gtr node.gtr      of a record that there is
  gthulhu record --from trace.pftrace -o node.gtr        of a trace of Perfetto
  gthulhu record --from sched.txt -o node.gtr            of perf's, after these two:
    sudo perf sched record -a -- sleep 10
    sudo perf script --ns --header --show-task-events > sched.txt
  gthulhu record --info node.gtr                         what is in it
  gthulhu record --info node.gtr --json | jq .lost

exit status: 0 recorded, also if a limit or Ctrl-C ended it, 1 a policy of --keep has errors, or a
part of the record cannot be read, 2 usage, not root, the kernel refuses, a trace cannot be read, or
the file cannot be written
"""
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "": 1}
_TIMES = {"s": 1, "m": 60, "h": 3600, "": 1}
_LEAST_BYTES = 1 << 20
_MOST_S = 7 * 86400


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "record",
        run,
        help="record what the scheduler does, for a replay",
        description="Record what the scheduler does, and why, so that it can be replayed; or say "
        "what is in a record.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "record", metavar="RECORD", nargs="?", help="with --info or --anonymise: a record"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="the record (.gtr) to write")
    parser.add_argument(
        "--for", dest="seconds", metavar="TIME", type=_seconds, default=60,
        help="its length, such as 90s, 10m; 0: until Ctrl-C (default: 60s)",
    )  # fmt: skip
    parser.add_argument(
        "--size", metavar="BYTES", type=_bytes, default=256 << 20,
        help="of the file at most, such as 64M, 1G; it ends there (default: 256M)",
    )  # fmt: skip
    parser.add_argument(
        "--cost", metavar="PERCENT", type=_percent, default=0.02,
        help="of all CPUs' time at most; it ends if recording takes more (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--from", dest="trace", metavar="TRACE",
        help="make it of a trace of Perfetto, or of the text of `perf script`",
    )  # fmt: skip
    parser.add_argument(
        "--anonymise", action="store_true", help="keep no names, so that it can be shared"
    )
    parser.add_argument(
        "--keep", metavar="POLICY", action="append", default=[],
        help="with --anonymise: keep the names that this policy asks for",
    )  # fmt: skip
    add_labels(parser)
    add_state(parser)
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.add_argument("--info", action="store_true", help="say what is in a record")
    parser.add_argument("--json", action="store_true", help="with --info: as JSON")


def _scaled(text: str, units: dict[str, int]) -> int | None:
    number, unit = (text[:-1], text[-1:]) if not text[-1:].isdecimal() else (text, "")
    if not (number.isascii() and number.isdecimal()) or unit not in units:
        return None
    return int(number) * units[unit]


def _seconds(text: str) -> int:
    seconds = _scaled(text, _TIMES)
    if seconds is not None and seconds <= _MOST_S:
        return seconds
    raise argparse.ArgumentTypeError(f"expected a time such as 90s or 10m, found `{text}`")


def _bytes(text: str) -> int:
    size = _scaled(text.upper().removesuffix("B"), _UNITS)
    if size is not None and size >= _LEAST_BYTES:
        return size
    raise argparse.ArgumentTypeError(f"expected a size from 1M on, such as 256M, found `{text}`")


def _percent(text: str) -> float:
    try:
        percent = float(text.removesuffix("%"))
    except ValueError:
        percent = -1
    if 0 < percent <= 100:
        return percent / 100
    raise argparse.ArgumentTypeError(f"expected per cent from 0 to 100, found `{text}`")


def run(options: argparse.Namespace) -> int:
    """Records, or reads a record. Raises CommandError."""
    _check(options)
    if options.info:
        return _info(options)
    anonymiser: Anonymiser | None = None
    if options.anonymise:
        from gthulhu.record.anonymise import Anonymiser

        asked = _asked(options.keep)
        if asked is None:
            return frame.FOUND_ERRORS
        anonymiser = Anonymiser(asked)
    if options.record is not None:
        assert anonymiser is not None
        return _rewrite(options, anonymiser)
    if options.trace is not None:
        return _import(options, anonymiser)
    return _record(options, anonymiser)


def _check(options: argparse.Namespace) -> None:
    """Options that need each other."""
    wrong = {
        "--info: expected a record to read": options.info and options.record is None,
        "--json: expected --info, too": options.json and not options.info,
        "--keep: expected --anonymise, too": options.keep and not options.anonymise,
        "-o: expected the file to write": not options.info and options.output is None,
        "--from: expected no record or --info beside it": options.trace is not None
        and (options.info or options.record is not None),
        "a record is read with --info or --anonymise only": (
            options.record is not None and not options.info and not options.anonymise
        ),
    }
    for message, holds in wrong.items():
        if holds:
            options.parser.error(message)


def _info(options: argparse.Namespace) -> int:
    import json

    from gthulhu.record import summary
    from gthulhu.record.reader import Record

    with Record.open(options.record) as record:
        said = summary.describe(record)
    frame.out(json.dumps(said, indent=2) + "\n" if options.json else summary.text(said))
    return frame.FOUND_ERRORS if said["damage"] else frame.OK


def _asked(policies: list[str]) -> Asked | None:
    """The names that policies ask for; None: one has errors, which are printed.

    Raises CommandError.
    """
    from gthulhu.record.anonymise import Asked
    from gthulhuc import frontend
    from gthulhuc.cli import shared

    checked = []
    for path in policies:
        source, found = shared.read_source(path)
        policy, problems = frontend.check(source, tests=False)
        if found or policy is None:
            shared.show([*found, *problems], source.name, "auto")
            return None
        checked.append(policy)
    return Asked(checked)


def _rewrite(options: argparse.Namespace, anonymiser: Anonymiser) -> int:
    """Writes another record without the names of one."""
    from gthulhu.record import writer
    from gthulhu.record.reader import Record

    with (
        Record.open(options.record) as record,
        writer.new_file(options.output, force=options.force) as file,
    ):
        try:
            writer.copy(record, file, anonymiser)
        except (ValueError, OSError) as error:
            why = frame.reason(error) if isinstance(error, OSError) else str(error)
            raise CommandError(f"cannot write {options.output}: {why}") from error
        damage = record.damage
    if damage:
        frame.err(f"warning: not all of {options.record} can be read: {damage}\n")
    return frame.FOUND_ERRORS if damage else frame.OK


def _import(options: argparse.Namespace, anonymiser: Anonymiser | None) -> int:
    """Writes a record of another tool's trace."""
    import contextlib
    from pathlib import Path

    from gthulhu.progress import Progress
    from gthulhu.record import foreign, writer
    from gthulhu.record.foreign import importing
    from gthulhuc.diagnostics.human import visible

    trace = foreign.open_trace(options.trace)
    with writer.new_file(options.output, force=options.force) as file:
        try:
            found = importing.write(trace, file, anonymiser, Progress())
        except BaseException as error:
            with contextlib.suppress(OSError):
                Path(options.output).unlink()
            if isinstance(error, OSError):
                why = frame.reason(error)
                raise CommandError(f"cannot write {options.output}: {why}") from error
            raise
    length_s = (found.end_ns - found.begin_ns) / 1e9
    frame.out(
        visible(
            f"{options.output}: {length_s:.1f} s, {found.events} events, "
            f"{found.size / 1e6:.1f} MB, from {trace.about.tool}"
        )
        + "\n"
    )
    for what in found.lacks:
        frame.err(f"note: not known: {what}\n")
    for each in found.losses:
        frame.err(f"warning: CPU {each['cpu']}: events are missing in {each['events']} places\n")
    return frame.OK


def _record(options: argparse.Namespace, anonymiser: Anonymiser | None) -> int:
    import contextlib
    import os
    from pathlib import Path

    from gthulhu.agent.agent import Places
    from gthulhu.progress import Progress
    from gthulhu.record import recorder, writer
    from gthulhu.record.labels import Source

    if os.geteuid():
        raise CommandError("recording needs root", "run it with sudo")
    labels = Source(Places(options.state, options.labels))
    wanted = recorder.Wanted(options.seconds, options.size, options.cost, labels, anonymiser)
    file = writer.new_file(options.output, force=options.force)
    with file:
        try:
            recording = recorder.record(file, wanted, Progress())
        except CommandError:
            if not file.tell():
                with contextlib.suppress(OSError):
                    Path(options.output).unlink()
            raise
    return _conclude(options.output, recording)


def _conclude(output: str, recording: Recording) -> int:
    from gthulhu.record.recorder import Ending
    from gthulhuc.diagnostics.human import visible

    cost = recording.cost
    if recording.failure is not None:
        raise CommandError(
            f"cannot write {output}: {frame.reason(recording.failure)}",
            "the record is valid up to there; free some space, or name another place",
        )
    frame.out(
        visible(
            f"{output}: {cost.length_ns / 1e9:.1f} s, {recording.events} events, "
            f"{recording.writer.size / 1e6:.1f} MB, {recording.nr_lost} lost; recording took "
            f"{cost.share:.2%} of all CPUs' time; {recording.ending}"
        )
        + "\n"
    )
    for each in recording.lost:
        frame.err(f"warning: CPU {each['cpu']} lost {each['events']} events\n")
    if recording.ending in {Ending.SIZE, Ending.COST}:
        option = "--size" if recording.ending is Ending.SIZE else "--cost"
        frame.err(f"warning: it ended early: {recording.ending} ({option})\n")
    return frame.OK
