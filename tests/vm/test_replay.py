# SPDX-License-Identifier: Apache-2.0
"""Replays of guests' records, beside what guests really do; docs/replay.md has the whole table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import replay_scenes
from gthulhu_lab.replay.report import Verdict
from replay_scenes import Case

pytestmark = [pytest.mark.vm, pytest.mark.soak]

OPPOSITE = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
WRONG = {
    ("waker", "batch", "front", "p99"),
    ("rpc", "batch to eevdf", "front", "p99"),
    ("web-events", "plain", "front", "p99"),
    ("web-events", "plain to eevdf", "front", "p99"),
    ("messages", "batch", "middle", "p99"),
    ("kubernetes", "plain", "job", "p50"),
    ("kubernetes", "plain to eevdf", "job", "p50"),
    ("kubernetes", "batch", "job", "p50"),
    ("kubernetes", "batch to eevdf", "job", "p50"),
}
"""Figures whose predicted sign is the opposite of the truth."""


@pytest.fixture(
    scope="module",
    params=[name for name, scene in replay_scenes.SCENES.items() if scene.policies],
)
def cases(request: pytest.FixtureRequest) -> Sequence[Case]:
    scene = replay_scenes.SCENES[request.param]
    return list(replay_scenes.cases(scene.name, replay_scenes.boot(scene).files))


def test_each_scene_has_figures_there_and_back(cases: Sequence[Case]) -> None:
    there = {case.scheduler for case in cases if " to " not in case.scheduler}
    back = {case.scheduler for case in cases if " to " in case.scheduler}
    assert there == {"quick", "plain", "batch"}
    assert back == {f"{name} to eevdf" for name in there}


def test_no_sign_is_the_opposite_but_for_the_misses_of_the_docs(cases: Sequence[Case]) -> None:
    for case in cases:
        predicted, real = case.verdicts
        if (case.scene, case.scheduler, case.rule, case.word) not in WRONG:
            assert OPPOSITE.get(predicted) is not real, case


def test_most_long_waits_are_within_a_factor_of_two(cases: Sequence[Case]) -> None:
    long_ = [case for case in cases if case.word == "p99"]
    near = sum(case.factor <= 2 for case in long_)
    assert near >= 0.5 * len(long_), long_


def test_the_three_policies_are_told_apart(cases: Sequence[Case]) -> None:
    """The measured tasks wait longest where they have low priority."""
    by_policy = {
        case.scheduler: case for case in cases if case.word == "p99" and case.rule == "front"
    }
    if {"quick", "batch"} <= by_policy.keys():
        quick, batch = by_policy["quick"], by_policy["batch"]
        if quick.real < batch.real:
            assert quick.predicted < batch.predicted
