# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the results of an old commit and a new one, and reports what became worse.

Each kind of figure has its own rule. Sizes are certain: more is more. Exact figures differ from
seed to seed: they are worse if all new runs are worse than all old ones, and their median by more
than a margin. Chance does that to five and five runs of the same once in 252 times. Figures of a
wall clock are judged as ratios to EEVDF's (see significance.py), so the machine cancels out. Each
claim of a `gthulhu verify` result is of one of these two kinds. A wall clock's figure without a
baseline is not compared, because it depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from gthulhu_lab import significance, stats, wall
from gthulhu_lab.benchmark import (
    OURS,
    Benchmark,
    enable_s,
    map_kb,
    one_cpu_ns,
    translated_bytes,
    two_cpus_ns,
)
from gthulhu_lab.catalogue import Report
from gthulhu_lab.errors import LabError
from gthulhu_lab.measure import TASKS, ScenarioRun
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.runs import RecordedRun, ReportedRun
from gthulhu_lab.verify.verdict import Judged, Outcome, Verification

AnyRun = ScenarioRun | wall.WallRun | RecordedRun | ReportedRun

# Three and three equal runs are apart by chance once in 10 times; four and four once in 35.
FEWEST_RUNS = 4
_MARGIN, _LATENCY_MARGIN = 0.01, 0.05


class Trend(StrEnum):
    """How a figure changed."""

    BETTER = "better"
    WORSE = "WORSE"
    SAME = "no difference"
    UNKNOWN = "too few runs"
    NOISY = "too noisy"


@dataclass(frozen=True, slots=True)
class Criterion:
    """How an exact figure is judged."""

    margin: float = _MARGIN
    less_is_better: bool = True
    certain: bool = False  # the same in each run: one run is enough


@dataclass(frozen=True, slots=True)
class Series:
    """One figure of a result in all of its runs.

    `pairs`: on a wall clock the figure with the baseline's of the same turn, whose ratios `values`
    are.
    """

    subject: str
    figure: str
    unit: str
    values: Sequence[float]
    rule: Criterion
    pairs: Sequence[tuple[float, float]] = ()
    ours: bool = True  # compiled by gthulhuc: the new commit caused a loss


@dataclass(frozen=True, slots=True)
class Change:
    """One figure of one subject, old and new."""

    subject: str
    figure: str
    unit: str
    old: Spread
    new: Spread
    verdict: Trend
    ours: bool  # compiled by gthulhuc: the new commit caused a loss

    @property
    def ratio(self) -> float:
        """The new median as a multiple of the old one."""
        return self.new.median / self.old.median if self.old.median else 1.0


Result = Benchmark | Verification


def load(file: Path) -> Result:
    """The result in a file of `bench --json` or `verify --json`. Raises LabError."""
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise LabError(f"cannot read {file}: {why}") from error
    for kind in (Benchmark, Verification):
        with suppress(ValidationError):
            return kind.model_validate_json(text)
    raise LabError(
        f"{file} is not a result of this version's `bench` or `verify`",
        "`gthulhu bench --json` and `gthulhu verify --json` write one.",
    )


def changes(old: Result, new: Result) -> list[Change]:
    """All figures that both have, in the order of the new one. Raises LabError if unlike."""
    if isinstance(old, Benchmark) and isinstance(new, Benchmark):
        _refuse_unlike([*old.runs, *old.walls], [*new.runs, *new.walls])
        if old.cpus[0] != new.cpus[0]:
            numbers = f"latencies with {old.cpus[0]} and {new.cpus[0]} CPUs"
            raise LabError(f"the two were measured differently: {numbers}")
        before, after = (dict([*_scenarios(each), *_walls(each)]) for each in (old, new))
    elif isinstance(old, Verification) and isinstance(new, Verification):
        for is_exact in (True, False):
            _refuse_unlike(*(_verified_runs(each, is_exact=is_exact) for each in (old, new)))
        before, after = (dict(_claims(each)) for each in (old, new))
    else:
        raise LabError("cannot compare a result of `gthulhu bench` with one of `gthulhu verify`")
    both = [(before[key], now) for key, now in after.items() if key in before]
    timed = sum(bool(now.pairs) for _, now in both)
    return [_change(was, now, timed) for was, now in both]


def _change(was: Series, now: Series, timed: int) -> Change:
    if now.pairs:
        verdict = _VERDICTS[
            significance.compare_changes(
                was.pairs, now.pairs, less_is_better=now.rule.less_is_better, figures=timed
            ).verdict
        ]
    else:
        verdict = judge(now.rule, was.values, now.values)
    old, new = Spread(runs=tuple(was.values)), Spread(runs=tuple(now.values))
    return Change(now.subject, now.figure, now.unit, old, new, verdict, now.ours)


def missing(old: Result, new: Result) -> list[str]:
    """The figures of the old result that are missing in the new one or have failed there."""
    if isinstance(old, Benchmark) and isinstance(new, Benchmark):
        return _missing_figures(old, new)
    if isinstance(old, Verification) and isinstance(new, Verification):
        before, after = (_outcomes(each) for each in (old, new))
        return [
            f"{' '.join(key)}: {after.get(key, 'the claim is gone')}"
            for key, outcome in before.items()
            if outcome is Outcome.OK and after.get(key) is not Outcome.OK
        ]
    return []


def _missing_figures(old: Benchmark, new: Benchmark) -> list[str]:
    lost = {run.subject: None for run in old.runs if not new.of(run.subject, run.environment.cpus)}
    still = {(run.setup, run.subject) for run in new.walls}
    lost |= {run.subject: None for run in old.walls if (run.setup, run.subject) not in still}
    return [f"{subject}: the figures are gone" for subject in lost] + [*map(str, new.failures)]


def losses(found: Sequence[Change]) -> list[Change]:
    """The figures of compiled policies that became worse."""
    return [change for change in found if change.ours and change.verdict is Trend.WORSE]


def judge(rule: Criterion, old: Sequence[float], new: Sequence[float]) -> Trend:
    """Judge the old and new runs of an exact figure."""
    if not rule.certain and min(len(old), len(new)) < FEWEST_RUNS:
        return Trend.SAME if sorted(old) == sorted(new) else Trend.UNKNOWN
    before, after = stats.median(old), stats.median(new)
    if abs(after - before) <= rule.margin * before:
        return Trend.SAME
    if max(old) < min(new):
        return Trend.WORSE if rule.less_is_better else Trend.BETTER
    if max(new) < min(old):
        return Trend.BETTER if rule.less_is_better else Trend.WORSE
    return Trend.SAME


Keyed = Iterator[tuple[tuple[object, ...], Series]]
"""Series with what two results have in common of them."""


def _scenarios(result: Benchmark) -> Keyed:
    for subject, description in result.subjects.items():
        for cpus in result.cpus:
            runs = result.of(subject, cpus)
            for name, unit, of, rule in _FIGURES if cpus == result.cpus[0] else _trips(cpus):
                values = [value for run in runs if (value := of(run)) is not None]
                if values:
                    series = Series(subject, name, unit, values, rule, ours=description == OURS)
                    yield (subject, name), series


def _walls(result: Benchmark) -> Keyed:
    for row in wall.rows(result.walls):
        name = f"{row.setup}: {row.report}"
        yield (
            (row.subject, name),
            Series(
                row.subject,
                name,
                "× EEVDF",
                _ratios(row.pairs),
                Criterion(less_is_better=row.report is Report.TIME),
                row.pairs,
                ours=result.subjects[row.subject] == OURS,
            ),
        )


def _ratios(pairs: Sequence[tuple[float, float]]) -> list[float]:
    return [one / other for one, other in pairs]


_VERDICTS = {
    significance.Difference.FASTER: Trend.BETTER,
    significance.Difference.SLOWER: Trend.WORSE,
    significance.Difference.SAME: Trend.SAME,
    significance.Difference.NOISY: Trend.NOISY,
    significance.Difference.FEW: Trend.UNKNOWN,
}


def _by_text(result: Verification) -> dict[tuple[str, str, str], Judged]:
    """Claims by kernel, the block's head and their own text."""
    return {
        (block.kernel, block.text, claim.text): claim
        for block in result.blocks
        for claim in block.claims
    }


def _outcomes(result: Verification) -> dict[tuple[str, str, str], Outcome]:
    return {key: claim.outcome for key, claim in _by_text(result).items()}


def _verified_runs(result: Verification, *, is_exact: bool) -> list[AnyRun]:
    return [run for block in result.blocks for run in block.of_clock(is_exact=is_exact)]


# By the metric of a claim: the unit that is shown, the stored units in one of it, and the margin.
_UNITS = {None: ("%", 10, _MARGIN), "rate": ("/s", 1, _MARGIN)}
_US = ("µs", 1000, _LATENCY_MARGIN)


def _claims(result: Verification) -> Keyed:
    for key, claim in _by_text(result).items():
        less_is_better = "<" in claim.text
        if claim.measured is None:
            continue
        if claim.method.is_exact:
            unit, scale, margin = _UNITS.get(claim.metric, _US)
            values = [value / scale for value in claim.measured.runs]
            series = Series(key[1], claim.text, unit, values, Criterion(margin, less_is_better))
        elif claim.baseline_measured:
            pairs = list(zip(claim.measured.runs, claim.baseline_measured.runs, strict=True))
            rule = Criterion(less_is_better=less_is_better)
            unit = f"× {claim.baseline}"
            series = Series(key[1], claim.text, unit, _ratios(pairs), rule, pairs)
        else:
            continue
        yield (*key, claim.method), series


def _awake(of: Callable[[ScenarioRun], float]) -> Callable[[ScenarioRun], float | None]:
    """The figure of runs with wake-ups."""
    return lambda run: of(run) if run.scenario.samples else None


def _scheduler(of: Callable[[ScenarioRun], float]) -> Callable[[ScenarioRun], float | None]:
    """The figure of schedulers other than the kernel's own."""
    return lambda run: of(run) if run.size else None


_HOGS = "work of the hogs"
FigureRow = tuple[str, str, Callable[[ScenarioRun], float | None], Criterion]


def _trips(cpus: int) -> Sequence[FigureRow]:
    return ((f"round trip, {cpus} CPUs", "ns", one_cpu_ns, Criterion()),)


# Figures of runs on the first number of CPUs: name, unit, function, how it is judged.
_FIGURES: Sequence[FigureRow] = (
    ("round trip, one CPU", "ns", one_cpu_ns, Criterion()),
    ("round trip, two CPUs", "ns", two_cpus_ns, Criterion()),
    *(
        (
            f"wake-up of {task}, p{percent:.0f}",
            "µs",
            _awake(partial(ScenarioRun.wakeup_us, task=task, percent=percent)),
            Criterion(_LATENCY_MARGIN),
        )
        for task in TASKS
        for percent in (50.0, 99.0)
    ),
    (
        "work of the hogs",
        "turns/ms",
        _awake(lambda run: run.hog_rate),
        Criterion(less_is_better=False),
    ),
    ("exec to enabled", "s", _scheduler(enable_s), Criterion(_LATENCY_MARGIN)),
    ("memory of all maps", "KB", _scheduler(map_kb), Criterion(certain=True)),
    ("BPF after translation", "bytes", _scheduler(translated_bytes), Criterion(certain=True)),
)


def _refuse_unlike(old: Sequence[AnyRun], new: Sequence[AnyRun]) -> None:
    """Raises LabError for results of different conditions: these are no change of the code."""
    for what, of in _CONDITIONS.items():
        before, after = ({of(run) for run in each} for each in (old, new))
        if before and after and before != after:
            shown = " and ".join(", ".join(sorted(each)) for each in (before, after))
            raise LabError(
                f"the two were measured differently: {what} {shown}",
                "Measure the old commit again.",
            )


_CONDITIONS: dict[str, Callable[[AnyRun], str]] = {
    "clock": lambda run: run.environment.clock,
    "time of an instruction in ns": lambda run: str(run.environment.instruction_ns),
    "QEMU": lambda run: run.environment.qemu,
    "kernel": lambda run: run.environment.kernel,
    "memory in MiB": lambda run: str(run.environment.memory_mib),
    # A benchmark has several numbers of CPUs; changes() looks at the first.
    "CPUs": lambda run: str(run.environment.cpus) if isinstance(run, RecordedRun) else "",
    "wake-ups": lambda run: str(run.scenario.samples or "") if isinstance(run, ScenarioRun) else "",
}
