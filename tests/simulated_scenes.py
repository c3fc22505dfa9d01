# SPDX-License-Identifier: Apache-2.0
"""Scenes in a guest and in a simulation, side by side: how far the figures of the model are off.

    python tests/simulated_scenes.py

boots each scene under a policy with a rule for its tasks, a policy without rules and the kernel's
own scheduler, and prints the table of docs/simulation.md. With `--bpfland main.bpf.c` the table has
scx_simple and scx_bpfland, too, which `gthulhu lab peers` builds. Guests have one CPU where waits
are short: CPUs share one budget of instructions, so with more of them waits are too long.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import median

from gthulhu_lab import catalogue
from gthulhu_lab.experiment import Variation
from gthulhu_lab.simulation import behaviours, load, machine, play, report
from gthulhu_lab.simulation.costs import Costs, usual
from gthulhu_lab.simulation.load import Load
from gthulhu_lab.verify import check, suite
from library import policy_of

ROOT = Path(__file__).parents[1]
PLAIN = "policy plain {}\n"
RULE = 'policy ruled {}\nrule quick { match comm == "quick" priority high preempt }\n\n'
EEVDF, SIMPLE, BPFLAND = "eevdf", "scx_simple", "scx_bpfland"
SCHEDULERS = ("ruled", "plain", EEVDF)
PEERS = (SIMPLE, BPFLAND)
SLOW_US = 500
"""Slices make waits that long: these are to be within 30 %, and shorter ones within 2 x."""

BPFLAND_FLAGS = ("local_pcpu", "sticky_tasks", "local_kthreads", "smt_enabled", "numa_enabled")
"""Flags that are true in scx_bpfland's C, and that its loader clears in a guest without options."""

_INSTRUCTION_NS = 2  # of the guests' clock
_NS = 1000  # in a µs
_MS = 1_000_000  # in ns

THREADS = (("kdamond.0", 160, 28), ("kcompactd0", 512, 5), ("kworker", 500, 9))
"""Kernel threads of a guest: the ms from one wake-up to the next, each at a tick, and then the µs
that they run for. They go before a task that the same tick wakes."""
_FIRST_PID, _FIRST_SCRIPT = 50_000, 60_000  # of these
_WAITS = "    p50(wakeup quick) < 10s\n    p99(wakeup quick) < 10s\n"
_SHARE = "    share(quick) >= 0.1%\n"
_HOGS = "    max(wait default) < 10s\n    share(default) >= 0.1%\n"


@dataclass(frozen=True)
class Scene:
    """An `expect` block, and the number of CPUs that it is for."""

    name: str
    cpus: int
    workload: str
    claims: str


SCENES = {
    scene.name: scene
    for scene in (
        Scene("waker", 1, "waker as quick under hogs 2x", _WAITS + _HOGS),
        Scene("crowd", 1, "waker as quick under hogs 4x", _WAITS + _HOGS),
        Scene("rpc", 1, "rpc as quick under hogs 2x", _WAITS + _HOGS),
        Scene("hogs", 4, "waker as quick under hogs 4x", _WAITS + _HOGS),
        Scene("alone", 1, "pipe as quick", _WAITS),
        Scene("pipe", 1, "pipe as quick under hogs 2x", _WAITS + _HOGS),
        Scene("futex", 1, "futex as quick under hogs 2x", _WAITS + _HOGS),
        Scene("equals", 2, "pinned-hogs as quick under hogs 2x", _SHARE + _HOGS),
        Scene("two", 2, "waker as quick under hogs 2x", _WAITS + _HOGS),
        Scene("pinned", 2, "waker as quick under pinned-hogs 2x, hogs 1x", _WAITS + _HOGS),
        Scene("calls", 4, "rpc as quick under hogs 4x", _WAITS + _HOGS),
        Scene("pipes", 4, "pipe as quick under hogs 2x", _WAITS + _HOGS),
        Scene("forks", 1, "forks as quick under hogs 2x", _SHARE + _HOGS),
        Scene("chain", 1, "pipeline as quick under hogs 2x", _WAITS + _SHARE + _HOGS),
    )
}


def guest_costs() -> Costs:
    """Returns the costs in a guest: instructions take 2 ns each, and lines of memory nothing.

    costs.toml has most paths from counted instructions, those of the kernel at 0.43 ns each and
    those of the scheduler at 0.3.
    """
    lines = {"own", "sibling", "llc", "node", "far", "memory"}
    of_scheduler = {
        "callback", "code", "function", "small", "element", "storage", "clock", "insert", "find",
        "take", "queue", "kick",
    }  # fmt: skip
    found = {}
    for name, ns in usual().items():
        scale = _INSTRUCTION_NS / (0.3 if name in of_scheduler else 0.43)
        found[name] = 0 if name in lines else round(ns * scale)
    return found


def guest_machine(cpus: int) -> machine.Machine:
    """Returns a machine with a guest's costs."""
    return replace(machine.read(str(cpus)), costs=guest_costs())


def as_load(text: str, cpus: int) -> Load:
    """Returns the load of a policy's only `expect` block."""
    policy = policy_of(text)
    (scene,) = check.scenes("scene.gpl", policy, suite.select(policy, None), catalogue.load())
    found = load.of_scene(scene, cpus)
    forks = behaviours.forks(_INSTRUCTION_NS)
    groups = (
        replace(group, behaviour=forks) if group.name == "forks" else group
        for group in found.groups
    )
    return replace(found, groups=tuple(groups))


Figures = Mapping[tuple[str, str], float]
"""In µs or thousandths of the CPU time, by claim and scheduler."""


def in_guests(scene: Scene, seeds: int, others: Sequence[str] = ()) -> Figures:
    """Returns the medians of `gthulhu verify`; guests that ran before are kept.

    `others`: schedulers besides SCHEDULERS.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ruled.gpl").write_text(_text(scene))
        (Path(folder) / "plain.gpl").write_text(PLAIN)
        out = Path(folder) / "out.json"
        subprocess.run(
            [
                sys.executable, "-m", "gthulhuc.cli.gthulhu", "verify", "ruled.gpl",
                f"--seeds={seeds}", f"--cpus={scene.cpus}",
                f"--beside={','.join([EEVDF, 'plain.gpl', *others])}",
                f"--json={out}",
            ],
            cwd=folder, check=False, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        (block,) = json.loads(out.read_text())["blocks"]
    found = {}
    for claim in block["claims"]:
        text = _name(claim["text"])
        if claim["measured"] is None:
            continue
        scale = 1 if claim["metric"] is None else _NS
        found[text, "ruled"] = median(claim["measured"]["runs"]) / scale
        for name, spread in claim["beside"].items():
            found[text, name.removesuffix(".gpl")] = median(spread["runs"]) / scale
    return found


def simulated(scene: Scene, guests: int, bpfland: Path | None = None) -> Figures:
    """Returns the medians of the simulation, on a machine with the guests' costs.

    `guests`: as many as there are to compare with. `bpfland`: the C file of scx_bpfland; None
    leaves PEERS out.
    """
    text = _text(scene)
    place = guest_machine(scene.cpus)
    wanted = as_load(text, scene.cpus)
    player = play.Player()
    schedulers = {
        "ruled": player.policy(policy_of(text), place),
        EEVDF: player.control(EEVDF),
        "plain": player.policy(policy_of(PLAIN), place),
    }
    if bpfland is not None:
        with tempfile.TemporaryDirectory() as folder:
            source = as_loaded(bpfland, Path(folder, "bpf"))
            schedulers[BPFLAND] = player.control(str(source))
        schedulers[SIMPLE] = player.control(SIMPLE)
    return {
        (_name(claim.text), name): claim.figure.median / (1 if claim.metric is None else _NS)
        for name, scheduler in schedulers.items()
        for claim in _claims(wanted, place, player, scheduler, guests)
        if claim.figure is not None
    }


def as_loaded(bpfland: Path, folder: Path) -> Path:
    """Returns a copy of scx_bpfland's C with the flags that its loader sets, and its headers."""
    shutil.copytree(bpfland.parent, folder)
    copy = folder / bpfland.name
    text = copy.read_text()
    for flag in BPFLAND_FLAGS:
        text, number = re.subn(rf"\b{flag} = true;", f"{flag} = false;", text)
        if number != 1:
            sys.exit(f"{bpfland}: {flag} is not there once; this file is not of scx_bpfland 1.1.4")
    copy.write_text(text)
    return copy


def _claims(
    wanted: Load, place: machine.Machine, player: play.Player, scheduler: Path, guests: int
) -> Sequence[report.ClaimReport]:
    """At least five seeds, in which periodic tasks are due when they are in the guests."""
    runs = []
    for number in range(max(guests, 5)):
        phase_us = Variation.number(number % guests).phase_us
        text = play.scenario(wanted, place, seed=number + 1, seconds=8, phase_us=phase_us)
        runs.append(player.run(scheduler, _with_threads(text, place.cpus)))
    return report.of_load(wanted, place, {"": runs}).claims


def _with_threads(scenario: str, cpus: int) -> str:
    """Returns a scenario with the kernel threads of a guest."""
    made, woken = [], []
    for number, (name, period_ms, run_us) in enumerate(THREADS):
        pid, script = _FIRST_PID + number, _FIRST_SCRIPT + number
        made += [
            f"0 task {pid} 0 0 .{name} ./ 0 0 0 {machine.mask(range(cpus))} 1",
            f"0 step {script} until:{period_ms * _MS}:0",
            f"0 step {script} run:{run_us * _NS}",
            f"0 script {pid} {script}",
        ]
        woken.append(f"{number} wake {pid} 0 0")
    before, start, after = scenario.partition("0 start\n")
    return "\n".join([before.rstrip(), *made, start.rstrip(), *woken, after])


def _text(scene: Scene) -> str:
    return f"{RULE}expect {scene.workload} {{\n{scene.claims}}}\n"


def _name(claim: str) -> str:
    return claim.rpartition("<")[0].strip() or claim.rpartition(">=")[0].strip()


@dataclass(frozen=True)
class Row:
    """A claim of a scene. `pairs`: the figures in guest and model, by scheduler."""

    scene: Scene
    claim: str
    pairs: Mapping[str, tuple[float, float]]

    @property
    def kind(self) -> str:
        """Decides how far a figure may be off."""
        return "shares" if self.claim.startswith("share") else "times"

    @property
    def far(self) -> list[str]:
        """The schedulers whose figures are too far off."""
        is_share = self.kind == "shares"
        return [name for name, pair in self.pairs.items() if _is_far(*pair, is_share=is_share)]

    @property
    def swapped(self) -> list[str]:
        """Pairs of schedulers that change their order. Shares have none."""
        return [
            f"order of {one}, {other}"
            for one, other in combinations(self.pairs, 2)
            if self.kind == "times" and _is_swapped(self.pairs[one], self.pairs[other])
        ]

    def cells(self, schedulers: Sequence[str]) -> Sequence[str]:
        """The row of the table."""
        is_share = self.kind == "shares"
        shown = {name: _shown(pair, is_share=is_share) for name, pair in self.pairs.items()}
        where = f"{self.scene.workload}, {self.scene.cpus} CPU{'s' * (self.scene.cpus > 1)}"
        missed = "; ".join([*self.far, *self.swapped]) or "-"
        return [where, self.claim, *(shown.get(name, "-") for name in schedulers), missed]


def rows(
    scene: Scene, guests: Figures, model: Figures, schedulers: Sequence[str] = SCHEDULERS
) -> Iterator[Row]:
    """Yields a row for each claim."""
    for claim in dict.fromkeys(claim for claim, _ in guests):
        pairs = {
            name: (guests[claim, name], model[claim, name])
            for name in schedulers
            if (claim, name) in guests and (claim, name) in model
        }
        yield Row(scene, claim, pairs)


def summary(found: Sequence[Row], schedulers: Sequence[str]) -> Iterator[str]:
    """Yields lines: how many figures of these schedulers agree, for one CPU and for more."""
    for where, chosen in (
        ("one CPU", [row for row in found if row.scene.cpus == 1]),
        ("more CPUs", [row for row in found if row.scene.cpus > 1]),
    ):
        if not chosen:
            continue
        agree: Counter[str] = Counter()
        all_: Counter[str] = Counter()
        for row in chosen:
            for name in row.pairs.keys() & set(schedulers):
                kind = row.kind
                if kind == "times":
                    kind = "long times" if row.pairs[name][0] >= SLOW_US else "short times"
                all_[kind] += 1
                agree[kind] += name not in row.far
        parts = ", ".join(f"{agree[kind]} of {all_[kind]} {kind}" for kind in sorted(all_))
        swaps = sum(
            set(order.removeprefix("order of ").split(", ")) <= set(schedulers)
            for row in chosen
            for order in row.swapped
        )
        yield f"{', '.join(schedulers)}, {where}: {parts} agree; {swaps} pairs change places"


def _is_far(guest: float, mine: float, *, is_share: bool) -> bool:
    most = 1.05 if is_share else 1.3 if guest >= SLOW_US else 2
    return not guest / most <= mine <= guest * most


def _is_swapped(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Figures of a guest that differ by a tenth or less are in no order."""
    low, high = sorted((one, other))
    return low[0] < 0.9 * high[0] and low[1] > high[1]


def _shown(pair: tuple[float, float], *, is_share: bool) -> str:
    guest, mine = (f"{each / 10:.1f}" if is_share else f"{each:,.0f}" for each in pair)
    return f"{guest} → {mine} {'%' if is_share else 'µs'}"


def main() -> None:
    """Print the table of the scenes."""
    parser = argparse.ArgumentParser(description="Compare scenes in guests and in simulations.")
    parser.add_argument(
        "--bpfland",
        metavar="FILE",
        type=Path,
        help="scx_bpfland's main.bpf.c, for two more schedulers",
    )
    parser.add_argument("--seeds", type=int, default=1, help="guests of each scene (default: 1)")
    parser.add_argument("scenes", metavar="SCENE", nargs="*", help=", ".join(SCENES))
    options = parser.parse_args()
    peers = PEERS if options.bpfland else ()
    schedulers = (*SCHEDULERS, *peers)
    head = ("scene", "figure", *schedulers, "missed")
    print(f"| {' | '.join(head)} |\n|{' -- |' * len(head)}")
    found: list[Row] = []
    for name in options.scenes or SCENES:
        scene = SCENES[name]
        guests = in_guests(scene, options.seeds, peers)
        model = simulated(scene, options.seeds, options.bpfland)
        for row in rows(scene, guests, model, schedulers):
            print(f"| {' | '.join(row.cells(schedulers))} |", flush=True)
            found.append(row)
    for group in dict.fromkeys((SCHEDULERS, schedulers)):
        for line in summary(found, group):
            print(f"\n{line}")


if __name__ == "__main__":
    main()
