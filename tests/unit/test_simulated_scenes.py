# SPDX-License-Identifier: Apache-2.0
"""The table of scenes in guests and in simulations: what counts as a miss."""

from __future__ import annotations

from gthulhu_lab.simulation import costs
from simulated_scenes import SCENES, SCHEDULERS, Row, guest_costs, rows, simulated, summary

SCENE = SCENES["waker"]


def table(guests: dict[str, float], model: dict[str, float], claim: str = "p99(wakeup x)") -> str:
    (row,) = rows(
        SCENE,
        {(claim, name): value for name, value in guests.items()},
        {(claim, name): value for name, value in model.items()},
    )
    return str(row.cells(SCHEDULERS)[-1])


def test_short_waits_may_be_twice_as_long_and_long_ones_by_a_third() -> None:
    guests = {"ruled": 10.0, "plain": 100.0, "eevdf": 1000.0}
    assert table(guests, {"ruled": 5.1, "plain": 190.0, "eevdf": 1290.0}) == "-"
    assert table(guests, {"ruled": 4.9, "plain": 210.0, "eevdf": 1310.0}) == "ruled; plain; eevdf"


def test_schedulers_that_change_their_order_are_a_miss() -> None:
    guests = {"ruled": 10.0, "plain": 14.0, "eevdf": 15.0}
    model = {"ruled": 13.0, "plain": 12.0, "eevdf": 11.0}
    # The last two are as good as equal in the guest.
    assert table(guests, model) == "order of ruled, plain; order of ruled, eevdf"


def test_shares_have_no_order_and_may_differ_by_a_twentieth() -> None:
    guests = {"ruled": 900.0, "plain": 500.0, "eevdf": 500.0}
    assert table(guests, {"ruled": 870.0, "plain": 520.0, "eevdf": 480.0}, "share(x)") == "-"
    assert table(guests, {"ruled": 840.0, "plain": 500.0, "eevdf": 500.0}, "share(x)") == "ruled"


def test_summary_counts_what_agrees() -> None:
    found = [
        Row(SCENE, "p50(wakeup x)", {"ruled": (10, 11), "plain": (20, 50), "eevdf": (600, 610)}),
        Row(SCENE, "share(x)", {"ruled": (900, 890)}),
    ]
    (one,) = summary(found, SCHEDULERS)
    assert "one CPU: 1 of 1 long times, 1 of 1 shares, 1 of 2 short times agree; 0 pairs" in one


def test_a_scene_is_simulated_with_instructions_for_costs() -> None:
    found = guest_costs()
    assert (found["llc"], found["callback"]) == (0, 200)
    assert found.keys() == costs.usual().keys()
    figures = simulated(SCENE, 1)
    assert {name for _, name in figures} == set(SCHEDULERS)
    assert 1 < figures["p50(wakeup quick)", "ruled"] < 20
    assert figures["share(default)", "plain"] > 950
