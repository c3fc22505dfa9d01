# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a search, as JSON and as a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gthulhu_lab import plot_front
from gthulhu_lab.plot_front import Point
from gthulhu_lab.tuning import conflicts, finals, goals, rewriting
from gthulhu_lab.tuning.conflicts import Conflict
from gthulhu_lab.tuning.finals import DESCRIBED, Final, Judgement
from gthulhu_lab.tuning.goals import ClaimFigure, Outcome
from gthulhu_lab.tuning.knobs import Candidate
from gthulhu_lab.tuning.search import Search, Tried
from gthulhu_lab.verify.verdict import Verification

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Result:
    """A search that has ended. `open`: claims without a figure, each with the reason.

    `judgement`: None if no trial held all claims, or before fresh seeds had their say. `verified`:
    the best finals in guests, in their order.
    """

    search: Search
    open: tuple[str, ...]
    prefer: str
    judgement: Judgement | None
    conflict: Conflict | None
    is_interrupted: bool
    verified: tuple[Verification, ...] = ()

    @property
    def best(self) -> Final | None:
        """The final to ship: the first that guests confirm, if they were asked."""
        if self.judgement is None:
            return None
        if not self.verified:
            return self.judgement.best
        pairs = zip(shippable(self.judgement), self.verified, strict=False)
        return next((final for final, found in pairs if found.holds), None)

    @property
    def holds(self) -> bool:
        """Whether the policy that results holds all claims on fresh seeds."""
        if self.best is not None:
            return True
        return self.judgement is not None and self.judgement.now.holds


def shippable(judgement: Judgement) -> list[Final]:
    """Returns the finals that are better, of which guests confirm the first few."""
    better = [each for each in judgement.finals if each.verdict is finals.Verdict.BETTER]
    return better[: finals.SHIPPED]


def as_json(result: Result) -> dict[str, Any]:
    """Returns a result as JSON's types. Times are in ns, shares in thousandths."""
    search = result.search
    setting, space = search.evaluator.setting, search.evaluator.space
    judgement = result.judgement
    tried = search.tried()
    return {
        "schema": SCHEMA,
        "policy": setting.path,
        "sha256": setting.source.sha256,
        "machine": setting.place.name,
        "machine_digest": setting.place.digest,
        "loads": [
            {"name": scene.load.name, "line": scene.load.line, "seconds": scene.seconds}
            for scene in setting.scenes
        ],
        "seeds": search.plan.seeds,
        "knobs": [
            {"name": knob.name, "now": knob.text(knob.now), "values": len(knob.values)}
            for knob in space.knobs
        ],
        "left_out": space.left_out,
        "open": result.open,
        "objectives": search.names,
        "prefer": result.prefer,
        "trials": len(tried),
        "interrupted": result.is_interrupted,
        "now": _outcome(search.now),
        "front": [_tried(search, each) for each in search.front()],
        "importance": search.importance(),
        "conflict": None if result.conflict is None else _conflict(search, result.conflict),
        "fresh_seeds": [] if judgement is None else judgement.seeds,
        "now_on_fresh_seeds": None if judgement is None else _outcome(judgement.now),
        "finals": [] if judgement is None else [_final(search, each) for each in judgement.finals],
        "not_improved": ([] if judgement is None else [*finals.not_improved(search, judgement)]),
        "verified": [each.holds for each in result.verified],
        "best": None if result.best is None else _final(search, result.best),
    }


def values(search: Search, candidate: Candidate) -> dict[str, str]:
    """Returns the values of a candidate that are not the present ones, by their knobs' names."""
    knobs = zip(search.evaluator.space.knobs, candidate, strict=True)
    return {knob.name: knob.text(index) for knob, index in knobs if index != knob.now}


def _tried(search: Search, tried: Tried) -> dict[str, Any]:
    return {
        "trial": tried.number,
        "objectives": dict(zip(search.names, tried.values, strict=True)),
        "values": values(search, tried.candidate),
    }


def _conflict(search: Search, conflict: Conflict) -> dict[str, Any]:
    return {
        "claims": [{"text": aim.text, "line": aim.line} for aim in conflict.claims],
        "said": conflicts.described(conflict, len(search.tried())),
        "beyond": conflict.beyond,
        "nearest": None if conflict.nearest is None else _tried(search, conflict.nearest),
    }


def _final(search: Search, final: Final) -> dict[str, Any]:
    return {
        "values": values(search, final.candidate),
        "verdict": final.verdict.value,
        "why": final.why,
        "trained": final.trained,
        "fresh": final.fresh,
        "changes": [
            {"name": each.name, "before": each.before, "after": each.after, "reason": each.reason}
            for each in final.changes
        ],
        "outcome": _outcome(final.found),
        "diff": rewriting.diff(search.evaluator.setting.source, final.source),
    }


def _outcome(found: Outcome) -> dict[str, Any]:
    return {
        "claims": [_claim(claim) for claim in found.claims],
        "switches_per_s": found.switches,
        "rest": found.rest,
    }


def _claim(claim: ClaimFigure) -> dict[str, Any]:
    known = claim.figure
    return {
        "text": claim.aim.text,
        "line": claim.aim.line,
        "figure": None if known is None else known.median,
        "low": None if known is None else known.low,
        "high": None if known is None else known.high,
        "bound": claim.bound,
        "holds": claim.holds,
    }


def plot(result: Result) -> str:
    """Returns a plot of the trials that have figures, by the first two objectives (SVG)."""
    search = result.search
    front = {each.candidate for each in search.front()}
    points = [
        Point(
            *_two(tried.values), plot_front.FRONT if tried.candidate in front else plot_front.OTHER
        )
        for tried in search.tried()
    ]
    if result.best is not None:
        found = goals.values(result.best.seen, search.now, search.names)
        points.append(Point(*_two(found), plot_front.BEST))
    points.append(Point(1, 1, plot_front.NOW))
    names = [DESCRIBED[name] for name in search.names]
    x_name, y_name = (*names, names[0])[:2]
    title = f"{search.evaluator.setting.policy.name}: {x_name}, and {y_name}"
    return str(plot_front.standalone(points, title, x_name, y_name))


def _two(found: tuple[float, ...]) -> tuple[float, float]:
    return (found[0], found[1]) if len(found) > 1 else (found[0], found[0])
