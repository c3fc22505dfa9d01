# SPDX-License-Identifier: Apache-2.0
"""`gthulhu simulate --calibrate`: costs that are measured on the machine that runs the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from command import environment
from gthulhu_lab.simulation import calibration, costs, machine
from gthulhu_lab.simulation.calibration import Measured

ONE_CPU = {"own", "memory", "wake", "schedule", "switch_over"}
ACROSS = {"send", "flight", "interrupt", "idle_exit"}
DISTANCES = {"sibling", "llc", "node", "far"}


def simulate(
    folder: Path, *words: str, cpus: Iterable[int] = ()
) -> subprocess.CompletedProcess[str]:
    """Run the command, on some CPUs only if there are any."""
    pinned = ["taskset", "-c", ",".join(map(str, cpus))] if cpus else []
    return subprocess.run(
        [*pinned, sys.executable, "-m", "gthulhuc.cli.gthulhu", "simulate", *words],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip


def measured(json_text: str) -> dict[str, int]:
    """The costs that follow from measurements."""
    found = json.loads(json_text)["measured"]
    return {name: ns for each in found for name, ns in each["costs"].items()}


def test_the_profile_is_of_this_machine(tmp_path: Path) -> None:
    done = simulate(tmp_path, "--calibrate", "here.toml", "--json", "-")
    assert done.returncode == 0, done.stderr
    found = measured(done.stdout)
    assert ONE_CPU <= set(found) <= ONE_CPU | ACROSS | DISTANCES
    if len(os.sched_getaffinity(0)) > 1:
        assert set(found) >= ACROSS
        assert DISTANCES & set(found)
    assert 0 < found["own"] < found["memory"]
    assert all(0 <= ns <= costs.MOST_NS for ns in found.values())
    here, this = machine.read(str(tmp_path / "here.toml")), machine.read("this")
    assert replace(here, costs={}).digest == replace(this, costs={}).digest
    assert here.costs == {**costs.usual(), **found}
    (tmp_path / "p.gpl").write_text("policy p {}\n")
    words = ("p.gpl", "--machine", "./here.toml", "--workload", "hogs", "--seconds", "0.05")
    assert f"(profile {here.digest})" in simulate(tmp_path, *words).stdout


def test_one_cpu_has_no_other_to_measure(tmp_path: Path) -> None:
    cpu = min(os.sched_getaffinity(0))
    done = simulate(tmp_path, "--calibrate", "one.toml", "--json", "-", cpus=[cpu])
    assert done.returncode == 0, done.stderr
    assert set(measured(done.stdout)) == ONE_CPU


def test_lines_are_sent_over_each_distance() -> None:
    place = machine.read("server-128")
    found = calibration.pairs(place, frozenset(range(128)))
    assert set(found) == DISTANCES
    assert {len(some) for some in found.values()} == {8}
    for name, some in found.items():
        for one, other in some:
            same = [
                any({one, other} <= group for group in groups)
                for groups in (place.cores, place.llcs, place.nodes)
            ]
            assert same == [name == "sibling", name in ("sibling", "llc"), name != "far"]


def test_lines_are_sent_to_cpus_that_may_be_used() -> None:
    found = calibration.pairs(machine.read("server-128"), frozenset((1, 2, 40)))
    assert found == {"llc": [(1, 2), (2, 1)], "far": [(1, 40), (2, 40), (40, 2)]}


@pytest.mark.parametrize("name", ["laptop-hybrid", "server-128"])
def test_a_profile_has_the_machine_and_the_costs(tmp_path: Path, name: str) -> None:
    place = replace(machine.read(name), offline=frozenset((1, 2, 4)))
    found = [Measured("a line", 33.4, {"llc": 33}), Measured("a sleep", 50_000, {})]
    path = tmp_path / "my.toml"
    path.write_text(calibration.profile(place, found, 'A "fast" one\\', "2026-01-01"))
    read = machine.read(str(path))
    assert read.digest == replace(place, costs={**costs.usual(), "llc": 33}).digest
    assert read.description.startswith('A "fast" one\\: ')


def test_parts_of_a_time_are_its_whole() -> None:
    parts = calibration.in_proportion(("wake", "schedule", "switch_over"), 2300)
    assert parts == {"wake": 600, "schedule": 500, "switch_over": 1200}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "one of the arguments FILE --calibrate is required"),
        (("p.gpl", "--calibrate", "x.toml"), "not allowed with argument"),
        (("--calibrate", "-"), "standard output takes no profile"),
        (("--calibrate", "none/x.toml"), "its folder does not exist"),
    ],
)
def test_refusals(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = simulate(tmp_path, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert not list(tmp_path.iterdir())
