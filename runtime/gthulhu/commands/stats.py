# SPDX-License-Identifier: Apache-2.0
"""`gthulhu stats`: the counters of each rule, and of each cgroup with a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu.options import add_state
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from typing import Any

    from gthulhu.counters import Class, Histogram, Limit, Stats
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Compile the policy with `--stats` (`gthulhu run --stats`, `gthulhuc --stats`). Without it, only
rules with `monitor` count their tasks and run time, and a policy with `cgroups limit` or
`cgroups on` what cgroups with a limit do.

Counters start at zero whenever a policy is loaded. Times are counted in buckets of powers of two:
p50 and p99 are the bounds below which 50 % and 99 % of the times are.

examples:
  sudo gthulhu stats
  sudo gthulhu stats --watch                   repeats every two seconds until Ctrl-C
  sudo gthulhu stats --json | jq '.classes[] | {name, ran_ns}'
  sudo gthulhu stats --json | jq '.limits[] | {cgroup, throttled_periods}'

exit status: 0 done, 2 usage, the policy does not count, or the loader does not respond, 3 no
policy is in force
"""


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "stats",
        run,
        help="show the counters of each rule",
        description="Show the counters of each rule (tasks, run time, waits, preemptions), and of "
        "each cgroup whose limit the policy keeps.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON; with --watch, one line each time"
    )
    parser.add_argument("--watch", action="store_true", help="repeat until Ctrl-C")
    parser.add_argument(
        "--interval", metavar="S", type=seconds, default=2.0, help="seconds to wait (default: 2)"
    )
    add_state(parser)


def seconds(text: str) -> float:
    """Parses an interval in seconds, for argparse. Raises ArgumentTypeError."""
    import argparse

    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if 0.05 <= seconds <= 86400:
        return seconds
    raise argparse.ArgumentTypeError(f"expected seconds from 0.05 to 86400, found `{text}`")


def run(options: argparse.Namespace) -> int:
    """Prints the counters, once or repeatedly."""
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

    return json.dumps(document(stats), indent=indent) + "\n"


def document(stats: Stats) -> dict[str, Any]:
    """All counters as a JSON object."""
    found: dict[str, Any] = {
        "policy": stats.policy,
        "generation": stats.generation,
        "since": stats.since,
        "classes": [as_json(each) for each in stats.classes],
    }
    if stats.limits is not None:
        found |= {
            "limits": [_limit_json(each) for each in stats.limits],
            "limits_left_out": stats.limits_left_out,
        }
    return found


def as_json(each: Class) -> dict[str, Any]:
    """A class's counters as a JSON object."""
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


def _limit_json(each: Limit) -> dict[str, Any]:
    return {
        "cgroup": each.cgroup,
        "quota_ns": each.quota_ns,
        "period_ns": each.period_ns,
        **each.counts,
        "throttled_ns": each.throttled_ns,
        "burst_ns": each.burst_ns,
    }


def _histogram_json(histogram: Histogram) -> dict[str, Any]:
    """`buckets` count the times between two bounds; empty ones are left out."""
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
_LIMIT_COLUMNS = (
    "cgroup", "CPUs", "periods", "throttled", "for", "bursts", "by",
)  # fmt: skip


def lines(stats: Stats) -> Iterator[str]:
    """The lines of a table of all classes that have had tasks, and of one of cgroups."""
    yield f"{stats.policy}, generation {stats.generation}, since {stats.since}"
    if stats.classes or stats.limits is None:
        rows = [_row(each) for each in stats.classes if each.entered or each.ran_ns]
        yield from _table([_COLUMNS, *rows])
    if stats.limits:
        yield from _table([_LIMIT_COLUMNS, *map(_limit_row, stats.limits)])
    elif stats.limits is not None:
        yield "no cgroup has a limit"
    if stats.limits_left_out:
        yield f"and {stats.limits_left_out} further cgroups with a limit"


def _table(table: Sequence[tuple[str, ...]]) -> Iterator[str]:
    from gthulhuc.diagnostics.human import visible

    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
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


def _limit_row(each: Limit) -> tuple[str, ...]:
    from gthulhu.counters import show_ns

    return (
        each.cgroup,
        f"{each.quota_ns / each.period_ns:.3g}",
        str(each.counts["periods"]),
        str(each.counts["throttled_periods"]),
        show_ns(each.throttled_ns),
        str(each.counts["bursts"]),
        show_ns(each.burst_ns),
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
