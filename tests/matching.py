# SPDX-License-Identifier: Apache-2.0
"""The generated classifier on the host, and tasks and policies to try it with."""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gthulhuc import checked, codegen, irmatch, plan, reference
from gthulhuc.fields import FIELDS, Field, Kind
from gthulhuc.reference import Task
from policies import span

ROOT = Path(__file__).parents[1]
HOST = ROOT / "tests" / "host"
NUMBERS = [field for field in Field if field.row.kind in (Kind.ID, Kind.NUMBER)]
_RECORD = struct.Struct(f"<IIIII4xQQQQQ{len(NUMBERS)}qII16s16s128s512s512sI2048s4x")
_FLAGS = (
    # Without -Werror: random policies are full of conditions that cannot be false.
    "-std=gnu11", "-O1", "-g", "-Wall", "-Wno-unused-function",
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer",
)  # fmt: skip

MAX_ANCESTORS = 8


class HostClassifier:
    """The classifier of a policy as a program under sanitizers."""

    def __init__(self, policy: checked.Policy, folder: Path) -> None:
        self._policy = policy
        self._ir = plan.build(policy)
        self._program = folder / "classifier"
        (folder / "classifier.c").write_text(codegen.render_classifier(self._ir))
        numbers = [f"-D{field.name}={index}" for index, field in enumerate(NUMBERS)]
        includes = [f"-I{folder}", f"-I{HOST}", f"-I{ROOT / 'templates' / 'lib'}"]
        command: list[str | Path] = [
            "gcc",
            *_FLAGS,
            *numbers,
            f"-DNR_NUMBERS={len(NUMBERS)}",
            *includes,
            "-o",
            self._program,
            HOST / "driver.c",
        ]
        subprocess.run(command, check=True)
        self._names = [rule.name for rule in policy.rules]
        self._names += [reference.DEFAULT, reference.KERNEL_THREADS]

    def verdicts(self, tasks: Sequence[Task], seed: int = 0) -> list[tuple[str, list[str]]]:
        """The class of each task, and the rules that only count it."""
        choice = random.Random(seed)
        numbers = self._ids(tasks[0])
        records = b"".join(self._record(task, choice) for task in tasks)
        result = subprocess.run(
            [self._program], input=numbers + records, stdout=subprocess.PIPE, check=True
        )
        return [
            (self._names[number], self._monitors(bits))
            for number, bits in struct.iter_unpack("<QQ", result.stdout)
        ]

    def _monitors(self, bits: int) -> list[str]:
        monitors = [cls.name for cls in self._ir.classes if cls.monitor]
        return [name for bit, name in enumerate(monitors) if bits >> bit & 1]

    def _ids(self, task: Task) -> bytes:
        """Numbers of users and groups, which all tasks share."""
        numbers = [
            (task.users if id_.database == "passwd" else task.groups).get(
                id_.name.encode("latin-1"), 0xFFFFFFFF
            )
            for id_ in self._ir.ids
        ]
        return struct.pack(f"<{len(numbers)}I", *numbers)

    def _record(self, task: Task, choice: random.Random) -> bytes:
        heirs = [cls.name for cls in self._ir.classes if cls.inherit]
        answers = _Answers.draw([(f, runtime_value(f, task)) for f in self._ir.runtime], choice)
        arguments = b"".join(argument + b"\0" for argument in task.cmdline)
        depth = len([part for part in task.cgroup.split(b"/") if part])
        return _RECORD.pack(
            task.kthread,
            task.leader,
            choice.random() < 0.5,
            len(task.ancestors),
            task.interactive,
            answers.known_true,
            answers.known_false,
            sum(1 << bit for bit, name in enumerate(heirs) if name in task.inherits),
            answers.own_true,
            answers.own_false,
            *(task.number(field) for field in NUMBERS),
            choice.randint(1, 4095) if answers.own_true or answers.own_false else 0,
            choice.randint(0, depth),
            task.comm,
            task.process,
            b"".join(name.ljust(16, b"\0") for name in task.ancestors),
            task.cgroup,
            task.exe or b"",
            len(arguments),
            arguments,
        )


@dataclass(frozen=True)
class _Answers:
    """The runtime's facts about the container and the process; for `calls`, about the task."""

    known_true: int = 0
    known_false: int = 0
    own_true: int = 0
    own_false: int = 0

    @classmethod
    def draw(
        cls, values: list[tuple[irmatch.RuntimeComparison, reference.Truth]], choice: random.Random
    ) -> _Answers:
        """Merges values of both; the process's value wins."""
        found = {False: 0, True: 0}
        own = {False: 0, True: 0}
        for fact, value in values:
            if value is None:
                continue
            bit = 1 << fact.index
            is_own = fact.late and choice.random() < 0.4
            if is_own:
                own[value] |= bit
            merged = choice.choice((False, True, None)) if is_own else value
            if merged is not None:
                found[merged] |= bit
        return cls(found[True], found[False], own[True], own[False])


def runtime_value(fact: irmatch.RuntimeComparison, task: Task) -> reference.Truth:
    """Returns the facts of a runtime that knows what the reference knows."""
    values = tuple(value.encode("latin-1") for value in fact.values)
    key = None if fact.key is None else fact.key.encode("latin-1")
    subject = checked.Subject(FIELDS[fact.subject], key)
    match fact.operator:
        case "calls":
            asked = (fact.function, fact.within_ns, fact.via_softirq)
            return asked in {call_key(call) for call in task.calls or ()}
        case "is":
            predicate: checked.Predicate = checked.Equals(subject, values, span())
        case "glob":
            predicate = checked.Glob(subject, values, span())
        case "regex":
            predicate = checked.Regex(subject, values[0], span())
        case _:
            predicate = checked.Has(subject, span())
    return reference.value(predicate, task)


def call_key(call: checked.Calls) -> tuple[str | None, int | None, bool]:
    """Returns what a call is, wherever the policy asks for it."""
    return call.function, call.within_ns, call.via_softirq
