# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The demo: a policy from its source to figures, against EEVDF, in two fresh VMs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from gthulhu_lab import experiment, report, subjects, tables
from gthulhu_lab.comparison import Comparison, conditions, describe_ratio, rows
from gthulhu_lab.errors import GuestError
from gthulhu_lab.measure import Scenario, ScenarioExperiment
from gthulhu_lab.paths import CHECKOUT, build_dir
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import Backend
from gthulhu_lab.tables import Table
from gthulhuc.cli import new


def run() -> Comparison:
    """Compile, boot, measure, print the table, and leave report and samples in build/demo."""
    policy = new.shipped()["upf"]
    folder = build_dir() / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    with Progress(sys.stderr) as progress:
        measured = subjects.assemble({policy.stem: policy}, (), progress)
        experiments = [
            ScenarioExperiment(subject, Scenario(), backend=Backend.VIRTME_IMAGE)
            for subject in measured
        ]
        outcomes = experiment.run(experiments, progress, jobs=2, use_cache=False)
    if failed := next((each for each in outcomes if isinstance(each, GuestError)), None):
        raise failed
    baseline, ours = experiment.succeeded(outcomes)
    comparison = Comparison(
        policy_file=_shown(policy),
        policy_source=policy.read_text(),
        object_sha256=measured[-1].digests()["policy.bpf.o"],
        policy=ours,
        baseline=baseline,
    )
    (folder / "result.json").write_text(comparison.model_dump_json(indent=1) + "\n")
    (folder / "report.html").write_text(report.render(comparison))
    show(comparison, Console())
    print(
        f"\nreport: {_shown(folder / 'report.html')}    samples: {_shown(folder / 'result.json')}"
    )
    return comparison


def show(comparison: Comparison, console: Console) -> None:
    """Print the table and its conditions; coloured on a terminal only."""
    names = [comparison.policy.subject, comparison.baseline.subject]
    cells: list[Sequence[str | Text]] = []
    group = ""
    for row in rows(comparison):
        if row.group != group:
            cells.append([row.group])
        group = row.group
        style = "green" if row.ratio < 0.95 else "yellow" if row.ratio > 1.05 else ""
        figures = [f"{value:,.0f} {row.unit}" for value in (row.policy, row.baseline)]
        texts = [f"  {row.figure}", *figures, describe_ratio(row.ratio)]
        cells.append([Text(text, style) for text in texts])
    console.print()
    tables.show(Table("", ["", *names, "with the policy"], cells), console)
    console.print()
    tables.show_conditions(conditions(comparison), console, width=10)


def _shown(path: Path) -> str:
    if CHECKOUT is not None and path.is_relative_to(CHECKOUT):
        return str(path.relative_to(CHECKOUT))
    return str(path)
