# SPDX-License-Identifier: Apache-2.0
"""The conditions of the policy in force, from the loader's response to `status`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client import Metric

    from gthulhu.control import Answer

_SAID = {"yes": "holds", "no": "does not hold", "unknown": "unknown, so it does not hold"}


def lines(answer: Answer) -> Iterator[str]:
    """A line for each condition: whether it holds, and since when."""
    for each in answer["conditions"]:
        since = f" since {each['since']}" if "since" in each else ""
        switches = f"; switched {each['switches']} times" if each["switches"] else ""
        place = f"{answer['source']}:{each['line']}"
        yield f"{each['condition']}: {_SAID[each['holds']]}{since} ({place}){switches}"


def families(answer: Answer) -> Iterator[Metric]:
    """The conditions as metrics."""
    from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

    whose = ["condition", "line"]
    holds = GaugeMetricFamily(
        "gthulhu_condition_holds", "Whether the condition holds.", labels=whose
    )
    switches = CounterMetricFamily(
        "gthulhu_condition_switches",
        "Times that the condition began or ceased to hold.",
        labels=whose,
    )
    for each in answer["conditions"]:
        labels = [each["condition"], str(each["line"])]
        holds.add_metric(labels, each["holds"] == "yes")
        switches.add_metric(labels, each["switches"])
    if answer["conditions"]:
        yield from (holds, switches)
