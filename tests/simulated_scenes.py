# SPDX-License-Identifier: Apache-2.0
"""Scenes in a guest and in a simulation, side by side: how far the figures of the model are off.

    python tests/simulated_scenes.py [SEEDS] [SCENE...]

boots each scene under a policy with a rule for its tasks, a policy without rules and the kernel's
own scheduler, and prints the table of docs/simulation.md. Guests have one CPU where waits are
short: CPUs share one budget of instructions, so with more of them waits are too long.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import median

from gthulhu_lab import catalogue, subjects
from gthulhu_lab.simulation import load, machine, play, report
from gthulhu_lab.simulation.costs import Costs, usual
from gthulhu_lab.simulation.load import Load
from gthulhu_lab.verify import check, suite

ROOT = Path(__file__).parents[1]
PLAIN = "policy plain {}\n"
RULE = 'policy ruled {}\nrule quick { match comm == "quick" priority high preempt }\n\n'
EEVDF = "eevdf"
SCHEDULERS = ("ruled", "plain", EEVDF)
SLOW_US = 500
"""Slices make waits that long: these are to be within 30 %, and shorter ones within 2 x."""

_INSTRUCTION_NS = 2  # of the guests' clock
_NS = 1000  # in a µs
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
    of_scheduler = {"callback", "function", "storage", "clock", "queue"}
    found = {}
    for name, ns in usual().items():
        scale = _INSTRUCTION_NS / (0.3 if name in of_scheduler else 0.43)
        found[name] = 0 if name in lines else round(ns * scale)
    return found


Figures = Mapping[tuple[str, str], float]
"""In µs or thousandths of the CPU time, by claim and scheduler."""


def in_guests(scene: Scene, seeds: int) -> Figures:
    """Returns the medians of `gthulhu verify`; guests that ran before are kept."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ruled.gpl").write_text(_text(scene))
        (Path(folder) / "plain.gpl").write_text(PLAIN)
        out = Path(folder) / "out.json"
        subprocess.run(
            [
                sys.executable, "-m", "gthulhuc.cli.gthulhu", "verify", "ruled.gpl",
                f"--seeds={seeds}", f"--cpus={scene.cpus}", f"--beside={EEVDF},plain.gpl",
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


def simulated(scene: Scene, seeds: int) -> Figures:
    """Returns the medians of the simulation, on a machine with the guests' costs."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ruled.gpl").write_text(_text(scene))
        (Path(folder) / "plain.gpl").write_text(PLAIN)
        ruled, _ = subjects.read_policy(str(Path(folder) / "ruled.gpl"))
        plain, _ = subjects.read_policy(str(Path(folder) / "plain.gpl"))
        (found,) = check.scenes(
            "ruled.gpl", ruled, suite.select(ruled, None), catalogue.load(Path(folder))
        )
    place = replace(machine.read(str(scene.cpus)), costs=guest_costs())
    wanted = load.of_scene(found, scene.cpus)
    player = play.Player()
    schedulers = {
        "ruled": player.policy(ruled, place),
        EEVDF: player.control(EEVDF),
        "plain": player.policy(plain, place),
    }
    return {
        (_name(claim.text), name): claim.figure.median / (1 if claim.metric is None else _NS)
        for name, scheduler in schedulers.items()
        for claim in _claims(wanted, place, player, scheduler, seeds)
        if claim.figure is not None
    }


def _claims(
    wanted: Load, place: machine.Machine, player: play.Player, scheduler: Path, seeds: int
) -> Sequence[report.ClaimReport]:
    runs = [
        player.run(scheduler, play.scenario(wanted, place, seed=seed, seconds=8))
        for seed in range(1, seeds + 1)
    ]
    return report.of_load(wanted, place, {"": runs}).claims


def _text(scene: Scene) -> str:
    return f"{RULE}expect {scene.workload} {{\n{scene.claims}}}\n"


def _name(claim: str) -> str:
    return claim.rpartition("<")[0].strip() or claim.rpartition(">=")[0].strip()


def rows(scene: Scene, guests: Figures, model: Figures) -> Iterator[Sequence[str]]:
    """Yields a row for each claim: each scheduler's figures in guest and model, and the misses.

    A miss is a figure that is too far off, or two schedulers that change their order.
    """
    where = f"{scene.workload}, {scene.cpus} CPU{'s' * (scene.cpus > 1)}"
    for claim in dict.fromkeys(claim for claim, _ in guests):
        is_share = claim.startswith("share")
        pairs = {
            name: (guests[claim, name], model[claim, name])
            for name in SCHEDULERS
            if (claim, name) in guests and (claim, name) in model
        }
        missed = [name for name, pair in pairs.items() if _is_far(*pair, is_share=is_share)]
        if not is_share:
            missed += [
                f"order of {one}, {other}"
                for one, other in combinations(pairs, 2)
                if _is_swapped(pairs[one], pairs[other])
            ]
        cells = (
            _shown(pairs[name], is_share=is_share) if name in pairs else "-" for name in SCHEDULERS
        )
        yield where, claim, *cells, "; ".join(missed) or "-"


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


def main(arguments: Sequence[str]) -> None:
    """Print the table of the scenes."""
    seeds = int(arguments[0]) if arguments else 1
    head = ("scene", "figure", *SCHEDULERS, "missed")
    print(f"| {' | '.join(head)} |\n|{' -- |' * len(head)}")
    for name in arguments[1:] or SCENES:
        scene = SCENES[name]
        for row in rows(scene, in_guests(scene, seeds), simulated(scene, max(seeds, 5))):
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
