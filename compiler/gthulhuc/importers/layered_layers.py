# SPDX-License-Identifier: Apache-2.0
"""Reads the layers of scx_layered's JSON, and checks the form of each value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from gthulhuc.importers.document import Finding
from gthulhuc.records import dataclass
from gthulhuc.target import CPU_MAX

KINDS = ("Confined", "Grouped", "Open")
_LAYER_KEYS = frozenset({"name", "comment", "template", "matches", "kind"})


class LayerError(Exception):
    """A layer that scx_layered would refuse, too, with the place of the fault."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place = place


@dataclass(frozen=True, slots=True)
class Match:
    """One condition: its kind and value, as written."""

    place: str
    kind: str
    value: Any


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: a task that meets all conditions of one of `blocks` is in it.

    `settings`: the values of its kind, by their keys; `at` is their place.
    """

    place: str
    name: str
    comment: str
    template: Match | None
    blocks: tuple[tuple[Match, ...], ...]
    kind: str
    settings: Mapping[str, Any]
    at: str


@dataclass(frozen=True, slots=True)
class Shape:
    """The values that a key may have, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _listed(of: Callable[[Any], bool], *, count: int | None = None) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list) and count in (None, len(value)) and all(map(of, value))
    )


def is_text(value: Any) -> bool:
    """Whether a value is text that a name can contain."""
    return (
        isinstance(value, str)
        and "\0" not in value
        and not any("\ud800" <= char <= "\udfff" for char in value)
    )


TEXT = Shape("text", is_text)
FLAG = Shape("true or false", lambda value: isinstance(value, bool))
NUMBER = Shape("a number", _is_number)
WHOLE = Shape("a whole number of at least 0", _whole(0, 2**64 - 1))
ID = Shape("a whole number from 0 to 4294967295", _whole(0, 2**32 - 1))
SIGNED = Shape("a whole number", _whole(-(2**31), 2**31 - 1))
NUMBERS = Shape("a list of two numbers", _listed(_is_number, count=2))
WHOLES = Shape("a list of two whole numbers", _listed(_whole(0, 2**64 - 1), count=2))
INDEXES = Shape(f"a list of whole numbers from 0 to {CPU_MAX}", _listed(_whole(0, CPU_MAX)))


def optional(shape: Shape) -> Shape:
    """Returns the shape that also fits null."""
    return Shape(f"{shape.words} or null", lambda value: value is None or shape.fits(value))


def one_of_words(*words: str) -> Shape:
    """Returns the shape of a list of words."""
    return Shape(f"one of {', '.join(words)}", lambda value: value in words)


def expect(place: str, key: str, value: Any, shape: Shape) -> None:
    """Raises LayerError if a value does not have its shape."""
    if not shape.fits(value):
        raise LayerError(place, f"`{key}` {shown(value)} is not {shape.words}")


def shown(value: Any) -> str:
    """Returns a value in few characters, for a message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def read_layers(name: str, document: Any) -> tuple[list[Layer], list[Finding]]:
    """Returns the layers of a file, in order, and findings about the others."""
    if not isinstance(document, list):
        message = f"a configuration of scx_layered is a list of layers, not {shown(document)}"
        return [], [Finding(name, message, is_error=True)]
    layers: list[Layer] = []
    findings: list[Finding] = []
    for index, entry in enumerate(document):
        try:
            layers.append(_layer(f"{name}: [{index}]", entry, findings))
        except LayerError as error:
            message = f"the layer is skipped: {error}"
            findings.append(Finding(error.place, message, is_error=True))
    return layers, findings


def _layer(place: str, entry: Any, findings: list[Finding]) -> Layer:
    """Raises LayerError."""
    if not isinstance(entry, dict):
        raise LayerError(place, f"{shown(entry)} is not an object")
    for key in ("name", "matches", "kind"):
        if key not in entry:
            raise LayerError(place, f"it has no `{key}`")
    expect(f"{place}.name", "name", entry["name"], TEXT)
    comment, template = entry.get("comment"), entry.get("template")
    expect(f"{place}.comment", "comment", comment, optional(TEXT))
    kind, settings = _tagged(f"{place}.kind", "kind", entry["kind"])
    at = f"{place}.kind.{kind}"
    if kind not in KINDS:
        raise LayerError(at, f"`{kind}` is not one of the kinds {', '.join(KINDS)}")
    if not isinstance(settings, dict):
        raise LayerError(at, f"`{kind}` {shown(settings)} is not an object")
    for key in (key for key in entry if key not in _LAYER_KEYS):
        message = f"`{key}` is not a key of a layer; scx_layered ignores it, too"
        findings.append(Finding(f"{place}.{key}", message))
    return Layer(
        place=place,
        name=entry["name"],
        comment=comment or "",
        template=None if template is None else _match(f"{place}.template", template),
        blocks=_blocks(f"{place}.matches", entry["matches"]),
        kind=kind,
        settings=settings,
        at=at,
    )


def _blocks(place: str, value: Any) -> tuple[tuple[Match, ...], ...]:
    expect(place, "matches", value, Shape("a list of lists", _listed(_listed(lambda _: True))))
    if not value:
        raise LayerError(place, "`matches` is empty; for all tasks, write `[[]]`")
    return tuple(
        tuple(_match(f"{place}[{i}][{j}]", entry) for j, entry in enumerate(block))
        for i, block in enumerate(value)
    )


def _match(place: str, entry: Any) -> Match:
    kind, value = _tagged(place, "a match", entry)
    return Match(f"{place}.{kind}", kind, value)


def _tagged(place: str, what: str, entry: Any) -> tuple[str, Any]:
    """The only key of an object, and its value. Raises LayerError."""
    if not isinstance(entry, dict) or len(entry) != 1:
        raise LayerError(place, f"{what} is an object with one key, not {shown(entry)}")
    ((key, value),) = entry.items()
    return key, value
