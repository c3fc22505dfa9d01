# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The demo: a policy from its source to figures, against EEVDF, in two fresh VMs."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gthulhu_lab import experiment, report, subjects
from gthulhu_lab.comparison import Comparison, conditions, describe_ratio, rows
from gthulhu_lab.errors import GuestError
from gthulhu_lab.measure import Scenario, ScenarioTrial
from gthulhu_lab.paths import CHECKOUT, build_dir
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import Backend
from gthulhuc.cli import new


def run() -> Comparison:
    """Compile, boot, measure, print the table, and leave report and samples in build/demo."""
    policy = new.shipped()["upf"]
    folder = build_dir() / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    with Progress(sys.stderr) as progress:
        measured = subjects.assemble({policy.stem: policy}, (), progress)
        trials = [
            ScenarioTrial(subject, Scenario(), backend=Backend.VIRTME_IMAGE) for subject in measured
        ]
        outcomes = experiment.run(trials, progress, jobs=2, use_cache=False)
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
    """Print the table and what it holds for; coloured on a terminal only."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    for column in (comparison.policy.subject, comparison.baseline.subject, "with the policy"):
        table.add_column(column, justify="right", no_wrap=True)
    group = ""
    for row in rows(comparison):
        style = "green" if row.ratio < 0.95 else "yellow" if row.ratio > 1.05 else ""
        if row.group != group:
            table.add_row(row.group)
        table.add_row(
            f"  {row.figure}",
            f"{row.policy:,.0f} {row.unit}",
            f"{row.baseline:,.0f} {row.unit}",
            describe_ratio(row.ratio),
            style=style,
        )
        group = row.group
    console.print()
    console.print(table)
    console.print()
    for name, value in conditions(comparison):
        console.print(f"{name:9} {value}", highlight=False, soft_wrap=True)


def _shown(path: Path) -> str:
    if CHECKOUT is not None and path.is_relative_to(CHECKOUT):
        return str(path.relative_to(CHECKOUT))
    return str(path)
