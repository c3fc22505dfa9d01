# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Judges the best candidates: which of their changes count, and what fresh seeds say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from gthulhu_lab.simulation import report
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.tuning import goals
from gthulhu_lab.tuning.evaluation import Seeds
from gthulhu_lab.tuning.goals import REST, SWITCHES, ClaimFigure, Outcome
from gthulhu_lab.tuning.knobs import Candidate
from gthulhu_lab.tuning.scenes import FIRST_FRESH
from gthulhu_lab.tuning.search import Search
from gthulhu_lab.verify.table import shown
from gthulhuc import frontend
from gthulhuc.source import Source

MOST = 5
"""Candidates that are judged on fresh seeds."""
SHIPPED = 3
"""The best of them, which guests confirm."""
WORTH = 0.98
"""A change has to make the mean of the objectives smaller than this part of what it was."""
_SAME = 1.005  # a change whose end makes the mean no larger than this is left out
_LEAST_FRESH = 10
_NOTABLE = 0.02
_MOST_STEPS = 4  # of a knob from the value that the search has found


class Verdict(StrEnum):
    """The result of fresh seeds."""

    BETTER = "better"
    NO_BETTER = "no better"
    OVERFIT = "overfit"


@dataclass(frozen=True, slots=True)
class Change:
    """A knob with another value, and what would be without that."""

    name: str
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class Final:
    """A candidate as a policy. `trained` and `fresh`: the mean of its objectives by seeds.

    1 is that of the present policy.
    """

    candidate: Candidate
    source: Source
    changes: tuple[Change, ...]
    seen: Outcome
    found: Outcome
    trained: float
    fresh: float
    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """All finals, the best first. `now`: the present policy on the fresh seeds."""

    seeds: Seeds
    now: Outcome
    finals: tuple[Final, ...]

    @property
    def best(self) -> Final | None:
        """The final to ship, if one is better."""
        return next((each for each in self.finals if each.verdict is Verdict.BETTER), None)


def judge(search: Search, prefer: str, tell: Callable[[str], None]) -> Judgement:
    """Returns the best candidates of a search, judged on seeds that it has not seen.

    `tell`: takes what begins.
    """
    tell("simulating the present policy with fresh seeds")
    evaluator, seeds = search.evaluator, fresh_seeds(search.plan.seeds)
    now = evaluator.of_policy(evaluator.setting.policy, seeds)
    ranked = sorted(search.front(), key=lambda each: score(search, each.values, prefer))
    pruned: dict[Candidate, None] = {}
    for number, each in enumerate(ranked[:MOST], 1):
        tell(f"improving candidate {number} of {min(len(ranked), MOST)}")
        pruned[_pruned(search, _polished(search, each.candidate, prefer), prefer)] = None
    pruned.pop(evaluator.space.now, None)
    tell("judging the best with fresh seeds")
    found = [_final(search, each, now, seeds, prefer) for each in pruned]
    order = list(Verdict)
    finals = sorted(
        (each for each in found if each is not None),
        key=lambda each: (order.index(each.verdict), each.fresh),
    )
    return Judgement(seeds, now, tuple(finals))


def fresh_seeds(seeds: Seeds) -> Seeds:
    """Returns seeds that a search never has: twice as many, and ten at least."""
    return tuple(range(FIRST_FRESH, FIRST_FRESH + max(2 * len(seeds), _LEAST_FRESH)))


def score(search: Search, values: Sequence[float], prefer: str) -> float:
    """Returns the mean of a candidate's objectives."""
    return goals.score(values, search.names, prefer)


def _scored(search: Search, found: Outcome, prefer: str) -> float:
    return score(search, goals.values(found, search.now, search.names), prefer)


def _polished(search: Search, candidate: Candidate, prefer: str) -> Candidate:
    """The candidate, or a better one some steps of its changed knobs away."""
    evaluator, seeds = search.evaluator, search.plan.seeds
    best = evaluator.space.settled(candidate)
    least = _scored(search, evaluator.outcome(best, seeds), prefer)
    for _ in range(_MOST_STEPS):
        before = best
        for near in _neighbours(search, best):
            found = evaluator.outcome(near, seeds)
            if found.holds and (value := _scored(search, found, prefer)) < least:
                best, least = near, value
        if best == before:
            break
    return best


def _neighbours(search: Search, candidate: Candidate) -> Iterator[Candidate]:
    space = search.evaluator.space
    for number, knob in enumerate(space.knobs):
        for index in (candidate[number] - 1, candidate[number] + 1):
            if candidate[number] != knob.now and 0 <= index < len(knob.values):
                yield space.settled((*candidate[:number], index, *candidate[number + 1 :]))


def _pruned(search: Search, candidate: Candidate, prefer: str) -> Candidate:
    """The candidate without the changes that make nothing better."""
    evaluator, seeds = search.evaluator, search.plan.seeds
    kept = candidate
    best = _scored(search, evaluator.outcome(kept, seeds), prefer)
    for number in range(len(kept)):
        without = _without(search, kept, number)
        if without == kept:
            continue
        found = evaluator.outcome(without, seeds)
        if found.holds and (value := _scored(search, found, prefer)) <= best * _SAME:
            kept, best = without, min(best, value)
    return kept


def _without(search: Search, candidate: Candidate, number: int) -> Candidate:
    space = search.evaluator.space
    present = space.now[number]
    return space.settled((*candidate[:number], present, *candidate[number + 1 :]))


def _final(
    search: Search, candidate: Candidate, now: Outcome, seeds: Seeds, prefer: str
) -> Final | None:
    """A candidate on fresh seeds; None if the compiler refuses its text."""
    evaluator = search.evaluator
    try:
        source = evaluator.text(candidate)
    except PolicyError:
        return None
    policy, _ = frontend.check(source)
    assert policy is not None
    seen = evaluator.outcome(candidate, search.plan.seeds)
    found = evaluator.of_policy(policy, seeds)
    fresh = score(search, goals.values(found, now, search.names), prefer)
    trained = _scored(search, seen, prefer)
    verdict, why = _verdict(search, seen, found, now, trained, fresh)
    changes = tuple(_changes(search, candidate, seen))
    return Final(candidate, source, changes, seen, found, trained, fresh, verdict, why)


def _verdict(
    search: Search, seen: Outcome, found: Outcome, now: Outcome, trained: float, fresh: float
) -> tuple[Verdict, str]:
    broken = [
        f"`{one.aim.text}` is at {figure(two)}, and was at {figure(one)}"
        for one, two in zip(seen.claims, found.claims, strict=True)
        if one.holds and not two.holds
    ]
    if broken:
        return Verdict.OVERFIT, "; ".join(broken)
    if not now.holds or fresh < WORTH:
        return Verdict.BETTER, ""
    gain = f"the mean of the objectives is {percent(fresh)} of the present policy's"
    if search.now.holds and trained < WORTH:
        return Verdict.OVERFIT, f"{gain}, and was {percent(trained)}"
    return Verdict.NO_BETTER, gain


# ---- Reasons ----


def _changes(search: Search, candidate: Candidate, seen: Outcome) -> Iterator[Change]:
    evaluator = search.evaluator
    for number, knob in enumerate(evaluator.space.knobs):
        index = candidate[number]
        if index == knob.now:
            continue
        without = evaluator.outcome(_without(search, candidate, number), search.plan.seeds)
        reason = "; ".join(_effects(seen, without)) or "it counts together with the others"
        yield Change(knob.name, knob.text(knob.now), knob.text(index), reason)


def _effects(found: Outcome, without: Outcome) -> Iterator[str]:
    """The differences that the end of a change makes, the claims that fail first."""
    if without.refused:
        yield "the compiler refuses the rest without it"
        return
    pairs = list(zip(found.claims, without.claims, strict=True))
    for one, other in sorted(pairs, key=lambda pair: pair[1].holds):
        if one.holds and not other.holds:
            yield f"without it `{one.aim.text}` fails: {figure(other)} instead of {figure(one)}"
        elif one.aim.rewarded and other.counted > one.counted * (1 + _NOTABLE):
            yield f"without it {_short(one)} is {figure(other)} instead of {figure(one)}"
    for name, with_it, after in (
        ("the switches", found.switches, without.switches),
        ("the rest's CPU time", found.rest, without.rest),
    ):
        known = [(a, b) for a, b in zip(with_it, after, strict=True) if a and b is not None]
        ratio = max((b / a for a, b in known), key=lambda each: abs(each - 1), default=1.0)
        if abs(ratio - 1) > _NOTABLE:
            yield f"without it {name} are {percent(ratio)} of what they are with it"


def _short(claim: ClaimFigure) -> str:
    return claim.aim.text[: claim.aim.text.index(")") + 1]


def figure(claim: ClaimFigure) -> str:
    """Returns a claim's figure for a reader."""
    return of_range(claim.figure, claim.aim.metric) if claim.figure else claim.why or "not known"


def of_range(found: report.Range, metric: str | None) -> str:
    """Returns a figure with its unit."""
    return shown(found.median, metric)


def percent(ratio: float) -> str:
    """Returns a ratio as a percentage."""
    return f"{100 * ratio:.0f} %"


# ---- The other side ----


def not_improved(search: Search, judgement: Judgement) -> Iterator[str]:
    """Yields the claims, the objectives and the knobs that the best final leaves as they are."""
    best = judgement.best
    if best is None:
        return
    for before, after in zip(judgement.now.claims, best.found.claims, strict=True):
        if before.aim.rewarded and after.counted > before.counted * (1 - _NOTABLE):
            yield f"`{before.aim.text}`: {figure(before)}, and {figure(after)} now"
    values = goals.values(best.found, judgement.now, search.names)
    for name, value in zip(search.names, values, strict=True):
        if name in (SWITCHES, REST) and value > 1 + _NOTABLE:
            yield f"{DESCRIBED[name]}: {percent(value)} of before, and less is better"
    knobs = zip(search.evaluator.space.knobs, best.candidate, strict=True)
    same = [knob.name for knob, index in knobs if index == knob.now]
    if same:
        yield f"no change helped: {', '.join(same)}"


DESCRIBED = {
    goals.CLAIMS: "use of the claims' bounds",
    SWITCHES: "switches per second",
    REST: "CPU time that the rest lacks",
}
"""The objectives for a reader; each is better if it is less."""
