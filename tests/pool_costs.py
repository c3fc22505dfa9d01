# SPDX-License-Identifier: Apache-2.0
"""The costs of switches and wake-ups where tasks may not use all CPUs, on simulated machines.

    python tests/pool_costs.py

prints the table of docs/large-machines.md. Kubernetes' static CPU manager takes the CPUs of some
containers from all others, which then have a cpuset, the shared pool. The loads are those of
`gthulhu bench --scale` with as many tasks as the pool has CPUs. `freely` has the same tasks with
all CPUs.
"""

from __future__ import annotations

from pathlib import Path

from gthulhu_lab.simulation import load, machine, play, scale
from scenario import S, compiled

PLAIN = compiled("policy p {}")
LOADS = ("pairs", "wakers", "hogs")
SIZES = {"64": "64x4x2", "256": "256x16x2"}
RESERVED = {"all but 8 CPUs of one cache": (8, 1 << 20), "12 of the 16 CPUs of each cache": (4, 16)}
"""The first so many CPUs of each so many are not in the pool."""


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
                    f"{pairs.switches * S / pairs.window_ns / 1e6:.1f}",
                    f"{cost_us(wakers, 'wakeup'):.1f} µs",
                    f"{cost_us(hogs, 'switch'):.1f} µs",
                )
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
