# SPDX-License-Identifier: Apache-2.0
"""Profiles of machines, and what the host model does with them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from gthulhu_lab.simulation import machine
from gthulhu_lab.simulation.machine import MachineError
from gthulhu_lab.simulation.model import ModelError
from scenario import FOREVER, MS, US, Facts, Scenario, compiled
from simulation import Machine

PLAIN = compiled("policy p {}")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("checked"))


@pytest.fixture(scope="module")
def scheduler(checked: Machine) -> Path:
    return checked.scheduler(PLAIN)


def profile(text: str, folder: Path) -> machine.Machine:
    path = folder / "machine.toml"
    path.write_text(text)
    return machine.read(str(path))


def put(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text + "\n")


# ---- Profiles ----


def test_a_short_form_is_cpus_llcs_and_nodes() -> None:
    found = machine.read("64x4x2")
    assert found.summary == "64 CPUs, 4 LLCs, 2 nodes"
    assert found.llcs[1] == frozenset(range(16, 32))
    assert found.nodes[1] == frozenset(range(32, 64))
    assert machine.read("1").summary == "1 CPU, 1 LLC, 1 node"
    assert machine.read("1024x16").cpus == 1024


def test_profiles_that_are_shipped_have_sources_and_are_what_they_say() -> None:
    assert {name: machine.read(name).summary for name in machine.shipped()} == {
        "desktop-16": "16 CPUs, 8 cores, 1 LLC, 1 node",
        "laptop-hybrid": "16 CPUs, 12 cores, 1 LLC, 1 node, 8 of the CPUs slower",
        "server-128": "128 CPUs, 64 cores, 16 LLCs, 2 nodes",
    }
    assert all(machine.read(name).sources for name in machine.shipped())
    server = machine.read("server-128")
    assert all(len(group) == 8 for group in server.llcs)
    assert all(len(group) == 64 for group in server.nodes)


def test_a_digest_depends_on_all_but_words(tmp_path: Path) -> None:
    same = profile('cpus = 2\ndescription = "two"', tmp_path).digest
    assert same == machine.read("2").digest
    assert same != profile('cpus = 2\nllcs = ["0", "1"]', tmp_path).digest
    assert same != profile('cpus = 2\noffline = "1"', tmp_path).digest


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cpus = 4\nllcs = ['0-1', '1-3']", "llcs[1]: CPU 1 is in llcs[0], too"),
        ("cpus = 4\nllcs = ['0-1', '2']", "llcs: CPU 3 is in none of them"),
        ("cpus = 4\nnodes = ['0-7']", "nodes[0]: there is no CPU 4"),
        ("cpus = 4\nnodes = ['0-3', '']", "nodes[1]: it has no CPUs"),
        ("cpus = 2\nllcs = ['0-1']\nnodes = ['0', '1']", "llcs[0]: its CPUs are in different n"),
        ("cpus = 2\ncores = ['0-1']\nllcs = ['0', '1']", "cores[0]: its CPUs are in different l"),
        ("cpus = 2\ncores = ['0-1']\nspeeds = { '0' = 0.5 }", "cores[0]: its CPUs differ in speed"),
        ("cpus = 2\nspeeds = { '0-1' = 0.5 }", "speeds: no CPU has speed 1"),
        ("cpus = 2\nspeeds = { '0' = 0.5, '0-1' = 1 }", 'speeds."0-1": CPU 0 has a speed already'),
        ("cpus = 2\nspeeds = { '0' = 2 }", 'speeds."0": expected a part of'),
        ("cpus = 2\nspeeds = { '5' = 0.5 }", "speeds: there is no CPU 5"),
        ("cpus = 2\noffline = '0-1'", "offline: no CPU is online"),
        ("cpus = 2\noffline = '7'", "offline: there is no CPU 7"),
        ("cpus = 2\nllcs = '0-1'", "llcs: expected a list of strings"),
        ("cpus = 2\nllcs = ['1-0']", "llcs[0]: `1-0` is not a list of CPUs"),
        ("cpus = 2\nlccs = ['0-1']", "lccs: unknown key; did you mean `llcs`?"),
        ("cpus = 1025", "cpus: expected a number of CPUs, 1 to 1024"),
        ("cpus = true", "cpus: expected a number of CPUs"),
        ("", "cpus: expected a number of CPUs"),
        ("cpus =", "is not TOML: "),
    ],
)  # fmt: skip
def test_a_profile_that_contradicts_itself_is_refused(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(MachineError) as error:
        profile(text, tmp_path)
    assert "machine.toml" in error.value.message
    assert why in error.value.message


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("0", "a machine has 1 to 1024 CPUs, found 0"),
        ("1025", "a machine has 1 to 1024 CPUs, found 1025"),
        ("6x4", "6 CPUs cannot be divided evenly among 4 LLCs"),
        ("8x4x3", "4 LLCs cannot be divided evenly among 3 nodes"),
        ("8x0", "8 CPUs cannot be divided evenly among 0 LLCs"),
        ("sever-128", "there is no machine `sever-128`; did you mean `server-128`?"),
        ("./none.toml", "cannot read none.toml: No such file or directory"),
    ],
)
def test_a_machine_that_is_not_there_is_refused(name: str, why: str) -> None:
    with pytest.raises(MachineError) as error:
        machine.read(name)
    assert why in error.value.message


def test_this_machine_is_read_from_sysfs(tmp_path: Path) -> None:
    put(tmp_path, {"cpu/online": "0-5", "cpu/possible": "0-7"})
    put(tmp_path, {"node/node0/cpulist": "0-3", "node/node1/cpulist": "4-5"})
    for cpu in range(6):
        core = f"{cpu},{cpu + 2}" if cpu < 2 else f"{cpu - 2},{cpu}" if cpu < 4 else str(cpu)
        put(
            tmp_path,
            {
                f"cpu/cpu{cpu}/topology/thread_siblings_list": core,
                f"cpu/cpu{cpu}/topology/physical_package_id": str(cpu // 4),
                f"cpu/cpu{cpu}/cache/index3/shared_cpu_list": "0-3" if cpu < 4 else "4-5",
                f"cpu/cpu{cpu}/cpu_capacity": "1024" if cpu < 4 else "512",
            },
        )
    found = machine.this(tmp_path)
    assert found.cores[:4] == tuple(map(frozenset, ({0, 2}, {1, 3}, {4}, {5})))
    assert found.llcs[:2] == tuple(map(frozenset, ({0, 1, 2, 3}, {4, 5})))
    assert found.nodes[1] == {4, 5}
    assert found.speeds == {4: 500, 5: 500}
    assert found.offline == {6, 7}
    # An LLC that sysfs gives two nodes is two.
    for cpu in range(6):
        put(tmp_path, {f"cpu/cpu{cpu}/cache/index3/shared_cpu_list": "0-5"})
    assert machine.this(tmp_path).llcs[:2] == tuple(map(frozenset, ({0, 1, 2, 3}, {4, 5})))
    put(tmp_path, {"cpu/online": ""})
    with pytest.raises(MachineError):
        machine.this(tmp_path)


def test_the_machine_of_this_test_is_read() -> None:
    assert machine.read("this").cpus >= 1


# ---- The model on them ----


def test_a_wakeup_stays_in_its_cache(checked: Machine, scheduler: Path, tmp_path: Path) -> None:
    scenario = Scenario(PLAIN, profile=machine.read("8x2x2"))
    hog = scenario.task(b"hog", Facts(cpus=0b1), burst=FOREVER)
    wakers = [scenario.task(b"waker", Facts(), burst=100 * US, sleep=MS) for _ in range(2)]
    scenario.start()
    for pid in (hog, *wakers):
        scenario.wake(pid)
    outcome = checked.run(scheduler, scenario.end(200 * MS))
    assert outcome.violation is None
    for pid in wakers:
        ran = outcome.tasks[pid].ran_ns
        used = {cpu // 4 for cpu in range(8) if ran[cpu]}
        assert len(used) == 1, ran


def test_a_whole_core_goes_before_a_sibling(
    checked: Machine, scheduler: Path, tmp_path: Path
) -> None:
    cores = profile("cpus = 8\ncores = ['0,4', '1,5', '2,6', '3,7']", tmp_path)
    scenario = Scenario(PLAIN, profile=cores)
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(4)]
    scenario.start()
    for number, pid in enumerate(hogs):
        scenario.at((number + 1) * MS)
        scenario.wake(pid)
    outcome = checked.run(scheduler, scenario.end(100 * MS))
    assert outcome.violation is None
    used = [{cpu % 4 for cpu in range(8) if outcome.tasks[pid].ran_ns[cpu]} for pid in hogs]
    assert sorted(used, key=min) == [{0}, {1}, {2}, {3}]


def test_slow_cpus_take_longer_and_offline_ones_nothing(
    checked: Machine, scheduler: Path, tmp_path: Path
) -> None:
    text = "cpus = 4\nspeeds = { '1' = 0.5 }\noffline = '2-3'"
    scenario = Scenario(PLAIN, profile=profile(text, tmp_path))
    fast, slow = (
        scenario.task(b"worker", Facts(cpus=1 << cpu), burst=MS, sleep=MS) for cpu in (0, 1)
    )
    free = [scenario.task(b"hog", burst=2 * MS, sleep=MS) for _ in range(6)]
    scenario.start()
    for pid in (fast, slow, *free):
        scenario.wake(pid)
    outcome = checked.run(scheduler, scenario.end(500 * MS))
    assert outcome.violation is None
    cost = [sum(outcome.tasks[pid].ran_ns) / outcome.tasks[pid].bursts for pid in (fast, slow)]
    assert cost[0] == pytest.approx(MS, rel=0.05)
    assert cost[1] == pytest.approx(2 * MS, rel=0.05)
    assert not any(sum(outcome.tasks[pid].ran_ns[2:]) for pid in free)


def test_sets_of_cpus_have_more_than_one_word(checked: Machine) -> None:
    text = 'policy p {}\nrule far { match comm == "far" cpus 70-95 exclusive }'
    policy = compiled(text)
    scenario = Scenario(policy, profile=machine.read("96x4x2"))
    far = [scenario.task(b"far", burst=FOREVER) for _ in range(30)]
    near = [scenario.task(b"near", burst=FOREVER) for _ in range(72)]
    bound = scenario.task(b"bound", Facts(cpus=1 << 65 | 1 << 3), burst=FOREVER)
    scenario.start()
    for number, pid in enumerate((*far, *near, bound)):
        scenario.wake(pid, number % 96)
    outcome = checked.run(checked.scheduler(policy), scenario.end(25 * MS))
    assert outcome.violation is None
    for pids, cpus in ((far, range(70, 96)), (near, range(70)), ([bound], (3, 65))):
        had = {cpu for pid, cpu in product(pids, range(96)) if outcome.tasks[pid].ran_ns[cpu]}
        assert had <= set(cpus)
        assert had == set(cpus) or pids == [bound]
        assert (
            all(any(outcome.tasks[pid].ran_ns[cpu] for pid in pids) for cpu in cpus)
            or bound in pids
        )


def test_1024_cpus_are_all_used(tmp_path: Path) -> None:
    fast = Machine(tmp_path, fast=True)
    scenario = Scenario(PLAIN, profile=machine.read("1024x32x4"))
    hogs = [scenario.task(b"hog", burst=FOREVER) for _ in range(1100)]
    scenario.start()
    for number, pid in enumerate(hogs):
        scenario.wake(pid, number % 1024)
    outcome = fast.run(fast.scheduler(PLAIN), scenario.end(40 * MS))
    assert outcome.violation is None
    used = [sum(outcome.tasks[pid].ran_ns[cpu] for pid in hogs) for cpu in range(1024)]
    assert min(used) > 35 * MS


def test_more_cpus_than_the_model_has_are_refused(checked: Machine, scheduler: Path) -> None:
    for cpus in (0, 1025):
        with pytest.raises(ModelError, match="the model has 1 to 1024 CPUs"):
            checked.run(scheduler, Scenario(PLAIN, cpus=cpus).end(0))
