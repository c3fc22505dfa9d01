# SPDX-License-Identifier: Apache-2.0
"""Shares of real cgroups under `cgroups weight`: what their `cpu.weight` says, level by level."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import group_trees
import mutations
from extent import Extent, first_of, on_kernels
from group_guests import OTHERS, Files, run, with_setting
from gthulhu.loader import find_loader
from gthulhu_lab import subjects
from gthulhu_lab.measure import Subject, policy_subject
from mutations import Mutation

pytestmark = pytest.mark.vm

POLICY = Path(__file__).parent / "policies" / "weights.gpl"
KERNELS = on_kernels("7.2", "6.16")
CPUS = 4
MOST_APART = 0.05
MEASURED_MS = 2000
LONG_MS = 600_000
START_MS = 3000
"""Groups pay for what they had while their tasks started one after the other."""
BURSTS_MS = 10
"""The longest burst of a sleeper."""


@dataclass(frozen=True)
class Scene:
    """Groups with a weight, hogs and the CPUs of these; what happens; and the shares after it."""

    groups: Mapping[str, tuple[int, int]]
    fair: Mapping[str, float]
    cpus: str = "all"
    before: str = ""
    then: str = ""
    settle_ms: int = 1500
    wait_ms: int = 0
    """From what happens until the shares are measured."""
    beside: bool = False
    """The event takes CPU time, too: only the ratios count."""
    sleepers: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """For groups without hogs, the parts of a CPU that their tasks want."""
    measured_ms: int = MEASURED_MS

    def script(self, number: int) -> str:
        """Lines of sh: $TOP has the groups, and $RESULTS/usage-N gets their use."""
        lines = [f"TOP=/sys/fs/cgroup/scene-{number}", "make_group $TOP 100"]
        lines += [f"make_group $TOP/{name} {weight}" for name, (weight, _) in self.groups.items()]
        lines += [self.before] if self.before else []
        for name, crowd in self._crowds():
            lines += [f"in_group $TOP/{name} crowd {crowd}", 'running="$running $!"']
        wait_ms = self.settle_ms
        if self.then:
            lines += [f"usleep {self.settle_ms}000", self.then]
            wait_ms = self.wait_ms
        folders = " ".join(f"$TOP/{name}" for name in self.fair)
        lines.append(f"usage {wait_ms} {self.measured_ms} $RESULTS/usage-{number} {folders}")
        lines += [
            "echo 1 >$TOP/cgroup.kill",
            "wait $running || true; running=",
            "remove_groups $TOP",
        ]
        return "\n".join(lines)

    def _crowds(self) -> Iterator[tuple[str, str]]:
        """Groups, and the arguments of the `crowd` of their tasks."""
        for name, (_, hogs) in self.groups.items():
            if hogs:
                yield name, f"hog {hogs} {LONG_MS} 0 0 {self.cpus}"
            for number, part in enumerate(self.sleepers.get(name, ())):
                busy_us = 1000 * (1 + number % BURSTS_MS)
                pause_us = round(busy_us / part) - busy_us
                yield name, f"sleeper 1 {LONG_MS} {busy_us} {pause_us} {self.cpus}"


SCENES = {
    "a hundred of weight 1 beside one of weight 9": Scene(
        {"a": (1, 100), "b": (9, 1)}, {"a": 0.1, "b": 0.9}, cpus="0", settle_ms=3000
    ),
    "what a heavy one cannot use stays in its parent": Scene(
        {"p": (100, 0), "p/a": (1000, 1), "p/b": (100, 6), "q": (100, 8)},
        {"p/a": 1, "p/b": 1, "q": 2},
    ),
    "four levels beside one that becomes idle": Scene(
        {
            "a": (300, 0), "a/b": (100, 2), "a/c": (200, 0), "a/c/d": (50, 3), "a/c/e": (150, 4),
            "f": (100, 5), "g": (10000, 3),
        },
        {"a/b": 1, "a/c/d": 0.5, "a/c/e": 1.5, "f": 1, "g": 0},
        then="echo 1 >$TOP/g/cpu.idle",
        wait_ms=200,
    ),
    "weights that change": Scene(
        {"a": (100, 8), "b": (900, 8)},
        {"a": 3.6, "b": 0.4},
        then="echo 900 >$TOP/a/cpu.weight; echo 100 >$TOP/b/cpu.weight",
        wait_ms=100,
    ),
    "tasks that move": Scene(
        {"a": (100, 4), "b": (100, 4), "c": (100, 4)},
        {"a": 2, "b": 0, "c": 2},
        then="for pid in $(cat $TOP/b/cgroup.procs); do echo $pid >$TOP/a/cgroup.procs; done",
        wait_ms=200,
    ),
    "cgroups that come and go": Scene(
        {"a": (100, 6), "b": (300, 6)},
        {"a": 1, "b": 3},
        then='storm_groups $TOP & running="$running $!"',
        beside=True,
    ),
}  # fmt: skip

TREES = (13, 52)
"""Random trees for 4 CPUs, with tasks in their leaves."""
MORE_TREES = (11, 16, 25, 27, 38, 44, 45, 47, 50)
MANY = "five thousand cgroups have come and gone"


def _of_a_tree(number: int, *, sleepers: bool = False) -> Scene:
    tree = group_trees.draw(number, sleepers=sleepers)
    assert tree.cpus == CPUS
    groups = [group for group in tree.root.each() if group is not tree.root]
    for group in groups:
        if group.below:
            group.hogs, group.sleepers = 0, []
    return Scene(
        {group.path[1:]: (group.weight, group.hogs) for group in groups},
        {
            path[1:]: fair
            for path, fair in tree.fair.items()
            if fair >= group_trees.LEAST_JUDGED and path != "/"
        },
        settle_ms=tree.settle_ns // 1_000_000 + START_MS,
        sleepers={group.path[1:]: group.sleepers for group in groups},
        measured_ms=tree.measured_ns // 1_000_000 if sleepers else MEASURED_MS,
    )


SCENES |= {f"tree {number}": _of_a_tree(number) for number in TREES}
LONG = {f"tree {number}": _of_a_tree(number) for number in MORE_TREES} | {
    # More than can be told apart at once: places and numbers are used again.
    MANY: Scene(
        {"a": (100, 6), "b": (300, 6)},
        {"a": 1, "b": 3},
        before="for round in $(seq 50); do storm_groups $TOP; done",
    ),
}
"""Scenes of `make soak`."""
ALL = {**SCENES, **LONG}

Measured = Mapping[str, Mapping[str, float]]


def measure(subject: Subject, kernel: str, names: Sequence[str], others: Files) -> Measured:
    """Boots a guest, and returns the share of each group in each scene, in CPUs.

    `others` are schedulers that are enabled after that.
    """
    scripts = [ALL[name].script(number) for number, name in enumerate(names)]
    files = run(subject, kernel, *scripts, others=others)
    return {name: _shares(ALL[name], files[f"usage-{number}"]) for number, name in enumerate(names)}


def _shares(scene: Scene, usage: bytes) -> dict[str, float]:
    length_us, *used_us = map(int, usage.split())
    scale = sum(scene.fair.values()) / sum(used_us) if scene.beside else 1 / length_us
    return {name: us * scale for name, us in zip(scene.fair, used_us, strict=True)}


@pytest.fixture(scope="module", params=KERNELS)
def measured(request: pytest.FixtureRequest, extent: Extent) -> Measured:
    """One guest per kernel goes through the scenes."""
    names = ALL if extent.is_soak else SCENES
    others = {name: with_setting(name, "weight") for name in OTHERS}
    return measure(subjects.compiled("weights", POLICY), request.param, [*names], others)


@pytest.mark.parametrize("name", first_of([*SCENES, *LONG], len(SCENES)))
def test_shares_follow_the_hierarchy(measured: Measured, name: str) -> None:
    fair = ALL[name].fair
    assert measured[name] == pytest.approx(fair, rel=MOST_APART, abs=0.01)


SLEEPING = {number: _of_a_tree(number, sleepers=True) for number in (11, 13, 38, 44, 47)}
"""Random trees in which some groups have tasks that sleep now and then."""
UNDER_EEVDF = 1000
"""Added to the number of a scene that runs under EEVDF."""


@pytest.mark.soak
@pytest.mark.parametrize("kernel", KERNELS)
def test_shares_with_sleepers_are_as_fair_as_eevdfs(kernel: str) -> None:
    """A task that is late sleeps later, too, so it uses less than it could. EEVDF has that error.

    Each tree is measured under the policy and, in the same guest, under EEVDF.
    """
    ours = [scene.script(number) for number, scene in SLEEPING.items()]
    then = [scene.script(UNDER_EEVDF + number) for number, scene in SLEEPING.items()]
    files = run(subjects.compiled("weights", POLICY), kernel, *ours, then=then)
    misplaced = {
        number: [
            _misplaced(scene, files[f"usage-{file}"]) for file in (number, UNDER_EEVDF + number)
        ]
        for number, scene in SLEEPING.items()
    }
    print(f"CPU time in the wrong groups on {kernel}, the policy's and EEVDF's: {misplaced}")
    for ours_misplaced, theirs in misplaced.values():
        assert ours_misplaced <= max(MOST_APART, theirs), misplaced


def _misplaced(scene: Scene, usage: bytes) -> float:
    """The part of the CPU time that groups have in place of others."""
    had = _shares(scene, usage)
    apart = sum(abs(had[name] - fair) for name, fair in scene.fair.items())
    return apart / 2 / sum(scene.fair.values())


GONE, PRESENT = 3000, 300
CHURN = f"""
memory() {{
    # The kernel frees some of it later.
    sleep 3
    cp /proc/slabinfo $RESULTS/memory-$1
}}
TOP=/sys/fs/cgroup/churn
make_group $TOP 100
echo +cpu >$TOP/cgroup.subtree_control
for round in 1 2 3 4 5; do storm_groups $TOP; done
memory before
for round in $(seq {GONE // 100}); do storm_groups $TOP; done
memory after
mv $RESULTS/enable-ns $RESULTS/enable-before
stop_scheduler
start_scheduler
cp $RESULTS/enable-ns $RESULTS/enable-after
for i in $(seq {PRESENT}); do mkdir $TOP/$i; done
memory present
"""
# A fifth of what the scheduler keeps for a cgroup (docs/internals.md).
MOST_LEFT = 64


@pytest.mark.soak
@pytest.mark.parametrize("kernel", KERNELS)
def test_cgroups_that_are_gone_leave_nothing(kernel: str) -> None:
    """More than ten for each CPU and second, for a minute."""
    files = run(subjects.compiled("weights", POLICY), kernel, CHURN)
    before, after, present = (
        _allocated(files[f"memory-{when}"]) for when in ("before", "after", "present")
    )
    print(f"{(after - before) / GONE} bytes per cgroup that is gone on {kernel}")
    assert after - before < MOST_LEFT * GONE
    assert present - after > MOST_LEFT * PRESENT
    assert int(files["enable-after"]) < 1.1 * int(files["enable-before"])


def _allocated(slabinfo: bytes) -> int:
    """Bytes in the caches that hold what BPF programs keep for tasks and cgroups, among others."""
    lines = map(bytes.split, re.findall(rb"(?m)^kmalloc-.*", slabinfo))
    return sum(int(objects) * int(size) for _, objects, _, size, *_ in lines)


WEIGHTLESS = Mutation(
    "weightless-groups", "groups.j2", "weight * group_of(t)->worth >>", "weight * WORTH_ONE >>"
)


def test_groups_without_weights_are_noticed(tmp_path: Path) -> None:
    broken = mutations.build(POLICY, tmp_path / "broken.bpf.o", WEIGHTLESS)
    subject = policy_subject("weightless", broken, Path(find_loader({})))
    name = "weights that change"
    shares = measure(subject, "7.2", [name], {})[name]
    assert shares == pytest.approx({"a": 2, "b": 2}, rel=MOST_APART)
