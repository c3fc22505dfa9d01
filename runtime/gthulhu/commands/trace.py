# SPDX-License-Identifier: Apache-2.0
"""`gthulhu trace`: who ran when and why, for Perfetto."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu.options import add_state
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gthulhu.tracing.perfetto import Writer
    from gthulhu.tracing.recording import Recording
    from gthulhu.tracing.rules import Rules
    from gthulhu.tracing.runs import Run
    from gthulhu.tracing.steady import Runner
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Records every switch between tasks by the kernel's own trace events, and asks the loader whose the
tasks are. Open the file on https://ui.perfetto.dev (it stays in the browser), or ask Perfetto's
trace_processor. There is a slice for each run of a task, named by its rule, on a track for each CPU
(`Rules by CPU`) and on that of the thread, with its name and number, source line, how long it had
waited, how it ended and who came next; beside that is what Perfetto has of every Linux: who ran
where, the states of each thread, who woke whom. The policy need not count.

A task that was there too short to be asked for is `(rule not known)`, one that its scheduling class
takes out of all policies' hands `(real-time)`. A switch takes some 250 bytes of the file. Needs
root.

examples:
  sudo gthulhu trace -o t.pftrace                  5 seconds
  sudo gthulhu trace -o t.pftrace --seconds 60     or less, with Ctrl-C
  sudo gthulhu trace -o t.pftrace --seconds 0      until Ctrl-C

exit status: 0 written, also when it was ended by Ctrl-C, 2 usage, the kernel's tracing cannot be
used, the loader cannot be asked, the file cannot be written, or the Python package perfetto is
missing, 3 no policy is in force
"""
_FETCH_S = 0.05  # what the kernel's buffers hold is more than that
_ASK_S = 0.1
_ASK_SHARE = 0.05  # of the time, at most, is spent with asking
_LONGEST_S = 86400


def add(commands: Commands) -> None:
    """Adds the command."""
    from gthulhu.tracing import TRACEFS

    parser = add_command(
        commands,
        "trace",
        run,
        help="record who runs when, by rule, for Perfetto",
        description="Record who runs when as a Perfetto trace, with slices named by rule.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="the trace; - for standard output"
    )
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=_seconds,
        default=5.0,
        help="how long; 0: until Ctrl-C (default: 5)",
    )
    add_state(parser)
    parser.add_argument("--tracefs", metavar="FOLDER", default=TRACEFS, help=argparse.SUPPRESS)
    parser.add_argument("--proc", metavar="FOLDER", default="/proc", help=argparse.SUPPRESS)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if 0 <= seconds <= _LONGEST_S:
        return seconds
    raise argparse.ArgumentTypeError(f"{text} is no number of seconds up to {_LONGEST_S}")


def run(options: argparse.Namespace) -> int:
    """Records, and writes the trace."""
    import mmap
    import tempfile

    from gthulhuc.cli import files

    try:
        from gthulhu.tracing import perfetto, steady
    except ImportError as error:
        raise CommandError(
            "the Python package perfetto is missing", frame.pip_install("perfetto")
        ) from error
    from gthulhu.tracing.recording import Recording

    _check_output(options.output)
    asked = _Asked(options)
    asked.ask()  # whether there is anything to record
    progress = _Progress()
    folder = _folder_of(options.output)
    with (
        Recording(options.tracefs, folder) as recording,
        tempfile.TemporaryFile(dir=folder) as file,
    ):
        before = asked.runners()
        _record(recording, asked, options.seconds, progress)
        alone = steady.runs(before, asked.runners(), recording.begin_ns, recording.end_ns)
        writer = perfetto.Writer(file)
        gaps = _write(recording, asked, writer, alone, progress)
        file.flush()
        with (
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
            memoryview(content) as view,
        ):
            files.write_file(options.output, view)
    if options.output != files.STDIO:
        _conclude(options.output, recording, asked.rules, writer)
    if gaps:
        frame.err(
            f"warning: events were lost {gaps} times, as they came faster than they were fetched: "
            "the runs there are missing\n"
        )
    return frame.OK


def _check_output(output: str) -> None:
    import sys

    from gthulhuc.cli import files

    if output == files.STDIO and sys.stdout.isatty():
        raise CommandError("refusing to write a trace to a terminal", "name a file with -o OUT")
    files.check_output(output)


def _folder_of(output: str) -> str:
    """Where what is recorded is kept meanwhile: beside the file, which needs room there too."""
    import tempfile
    from pathlib import Path

    path = Path(output)
    if output == "-" or (path.exists() and not path.is_file()):
        return tempfile.gettempdir()
    return str(path.resolve().parent)


# ---- recording ----------------------------------------------------------------------------------


class _Asked:
    """The loader's answers about the tasks, and /proc's about those that are new."""

    def __init__(self, options: argparse.Namespace) -> None:
        from pathlib import Path

        from gthulhu.tracing.rules import Rules

        self.rules = Rules()
        self.processes: dict[int, tuple[int, int, str]] = {}
        """Process, its parent and name, of the tasks that were there at the beginning."""
        self._tasks: list[int] = []
        self._state = options.state
        self._proc = Path(options.proc)

    def ask(self) -> int:
        """Asks once more. Returns how long it took, in ns. Raises NotRunningError."""
        from gthulhu import control
        from gthulhu.tracing.recording import now_ns

        begin_ns = now_ns()
        answer = control.ask(self._state, "tasks")
        end_ns = now_ns()
        if not answer.get("ok"):
            raise CommandError(str(answer["error"]), str(answer.get("help", "")))
        self.rules.learn(begin_ns, end_ns, answer)
        self._tasks = [each["tid"] for each in answer["tasks"]]
        if not self.processes:
            found = ((task, _status(self._proc, task)) for task in self._tasks)
            self.processes = {task: status for task, status in found if status is not None}
        return now_ns() - begin_ns

    def runners(self) -> dict[int, Runner]:
        """Those of the tasks that run now, or could."""
        from gthulhu.tracing import steady

        return steady.look(self._tasks, self._proc)


def _status(proc: Path, task: int) -> tuple[int, int, str] | None:
    """The process of a task, that one's parent, and the task's name."""
    try:
        lines = (proc / str(task) / "status").read_text(errors="replace").splitlines()
    except OSError:
        return None
    fields = dict(line.partition(":\t")[::2] for line in lines)
    return int(fields["Tgid"]), int(fields["PPid"]), fields["Name"]


def _record(recording: Recording, asked: _Asked, seconds: float, progress: _Progress) -> None:
    """Until the time is over, somebody has seen enough, or no policy is in force any more."""
    import signal
    import time

    from gthulhu.control import NotRunningError

    stops = {
        number
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) != signal.SIG_IGN  # as `nohup` leaves it
    }
    recording.start()
    began = time.monotonic()
    next_ask = 0.0
    before = signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    try:
        while True:
            passed = time.monotonic() - began
            left = seconds - passed if seconds else _FETCH_S
            if left <= 0:
                asked.ask()  # for those that came last
                break
            if passed >= next_ask:
                took = asked.ask() / 1e9
                next_ask = time.monotonic() - began + max(_ASK_S, took / _ASK_SHARE)
            recording.fetch()
            of = f" of {seconds:g}" if seconds else ""
            size = recording.fetched_bytes / 1e6
            progress.show(f"recording: {passed:.0f}{of} s, {size:.1f} MB; Ctrl-C ends it")
            if signal.sigtimedwait(stops, max(min(_FETCH_S, left), 0)):
                break
        recording.stop()
    except NotRunningError:
        recording.stop()
        frame.err("warning: the policy is not in force any more: the trace ends there\n")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        progress.hide()


# ---- writing ------------------------------------------------------------------------------------


def _write(
    recording: Recording,
    asked: _Asked,
    writer: Writer,
    alone: Iterable[Run],
    progress: _Progress,
) -> int:
    """Writes all that was recorded; how often events were lost.

    `alone`: runs of tasks that, as it seems, had their CPU all the time.
    """
    import heapq
    import time
    from operator import attrgetter

    from gthulhu.tracing.runs import Runs

    cpus = recording.cpus()
    for cpu in cpus:
        asked.rules.turn(recording.events(cpu))
    clocks = ("BOOTTIME", "MONOTONIC", "REALTIME")
    writer.begin(
        {name: time.clock_gettime_ns(getattr(time, f"CLOCK_{name}")) for name in clocks},
        asked.rules.policies,
    )
    writer.processes(asked.processes)
    runs = Runs(recording.begin_ns)
    length_ns = max(recording.end_ns - recording.begin_ns, 1)
    events = heapq.merge(*(recording.events(cpu) for cpu in cpus), key=attrgetter("at_ns"))
    for number, event in enumerate(events):
        if number % 1000 == 0:
            done = (event.at_ns - recording.begin_ns) / length_ns
            progress.show(f"writing: {done:.0%}")
        writer.event(event)
        run = runs.take(event)
        if run is not None:
            writer.run(run, asked.rules.owner_at(run.task, run.begin_ns))
    steady = [run for run in alone if run.cpu not in runs.switched]
    for run in (*steady, *runs.end(recording.end_ns)):
        writer.run(run, asked.rules.owner_at(run.task, run.begin_ns))
    writer.close()
    progress.hide()
    return runs.gaps


def _conclude(output: str, recording: Recording, rules: Rules, writer: Writer) -> None:
    from gthulhuc.diagnostics.human import visible

    length_s = (recording.end_ns - recording.begin_ns) / 1e9
    runs = sum(writer.runs_by_rule.values())
    what = " and ".join(f"{each.name}, generation {each.generation}" for each in rules.policies)
    frame.out(
        visible(f"{output}: {length_s:.1f} s, {runs} runs of {len(writer.runs_by_rule)} rules; ")
        + visible(what)
        + "\n"
    )


class _Progress:
    """A line of a terminal; elsewhere nothing."""

    def __init__(self) -> None:
        import sys

        self._is_shown = sys.stderr.isatty()
        self._last = 0.0

    def show(self, text: str) -> None:
        """At most five times per second."""
        import time

        if self._is_shown and time.monotonic() - self._last >= 0.2:
            self._last = time.monotonic()
            frame.err(f"\r{text}\x1b[K")

    def hide(self) -> None:
        """Leaves the line empty."""
        if self._is_shown and self._last:
            frame.err("\r\x1b[K")
            self._last = 0.0
