# SPDX-License-Identifier: Apache-2.0
"""The outcome of each key of another tool's settings, and how a report says so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from gthulhuc.importers.document import Finding
from gthulhuc.records import dataclass


class Outcome(Enum):
    """Whether a key counts in the policy."""

    KEPT = "keeps"
    APPROXIMATED = "approximates"
    LOST = "loses"


@dataclass(frozen=True, slots=True)
class Note:
    """The fate of one key of a setting. `said` explains it, if there is more to say."""

    place: str
    key: str
    outcome: Outcome
    said: str = ""


def summarized(notes: Iterable[Note]) -> str:
    """Returns the end of a sentence: `; it keeps `a`; loses `b``. It is empty without notes."""
    said = []
    notes = tuple(notes)
    for outcome in Outcome:
        keys = dict.fromkeys(f"`{note.key}`" for note in notes if note.outcome is outcome)
        if keys:
            said.append(f"{outcome.value} {', '.join(keys)}")
    return f"; it {'; '.join(said)}" * bool(said)


def explained(name: str, notes: Iterable[Note]) -> list[Finding]:
    """Returns a finding for each explanation, at `name` if it is about several places."""
    places: dict[tuple[str, Outcome, str], list[str]] = {}
    for note in notes:
        if note.said:
            places.setdefault((note.key, note.outcome, note.said), []).append(note.place)
    findings = []
    for (key, outcome, said), where in places.items():
        place = where[0] if len(where) == 1 else name
        times = "" if len(where) == 1 else f" ({len(where)} times)"
        text = f"`{key}`{times} is {outcome.name.lower()}: {said}"
        findings.append(Finding(place, text, is_note=outcome is Outcome.KEPT))
    return findings
