# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The thresholds of a suggestion, and the reason of each. docs/know-before.md has them, too."""

from __future__ import annotations

FEWEST_WAKEUPS = 100
"""A p99 needs 100 waits; a group with fewer is left as it is."""
LONGEST_SHORT_BURST_NS = 2_000_000
"""A task that computes for longer at a time needs CPU time more than an early turn."""
LATE_NS = 200_000
"""Nobody notices shorter waits, and a replay is wrong about them (docs/replay.md)."""
LATE_BURSTS = 1.0
"""A wait at p99 that is shorter than the work itself at most doubles its time."""
LONGER_BURST = 4.0
"""A group that computes so many times as long at a time can stand back for the other one."""
LEAST_BLAME = 0.25
"""A priority shortens what a group waits for such others, and not what it waits for itself."""
MOST_RULES = 8
"""Groups that go first. Where everything is first nothing is, and each rule costs replays."""
MOST_REPLAYS = 24
"""After so many, a policy that still slows something is given up."""
BATCH_BURST_NS = 1_000_000
"""The least slice of a class by default: a task that computes for longer fills it."""
BATCH_SHARE = 0.10
"""Of all CPU time. A group that takes less delays nobody for long."""
LONG_BURST_NS = 10_000_000
"""The slice of a batch rule: a task that sleeps earlier gains nothing from it."""
MOST_LOSS = 1.10
"""How many times as long anything else may wait, or its work take."""
LEAST_LOSS_NS = 20_000
"""Waits that differ by less are the same, as in a verdict of `gthulhu replay`."""
FEWEST_TO_JUDGE = 20
"""Wake-ups in both replays; with fewer a quantile is chance."""
LEAST_SHARE_TO_JUDGE = 0.01
"""Of all CPU time: what takes less and is rarely woken, such as a shell, is not judged."""
LEAST_GAIN = 1.25
"""A rule that shortens its tasks' waits by a smaller factor is left out."""
WANTED_GAIN = 3.0
"""With this factor for each rule, no other rung of the ladder is tried."""
