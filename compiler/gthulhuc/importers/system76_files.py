# SPDX-License-Identifier: Apache-2.0
"""The files of system76-scheduler, as nodes of KDL 1.0.

A broken file is reported with its place, and the other files are still read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kdl import types
from kdl.errors import ParseError, ParseFragment
from kdl.parsefuncs import parse
from kdl.parsing import ParseConfig

from gthulhuc.importers.document import Finding
from gthulhuc.records import dataclass

MAIN = "config.kdl"
_MORE = "process-scheduler"


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its type, `realtime` and 0 for `(realtime)0`; without one it is empty."""

    tag: str
    value: object

    def __str__(self) -> str:
        said = f'"{self.value}"' if isinstance(self.value, str) else str(self.value)
        return f"({self.tag}){said}" if self.tag else said


@dataclass(frozen=True, slots=True)
class Node:
    """A node; `place` is `file: the names of the nodes above it and its own`."""

    place: str
    name: str
    arguments: tuple[Value, ...]
    properties: Mapping[str, Value]
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class File:
    """A file: its nodes, and findings about what cannot be read."""

    name: str
    nodes: tuple[Node, ...] = ()
    findings: tuple[Finding, ...] = ()


def read_paths(paths: Sequence[str]) -> list[File]:
    """Returns the files in the order in which the daemon reads them.

    `paths` are files, and folders such as /etc/system76-scheduler. Of several folders with a
    config.kdl, only the last one's counts. Raises OSError.
    """
    mains: list[Path] = []
    more: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            more.append(path)
            continue
        mains += [found for found in [path / MAIN] if found.is_file()]
        more += sorted(found for found in (path / _MORE).glob("*.kdl") if found.is_file())
    return [read_file(str(path), path.read_bytes()) for path in [*mains[-1:], *more]]


def read_file(name: str, data: bytes) -> File:
    """Returns the nodes of a file."""
    overwritten = _Values()
    try:
        text = data.decode("utf-8-sig")
        document = parse(text, overwritten.config)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _broken(name, f"{name}:{line}", f"not UTF-8: byte 0x{data[error.start]:02x}")
    except ParseError as error:
        said = " ".join(error.msg.partition("parse error:")[2].split())
        return _broken(name, f"{name}:{error.line}:{error.col}", f"not KDL: {said}")
    except RecursionError:
        return _broken(name, name, "nested too deeply")
    except (ValueError, OverflowError) as error:
        return _broken(name, name, f"not KDL: {error}")
    nodes = tuple(_node(name, node) for node in document.nodes)
    return File(name, nodes, tuple(overwritten.findings(name, document)))


def _broken(name: str, place: str, message: str) -> File:
    return File(name, (), (Finding(place, message, is_error=True),))


def _node(above: str, node: types.Node) -> Node:
    separator = "." if ": " in above else ": "
    place = f"{above}{separator}{node.name}"
    return Node(
        place,
        node.name,
        tuple(map(_value, node.args)),
        {key: _value(value) for key, value in node.props.items()},
        tuple(_node(place, child) for child in node.nodes),
    )


def _value(value: types.Value) -> Value:
    try:
        found = getattr(value, "value", None)
    except OverflowError:
        found = math.inf
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    return Value(value.tag or "", found)


class _Values:
    """All values of a file, to find those that the parser drops: the last of a property counts."""

    def __init__(self) -> None:
        self._seen: list[tuple[types.Value, ParseFragment]] = []
        self.config = ParseConfig(
            nativeUntaggedValues=False,
            nativeTaggedValues=False,
            valueConverters={...: self._keep},
        )

    def _keep(self, value: types.Value, fragment: ParseFragment) -> types.Value:
        self._seen.append((value, fragment))
        return value

    def findings(self, name: str, document: types.Document) -> Iterator[Finding]:
        """Yields a finding for each dropped value."""
        used = {id(value) for node in document.nodes for value in _all_values(node)}
        for value, fragment in self._seen:
            if id(value) not in used:
                at = fragment.error("")
                message = (
                    f"`{fragment.fragment}` is lost: the node has the same property again, or"
                    " `/-` is before it"
                )
                yield Finding(f"{name}:{at.line}:{at.col - len(fragment.fragment)}", message)


def _all_values(node: types.Node) -> Iterator[types.Value]:
    yield from node.args
    yield from node.props.values()
    for child in node.nodes:
        yield from _all_values(child)
