# SPDX-License-Identifier: Apache-2.0
"""`gthulhu stats`: what the tasks of each rule have done, and what has happened to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu.options import add_state
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any

    from gthulhu.counters import Class, Histogram, Stats
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
The policy has to be compiled to count: `gthulhu run --stats`, `gthulhuc --stats`. Of a policy that
is not, there are only the tasks and the running time of rules with `monitor`.

Counters begin when the policy is put in force, and anew when it is loaded again. Times are kept by
powers of two: what stands below p50 and p99 is the bound that so many of them did not reach.

examples:
  sudo gthulhu stats
  sudo gthulhu stats --watch                   every two seconds, until Ctrl-C
  sudo gthulhu stats --json | jq '.classes[] | {name, ran_ns}'

exit status: 0 done, 2 usage, nothing is counted, or it cannot be asked, 3 no policy is in force
"""


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "stats",
        run,
        help="show what the tasks of each rule do",
        description="Show what the tasks of each rule have done, and what has happened to them.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--json", action="store_true", help="for programs; with --watch, a line each"
    )
    parser.add_argument("--watch", action="store_true", help="again and again, until Ctrl-C")
    parser.add_argument(
        "--interval", metavar="S", type=seconds, default=2.0, help="between two (default: 2)"
    )
    add_state(parser)


def seconds(text: str) -> float:
    """An interval, for argparse."""
    import argparse

    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if 0.05 <= seconds <= 86400:
        return seconds
    raise argparse.ArgumentTypeError(f"{text} is no number of seconds from 0.05")


def run(options: argparse.Namespace) -> int:
    """Prints the counters, once or again and again."""
    import sys
    import time

    from gthulhu import counters

    while True:
        stats = counters.read(options.state)
        if options.json:
            frame.out(_json(stats, indent=None if options.watch else 2))
        else:
            clear = "\x1b[H\x1b[2J" if options.watch and sys.stdout.isatty() else ""
            frame.out(clear + "".join(f"{line}\n" for line in lines(stats)))
        if not options.watch:
            return frame.OK
        time.sleep(options.interval)


# ---- for programs -------------------------------------------------------------------------------


def _json(stats: Stats, indent: int | None) -> str:
    import json

    document = {
        "policy": stats.policy,
        "generation": stats.generation,
        "since": stats.since,
        "classes": [as_json(each) for each in stats.classes],
    }
    return json.dumps(document, indent=indent) + "\n"


def as_json(each: Class) -> dict[str, Any]:
    """A class's counters as JSON has them."""
    return {
        "name": each.owner.name,
        "file": each.owner.file,
        "line": each.owner.line,
        "tasks": each.tasks,
        "entered": each.entered,
        "ran_ns": each.ran_ns,
        **each.counts,
        **({} if each.waits is None else {"waits": _histogram_json(each.waits)}),
        **({} if each.wakeups is None else {"wakeups": _histogram_json(each.wakeups)}),
    }


def _histogram_json(histogram: Histogram) -> dict[str, Any]:
    """`buckets` have how many were below a bound and not below the one before, but for zeros."""
    bounds = (*histogram.bounds_ns, None)
    return {
        "count": histogram.count,
        "sum_ns": histogram.sum_ns,
        "buckets": [
            {"below_ns": bound, "count": count}
            for bound, count in zip(bounds, histogram.counts, strict=True)
            if count
        ],
    }


# ---- for people ---------------------------------------------------------------------------------

_COLUMNS = (
    "rule", "tasks", "ran", "waits", "p50", "p99", "wakeups", "p50", "p99", "cut", "preempts",
    "preempted", "migrates", "conflicts", "rescues",
)  # fmt: skip


def lines(stats: Stats) -> Iterator[str]:
    """A table of the classes that have had tasks."""
    from gthulhuc.diagnostics.human import visible

    yield f"{stats.policy}, generation {stats.generation}, since {stats.since}"
    rows = [_row(each) for each in stats.classes if each.entered or each.ran_ns]
    table = [_COLUMNS, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(_COLUMNS))]
    for row in table:
        cells = [row[0].ljust(widths[0])]
        cells += [text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)]
        yield visible("  ".join(cells).rstrip())


def _row(each: Class) -> tuple[str, ...]:
    from gthulhu.counters import COUNTERS, show_ns

    return (
        each.owner.name,
        str(each.tasks),
        show_ns(each.ran_ns),
        *_times(each.waits),
        *_times(each.wakeups),
        *(str(each.counts.get(name, "-")) for name in COUNTERS),
    )


def _times(histogram: Histogram | None) -> tuple[str, str, str]:
    from gthulhu.counters import show_ns

    if histogram is None:
        return "-", "-", "-"
    return (
        str(histogram.count),
        show_ns(histogram.below(0.5)),
        show_ns(histogram.below(0.99)),
    )
