# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The goals of a search: claims that have to hold, and objectives, which are to be small.

A claim's use is the part of its bound that its figure takes: 0.5 is half of a longest wait, and 1
is the bound itself. Beyond 1 the claim fails.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gthulhu_lab.simulation.load import Load
from gthulhu_lab.simulation.report import ClaimReport, LoadReport, Range
from gthulhu_lab.verify import claims
from gthulhuc import checked

_LEAST_USE, _MOST_USE = 0.001, 10.0
_PLENTY = 0.1
"""A claim that uses less of its bound counts as if it used this much."""
_NO_FIGURE = 2.0
"""The use of a claim whose tasks ran too rarely for a figure, though others let them."""
_BEYOND = 1e-6
"""A figure at a bound that it has to stay off is so far beyond it."""
CLAIMS, SWITCHES, REST = "claims", "switches", "rest"


@dataclass(frozen=True, slots=True)
class Aim:
    """A claim in a load, by its number among the load's. `rewarded`: the farther, the better."""

    load: int
    number: int
    text: str
    line: int
    metric: str | None
    target: str
    is_below: bool

    @property
    def rewarded(self) -> bool:
        """Whether a smaller use is better still: short waits, and CPU time that is guaranteed.

        Nobody wants longer waits than a claim that waits are long, nor a share far below a limit.
        """
        return self.is_below == (self.metric is not None)

    @property
    def name(self) -> str:
        """The claim with its place, which no other one has."""
        return f"{self.load}:{self.line}:{self.text}"


@dataclass(frozen=True, slots=True)
class ClaimFigure:
    """A claim's figure over all seeds. `use`: see above; `why`: the reason of no figure."""

    aim: Aim
    figure: Range | None
    bound: float | None
    use: float
    holds: bool
    why: str = ""

    @property
    def counted(self) -> float:
        """The use as the objective has it: far within the bound, no difference counts."""
        return max(self.use, _PLENTY)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The figures of a candidate. `switches`: a second, and `rest`: of all CPU time, by load.

    `refused`: the compiler's reason to refuse it, with no figures then.
    """

    claims: tuple[ClaimFigure, ...]
    switches: tuple[float, ...]
    rest: tuple[float | None, ...]
    refused: str = ""

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return not self.refused and all(claim.holds for claim in self.claims)

    @property
    def violation(self) -> float:
        """How far the claims that fail are beyond their bounds, in all."""
        return sum(max(claim.use - 1, _BEYOND) for claim in self.claims if not claim.holds)


def with_promises(load: Load, policy: checked.Policy) -> Load:
    """Returns a load that is also judged by the promises about classes whose tasks it has."""
    running = {group.class_name for group in load.groups}
    extra = (
        claim
        for promise in policy.promises
        for claim in claims.read(promise)
        if claim.target in running
    )
    return replace(load, claims=(*load.claims, *extra))


def aims(loads: Sequence[Load]) -> Iterator[Aim]:
    """Yields every claim of the loads."""
    for place, load in enumerate(loads):
        for number, claim in enumerate(load.claims):
            yield Aim(
                place,
                number,
                claim.text,
                claims.line_of(claim.span),
                claim.metric,
                claim.target,
                claim.operator in ("<", "<="),
            )


def outcome(wanted: Sequence[Aim], loads: Sequence[Load], reports: Sequence[LoadReport]) -> Outcome:
    """Returns a candidate's figures, for the claims that can be measured."""
    return Outcome(
        tuple(_figure(aim, reports[aim.load].claims[aim.number]) for aim in wanted),
        tuple(report.schedulers[0].switches_per_s.median for report in reports),
        tuple(
            _rest(
                load, report, {aim.target for aim in wanted if aim.load == place and aim.rewarded}
            )
            for place, (load, report) in enumerate(zip(loads, reports, strict=True))
        ),
    )


def _figure(aim: Aim, found: ClaimReport) -> ClaimFigure:
    if found.figure is None or found.bound is None:
        return ClaimFigure(aim, None, found.bound, _NO_FIGURE, holds=False, why=found.why)
    used, whole = found.figure.median, found.bound
    if not aim.is_below:
        used, whole = whole, used
    use = min(max(used / whole if whole else _MOST_USE, _LEAST_USE), _MOST_USE)
    return ClaimFigure(aim, found.figure, found.bound, use, bool(found.is_within))


def _rest(load: Load, report: LoadReport, judged: set[str]) -> float | None:
    """The CPU time of the tasks that no rewarded claim is about; None without such tasks."""
    groups = zip(load.groups, report.schedulers[0].groups, strict=True)
    shares = [found.share.median for group, found in groups if group.class_name not in judged]
    return sum(shares) if shares else None


def objectives(now: Outcome) -> tuple[str, ...]:
    """Returns the names of the objectives that a policy has, by its present figures."""
    names = [SWITCHES]
    if any(claim.aim.rewarded for claim in now.claims):
        names.insert(0, CLAIMS)
    if any(now.rest):
        names.append(REST)
    return tuple(names)


def values(found: Outcome, now: Outcome, names: Iterable[str]) -> tuple[float, ...]:
    """Returns the objectives of a candidate; 1 is that of the present policy, less is better."""
    if found.refused:
        return tuple(_MOST_USE for _ in names)
    known = {
        CLAIMS: _mean(
            claim.counted / before.counted
            for claim, before in zip(found.claims, now.claims, strict=True)
            if claim.aim.rewarded
        ),
        SWITCHES: _mean(
            max(one, 1) / max(other, 1)
            for one, other in zip(found.switches, now.switches, strict=True)
        ),
        REST: _mean(
            max(before, _LEAST_USE) / max(share, _LEAST_USE)
            for share, before in zip(found.rest, now.rest, strict=True)
            if share is not None and before
        ),
    }
    return tuple(known[name] for name in names)


def score(found: Sequence[float], names: Sequence[str], prefer: str) -> float:
    """Returns the mean of the objectives; the one that is preferred counts as four."""
    weights = [4 if name == prefer else 1 for name in names]
    whole = sum(weight * math.log(value) for value, weight in zip(found, weights, strict=True))
    return math.exp(whole / sum(weights))


def _mean(ratios: Iterable[float]) -> float:
    """The geometric mean; 1 without any."""
    found = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(found) / len(found)) if found else 1.0
