# SPDX-License-Identifier: Apache-2.0
"""Random policies over the whole language: each loads, survives a storm, and goes.

`pytest tests/vm/test_random_policies.py --policies 1 --first-seed N` runs number N again; the
policies of a failure are in build/random-policies.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import generator
import survival
from extent import Extent
from scenes import ROOT

pytestmark = pytest.mark.vm

KEPT = ROOT / "build" / "random-policies"
KERNELS = ("6.16", "7.2")  # the oldest and the newest

Built = tuple[range, Path]


@pytest.fixture(scope="module")
def built(
    extent: Extent, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Built:
    """Policies, and the folder with their objects."""
    first = pytestconfig.getoption("--first-seed")
    seeds = range(first, first + extent.policies)
    folder = tmp_path_factory.mktemp("random")
    survival.build(seeds, folder)
    return seeds, folder


@pytest.mark.parametrize("kernel", KERNELS)
def test_each_loads_survives_and_goes(built: Built, kernel: str) -> None:
    seeds, folder = built
    found = survival.violations(seeds, folder, kernel)
    for seed in found:
        KEPT.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / f"{generator.name(seed)}.gpl", KEPT)
    assert not found
