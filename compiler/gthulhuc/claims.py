# SPDX-License-Identifier: Apache-2.0
"""Claims of a checked policy: its `expect` blocks and its promises."""

from __future__ import annotations

from enum import Enum

from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.tunables import Value


@dataclass(frozen=True, slots=True)
class Baseline:
    """The baseline of a claim: `eevdf`, a peer's name, or another policy's path."""

    name: str
    is_policy: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of an `expect` or a `promise` block.

    `statistic` is p50, p90, p99, p999, max, mean, share, rate or time; `metric` is wakeup, wait,
    time or None; `target` is a rule, `default` or a workload. `bound` is in ns, in operations per
    second or, for a share or with a baseline, in thousandths (20% is 200).
    """

    statistic: str
    metric: str | None
    target: str
    operator: str
    bound: Value
    baseline: Baseline | None
    span: Span


@dataclass(frozen=True, slots=True)
class Load:
    """A background load: its workload, its amount in thousandths of the CPUs, and its rule."""

    workload: str
    amount: int
    rule: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Expectation:
    """One `expect` block; `rule` is None if `default` takes the workload's tasks."""

    workload: str
    rule: str | None
    loads: tuple[Load, ...]
    claims: tuple[Claim, ...]
    span: Span


class Otherwise(Enum):
    """The reaction to a broken promise."""

    LOG = "log"
    ROLLBACK = "rollback"
    EEVDF = "eevdf"


@dataclass(frozen=True, slots=True)
class Promise:
    """One `promise` block: claims without baselines about windows of the running machine.

    `rule` is a rule or `default`; the claims may be about others.
    """

    rule: str
    window_ns: int
    claims: tuple[Claim, ...]
    otherwise: Otherwise
    span: Span
