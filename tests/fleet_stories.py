# SPDX-License-Identifier: Apache-2.0
"""Stories of fleets: played with a small API in `make test`, with the real one in soak."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import Any, Protocol

from fleet_scenes import BAD, BETTER, BROKEN, GOOD, UNLOADABLE, Fleet
from gthulhu.fleet.resources import NODES, POLICIES

_QUICK: dict[str, Any] = {"rollout": {"hold": "0s"}}


class Trouble(Protocol):
    """The troubles of an API server."""

    def stop(self) -> None: ...
    def start(self) -> None: ...


async def rolled_out(fleet: Fleet, text: str, **spec: Any) -> None:
    """Waits until a text is in force on all nodes."""
    await fleet.apply(text, **{**_QUICK, **spec})
    await fleet.until(partial(_all_run, fleet, text))
    await fleet.until_phase("Complete")


async def most_at_a_time(fleet: Fleet, text: str, *phases: str) -> tuple[int, dict[str, Any]]:
    """The most nodes that have had a text, until the rollout is in one of the phases."""
    most, status = 0, await fleet.status()
    while status.get("phase") not in phases or status["observedGeneration"] < await _asked(fleet):
        status = await fleet.status()
        most = max(most, len(fleet.running(text)))
        await asyncio.sleep(0.02)
    return most, status


def _all_run(fleet: Fleet, text: str) -> bool:
    return len(fleet.running(text)) == len(fleet.loaders)


async def _asked(fleet: Fleet) -> int:
    found = await fleet.api.get(f"{POLICIES}/shop")
    return int(found["metadata"]["generation"])


async def all_there(fleet: Fleet) -> None:
    """Waits until each node has joined a policy, so that steps are parts of all of them."""
    while True:
        found, _ = await fleet.api.everything(NODES, {})
        joined = [each for each in found if (each.get("status") or {}).get("joined")]
        if len(joined) == len(fleet.loaders):
            return
        await asyncio.sleep(0.1)


async def a_canary_breaks_its_promise(fleet: Fleet) -> None:
    """All nodes go back to the text before, of which only one has left it."""
    await rolled_out(fleet, GOOD)
    count = len(fleet.loaders)
    await fleet.apply(BAD, rollout={"hold": "2s"})
    most, status = await most_at_a_time(fleet, BAD, "Failed")
    assert most == 1
    assert len(fleet.running(GOOD)) == count
    assert BROKEN in status["message"]
    assert status["message"].endswith("stays")
    await rolled_out(fleet, BETTER)
    swaps = sum(loader.heard.count("swap") for loader in fleet.loaders.values())
    assert swaps == count + 1 + count


async def the_first_policy_fails_at_half(fleet: Fleet) -> None:
    """Without a text before, nodes go back to what they had of their own."""
    some = min(fleet.loaders)
    await fleet.apply("policy wait {}", paused=True, **_QUICK)
    await all_there(fleet)
    for loader in fleet.loaders.values():
        loader.patience_s = 1e9
    fleet.loaders[some].patience_s = 0.1
    steps = {"hold": "2s", "steps": ["50%"], "canaryNodes": [some]}
    await fleet.apply(BAD, paused=False, rollout=steps)
    _, status = await most_at_a_time(fleet, BAD, "Failed")
    await fleet.until(lambda: not fleet.running(BAD))
    assert status["failed"]["node"] == some
    assert "stable" not in status
    assert all(loader.heard.count("rollback") <= 1 for loader in fleet.loaders.values())
    assert (
        sum(loader.heard.count("swap") for loader in fleet.loaders.values())
        == len(fleet.loaders) // 2
    )


async def one_kernel_refuses(fleet: Fleet) -> None:
    """A dry run that fails ends it before anything is in force."""
    await rolled_out(fleet, GOOD)
    await fleet.apply(UNLOADABLE, **_QUICK)
    most, status = await most_at_a_time(fleet, UNLOADABLE, "Failed")
    assert most == 0
    assert "R1 is not a pointer" in status["message"]
    assert len(fleet.running(GOOD)) == len(fleet.loaders)


async def the_api_is_away(fleet: Fleet, trouble: Trouble) -> None:
    """Nodes keep their policy, also those that start meanwhile, and go on afterwards."""
    await rolled_out(fleet, GOOD)
    await asyncio.to_thread(trouble.stop)
    restarted = min(fleet.loaders)
    await fleet.end(restarted)
    fleet.start_node(restarted, labels=fleet.labels.get(restarted))
    await asyncio.sleep(1)
    assert len(fleet.running(GOOD)) == len(fleet.loaders)
    await asyncio.to_thread(trouble.start)
    await rolled_out(fleet, BETTER)
    assert all(
        loader.heard == ["dry-run", "swap", "dry-run", "swap"] for loader in fleet.loaders.values()
    )


async def the_api_goes_away_in_the_middle(fleet: Fleet, trouble: Trouble) -> None:
    """A rollout goes on where it was, and no node gets anything twice."""
    await rolled_out(fleet, GOOD)
    await fleet.apply(BETTER, rollout={"hold": "1s"})
    await fleet.until(lambda: bool(fleet.running(BETTER)))
    await asyncio.to_thread(trouble.stop)
    was = len(fleet.running(BETTER))
    await asyncio.sleep(1.5)
    assert len(fleet.running(BETTER)) == was
    await asyncio.to_thread(trouble.start)
    await fleet.until(lambda: len(fleet.running(BETTER)) == len(fleet.loaders))
    assert all(loader.heard.count("swap") == 2 for loader in fleet.loaders.values())


async def everyone_writes(fleet: Fleet) -> None:
    """Two controllers that both lead, and a third writer, do no harm."""
    other = fleet.start_controller("other")
    for each in fleet.controllers:
        each.lease._held_until_s = float("inf")
    assert other.lease.is_held

    async def scribble() -> None:
        for number in range(10_000):
            note = {"metadata": {"annotations": {"note": str(number)}}}
            await fleet.api.patch(f"{POLICIES}/shop", note)
            await asyncio.sleep(0.05)

    await fleet.apply(GOOD, rollout={"hold": "1s"})
    writer = asyncio.create_task(scribble())
    try:
        await fleet.until_phase("Complete")
    finally:
        writer.cancel()
    await fleet.until(lambda: len(fleet.running(GOOD)) == len(fleet.loaders))
    assert all(loader.heard == ["dry-run", "swap"] for loader in fleet.loaders.values())
    for each in fleet.controllers:
        each.lease._held_until_s = 0.0


async def processes_end_at_random(fleet: Fleet, seed: int, rounds: int) -> None:
    """Nodes and the controller end in the middle of rollouts, good and bad ones by turns."""
    draw = random.Random(seed)
    await rolled_out(fleet, GOOD)
    before, texts = GOOD, [GOOD]
    for number in range(rounds):
        is_bad = number % 3 == 2
        text = BAD if is_bad else f"policy shop {{\n  # {number}\n}}\n"
        await fleet.apply(text, attempt=number + 1, rollout={"hold": "1s", "steps": [1]})
        asked = await _asked(fleet)
        status: dict[str, Any] = {}
        while status.get("phase") not in {"Complete", "Failed"} or (
            status["observedGeneration"] < asked
        ):
            name = draw.choice([*fleet.loaders, "controller", "controller"])
            await asyncio.sleep(draw.uniform(0, 0.3))
            await fleet.end(name)
            if name == "controller":
                fleet.start_controller()
            else:
                fleet.start_node(name, labels=fleet.labels.get(name))
            status = await fleet.status()
            assert len(fleet.running(BAD)) <= 1
            # No half of anything: each node has the new text, or the one before.
            both = len(fleet.running(text)) + len(fleet.running(before))
            assert both == len(fleet.loaders), (text, before)
        assert status["phase"] == ("Failed" if is_bad else "Complete")
        before = before if is_bad else text
        await fleet.until(partial(_all_run, fleet, before))
        texts += [text]
    bad = texts.count(BAD)
    swaps = sum(loader.heard.count("swap") for loader in fleet.loaders.values())
    heard = {name: loader.heard.count("swap") for name, loader in fleet.loaders.items()}
    assert swaps == (len(texts) - bad) * len(fleet.loaders) + bad, (heard, len(texts), bad)
