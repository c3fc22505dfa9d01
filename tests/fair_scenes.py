# SPDX-License-Identifier: Apache-2.0
"""Tasks in a guest that all want the CPU, and the shares that they have and should have.

    python tests/fair_scenes.py [KERNEL...]

boots the policy of the scenes and the kernel's own scheduler on each kernel, and prints a table of
their shares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import max_min
from gthulhu_lab import subjects, vm, workloads
from gthulhu_lab.measure import EEVDF, Subject
from gthulhu_lab.request import GuestRequest

POLICY = Path(__file__).parent / "vm" / "invariants" / "fair.gpl"
KERNELS = ("6.16", "7.2")
CPUS = 4
ALL = (1 << CPUS) - 1
# Before a share is measured, all tasks have begun, and the slowest clock has passed the leads and
# the largest old debt, 100 ms and a slice: what ran before a scene may leave one.
BEGIN_MS, LEAST_SETTLE_MS, OLD_DEBT_MS = 500, 1500, 110
MEASURED_MS, SPARE_MS = 2000, 300
# Nice values that give EEVDF the weights of rules.
_NICE = {50: 3, 100: 0, 200: -3, 300: -5, 400: -6}
# Levels by their weights; other rules have their names.
WEIGHTS = {"low": 50, "high": 200, "heavy": 300, "urgent": 400}
LEADS_MS = {"low": -40, "late": -40, "high": 20, "early": 20, "urgent": 40}
RULES_CPUS = {"half": 0b11, "early": 0b11, "late": 0b11, "heavy": 0b11, "most": 0b111}


@dataclass(frozen=True)
class Crowd:
    """Equal tasks of a rule, which always want to run, or one that tries a trick.

    `rule` is their name; `cpus` is their affinity, and `trick` a kind of lab/workloads/trick.c.
    """

    number: int
    rule: str = "other"
    cpus: int = ALL
    trick: str = ""

    @property
    def demand(self) -> max_min.Demand:
        """The weight and the CPUs of one of them."""
        return max_min.Demand(
            WEIGHTS.get(self.rule, 100), self.cpus & RULES_CPUS.get(self.rule, ALL)
        )

    def command(self, ms: int, *, has_rules: bool) -> str:
        """The command; without rules, their CPUs and weights are the tasks' own."""
        if self.trick:
            seconds = -(-ms // 1000)
            return f"TASK_COMM={self.rule} trick {self.trick} {self.number} {seconds} $RESULTS"
        cpus = self.cpus if has_rules else self.demand.cpus
        nice = 0 if has_rules else _NICE[int(self.demand.weight)]
        listed = ",".join(str(cpu) for cpu in range(CPUS) if cpus >> cpu & 1)
        return f"crowd {self.rule} {self.number} {ms} 0 0 {listed} {nice}"


Scenes = Mapping[str, tuple[Crowd, ...]]
# The first crowd of each once had more or less than its share.
SCENES: Scenes = {
    "two of a rule with half of the CPUs, beside 8": (Crowd(2, "half"), Crowd(8)),
    "the same of priority high and normal weight": (Crowd(2, "early"), Crowd(8)),
    "the same of priority low and normal weight": (Crowd(2, "late"), Crowd(8)),
    "the same of three times the weight": (Crowd(2, "heavy"), Crowd(8)),
    "one pinned to CPU 0, beside 40": (Crowd(1, "pinned", cpus=1), Crowd(40)),
    "one that never migrates, beside 40": (Crowd(1, "never"), Crowd(40)),
    "one that is lazy, beside 40": (Crowd(1, "lazy"), Crowd(40)),
    "8 low ones pinned to CPU 0, beside 40 high ones": (Crowd(8, "low", cpus=1), Crowd(40, "high")),
    "two urgent ones on CPUs 2 and 3 beside 4 low ones, and 4 urgent ones on the others": (
        Crowd(2, "urgent", cpus=0b1100), Crowd(4, "low", cpus=0b1100), Crowd(4, "urgent", 0b0011),
    ),
    "8 pinned to CPU 0, and 4 free ones": (Crowd(8, "pinned", cpus=1), Crowd(4)),
    "3 free ones, beside 4 on two CPUs and 26 on the others": (
        Crowd(3), Crowd(4, "left", cpus=0b0011), Crowd(26, "right", cpus=0b1100),
    ),
    "rules that overlap: 6 on three CPUs, 1 on two, 2 free": (
        Crowd(6, "most"), Crowd(1, "half"), Crowd(2),
    ),
}  # fmt: skip
TRICKS: Scenes = {
    kind: (Crowd(1, "trick", trick=kind), Crowd(7))
    for kind in (
        "forks", "vforks", "doubleforks", "threads", "affinity", "hop", "rename", "namespaces",
        "cgroups", "batch", "idle", "yield",
    )
}  # fmt: skip
# A thousand threads are a thousand tasks; what they must not do is to stop others.
MANY: Scenes = {"many": (Crowd(1, "trick", trick="many"), Crowd(4))}


@dataclass(frozen=True)
class Share:
    """The share of each task of a crowd, and the fair one, in CPUs."""

    crowd: Crowd
    had: float
    fair: float

    @property
    def ratio(self) -> float:
        return self.had / self.fair


def policy_subject() -> Subject:
    return subjects.compiled("fair", POLICY)


def measure(subject: Subject, scenes: Scenes, kernel: str) -> dict[str, list[Share]]:
    """Boots a guest, and returns the shares of each scene's crowds."""
    has_rules = subject is not EEVDF
    result = vm.run(_request(subject, scenes, kernel, has_rules=has_rules)).check()
    return {
        name: _shares(crowds, list(map(int, result.files[f"usage-{number}"].split())))
        for number, (name, crowds) in enumerate(scenes.items())
    }


def _request(subject: Subject, scenes: Scenes, kernel: str, *, has_rules: bool) -> GuestRequest:
    script = [_FUNCTIONS]
    for number, crowds in enumerate(scenes.values()):
        script += _scene(number, crowds, has_rules=has_rules)
    return GuestRequest(
        script="\n".join([*script, "stop_scheduler"]),
        kernel=kernel,
        files={**workloads.build(), **subject.guest_files()},
        cpus=CPUS,
        deadline_s=1800,
    )


_FUNCTIONS = """
set -e
. "$LAB/scheduler.sh"
# in_group FOLDER COMMAND...: in a cgroup of its own
in_group() {
    mkdir "$1"
    sh -c 'echo $$ >"$0/cgroup.procs"; exec env "$@"' "$@" &
}
sleep 6
start_scheduler
"""


def _scene(number: int, crowds: Sequence[Crowd], *, has_rules: bool) -> Iterable[str]:
    folders = [f"/sys/fs/cgroup/{number}-{index}" for index in range(len(crowds))]
    settle_ms = _settle_ms(crowds)
    length_ms = settle_ms + MEASURED_MS + SPARE_MS
    # Later ones must not find the first ones at work already.
    for folder, crowd in zip(folders, crowds, strict=True):
        yield f"in_group {folder} {crowd.command(length_ms, has_rules=has_rules)}"
        yield 'running="$running $!"'
    usage = f"usage {settle_ms} {MEASURED_MS} $RESULTS/usage-{number}"
    yield f"{usage} {' '.join(folders)}"
    yield "wait $running; running="


def _settle_ms(crowds: Sequence[Crowd]) -> int:
    leads = [LEADS_MS.get(crowd.rule, 0) for crowd in crowds]
    fair = _fair(crowds)
    slowest = min(fair[crowd.demand] / (crowd.demand.weight / 100) for crowd in crowds)
    settle_ms = BEGIN_MS + int((max(leads) - min(leads) + OLD_DEBT_MS) / slowest)
    return max(LEAST_SETTLE_MS, settle_ms)


def _fair(crowds: Sequence[Crowd]) -> dict[max_min.Demand, float]:
    demands = [crowd.demand for crowd in crowds for _ in range(crowd.number)]
    return dict(zip(demands, max_min.shares(demands, CPUS), strict=True))


def _shares(crowds: Sequence[Crowd], usage: Sequence[int]) -> list[Share]:
    length_us, *used_us = usage
    fair = _fair(crowds)
    return [
        Share(crowd, us / crowd.number / length_us, fair[crowd.demand])
        for crowd, us in zip(crowds, used_us, strict=True)
    ]


# ---- The table ----


def table(measured: Mapping[tuple[str, str], Mapping[str, Sequence[Share]]]) -> str:
    """The table of the first crowds' shares, by subject and kernel."""
    columns = [f"{subject}, {kernel}" for subject, kernel in measured]
    lines = [
        f"| the first of these tasks, each | fair | {' | '.join(columns)} |",
        f"| -- | -: |{' -: |' * len(columns)}",
    ]
    for name, crowds in {**SCENES, **TRICKS}.items():
        shares = [scenes[name][0] for scenes in measured.values()]
        text = f"`{name}`, beside {crowds[1].number}" if crowds[0].trick else name
        cells = [shares[0].fair, *(share.had for share in shares)]
        lines.append(f"| {text} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    return "\n".join(lines)


def main() -> None:
    """The command."""
    scenes = {**SCENES, **TRICKS}
    measured = {
        (name, kernel): measure(subject, scenes, kernel)
        for name, subject in (("with the policy", policy_subject()), (EEVDF.name, EEVDF))
        for kernel in sys.argv[1:] or KERNELS
    }
    print(table(measured))


if __name__ == "__main__":
    main()
