# SPDX-License-Identifier: Apache-2.0
"""The reference of fair shares, on machines that can be worked out by hand."""

from __future__ import annotations

import pytest

from max_min import Demand, shares

ALL = 0b1111


@pytest.mark.parametrize(
    ("tasks", "cpus", "fair"),
    [
        ([Demand(100, ALL)] * 8, 4, [1 / 2] * 8),
        # Nobody uses two CPUs at once; what is left goes to the others.
        ([Demand(900, ALL), *[Demand(100, ALL)] * 6], 4, [1, *[1 / 2] * 6]),
        # Two on half of the CPUs, and eight on all.
        ([*[Demand(100, 0b0011)] * 2, *[Demand(100, ALL)] * 8], 4, [4 / 10] * 10),
        ([*[Demand(300, 0b0011)] * 2, *[Demand(100, ALL)] * 8], 4, [6 / 7] * 2 + [2 / 7] * 8),
        # A crowd that cannot get its share leaves the rest to others.
        ([*[Demand(100, 0b0001)] * 8, *[Demand(100, ALL)] * 4], 4, [1 / 8] * 8 + [3 / 4] * 4),
        # A CPU that nobody may use.
        ([*[Demand(100, 0b0001)] * 2, Demand(300, 0b0010)], 4, [1 / 2, 1 / 2, 1]),
    ],
)
def test_fair_shares_are_those_worked_out_by_hand(
    tasks: list[Demand], cpus: int, fair: list[float]
) -> None:
    assert shares(tasks, cpus) == pytest.approx(fair, abs=1e-6)


def test_a_task_can_be_entitled_to_more_than_one_cpu() -> None:
    tasks = [Demand(900, ALL), *[Demand(100, ALL)] * 3]
    assert shares(tasks, 4, most=4) == pytest.approx([3, *[1 / 3] * 3], abs=1e-6)
