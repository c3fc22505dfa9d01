# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A verdict for people: a line for each claim, and what explains those that fail."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gthulhu_lab.benchmark import ENOUGH_RUNS
from gthulhu_lab.verify.recording import Run
from gthulhu_lab.verify.verdict import (
    Block,
    Judged,
    Outcome,
    Spread,
    Verification,
    waits_of,
)

_COLOURS = {Outcome.OK: "32", Outcome.FAIL: "1;31", Outcome.NOT_MEASURED: "1;33"}
_BAR = 40
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def render(found: Verification, *, colour: bool) -> str:
    """The whole text."""
    lines: list[str] = []
    for block in found.blocks:
        lines += ["", *_block(block, found.policy, colour=colour)]
    lines += ["", *_conditions(found), "", _summary(found, colour=colour), ""]
    return "\n".join(lines)


def _block(block: Block, policy: str, *, colour: bool) -> Iterator[str]:
    yield f"{policy}:{block.line}: {block.text}   ({block.kernel})"
    rows = [
        (
            claim.outcome,
            claim.text,
            _value(claim, claim.measured),
            _range(claim, claim.measured),
            _bound(claim),
        )
        for claim in block.claims
    ]
    widths = [max(len(row[column]) for row in rows) for column in (1, 2, 3)]
    for outcome, text, value, spread, bound in rows:
        word = _painted(f"{outcome.value:<12}", _COLOURS[outcome], colour)
        cells = f"{text:<{widths[0]}}  {value:>{widths[1]}}  {spread:<{widths[2]}}  {bound}"
        yield f"  {word}  {cells}".rstrip()
    for claim in block.claims:
        if claim.outcome is not Outcome.OK:
            yield from _explained(claim, block, policy)


def _painted(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def _is_share(claim: Judged) -> bool:
    return claim.metric is None


def _value(claim: Judged, spread: Spread | None) -> str:
    return "-" if spread is None else shown(spread.median, is_share=_is_share(claim))


def _range(claim: Judged, spread: Spread | None) -> str:
    if spread is None:
        return ""
    low, high = (shown(end, is_share=_is_share(claim)) for end in (spread.low, spread.high))
    return f"({low} .. {high})"


def _bound(claim: Judged) -> str:
    if claim.baseline is None:
        return ""
    if claim.baseline_measured is None or claim.bound is None:
        return f"{claim.baseline}: -"
    theirs = f"{_value(claim, claim.baseline_measured)} {_range(claim, claim.baseline_measured)}"
    return f"bound {shown(claim.bound, is_share=False)}; {claim.baseline} {theirs}"


def shown(value: float, *, is_share: bool) -> str:
    """A figure with its unit: thousandths as per cent, ns as what they are most readable as."""
    if is_share:
        return f"{value / 10:.1f} %"
    us = value / 1000
    if us < 1000:
        return f"{us:.0f} µs"
    return f"{us / 1000:.2f} ms" if us < 1e6 else f"{us / 1e6:.2f} s"


# ---- why ----------------------------------------------------------------------------------------


def _explained(claim: Judged, block: Block, policy: str) -> Iterator[str]:
    yield ""
    yield f"    {claim.text} (line {claim.line}): {claim.outcome.value}"
    if claim.reason:
        yield from (f"      {line}" for line in claim.reason.splitlines())
    runs = [run for run in block.runs if run.scheduler == policy]
    if not runs:
        return
    if claim.metric is None:
        yield "      who had the CPUs:"
        yield from _shares(_summed(run.cpu_us for run in runs))
        return
    yield f"      {claim.metric} times of `{claim.target}`, all runs:"
    yield from histogram(_pooled(claim, runs), claim.bound)
    meanwhile = _summed(waits_of(claim.target, claim.metric, run).meanwhile_us for run in runs)
    if meanwhile:
        yield f"      who had the CPUs while tasks of `{claim.target}` waited longest:"
        yield from _shares(meanwhile)


def _pooled(claim: Judged, runs: Sequence[Run]) -> Counter[int]:
    found: Counter[int] = Counter()
    for run in runs:
        assert claim.metric is not None
        found.update(dict(waits_of(claim.target, claim.metric, run).samples.counts))
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
    """How many waits there are of each length, by powers of two; where the bound is, too."""
    bins: Counter[int] = Counter()
    for us, count in counts_us.items():
        bins[us.bit_length()] += count
    if not bins:
        return
    most, whole = max(bins.values()), bins.total()
    bound_bin = None if bound_ns is None else int(bound_ns / 1000).bit_length()
    low, high = min(bins), max(bins)
    for number in range(low, high + 1):
        below = shown(1000 * (1 << number), is_share=False)
        share = 100 * bins[number] / whole
        mark = "  <- the bound is here" if number == bound_bin else ""
        bar = _bar(bins[number] / most)
        yield f"        below {below:>8}  {bins[number]:>7,}  {share:5.1f} %  {bar}{mark}"
    if bound_bin is not None and not low <= bound_bin <= high:
        where = "above" if bound_bin > high else "below"
        yield f"        the bound is {where} all of them"


def _bar(part: float) -> str:
    eighths = math.ceil(part * _BAR * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


# ---- what it holds for --------------------------------------------------------------------------


def _conditions(found: Verification) -> Iterator[str]:
    runs = [run for block in found.blocks for run in block.runs]
    count = len(found.seeds)
    if runs:
        where = runs[0].environment
        releases = ", ".join(dict.fromkeys(run.environment.kernel for run in runs))
        yield (
            f"{count} perturbed run{'s' * (count != 1)} each (median, and the range in "
            f"parentheses); clock {where.clock}, kernel {releases}, {where.cpus} CPUs, "
            f"QEMU {where.qemu}, seeds {found.seeds[0]}..{found.seeds[-1]}"
        )
    if not found.is_enough:
        yield f"{count} runs are too few for a verdict: it takes {ENOUGH_RUNS}."


def _summary(found: Verification, *, colour: bool) -> str:
    outcomes = Counter(claim.outcome for block in found.blocks for claim in block.claims)
    claims = outcomes.total()
    if found.holds:
        return _painted(f"all {claims} claims hold", _COLOURS[Outcome.OK], colour)
    parts = [f"{outcomes[o]} {w}" for o, w in ((Outcome.OK, "hold"), (Outcome.FAIL, "fail"),
             (Outcome.NOT_MEASURED, "not measured")) if outcomes[o]]  # fmt: skip
    return _painted(f"of {claims} claims: {', '.join(parts)}", _COLOURS[Outcome.FAIL], colour)
