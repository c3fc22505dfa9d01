# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Machines of all sizes as one self-contained HTML page: costs against CPUs, and the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from gthulhu_lab import html, plot_scale
from gthulhu_lab.plot_scale import Line, Point
from gthulhu_lab.tables import Table

if TYPE_CHECKING:
    from gthulhu_lab.simulation.report import OperationReport, ScaleReport

_SERIES = 7
_NS = 1000  # in a µs


def render(found: ScaleReport, tables: Sequence[Table], caution: str) -> str:
    """Returns the page; the same figures give the same bytes. `tables`: one for each load."""
    return html.page(
        "scale.html.j2",
        title=f"{found.policy} on machines of {_sizes(found)}",
        caution=caution,
        loads=[
            (table, list(_plots(found, number, table.title)), _legend(found, number))
            for number, table in enumerate(tables)
        ],
        conditions=[
            ("seeds", ", ".join(map(str, found.seeds))),
            ("machines", ", ".join(f"{each.machine} ({each.digest})" for each in found.sizes)),
            ("costs", ", ".join(f"{name} {ns} ns" for name, ns in found.costs.items())),
        ],
    )


def _sizes(found: ScaleReport) -> str:
    first, *others = (f"{size.cpus:,}" for size in found.sizes)
    return f"{first} to {others[-1]} CPUs" if others else f"{first} CPUs"


def _plots(found: ScaleReport, load: int, title: str) -> Iterator[tuple[str, Markup]]:
    for what, operation in (("A wake-up", "wakeup"), ("A switch", "switch")):
        if lines := [line for line in _lines(found, load, operation) if line.points]:
            yield what, plot_scale.costs(lines, f"{what}, {title}")


def _lines(found: ScaleReport, load: int, operation: str) -> Iterator[Line]:
    """A line for each scheduler, in the order of the tables."""
    for number, scheduler in enumerate(found.sizes[0].loads[load].schedulers):
        points = []
        for size in found.sizes:
            costs = size.loads[load].schedulers[number].costs
            cost: OperationReport | None = getattr(costs, operation)
            if cost is not None:
                time = cost.time
                points.append(Point(size.cpus, time.median / _NS, time.low / _NS, time.high / _NS))
        yield Line(scheduler.name, points, number % _SERIES)


def _legend(found: ScaleReport, load: int) -> list[tuple[Markup, str]]:
    return [(plot_scale.legend_line(line), line.label) for line in _lines(found, load, "switch")]
