# SPDX-License-Identifier: Apache-2.0
"""The cost of a switch among many cgroups, on the deterministic clock.

    python tests/group_costs.py [KERNEL]

prints the instructions of a pipe's round trip (two switches) on CPU 0 in each scene. In scenes
with hogs, 199 of them are on CPU 1. The CPUs share one budget of instructions then, so a trip takes
about twice as long, and only ratios count.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import group_guests
from gthulhu_lab import subjects, vm

POLICY = "policy costs { watchdog 30s cgroups on }\ndefault {}\n"
NS_PER_INSTRUCTION = 2
ACTIVE = 200
SCENES = {
    "one cgroup, alone": (1, False, ""),
    "1,000 cgroups, alone": (1000, False, ""),
    "one cgroup, with hogs": (1, True, ""),
    "200 cgroups, 200 active": (ACTIVE, True, ""),
    "1,000 cgroups, 200 active": (1000, True, ""),
    "3,000 cgroups, 200 active": (3000, True, ""),
    "1,000 cgroups, 200 active, all with limits": (1000, True, "400000 100000"),
}
"""For each scene the number of cgroups, whether there are hogs, and the limit of the cgroups."""
_SCRIPT = """
# scene NUMBER CGROUPS HOGS LIMIT: the pair is in the first cgroup, a hog in each of the next ones
scene() {
    TOP=/sys/fs/cgroup/costs
    make_group $TOP 100
    echo +cpu >$TOP/cgroup.subtree_control
    for i in $(seq $2); do
        mkdir $TOP/g$i
        [ -z "$4" ] || echo "$4" >$TOP/g$i/cpu.max
    done
    for i in $(seq $3); do
        where=1
        [ $2 = 1 ] || where=$((i + 1))
        in_group $TOP/g$where crowd hog 1 600000 0 0 1
    done
    sleep 3
    in_group $TOP/g1 pipe 0 0 500 20 500 $RESULTS/trip-$1
    wait $!
    cat $TOP/g*/cgroup.procs | sort -u | xargs -r kill -9
    until ! grep -q "populated 1" $TOP/cgroup.events; do usleep 50000; done
    remove_groups $TOP
}
"""


def measure(kernel: str) -> dict[str, float]:
    """The instructions of a round trip in each scene: the median of 20 batches of 500."""
    calls = [
        f'scene {number} {cgroups} {ACTIVE - 1 if has_hogs else 0} "{limit}"'
        for number, (cgroups, has_hogs, limit) in enumerate(SCENES.values())
    ]
    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder, "costs.gpl")
        policy.write_text(POLICY)
        subject = subjects.compiled("costs", policy)
    request = group_guests.request(subject, kernel, _SCRIPT, *calls)
    files = vm.run(replace(request, cpus=2, deadline_s=3000)).check().files
    return {
        name: statistics.median(map(int, files[f"trip-{number}"].split()))
        / 500
        / NS_PER_INSTRUCTION
        for number, name in enumerate(SCENES)
    }


def main() -> None:
    """The command."""
    for name, trip in measure(*sys.argv[1:] or ("7.2",)).items():
        print(f"{trip:8.0f}  {name}")


if __name__ == "__main__":
    main()
