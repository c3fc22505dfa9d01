# SPDX-License-Identifier: Apache-2.0
"""I1: whatever happens to tasks, none is lost, under every policy that is shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

import mutations
import storms
from gthulhu_lab.request import Clock
from library import POLICIES
from promises import LOST

pytestmark = pytest.mark.vm

KERNELS = ["6.16", "6.18", "7.0", "7.2"]
STALL = r'" disabled \(runnable task stall\)'


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("shipped")
    return {
        name: mutations.build(policy, folder / f"{name}.bpf.o") for name, policy in POLICIES.items()
    }


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_task_is_lost_in_any_weather(kernel: str, objects: dict[str, Path]) -> None:
    guest = storms.run(objects, POLICIES, kernel)

    found = {name: storms.violations(guest, name) for name in objects}
    assert not any(found.values()), found


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_task_is_lost_in_long_stress(kernel: str, objects: dict[str, Path]) -> None:
    weather = ["long-stress"]
    guest = storms.run(objects, POLICIES, kernel, weather=weather, clock=Clock.TCG_TURNS)

    found = {name: storms.violations(guest, name, weather) for name in objects}
    assert not any(found.values()), found


def test_a_lost_task_is_noticed(tmp_path: Path) -> None:
    objects = {"upf": mutations.build(POLICIES["upf"], tmp_path / "upf.bpf.o", LOST)}
    guest = storms.run(objects, POLICIES, "7.2", weather=["storm"], provokes=(STALL,))

    assert storms.violations(guest, "upf", ["storm"])
