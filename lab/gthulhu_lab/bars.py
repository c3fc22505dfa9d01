# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The bars that the project sets for its speed, each judged by a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from gthulhu_lab.benchmark import (
    CGROUPS_OFF,
    DEFAULT_ONLY,
    FEW_RULES,
    INTERACTIVE,
    MANY_RULES,
    Benchmark,
    enable_s,
    map_kb,
    one_cpu_ns,
    rules_name,
    translated_bytes,
    two_cpus_ns,
)
from gthulhu_lab.measure import EEVDF, SCHED_FIFO, ScenarioRun
from gthulhu_lab.stats import Spread

# Round trips of one scheduler differ by this much from seed to seed.
NOISE = 0.004

_WAKE_UP = 1.4
_UNNAMED_P50, _UNNAMED_P99 = 1.25, 1.0
_MESSAGE = 1.05
_HOGS = 0.98
_RULES = 0.005
_COUNTING = 1.03
_CGROUPS = 1.01
_ENABLE_S = 0.7
_MAPS_KB = 200.0
_BYTES, _BYTES_OF_DEFAULT_ONLY = 40_000.0, 20_000.0


class BarVerdict(StrEnum):
    """The verdict on a bar."""

    OK = "ok"
    MISS = "MISS"
    UNKNOWN = "-"  # a figure that it needs is missing


@dataclass(frozen=True, slots=True)
class Bar:
    """One bound on the project's speed, and the verdict."""

    group: str
    bar: str
    value: str
    verdict: BarVerdict


def judge(benchmark: Benchmark) -> list[Bar]:
    """All bars, in the order of the table."""
    policy = benchmark.policy
    return [
        _against(benchmark, DEFAULT_ONLY, one_cpu_ns, "scx_simple", 1.05),
        _against(benchmark, DEFAULT_ONLY, two_cpus_ns, "scx_simple", 1.0),
        _against(benchmark, policy, one_cpu_ns, "scx_simple", 1.08),
        *(
            _against(benchmark, policy, one_cpu_ns, peer, None)
            for peer in ("scx_flash", "scx_bpfland", "scx_layered")
        ),
        *_latencies(benchmark),
        *(
            _unnamed(benchmark, name, percent, factor)
            for name in (policy, DEFAULT_ONLY)
            for percent, factor in ((50, _UNNAMED_P50), (99, _UNNAMED_P99))
        ),
        *(_messages(benchmark, name) for name in (DEFAULT_ONLY, INTERACTIVE)),
        _hogs(benchmark),
        _rules(benchmark),
        _counting(benchmark),
        _cgroups(benchmark),
        *_sizes(benchmark),
        *(_growth(benchmark, cpus) for cpus in benchmark.cpus[1:]),
    ]


def _against(
    benchmark: Benchmark,
    subject: str,
    figure: Callable[[ScenarioRun], float],
    peer: str,
    factor: float | None,
) -> Bar:
    """A round trip against a peer's: at most a multiple of it, or below it."""
    where = "one CPU" if figure is one_cpu_ns else "two CPUs"
    group = f"{subject}: round trip on {where}"
    bar = f"< {peer}" if factor is None else f"≤ {factor:.2f} × {peer}"
    ours, theirs = (benchmark.spread(name, figure) for name in (subject, peer))
    if ours is None or theirs is None:
        return _unknown(group, bar, {subject: ours, peer: theirs})
    ratio = ours.median / theirs.median
    kept = ratio < 1 if factor is None else ratio <= factor
    shown = f"{ours.median:,.0f}"
    if ours.high > ours.low * (1 + NOISE):
        shown = f"{ours.low:,.0f} to {ours.high:,.0f}"
    value = f"{ratio:.3f} ×  ({shown} of {theirs.median:,.0f} ns)"
    return Bar(group, bar, value, _verdict(kept=kept))


def _latencies(benchmark: Benchmark) -> Iterator[Bar]:
    policy = benchmark.policy
    group = f"{policy}: wake-up p99 of the matched task"
    ours, fifo, layered = (
        benchmark.latency_us(name, "ping", 99) for name in (policy, SCHED_FIFO.name, "scx_layered")
    )
    yield _times(group, _WAKE_UP, (policy, ours), (SCHED_FIFO.name, fifo))
    bar = "< scx_layered"
    if ours is None or layered is None:
        yield _unknown(group, bar, {policy: ours, "scx_layered": layered})
    else:
        value = f"{_us(ours)} of {layered.median:,.0f} µs"
        yield Bar(group, bar, value, _verdict(kept=ours.median < layered.median))


def _unnamed(benchmark: Benchmark, name: str, percent: float, factor: float) -> Bar:
    """A task that no rule names wakes up as fast as under the kernel's own scheduler."""
    ours, theirs = (benchmark.latency_us(one, "other", percent) for one in (name, EEVDF.name))
    group = f"{name}: wake-up p{percent} of another task"
    return _times(group, factor, (name, ours), (EEVDF.name, theirs))


def _messages(benchmark: Benchmark, name: str) -> Bar:
    ours, theirs = (benchmark.messages_ns(one) for one in (name, EEVDF.name))
    return _times(f"{name}: a message", _MESSAGE, (name, ours), (EEVDF.name, theirs), unit="ns")


def _times(
    group: str,
    factor: float,
    ours: tuple[str, Spread | None],
    theirs: tuple[str, Spread | None],
    unit: str = "µs",
) -> Bar:
    """A median that is at most a multiple of another's."""
    (name, spread), (other, reference) = ours, theirs
    bar = f"≤ {factor:.2f} × {other}"
    if spread is None or reference is None:
        return _unknown(group, bar, {name: spread, other: reference})
    value = f"{spread.median / reference.median:.2f} ×  ({spread.median:,.0f} "
    value += f"of {reference.median:,.0f} {unit})"
    return Bar(group, bar, value, _verdict(kept=spread.median <= factor * reference.median))


def _hogs(benchmark: Benchmark) -> Bar:
    policy = benchmark.policy
    group, bar = f"{policy}: instructions of the hogs", f"≥ {_HOGS} × EEVDF"
    share = benchmark.hog_share(policy)
    if share is None:
        return _unknown(group, bar, {f"{policy} or {EEVDF.name}": None})
    value = f"{share.median:.3f} ×  ({share.low:.3f} to {share.high:.3f})"
    return Bar(group, bar, value, _verdict(kept=share.median >= _HOGS))


def _rules(benchmark: Benchmark) -> Bar:
    few, many = (rules_name(count) for count in (FEW_RULES, MANY_RULES))
    group, bar = f"{MANY_RULES:,} comm rules instead of {FEW_RULES}", f"round trip ± {_RULES:.1%}"
    one, other = (benchmark.spread(name, one_cpu_ns) for name in (few, many))
    if one is None or other is None:
        return _unknown(group, bar, {few: one, many: other})
    change = other.median / one.median - 1
    value = f"{change:+.2%}  ({other.median:,.0f} of {one.median:,.0f} ns)"
    return Bar(group, bar, value, _verdict(kept=abs(change) <= _RULES))


def _counting(benchmark: Benchmark) -> Bar:
    counting, plain = (rules_name(FEW_RULES, counting=counts) for counts in (True, False))
    return _dearer(benchmark, "counting what tasks do (--stats)", counting, plain, _COUNTING)


def _cgroups(benchmark: Benchmark) -> Bar:
    group = "`cgroups auto` where no cgroup has the cpu controller"
    return _dearer(benchmark, group, DEFAULT_ONLY, CGROUPS_OFF, _CGROUPS)


def _dearer(benchmark: Benchmark, group: str, name: str, other: str, factor: float) -> Bar:
    """A round trip under one of our schedulers, in proportion to another one."""
    bar = f"round trip ≤ {factor} ×"
    ours, theirs = (benchmark.spread(each, one_cpu_ns) for each in (name, other))
    if ours is None or theirs is None:
        return _unknown(group, bar, {name: ours, other: theirs})
    ratio = ours.median / theirs.median
    value = f"{ratio:.3f} ×  ({ours.median:,.0f} of {theirs.median:,.0f} ns)"
    return Bar(group, bar, value, _verdict(kept=ratio <= factor))


def _sizes(benchmark: Benchmark) -> Iterator[Bar]:
    policy, size = benchmark.policy, "BPF after translation"
    yield _at_most(benchmark, policy, "loader, exec to enabled", enable_s, (_ENABLE_S, "s", 3))
    yield _at_most(benchmark, policy, "memory of all maps", map_kb, (_MAPS_KB, "KB", 1))
    for name, most in (
        (DEFAULT_ONLY, _BYTES_OF_DEFAULT_ONLY), (policy, _BYTES), (INTERACTIVE, _BYTES),
    ):  # fmt: skip
        yield _at_most(benchmark, name, size, translated_bytes, (most, "bytes", 0))


def _at_most(
    benchmark: Benchmark,
    name: str,
    what: str,
    figure: Callable[[ScenarioRun], float],
    limit: tuple[float, str, int],
) -> Bar:
    """A figure that has a limit, with its unit and digits."""
    most, unit, digits = limit
    group, bar = f"{name}: {what}", f"≤ {most:,g} {unit}"
    spread = benchmark.spread(name, figure)
    if spread is None:
        return _unknown(group, bar, {name: spread})
    value = f"{spread.median:,.{digits}f} {unit}"
    if f"{spread.low:.{digits}f}" != f"{spread.high:.{digits}f}":
        value += f"  ({spread.low:,.{digits}f} to {spread.high:,.{digits}f})"
    return Bar(group, bar, value, _verdict(kept=spread.median <= most))


def _growth(benchmark: Benchmark, cpus: int) -> Bar:
    """The growth with the number of CPUs. Both ratios are noisy, so the bound has NOISE added."""
    policy, peer = benchmark.policy, "scx_bpfland"
    group = f"{policy}: round trip, {cpus} CPUs by {benchmark.cpus[0]}"
    bar = f"≤ {peer}'s + {NOISE:.1%}"
    ours, theirs = (benchmark.growth(name, cpus) for name in (policy, peer))
    if ours is None or theirs is None:
        return _unknown(group, bar, {policy: ours, peer: theirs})
    value = f"{ours:.3f} ×  of {theirs:.3f} ×"
    return Bar(group, bar, value, _verdict(kept=ours <= theirs + NOISE))


def _us(spread: Spread) -> str:
    return f"{spread.median:,.0f} µs ({spread.low:,.0f} to {spread.high:,.0f})"


def _verdict(*, kept: bool) -> BarVerdict:
    return BarVerdict.OK if kept else BarVerdict.MISS


def _unknown(group: str, bar: str, figures: Mapping[str, object | None]) -> Bar:
    missing = " and ".join(name for name, figure in figures.items() if figure is None)
    return Bar(group, bar, f"no figures of {missing}", BarVerdict.UNKNOWN)
