# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Reads workloads of rt-app, https://github.com/scheduler-tools/rt-app (doc/tutorial.txt there).

Each of its threads becomes a task that follows a script of the host model (`sim/script.c`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation import relaxed_json
from gthulhu_lab.simulation.behaviours import Behaviour
from gthulhu_lab.simulation.load import Group, Load
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.simulation.relaxed_json import Pairs
from gthulhu_lab.verify.facts import Facts, class_of, ids_of
from gthulhuc import checked, regular
from gthulhuc.diagnostics.human import visible
from gthulhuc.fields import Field

_US = 1_000
_MOST_US = 10**12
_MOST_THREADS, _MOST_STEPS, _MOST_GROUPS, _MOST_OBJECTS = 10_000, 4_000, 256, 4_000
_PROCESS = b"rt-app"
_LONGEST_PATH = 500
_LONGEST_NAME = 15  # bytes; a thread with a longer one keeps its process's
_FOREVER = -1

_NORMAL = ("SCHED_OTHER", "SCHED_BATCH")
_POLICIES = (*_NORMAL, "SCHED_IDLE", "SCHED_FIFO", "SCHED_RR", "SCHED_DEADLINE")
_OF_LOGS = {
    "calibration", "logdir", "log_basename", "log_size", "ftrace", "gnuplot", "cumulative_slack",
    "io_device", "mem_buffer_size", "lock_pages", "frag",
}  # fmt: skip
"""Keys of `global` that change nothing about when tasks run."""
_PROPERTIES = {"loop", "policy", "priority", "cpus", "taskgroup"}
_OF_TASKS = {"instance", "delay", "phases"}
_LEFT_OUT = {
    "nodes_membind": "the model has no memory of nodes",
    "util_min": "the model has no frequencies",
    "util_max": "the model has no frequencies",
    "dl-runtime": "the scheduler chooses slices",
    "dl-period": "the model has no SCHED_DEADLINE",
    "dl-deadline": "the model has no SCHED_DEADLINE",
}


@dataclass(slots=True)
class _Script:
    """The steps of a task so far, and the first step with each of its own timers."""

    task: str
    steps: list[str] = field(default_factory=list)
    timers: dict[str, int] = field(default_factory=dict)


class _Event(NamedTuple):
    """An event of a script: what kind of event, where in the file, and its value."""

    kind: str
    place: str
    script: _Script
    value: object


def read(path: str, policy: checked.Policy, machine: Machine) -> tuple[Load, list[str]]:
    """Returns the load in a file, and what of the file is left out, each with place and reason.

    Raises LabError for a malformed file.
    """
    try:
        content = relaxed_json.parse(path, regular.read(path).decode())
    except OSError as error:
        raise LabError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LabError(f"{path} is not JSON: {error}") from error
    return _Reader(path, policy, machine).load(content)


class _Reader:
    """Reads the objects of a file; errors name the file and the key."""

    def __init__(self, path: str, policy: checked.Policy, machine: Machine) -> None:
        self._path = path
        self._policy = policy
        self._machine = machine
        self._notes: list[str] = []
        self._objects: dict[tuple[str, str], int] = {}
        self._users = Counter[str]()
        self._names: set[str] = set()
        self._threads = 0

    def load(self, content: object) -> tuple[Load, list[str]]:
        """The load of the whole file, and what is left out."""
        table = self._pairs("", content)
        for key, _ in table:
            if key not in ("tasks", "global", "resources"):
                self._note(key, "unknown key")
        found = self._pairs("tasks", self._value(table, "tasks", ()))
        if not found:
            raise self._wrong("tasks", "expected a task or more")
        settings = self._pairs("global", self._value(table, "global", ()))
        seconds, usual = self._settings(settings)
        tasks = [(name, self._pairs(f"tasks.{name}", value)) for name, value in found]
        self._names = {name for name, _ in tasks}
        for name, task in tasks:
            self._count_users(name, task)
        groups = [group for name, task in tasks for group in self._task(name, task, usual)]
        if not groups:
            raise self._wrong("tasks", "no task begins by itself")
        for number, most, what in (
            (self._threads, _MOST_THREADS, "threads"),
            (len(groups), _MOST_GROUPS, "tasks"),
            (len(self._objects), _MOST_OBJECTS, "resources"),
        ):
            if number > most:
                raise self._wrong("tasks", f"expected at most {most:,} {what}, found {number:,}")
        load = Load(self._path, 0, tuple(groups), is_script=True, seconds=seconds)
        return load, self._notes

    def _settings(self, table: Pairs) -> tuple[float | None, str]:
        """The duration in s, None for any, and the policy of tasks that name none."""
        for key, value in table:
            if key == "pi_enabled" and value:
                self._note("global.pi_enabled", "the model's mutexes inherit no priority")
            elif key not in {"duration", "default_policy", "pi_enabled", *_OF_LOGS}:
                self._note(f"global.{key}", "unknown key")
        duration = self._int("global.duration", self._value(table, "duration", _FOREVER), -1)
        usual = self._text_of("global.default_policy", table, "default_policy", _NORMAL[0])
        return (duration if duration > 0 else None), usual

    # ---- tasks and phases ----

    def _task(self, name: str, table: Pairs, usual: str) -> Iterator[Group]:
        """A group for each class that instances of the task are in."""
        place = f"tasks.{name}"
        self._tell_unknown(place, table, {*_PROPERTIES, *_OF_TASKS})
        instances = self._instances(name, table)
        first = self._threads
        self._threads += instances
        if not instances:
            self._note(f"{place}.instance", "0 threads, and the model has no `fork` of them")
            return
        delay_us = self._int(f"{place}.delay", self._value(table, "delay", 0), 0)
        numbers = {Field.NICE: self._nice(place, table, usual) or 0}
        cgroup = self._text_of(f"{place}.taskgroup", table, "taskgroup", "/") or "/"
        if not cgroup.startswith("/") or len(cgroup) > _LONGEST_PATH:
            raise self._wrong(
                f"{place}.taskgroup",
                f"expected a path from /, of at most {_LONGEST_PATH} characters",
            )
        path = cgroup.encode(errors="replace")
        cpus = self._cpus(place, table)
        steps = tuple(self._script(name, table, cpus))
        by_class: dict[str, list[bytes]] = {}
        for number in range(first, first + instances):
            thread = f"{name}-{number}".encode(errors="replace")
            thread = thread if len(thread) <= _LONGEST_NAME else _PROCESS
            facts = Facts(_PROCESS, thread, cgroup=path, numbers=numbers)
            of = class_of(self._policy, facts, ids_of(self._policy), leader=False)
            by_class.setdefault(of, []).append(thread)
        for of, threads in by_class.items():
            facts = Facts(_PROCESS, threads[0], cgroup=path, numbers=numbers)
            behaviour = Behaviour(steps, cpus=cpus or frozenset())
            shown = visible(name)
            yield Group(shown, of, facts, behaviour, len(threads), tuple(threads), delay_us * _US)

    def _instances(self, name: str, table: Pairs) -> int:
        place = f"tasks.{name}.instance"
        return self._int(place, self._value(table, "instance", 1), 0, _MOST_THREADS)

    def _script(self, name: str, table: Pairs, cpus: frozenset[int] | None) -> list[str]:
        """The steps of a task: its phases, or what is there instead of them."""
        place = f"tasks.{name}"
        script = _Script(name)
        loop = self._loop(place, table, _FOREVER)
        phases = self._value(table, "phases", None)
        if phases is None:
            self._events(script, place, table)
        else:
            pairs = self._pairs(f"{place}.phases", phases)
            moves = any(key == "cpus" for _, phase in pairs for key, _ in self._pairs("", phase))
            for key, value in pairs:
                where = f"{place}.phases.{key}"
                self._phase(script, where, self._pairs(where, value), cpus, moves=moves)
        if not script.steps:
            raise self._wrong(place, "it does nothing: expected an event such as `run` or `sleep`")
        if loop != _FOREVER:
            script.steps += [f"repeat:0:{loop}"] * (loop > 1) + ["exit"]
        if len(script.steps) > _MOST_STEPS:
            raise self._wrong(place, f"expected at most {_MOST_STEPS:,} events")
        return script.steps

    def _phase(
        self,
        script: _Script,
        place: str,
        table: Pairs,
        usual_cpus: frozenset[int] | None,
        *,
        moves: bool,
    ) -> None:
        """`moves`: a phase of the task has CPUs of its own, so each phase sets its CPUs."""
        self._tell_unknown(place, table, _PROPERTIES)
        loop = self._loop(place, table, 1)
        if any(key == "taskgroup" for key, _ in table):
            self._note(f"{place}.taskgroup", "a phase cannot change its cgroup")
        own = self._cpus(place, table)
        if moves:
            cpus = own or usual_cpus or frozenset(range(self._machine.cpus))
            script.steps.append(f"cpus:{sum(1 << cpu for cpu in cpus):#x}")
        if (nice := self._nice(place, table, None)) is not None:
            script.steps.append(f"nice:{nice}")
        first = len(script.steps)
        self._events(script, place, table)
        if loop != 1 and len(script.steps) > first:
            script.steps.append(f"repeat:{first}:{max(loop, 0)}")

    def _loop(self, place: str, table: Pairs, usual: int) -> int:
        loop = self._int(f"{place}.loop", self._value(table, "loop", usual), _FOREVER)
        if not loop:
            raise self._wrong(f"{place}.loop", "expected -1 (for ever) or a number from 1, found 0")
        return loop

    def _nice(self, place: str, table: Pairs, usual: str | None) -> int | None:
        """The nice value that a task or phase sets, None if it leaves it."""
        name = self._text_of(f"{place}.policy", table, "policy", usual or "")
        priority = self._value(table, "priority", None)
        if name and name not in _POLICIES:
            raise self._wrong(
                f"{place}.policy", f"expected one of {', '.join(_POLICIES)}, found `{name}`"
            )
        if name and name not in _NORMAL:
            self._note(f"{place}.policy", f"{name} is simulated as SCHED_OTHER with nice 0")
            return 0
        return None if priority is None else self._int(f"{place}.priority", priority, -20, 19)

    def _cpus(self, place: str, table: Pairs) -> frozenset[int] | None:
        value, place = self._value(table, "cpus", None), f"{place}.cpus"
        if value is None:
            return None
        if not isinstance(value, list) or not value:
            raise self._wrong(place, f"expected a list of CPUs, found {_shown(value)}")
        most = self._machine.cpus - 1
        cpus = frozenset(self._int(place, cpu, 0, most) for cpu in value)
        if cpus <= self._machine.offline:
            raise self._wrong(place, f"machine {self._machine.name} has none of them online")
        return cpus

    # ---- events ----

    def _events(self, script: _Script, place: str, table: Pairs) -> None:
        for key, value in table:
            if kind := _event(key):
                event = _Event(kind, f"{place}.{key}", script, value)
                script.steps += _STEPS[kind](self, event)

    def run(self, event: _Event) -> list[str]:
        """`run`, `runtime` and `sleep`, whose time may be 0."""
        word = {"run": "run", "runtime": "runtime", "sleep": "pause"}[event.kind]
        ns = self._int(event.place, event.value, 0) * _US
        return [f"{word}:{ns}"] if ns else []

    def timer(self, event: _Event) -> list[str]:
        """`timer`: of all tasks, or of the task alone."""
        place, script, table = event.place, event.script, self._pairs(event.place, event.value)
        name = self._text_of(f"{place}.ref", table, "ref", "unknown")
        mode = self._text_of(f"{place}.mode", table, "mode", "relative")
        if mode not in ("relative", "absolute"):
            raise self._wrong(f"{place}.mode", f"expected relative or absolute, found `{mode}`")
        ns = self._int(f"{place}.period", self._value(table, "period", 0), 0) * _US
        if not ns:
            return []
        rest = f"{ns}:{int(mode == 'absolute')}"
        if name.startswith("unique"):
            return [f"own:{script.timers.setdefault(name, len(script.steps))}:{rest}"]
        return [f"timer:{self._number('timer', name)}:{rest}"]

    def wait(self, event: _Event) -> list[str]:
        """`wait`, and `sync`, which first signals."""
        place, table = event.place, self._pairs(event.place, event.value)
        condition = self._number("wait", self._text_of(f"{place}.ref", table, "ref", "unknown"))
        mutex = self._number("lock", self._text_of(f"{place}.mutex", table, "mutex", "unknown"))
        signal = [f"signal:{condition}"] if event.kind == "sync" else []
        return [*signal, f"wait:{condition}:{mutex}", f"lock:{mutex}"]

    def suspend(self, event: _Event) -> list[str]:
        """`suspend`: until a task resumes this one, by its name."""
        task, text = event.script.task, event.value
        if isinstance(text, str) and text not in ("", task):
            self._note(event.place, f"rt-app ignores `{text}`: the task is resumed as `{task}`")
        return [f"wait:{self._number('wait', task)}:0"]

    def resume(self, event: _Event) -> list[str]:
        """`resume`: all threads of a task that are suspended."""
        name = self._name(event.place, event.value)
        if name not in self._names:
            self._note(event.place, f"no task has the name `{name}`, so nobody is resumed")
        return [f"broad:{self._number('wait', name)}"]

    def barrier(self, event: _Event) -> list[str]:
        """`barrier`: until all threads that have it are there."""
        name = self._name(event.place, event.value)
        return [f"barrier:{self._number('barrier', name)}:{self._users[name]}"]

    def named(self, event: _Event) -> list[str]:
        """An event about a mutex, a condition or a semaphore."""
        word, of = {
            "lock": ("lock", "lock"), "unlock": ("unlock", "lock"), "signal": ("signal", "wait"),
            "broad": ("broad", "wait"), "sem_post": ("post", "sem"), "sem_wait": ("down", "sem"),
        }[event.kind]  # fmt: skip
        return [f"{word}:{self._number(of, self._name(event.place, event.value))}"]

    def yields(self, _event: _Event) -> list[str]:
        """`yield`."""
        return ["yield"]

    def leave_out(self, event: _Event) -> list[str]:
        """An event that the model lacks."""
        self._note(event.place, _MISSING[event.kind])
        return []

    def _count_users(self, name: str, table: Pairs) -> None:
        """Barriers have to know how many threads come to them."""
        place = f"tasks.{name}"
        phases = self._value(table, "phases", None)
        parts = [(place, table)]
        if phases is not None:
            pairs = self._pairs(f"{place}.phases", phases)
            parts = [(key, self._pairs(f"{place}.phases.{key}", value)) for key, value in pairs]
        for where, part in parts:
            for key, value in part:
                if _event(key) == "barrier":
                    self._users[self._name(f"{where}.{key}", value)] += self._instances(name, table)

    def _number(self, kind: str, name: str) -> int:
        """The number of a resource, from 1 on."""
        return self._objects.setdefault((kind, name), len(self._objects) + 1)

    # ---- values ----

    def _tell_unknown(self, place: str, table: Pairs, known: set[str]) -> None:
        for key, _ in table:
            if key in _LEFT_OUT:
                self._note(f"{place}.{key}", _LEFT_OUT[key])
            elif key not in known and not _event(key):
                self._note(f"{place}.{key}", "unknown key")

    def _value(self, table: Pairs, key: str, usual: object) -> object:
        return next((value for name, value in table if name == key), usual)

    def _pairs(self, place: str, value: object) -> Pairs:
        if not isinstance(value, tuple):
            raise self._wrong(place, f"expected an object in braces, found {_shown(value)}")
        return value

    def _int(self, place: str, value: object, low: int, high: int = _MOST_US) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self._wrong(
                place, f"expected a whole number, {low} to {high}, found {_shown(value)}"
            )
        return value

    def _text_of(self, place: str, table: Pairs, key: str, usual: str) -> str:
        return self._name(place, self._value(table, key, usual))

    def _name(self, place: str, value: object) -> str:
        if not isinstance(value, str):
            raise self._wrong(place, f"expected a text, found {_shown(value)}")
        return value

    def _note(self, place: str, why: str) -> None:
        self._notes.append(visible(f"{place}: {why}"))

    def _wrong(self, place: str, why: str) -> LabError:
        return LabError(visible(": ".join(part for part in (self._path, place, why) if part)))


def _shown(value: object) -> str:
    """A value for a message."""
    if isinstance(value, tuple):
        return "an object"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]} .."


_MISSING = {
    "mem": "the model has no work that depends on memory",
    "memrun": "the model has no work that depends on memory",
    "iorun": "the model has no devices",
    "fork": "the model's tasks start no others",
}

_STEPS: Mapping[str, Callable[[_Reader, _Event], list[str]]] = {
    "lock": _Reader.named, "unlock": _Reader.named, "wait": _Reader.wait,
    "signal": _Reader.named, "broad": _Reader.named, "sync": _Reader.wait,
    "sleep": _Reader.run, "runtime": _Reader.run, "run": _Reader.run, "timer": _Reader.timer,
    "suspend": _Reader.suspend, "resume": _Reader.resume, "memrun": _Reader.leave_out,
    "mem": _Reader.leave_out, "iorun": _Reader.leave_out, "yield": _Reader.yields,
    "barrier": _Reader.barrier, "fork": _Reader.leave_out, "sem_post": _Reader.named,
    "sem_wait": _Reader.named,
}  # fmt: skip
"""The events, a longer name before its beginning."""


def _event(key: str) -> str | None:
    """The event that a key begins with, such as `run` for `run3`; None for another key."""
    return next((kind for kind in _STEPS if key.startswith(kind)), None)
