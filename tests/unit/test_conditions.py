# SPDX-License-Identifier: Apache-2.0
"""Conditions as `status` and `metrics` show them."""

from __future__ import annotations

from fake_loader import PROMISES
from gthulhu import conditions


def test_lines() -> None:
    assert list(conditions.lines(PROMISES)) == [
        "time in 22:00..06:00: holds since 2026-11-21T22:00:00Z (shop.gpl:40); switched 3 times",
        "pressure cpu > 20% for 5s: unknown, so it does not hold (shop.gpl:44)",
    ]


def test_metrics() -> None:
    found = {
        (sample.name, *sample.labels.values()): sample.value
        for family in conditions.families(PROMISES)
        for sample in family.samples
    }
    assert found == {
        ("gthulhu_condition_holds", "time in 22:00..06:00", "40"): 1,
        ("gthulhu_condition_holds", "pressure cpu > 20% for 5s", "44"): 0,
        ("gthulhu_condition_switches_total", "time in 22:00..06:00", "40"): 3,
        ("gthulhu_condition_switches_total", "pressure cpu > 20% for 5s", "44"): 0,
    }
