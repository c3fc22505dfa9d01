# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the text of `perf script`, of what `perf sched record` has recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from gthulhu.record.foreign.trace import LOST, About, Process
from gthulhu.record.framing import RecordError
from gthulhu.tracing.ring import Event, Value


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern in which `#` is a number, of as many digits as the kernel's have at most."""
    return re.compile(text.replace("#", r"\d{1,20}"))


_LINE = _pattern(
    r"\s*.{0,16}?\s+(?:\d+/)?(?P<task>#)\s+\[(?P<cpu>\d{1,6})\]\s+(?P<s>\d{1,9})\.(?P<part>\d{6}|\d{9}):"
    r"\s+(?:\w+:)?(?P<name>\w+)(?P<rest>.*)"
)
_HEADS = {
    "os release": "release", "arch": "machine", "cpudesc": "model", "nrcpus online": "cpus",
}  # fmt: skip
_COMM = _pattern(r"(?: exec)?: (?P<name>.*):(?P<process>#)/(?P<task>#)")
_FORK = _pattern(r"\((?P<process>#):(?P<task>#)\):\((?P<parent>#):\d+\)")
_FIELDS = {
    name: _pattern(rf": +{pattern}")
    for name, pattern in {
        "sched_switch": r"prev_comm=(?P<prev_comm>.*) prev_pid=(?P<prev_pid>#) "
        r"prev_prio=(?P<prev_prio>-?#) prev_state=(?P<prev_state>\S+) ==> "
        r"next_comm=(?P<next_comm>.*) next_pid=(?P<next_pid>#) next_prio=(?P<next_prio>-?#)",
        "sched_waking": r"comm=(?P<comm>.*) pid=(?P<pid>#) prio=(?P<prio>-?#) ",
        "sched_wakeup": r"comm=(?P<comm>.*) pid=(?P<pid>#) prio=(?P<prio>-?#) ",
        "sched_process_fork": r"comm=.* pid=(?P<parent_pid>#) child_comm=(?P<child_comm>.*) "
        r"child_pid=(?P<child_pid>#)",
        "sched_process_exec": r"filename=(?P<filename>.*) pid=(?P<pid>#) old_pid=",
        "sched_process_exit": r"comm=(?P<comm>.*) pid=(?P<pid>#) prio=",
        "task_newtask": r"pid=(?P<pid>#) comm=(?P<comm>.*) "
        r"clone_flags=(?P<clone_flags>[\da-f]{1,16})",
        "task_rename": r"pid=(?P<pid>#) oldcomm=.* newcomm=(?P<newcomm>.*) oom_score_adj=",
        "sys_enter": r"NR (?P<id>-?#)",
        "sys_exit": "",
        "softirq_entry": r"vec=(?P<vec>#)",
        "softirq_exit": "",
        "irq_handler_entry": r"irq=(?P<irq>#)",
        "irq_handler_exit": "",
        "local_timer_entry": "",
        "local_timer_exit": "",
    }.items()
}
_TEXTS = {"prev_comm", "next_comm", "comm", "child_comm", "newcomm", "filename"}
_STATES = {
    "R": 0, "S": 1, "D": 2, "T": 4, "t": 8, "X": 0x10, "Z": 0x20, "P": 0x40, "I": 0x80,
}  # fmt: skip
_PUT_ASIDE = 0x100
_MOST_LINE = 1 << 16


class PerfTrace:
    """The text of `perf script`."""

    def __init__(self, path: str) -> None:
        """Reads the file once. Raises RecordError."""
        self.name = path
        self.about = About("perf")
        for line, found in self._lines():
            if line.startswith("#"):
                self._learn(line)
            elif found is not None and not self._is_about_tasks(found):
                self.about.kinds.add(found["name"])
        if "sched_switch" not in self.about.kinds:
            raise RecordError(
                f"{path} has no switches between tasks as `perf script` prints them",
                "perf sched record -a -- sleep 10; "
                "perf script --ns --header --show-task-events > sched.txt",
            )

    def _lines(self) -> Iterator[tuple[str, re.Match[str] | None]]:
        """The lines, and those of events taken apart. Raises RecordError."""
        with Path(self.name).open(errors="surrogateescape", newline="\n") as file:
            number = 0
            while line := file.readline(_MOST_LINE):
                number += 1
                if not line.endswith("\n"):
                    raise RecordError(
                        f"{self.name} is cut off in line {number}", "run `perf script` again"
                    )
                self._number = number
                yield line, _LINE.fullmatch(line[:-1])

    def _learn(self, line: str) -> None:
        name, _, value = line[1:].partition(" : ")
        if member := _HEADS.get(name.strip()):
            text = value.strip()
            if member == "cpus":
                self.about.cpus = int(text) if text.isdecimal() and len(text) < 6 else 0
            else:
                setattr(self.about, member, text)

    def _is_about_tasks(self, found: re.Match[str]) -> bool:
        """Takes note of a process that perf tells; whether the line is that."""
        tasks = self.about.processes
        if found["name"] == "PERF_RECORD_FORK" and (told := _FORK.fullmatch(found["rest"])):
            name = tasks[int(told["parent"])].name if int(told["parent"]) in tasks else ""
            tasks[int(told["task"])] = Process(int(told["process"]), int(told["parent"]), name)
        elif found["name"] == "PERF_RECORD_COMM" and (told := _COMM.fullmatch(found["rest"])):
            task = int(told["task"])
            parent = tasks[task].parent if task in tasks else 0
            tasks[task] = Process(int(told["process"]), parent, told["name"])
        return found["name"].startswith("PERF_RECORD")

    def events(self) -> Iterator[Event]:
        """The events of all CPUs, in the order of time. Raises RecordError."""
        for _, found in self._lines():
            if found is None:
                continue
            name = found["name"]
            is_lost = name == "PERF_RECORD_LOST"
            if not is_lost and name not in _FIELDS:
                continue
            at_ns = int(found["s"]) * 10**9 + int(found["part"].ljust(9, "0"))
            fields = {} if is_lost else self._fields(name, found["rest"])
            yield Event(
                at_ns, int(found["cpu"]), LOST if is_lost else name, int(found["task"]), fields,
                lost=is_lost,
            )  # fmt: skip

    def _fields(self, name: str, rest: str) -> dict[str, Value]:
        found = _FIELDS[name].match(rest)
        if found is None:
            raise RecordError(
                f"{self.name}, line {self._number}: a {name} without its fields",
                "print the fields as perf does by default, without another --fields",
            )
        return {key: _value(key, text) for key, text in found.groupdict().items()}


def _value(key: str, text: str) -> Value:
    if key in _TEXTS:
        return text
    if key == "prev_state":
        return _PUT_ASIDE if text == "R+" else _STATES.get(text[0], 1)
    return int(text, 16) if key == "clone_flags" else int(text)
