# SPDX-License-Identifier: Apache-2.0
"""The cost of putting the shipped policy in force: time and memory."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gthulhu_lab import measure, vm

pytestmark = pytest.mark.vm

ROOT = Path(__file__).parents[2]
# Only the start counts here; a guest has to have done something all the same.
SCENARIO = measure.Scenario(
    cpus=4, samples=0, hogs=0, pipe_warmup=10, pipe_batches=1, pipe_trips=10
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> measure.ScenarioRun:
    policy = tmp_path_factory.mktemp("objects") / "upf.bpf.o"
    subprocess.run(["gthulhuc", ROOT / "policies" / "upf.gpl", "-o", policy], check=True)
    subject = measure.policy_subject("upf", policy, ROOT / "runtime" / "gthulhu-loader")
    experiment = measure.ScenarioExperiment(subject, SCENARIO)
    return experiment.read(vm.run(experiment.request()).check())


def test_in_force_almost_as_fast_as_the_simplest_scheduler(run: measure.ScenarioRun) -> None:
    # From exec; scx_simple takes 0.70 s of the same clock, scx_layered 13.5 s. No cgroup has the
    # cpu controller here, but the kernel looks at the code for these all the same. 1.478 s, and
    # 1.465 to 1.478 with six seeds.
    assert run.enable_ns is not None
    assert run.enable_ns <= 1.49e9


def test_small_in_the_kernel(run: measure.ScenarioRun) -> None:
    assert run.size is not None
    assert run.size.map_bytes <= 200_000
