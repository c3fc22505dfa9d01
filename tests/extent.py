# SPDX-License-Identifier: Apache-2.0
"""How much of what could be tested is tested."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Extent:
    """How much of each long test runs: the share of `make test`, or all of it in `make soak`."""

    policies: int  # random ones
    kills: int  # of commands
    loader_kills: tuple[int, int, int]  # as it is asked, as it loads, as it exchanges a policy
    forks: int
    tasks: int  # at once
    restarts: int  # of a base station
    is_soak: bool

    @classmethod
    def of(cls, config: pytest.Config) -> Extent:
        """Returns what the options of the test run ask for."""
        is_soak = bool(config.getoption("--soak"))
        return cls(
            policies=config.getoption("--policies") or (50 if is_soak else 4),
            kills=config.getoption("--kills") or (40 if is_soak else 8),
            loader_kills=(30, 50, 20) if is_soak else (10, 20, 8),
            forks=10_000 if is_soak else 1_000,
            tasks=50_000 if is_soak else 5_000,
            restarts=50 if is_soak else 6,
            is_soak=is_soak,
        )


def in_parts(parts: int, size: int, of_the_gate: int) -> pytest.MarkDecorator:
    """Gives a test the `seeds` of each part. `make test` takes the first parts, `make soak` all."""
    seeds = [range(part * size, (part + 1) * size) for part in range(parts)]
    return pytest.mark.parametrize(
        "seeds", first_of(seeds, of_the_gate), ids=map(str, range(parts))
    )


def first_of(all_of_them: Iterable[Any], of_the_gate: int) -> list[Any]:
    """Returns the values of a parameter: `make test` takes the first ones, `make soak` all.

    A value for several parameters is a tuple.
    """
    values = [each if isinstance(each, tuple) else (each,) for each in all_of_them]
    return [
        pytest.param(*each, marks=pytest.mark.soak if number >= of_the_gate else ())
        for number, each in enumerate(values)
    ]


def on_kernels(first: str, *others: str) -> list[Any]:
    """Returns the kernels of a test as parameters: `make test` takes the first, `make soak` all.

    Tests of what differs little between kernels share them out: one has the oldest, the next the
    newest.
    """
    return first_of((first, *others), 1)
