# SPDX-License-Identifier: Apache-2.0
"""Limits of real cgroups under `cgroups on`: what `cpu.max` says, and tasks that are set aside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from extent import on_kernels
from group_guests import Files, run, with_setting
from gthulhu_lab import subjects

pytestmark = pytest.mark.vm

POLICY = Path(__file__).parent / "policies" / "limits.gpl"
KERNELS = on_kernels("6.16", "7.2")
SETTLE_MS = 700
LOADED = ("upf-pinned", "interactive")
"""Shipped policies; test_cgroup_weights.py says what they have."""


@dataclass(frozen=True)
class Scene:
    """Groups with `cpu.max` and hogs, and the use of some, in CPUs, which is at most 2 % above."""

    groups: Mapping[str, tuple[str, int]]
    limits: Mapping[str, float]
    wanted: Mapping[str, float]
    """The least use of a group."""
    measured_ms: int = 2000

    def script(self, number: int) -> str:
        """Lines of sh: $RESULTS/usage-N gets the use of the groups."""
        lines = [f"TOP=/sys/fs/cgroup/scene-{number}", "make_group $TOP 100"]
        for name, (_, hogs) in self.groups.items():
            lines.append(f"make_group $TOP/{name} 100")
            if hogs:
                crowd = f"crowd hog {hogs} {self.measured_ms + 2000}"
                lines += [f"in_group $TOP/{name} {crowd}", 'running="$running $!"']
        # The time of their start would be a debt.
        lines.append("sleep 0.5")
        for name, (limit, _) in self.groups.items():
            lines.append(f'echo "{limit}" >$TOP/{name}/cpu.max')
        folders = " ".join(f"$TOP/{name}" for name in self.limits)
        lines.append(f"usage {SETTLE_MS} {self.measured_ms} $RESULTS/usage-{number} {folders}")
        lines += ["wait $running; running=", "remove_groups $TOP"]
        return "\n".join(lines)


# At least 95 % of each limit, as invariant I16 says. 6.16 and 7.2 gave 1.4999 of 1.5 CPUs.
SCENES = {
    "a quarter of a CPU, beside others": Scene(
        {"a": ("25000 100000", 6), "b": ("max", 4)}, {"a": 0.25}, {"a": 0.2375}
    ),
    "one and a half CPUs in short periods": Scene(
        {"a": ("15000 10000", 3)}, {"a": 1.5}, {"a": 1.425}
    ),
    "one percent": Scene(
        {"a": ("1000 100000", 8)}, {"a": 0.01}, {"a": 0.0095}, measured_ms=10000
    ),
    "limits within limits": Scene(
        {
            "p": ("50000 50000", 0), "p/a": ("20000 100000", 3), "p/b": ("max", 3), "q": ("max", 2),
        },
        {"p": 1, "p/a": 0.2},
        {"p": 0.95},
    ),
}  # fmt: skip

# A cgroup with 1 ms per second, and hogs that have used it.
SET_ASIDE = """
TOP=/sys/fs/cgroup/aside
make_group $TOP 100
now_ms() {
    sed 's/\\.//; s/ .*/0/' /proc/uptime
}
# set_aside HOGS MS: all of them wait for quota
set_aside() {
    make_group $TOP/a 100
    in_group $TOP/a crowd hog $1 $2
    job=$!
    # The one that starts them has its share of the group, too.
    until [ $(wc -l <$TOP/a/cgroup.procs) -gt $1 ]; do usleep 20000; done
    echo "1000 1000000" >$TOP/a/cpu.max
    sleep 1.2
}
# after NAME CONDITION: how long that takes
after() {
    from=$(now_ms)
    until eval "$2"; do usleep 5000; done
    echo "$1 $(($(now_ms) - from))" >>$RESULTS/took
}
used_us() {
    sed -n 's/usage_usec //p' $TOP/$1/cpu.stat
}
is_empty() {
    grep -q "populated 0" $TOP/a/cgroup.events
}

set_aside 64 8000
grep -c . $TOP/a/cgroup.procs >$RESULTS/procs
before=$(used_us a)
sleep 4
echo $(($(used_us a) - before)) >$RESULTS/used-tiny
kill -9 $(cat $TOP/a/cgroup.procs)
after killed is_empty
rmdir $TOP/a

set_aside 6 7000
kill -STOP $(cat $TOP/a/cgroup.procs)
after stopped '! grep -l "^State:.*R" $(sed "s,.*,/proc/&/status," $TOP/a/cgroup.procs) >/dev/null'
kill -CONT $(cat $TOP/a/cgroup.procs)
sleep 0.2
echo 1 >$TOP/a/cgroup.freeze
after frozen 'grep -q "frozen 1" $TOP/a/cgroup.events'
echo 0 >$TOP/a/cgroup.freeze
sleep 0.2
make_group $TOP/b 100
# The first one waits for the others.
pid=$(tail -1 $TOP/a/cgroup.procs)
echo $pid >$TOP/b/cgroup.procs
before=$(used_us b)
sleep 1
echo $(($(used_us b) - before)) >$RESULTS/used-moved
echo max >$TOP/a/cpu.max
before=$(used_us a)
sleep 1
echo $(($(used_us a) - before)) >$RESULTS/used-free
wait $job
after ended is_empty
rmdir $TOP/a $TOP/b $TOP
"""

LONG = """
TOP=/sys/fs/cgroup/long
make_group $TOP 100
echo "1000 1000000" >$TOP/cpu.max
in_group $TOP crowd hog 1000 125000
sleep 120
kill -9 $(cat $TOP/cgroup.procs)
"""

# Hogs that always want more than the quota, and a task that sometimes uses more, but never more
# than the quota and the burst.
COUNT = """
# count_limits NAME: what the kernel counts, and what the policy does, if there is one
count_limits() {
    TOP=/sys/fs/cgroup/count
    make_group $TOP 100
    make_group $TOP/hogs 100
    make_group $TOP/bursts 100
    echo "25000 100000" >$TOP/hogs/cpu.max
    echo "15000 100000" >$TOP/bursts/cpu.max
    echo 15000 >$TOP/bursts/cpu.max.burst
    in_group $TOP/hogs crowd hog 6 3000
    job=$!
    in_group $TOP/bursts crowd burst 1 3000 29000 371000
    wait $job $!
    for group in hogs bursts; do cat $TOP/$group/cpu.stat >$RESULTS/$1-$group; done
    [ "$(state)" != enabled ] || ask stats >$RESULTS/$1-stats
    remove_groups $TOP
}
"""


@pytest.fixture(scope="module", params=KERNELS)
def files(request: pytest.FixtureRequest) -> Files:
    """One guest per kernel goes through all of it."""
    scripts = [scene.script(number) for number, scene in enumerate(SCENES.values())]
    subject = subjects.compiled("limits", POLICY)
    others = {name: with_setting(name, "on") for name in LOADED}
    return run(
        subject,
        request.param,
        *scripts,
        SET_ASIDE,
        COUNT,
        "count_limits ours",
        others=others,
        then=["count_limits kernel"],
    )


@pytest.mark.parametrize("name", SCENES)
def test_groups_use_what_they_may(files: Files, name: str) -> None:
    scene = SCENES[name]
    length_us, *used_us = map(int, files[f"usage-{[*SCENES].index(name)}"].split())
    used = {group: us / length_us for group, us in zip(scene.limits, used_us, strict=True)}
    for group, limit in scene.limits.items():
        # The window may begin in the middle of what one period gives, and end in that of another.
        _, period_us = map(int, scene.groups[group][0].split())
        most = max(1.02, 1 + period_us / length_us)
        # The constant is for small limits: with 1 %, 6.16 gave 1.026 %.
        assert used[group] <= limit * most + 0.0005
    for group, least in scene.wanted.items():
        assert used[group] >= least


def test_a_tiny_quota_is_no_stall(files: Files) -> None:
    """1 ms per second, and 64 threads for longer than the watchdog waits."""
    assert int(files["procs"]) >= 64
    # In 4 s: 4 ms of quota, and four turns for each task, one in each third of the watchdog. This
    # allows each turn 50 us (TURN_NS), and 200 us in a system call (KERNEL_TURN_NS), so 68 ms. Few
    # turns end in a system call: 6.16 used 35 ms, 7.2 used 32 ms.
    assert int(files["used-tiny"]) <= 4 * 1000 + 4 * 64 * 250


def test_tasks_that_are_set_aside_follow_events(files: Files) -> None:
    lines = [line.split() for line in files["took"].decode().splitlines()]
    took = {name: int(ms) for name, ms in lines}
    assert took["killed"] <= 400
    # A period, and a debt for what they ran while the watchdog's turns came.
    assert took["stopped"] <= 2500
    assert took["frozen"] <= 2500
    assert int(files["used-moved"]) >= 800_000
    assert int(files["used-free"]) >= 2_000_000


def cpu_stat(text: bytes) -> dict[str, int]:
    return {name: int(value) for name, value in map(str.split, text.decode().splitlines())}


def test_limits_are_counted_as_the_kernel_does(files: Files) -> None:
    answer = json.loads(files["ours-stats"])
    ours = {each["cgroup"].removeprefix("/count/"): each for each in answer["limits"]}
    assert {*ours} == {"hogs", "bursts"}
    assert answer["limits_left_out"] == 0
    hogs, kernel = ours["hogs"], cpu_stat(files["kernel-hogs"])
    assert (hogs["quota_ns"], hogs["period_ns"]) == (25_000_000, 100_000_000)
    assert hogs["periods"] == pytest.approx(kernel["nr_periods"], abs=3)
    assert hogs["throttled_periods"] == pytest.approx(kernel["nr_throttled"], abs=3)
    assert hogs["throttled_periods"] >= 25
    # Four CPUs use 25 ms in 6 ms or more.
    assert 0.7 <= hogs["throttled_ns"] / hogs["periods"] / hogs["period_ns"] <= 0.95
    assert hogs["bursts"] == hogs["burst_ns"] == 0
    # The reason why the policy counts.
    assert cpu_stat(files["ours-hogs"])["nr_throttled"] == 0
    # The kernel's periods begin with a burst, the policy's do not: one may be in two of them.
    bursts, kernel = ours["bursts"], cpu_stat(files["kernel-bursts"])
    assert bursts["bursts"] == pytest.approx(kernel["nr_bursts"], abs=3)
    assert 0 < bursts["burst_ns"] <= bursts["bursts"] * 15_000_000
    assert bursts["throttled_periods"] <= 3


@pytest.mark.soak
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_thousand_threads_share_a_tiny_quota(kernel: str) -> None:
    """None is a stall for the watchdog in two minutes."""
    run(subjects.compiled("limits", POLICY), kernel, LONG)
