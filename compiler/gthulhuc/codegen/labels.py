# SPDX-License-Identifier: Apache-2.0
"""Questions about labels as the templates see them: tables from which the loader answers them."""

from __future__ import annotations

from typing import Any

from gthulhuc import ir, irmatch
from gthulhuc.codegen.text import c_rows

_ASKS = {"has": "HAS", "is": "IS", "glob": "MATCHES", "regex": "MATCHES"}


def build(plan: ir.Ir) -> dict[str, Any] | None:
    """The questions, their texts one after the other, and the cells of their automata."""
    facts = [fact for fact in plan.runtime if fact.late]
    if not facts:
        return None
    lines = {fact.id: fact.line for fact in plan.facts}
    texts = _Texts()
    cells: list[int] = []
    questions = []
    for fact in facts:
        values = fact.values if fact.operator == "is" else ()
        question = {
            "line": lines[fact.fact],
            "bit": fact.index,
            "subject": f"GTHULHU_{fact.subject.upper()}",
            "asks": f"GTHULHU_{_ASKS[fact.operator]}",
            "text": texts.add(fact.key or "", *values),
            "nr_values": len(values),
        }
        if fact.automaton:
            question |= {
                "table": len(cells),
                "nr_states": len(fact.automaton.accepts),
                "nr_columns": fact.automaton.nr_columns,
            }
            cells += _cells(fact.automaton)
        questions.append([(name, value) for name, value in question.items() if value != 0])
    return {"questions": questions, "texts": texts.texts, "cells": c_rows(cells)}


class _Texts:
    """Strings that stand one after the other, each with a 0 behind it."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        self._end = 0

    def add(self, *texts: str) -> int:
        """Where the first of them begins."""
        begin = self._end
        for text in texts:
            self.texts.append(text.encode("latin-1"))
            self._end += len(self.texts[-1]) + 1
        return begin


def _cells(automaton: irmatch.Automaton) -> list[int]:
    """The column of each byte, whether a state accepts, and each state's row."""
    accepts = [int(bool(facts)) for facts in automaton.accepts]
    return [*automaton.column, *accepts, *automaton.next_state]
