# SPDX-License-Identifier: Apache-2.0
"""`gthulhu top`: a live screen of the rules and their counters."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from gthulhu.commands.stats import seconds
from gthulhu.options import add_state
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.live import Live

    from gthulhu.counters import Class, Histogram, Stats
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Shows the rules with the most CPU time first. Each row covers the time since the last refresh: the
CPUs that the rule's tasks used (1.00 is one CPU all the time), waits and wake-ups per second with
the bounds below which 50 % and 99 % of them are, and the other counters per second. Compile the
policy with `--stats`, see `gthulhu stats --help`. `q` or Ctrl-C ends it.

examples:
  sudo gthulhu top
  sudo gthulhu top --interval 0.5

exit status: 0 ended by `q`, 2 usage, no terminal, the policy does not count, the loader does not
respond, or the Python package rich is missing, 3 no policy is in force
"""


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "top",
        run,
        help="watch the counters of each rule, live",
        description="Show the counters of each rule on a live screen.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--interval", metavar="S", type=seconds, default=2.0, help="seconds to wait (default: 2)"
    )
    add_state(parser)


def run(options: argparse.Namespace) -> int:
    """Shows the screen until `q` or Ctrl-C. Raises CommandError."""
    import sys
    import time

    from gthulhu import counters

    try:
        from rich.console import Console
        from rich.live import Live
    except ImportError as error:
        raise CommandError(
            "the Python package rich is missing",
            frame.pip_install("rich"),
        ) from error

    instead = "use `gthulhu stats --watch`, which needs no terminal"
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("standard input and output are not a terminal", instead)
    console = Console()
    if console.is_dumb_terminal:
        raise CommandError("this terminal cannot show a screen, according to TERM", instead)
    before, then = counters.read(options.state), time.monotonic()
    if not before.classes:
        raise CommandError(
            "the policy in force has no counters of rules", "compile it with `--stats`"
        )
    first = _Screen(before, before, 1.0, _promises(options.state))
    live = Live(first, console=console, screen=True, auto_refresh=False)
    terminal = _Terminal(live)
    try:
        terminal.show()
        while not terminal.is_quit_pressed(options.interval):
            stats, now = counters.read(options.state), time.monotonic()
            if (stats.generation, stats.since) != (before.generation, before.since):
                before, then = stats, now  # a new scheduler, whose counters started at zero
            promised = _promises(options.state)
            live.update(_Screen(before, stats, max(now - then, 0.001), promised), refresh=True)
            before, then = stats, now
    finally:
        terminal.close()
    return frame.OK


def _promises(state: str) -> tuple[str, ...]:
    """The promises and the values of their last windows, below an empty line."""
    from gthulhu import control, promises

    answer = control.ask(state, "status")
    lines = tuple(promises.lines(answer)) if answer.get("ok") else ()
    return ("", *(f"promise {line}" for line in lines)) if lines else ()


class _Terminal:
    """The terminal: its screen, its keys, changes of its size, and Ctrl-Z."""

    def __init__(self, live: Live) -> None:
        import os
        import signal
        import sys
        import termios

        self._live = live
        self._modes = termios.tcgetattr(sys.stdin)
        # select() in is_quit_pressed() handles signals, so never while the screen is half drawn.
        self._signals, self._writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wakeup = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        self._handlers = {
            number: signal.signal(number, _listen)
            for number in (signal.SIGWINCH, signal.SIGTSTP)
            if signal.getsignal(number) != signal.SIG_IGN
        }

    def close(self) -> None:
        """Restores the terminal and the signal handlers."""
        import os
        import signal

        try:
            self.hide()
        finally:
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(self._wakeup)
            os.close(self._signals)
            os.close(self._writer)

    def show(self) -> None:
        """Switches to the screen."""
        import sys
        import tty

        tty.setcbreak(sys.stdin)
        self._live.start(refresh=True)

    def hide(self) -> None:
        """Leaves the screen and restores the terminal's modes."""
        import sys
        import termios

        try:
            self._live.stop()
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._modes)

    def is_quit_pressed(self, timeout_s: float) -> bool:
        """Waits for `q`, and redraws when the terminal changes its size."""
        import os
        import select
        import signal
        import sys
        import time

        end = time.monotonic() + timeout_s
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([sys.stdin, self._signals], [], [], left)
            if sys.stdin in ready and os.read(sys.stdin.fileno(), 1) in (b"q", b"Q", b""):
                return True
            if self._signals in ready:
                if signal.SIGTSTP in os.read(self._signals, 4096):
                    self._stop()
                else:
                    self._live.refresh()
        return False

    def _stop(self) -> None:
        """Stops the process, as Ctrl-Z asks, with the terminal restored meanwhile."""
        import os
        import signal

        self.hide()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, _listen)
        self.show()


def _listen(*_: object) -> None:
    """A handler that does nothing: the signal only has to wake up select()."""


# ---- content ------------------------------------------------------------------------------------

_COLUMNS = (
    "rule", "tasks", "CPUs", "waits/s", "p50", "p99", "wakes/s", "p50", "p99", "cut/s",
    "preempts/s", "preempted/s", "migrates/s", "conflicts/s", "rescues/s",
)  # fmt: skip
_RULE = 16  # columns of a terminal for its name
_NARROWEST = 6


class _Screen(NamedTuple):
    """The difference between two readings, as a table that fits the terminal's width."""

    before: Stats
    now: Stats
    elapsed_s: float
    promises: tuple[str, ...] = ()

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
        yield from (escape(visible(line)) for line in self.promises)


def _fitting(width: int) -> int:
    """The number of columns that fit; the last ones are dropped first."""
    ends = accumulate((max(len(name), _NARROWEST) + 1 for name in _COLUMNS[1:]), initial=_RULE)
    return max(2, sum(end <= width for end in ends))


def rows(before: Stats, now: Stats, elapsed_s: float) -> Iterator[tuple[str, ...]]:
    """A row for each class that has had tasks, those with the most CPU time first."""
    pairs = zip(before.classes, now.classes, strict=True)
    seen = [(old, new) for old, new in pairs if new.entered or new.ran_ns]
    seen.sort(key=lambda pair: pair[0].ran_ns - pair[1].ran_ns)
    for old, new in seen:
        yield _row(old, new, elapsed_s)


def _row(old: Class, new: Class, elapsed_s: float) -> tuple[str, ...]:
    from gthulhu.counters import COUNTERS

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
    from gthulhu.counters import show_ns

    if old is None or new is None:
        return "-", "-", "-"
    lately = new - old
    return (
        f"{lately.count / elapsed_s:.0f}",
        show_ns(lately.below(0.5)),
        show_ns(lately.below(0.99)),
    )
