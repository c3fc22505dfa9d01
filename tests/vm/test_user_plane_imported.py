# SPDX-License-Identifier: Apache-2.0
"""Strategies of Gthulhu for a user plane, imported, do in the scene what they are for."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from gthulhu_lab.user_plane import Comparison
from gthulhuc.cli import gthulhu

pytestmark = pytest.mark.vm

STRATEGIES = Path(__file__).parents[1] / "data" / "import" / "gthulhu"
# What the pods have, and what the import says that processes are to be given.
LABELS = {"user-plane": "app=ueransim-macvlan", "user-plane-pids": "imported=pids-1"}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    folder = tmp_path_factory.mktemp("imported")
    policies = []
    for name in LABELS:
        policies.append(str(folder / f"{name}.gpl"))
        source = str(STRATEGIES / f"{name}.json")
        assert gthulhu.main(["import", "gthulhu", source, "-o", policies[-1]]) == 0
    labels = [f"--label={label}" for label in LABELS.values()]
    options = ["--loads=4", "--seeds=1", "--seconds=2", "--peers=none", "--no-cache"]
    figures = folder / "figures.json"
    status = gthulhu.main(["lab", "user-plane", *policies, *labels, *options, f"--json={figures}"])
    assert status == 0
    return Comparison.model_validate_json(figures.read_text())


@pytest.mark.parametrize("name", LABELS)
def test_packets_wait_less(found: Comparison, name: str) -> None:
    (ours,), (theirs,) = found.of(name, 4), found.of("EEVDF", 4)
    assert ours.scheduler == "gthulhu_imported"
    assert ours.lost == 0
    assert statistics.median(ours.pings_us) < statistics.median(theirs.pings_us)
    assert ours.bulk_rate == pytest.approx(500, rel=0.05)
