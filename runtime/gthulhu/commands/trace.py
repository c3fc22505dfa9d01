# SPDX-License-Identifier: Apache-2.0
"""`gthulhu trace`: records which task ran when, and by which rule, for Perfetto."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu.options import add_state
from gthulhu.progress import Progress
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gthulhu.tracing.perfetto import Writer
    from gthulhu.tracing.recording import Recording
    from gthulhu.tracing.rules import Rules
    from gthulhu.tracing.runs import CpuRun
    from gthulhu.tracing.steady import Runner
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
Records every switch between tasks with the kernel's own trace events, and asks the loader for the
rules of the tasks. Open the file on https://ui.perfetto.dev (it stays in the browser), or query it
with Perfetto's trace_processor. Each run of a task is a slice with the name of its rule, on a track
for the CPU (`Rules by CPU`) and on the thread's track. The slice has the task's name and number,
the rule's source line, the wait before the run, the reason of its end and the next task. Calls of
kernel functions that the policy asks about (`calls`) are events on the same tracks. Perfetto adds
what it shows for any Linux: the tasks of each CPU, thread states and wake-ups. The policy does not
need `--stats`.

A task that ended too soon to be looked up is `(rule not known)`; a real-time or deadline task,
which no policy schedules, is `(real-time)`. A switch takes about 250 bytes of the file. Needs root.

examples:
  sudo gthulhu trace -o t.pftrace                  5 seconds
  sudo gthulhu trace -o t.pftrace --seconds 60     60 seconds, or until Ctrl-C
  sudo gthulhu trace -o t.pftrace --seconds 0      until Ctrl-C

exit status: 0 written, also after Ctrl-C, 2 usage, the kernel's tracing is not available, the
loader does not respond, the file cannot be written, or the Python package perfetto is missing, 3 no
policy is in force
"""
_FETCH_S = 0.05  # the kernel's buffers hold more than the events of this time
_ASK_S = 0.1
_ASK_SHARE = 0.05  # at most this share of the time goes into requests to the loader
_MAX_S = 86400


def add(commands: Commands) -> None:
    """Adds the command."""
    from gthulhu.tracing import TRACEFS

    parser = add_command(
        commands,
        "trace",
        run,
        help="record which task runs when, by rule, for Perfetto",
        description="Record which task runs when as a Perfetto trace, with slices named by rule.",
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
        help="length of the trace; 0: until Ctrl-C (default: 5)",
    )
    add_state(parser)
    parser.add_argument("--tracefs", metavar="FOLDER", default=TRACEFS, help=argparse.SUPPRESS)
    parser.add_argument("--proc", metavar="FOLDER", default="/proc", help=argparse.SUPPRESS)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if 0 <= seconds <= _MAX_S:
        return seconds
    raise argparse.ArgumentTypeError(f"expected seconds from 0 to {_MAX_S}, found `{text}`")


def run(options: argparse.Namespace) -> int:
    """Records, and writes the trace. Raises CommandError."""
    import mmap
    import tempfile

    from gthulhuc.cli import files
    from gthulhuc.diagnostics.human import visible

    try:
        from gthulhu.tracing import perfetto, steady
    except ImportError as error:
        raise CommandError(
            "the Python package perfetto is missing", frame.pip_install("perfetto")
        ) from error
    from gthulhu.tracing.recording import Recording

    _check_output(options.output)
    asked = _Asked(options)
    functions = asked.functions()
    traced = [function for function, why in functions.items() if why is None]
    asked.ask()  # fails if no policy is in force
    progress = Progress()
    folder = _folder_of(options.output)
    with (
        Recording(options.tracefs, folder, traced) as recording,
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
    for function, why in (functions | recording.missing).items():
        if why is not None:
            frame.err(visible(f"warning: the trace has no calls of `{function}`: {why}") + "\n")
    if gaps:
        frame.err(
            f"warning: the kernel dropped events {gaps} times because they came too fast; the "
            "trace lacks the runs at these times\n"
        )
    return frame.OK


def _check_output(output: str) -> None:
    import sys

    from gthulhuc.cli import files

    if output == files.STDIO and sys.stdout.isatty():
        raise CommandError("refusing to write a trace to a terminal", "name a file with -o OUT")
    files.check_output(output)


def _folder_of(output: str) -> str:
    """The folder for temporary files: the output's own, which needs the space anyway."""
    import tempfile
    from pathlib import Path

    path = Path(output)
    if output == "-" or (path.exists() and not path.is_file()):
        return tempfile.gettempdir()
    return str(path.resolve().parent)


# ---- recording ----------------------------------------------------------------------------------


class _Asked:
    """The rules of all tasks, from the loader, and their processes, from /proc."""

    def __init__(self, options: argparse.Namespace) -> None:
        from pathlib import Path

        from gthulhu.tracing.rules import Rules

        self.rules = Rules()
        self.processes: dict[int, tuple[int, int, str]] = {}
        """Process, parent process and name of each task that existed at the start."""
        self._tasks: list[int] = []
        self._state = options.state
        self._proc = Path(options.proc)

    def ask(self) -> int:
        """Asks the loader once; returns the time that it took in ns. Raises NotRunningError."""
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

    def functions(self) -> dict[str, str | None]:
        """The kernel functions whose calls the policy asks about. Raises NotRunningError.

        Each with the reason why the scheduler cannot trace it, None if it does.
        """
        from gthulhu import control

        answer = control.ask(self._state, "status")
        return {each["function"]: each.get("why") for each in answer.get("calls", ())}

    def runners(self) -> dict[int, Runner]:
        """The tasks that are running or runnable now."""
        from gthulhu.tracing import steady

        return steady.look(self._tasks, self._proc)


def _status(proc: Path, task: int) -> tuple[int, int, str] | None:
    """The process of a task, its parent process, and the task's name; None: it has ended."""
    try:
        lines = (proc / str(task) / "status").read_text(errors="replace").splitlines()
    except OSError:
        return None
    fields = dict(line.partition(":\t")[::2] for line in lines)
    return int(fields["Tgid"]), int(fields["PPid"]), fields["Name"]


def _record(recording: Recording, asked: _Asked, seconds: float, progress: Progress) -> None:
    """Records until the time is over, a signal arrives, or no policy is in force any more."""
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
                asked.ask()  # for the tasks that started last
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
        frame.err("warning: the policy is no longer in force; the trace ends here\n")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        progress.hide()


# ---- writing ------------------------------------------------------------------------------------


def _write(
    recording: Recording,
    asked: _Asked,
    writer: Writer,
    alone: Iterable[CpuRun],
    progress: Progress,
) -> int:
    """Writes the recording; returns how often events were lost.

    `alone`: runs of tasks that seem to have had their CPU all the time.
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
    writer.kernel()
    writer.processes(asked.processes)
    runs = Runs(recording.begin_ns)
    length_ns = max(recording.end_ns - recording.begin_ns, 1)
    events = heapq.merge(*(recording.events(cpu) for cpu in cpus), key=attrgetter("at_ns"))
    for number, event in enumerate(events):
        if number % 1000 == 0:
            done = (event.at_ns - recording.begin_ns) / length_ns
            progress.show(f"writing: {done:.0%}")
        if event.name in recording.calls:
            owner = asked.rules.owner_at(event.task, event.at_ns)
            writer.call(event, recording.calls[event.name], owner)
        else:
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
    calls = ""
    if recording.calls:
        counts = (f"{writer.calls.get(each, 0)} of {each}" for each in recording.calls.values())
        calls = f", calls: {', '.join(counts)}"
    what = " and ".join(f"{each.name}, generation {each.generation}" for each in rules.policies)
    frame.out(
        visible(f"{output}: {length_s:.1f} s, {runs} runs of {len(writer.runs_by_rule)} rules")
        + visible(f"{calls}; ")
        + visible(what)
        + "\n"
    )
