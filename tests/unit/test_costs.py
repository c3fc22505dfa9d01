# SPDX-License-Identifier: Apache-2.0
"""Costs of work in a simulation: lines of memory, locks and paths, and the names they come with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import pool_costs
from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation import costs, load, machine, model, play
from gthulhu_lab.simulation.behaviours import US, Behaviour, sleeper
from gthulhu_lab.simulation.machine import MachineError
from gthulhu_lab.simulation.model import Mode
from gthulhu_lab.simulation.play import Player, Spent, Use
from gthulhu_lab.verify.facts import Facts
from scenario import MS, compiled

PLAIN = compiled("policy p {}")
FIFO = model.CONTROLS["fifo"].read_text()


@pytest.fixture(scope="module")
def player() -> Player:
    return Player()


@pytest.fixture(scope="module")
def policy(player: Player) -> Path:
    return player.policy(PLAIN, machine.read("4"))


@pytest.fixture(scope="module")
def shared(player: Player) -> Path:
    """One queue for all CPUs, and one virtual time that each of them writes."""
    return player.control("scx_simple")


def run(
    player: Player,
    scheduler: Path,
    cpus: str,
    *,
    name: str = "pairs",
    times: int = 1,
    other: costs.Costs | None = None,
    fine: bool = False,
) -> play.Figures:
    """The figures of a standard load, so many times; `other`: costs that are not the usual ones."""
    place = machine.read(cpus)
    place = replace(place, costs={**place.costs, **(other or {})})
    wanted = load.standard(name, PLAIN, times * place.cpus)
    return player.run(
        scheduler,
        play.scenario(wanted, place, seed=1, seconds=0.005, warmup_ns=12 * MS, fine=fine),
    )


def spent(figures: play.Figures) -> Spent:
    assert figures.spent is not None
    return figures.spent


def worst(uses: Mapping[str, Use]) -> str:
    return max(uses, key=lambda name: uses[name].worst_ns)


def share(figures: play.Figures, use: Use) -> float:
    return (use.ns + use.wait_ns) / spent(figures).kernel_ns


# ---- A queue that all CPUs share ----


def test_a_shared_queue_collapses_from_64_cpus_on(player: Player, shared: Path) -> None:
    small, large = run(player, shared, "16"), run(player, shared, "64x4x2")
    assert small.switches / small.window_ns > 1.4e-3  # in the window, for each ns
    # Four times as many CPUs do less than 16 did: the queue's lock is held all the time.
    assert large.switches < small.switches
    lock = spent(large).locks["queue 0x10000"]
    assert worst(spent(large).locks) == "queue 0x10000"
    assert share(large, lock) > 0.8
    assert lock.ns == pytest.approx(large.window_ns, rel=0.05)
    assert spent(large).kernel_ns > 0.8 * 64 * large.window_ns


def test_queues_of_cells_do_not_collapse(player: Player, policy: Path) -> None:
    small, large = run(player, policy, "16"), run(player, policy, "64x4x2")
    assert large.switches > 3 * small.switches
    assert max(share(large, lock) for lock in spent(large).locks.values()) < 0.1


def test_tasks_of_a_shared_pool_cost_as_much_as_any(player: Player, policy: Path) -> None:
    """They may not use four CPUs of each cache, so that all of them are narrow."""
    place = machine.read("64x4x2")
    pool = [cpu for cpu in range(place.cpus) if cpu % 16 >= 4]
    freely, narrow = (
        pool_costs.run(player, policy, place, "pairs", pool, freely=freely)
        for freely in (True, False)
    )
    # With one narrow queue for the machine there were a fifth as many.
    assert narrow.switches > 0.9 * len(pool) / place.cpus * freely.switches


def test_interruptions_write_no_line_of_the_whole_machine(player: Player) -> None:
    """A task for each CPU interrupts 5,000 times a second, beside as many hogs."""
    place = machine.read("64x4x2")
    urgent = compiled('policy p {} rule fast { match comm == "fast" priority urgent preempt }')
    groups = [
        load.Group(name, rule, Facts(process=name.encode(), comm=name.encode()), acts, place.cpus)
        for name, rule, acts in (
            ("fast", "fast", sleeper(20 * US, 180 * US)),
            ("hog", "default", Behaviour()),
        )
    ]
    scenario = play.scenario(
        load.Load("mixed", 0, tuple(groups)), place, seed=1, seconds=0.01, warmup_ns=12 * MS
    )
    found = spent(player.run(player.policy(urgent, place), scenario))
    assert found.operations["switch"].number > 5000
    # It was 8 % with one mask of the CPUs that run a task of a level.
    assert max(use.worst_ns for use in found.lines.values()) < 0.03 * found.kernel_ns


def test_without_saturation_the_idle_mask_is_the_worst_line(player: Player, shared: Path) -> None:
    found = spent(run(player, shared, "64x4x2", name="wakers"))
    assert worst(found.lines) == "the kernel's mask of idle CPUs"


def test_a_policy_has_masks_of_idle_cpus_for_each_cell(player: Player, policy: Path) -> None:
    found = spent(run(player, policy, "64x4x2", name="wakers"))
    assert not [name for name in found.lines if "kernel's mask" in name]


def test_idle_cpus_of_large_machines_are_found_without_a_common_line(player: Player) -> None:
    place = machine.read("256x16x2")
    schedulers = player.policy(PLAIN, place), player.control("eevdf")
    ours, eevdf = (pool_costs.run_pairs(player, each, place, 192) for each in schedulers)
    # With the kernel's masks of nodes it was 0.7.
    assert ours.switches > 1.3 * eevdf.switches


def test_masks_for_each_node_relieve_that_line(player: Player, tmp_path: Path) -> None:
    by_node = '.flags = 1 << 6 /* SCX_OPS_BUILTIN_IDLE_PER_NODE */,\n\t.name = "fifo"'
    schedulers = player.control("fifo"), built(tmp_path, FIFO.replace('.name = "fifo"', by_node))
    one, two = (run(player, each, "256x16x2", name="wakers") for each in schedulers)
    assert spent(one).kernel_ns > 1.2 * spent(two).kernel_ns
    wakeups = [spent(each).operations["wakeup"] for each in (one, two)]
    assert wakeups[0].line_wait_ns > 2 * wakeups[1].line_wait_ns


# ---- Time is accounted for ----


def test_a_cpu_computes_or_works_for_the_kernel(player: Player, policy: Path) -> None:
    found = run(player, policy, "4", name="hogs")
    used_ns = spent(found).kernel_ns + sum(group.ran_ns for group in found.groups)
    # Work that is under way at the end counts as a whole.
    assert used_ns == pytest.approx(4 * found.window_ns, rel=0.002)
    parts = sum(
        each.path_ns + each.transfer_ns + each.line_wait_ns + each.lock_wait_ns
        for name, each in spent(found).operations.items()
        if name != "search"  # which is part of a wake-up
    )
    assert 0.8 * spent(found).kernel_ns < parts <= spent(found).kernel_ns


@pytest.mark.parametrize(("name", "operation"), [("wake", "wakeup"), ("switch_over", "switch")])
def test_a_path_costs_what_it_is_said_to(
    name: str, operation: str, player: Player, policy: Path
) -> None:
    usual, longer = (
        spent(run(player, policy, "4", other=other)).operations[operation]
        for other in ({}, {name: costs.usual()[name] + 500})
    )
    difference = longer.path_ns / longer.number - usual.path_ns / usual.number
    assert difference == pytest.approx(500, abs=25)


def test_calls_of_the_scheduler_are_told_by_name(player: Player, policy: Path) -> None:
    found = run(player, policy, "4")
    calls = spent(found).calls
    assert {"enqueue", "dispatch", "running", "stopping"} <= calls.keys()
    assert calls["running"].number == pytest.approx(found.switches, rel=0.01)
    costs_ns = costs.usual()
    # Each enters the scheduler, reads the clock, and finds the task's storage.
    assert calls["enqueue"].path_ns / calls["enqueue"].number > (
        costs_ns["callback"] + costs_ns["clock"] + costs_ns["storage"]
    )
    assert sum(call.path_ns for call in calls.values()) < spent(found).kernel_ns


def test_lines_cost_by_distance(player: Player, shared: Path) -> None:
    def of_one(cpus: str) -> float:
        # So many tasks that they run on all CPUs by turns.
        use = spent(run(player, shared, cpus, times=4)).lines["now_served"]
        return use.ns / use.number

    assert of_one("8") == costs.usual()["llc"]
    assert costs.usual()["llc"] < of_one("8x2") < costs.usual()["node"]
    assert costs.usual()["node"] < of_one("8x4x2") < costs.usual()["far"]


def test_without_costs_work_takes_no_time(player: Player, policy: Path) -> None:
    place = replace(machine.read("4"), costs={})
    wanted = load.standard("pairs", PLAIN, 4)
    found = player.run(policy, play.scenario(wanted, place, seed=1, seconds=0.005))
    plain = Player(costed=False)
    assert found == plain.run(
        plain.policy(PLAIN, place), play.scenario(wanted, place, seed=1, seconds=0.005)
    )
    assert found.spent is None


# ---- Mutants: a scheduler whose CPUs have nothing in common, and what is done to it ----


def own_queues(*, variable: str = "", dispatch: str = "") -> str:
    """FIFO's text with a queue for each CPU and no search for idle ones, and additions."""
    text = FIFO
    for old, new in {
        "enum {": f"u32 scx_bpf_nr_cpu_ids(void);\n{variable}\nenum {{",
        "insert(p, SHARED_QUEUE": "insert(p, scx_bpf_task_cpu(p)",
        "move_to_local(SHARED_QUEUE);": "move_to_local(cpu);",
        "*prev)\n{": f"*prev)\n{{\n{dispatch}",
        "\treturn scx_bpf_create_dsq(SHARED_QUEUE, -1);": (
            "for (u32 i = 0; i < scx_bpf_nr_cpu_ids(); i++) scx_bpf_create_dsq(i, -1);\nreturn 0;"
        ),
        "\t.select_cpu = (void *)fifo_select_cpu,\n": "",
    }.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def built(folder: Path, text: str) -> Path:
    (folder / "mutant.c").write_text(text)
    model.build_control(folder / "mutant.c", folder / "mutant.so", Mode.COSTED)
    return folder / "mutant.so"


def test_cpus_with_their_own_queues_do_not_collapse(player: Player, tmp_path: Path) -> None:
    found = run(player, built(tmp_path, own_queues()), "64x4x2", times=4)
    assert found.switches / found.window_ns > 6e-3
    assert spent(found).kernel_ns < 0.4 * 64 * found.window_ns


@pytest.mark.parametrize("fine", [False, True])
def test_what_the_scheduler_computes_takes_time(
    player: Player, tmp_path: Path, *, fine: bool
) -> None:
    loop = "for (u32 i = 0; i < 100; i++)\n\t\tif (i + cpu == 1000)\n\t\t\treturn;"
    words = "static u64 words[64];", "for (u32 i = 0; i < 50; i++)\n\t\twords[i]++;"
    plain, looping, using = (
        _mean_dispatch(player, built(tmp_path, text), fine=fine)
        for text in (
            own_queues(), own_queues(dispatch=loop),
            own_queues(variable=words[0], dispatch=words[1]),
        )
    )  # fmt: skip
    # Rounds and comparisons are branches, of 4.3 instructions; a word takes 4.5.
    code_ns = costs.usual()["code"] / 100
    assert looping - plain == pytest.approx(200 * 4.3 * code_ns, abs=1)
    assert using - plain == pytest.approx(50 * (4.3 + 4.5) * code_ns, abs=1)


def _mean_dispatch(player: Player, scheduler: Path, *, fine: bool) -> float:
    place = machine.read("1")
    wanted = load.standard("pairs", PLAIN, 1)
    text = play.scenario(wanted, place, seed=1, seconds=0.05, fine=fine)
    dispatch = spent(player.run(scheduler, text)).calls["dispatch"]
    return dispatch.path_ns / dispatch.number


def test_a_line_that_is_written_on_each_dispatch_is_named(player: Player, tmp_path: Path) -> None:
    text = own_queues(variable="static u64 written;", dispatch="written++;")
    found = run(player, built(tmp_path, text), "64x4x2", times=4)
    assert worst(spent(found).lines) == "written"
    assert share(found, spent(found).lines["written"]) > 0.3


def test_a_queue_that_all_cpus_read_is_named(player: Player, tmp_path: Path) -> None:
    text = own_queues(dispatch="if (scx_bpf_dsq_nr_queued(0) > 1000) return;")
    found = run(player, built(tmp_path, text), "64x4x2", times=4)
    assert worst(spent(found).lines) == "queue 0x0"


def test_a_lock_that_is_never_released_is_named(player: Player, tmp_path: Path) -> None:
    text = own_queues(
        variable="static u32 taken;", dispatch="while (__sync_lock_test_and_set(&taken, 1));"
    )
    with pytest.raises(LabError, match="dispatch does not end: it goes on using taken"):
        run(player, built(tmp_path, text), "4")


def test_a_task_that_is_lost_is_named(player: Player, tmp_path: Path) -> None:
    text = FIFO.replace(
        "\tscx_bpf_dsq_insert(p, SHARED", "\tif (p->pid != 4)\n\t\tscx_bpf_dsq_insert(p, SHARED"
    )
    place = machine.read("2")
    wanted = load.standard("hogs", PLAIN, 2)
    with pytest.raises(LabError, match="task 4 is lost: no queue has it"):
        player.run(
            built(tmp_path, text),
            play.scenario(wanted, place, seed=1, seconds=1, warmup_ns=12 * MS),
        )


# ---- Fine events ----


def counting(how: str) -> str:
    """A scheduler that counts dispatches twice, and reports at its end if the counts differ."""
    text = own_queues(
        variable="static u64 all, counted;\nvoid scx_bpf_error_bstr(char *, u64 *, u32);",
        dispatch=f"__sync_fetch_and_add(&all, 1);\n{how};",
    )
    assert text.count("\treport_exit(info);") == 1
    return text.replace(
        "\treport_exit(info);",
        '\tif (counted != all)\n\t\tscx_bpf_error_bstr("dispatches were missed", NULL, 0);\n'
        "\treport_exit(info);",
    )


def test_fine_events_show_a_race(player: Player, tmp_path: Path) -> None:
    racy = built(tmp_path, counting("counted++"))
    run(player, racy, "8")
    with pytest.raises(LabError, match="dispatches were missed"):
        run(player, racy, "8", fine=True)

    run(player, built(tmp_path, counting("__sync_fetch_and_add(&counted, 1)")), "8", fine=True)


@pytest.mark.parametrize("name", ["pairs", "wakers"])
def test_fine_events_lose_no_wakeup(name: str, player: Player, policy: Path) -> None:
    whole, fine = (run(player, policy, "4", name=name, fine=each) for each in (False, True))
    assert fine.wakeups == pytest.approx(whole.wakeups, rel=0.15)
    assert fine.switches == pytest.approx(whole.switches, rel=0.15)


def test_tasks_without_quota_do_not_go_from_cpu_to_cpu(player: Player) -> None:
    """A CPU that looks for a task finds those that other CPUs are leaving."""
    place = machine.read("16")
    limited = compiled("policy p {}\ndefault { share ..25% }")
    scheduler = player.policy(limited, place)
    wanted = load.standard("hogs", limited, 4)
    whole, fine = (
        player.run(scheduler, play.scenario(wanted, place, seed=1, seconds=0.1, fine=each))
        for each in (False, True)
    )
    assert fine.switches <= 1.5 * whole.switches


# ---- Profiles ----


def test_costs_have_sources() -> None:
    assert set(costs.sources()) == set(costs.usual())
    assert all(costs.sources().values())


def test_a_profile_may_have_costs_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "zen.toml").write_text("cpus = 4\ncosts = { llc = 20, far = 200 }\n")
    place = machine.read(str(tmp_path / "zen.toml"))
    assert place.costs == {**costs.usual(), "llc": 20, "far": 200}
    assert place.digest != machine.read("4").digest


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("{ lcc = 20 }", "costs.lcc: unknown cost; did you mean `llc`?"),
        ("{ llc = -1 }", "costs.llc: expected a number of ns, 0 to 1000000"),
        ("{ llc = 1000001 }", "costs.llc: expected a number of ns"),
        ("{ llc = true }", "costs.llc: expected a number of ns"),
        ("{ llc = 0.5 }", "costs.llc: expected a number of ns"),
        ("3", "costs: expected a table"),
    ],
)
def test_malformed_costs_are_refused(table: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text(f"cpus = 4\ncosts = {table}\n")
    with pytest.raises(MachineError, match=re.escape(why)):
        machine.read(str(tmp_path / "odd.toml"))


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["cost .colour 3"], "there is no cost colour"),
        (["cost .llc 2000000"], "a cost of 2000000 ns is too high"),
        (["machine 1 0x702 1 1 1 1", "cost .llc 3"], "costs come before the machine"),
    ],
)
def test_the_model_refuses_costs_that_mean_nothing(
    lines: list[str], why: str, player: Player, policy: Path
) -> None:
    with pytest.raises(LabError, match=why):
        player.run(policy, "".join(f"0 {line}\n" for line in lines))
