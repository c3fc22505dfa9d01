# SPDX-License-Identifier: Apache-2.0
"""Reads Gthulhu's strategies, in all of their shapes, as rows of one kind.

Gthulhu's configuration, the requests and responses of its two services, and its custom resources
spell the same fields differently. Keys are compared without case, `_` and `-`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from gthulhuc.importers.document import Finding
from gthulhuc.records import dataclass

# Every strategy has at least one of these keys.
_TELLTALE = frozenset({"priority", "executiontime", "commandregex", "pid"})
_NODE_KEYS = frozenset({"nodeselectors", "nodenames", "draselectors", "policyid"})
_CONTAINERS = (
    "strategies",
    "default",
    "scheduling",
    "data",
    "items",
    "spec",
    "intents",
    "policies",
)
_KINDS = {
    "SchedulingStrategy",
    "SchedulingIntent",
    "NodeSchedulingPolicy",
    "NodeSchedulingIntent",
    "List",
}
_MAX_DEPTH = 20


class RowError(Exception):
    """A field of a strategy has the wrong type."""


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy; `priority` None and `slice_ns` 0 mean that it sets neither.

    `in_pods`: it selects only tasks in pods. `elsewhere`: its selectors of nodes, which a policy
    cannot have.
    """

    place: str
    group: str
    priority: bool | int | None
    slice_ns: int
    regex: str
    labels: tuple[tuple[str, str], ...]
    namespaces: tuple[str, ...]
    pods: tuple[str, ...]
    pid: int
    in_pods: bool
    is_node_policy: bool
    elsewhere: tuple[str, ...]


def read_rows(name: str, documents: list[Any]) -> tuple[list[Row], list[Finding]]:
    """Returns the rows in a file's documents, in order, and findings about the others."""
    rows: list[Row] = []
    findings: list[Finding] = []
    for index, document in enumerate(documents):
        path = "" if len(documents) == 1 else f"[{index}]"
        for place, entry, is_node in _entries(document, path, 0, is_node=False):
            where = f"{name}: {place or 'strategy'}"
            try:
                rows.append(_row(where, entry, is_node=is_node))
            except RowError as error:
                findings.append(Finding(where, str(error), is_error=True))
        findings += _other_kind(name, document)
    return rows, findings


def _other_kind(name: str, document: Any) -> Iterator[Finding]:
    kind = _fold(document).get("kind") if isinstance(document, Mapping) else None
    if kind is not None and kind not in _KINDS:
        message = f"skipped: a resource of kind {kind!s} does not configure scheduling"
        yield Finding(name, message)


def _entries(
    node: Any, path: str, depth: int, *, is_node: bool
) -> Iterator[tuple[str, _Fields, bool]]:
    """Yields each strategy of a document with its path."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _entries(item, f"{path}[{index}]", depth + 1, is_node=is_node)
    if not isinstance(node, Mapping):
        return
    fields = _fold(node)
    kind = str(fields.get("kind", ""))
    if kind and kind not in _KINDS:
        return
    is_node = is_node or kind.startswith("Node") or bool(_NODE_KEYS & fields.keys())
    if _TELLTALE & fields.keys():
        yield path, fields, is_node
        return
    for key, value in node.items():
        folded = _fold_key(key)
        if folded in _CONTAINERS:
            inner = f"{path}.{key}" if path else str(key)
            yield from _entries(value, inner, depth + 1, is_node=is_node or folded == "policies")


def _row(place: str, fields: _Fields, *, is_node: bool) -> Row:
    """Converts a strategy to a row. Raises RowError if a field has the wrong type."""
    selectors = "labelselectors" if "labelselectors" in fields else "selectors"
    has_manager_keys = {"labelselectors", "k8snamespace", "k8snamespaces"} & fields.keys()
    return Row(
        place=place,
        group=_text(fields, "strategynamespace"),
        priority=_priority(fields),
        slice_ns=_number(fields, "executiontime"),
        regex=_text(fields, "commandregex"),
        labels=_labels(fields, selectors) + _label_map(fields, "podlabels"),
        namespaces=_texts(fields, "k8snamespace") + _texts(fields, "k8snamespaces"),
        pods=_texts(fields, "podname") + _texts(fields, "podnames"),
        pid=_number(fields, "pid"),
        in_pods=bool(has_manager_keys or "strategynamespace" in fields) and not is_node,
        is_node_policy=is_node,
        elsewhere=tuple(
            f"{fields.written(key)}: {_compact(fields[key])}"
            for key in ("nodeselectors", "nodenames", "draselectors", "nodeid")
            if fields.get(key)
        ),
    )


def _fold_key(key: Hashable) -> str:
    return str(key).replace("_", "").replace("-", "").lower()


@lru_cache(1024)  # thousands of strategies have the same keys
def _folded(keys: tuple[Hashable, ...]) -> tuple[str, ...]:
    return tuple(_fold_key(key) for key in keys)


class _Fields(dict[str, Any]):
    """The values of an object by their folded keys."""

    def __init__(self, node: Mapping[Any, Any]) -> None:
        self._keys = tuple(node)
        super().__init__(zip(_folded(self._keys), node.values(), strict=True))

    def written(self, key: str) -> str:
        """Returns a key as the file has it."""
        return next((str(each) for each in self._keys if _fold_key(each) == key), key)


def _fold(node: Mapping[Any, Any]) -> _Fields:
    return _Fields(node)


def _priority(fields: _Fields) -> bool | int | None:
    value = fields.get("priority")
    if value is None or isinstance(value, bool | int):
        return value
    raise RowError(f"{fields.written('priority')} {value!r} is neither a boolean nor an integer")


def _number(fields: _Fields, key: str) -> int:
    value = fields.get(key)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise RowError(f"{fields.written(key)} {value!r} is not a non-negative integer")
    return value


def _text(fields: _Fields, key: str) -> str:
    value = fields.get(key)
    if value is None:
        return ""
    return _clean(value, fields, key)


def _clean(value: object, fields: _Fields, key: str) -> str:
    """Returns a text that a policy can contain. Raises RowError."""
    if not isinstance(value, str) or "\0" in value or not (value.isascii() or _is_whole(value)):
        raise RowError(f"{fields.written(key)} {value!r} is not valid text")
    return value


def _is_whole(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _texts(fields: _Fields, key: str) -> tuple[str, ...]:
    value = fields.get(key)
    if not value:
        return ()
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list):
        raise RowError(f"{fields.written(key)} {value!r} is not a list of strings")
    return tuple(_clean(item, fields, key) for item in items)


def _labels(fields: _Fields, key: str) -> tuple[tuple[str, str], ...]:
    value = fields.get(key)
    if not value or isinstance(value, Mapping):
        return _label_map(fields, key)
    if not isinstance(value, list):
        raise RowError(f"{fields.written(key)} {value!r} is not a list")
    result = []
    for item in value:
        selector = _fold(item if isinstance(item, Mapping) else {})
        if not selector.get("key"):
            raise RowError(f"{fields.written(key)}: {item!r} has no key")
        result.append((_text(selector, "key"), _text(selector, "value")))
    return tuple(result)


def _label_map(fields: _Fields, key: str) -> tuple[tuple[str, str], ...]:
    value = fields.get(key)
    if not value:
        return ()
    if not isinstance(value, Mapping):
        raise RowError(f"{fields.written(key)} {value!r} is not an object")
    return tuple(
        sorted(
            (_clean(str(name), fields, key), _clean(str(item), fields, key))
            for name, item in value.items()
        )
    )


def _compact(value: object) -> str:
    if isinstance(value, Mapping):
        fields = _fold(value)
        if set(fields) == {"key", "value"}:
            return f"{fields['key']}={fields['value']}"
        return " ".join(f"{key} {_compact(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_compact(item) for item in value)
    return str(value)
