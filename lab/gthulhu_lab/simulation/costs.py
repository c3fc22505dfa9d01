# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The costs of the kernel's and the scheduler's own work in a simulation."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

_FILE = Path(__file__).resolve().parent / "costs.toml"
MOST_NS = 1_000_000
"""The highest cost; the model has the same limit (`sim/cost.h`)."""

Costs = Mapping[str, int]
"""Costs in ns, by name. Without any, the work takes no time."""


@cache
def _entries() -> Mapping[str, Mapping[str, object]]:
    found: dict[str, dict[str, object]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return found


def usual() -> Costs:
    """Returns the costs of a machine whose profile has no others."""
    return {name: int(str(entry["ns"])) for name, entry in _entries().items()}


def sources() -> Mapping[str, str]:
    """Returns where each of the usual costs comes from."""
    return {name: str(entry["source"]) for name, entry in _entries().items()}


def lines(costs: Costs) -> Iterator[str]:
    """Yields the verbs of a scenario that set them, for before `machine`."""
    yield from (f"cost .{name} {ns}" for name, ns in costs.items())
