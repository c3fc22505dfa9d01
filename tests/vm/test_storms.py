# SPDX-License-Identifier: Apache-2.0
"""I1: whatever happens to tasks, none is lost, under every policy that is shipped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mutations
import storms
from extent import Extent
from library import POLICIES
from promises import LOST

pytestmark = pytest.mark.vm

KERNELS = ("6.16", "6.18", "7.0", "7.2")
KERNELS_OF_GATE = ("6.16", "7.2")  # as in tests/conftest.py
STALL = r'" disabled \(runnable task stall\)'


def written_patient(policy: Path, folder: Path) -> Path:
    """A copy whose watchdog allows for a host with other work to do: the clock is the wall's."""
    copy = folder / policy.name
    copy.write_text(re.sub(r"\bwatchdog (5|10)s", "watchdog 20s", policy.read_text()))
    return copy


@pytest.mark.soak
@pytest.mark.parametrize("kernel", KERNELS)
def test_no_task_is_lost_under_any_load(kernel: str, extent: Extent, tmp_path: Path) -> None:
    names = sorted(POLICIES)
    if not extent.is_soak:
        # Each policy on one kernel.
        names = names[KERNELS_OF_GATE.index(kernel) :: len(KERNELS_OF_GATE)]
    patient = {name: written_patient(POLICIES[name], tmp_path) for name in names}
    objects = {
        name: mutations.build(policy, tmp_path / f"{name}.bpf.o")
        for name, policy in patient.items()
    }
    # stress-ng, which takes longest: on each kernel once.
    short = [part for part in storms.WEATHER if part != "stress"]
    is_long = {name: extent.is_soak or name == names[0] for name in names}
    weather = {name: [*storms.WEATHER] if is_long[name] else short for name in names}
    share = 1 if extent.is_soak else 0.5
    guest = storms.run(objects, POLICIES, kernel, weather=weather, share=share)

    found = {name: storms.violations(guest, name, weather[name]) for name in objects}
    assert not any(found.values()), found


def test_a_lost_task_is_noticed(tmp_path: Path) -> None:
    objects = {"upf": mutations.build(POLICIES["upf"], tmp_path / "upf.bpf.o", LOST)}
    guest = storms.run(objects, POLICIES, "7.2", weather={"upf": ["storm"]}, provokes=(STALL,))

    assert storms.violations(guest, "upf", ["storm"])
