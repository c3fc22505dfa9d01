# SPDX-License-Identifier: Apache-2.0
"""Template variables for traced functions: each function once, with its questions."""

from __future__ import annotations

from typing import Any

from gthulhuc import ir
from gthulhuc.codegen.text import c_break, c_comment


def build(scheduler: ir.Ir) -> dict[str, Any] | None:
    """Returns the numbered questions and the functions; None for a policy without `calls`."""
    calls = [call for call in scheduler.runtime if call.function is not None]
    if not calls:
        return None
    numbers = {call.fact: number for number, call in enumerate(calls)}
    terms = [f"calls->last[{number}]" for number in numbers.values()]
    functions = []
    for number, name in enumerate(dict.fromkeys(call.function for call in calls)):
        asked = [call for call in calls if call.function == name]
        always = [numbers[call.fact] for call in asked if call.via_softirq]
        functions.append(
            {
                "number": number,
                "id": f"note_call_{number}",
                "name": name,
                "comment": c_comment(name or ""),
                "via_softirq": "true" if always else "false",
                # The first also count calls from soft interrupts, the others the task's.
                "always": always or [numbers[call.fact] for call in asked],
                "by_itself": always and [numbers[f.fact] for f in asked if not f.via_softirq],
            }
        )
    any_of = c_break("\tif (!(", terms, "||", "\t      ")
    return {
        "facts": [
            {"number": numbers[f.fact], "id": f.fact.upper(), "within_ns": f"{f.within_ns}ULL"}
            for f in calls
        ],
        "none": f"!{terms[0]}" if len(terms) == 1 else f"!({any_of})",
        "functions": functions,
    }
