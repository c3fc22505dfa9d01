# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Suggested policies, run in guests; docs/know-before.md has the table of all scenes."""

from __future__ import annotations

import pytest

import replay_scenes
import suggest_guests
from suggest_guests import WANTED, Scene

pytestmark = [pytest.mark.vm, pytest.mark.soak]


@pytest.fixture(scope="module", params=["waker", "rpc", "gtp-ping"])
def scene(request: pytest.FixtureRequest) -> Scene:
    name = request.param
    record = replay_scenes.boot(replay_scenes.SCENES[name], {}).files["eevdf.gtr"]
    return suggest_guests.confirmed(name, record)


def test_the_named_tasks_wait_a_third_at_most(scene: Scene) -> None:
    assert set(scene.gains) == {"front"}
    assert min(scene.gains.values()) >= WANTED


def test_nothing_else_is_slowed(scene: Scene) -> None:
    assert scene.losses == []
