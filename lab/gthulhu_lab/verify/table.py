# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Prints verdicts: a line for each claim, and an explanation of each failure.

Exact figures and those of a wall clock have separate tables.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gthulhu_lab import clock, significance, stats
from gthulhu_lab.request import INSTRUCTION_NS, GuestEnvironment
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.claims import Method
from gthulhu_lab.verify.runs import RecordedRun
from gthulhu_lab.verify.verdict import (
    Block,
    Judged,
    Outcome,
    Verification,
)
from gthulhuc.diagnostics.human import visible

_COLOURS = {
    Outcome.OK: "32",
    Outcome.FAIL: "1;31",
    Outcome.NOT_MEASURED: "1;33",
    Outcome.NOISY: "1;33",
    Outcome.FEW: "1;33",
}
_WORDS = {Outcome.OK: "hold", Outcome.FAIL: "fail"}  # in the last line; else the outcome itself
# These outcomes show no number: the next time it would be different.
_NO_FIGURE = (Outcome.NOISY, Outcome.FEW)
_BAR = 40
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def render(found: Verification, *, colour: bool) -> str:
    """The whole text: a table of exact figures, and one of a wall clock's."""
    lines: list[str] = []
    for is_exact in (True, False):
        parts = [(block, claims) for block in found.blocks if (claims := _of(block, is_exact))]
        for block, claims in parts:
            lines += ["", *_block(block, claims, found.policy, colour=colour)]
            lines += _besides(claims, found.beside)
        if parts:
            lines += ["", *(_conditions(found) if is_exact else _wall_conditions(found))]
    lines += ["", _summary(found, colour=colour), ""]
    return "\n".join(lines)


def _of(block: Block, is_exact: bool) -> list[Judged]:
    return [claim for claim in block.claims if claim.method.is_exact == is_exact]


def _block(block: Block, claims: Sequence[Judged], policy: str, *, colour: bool) -> Iterator[str]:
    yield f"{policy}:{block.line}: {block.text}   ({block.kernel})"
    rows = [(claim.outcome, claim.text, *figures(claim), _bound(claim)) for claim in claims]
    widths = [max(len(row[column]) for row in rows) for column in (1, 2, 3)]
    for outcome, text, value, spread, bound in rows:
        word = _painted(f"{outcome.value:<12}", _COLOURS[outcome], colour)
        cells = f"{text:<{widths[0]}}  {value:>{widths[1]}}  {spread:<{widths[2]}}  {bound}"
        yield f"  {word}  {cells}".rstrip()
    for claim in claims:
        if claim.warning:
            yield f"    beware: {claim.warning}"
    for claim in claims:
        if claim.outcome is not Outcome.OK:
            yield from _explained(claim, block, policy)


def _besides(claims: Sequence[Judged], names: Sequence[str]) -> Iterator[str]:
    """Each figure under the schedulers that were asked for."""
    rows = {
        (claim.figure, name): (
            _value(claim, claim.beside.get(name)),
            _range(claim, claim.beside.get(name)),
        )
        for claim in claims
        for name in names
    }
    if not rows:
        return
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    wide = max(len(value) for value, _ in rows.values())
    yield "  beside it"
    for (what, name), (value, spread) in rows.items():
        line = f"    {what:<{widths[0]}}  {name:<{widths[1]}}  {value:>{wide}}  {spread}"
        yield line.rstrip()


def _painted(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def figures(claim: Judged) -> tuple[str, str]:
    """A claim's figure, and the range of the runs or the confidence interval."""
    if claim.method.is_exact:
        return _value(claim, claim.measured), _range(claim, claim.measured)
    found = claim.interval
    if found is None or claim.outcome in _NO_FIGURE:
        return "-", ""
    if claim.baseline is None:
        middle, low, high = (
            shown(value, claim.metric) for value in (found.middle, found.low, found.high)
        )
    else:
        middle, low, high = (
            f"{100 * value:.1f} %" for value in (found.middle, found.low, found.high)
        )
    return middle, f"({low} .. {high})"


def with_range(claim: Judged, spread: Spread | None) -> str:
    """A table cell: a figure, and below it the range if there are several runs."""
    found = _value(claim, spread)
    return f"{found}\n{_range(claim, spread)}" if spread and len(spread.runs) > 1 else found


def _value(claim: Judged, spread: Spread | None) -> str:
    return "-" if spread is None else shown(spread.median, claim.metric)


def _range(claim: Judged, spread: Spread | None) -> str:
    if spread is None:
        return ""
    low, high = (shown(end, claim.metric) for end in (spread.low, spread.high))
    return f"({low} .. {high})"


def _bound(claim: Judged) -> str:
    if claim.baseline is None:
        return ""
    if not claim.method.is_exact:
        if claim.interval is None or claim.outcome in _NO_FIGURE:
            return ""
        theirs = _value(claim, claim.baseline_measured)
        return f"{_value(claim, claim.measured)}; {claim.baseline} {theirs}"
    if claim.baseline_measured is None or claim.bound is None:
        return f"{claim.baseline}: -"
    theirs = f"{_value(claim, claim.baseline_measured)} {_range(claim, claim.baseline_measured)}"
    return f"bound {shown(claim.bound, claim.metric)}; {claim.baseline} {theirs}"


def shown(value: float, metric: str | None) -> str:
    """A figure with its unit: thousandths as per cent, ns in the most readable unit."""
    if metric is None:
        return f"{value / 10:.1f} %"
    if metric == "rate":
        return f"{value:,.{1 if value < 100 else 0}f}/s"
    us = value / 1000
    if us < 1000:
        return f"{us:.0f} µs"
    return f"{us / 1000:.2f} ms" if us < 1e6 else f"{us / 1e6:.2f} s"


# ---- explanations -------------------------------------------------------------------------------


def _explained(claim: Judged, block: Block, policy: str) -> Iterator[str]:
    yield ""
    yield f"    {claim.text} (line {claim.line}): {claim.outcome.value}"
    if claim.reason:
        yield from (f"      {visible(line)}" for line in claim.reason.splitlines())
    if claim.method is not Method.RECORDED:
        yield from _runs(claim, policy)
        return
    runs = [run for run in block.runs if run.scheduler == policy]
    if not runs:
        return
    if claim.metric is None:
        yield "      CPU time of each class:"
        yield from _shares(_summed(run.cpu_us for run in runs))
        return
    yield f"      {claim.metric} times of `{claim.target}`, all runs:"
    yield from histogram(_pooled(claim, runs), claim.bound)
    meanwhile = _summed(run.waits(claim.target, claim.metric).meanwhile_us for run in runs)
    if meanwhile:
        yield f"      CPU time of each class during the longest waits of `{claim.target}`:"
        yield from _shares(meanwhile)


def _runs(claim: Judged, policy: str) -> Iterator[str]:
    """The figure of each run, unless there were too few runs or too much noise."""
    if claim.outcome in _NO_FIGURE or claim.measured is None:
        return
    yield "      each run:"
    for name, spread in ((policy, claim.measured), (claim.baseline, claim.baseline_measured)):
        if spread is not None:
            values = ", ".join(shown(value, claim.metric) for value in spread.runs)
            yield f"        {name}: {values}"


def _pooled(claim: Judged, runs: Sequence[RecordedRun]) -> Counter[int]:
    found: Counter[int] = Counter()
    for run in runs:
        assert claim.metric is not None
        found.update(dict(run.waits(claim.target, claim.metric).samples.counts))
    return found


def _summed(parts: Iterable[dict[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in parts:
        found.update(part)
    return found


def _shares(times: Counter[str]) -> Iterator[str]:
    whole = sum(times.values())
    width = max(len(name) for name in times)
    for name, us in times.most_common():
        yield f"        {name:<{width}}  {100 * us / whole:5.1f} %  {_bar(us / whole)}".rstrip()


def histogram(counts_us: Counter[int], bound_ns: float | None) -> Iterator[str]:
    """A histogram of waits by powers of two, with a mark at the bound."""
    bins: Counter[int] = Counter()
    for us, count in counts_us.items():
        bins[us.bit_length()] += count
    if not bins:
        return
    most, whole = max(bins.values()), bins.total()
    bound_bin = None if bound_ns is None else int(bound_ns / 1000).bit_length()
    low, high = min(bins), max(bins)
    for number in range(low, high + 1):
        below = shown(1000 * (1 << number), "wait")
        share = 100 * bins[number] / whole
        mark = "  <- the bound is here" if number == bound_bin else ""
        bar = _bar(bins[number] / most)
        yield f"        below {below:>8}  {bins[number]:>7,}  {share:5.1f} %  {bar}{mark}"
    if bound_bin is not None and not low <= bound_bin <= high:
        where = "above" if bound_bin > high else "below"
        yield f"        the bound is {where} all bars"


def _bar(part: float) -> str:
    eighths = math.ceil(part * _BAR * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


# ---- conditions ---------------------------------------------------------------------------------


def _conditions(found: Verification) -> Iterator[str]:
    runs = _environments(found, is_exact=True)
    count = len(found.seeds)
    if runs:
        yield (
            f"{count} perturbed run{'s' * (count != 1)} each (median, and the range in "
            f"parentheses); clock {runs[0].clock}, {_speed(runs)}{_machine(runs)}, "
            f"seeds {found.seeds[0]}..{found.seeds[-1]}"
        )
    if not found.is_enough:
        few = "1 run is" if count == 1 else f"{count} runs are"
        yield f"{few} too few for a verdict: take {stats.ENOUGH_RUNS}."


def _wall_conditions(found: Verification) -> Iterator[str]:
    runs = _environments(found, is_exact=False)
    if runs:
        yield (
            f"{found.turns} turn{'s' * (found.turns != 1)}, each in random order (the ratio's "
            f"middle or the median, and its interval in parentheses); clock {runs[0].clock} "
            f"({clock.describe(runs[0].clock)}), {_machine(runs)}"
        )
        claims = f"this {found.timed} claim" if found.timed == 1 else f"{found.timed} claims"
        yield (
            f"In {100 * significance.ERROR:.0f} % of such tables, with {claims}, an interval "
            "misses the true value."
        )


def _environments(found: Verification, *, is_exact: bool) -> list[GuestEnvironment]:
    return [run.environment for block in found.blocks for run in block.of_clock(is_exact=is_exact)]


def _speed(runs: Sequence[GuestEnvironment]) -> str:
    """How long an instruction takes, if not as long as usual."""
    ns = runs[0].instruction_ns
    return "" if ns == INSTRUCTION_NS else f"{ns} ns an instruction, "


def _machine(runs: Sequence[GuestEnvironment]) -> str:
    kernels = ", ".join(dict.fromkeys(run.kernel for run in runs))
    nodes = f" in {runs[0].nodes} nodes" if runs[0].nodes > 1 else ""
    return f"kernel {kernels}, {runs[0].cpus} CPUs{nodes}, QEMU {runs[0].qemu}"


def _summary(found: Verification, *, colour: bool) -> str:
    outcomes = Counter(claim.outcome for block in found.blocks for claim in block.claims)
    claims = outcomes.total()
    if found.holds:
        return _painted(f"all {claims} claims hold", _COLOURS[Outcome.OK], colour)
    parts = [f"{outcomes[each]} {_WORDS.get(each, each)}" for each in Outcome if outcomes[each]]
    return _painted(f"of {claims} claims: {', '.join(parts)}", _COLOURS[Outcome.FAIL], colour)
