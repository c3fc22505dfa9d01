# SPDX-License-Identifier: Apache-2.0
"""Template variables for the graph of steps that decides the class in a large policy."""

from __future__ import annotations

from typing import Any

from gthulhuc import ir
from gthulhuc.codegen.conditions import Conditions
from gthulhuc.codegen.text import power_of_two
from gthulhuc.irmatch import Ask, Between, Counts, Decisions, Earlier, NamedId, Target, Test


def build(scheduler: ir.Ir, conditions: Conditions) -> dict[str, Any] | None:
    """Returns the steps, and what they read of a task; None if there is no graph."""
    if scheduler.decisions is None:
        return None
    return _View(scheduler, conditions, scheduler.decisions).variables()


class _View:
    def __init__(self, scheduler: ir.Ir, conditions: Conditions, graph: Decisions) -> None:
        self._conditions = conditions
        self._graph = graph
        self._monitors = [cls.id for cls in scheduler.classes if cls.monitor]
        table = scheduler.names.table if scheduler.names else None
        self._row_words = table.nr_words if table else 0
        self._nr_ids = len(scheduler.ids)
        self._sources: dict[str, int] = {}
        self._counts: int | None = None

    def variables(self) -> dict[str, Any]:
        rows = [self._row(step.ask, step.yes, step.no) for step in self._graph.steps]
        return {
            "start": _target(self._graph.start),
            "longest": self._graph.longest,
            "rows": rows,
            "nr_rows": power_of_two(len(rows)),
            "sources": [
                text if number == self._counts else f"value = {text}"
                for text, number in self._sources.items()
            ],
        }

    def _row(self, ask: Ask, yes: Target, no: Target) -> str:
        """The initialiser of a step."""
        source, word, bounds = self._question(ask)
        fields = [f".source = {source}"]
        fields += [f".word = {word}"] if word else []
        fields += [bounds, f".yes = {_target(yes)}", f".no = {_target(no)}"]
        return ", ".join(fields)

    def _question(self, ask: Ask) -> tuple[int, int, str]:
        """The source, the word of it, and what its value must be for a yes."""
        match ask:
            case Test():
                text, word, bit = self._conditions.value(ask)
                if word is not None:
                    text = f"{text}[bounded(s->word, {self._row_words})]"
                bounds = f".mask = {bit}, .low = {bit}, .high = {bit}" if bit else _ONE
                return self._source(text), word or 0, bounds
            case Between(subject=subject, low=low, high=high):
                return self._source(subject), 0, f".mask = ~0ULL, .low = {low}, .high = {high}"
            case NamedId(subject=subject, id=number):
                ids = f"policy_ids[bounded(s->word, {self._nr_ids})] == {subject}"
                return self._source(ids), number, _ONE
            case Earlier(class_id=class_id):
                last = f"CLASS_{class_id.upper()} - 1"
                return self._source("first"), 0, f".mask = ~0ULL, .low = 0, .high = {last}"
            case Counts(class_id=class_id):
                if self._counts is None:
                    self._counts = self._source("*monitored |= 1ULL << (s->word & 63)")
                return self._counts, self._monitors.index(class_id), _ONE

    def _source(self, text: str) -> int:
        return self._sources.setdefault(text, len(self._sources))


_ONE = ".mask = 1, .low = 1, .high = 1"


def _target(target: Target) -> str:
    if isinstance(target, int):
        return str(target)
    return f"DECIDED + CLASS_{target.upper()}" if target else "OTHERWISE"
