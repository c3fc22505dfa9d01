# SPDX-License-Identifier: Apache-2.0
"""Replays of guests' records, beside what guests really do; docs/replay.md has the whole table.

A guest's figure is one draw: another image gives others. So these are bounds for how many
predictions are right, and not a list of those that are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

import replay_scenes
from gthulhu_lab.replay.report import Verdict
from replay_scenes import Case

pytestmark = [pytest.mark.vm, pytest.mark.soak]

Cases = Mapping[str, Sequence[Case]]


@pytest.fixture(scope="module")
def cases() -> Cases:
    """The cases of each scene."""
    return {
        scene.name: list(replay_scenes.cases(scene.name, replay_scenes.boot(scene).files))
        for scene in replay_scenes.SCENES.values()
        if scene.policies
    }


def all_of(cases: Cases, word: str = "") -> Sequence[Case]:
    """Those with one figure, such as "p99", of all scenes; or all."""
    return [case for found in cases.values() for case in found if case.word.startswith(word)]


def test_each_scene_has_figures_there_and_back(cases: Cases) -> None:
    for scene, found in cases.items():
        there = {case.scheduler for case in found if not case.is_back}
        back = {case.scheduler for case in found if case.is_back}
        assert there == {"quick", "plain", "batch"}, scene
        assert back == {f"{name} to eevdf" for name in there}, scene


@pytest.mark.parametrize(("word", "least"), [("p99", 0.9), ("", 0.75)])
def test_most_signs_are_right(cases: Cases, word: str, least: float) -> None:
    found = all_of(cases, word)
    wrong = [case for case in found if not case.is_sign_right]
    assert len(wrong) <= (1 - least) * len(found), wrong


def test_few_signs_are_the_opposite(cases: Cases) -> None:
    found = all_of(cases)
    opposite = [case for case in found if set(case.verdicts) == {Verdict.BETTER, Verdict.WORSE}]
    assert len(opposite) <= 0.06 * len(found), opposite


def test_most_long_waits_are_within_a_factor_of_two(cases: Cases) -> None:
    found = all_of(cases, "p99")
    far = [case for case in found if case.factor > 2]
    assert len(far) <= 0.15 * len(found), far


def test_the_three_policies_are_told_apart(cases: Cases) -> None:
    """The measured tasks wait longest where they have low priority."""
    for scene, found in cases.items():
        by_policy = {
            case.scheduler: case for case in found if case.word == "p99" and case.rule == "front"
        }
        if {"quick", "batch"} <= by_policy.keys():
            quick, batch = by_policy["quick"], by_policy["batch"]
            if quick.real < batch.real:
                assert quick.predicted < batch.predicted, scene
