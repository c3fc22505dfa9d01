# SPDX-License-Identifier: Apache-2.0
"""`gthulhu top`: a screen of what the tasks of each rule do now."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command, add_state
from gthulhuc.cli.frame import CommandError
from gthulhuc.cli.stats import seconds

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderResult

    from gthulhuc.cli.commands import Commands
    from gthulhuc.cli.counters import Class, Histogram, Stats

NOT_IN_FORCE = 3

_EPILOG = """\
The rules with most CPU time first, and of each, since the last refresh: the CPUs that its tasks had
(1.00 is one CPU all the time), waits and wake-ups per second with the bounds that half and 99 % of
them did not reach, and what happened to its tasks, per second. The policy has to be compiled to
count, see `gthulhu stats --help`. `q` or Ctrl-C ends it.

examples:
  sudo gthulhu top
  sudo gthulhu top --interval 0.5

exit status: 0 ended by `q`, 2 usage, no terminal, nothing is counted, it cannot be asked, or the
Python package rich is missing, 3 no policy is in force
"""


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "top",
        run,
        help="watch what the tasks of each rule do",
        description="A screen of what the tasks of each rule do now.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--interval", metavar="S", type=seconds, default=2.0, help="between two (default: 2)"
    )
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """Shows the screen until somebody has seen enough."""
    import sys
    import termios
    import time
    import tty

    from gthulhuc.cli import control, counters

    try:
        from rich.console import Console
        from rich.live import Live
    except ImportError as error:
        raise CommandError(
            "the Python package rich is missing",
            "pip install 'gthulhuc[top]' (Debian: apt install python3-rich)",
        ) from error

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("this is no terminal", "`gthulhu stats --watch` goes anywhere")
    before_tty = termios.tcgetattr(sys.stdin)
    try:
        before, then = counters.read(options.state), time.monotonic()
        tty.setcbreak(sys.stdin)
        with Live(console=Console(), screen=True, auto_refresh=False) as live:
            live.update(_Screen(before, before, 1.0), refresh=True)
            while not _wants_to_go(options.interval, live.refresh):
                stats, now = counters.read(options.state), time.monotonic()
                if (stats.generation, stats.since) != (before.generation, before.since):
                    before, then = stats, now  # another scheduler: its counters begin anew
                live.update(_Screen(before, stats, max(now - then, 0.001)), refresh=True)
                before, then = stats, now
    except control.NotRunningError:
        frame.complain("no policy is in force", "`gthulhu run --stats` puts one in force")
        return NOT_IN_FORCE
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before_tty)
    return frame.OK


def _wants_to_go(timeout_s: float, redraw: object) -> bool:
    """Waits; whether `q` was pressed. A terminal of another size is drawn anew at once."""
    import os
    import select
    import signal
    import sys
    import time

    assert callable(redraw)
    reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    old_fd = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    old_handler = signal.signal(signal.SIGWINCH, lambda *_: None)
    end = time.monotonic() + timeout_s
    try:
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([sys.stdin, reader], [], [], left)
            if sys.stdin in ready and os.read(sys.stdin.fileno(), 1) in (b"q", b"Q", b""):
                return True
            if reader in ready:
                os.read(reader, 4096)
                redraw()
    finally:
        signal.signal(signal.SIGWINCH, old_handler)
        signal.set_wakeup_fd(old_fd)
        os.close(reader)
        os.close(writer)
    return False


# ---- what is on it ------------------------------------------------------------------------------

_COLUMNS = (
    "rule", "tasks", "CPUs", "waits/s", "p50", "p99", "wakes/s", "p50", "p99", "cut/s",
    "preempts/s", "preempted/s", "migrates/s", "conflicts/s", "rescues/s",
)  # fmt: skip
_RULE = 16  # columns of a terminal for its name
_NARROWEST = 6


class _Screen(NamedTuple):
    """What has been between two readings, as wide as the terminal is when it is drawn."""

    before: Stats
    now: Stats
    elapsed_s: float

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.markup import escape
        from rich.table import Table

        from gthulhuc.diagnostics.human import visible

        now = self.now
        title = f"{now.policy}, generation {now.generation}, since {now.since}"
        table = Table(
            title=escape(visible(title)), title_justify="left", box=None, expand=True,
            pad_edge=False,
        )  # fmt: skip
        table.add_column(_COLUMNS[0], ratio=1, no_wrap=True, overflow="ellipsis")
        number = _fitting(options.max_width)
        for name in _COLUMNS[1:number]:
            table.add_column(name, justify="right", min_width=_NARROWEST, no_wrap=True)
        for row in rows(self.before, now, self.elapsed_s):
            table.add_row(*(escape(visible(cell)) for cell in row[:number]))
        yield table


def _fitting(width: int) -> int:
    """How many columns there is room for: the last ones go first."""
    ends = accumulate((max(len(name), _NARROWEST) + 1 for name in _COLUMNS[1:]), initial=_RULE)
    return max(2, sum(end <= width for end in ends))


def rows(before: Stats, now: Stats, elapsed_s: float) -> Iterator[tuple[str, ...]]:
    """A row for each class that has or had tasks, those with most CPU time first."""
    pairs = zip(before.classes, now.classes, strict=True)
    seen = [(old, new) for old, new in pairs if new.entered or new.ran_ns]
    seen.sort(key=lambda pair: pair[0].ran_ns - pair[1].ran_ns)
    for old, new in seen:
        yield _row(old, new, elapsed_s)


def _row(old: Class, new: Class, elapsed_s: float) -> tuple[str, ...]:
    from gthulhuc.cli.counters import COUNTERS

    def rate(name: str) -> str:
        if name not in new.counts:
            return "-"
        return f"{(new.counts[name] - old.counts[name]) / elapsed_s:.0f}"

    return (
        new.owner.name,
        str(new.tasks),
        f"{(new.ran_ns - old.ran_ns) / 1e9 / elapsed_s:.2f}",
        *_times(old.waits, new.waits, elapsed_s),
        *_times(old.wakeups, new.wakeups, elapsed_s),
        *map(rate, COUNTERS),
    )


def _times(old: Histogram | None, new: Histogram | None, elapsed_s: float) -> tuple[str, str, str]:
    from gthulhuc.cli.counters import show_ns

    if old is None or new is None:
        return "-", "-", "-"
    lately = new - old
    return (
        f"{lately.count / elapsed_s:.0f}",
        show_ns(lately.below(0.5)),
        show_ns(lately.below(0.99)),
    )
