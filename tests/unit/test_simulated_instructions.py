# SPDX-License-Identifier: Apache-2.0
"""The table of instructions in a guest and in a simulation."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from simulated_instructions import SCENES, Scene, program_of, rows, simulated

CALLBACKS = ("enqueue", "dispatch", "running", "stopping")
GUEST = ((485, 608, 319, 53), (540, 928, 504, 158), (754, 999, 558, 128), (522, 930, 669, 184))
"""The instructions of docs/simulation.md, by scene and callback."""
TRIP = 15_512


@pytest.mark.parametrize(
    ("scene", "guest"),
    list(zip(SCENES, GUEST, strict=True)),
    ids=[scene.name for scene in SCENES],
)
def test_callbacks_have_the_instructions_of_a_guest(scene: Scene, guest: Sequence[int]) -> None:
    found = simulated(scene)
    for name, instructions in zip(CALLBACKS, guest, strict=True):
        assert found[program_of(name)] == pytest.approx(instructions, rel=0.1), name


def test_so_has_a_round_trip() -> None:
    assert simulated(SCENES[0])["trip"] == pytest.approx(TRIP, rel=0.1)


def test_a_row_has_the_ratio_of_model_and_guest() -> None:
    found = [*rows(SCENES[0], {"gthulhu_enqueue": 500, "trip": 16_000}, {"gthulhu_enqueue": 200})]
    assert found == [("pipe", "enqueue", "500", "200", "0.40")]
