# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The promises about the demo."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import clones
import demo_table
from gthulhu_lab.comparison import Comparison
from gthulhu_lab.paths import build_dir, cache_dir
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm


@pytest.fixture(scope="module")
def printed() -> str:
    return demo_table.print_demo()


@pytest.fixture(scope="module")
def comparison(printed: str) -> Comparison:
    return Comparison.model_validate_json((build_dir() / "demo" / "result.json").read_text())


def test_the_policys_task_gains_and_the_other_does_not_pay(comparison: Comparison) -> None:
    policy, baseline = comparison.policy, comparison.baseline

    assert policy.scheduler == "gthulhu_upf"
    assert policy.wakeup_us("ping", 99) <= baseline.wakeup_us("ping", 99) / 5
    assert policy.wakeup_us("other", 99) <= baseline.wakeup_us("other", 99) * 3


def test_its_figures_are_exact_and_complete(comparison: Comparison) -> None:
    for run in (comparison.policy, comparison.baseline):
        assert run.environment.clock is Clock.ICOUNT
        assert run.environment.cpus == 4
        assert run.scenario.hogs == 16
        assert all(len(samples) >= 1000 for samples in run.wakeup_ns.values())


def test_demo_leaves_its_report(printed: str) -> None:
    assert "<svg" in (build_dir() / "demo" / "report.html").read_text()


@pytest.mark.soak  # CI is another clone, which has to print the README's table, too
def test_another_clone_prints_the_same_table(printed: str, tmp_path: Path) -> None:
    clone = clones.make(tmp_path / "another" / "clone", "another-host")
    subprocess.run(["make", "-s", "-C", clone.folder / "runtime"], check=True)
    there = clone.run(
        "gthulhu", "lab", "demo",
        HOME=str(tmp_path), USER="somebody", LANG="C.UTF-8", GTHULHU_CACHE=str(cache_dir()),
    )  # fmt: skip

    assert demo_table.of(there) == demo_table.of(printed)


def test_the_table_is_the_readmes(printed: str) -> None:
    """`python tests/demo_table.py` puts a new one there."""
    assert demo_table.of(printed) == demo_table.of(demo_table.README.read_text())
