# SPDX-License-Identifier: Apache-2.0
"""Invariants of rollouts, in random ones."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from fleet_world import World, name, revision
from gthulhu.fleet.resources import (
    Candidate,
    NodeFailure,
    PolicySpec,
    Rollout,
    Text,
    is_admitted,
)
from gthulhu.fleet.rollout import SILENCE

_STEPS = st.lists(
    st.one_of(st.integers(1, 9), st.sampled_from(["5%", "10%", "50%", "99%"])), max_size=4
)
_EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["follow", "late", "silent", "break", "unable", "able", "wait", "look",
                         "look", "wait", "follow", "follow", "text", "leave"]),
        st.integers(0, 9),
    ),
    max_size=60,
)  # fmt: skip


def allowed(world: World, candidate: Candidate) -> int:
    """The specification's own words: the largest of the steps so far."""
    total = len(world.nodes)
    so_far = [*world.spec.rollout.steps, "100%"][: candidate.step + 1]
    sizes = [1]
    sizes += [each if isinstance(each, int) else total * int(each[:-1]) // 100 for each in so_far]
    return min(max(sizes), total) if candidate.step >= 0 else 0


def happen(world: World, what: str, number: int) -> None:
    """Lets one of the random events happen."""
    node = name(number)
    if what == "follow":
        world.follow_one(node)
    elif what == "late":
        world.add(f"late-{number}")
    elif what == "silent":
        world.set(node, renewed=world.now - 2 * SILENCE)
    elif what == "break" and node in world.running(revision(world)):
        failed = NodeFailure(revision=revision(world), message="broken")
        world.set(node, failed=failed, in_force=None, state="Failed")
    elif what in {"unable", "able"}:
        world.set(node, state="Unable" if what == "unable" else "Waiting", in_force=None)
    elif what == "text":
        world.text = Text(f"policy t{number} {{}}")
    elif what == "leave":  # and come back
        world.set(node, joined=str(world.version + 1), in_force=None)
    elif what == "wait":
        world.wait()


def judge(world: World, before: Candidate | None) -> None:
    """Checks what may have become of a candidate."""
    after = world.status.candidate
    if after is None:
        return
    nodes = world.nodes.items()
    if before is not None and (before.revision, before.step) != (after.revision, after.step):
        broken = [
            each
            for _, each in nodes
            if each.failed is not None and each.failed.revision == after.revision
        ]
        assert not broken, "it went forward with a broken promise"
    # A released node stays released, even if the fleet has become smaller since.
    was = 0
    if before is not None and before.revision == after.revision:
        was = sum(is_admitted(before, each, status.joined) for each, status in nodes)
    may = sum(is_admitted(after, each, status.joined) for each, status in nodes)
    assert may <= max(allowed(world, after), was)


@settings(deadline=None, max_examples=150)
@given(_STEPS, _EVENTS)
def test_random_rollouts(steps: list[int | str], events: list[tuple[str, int]]) -> None:
    rollout = Rollout(steps=tuple(steps), hold="10m")
    world = World(spec=PolicySpec(policy="x", rollout=rollout))
    world.add(*map(name, range(10)))
    for what, number in events:
        before = world.status.candidate
        if what == "look":
            first = json.dumps(world.look(restart=False).as_json())
            # The next controller comes to the same: nothing but the status is kept.
            assert json.dumps(world.look(restart=True).as_json()) == first
        else:
            happen(world, what, number)
        judge(world, before)
