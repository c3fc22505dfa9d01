# SPDX-License-Identifier: Apache-2.0
"""`gthulhu simulate`: a policy on the host model, without root, kernel or QEMU."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command import environment
from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation import load, machine, play
from gthulhu_lab.simulation.behaviours import MS, OF_WORKLOADS, Behaviour
from gthulhu_lab.verify.facts import Facts
from gthulhuc.codegen import tunables
from gthulhuc.codegen.clang import find_clang
from scenario import compiled

ROOT = Path(__file__).parents[2]
POLICY = """\
policy p {}
rule quick { match comm == "quick" priority urgent preempt }
rule left { match comm == "left" cpus llc 1 }

expect waker as quick under hogs 2x {
    p90(wakeup quick) < 300us
    max(wait default) > 1s
    share(default) >= 90%
    p90(wakeup quick) < 10% of eevdf
    p90(wakeup quick) < 10% of scx_flash
}

expect pipe as left under hogs 2x {
    share(left) <= 50%
}

expect pgbench as quick {
    share(quick) > 1%
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simulate")
    (folder / "p.gpl").write_text(POLICY)
    return folder


def simulate(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "simulate", *words],
        cwd=folder, env={**environment(), **more}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def figures(folder: Path, *words: str) -> dict[str, Any]:
    said = simulate(folder, *words, "--json", "-")
    assert said.returncode == 0, said.stderr
    found: dict[str, Any] = json.loads(said.stdout)
    return found


SMALL = ("p.gpl", "--machine", "4x2", "--seconds", "0.3", "--seeds", "2")


def test_blocks_are_simulated_beside_fifo(folder: Path) -> None:
    said = simulate(folder, *SMALL)
    assert said.returncode == 0
    assert "left out: line 17: `pgbench` as `quick`: this workload needs a kernel" in said.stderr
    assert "p.gpl:5: expect waker as quick under hogs 2x   (simulated)" in said.stdout
    assert "machine 4x2: 4 CPUs, 2 LLCs, 1 node" in said.stdout
    assert "Outside the validated range" in said.stdout
    assert re.search(r"kernel +wake-up +switch +idle search", said.stdout)
    assert re.search(r"p.gpl +lines +\S", said.stdout)
    assert "took no time" not in said.stdout


def test_figures_follow_the_policy(folder: Path) -> None:
    found = figures(folder, *SMALL)
    quick, left = found["loads"]
    *claims, beside_eevdf, unknown = quick["claims"]
    assert [claim["is_within"] for claim in claims] == [True, False, True]
    assert beside_eevdf["bound"] == beside_eevdf["baseline_figure"]["median"] / 10
    assert beside_eevdf["is_within"] == (beside_eevdf["figure"]["median"] < beside_eevdf["bound"])
    assert (unknown["is_within"], unknown["why"]) == (None, "a bound by scx_flash needs guests")
    policy, fifo, eevdf = quick["schedulers"]
    assert eevdf["groups"][0]["wakeup"]["p90"] == beside_eevdf["baseline_figure"]
    # Under FIFO the waker waits for slices of all hogs.
    assert fifo["groups"][0]["wakeup"]["p50"]["median"] > 10_000_000
    assert policy["groups"][0]["wakeup"]["p50"]["median"] < 300_000
    assert left["claims"][0]["is_within"]
    # The rule's LLC is the machine's: CPUs 2 and 3, which are half of them.
    assert left["schedulers"][0]["groups"][0]["share"]["median"] > 0.3
    assert (found["costs"]["llc"], found["validated"]) == (40, False)


def test_labels_and_pods_take_their_tasks(tmp_path: Path) -> None:
    """Those of a rule are on one of two CPUs."""
    (tmp_path / "p.gpl").write_text(
        "policy p {}\n"
        'rule web  { match label "tier" == "web" cpus 1 }\n'
        "rule shop {\n"
        '    match namespace == "shop" and pod ~ "pay-*" and not label "old" == "yes"\n'
        "    cpus 1\n"
        "}\n"
        "expect waker under hogs 1x as web  { share(web) <= 55% }\n"
        "expect waker under hogs 1x as shop { share(shop) <= 55% }\n"
        "expect waker under hogs 1x         { share(default) >= 90% }\n"
    )
    loads = figures(tmp_path, "p.gpl", "--machine", "2", "--seeds", "1", "--seconds", "0.2")[
        "loads"
    ]
    assert [each["claims"][0]["is_within"] for each in loads] == [True] * 3


def test_costs_are_told_for_each_scheduler(folder: Path) -> None:
    words = ("p.gpl", "--machine", "16x2", "--seconds", "0.02", "--seeds", "2")
    found = figures(folder, *words, "--workload", "pairs", "--control", "fifo,scx_simple")
    schedulers = found["loads"][0]["schedulers"]
    assert [each["name"] for each in schedulers] == ["p.gpl", "fifo", "scx_simple"]
    for costs in (each["costs"] for each in schedulers):
        assert 0.1 < costs["kernel_share"]["median"] < 0.6
        assert 400 < costs["wakeup"]["time"]["median"] < costs["switch"]["time"]["median"] < 5000
        # That of one of two cells, or of all CPUs.
        assert costs["locks"][0]["name"].startswith("queue 0x1000")
        worst = [line["worst"] for line in costs["lines"]]
        assert worst == sorted(worst, reverse=True)
    free = figures(folder, *words, "--workload", "pairs", "--control", "none", "--no-costs")
    assert free["costs"] is None
    assert free["loads"][0]["schedulers"][0]["costs"] is None


@pytest.mark.soak
def test_fine_events_are_said_and_give_the_same_bytes(folder: Path) -> None:
    words = (*SMALL, "--workload", "pairs", "--seconds", "0.02", "--fine")
    first, second = (simulate(folder, *words).stdout for _ in range(2))
    assert first == second
    assert "Events of different CPUs interleaved (--fine)." in first
    refused = simulate(folder, *words, "--no-costs")
    assert refused.returncode == 2
    assert "--fine needs costs" in refused.stderr


def test_without_costs_the_output_says_so(folder: Path) -> None:
    said = simulate(folder, *SMALL, "--no-costs", "--workload", "pairs")
    assert "took no time here (--no-costs)" in said.stdout
    assert "idle search" not in said.stdout


def test_the_same_command_gives_the_same_bytes(folder: Path) -> None:
    words = ("p.gpl", "--machine", "8x2", "--seconds", "0.1", "--workload", "wakers", "--json", "-",
             "--control", "fifo,eevdf,scx_simple")  # fmt: skip
    first, second = (simulate(folder, *words, "--seeds", "2").stdout for _ in range(2))
    assert first == second
    assert simulate(folder, *words, "--seeds", "2", CC=find_clang()).stdout == first
    assert json.loads(first)["loads"][0]["name"] == "wakers"


def test_standard_loads_have_their_load(folder: Path) -> None:
    (folder / "plain.gpl").write_text("policy plain {}\n")
    words = ("plain.gpl", "--machine", "8", "--seconds", "0.3", "--seeds", "1")
    loads = {each["name"]: each["schedulers"] for each in figures(folder, *words)["loads"]}
    assert list(loads) == ["pairs", "wakers", "hogs"]
    for scheduler in loads["wakers"]:
        assert scheduler["groups"][0]["share"]["median"] == pytest.approx(0.67, abs=0.02)
    hogs, wakers = loads["hogs"][0]["groups"][1], loads["hogs"][0]["groups"][0]
    assert (hogs["tasks"], wakers["tasks"]) == (32, 4)
    assert hogs["share"]["median"] > 0.95


SHARES = {
    # The decoder takes 0.4 ms for a frame, the filters 0.3 each, and an encoder 2.
    "pipeline": (0.4 + 2 * 0.3 + 2) / 0.4 / 16,
    # The slack of timers makes 0.15 ms of a sleep of 0.1.
    "wakeup-tree": 0.1 / (0.15 + 0.1),
    # The server takes 70 µs for a connection, and a client 20.
    "web-events": (70 + 20) / 70 / 16,
    "web-threads": (20 + 50 + 20) / 20 / 16,
    **dict.fromkeys(("messages", "forks", "fork-chain"), 1.0),
}


def test_workloads_take_the_time_of_their_work(folder: Path) -> None:
    blocks = (f"expect {name} {{ share(default) > 1% }}\n" for name in SHARES)
    (folder / "all.gpl").write_text("policy all {}\n" + "".join(blocks))
    words = ("all.gpl", "--machine", "16", "--seconds", "0.3", "--seeds", "1", "--control", "eevdf")
    loads = figures(folder, *words)["loads"]
    assert [each["name"].removeprefix("expect ") for each in loads] == [*SHARES]
    for each, share in zip(loads, SHARES.values(), strict=True):
        ours, eevdf = (scheduler["groups"][0]["share"] for scheduler in each["schedulers"])
        # Each step of a task takes 1 µs more, and so does a wake-up.
        assert ours["median"] == pytest.approx(share, rel=0.15), each["name"]
        assert eevdf["median"] == pytest.approx(share, rel=0.2), each["name"]


def test_slow_and_offline_cpus_count(folder: Path) -> None:
    (folder / "odd.toml").write_text("cpus = 8\nspeeds = { '2-3' = 0.5 }\noffline = '4-7'\n")
    (folder / "plain.gpl").write_text("policy plain {}\n")
    words = ("plain.gpl", "--machine", "odd.toml", "--workload", "hogs", "--seconds", "0.2")
    found = figures(folder, *words, "--seeds", "1", "--control", "none")
    (scheduler,) = found["loads"][0]["schedulers"]
    assert [group["tasks"] for group in scheduler["groups"]] == [2, 16]
    assert sum(group["share"]["median"] for group in scheduler["groups"]) == pytest.approx(1, 0.01)


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (("none.gpl",), 2, "none.gpl"),
        (("p.gpl", "--machine", "9x4"), 2, "9 CPUs cannot be divided evenly among 4 LLCs"),
        (("p.gpl", "--machine", "4"), 2, "rule left: machine 4 has none of the CPUs of `cpus`"),
        (("p.gpl", "--machine", "4x2", "--workload", "pgbench"), 2, "this workload needs a kernel"),
        (("p.gpl", "--machine", "4x2", "--workload", "99"), 2, "no `expect` block is on line 99"),
        (("p.gpl", "--machine", "4x2", "--control", "cfs"), 2, "there is no control `cfs`"),
        (("p.gpl", "--seconds", "0"), 2, "expected 0.01 to 60 seconds"),
        (("wrong.gpl",), 1, "undefined field or set `nothing`"),
        (("named.gpl", "--machine", "2"), 2, "does not know users and groups by name"),
    ],
)
def test_a_policy_that_cannot_be_simulated_is_refused(
    words: tuple[str, ...], status: int, why: str, folder: Path
) -> None:
    (folder / "wrong.gpl").write_text("policy p {}\nrule r { match nothing == 1 }\n")
    (folder / "named.gpl").write_text('policy p {}\nrule r { match uid == "root" }\n')
    said = simulate(folder, *words)
    assert said.returncode == status
    assert why in said.stderr
    assert "Traceback" not in said.stderr


def test_without_a_compiler_the_message_says_what_to_install(folder: Path) -> None:
    said = simulate(folder, "p.gpl", "--machine", "4x2", PATH="/nowhere")
    assert said.returncode == 2
    assert "found no C compiler" in said.stderr
    assert "install gcc or clang" in said.stderr


def test_a_simulation_ends_at_its_bound() -> None:
    policy, place = compiled("policy p {}"), machine.read("4")
    player = play.Player()
    text = play.scenario(load.standard("pairs", policy, 4), place, seed=1, seconds=1)
    bounded = text.replace(f"limit {play.MOST_EVENTS}", "limit 5000")
    with pytest.raises(LabError, match="more than 5000 events happen by"):
        player.run(player.policy(policy, place), bounded)


TUNABLE = """\
policy p {{}}
tunable turn = {turn} in 500us..20ms
tunable wait = 20ms in 10ms..50ms
tunable heft = {heft} in 10..1000
rule hogs {{ match comm == "hogs" slice turn weight heft }}
{when}
"""
WHEN = "when time in 22:00..06:00 { rule hogs { weight 50 max-wait wait } }"


@pytest.mark.parametrize("when", ["", WHEN])
def test_a_run_may_have_other_values_of_tunables(when: str) -> None:
    """They give the figures of a policy with these defaults."""
    place, player = machine.read("2"), play.Player()
    one, other = (
        compiled(TUNABLE.format(turn=turn, heft=heft, when=when))
        for turn, heft in (("4ms", 100), ("1ms", 300))
    )
    numbers = tunables.numbers(play.classes_of(one, place))
    wanted = {numbers["turn"]: MS, numbers["heft"]: 300}
    text = play.scenario(load.standard("hogs", one, 2), place, seed=1, seconds=0.3)
    changed = player.run(player.policy(one, place), play.tuned(text, wanted))
    assert changed == player.run(player.policy(other, place), text)
    assert changed != player.run(player.policy(one, place), text)
    with pytest.raises(LabError, match="no tunable 9"):
        player.run(player.policy(one, place), play.tuned(text, {9: 1}))


def periodic(units: int) -> load.Load:
    """Periodic tasks without other load."""
    facts = Facts(process=b"p", comm=b"p")
    behaviour = OF_WORKLOADS["waker"]({"period_us": 2000})
    return load.Load("test", 0, (load.Group("waker", "default", facts, behaviour, units),))


@pytest.mark.parametrize(
    ("phase_us", "due_us"), [(None, [370, 1370]), (0, [0, 1000]), (1500, [1500, 500])]
)
def test_periodic_tasks_are_due_at_phases_of_their_period(
    phase_us: int | None, due_us: list[int]
) -> None:
    wanted = periodic(2)
    text = play.scenario(wanted, machine.read("2"), seed=2, seconds=1, phase_us=phase_us)
    found = re.findall(r"until:2000000:(\d+)", text)
    assert [int(each) // 1000 for each in found] == due_us


@pytest.mark.parametrize(("phase_us", "late_us"), [(0, {0, 50}), (3960, {40}), (500, {50})])
def test_a_timer_has_a_slack_which_a_tick_may_end(phase_us: int, late_us: set[int]) -> None:
    policy, place = compiled("policy p {}"), machine.read("1")
    # The first one keeps the CPU busy, so that it has ticks.
    hogs = load.Group("hogs", "default", Facts(process=b"h", comm=b"h"), Behaviour(), 1)
    wanted = periodic(1)
    text = play.scenario(
        replace(wanted, groups=(hogs, *wanted.groups)), place,
        seed=1, seconds=0.1, timeline=1000, phase_us=phase_us,
    )  # fmt: skip
    player = play.Player()
    lines = player.output(player.policy(policy, place), text).splitlines()
    at_ns = [int(line.split()[1]) for line in lines if line.startswith("waking")]
    found = {round((ns - phase_us * 1000) % (2 * MS) / 10_000) * 10 for ns in at_ns}
    assert found == late_us


def test_a_simulation_that_is_stopped_leaves_nothing(folder: Path) -> None:
    place = folder / "tmp"
    place.mkdir()
    command = [
        sys.executable, "-m", "gthulhuc.cli.gthulhu", "simulate", "p.gpl", "--machine", "512x16",
        "--workload", "pairs", "--seconds", "60",
    ]  # fmt: skip
    with subprocess.Popen(
        command, cwd=folder, env={**environment(), "TMPDIR": str(place)}, stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        while b"simulating" not in process.stderr.readline():
            pass
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGINT)
        process.stderr.read()
    assert process.returncode == 130
    assert list(place.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
