# SPDX-License-Identifier: Apache-2.0
"""The loader's C files: rooms with a README each, and a true list. No circles, nor in the model."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

RUNTIME = Path(__file__).parents[2] / "runtime"
MODEL = Path(__file__).parents[2] / "sim"
BUILD = Path(__file__).parents[2] / "build" / "runtime" / "runtime"
SOURCES = sorted([*RUNTIME.glob("*.c"), *RUNTIME.glob("*/*.c")])
ROOMS = sorted({path.parent for path in SOURCES} - {RUNTIME})

Graph = dict[str, set[str]]


def unit(path: Path, root: Path = RUNTIME) -> str:
    """A C file and its header are one unit, `control/run`."""
    return str(path.relative_to(root).with_suffix(""))


def included(root: Path = RUNTIME) -> Graph:
    graph: Graph = defaultdict(set)
    for path in sorted([*root.glob("**/*.c"), *root.glob("**/*.h")]):
        for name in re.findall(r'^#include "(.+)\.h"', path.read_text(), re.MULTILINE):
            if (root / f"{name}.h").exists() and name != unit(path, root):
                graph[unit(path, root)].add(name)
    return graph


def included_by_the_model() -> Graph:
    return included(MODEL)


def called() -> Graph:
    """Which unit uses a function or a variable of which, by the symbols of the built files."""
    subprocess.run(["make", "-s", "-C", RUNTIME, "all"], check=True)
    defined: dict[str, str] = {}
    wanted: Graph = defaultdict(set)
    for source in SOURCES:
        name = unit(source)
        nm = ["nm", "--format=posix", str(BUILD / f"{name}.o")]
        listing = subprocess.run(nm, capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            symbol, kind = line.split()[:2]
            if kind in {"T", "D", "B", "R"}:
                defined[symbol] = name
            elif kind == "U":
                wanted[name].add(symbol)
    return {
        name: {defined[symbol] for symbol in symbols & defined.keys()} - {name}
        for name, symbols in wanted.items()
    }


def listed() -> list[str]:
    """The files that loader.h lists, in its order: `main.c`, `control/run.c`."""
    head = (RUNTIME / "loader.h").read_text().split("*/")[1]
    room = ""
    files = []
    for name in re.findall(r"^ \*\t *(\S+)\t", head, re.MULTILINE):
        if name.endswith("/"):
            room = name
        else:
            files.append(f"{room}{name}")
    return files


@pytest.mark.parametrize("graph", [included, included_by_the_model, called])
def test_no_circle(graph: Callable[[], Graph]) -> None:
    needs = graph()
    assert any(needs.values())
    TopologicalSorter(needs).prepare()  # raises CycleError with the members of a circle


def test_loader_h_lists_every_source() -> None:
    assert sorted(listed()) == [str(path.relative_to(RUNTIME)) for path in SOURCES]


def test_rooms_include_only_those_below() -> None:
    order = list(dict.fromkeys(name.split("/")[0] for name in listed() if "/" in name))
    upwards = [
        (source, target)
        for source, targets in included().items()
        for target in targets
        if "/" in source
        and "/" in target
        and order.index(target.split("/")[0]) < order.index(source.split("/")[0])
    ]
    assert upwards == []


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_readme_names_every_source(room: Path) -> None:
    text = (room / "README.md").read_text()
    assert text.count("\n\n") == 1
    missing = [path.name for path in room.glob("*.c") if f"`{path.name}`" not in text]
    assert missing == []
