# SPDX-License-Identifier: Apache-2.0
"""Converts the layers of scx_layered to rules, in their order: in both, the first match counts.

The layer for all other tasks becomes `default`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gthulhuc.importers.document import Document, Finding, Rule, settle, unique, word
from gthulhuc.importers.layered_actions import check_settings, to_actions
from gthulhuc.importers.layered_layers import Layer, LayerError, read_layers
from gthulhuc.importers.layered_matches import Predicate, to_predicate
from gthulhuc.importers.outcomes import Note, explained, summarized
from gthulhuc.records import dataclass

# The actions by which a rule takes over none of those of `default`.
_NEUTRAL = {
    "priority": "normal",
    "weight": "100",
    "cpus": "all",
    "migrate": "balanced",
    "perf": "auto",
}


@dataclass(frozen=True, slots=True)
class _Taken:
    """A layer, with what becomes of it."""

    layer: Layer
    predicate: Predicate
    actions: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]


def convert(name: str, document: Any) -> tuple[Document, list[Finding]]:
    """Returns the policy for a configuration, and findings about what becomes of each layer."""
    layers, findings = read_layers(name, document)
    taken: list[_Taken] = []
    rest: _Taken | None = None
    for layer in layers:
        if rest is not None:
            message = f"skipped: {rest.layer.place} takes all tasks before it"
            findings.append(Finding(layer.place, message))
            continue
        try:
            row = _take(layer)
        except LayerError as error:
            message = f"the layer is skipped: {error}"
            findings.append(Finding(error.place, message, is_error=True))
            continue
        if row.predicate.is_never or row.predicate.parts:
            taken.append(row)
        else:
            rest = row
    rules, default = _rules(taken, rest)
    rows = taken if rest is None else [*taken, rest]
    names = {rule.place: rule.name for rule in rules}
    findings += [_summary(row, names) for row in rows]
    findings += explained(name, [note for row in rows for note in row.notes])
    findings += _general(name, rows, has_rest=rest is not None)
    title = name.rsplit("/", 1)[-1]
    comment = f"Imported from {title} with `gthulhu import layered`."
    commands = dict.fromkeys(text for row in rows for text in row.predicate.commands)
    made = Document("imported", (comment,), rules, commands=tuple(commands), default=default)
    document, more = _settled(name, made)
    return document, [*findings, *more]


def _settled(name: str, document: Document) -> tuple[Document, list[Finding]]:
    """The document, without `preempt` if every class has it: there is no lower level then."""
    if document.default is None or "preempt" not in dict(document.default.actions):
        return document, []
    plain = replace(
        document,
        rules=tuple(_calm(rule) for rule in document.rules),
        default=_calm(document.default),
    )
    plain, findings = settle(plain)
    names = {rule.name for rule in plain.rules}
    rules = tuple(rule for rule in document.rules if rule.name in names)
    if any("preempt" not in dict(rule.actions) for rule in rules):
        return replace(document, rules=rules), findings
    message = "`preempt` is lost: no layer is left whose tasks could be preempted"
    return plain, [*findings, Finding(name, message)]


def _calm(rule: Rule) -> Rule:
    actions = ((key, text) for key, text in rule.actions if key not in ("priority", "preempt"))
    return replace(rule, actions=tuple(actions))


def _take(layer: Layer) -> _Taken:
    """Raises LayerError."""
    unknown = check_settings(layer)
    predicate = to_predicate(layer)
    actions, notes = to_actions(layer)
    if predicate.is_never:
        return _Taken(layer, predicate, (), predicate.notes)
    return _Taken(layer, predicate, actions, (*predicate.notes, *notes, *unknown))


def _rules(taken: Sequence[_Taken], rest: _Taken | None) -> tuple[tuple[Rule, ...], Rule | None]:
    """The rules of layers, and `default`."""
    taken = [row for row in taken if not row.predicate.is_never]
    inherited = dict(rest.actions) if rest is not None else {}
    names = unique(word(row.layer.name, "layer") for row in taken)
    rules = tuple(
        Rule(
            name,
            row.predicate.parts,
            _complete(row.actions, inherited),
            _comments(row),
            row.layer.place,
        )
        for name, row in zip(names, taken, strict=True)
    )
    if rest is None:
        return rules, None
    return rules, Rule("default", (), rest.actions, _comments(rest), rest.layer.place)


def _complete(
    actions: tuple[tuple[str, str], ...], inherited: dict[str, str]
) -> tuple[tuple[str, str], ...]:
    """The actions of a rule that takes none over from `default`."""
    own = dict(actions)
    extra = ((key, text) for key, text in _NEUTRAL.items() if key in inherited and key not in own)
    return (*actions, *extra)


def _comments(row: _Taken) -> tuple[str, ...]:
    layer = row.layer
    head = f"Layer {layer.name!r}" + (f": {layer.comment}" if layer.comment else "")
    return (head, *(f"Without the tasks of: {text}" for text in row.predicate.left_out))


def _summary(row: _Taken, names: dict[str, str]) -> Finding:
    """A note on a layer: its rule, and which of its keys are kept, approximated and lost."""
    layer = row.layer
    name = names.get(layer.place, "default")
    becomes = f"becomes `{name}`" if name == "default" else f"becomes rule `{name}`"
    if row.predicate.is_never:
        becomes = "is left out, as no condition is left that a task can meet"
    message = f"layer `{layer.name}` {becomes}{summarized(row.notes)}"
    return Finding(layer.place, message, is_note=not row.predicate.is_never)


def _general(name: str, rows: Sequence[_Taken], *, has_rest: bool) -> list[Finding]:
    """Notes on the whole file."""
    findings: list[Finding] = []
    for row in rows:
        if row.predicate.left_out:
            message = (
                "a list of conditions takes no task if one of them is lost: "
                f"{'; '.join(row.predicate.left_out)}"
            )
            hint = "later rules take the tasks"
            findings.append(Finding(f"{row.layer.place}.matches", message, hint))
    if rows and not has_rest:
        message = "no layer takes all other tasks, as scx_layered's last must (`[[]]`)"
        findings.append(Finding(name, message, "they are in `default`, with its own settings"))
    if rows:
        message = (
            "kernel threads are in no rule that does not name `kthread`, nor in `default`; "
            "scx_layered puts them into layers as other tasks"
        )
        findings.append(Finding(name, message))
    return findings
