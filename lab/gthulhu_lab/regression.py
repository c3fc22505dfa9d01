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
class Rule:
    """How an exact figure is judged."""

    margin: float = _MARGIN
    less_is_better: bool = True
    certain: bool = False  # the same in each run: one run is enough


_LATENCY = Rule(_LATENCY_MARGIN)
_SIZE = Rule(certain=True)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that every run has."""

    name: str
    unit: str
    of: Callable[[ScenarioRun], float]
    rule: Rule = Rule()


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
        _refuse_unlike(_runs(old), _runs(new))
        if old.cpus[0] != new.cpus[0]:
            numbers = f"latencies with {old.cpus[0]} and {new.cpus[0]} CPUs"
            raise LabError(f"the two were measured differently: {numbers}")
        return [*_exact(old, new), *_statistical(old, new)]
    if isinstance(old, Verification) and isinstance(new, Verification):
        for is_exact in (True, False):
            _refuse_unlike(*(_verified_runs(each, is_exact=is_exact) for each in (old, new)))
        return list(_claims(old, new))
    raise LabError("cannot compare a result of `gthulhu bench` with one of `gthulhu verify`")


def missing(old: Result, new: Result) -> list[str]:
    """The figures of the old result that are missing in the new one or have failed there."""
    if isinstance(old, Benchmark) and isinstance(new, Benchmark):
        return _missing_figures(old, new)
    if isinstance(old, Verification) and isinstance(new, Verification):
        before, after = (_outcomes(each) for each in (old, new))
        return [
            f"{' '.join(key)}: {after.get(key, 'no such claim any more')}"
            for key, outcome in before.items()
            if outcome is Outcome.OK and after.get(key) is not Outcome.OK
        ]
    return []


def _missing_figures(old: Benchmark, new: Benchmark) -> list[str]:
    lost = {run.subject: None for run in old.runs if not new.of(run.subject, run.environment.cpus)}
    still = {(run.setup, run.subject) for run in new.walls}
    lost |= {run.subject: None for run in old.walls if (run.setup, run.subject) not in still}
    failed = [
        f"{each.subject}, {each.cpus} CPUs, seed {each.seed}: {each.first_line}"
        for each in new.failures
    ]
    return [f"{subject}: no figures any more" for subject in lost] + failed


def losses(found: Sequence[Change]) -> list[Change]:
    """The figures of compiled policies that became worse."""
    return [change for change in found if change.ours and change.verdict is Trend.WORSE]


def judge(rule: Rule, old: Sequence[float], new: Sequence[float]) -> Trend:
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


def _exact(old: Benchmark, new: Benchmark) -> Iterator[Change]:
    for subject in new.subjects:
        for cpus in new.cpus:
            runs = old.of(subject, cpus), new.of(subject, cpus)
            for figure in _figures(new, cpus):
                values = [[figure.of(run) for run in some if _has(run, figure)] for some in runs]
                before, after = (Spread.of(some) for some in values)
                if before and after:
                    verdict = judge(figure.rule, *values)
                    ours = new.subjects[subject] == OURS
                    yield Change(subject, figure.name, figure.unit, before, after, verdict, ours)


def _statistical(old: Benchmark, new: Benchmark) -> Iterator[Change]:
    rows = [
        (row, before)
        for row in wall.rows(new.walls)
        if (before := wall.pairs(old.walls, row.setup, row.report, row.subject))
    ]
    for row, before in rows:
        judgement = significance.compare_changes(
            before, row.pairs, less_is_better=row.report is Report.TIME, figures=len(rows)
        )
        spreads = [Spread.of(one / other for one, other in some) for some in (before, row.pairs)]
        if spreads[0] and spreads[1]:
            yield Change(
                row.subject,
                f"{row.setup}: {row.report}",
                "× EEVDF",
                spreads[0],
                spreads[1],
                _VERDICTS[judgement.verdict],
                new.subjects[row.subject] == OURS,
            )


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


# By the metric of a claim: the unit that is shown, and the stored units in one of it.
_UNITS = {None: ("%", 10), "rate": ("/s", 1)}
_US = ("µs", 1000)


def _claims(old: Verification, new: Verification) -> Iterator[Change]:
    before = _by_text(old)
    both = [
        (key[1], was, claim)
        for key, claim in _by_text(new).items()
        if (was := before.get(key)) is not None and was.method is claim.method
    ]
    timed = [each for each in both if not each[2].method.is_exact and each[2].baseline]
    for head, was, claim in both:
        if was.measured is None or claim.measured is None:
            continue
        if claim.method.is_exact:
            yield from _exact_claim(head, was, claim)
        elif claim.baseline:
            yield from _timed_claim(head, was, claim, len(timed))


def _exact_claim(head: str, was: Judged, claim: Judged) -> Iterator[Change]:
    unit, scale = _UNITS.get(claim.metric, _US)
    margin = _MARGIN if claim.metric in (None, "rate") else _LATENCY_MARGIN
    rule = Rule(margin, less_is_better="<" in claim.text)
    values = [
        [value / scale for value in each.runs] if each else []
        for each in (was.measured, claim.measured)
    ]
    yield from _change(head, claim, unit, values, judge(rule, *values))


def _timed_claim(head: str, was: Judged, claim: Judged, figures: int) -> Iterator[Change]:
    pairs = [
        list(zip(each.measured.runs, each.baseline_measured.runs, strict=True))
        for each in (was, claim)
        if each.measured and each.baseline_measured
    ]
    if len(pairs) != 2:
        return
    judgement = significance.compare_changes(
        *pairs, less_is_better="<" in claim.text, figures=figures
    )
    ratios = [[one / other for one, other in each] for each in pairs]
    verdict = _VERDICTS[judgement.verdict]
    yield from _change(head, claim, f"× {claim.baseline}", ratios, verdict)


def _change(
    head: str, claim: Judged, unit: str, values: Sequence[Sequence[float]], verdict: Trend
) -> Iterator[Change]:
    old, new = (Spread.of(each) for each in values)
    if old and new:
        yield Change(head, claim.text, unit, old, new, verdict, ours=True)


def _figures(benchmark: Benchmark, cpus: int) -> Iterator[Figure]:
    if cpus != benchmark.cpus[0]:
        yield Figure(f"round trip, {cpus} CPUs", "ns", one_cpu_ns)
        return
    yield Figure("round trip, one CPU", "ns", one_cpu_ns)
    yield Figure("round trip, two CPUs", "ns", two_cpus_ns)
    for task in TASKS:
        for percent in (50.0, 99.0):
            yield Figure(
                f"wake-up of {task}, p{percent:.0f}",
                "µs",
                partial(ScenarioRun.wakeup_us, task=task, percent=percent),
                _LATENCY,
            )
    yield Figure(_HOGS, "turns/ms", lambda run: run.hog_rate, Rule(less_is_better=False))
    yield Figure("exec to enabled", "s", enable_s, _LATENCY)
    yield Figure("memory of all maps", "KB", map_kb, _SIZE)
    yield Figure("BPF after translation", "bytes", translated_bytes, _SIZE)


_HOGS = "work of the hogs"
_OF_A_SCHEDULER = ("exec to enabled", "memory of all maps", "BPF after translation")


def _has(run: ScenarioRun, figure: Figure) -> bool:
    if figure.name in _OF_A_SCHEDULER:
        return run.size is not None
    return run.scenario.samples > 0 or figure.name.startswith("round trip")


def _runs(benchmark: Benchmark) -> list[AnyRun]:
    return [*benchmark.runs, *benchmark.walls]


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
    "QEMU": lambda run: run.environment.qemu,
    "kernel": lambda run: run.environment.kernel,
    "memory in MiB": lambda run: str(run.environment.memory_mib),
    # Of the benchmark there is more than one number; changes() looks at the first.
    "CPUs": lambda run: str(run.environment.cpus) if isinstance(run, RecordedRun) else "",
    "wake-ups": lambda run: str(run.scenario.samples or "") if isinstance(run, ScenarioRun) else "",
}
