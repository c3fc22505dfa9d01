# SPDX-License-Identifier: Apache-2.0
"""Template variables for questions about labels: the tables from which the loader answers them."""

from __future__ import annotations

from typing import Any

from gthulhuc import ir, irmatch
from gthulhuc.codegen.text import c_rows

_ASKS = {"has": "HAS", "is": "IS", "glob": "MATCHES", "regex": "MATCHES"}


def build(scheduler: ir.Ir) -> dict[str, Any] | None:
    """Returns the questions, their joined texts, and the cells of their automata."""
    late = [comparison for comparison in scheduler.runtime if comparison.late]
    if not late:
        return None
    lines = {comparison.id: comparison.line for comparison in scheduler.comparisons}
    texts = _Texts()
    cells: list[int] = []
    questions = []
    for comparison in late:
        values = comparison.values if comparison.operator == "is" else ()
        question = {
            "line": lines[comparison.fact],
            "bit": comparison.index,
            "subject": f"GTHULHU_{comparison.subject.upper()}",
            "asks": f"GTHULHU_{_ASKS[comparison.operator]}",
            "text": texts.add(comparison.key or "", *values),
            "nr_values": len(values),
        }
        if comparison.automaton:
            question |= {
                "table": len(cells),
                "nr_states": len(comparison.automaton.accepts),
                "nr_columns": comparison.automaton.nr_columns,
            }
            cells += _cells(comparison.automaton)
        questions.append([(name, value) for name, value in question.items() if value != 0])
    return {"questions": questions, "texts": texts.texts, "cells": c_rows(cells)}


class _Texts:
    """Strings in one buffer, each with a NUL after it."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        self._end = 0

    def add(self, *texts: str) -> int:
        """Returns the offset of the first string."""
        begin = self._end
        for text in texts:
            self.texts.append(text.encode("latin-1"))
            self._end += len(self.texts[-1]) + 1
        return begin


def _cells(automaton: irmatch.Automaton) -> list[int]:
    """The column of each byte, the accepting states, and the row of each state."""
    accepts = [int(bool(accepted)) for accepted in automaton.accepts]
    return [*automaton.column, *accepts, *automaton.next_state]
