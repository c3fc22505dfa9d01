# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the claims that contradict each other, where no trial holds all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from gthulhu_lab.tuning.goals import Aim
from gthulhu_lab.tuning.search import Tried

_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Conflict:
    """Claims that no trial holds together: one, a pair, or more, and the nearest trial.

    `beyond`: how far it is beyond the bounds of these claims, as a part of them.
    """

    claims: tuple[Aim, ...]
    nearest: Tried | None
    beyond: float


def find(aims: Sequence[Aim], tried: Sequence[Tried]) -> Conflict:
    """Returns the smallest set of claims that no trial holds together.

    It prefers a claim that no trial holds by itself, then the pair whose best trial fails by most.
    """
    for number in (1, 2):
        found = [
            _conflict(claims, tried)
            for claims in combinations(aims, number)
            if not any(_held(claims, each) for each in tried)
        ]
        if found:
            return max(found, key=lambda each: each.beyond)
    return _conflict(tuple(aims), tried)


def described(conflict: Conflict, trials: int) -> str:
    """Returns the conflict in words."""
    texts = [f"`{aim.text}` (line {aim.line})" for aim in conflict.claims]
    near = f"; the nearest is {_PERCENT * conflict.beyond:.0f} % beyond the bound"
    if len(texts) == 1:
        return f"{texts[0]} held in none of {trials} trials{near}"
    if len(texts) == 2:
        return (
            f"{' and '.join(texts)} contradict each other: each held, and both in none of "
            f"{trials} trials{near} of one of them"
        )
    return (
        f"all {len(texts)} claims together held in none of {trials} trials, though each pair did"
        f"{near} of one of them"
    )


def _held(claims: Sequence[Aim], tried: Tried) -> bool:
    return all(tried.beyond.get(aim.name, 1.0) <= 0 for aim in claims)


def _conflict(claims: tuple[Aim, ...], tried: Sequence[Tried]) -> Conflict:
    def worst(each: Tried) -> float:
        return max(each.beyond.get(aim.name, 1.0) for aim in claims)

    nearest = min(tried, key=worst, default=None)
    return Conflict(claims, nearest, 1.0 if nearest is None else worst(nearest))
