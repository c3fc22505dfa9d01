# SPDX-License-Identifier: Apache-2.0
"""Runs a generated scheduler as an ordinary program on the host model.

The model of the kernel (sim) is compiled once. `Machine` compiles each scheduler into a shared
object, both under sanitizers, and runs scenarios (scenario.py).
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gthulhu_lab.simulation import model, play
from gthulhu_lab.simulation.model import Mode, ModelError
from gthulhuc import checked, codegen, plan
from gthulhuc.codegen.render import TEMPLATES
from scenario import Scenario

_STRICT = ("-Wall", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function")
# A header stands before those that it includes.
_MUTATED_HEADERS = (
    "queues.bpf.h",
    "groups.bpf.h",
    "rates.bpf.h",
    "shares.bpf.h",
    "limits.bpf.h",
    "tree.bpf.h",
)


class SanitizerError(Exception):
    """A sanitizer found a defect; the message is its report."""


class Machine:
    """The compiled model, and schedulers to run on it.

    `fast`: without sanitizers and checks of the invariants, for runs of seconds that are about
    shares.
    """

    def __init__(self, folder: Path, *, fast: bool = False) -> None:
        self._folder = folder
        self._mode = Mode.FAST if fast else Mode.CHECKED
        self._program = play.program(self._mode, _STRICT)
        self._schedulers: dict[str, Path] = {}

    def scheduler(self, policy: checked.Policy, c_text: str | None = None) -> Path:
        """Returns the scheduler of a policy, or of C text, as a shared object."""
        text = codegen.render(plan.build(policy)) if c_text is None else c_text
        if text not in self._schedulers:
            target = self._folder / str(len(self._schedulers)) / "policy.so"
            target.parent.mkdir()
            model.build_scheduler(text, target, self._mode, _STRICT)
            self._schedulers[text] = target
        return self._schedulers[text]

    def mutant(self, policy: checked.Policy, *texts: str) -> Path:
        """Returns the scheduler of a policy with texts of its C, or of its headers, replaced.

        `texts`: an old one, its new one, and so on. AssertionError unless each old one occurs
        exactly once.
        """
        text = codegen.render(plan.build(policy))
        for header in _MUTATED_HEADERS:
            body = (TEMPLATES / "lib" / header).read_text()
            text = text.replace(f'#include "{header}"\n', body, 1)
        for old, new in zip(texts[::2], texts[1::2], strict=True):
            count = text.count(old)
            assert count == 1, f"the generated C and its headers have {count} times: {old}"
            text = text.replace(old, new)
        return self.scheduler(policy, text)

    def decisions(self, scheduler: Path, scenario: Scenario) -> list[Event]:
        """Returns the events of tasks in order: wake-ups, waits, runs and stops.

        Raises as `run` does, and AssertionError after a violation.
        """
        lines = map(_EVENT.fullmatch, self._trace(scheduler, scenario))
        return [Event(int(line[1]), line[3], int(line[4]), int(line[2])) for line in lines if line]

    def calls(self, scheduler: Path, scenario: Scenario) -> Counter[tuple[int, str]]:
        """Returns how often each CPU called each part of the scheduler, and kicked a CPU ("kick").

        Raises as `decisions` does.
        """
        lines = map(_CALL.match, self._trace(scheduler, scenario))
        return Counter((int(line[1]), line[2]) for line in lines if line)

    def performance(self, scheduler: Path, scenario: Scenario) -> list[tuple[int, int, int]]:
        """Returns when, in ns, which CPU was asked for which performance, in 1,024ths.

        Raises as `decisions` does.
        """
        lines = map(_PERFORMANCE.fullmatch, self._trace(scheduler, scenario))
        return [(int(line[1]), int(line[2]), int(line[3])) for line in lines if line]

    def _trace(self, scheduler: Path, scenario: Scenario) -> list[str]:
        output, trace = self._play(scheduler, scenario, {"MACHINE_TRACE": "1"})
        violation = _violation(output)
        assert violation is None, violation
        return trace

    def run(self, scheduler: Path, scenario: Scenario) -> Outcome:
        """Returns the outcome. Raises SanitizerError, and ModelError for an invalid scenario."""
        lines, _ = self._play(scheduler, scenario)
        return Outcome(
            _violation(lines), {tally.pid: tally for tally in map(_tally, lines) if tally}
        )

    def complaint(self, scheduler: Path, scenario: Scenario) -> str | None:
        """Returns the invariant that a run violates, "sanitizer" for a defect, or None.

        Raises ModelError for an invalid scenario.
        """
        try:
            outcome = self.run(scheduler, scenario)
        except SanitizerError:
            return "sanitizer"
        return outcome.violation.split()[1] if outcome.violation else None

    def _play(
        self, scheduler: Path, scenario: Scenario, settings: Mapping[str, str] | None = None
    ) -> tuple[list[str], list[str]]:
        """The model's output: lines of its outcome, and its events."""
        result = subprocess.run(
            [self._program, scheduler], input=scenario.text(), capture_output=True, check=False,
            env={**os.environ, **(settings or {})},
        )  # fmt: skip
        output, errors = result.stdout.decode("latin-1"), result.stderr.decode("latin-1")
        if "Sanitizer" in errors or "runtime error" in errors:
            raise SanitizerError(errors)
        if result.returncode not in (0, 3):
            raise ModelError(output + errors)
        return output.splitlines(), errors.splitlines()


@dataclass(frozen=True)
class Event:
    """An event of a task on a CPU; `what` is wake, enqueue, running or stopping."""

    at_ns: int
    what: str
    pid: int
    cpu: int


_EVENT = re.compile(r" *(\d+) cpu (-?\d+): (wake|enqueue|running|stopping) (\d+)")
_PERFORMANCE = re.compile(r" *(\d+) cpu -?\d+: performance of CPU (\d+): (\d+)")
_CALL = re.compile(r" *\d+ cpu (-?\d+): (\w+) ")


@dataclass(frozen=True)
class Tally:
    """The CPU time and waits of a task, in ns."""

    pid: int
    bursts: int
    waits: int
    wait_ns: int
    max_wait_ns: int
    max_run_ns: int
    ran_ns: tuple[int, ...]


def _violation(lines: Iterable[str]) -> str | None:
    return next((line for line in lines if line.startswith("violation ")), None)


def _tally(line: str) -> Tally | None:
    word, *numbers = line.split()
    if word != "task":
        return None
    pid, _, bursts, waits, wait_ns, max_wait_ns, max_run_ns, *ran_ns = map(int, numbers)
    return Tally(pid, bursts, waits, wait_ns, max_wait_ns, max_run_ns, tuple(ran_ns))


@dataclass(frozen=True)
class Outcome:
    """The first violation, or None, and the figures of each task until then."""

    violation: str | None
    tasks: dict[int, Tally]

    def cpus(self, pids: Iterable[int], for_ns: int) -> float:
        """Returns how many CPUs these tasks had together, in figures of `for_ns`."""
        return sum(sum(self.tasks[pid].ran_ns) for pid in pids) / for_ns
