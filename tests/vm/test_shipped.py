# SPDX-License-Identifier: Apache-2.0
"""The policies that are shipped: each loads on each kernel, and its rules have their tasks."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

import library
from gthulhu_lab import catalogue, vm
from gthulhu_lab.experiment import Variation
from gthulhu_lab.measure import policy_subject
from gthulhu_lab.request import Clock
from gthulhu_lab.verify import recording, scene, witness
from gthulhu_lab.verify.scene import Group, Scene
from gthulhuc import checked
from mutations import build
from scenes import ROOT

pytestmark = pytest.mark.vm

# For rules by names, cgroups, labels and habits; by what tasks call.
WORKLOADS = ("waker", "rpc-udp")


KERNELS = ("6.16", "6.18", "7.0", "7.2")


def tasks_of(policy: checked.Policy, rule: str | None, workloads: Sequence[str]) -> Group:
    """Some tasks for a rule, None for `default`."""
    for name in workloads:
        workload = catalogue.find(name)
        try:
            facts = witness.find(policy, rule, name.encode(), workload.calls)
        except witness.NoWitnessError:
            continue
        return Group(workload, rule, facts, amount=250)
    raise AssertionError(f"no workload here is of {rule}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    names = sorted(library.POLICIES)
    pairs = list(itertools.product(names, KERNELS))
    if not metafunc.config.getoption("--soak"):
        # Each on one kernel; not the one that test_storms.py takes it to. The claims that
        # test_verify.py goes through are wrong where a task is not in its rule.
        pairs = [
            (name, KERNELS[(turn + 1) % len(KERNELS)])
            for turn, name in enumerate(names)
            if library.rules_apart(library.policy_of(library.POLICIES[name].read_text()))
        ]
    metafunc.parametrize(("name", "kernel"), pairs)


def test_policy_loads_and_each_rule_has_its_tasks(
    name: str, kernel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The rule of each task is read twice, after a fortieth of that time each.
    monkeypatch.setattr(scene, "TIMED_S", 6)
    path = library.POLICIES[name]
    policy = library.policy_of(path.read_text())
    groups = [tasks_of(policy, rule.name, WORKLOADS) for rule in policy.rules]
    # The first must end by itself; the others are stopped then.
    groups = groups or [tasks_of(policy, None, WORKLOADS)]
    busy = tasks_of(policy, None, ("hogs",))
    whole = Scene(policy, policy.expectations[0], (), (*groups, busy))
    subject = policy_subject(
        name, build(path, tmp_path / "policy.bpf.o"), ROOT / "runtime" / "gthulhu-loader"
    )
    request = scene.request(
        whole,
        subject,
        Variation.number(0),
        is_policy=True,
        kernel=kernel,
        cpus=4,
        clock=Clock.TCG_TURNS,
        window_s=None,
    )
    found = recording.read_reported(whole, name, Variation.number(0), vm.run(request).check())

    assert found.in_force == f"gthulhu_{policy.name}"
