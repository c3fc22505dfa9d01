# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a search as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gthulhu_lab.tables import NONE, Table
from gthulhu_lab.tuning import conflicts, finals, goals, report, rewriting
from gthulhu_lab.tuning.finals import DESCRIBED, Final, Judgement, figure, percent
from gthulhu_lab.tuning.goals import Aim, ClaimFigure, Outcome
from gthulhu_lab.tuning.report import Result
from gthulhu_lab.tuning.search import Search
from gthulhu_lab.verify.table import shown

_SHOWN = 10  # candidates of the front
_CAUTION = "Simulated: confirm the changed policy with `gthulhu verify` before you use it."
_PREDICTED = "Predicted from a record: put the changed policy on trial, `gthulhu swap --trial 10m`."
_CONFIRMED = "The figures are simulated; the claims of the changed policy hold in guests."


def tables(result: Result) -> Iterator[Table]:
    """Yields the tables of a result, from the policy's figures to what matters."""
    search, judgement = result.search, result.judgement
    if judgement is not None:
        after = None if result.best is None else result.best.found
        title = f"figures with {len(judgement.seeds)} fresh seeds"
        if _is_recorded(search):
            title += " and the second half of the record"
        yield Table(title, ("", "now", "tuned"), [*_figures(search, judgement.now, after)])
    else:
        title = f"figures with {len(search.plan.seeds)} seeds"
        yield Table(title, ("", "now"), [row[:2] for row in _figures(search, search.now, None)])
    if front := search.front():
        head = ("", *(DESCRIBED[name] for name in search.names), "trial")
        title = f"candidates that hold all claims and that none beats in everything: {len(front)}"
        yield Table(title, head, [*_front(result)])
    if importance := search.importance():
        rows_of = [(name, percent(part)) for name, part in importance.items()]
        yield Table("importance", ("", "part"), rows_of)


def _figures(search: Search, now: Outcome, after: Outcome | None) -> Iterator[tuple[str, str, str]]:
    for number, before in enumerate(now.claims):
        later = NONE if after is None else _figure(after.claims[number])
        yield _named_claim(search, before.aim), _figure(before), later
    loads = [scene.load for scene in search.evaluator.setting.scenes]
    for place, load in enumerate(loads):
        name = f"switches per second, {load.where}"
        later = NONE if after is None else f"{after.switches[place]:,.0f}"
        yield name, f"{now.switches[place]:,.0f}", later
    for place, load in enumerate(loads):
        if now.rest[place] is not None:
            later = NONE if after is None else _share(after.rest[place])
            yield f"CPU time of the rest, {load.where}", _share(now.rest[place]), later


def _named_claim(search: Search, aim: Aim) -> str:
    scene = search.evaluator.setting.scenes[aim.load]
    where = f", {scene.load.name}" if scene.is_recorded else ""
    return f"{aim.text} (line {aim.line}{where})"


def _figure(claim: ClaimFigure) -> str:
    return figure(claim) if claim.holds else f"{figure(claim)} (fails)"


def _share(value: float | None) -> str:
    return NONE if value is None else shown(1000 * value, None)


def _front(result: Result) -> Iterator[Sequence[str]]:
    search = result.search
    ranked = sorted(
        search.front(), key=lambda each: goals.score(each.values, search.names, result.prefer)
    )
    for tried in ranked[:_SHOWN]:
        changed = report.values(search, tried.candidate)
        text = ", ".join(f"{name} {value}" for name, value in changed.items()) or "as now"
        yield text, *(percent(each) for each in tried.values), str(tried.number)


def lines(result: Result) -> Iterator[str]:
    """Yields what a result means, in sentences, the diff among them."""
    search, judgement = result.search, result.judgement
    trials = len(search.tried())
    if result.is_interrupted:
        yield f"Stopped after {trials} of {search.wanted} trials; fresh seeds have not judged any."
    if result.conflict is not None:
        yield f"No candidate: {conflicts.described(result.conflict, trials)}."
        yield "Change one of these claims, let more vary (--actions), or take more trials."
    if judgement is not None:
        yield from _judged(result, judgement)
    yield from (f"open: {text}" for text in result.open)
    yield from (f"not varied: {text}" for text in search.evaluator.space.left_out)
    yield ""
    yield from _conditions(result)


def _judged(result: Result, judgement: Judgement) -> Iterator[str]:
    for each in judgement.finals:
        if each.verdict is finals.Verdict.OVERFIT:
            named = ", ".join(f"{change.name} {change.after}" for change in each.changes)
            yield f"overfit, so not proposed: {named}: {each.why}"
    for number, (final, found) in enumerate(
        zip(report.shippable(judgement), result.verified, strict=False), 1
    ):
        verdict = "all claims hold" if found.holds else "a claim fails"
        yield f"in guests, final {number} ({_named(final)}): {verdict}"
    best = result.best
    if best is None:
        yield _unchanged(result, judgement)
        return
    for change in best.changes:
        yield f"{change.name}: {change.after} instead of {change.before}: {change.reason}"
    yield from (f"not improved: {text}" for text in finals.not_improved(result.search, judgement))
    yield ""
    yield rewriting.diff(result.search.evaluator.setting.source, best.source).rstrip("\n")
    yield ""


def _unchanged(result: Result, judgement: Judgement) -> str:
    """Why there is no proposal."""
    if result.verified:
        return "The policy stays as it is: no candidate holds all claims in guests."
    if judgement.now.holds:
        return "The policy stays as it is: no candidate is better on fresh seeds, by 2 % or more."
    return "No candidate holds all claims on fresh seeds, nor does the policy as it is."


def _named(final: Final) -> str:
    return ", ".join(f"{change.name} {change.after}" for change in final.changes)


def _conditions(result: Result) -> Iterator[str]:
    search = result.search
    setting = search.evaluator.setting
    seconds = ", ".join(
        f"{each.seconds:.3g} s ({'a half of ' * each.is_recorded}{each.load.where})"
        for each in setting.scenes
    )
    yield f"trials    {len(search.tried())}, of {len(search.plan.seeds)} seeds each: {seconds}"
    place = setting.place
    yield f"machine   {place.name}: {place.summary} (profile {place.digest})"
    yield "objectives as parts of the present policy's; less is better"
    if result.verified and result.best:
        yield _CONFIRMED
    else:
        yield _PREDICTED if _is_recorded(search) else _CAUTION


def _is_recorded(search: Search) -> bool:
    return any(scene.is_recorded for scene in search.evaluator.setting.scenes)
