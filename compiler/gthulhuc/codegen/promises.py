# SPDX-License-Identifier: Apache-2.0
"""Template variables for promises: what the scheduler counts, and what the loader judges by."""

from __future__ import annotations

from typing import Any

from gthulhuc import ir
from gthulhuc.codegen import tunables
from gthulhuc.codegen.matching import class_id
from gthulhuc.codegen.text import c_comment

_LONGEST_TEXT = 127
_PARTS = {"p50": 500, "p90": 900, "p99": 990, "p999": 999, "max": 1000}
"""Statistics that are a value below which a part of the waits is, in thousandths."""


def build(scheduler: ir.Ir) -> dict[str, Any]:
    """Returns the template variables; `claims_of` has the timed claims by class."""
    numbers = tunables.numbers(scheduler)
    initial = {tunable.name: tunable.default for tunable in scheduler.tunables}
    ids = {cls.id: class_id(cls) for cls in scheduler.classes}
    said = [(index, c) for index, p in enumerate(scheduler.promises) for c in p.claims]
    claims = [
        {
            "promise": promise,
            "number": number,
            **_claim(claim, ids),
            **_bound(claim.bound, number, numbers, initial),
        }
        for number, (promise, claim) in enumerate(said)
    ]
    timed = [claim for claim in claims if claim["part"]]
    counted = list(dict.fromkeys(claim["class"] for claim in claims))
    return {
        "promises": [_promise(promise) for promise in scheduler.promises],
        "claims": claims,
        "timed_claims": bool(timed),
        "tunable_claims": [claim for claim in timed if claim["is_tunable"]],
        "claims_of": [
            (cls, found)
            for cls in counted
            if (found := [claim for claim in timed if claim["class"] == cls])
        ],
        "counted": counted,
    }


def summary(scheduler: ir.Ir) -> list[dict[str, Any]]:
    """Returns the promises for people, as the metadata has them."""
    return [
        {
            "rule": promise.rule,
            "line": promise.line,
            "window_ns": promise.window_ns,
            "claims": [claim.text for claim in promise.claims],
            "else": promise.otherwise,
        }
        for promise in scheduler.promises
    ]


def _promise(promise: ir.Promise) -> dict[str, Any]:
    return {
        "rule": promise.rule[:63],
        "window_ns": promise.window_ns,
        "line": promise.line,
        "otherwise": f"GTHULHU_ELSE_{promise.otherwise.upper()}",
    }


def _claim(claim: ir.Claim, ids: dict[str, str]) -> dict[str, Any]:
    """A claim for the loader; and for the scheduler, which waits are beyond its bound."""
    statistic = {"mean": "MEAN", "share": "SHARE"}.get(claim.statistic, "QUANTILE")
    return {
        "line": claim.line,
        "text": claim.text[:_LONGEST_TEXT],
        "comment": c_comment(claim.text),
        "statistic": f"GTHULHU_{statistic}",
        "part": _PARTS.get(claim.statistic, 0),
        "class": ids[claim.cls],
        "is_woken": claim.metric == "wakeup",
        "is_above": claim.operator[0] == ">",
        "is_equal": claim.operator[-1] == "=",
        "beyond": ">=" if claim.operator in ("<", ">=") else ">",
    }


def _bound(
    bound: ir.Value, number: int, numbers: dict[str, int], initial: dict[str, int]
) -> dict[str, Any]:
    """The bound of a claim: a constant, or a variable that has the value of a tunable."""
    if isinstance(bound, int):
        return {"is_tunable": False, "bound": bound, "c_bound": f"{bound}ULL"}
    return {
        "is_tunable": True,
        "tunable": numbers[bound.tunable] + 1,
        "place_of": numbers[bound.tunable],
        "bound": initial[bound.tunable],
        "c_bound": f"claim_bounds[{number}]",
    }
