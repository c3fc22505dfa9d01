# SPDX-License-Identifier: Apache-2.0
"""A policy whose best values are known, for `gthulhu tune`."""

from __future__ import annotations

# The claims leave one weight of the ladder, and of its slices the longest ones wait too long.
PLANTED = """\
policy planted {}
tunable turn = 1ms in 500us..50ms
tunable heft = 500 in 20..1000
rule jobs { match comm == "jobs" slice turn weight heft }
expect hogs as jobs under pinned-hogs 2x {
    max(wait jobs)  < 35ms
    share(jobs)    >= 63%
    share(default) >= 31%
}
"""
OPTIMUM = {"turn": "15ms", "heft": "400"}
SMALL = ("--machine", "2", "--seconds", "1", "--no-costs", "--prefer", "switches")
"""Options for a search of some seconds."""
