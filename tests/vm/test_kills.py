# SPDX-License-Identifier: Apache-2.0
"""SIGKILL for each of the commands, somewhere in their lives.

The loader is killed in test_faults.py, a hundred times. `pytest tests/vm/test_kills.py --kills 100`
kills more commands than the gate has time for.
"""

from __future__ import annotations

import pkgutil
import subprocess
from pathlib import Path

import pytest

import guest_loader
import guest_python
from command import SOURCES
from extent import Extent
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = [pytest.mark.vm, pytest.mark.soak]

HERE = Path(__file__).parent
SEED = 11
MODULES = (
    "gthulhu.agent.agent", "gthulhu.commands.agent", "gthulhu.commands.metrics",
    "gthulhu.commands.top", "gthulhu.commands.trace", "gthulhu.tracing.perfetto",
    "gthulhu.tracing.recording", "gthulhu.tracing.rules", "gthulhu.tracing.runs",
    "gthulhu.tracing.steady", "gthulhuc.cli.compile", "gthulhuc.cli.reporting",
    "gthulhuc.includes", "gthulhuc.syntax.parse", "heapq", "mmap", "prometheus_client",
    "prometheus_client.openmetrics.exposition", "pty", "random", "rich._emoji_codes",
    "rich.console", "rich.live", "rich.table",
    *(
        f"gthulhuc.{package}.{module.name}"
        for package in ("codegen", "passes", "passes.reading", "passes.reasoning", "plan")
        for module in pkgutil.iter_modules(
            [str(SOURCES[0].joinpath("gthulhuc", *package.split(".")))]
        )
    ),
)  # fmt: skip
# As slow as on a busy machine; clang itself is not under test.
CLANG = b'#!/bin/sh\nusleep 200000\nexec cp "$LAB/first.bpf.o" policy.bpf.o\n'


def test_killed_at_any_moment(tmp_path: Path, extent: Extent) -> None:
    wanted = extent.kills
    policy = HERE / "policies" / "killed.gpl"
    first, second = tmp_path / "first.bpf.o", tmp_path / "second.bpf.o"
    for output in (first, second):
        subprocess.run(["gthulhuc", "--stats", policy, "-o", output], check=True)
    guest = vm.run(
        vm.GuestRequest(
            script=(
                f"{guest_python.shell_functions()}export CLANG=$LAB/bin/clang TERM=linux\n"
                "mkdir -p /dev/pts && mount -t devpts none /dev/pts\n"
                f"mkdir /tmp/kills\npython kills.py {SEED} {wanted} /tmp/kills {' '.join(MODULES)} "
                ">$RESULTS/rounds 2>/dev/console\n"
            ),
            clock=Clock.TCG_TURNS,
            files={
                "bin/gthulhu-loader": guest_loader.LOADER,
                "bin/clang": CLANG,
                "kills.py": HERE / "programs" / "kills.py",
                "first.gpl": policy,
                first.name: first,
                second.name: second,
                **guest_python.templates(),
                **guest_python.files(*MODULES),
            },
            deadline_s=900,
        )
    ).check()
    rounds = dict(line.split(maxsplit=1) for line in guest.files["rounds"].decode().splitlines())
    figures = {name: [*map(float, line.split())] for name, line in rounds.items()}
    assert sum(done for done, _, _ in figures.values()) == wanted
    # Else they were killed when they had ended.
    assert sum(alive for _, alive, _ in figures.values()) >= wanted / 2, figures
