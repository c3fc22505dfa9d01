# SPDX-License-Identifier: Apache-2.0
"""Traced functions as the templates see them: each once, with the questions about it."""

from __future__ import annotations

from typing import Any

from gthulhuc import ir
from gthulhuc.codegen.text import c_break, c_comment


def build(plan: ir.Ir) -> dict[str, Any] | None:
    """The questions, numbered, and the functions; None where the policy has no `calls`."""
    facts = [fact for fact in plan.runtime if fact.function is not None]
    if not facts:
        return None
    numbers = {fact.fact: number for number, fact in enumerate(facts)}
    terms = [f"calls->last[{number}]" for number in numbers.values()]
    functions = []
    for number, name in enumerate(dict.fromkeys(fact.function for fact in facts)):
        asked = [fact for fact in facts if fact.function == name]
        always = [numbers[fact.fact] for fact in asked if fact.via_softirq]
        functions.append(
            {
                "number": number,
                "id": f"note_call_{number}",
                "name": name,
                "comment": c_comment(name or ""),
                "via_softirq": "true" if always else "false",
                # Who counts also what a soft interrupt does; the others only what the task does.
                "always": always or [numbers[fact.fact] for fact in asked],
                "by_itself": always and [numbers[f.fact] for f in asked if not f.via_softirq],
            }
        )
    return {
        "facts": [
            {"number": numbers[f.fact], "id": f.fact.upper(), "within_ns": f"{f.within_ns}ULL"}
            for f in facts
        ],
        "any": c_break("\tif (!(", terms, "||", "\t      "),
        "functions": functions,
    }
