# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The demo: a policy from its source to figures, against EEVDF, in two fresh VMs."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gthulhu.loader import find_loader
from gthulhu_lab import kernels, measure, qemu, report, selftest, workloads
from gthulhu_lab.comparison import Comparison, conditions, describe_ratio, rows
from gthulhu_lab.errors import LabError
from gthulhu_lab.kernels import DEFAULT_KERNEL, Flavour
from gthulhu_lab.measure import EEVDF, Scenario, policy_subject
from gthulhu_lab.paths import CHECKOUT, build_dir
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import Backend
from gthulhuc.cli import new


def run(kernel: str = DEFAULT_KERNEL, seed: int = 7) -> Comparison:
    """Compile, boot, measure, print the table, and leave report and samples in build/demo."""
    policy = new.shipped()["upf"]
    folder = build_dir() / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    with Progress(sys.stderr) as progress:
        progress.step(f"compiling {_shown(policy)}")
        target = compile_policy(policy, folder / f"{policy.stem}.bpf.o")
        progress.step("building the workloads")
        workloads.build()
        qemu.version()
        kernels.ensure(kernel, Flavour.CLOUD, progress=progress.step)
        progress.step("checking the clock of this QEMU (once)")
        selftest.ensure(kernel)
        progress.step("measuring the policy and EEVDF, each in a VM of its own")
        runs = measure.measure(
            [policy_subject(policy.stem, target, Path(find_loader({}))), EEVDF],
            Scenario(),
            kernel=kernel,
            backend=Backend.VIRTME_IMAGE,
            seed=seed,
        )
    comparison = Comparison(
        policy_file=_shown(policy),
        policy_source=policy.read_text(),
        object_sha256=hashlib.sha256(target.read_bytes()).hexdigest(),
        policy=runs[0],
        baseline=runs[1],
    )
    (folder / "result.json").write_text(comparison.model_dump_json(indent=1) + "\n")
    (folder / "report.html").write_text(report.render(comparison))
    show(comparison, Console())
    print(
        f"\nreport: {_shown(folder / 'report.html')}    samples: {_shown(folder / 'result.json')}"
    )
    return comparison


def compile_policy(policy: Path, target: Path, *options: str) -> Path:
    """Run the compiler as its users do; raises LabError with its diagnostics."""
    beside = Path(sys.executable).with_name("gthulhuc")
    compiler = str(beside) if beside.exists() else shutil.which("gthulhuc")
    if compiler is None:
        raise LabError("gthulhuc is not on this machine", "Install gthulhu again.")
    result = subprocess.run(
        [compiler, *options, str(policy), "-o", str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        raise LabError(f"{_shown(policy)} does not compile:\n{result.stderr.strip()}")
    return target


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
