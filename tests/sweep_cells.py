# SPDX-License-Identifier: Apache-2.0
"""The numbers of docs/large-machines.md, each with other values, on simulated machines.

    python tests/sweep_cells.py

prints the table there. The loads are those of `gthulhu bench --scale`, with one seed, on 256 CPUs
in 16 caches of two nodes. Unfairness is the part of its fair share by which one of 130 busy loops
has too much or too little at most, on 64 CPUs in eight caches of two nodes over 2 s, with slices of
2 ms: the largest of three seeds.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass

from gthulhu_lab.simulation import load, machine, play, scale
from gthulhuc import checked, codegen
from gthulhuc.codegen.render import TEMPLATES
from scenario import FOREVER, S, compiled

HEADER = "fair.bpf.h"
"""It has some of the numbers, so it is put into the C text."""
LARGE, UNEVEN = "256x16x2", "64x8x2"
WIDE = "256x8x2"
"""The same with 32 CPUs for each cache."""
HOGS = 130
SEEDS = (1, 2, 3)
PLAIN = compiled("policy p {}")
FAIR = compiled("policy p { watchdog 30s }\ndefault { slice 2ms max-wait 10s }")


@dataclass(frozen=True)
class Number:
    """A number as the table names it, its text in the C, and its values; the first is ours.

    `text`: "" for the CPUs of a cell, which the model tells the scheduler. `large`: the machine.
    """

    name: str
    text: str
    values: tuple[str, ...]
    large: str = LARGE


NUMBERS = (
    Number("CPUs of a cell", "", ("16", "8", "4")),
    Number("the same, caches of 32", "", ("16", "32"), WIDE),
    Number("between looks elsewhere, ms", "FAR_LOOK_NS {}000000\n", ("4", "1", "2", "8", "16")),
    Number("lag to move in a node, ms", "MOVE_NEAR_NS = {}000000", ("5", "1", "2", "10", "20")),
    Number("lag to move to another node, ms", "MOVE_FAR_NS = {}000000", ("20", "5", "10", "40")),
)


def run(policy: checked.Policy, number: Number, value: str, place: str, text: str) -> play.Figures:
    """Returns the figures of a scenario under a policy, with a value of a number."""
    flags = (f"-DCELL_CPUS={value}",) if not number.text else ()
    player = play.Player(flags=flags)
    code = codegen.render(play.classes_of(policy, machine.read(place)))
    code = code.replace(f'#include "{HEADER}"\n', (TEMPLATES / "lib" / HEADER).read_text(), 1)
    if number.text:
        ours = number.text.format(number.values[0])
        assert code.count(ours) == 1, f"the C text has {code.count(ours)} times: {ours}"
        code = code.replace(ours, number.text.format(value))
    return player.run(player.scheduler(code), text)


def costs(number: Number, value: str) -> list[str]:
    """Returns the cells of the table about what wake-ups and switches cost."""
    found = []
    place = machine.read(number.large)
    for name in ("pairs", "wakers", "hogs"):
        wanted = load.standard(name, PLAIN, place.cpus)
        text = scale.scenario_of(wanted, place, seed=1)
        figures = run(PLAIN, number, value, number.large, text)
        assert figures.spent is not None
        if name == "pairs":
            found.append(f"{figures.switches * S / figures.window_ns / 1e6:.1f}")
        operation = "wakeup" if name == "wakers" else "switch"
        spent = figures.spent.operations[operation]
        whole_ns = spent.path_ns + spent.transfer_ns + spent.line_wait_ns + spent.lock_wait_ns
        found.append(f"{whole_ns / spent.number / 1000:.2f} µs")
    return found


def unfairness(number: Number, value: str) -> str:
    """Returns the cell of the table about shares."""
    return f"{100 * max(_unfairness(number, value, seed) for seed in SEEDS):.1f} %"


def _unfairness(number: Number, value: str, seed: int) -> float:
    place = machine.read(UNEVEN)
    everywhere = machine.mask(range(place.cpus))
    lines = [
        f"0 machine {place.cpus} {0x702} {seed} 50000 25000 {1 << 62}",
        *(f"0 {line}" for line in place.lines()),
        f"0 task 1 0 0 .init ./ 0 0 0 {everywhere} 0",
    ]
    for pid in range(2, HOGS + 2):
        lines.append(f"0 task {pid} 1 0 .hog ./ 0 0 0 {everywhere} 0")
        lines += [f"0 work {pid} {FOREVER} 0 0", f"0 watch {pid} {pid - 2}"]
    lines.append("0 start")
    lines += [f"0 wake {pid} {pid % place.cpus} 0" for pid in range(2, HOGS + 2)]
    lines += [f"{2 * S} count", f"{4 * S} figures", ""]
    groups = run(FAIR, number, value, UNEVEN, "\n".join(lines)).groups
    fair_ns = statistics.mean(group.ran_ns for group in groups)
    return max(abs(group.ran_ns / fair_ns - 1) for group in groups)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.parse_args()
    print(
        "| number | pairs, M/s | a switch | a wake-up, 67 % load | a switch of hogs | unfairness |"
    )
    print("| -- | -- | -- | -- | -- | -- |", flush=True)
    for number in NUMBERS:
        for value in number.values:
            cells = [f"{number.name}: {value}", *costs(number, value), unfairness(number, value)]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
