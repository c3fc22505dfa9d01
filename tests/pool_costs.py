# SPDX-License-Identifier: Apache-2.0
"""The costs of switches and wake-ups on simulated machines that are not used evenly.

    python tests/pool_costs.py

prints two tables of docs/large-machines.md. In the first one, tasks may not use all CPUs:
Kubernetes' static CPU manager takes the CPUs of some containers from all others, which then have a
cpuset, the shared pool. The loads are those of `gthulhu bench --scale` with as many tasks as the
pool has CPUs. `freely` has the same tasks with all CPUs. In the second one, some CPUs are idle.
"""

from __future__ import annotations

from pathlib import Path

from gthulhu_lab.simulation import load, machine, play, scale
from scenario import S, compiled

PLAIN = compiled("policy p {}")
LOADS = ("pairs", "wakers", "hogs")
SIZES = {"64": "64x4x2", "256": "256x16x2"}
BUSY_PAIRS = {64: (48, 62), 256: (192, 248)}
"""Pairs of tasks of which one runs at a time, by the CPUs of the machine."""
RESERVED = {"all but 8 CPUs of one cache": (8, 1 << 20), "12 of the 16 CPUs of each cache": (4, 16)}
"""The first so many CPUs of each so many are not in the pool."""


def run_pairs(
    player: play.Player, scheduler: Path, place: machine.Machine, number: int
) -> play.Figures:
    """Returns the figures of so many pairs, with one seed."""
    wanted = load.standard("pairs", PLAIN, number)
    return player.run(scheduler, scale.scenario_of(wanted, place, seed=1))


def millions_of_switches(figures: play.Figures) -> float:
    """Returns the switches of the whole machine in a second, in millions."""
    return figures.switches * S / figures.window_ns / 1e6


def run(
    player: play.Player, scheduler: Path, place: machine.Machine, name: str, pool: list[int],
    *, freely: bool = False,
) -> play.Figures:  # fmt: skip
    """Returns the figures of a standard load for the CPUs of a pool, with one seed."""
    wanted = load.standard(name, PLAIN, (2 if name == "pairs" else 1) * len(pool))
    text = scale.scenario_of(wanted, place, seed=1)
    if not freely:
        text = text.replace(machine.mask(range(place.cpus)), machine.mask(pool))
    return player.run(scheduler, text)


def cost_us(figures: play.Figures, operation: str) -> float:
    """Returns what an operation cost on average, in µs."""
    assert figures.spent is not None
    spent = figures.spent.operations[operation]
    whole_ns = spent.path_ns + spent.transfer_ns + spent.line_wait_ns + spent.lock_wait_ns
    return whole_ns / spent.number / 1000


def main() -> None:
    print("| CPUs | the tasks may use | pairs, M/s | a wake-up, 67 % load | a switch of hogs |")
    print("| -- | -- | -- | -- | -- |")
    player = play.Player()
    for size, place in ((size, machine.read(name)) for size, name in SIZES.items()):
        scheduler = player.policy(PLAIN, place)
        for words, (first, each) in RESERVED.items():
            pool = [cpu for cpu in range(place.cpus) if cpu % each >= first]
            for freely in (True, False):
                pairs, wakers, hogs = (
                    run(player, scheduler, place, name, pool, freely=freely) for name in LOADS
                )
                cells = (
                    size,
                    "all, as many tasks as for the next row" if freely else words,
                    f"{millions_of_switches(pairs):.1f}",
                    f"{cost_us(wakers, 'wakeup'):.1f} µs",
                    f"{cost_us(hogs, 'switch'):.1f} µs",
                )
                print(f"| {' | '.join(cells)} |", flush=True)
    print()
    print("| CPUs | pairs | switches, M/s | under EEVDF |")
    print("| -- | -- | -- | -- |")
    for place in (machine.read(name) for name in SIZES.values()):
        schedulers = player.policy(PLAIN, place), player.control("eevdf")
        for number in BUSY_PAIRS[place.cpus]:
            ours, eevdf = (
                millions_of_switches(run_pairs(player, each, place, number)) for each in schedulers
            )
            print(f"| {place.cpus} | {number} | {ours:.1f} | {eevdf:.1f} |", flush=True)


if __name__ == "__main__":
    main()
