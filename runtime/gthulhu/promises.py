# SPDX-License-Identifier: Apache-2.0
"""The promises of the policy in force, from the loader's response to `status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gthulhu.counters import show_ns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client import Metric

    from gthulhu.control import Answer

VERDICTS = ("kept", "broken", "silent")


def lines(answer: Answer) -> Iterator[str]:
    """A line for each promise and for each of its claims, with the values of the last window."""
    for promise in answer["promises"]:
        windows = ", ".join(f"{promise[f'windows_{verdict}']} {verdict}" for verdict in VERDICTS)
        state = "broken" if promise["broken"] else _state(promise)
        head = f"{promise['rule']} over {show_ns(promise['window_ns'])}"
        place = f"{answer['source']}:{promise['line']}"
        yield f"{head}, else {promise['else']}: {state} ({place}); windows: {windows}"
        for claim in promise["claims"]:
            yield f"  {claim['text']}: {value(claim)}{_why(claim)}"


def _state(promise: dict[str, Any]) -> str:
    return "kept" if promise["windows_kept"] else "not judged yet"


def value(claim: dict[str, Any]) -> str:
    """The value of a claim in the last window."""
    if claim["unit"] == "permille":
        return f"{claim['value'] / 10:.1f}%"
    if not claim["value"]:
        return f"{claim['waits']} waits"
    return f"{show_ns(claim['value'])} of {claim['waits']} waits"


def _why(claim: dict[str, Any]) -> str:
    said = {"kept": "", "broken": ", broken", "silent": ", which says nothing"}
    return said[claim["last"]]


def fallback(answer: Answer) -> Iterator[str]:
    """The last time that the loader went back by itself."""
    for last in answer.get("fallback", ()):
        to = f"to generation {last['to']}" if last["to"] else "to the kernel's own scheduler"
        yield f"from generation {last['from']} {to}, {last['at']}: {last['reason']}"


def families(answer: Answer) -> Iterator[Metric]:
    """The promises and the fallbacks as metrics."""
    from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

    fallbacks = CounterMetricFamily(
        "gthulhu_fallbacks", "Times that the loader went back to another policy by itself."
    )
    fallbacks.add_metric([], answer["fallbacks"])
    yield fallbacks
    whose = ["rule", "line"]
    broken = GaugeMetricFamily(
        "gthulhu_promise_broken", "Whether the promise is broken.", labels=whose
    )
    windows = CounterMetricFamily(
        "gthulhu_promise_windows",
        "Windows that were judged, by what they say about the promise.",
        labels=[*whose, "verdict"],
    )
    claims = GaugeMetricFamily(
        "gthulhu_claim_value",
        "The claim's value in the last window: seconds, or a part of all CPU time.",
        labels=[*whose, "claim"],
    )
    bounds = GaugeMetricFamily(
        "gthulhu_claim_bound", "The bound of the claim's value.", labels=[*whose, "claim"]
    )
    for promise in answer["promises"]:
        labels = [promise["rule"], str(promise["line"])]
        broken.add_metric(labels, promise["broken"])
        for verdict in VERDICTS:
            windows.add_metric([*labels, verdict], promise[f"windows_{verdict}"])
        for claim in promise["claims"]:
            scale = 1e3 if claim["unit"] == "permille" else 1e9
            if claim["last"] != "silent":
                claims.add_metric([*labels, claim["text"]], claim["value"] / scale)
            bounds.add_metric([*labels, claim["text"]], claim["bound"] / scale)
    if answer["promises"]:
        yield from (broken, windows, claims, bounds)
