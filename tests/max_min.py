# SPDX-License-Identifier: Apache-2.0
"""The weighted max-min fair shares of tasks that always want to run, by linear programmes.

No code of a scheduler is in it: HiGHS finds the shares. A task has a weight and the CPUs that it
may use, and no task uses more than one CPU at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import OptimizeResult, linprog

_NONE = 1e-9


@dataclass(frozen=True)
class Demand:
    """A task that always wants to run; `cpus` is a mask."""

    weight: float
    cpus: int


def shares(tasks: Sequence[Demand], cpus: int, *, most: float = 1) -> list[float]:
    """Returns each task's share in CPUs, `most` at most.

    All shares by weight grow together. Those that the dual variables show to be bound grow no
    more, and the others go on.
    """
    groups = Counter(tasks)
    fixed: dict[Demand, float] = {}
    while len(fixed) < len(groups):
        result = _grow(groups, fixed, cpus, most)
        level = result.x[-1]
        prices = result.ineqlin.marginals[-len(groups) :]
        bound = {
            group: group.weight * level
            for group, price in zip(groups, prices, strict=True)
            if group not in fixed and abs(price) > _NONE
        }
        assert bound, "no share is bound"
        fixed |= bound
    return [fixed[task] for task in tasks]


def _grow(
    groups: Counter[Demand], fixed: dict[Demand, float], cpus: int, most: float
) -> OptimizeResult:
    """Finds the highest level for all shares that are not fixed.

    The variables: what each group has of each of its CPUs, and the level. The last inequalities
    are the groups' lower bounds.
    """
    pairs = [(group, cpu) for group in groups for cpu in range(cpus) if group.cpus >> cpu & 1]
    has = np.array([[float(of == group) for of, _ in pairs] + [0] for group in groups])
    used = np.array([[float(on == cpu) for _, on in pairs] + [0] for cpu in range(cpus)])
    numbers = np.array([*groups.values()], dtype=float)
    least = -has
    least[:, -1] = [
        0 if group in fixed else number * group.weight for group, number in groups.items()
    ]
    floors = [-number * fixed.get(group, 0) for group, number in groups.items()]
    result = linprog(
        [0.0] * len(pairs) + [-1],
        A_ub=np.vstack([used, has, least]),
        b_ub=np.concatenate([np.ones(cpus), numbers * most, np.array(floors) + _NONE]),
        method="highs",
    )
    assert result.status == 0, result.message
    return result
