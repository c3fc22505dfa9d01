# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Tasks in cgroups on the model of the kernel, something that happens to them, and its figures."""

from __future__ import annotations

from pathlib import Path

from scenario import S, Scenario
from simulation import Machine, Outcome, Tally


class Trial:
    """A scenario, and the tasks of each cgroup in it."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.tasks: dict[bytes, list[int]] = {}
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

    def uses(self, machine: Machine, scheduler: Path, for_ns: int = 2 * S) -> dict[bytes, float]:
        """Returns the CPUs that the tasks of each cgroup have in the next `for_ns`."""
        outcome = self.run(machine, scheduler, for_ns)
        return {
            path: sum(ran_ns(outcome.tasks[pid]) for pid in pids) / for_ns
            for path, pids in self.tasks.items()
        }


def ran_ns(tally: Tally) -> int:
    return sum(tally.ran_ns)
