# SPDX-License-Identifier: Apache-2.0
"""Shares of the whole machine in guests: fair under a policy, and no trick gains anything."""

from __future__ import annotations

import pytest

import fair_scenes
from extent import Extent
from fair_scenes import MANY, SCENES, TRICKS, Scenes, Share

pytestmark = pytest.mark.vm

MOST_APART = 0.1
# Those of `make test`, one for each kind of defect.
GATE = (
    "two of a rule with half of the CPUs, beside 8",
    "one pinned to CPU 0, beside 40",
    "8 low ones pinned to CPU 0, beside 40 high ones",
    "3 free ones, beside 4 on two CPUs and 26 on the others",
    "forks", "threads", "hop", "rename", "cgroups", "many",
)  # fmt: skip
ALL: Scenes = {**SCENES, **TRICKS, **MANY}

Measured = dict[str, list[Share]]


@pytest.fixture(scope="module", params=fair_scenes.KERNELS)
def measured(request: pytest.FixtureRequest, extent: Extent) -> Measured:
    """One guest per kernel goes through the scenes."""
    scenes = ALL if extent.is_soak else {name: ALL[name] for name in GATE}
    return fair_scenes.measure(fair_scenes.policy_subject(), scenes, request.param)


def names(scenes: Scenes) -> list[object]:
    return [pytest.param(name, marks=() if name in GATE else pytest.mark.soak) for name in scenes]


@pytest.mark.parametrize("name", names(SCENES))
def test_shares_are_fair(measured: Measured, name: str) -> None:
    had = {share.crowd: share.had for share in measured[name]}
    assert had == pytest.approx(
        {share.crowd: share.fair for share in measured[name]}, rel=MOST_APART
    )


@pytest.mark.parametrize("name", names(TRICKS))
def test_a_trick_gains_nothing(measured: Measured, name: str) -> None:
    trick, others = measured[name]
    assert trick.ratio <= 1 + MOST_APART
    assert others.ratio >= 1 - MOST_APART


def test_a_thousand_threads_leave_the_others_their_shares(measured: Measured) -> None:
    """Each counts as a task. Most of them begin while the others are already at work."""
    _, others = measured["many"]
    assert others.had >= 0.5 * fair_scenes.CPUS / (1000 + others.crowd.number)
