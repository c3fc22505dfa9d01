# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Groups of tasks on the model of the kernel, what happens to them, and its figures."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

from scenario import S, Scenario
from simulation import Machine, Outcome, Tally

Name = TypeVar("Name", str, bytes)


class Trial(Generic[Name]):
    """A scenario, and the tasks of each group in it: of a cgroup by its path, or of a class."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.tasks: dict[Name, list[int]] = {}
        self.now_ns = 0

    def start(self) -> None:
        self.scenario.start()
        for pids in self.tasks.values():
            for pid in pids:
                self.scenario.wake(pid)

    def at(self, now_ns: int) -> None:
        self.now_ns = now_ns
        self.scenario.at(now_ns)

    def run(self, machine: Machine, scheduler: Path, for_ns: int) -> Outcome:
        """Returns the outcome of the next `for_ns`, which must violate nothing."""
        self.scenario.count()
        outcome = machine.run(scheduler, self.scenario.end(self.now_ns + for_ns))
        assert outcome.violation is None
        return outcome

    def uses(self, machine: Machine, scheduler: Path, for_ns: int = 2 * S) -> dict[Name, float]:
        """Returns the CPUs that the tasks of each group have in the next `for_ns`."""
        outcome = self.run(machine, scheduler, for_ns)
        return {name: outcome.cpus(pids, for_ns) for name, pids in self.tasks.items()}


def ran_ns(tally: Tally) -> int:
    return sum(tally.ran_ns)
