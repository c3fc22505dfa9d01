# SPDX-License-Identifier: Apache-2.0
"""Rollouts on fleets, with a small API. `test_fleet_machinery` has the same with the real one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

import fleet_stories
from fleet_scenes import Fleet, hurry, make_nodes
from gthulhu import kubernetes as watching
from gthulhu.fleet.resources import Text
from gthulhu.fleet.texts import Texts
from small_api import SmallApi, serving

Scene = Callable[[Fleet], Awaitable[None]]


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallApi]:
    hurry(monkeypatch)

    async def checked(_self: Texts, _name: str, text: str) -> Text:
        return Text(text)

    # These texts are right; other tests check some in earnest.
    monkeypatch.setattr(Texts, "_checked", checked)
    with serving(tmp_path) as made:
        yield made


def play(api: SmallApi, count: int, scene: Scene) -> Fleet:
    """Plays a scene with some nodes and a controller."""
    fleets = []

    async def main() -> None:
        fleet = Fleet(api.kubeconfig, api.folder)
        fleets.append(fleet)
        try:
            for number in range(count):
                fleet.start_node(fleet.name(number))
            fleet.start_controller()
            await scene(fleet)
        finally:
            await fleet.close()

    make_nodes(api, count)
    asyncio.run(main())
    return fleets[0]


def test_a_canary_breaks_its_promise(api: SmallApi) -> None:
    play(api, 40, fleet_stories.a_canary_breaks_its_promise)


def test_the_first_policy_fails_at_half(api: SmallApi) -> None:
    play(api, 8, fleet_stories.the_first_policy_fails_at_half)


def test_one_kernel_refuses(api: SmallApi) -> None:
    play(api, 4, fleet_stories.one_kernel_refuses)


def test_the_api_is_away(api: SmallApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_MAX_DELAY_S", 0.5)
    play(api, 4, lambda fleet: fleet_stories.the_api_is_away(fleet, api))


@pytest.mark.soak
def test_the_api_goes_away_in_the_middle(api: SmallApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_MAX_DELAY_S", 0.5)
    play(api, 6, lambda fleet: fleet_stories.the_api_goes_away_in_the_middle(fleet, api))


@pytest.mark.soak
def test_everyone_writes(api: SmallApi) -> None:
    play(api, 6, fleet_stories.everyone_writes)


def test_processes_end_at_random(api: SmallApi) -> None:
    play(api, 5, lambda fleet: fleet_stories.processes_end_at_random(fleet, 1, 3))
