# SPDX-License-Identifier: Apache-2.0
"""The actions that come next to a nice value and a policy of the kernel's own scheduler."""

from __future__ import annotations

# The kernel's weight of each nice level (sched_prio_to_weight); 1024 there is 100 here.
_WEIGHTS = (
    *(88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916),
    *(9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277),
    *(1024, 820, 655, 526, 423, 335, 272, 215, 172, 137),
    *(110, 87, 70, 56, 45, 36, 29, 23, 18, 15),
)
_LEVELS = ((-10, "urgent"), (-4, "high"), (3, "normal"), (14, "low"), (19, "idle"))
REAL_TIME = frozenset({"fifo", "rr", "deadline"})


def to_actions(nice: int, latency: int, sched: str) -> tuple[tuple[str, str], ...]:
    """Returns actions by their words: a level for `latency`, a weight for `nice` (-20 to 19).

    `sched` is the word for a policy: `idle`, `batch`, `fifo` and so on; others are the normal one.
    """
    if sched == "idle":
        return (("priority", "idle"),)
    result: list[tuple[str, str]] = []
    level = next(name for most, name in _LEVELS if latency <= most)
    if sched in REAL_TIME:
        level = "urgent"
    if level != "normal":
        result.append(("priority", level))
    if nice:
        weight = min(max(round(_WEIGHTS[nice + 20] * 100 / 1024), 1), 10_000)
        result.append(("weight", str(weight)))
    if sched == "batch":
        result.append(("slice", "10ms"))
    return tuple(result)
