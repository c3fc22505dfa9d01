# SPDX-License-Identifier: Apache-2.0
"""Decisions on rollouts, without an API: every way of one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from fleet_world import HOLD, World, forty, name, revision
from gthulhu.fleet.following import chosen
from gthulhu.fleet.resources import (
    DryRun,
    InForce,
    Meta,
    NodeFailure,
    Policy,
    PolicySpec,
    Rollout,
    Text,
    digest,
    is_admitted,
)
from gthulhu.fleet.rollout import SILENCE


def test_a_rollout_to_its_end() -> None:
    world = forty()
    first = world.look()
    assert (first.phase, first.nodes.total, first.nodes.released) == ("DryRun", 40, 0)
    assert first.message == "dry run: accepted by 0 of 40"
    world.follow()
    seen = []
    for _ in range(4):
        world.look()
        world.follow()
        seen.append(len(world.running(revision(world))))
        status = world.look()
        assert status.phase == "Step"
        world.wait()
    assert seen == [1, 2, 20, 40]
    status = world.look()
    assert status.phase == "Complete"
    assert status.message == "in force on 40 of 40"
    assert status.candidate is None
    assert status.stable is not None
    assert status.stable.text == world.text.text
    truth = {each.type: each.status for each in status.conditions}
    assert truth == {
        "Checked": "True", "Verified": "Unknown", "DryRunPassed": "True", "Progressing": "False",
        "Ready": "True", "Degraded": "False",
    }  # fmt: skip


def test_a_look_that_changes_nothing_says_the_same() -> None:
    world = forty()
    for _ in range(6):
        world.step()
        before = world.look()
        assert world.look() == before


def test_the_step_is_held_for_its_whole_time_after_the_last_node() -> None:
    world = forty()
    world.look()
    world.follow()
    world.look()
    world.wait()  # the node has not put it in force yet: this time does not count
    assert world.look().nodes.released == 1
    world.follow()
    assert "held until 12:20:00 UTC" in world.look().message
    world.wait(HOLD - timedelta(seconds=1))
    assert world.look().nodes.released == 1
    world.wait(timedelta(seconds=1))
    assert world.look().nodes.released == 2


@pytest.mark.parametrize("steps", range(1, 4))
def test_a_broken_promise_takes_all_back(steps: int) -> None:
    world = forty()
    world.look()
    for _ in range(steps):
        world.step()
    world.follow()
    has = world.running(revision(world))
    assert has
    why = "promise `ran` is broken: p99(wakeup ran) < 300us: 412us"
    failed = NodeFailure(revision=revision(world), reason="PromiseBroken", message=why)
    world.set(has[0], failed=failed, in_force=None, state="Failed", message=why)
    status = world.look()
    assert status.candidate is None
    assert status.failed is not None
    assert status.failed.node == has[0]
    assert status.phase == ("GoingBack" if len(has) > 1 else "Failed")
    world.follow()
    status = world.look()
    assert (status.phase, world.running(revision(world))) == ("Failed", [])
    assert status.message == f"failed on {has[0]}: {why}; all nodes went back"
    for _ in range(3):  # the same text is not tried again
        world.step()
    assert world.status.phase == "Failed"
    world.spec = world.spec.model_copy(update={"attempt": 2})
    assert world.look().phase == "DryRun"


def test_a_broken_promise_that_only_logs_counts() -> None:
    world = forty()
    world.look()
    world.step()
    world.follow()
    (canary,) = world.running(revision(world))
    world.set(canary, promises="Broken", message="promise `a` is broken: share(a) > 5%: 3%")
    assert world.look().phase == "GoingBack"


def test_all_go_back_to_the_revision_before() -> None:
    world = forty()
    world.look()
    for _ in range(6):
        world.step()
    world.follow()
    old = revision(world)
    assert len(world.running(old)) == 40
    world.text = Text("policy b {}")
    world.look()
    for _ in range(3):
        world.step()
    world.follow()
    new = revision(world)
    assert (len(world.running(new)), len(world.running(old))) == (20, 20)
    bad = world.running(new)[3]
    failed = NodeFailure(revision=new, reason="Ejected", message="stalled")
    world.set(bad, failed=failed, in_force=InForce(revision=old))
    world.look()
    world.follow()
    assert len(world.running(old)) == 40
    assert world.look().message == (
        f"failed on {bad}: stalled; all nodes went back; revision {old} stays"
    )


def test_the_last_step_takes_back_too_and_afterwards_each_node_goes_alone() -> None:
    world = forty()
    world.look()
    for _ in range(4):
        world.step()
    world.follow()
    assert len(world.running(revision(world))) == 40
    world.look()
    world.wait()
    assert world.look().phase == "Complete"
    why = "p99(wakeup ran) < 300us: 412us"
    failed = NodeFailure(revision=revision(world), reason="PromiseBroken", message=why)
    world.set("node-9", failed=failed, in_force=None, state="Failed", message=why)
    world.set("node-7", in_force=None, state="Unable", message="kernel 6.12 has no sched_ext")
    status = world.look()
    assert status.phase == "Complete"
    assert status.message == (
        "in force on 38 of 40; node-7 refused: kernel 6.12 has no sched_ext; "
        f"rolled back on node-9: {why}"
    )


def test_a_refused_dry_run_ends_it_before_anything_is_in_force() -> None:
    world = forty()
    world.look()
    world.follow()
    why = "the verifier: R1 is not a pointer"
    failed = NodeFailure(revision=revision(world), reason="DryRunFailed", message=why)
    world.set("node-3", dry_run=DryRun(revision=revision(world), ok=False), failed=failed)
    status = world.look()
    assert (status.phase, status.message) == (
        "Failed",
        f"failed on node-3: {why}; all nodes went back",
    )


def test_nodes_that_cannot_take_part_hold_up_no_one_and_are_no_canaries() -> None:
    world = World()
    world.add("able")
    world.add(*map(name, range(20)), state="Unable", message="kernel 6.1 has no sched_ext")
    world.look()
    world.follow()
    world.look()
    world.follow()
    assert world.running(revision(world)) == ["able"]
    status = world.look()
    assert "and 15 more" in status.message
    assert status.nodes.unable == 20


def test_a_node_that_falls_silent_with_it_holds() -> None:
    world = forty()
    world.look()
    world.step()
    world.step()
    world.follow()
    quiet = world.running(revision(world))[0]
    heard = world.nodes[quiet].renewed
    for _ in range(4):
        world.wait()
        world.set(quiet, renewed=heard)
        status = world.look()
    assert (status.phase, status.nodes.released, status.nodes.silent) == ("Step", 2, 1)
    world.step()
    assert world.status.nodes.released == 20


def test_a_node_that_was_silent_before_holds_up_no_one() -> None:
    world = forty()
    gone = world.now - SILENCE - timedelta(seconds=1)
    silent = [name(number) for number in range(10)]
    world.look()
    for _ in range(6):
        for each in world.nodes:
            if each not in silent:
                world.follow_one(each)
            else:
                world.set(each, renewed=gone)
        world.look()
        world.wait()
        for each in silent:
            world.set(each, renewed=gone)
        world.look()
    assert world.status.phase == "Complete"
    assert world.status.nodes.in_force == 30


def test_late_nodes_wait_for_the_next_step() -> None:
    world = forty()
    world.look()
    world.follow()
    world.look()
    world.add(*(f"late-{number}" for number in range(200)))
    world.follow()
    assert len(world.running(revision(world))) == 1
    status = world.look()
    assert (status.nodes.total, status.nodes.released) == (240, 1)
    world.wait()
    world.look()
    world.follow()
    assert len(world.running(revision(world))) <= 12


def test_late_nodes_before_the_last_place_are_not_let_in_with_the_step() -> None:
    world = forty(spec=PolicySpec(policy="x", rollout=Rollout(steps=(1, 2), hold="10m")))
    world.look()
    world.follow()
    world.look()
    world.follow()
    (canary,) = world.running(revision(world))
    world.add(*(f"late-{number}" for number in range(400)))
    world.step()
    world.follow()
    has = world.running(revision(world))
    assert canary in has
    assert len(has) == 2


def test_a_step_waits_for_each_of_its_nodes() -> None:
    world = forty()
    world.look()
    world.step()
    world.step()
    candidate = world.status.candidate
    assert candidate is not None
    may = [each for each in world.nodes if is_admitted(candidate, each, world.nodes[each].joined)]
    late = next(each for each in may if each not in world.running(revision(world)))
    for _ in range(3):
        world.follow(late)
        world.wait()
        assert world.look().nodes.released == len(may)
    world.step()
    assert world.status.nodes.released > len(may)


def test_canaries_by_name_come_first() -> None:
    rollout = Rollout(canary_nodes=("node-5", "node-6"), steps=(2,), hold="1m")
    world = forty(spec=PolicySpec(policy="x", rollout=rollout))
    world.look()
    world.follow()
    world.look()
    world.follow()
    assert sorted(world.running(revision(world))) == ["node-5", "node-6"]
    # A change of the list in the middle does not change who may have it.
    other = rollout.model_copy(update={"canary_nodes": tuple(map(name, range(30)))})
    world.spec = world.spec.model_copy(update={"rollout": other})
    world.look()
    world.follow()
    assert sorted(world.running(revision(world))) == ["node-5", "node-6"]


def test_fewer_steps_in_the_middle_still_hold_the_last_one() -> None:
    world = forty()
    world.look()
    for _ in range(3):
        world.step()
    assert world.status.nodes.released == 20
    fewer = world.spec.rollout.model_copy(update={"steps": (1,)})
    world.spec = world.spec.model_copy(update={"rollout": fewer})
    world.step()
    assert (world.status.phase, world.status.nodes.released) == ("Step", 40)
    world.step()
    assert world.status.phase == "Complete"


def test_what_stops_a_text_before_it_begins() -> None:
    world = forty()
    for _ in range(7):
        world.look()
        world.step()
    stable = world.status.stable
    assert stable is not None
    world.text = Text(None, "shop.gpl:1: expected a policy", is_wrong=True)
    status = world.look()
    assert (status.phase, status.stable) == ("Rejected", stable)
    assert status.message == (
        f"the policy has errors: shop.gpl:1: expected a policy; revision {stable.revision} stays"
    )
    world.text = Text("policy c {}")
    world.spec = world.spec.model_copy(update={"verified": "0" * 64})
    assert world.look().phase == "Unverified"
    world.spec = world.spec.model_copy(update={"verified": digest("policy c {}")})
    assert world.look().phase == "DryRun"
    assert {each.type: each.status for each in world.status.conditions}["Verified"] == "True"
    world.text = Text(None, "ConfigMap a/b does not exist")
    for _ in range(3):
        status = world.step()
    assert (status.phase, status.nodes.released) == ("DryRun", 0)
    assert "ConfigMap a/b does not exist" in status.message


def test_pausing_holds_and_still_goes_back() -> None:
    world = forty()
    world.look()
    world.step()
    world.spec = world.spec.model_copy(update={"paused": True})
    for _ in range(3):
        world.step()
    assert world.status.nodes.released == 1
    assert world.status.message.startswith("paused; step 1 of 4, 1 released: in force on 1 of 40")
    (canary,) = world.running(revision(world))
    world.set(canary, failed=NodeFailure(revision=revision(world), message="x"), in_force=None)
    assert world.look().phase == "Failed"


def test_promises_that_must_be_kept() -> None:
    rollout = Rollout(steps=(1,), hold="10m", promises="Kept")
    world = forty(spec=PolicySpec(policy="x", rollout=rollout))
    world.look()
    for _ in range(4):
        world.step()
    assert world.status.nodes.released == 1
    (canary,) = world.running(revision(world))
    world.set(canary, promises="Kept")
    assert world.look().nodes.released == 40


@pytest.mark.parametrize(
    ("hold", "seconds"), [("90s", 90), ("10m", 600), ("1h30m", 5400), ("1h2m3s", 3723)]
)
def test_hold(hold: str, seconds: int) -> None:
    assert Rollout(hold=hold).held == timedelta(seconds=seconds)


def test_of_several_policies_one_counts() -> None:
    def made(name: str, priority: int, **selector: str) -> Policy:
        spec = PolicySpec(policy="x", priority=priority, node_selector=selector)
        return Policy(metadata=Meta(name=name), spec=spec)

    policies = [made("b", 0), made("a", 0), made("gpu", 5, gpu="yes"), made("z", 5, gpu="yes")]
    assert chosen(policies, {}) == policies[1]
    assert chosen(policies, {"gpu": "yes", "x": "y"}) == policies[2]
    assert chosen(policies[2:], {"gpu": "no"}) is None
