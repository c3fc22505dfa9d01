# SPDX-License-Identifier: Apache-2.0
"""Prometheus's own tool from Debian's package, without its server's dependencies."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from gthulhu_lab import apt, debian
from gthulhu_lab.paths import cache_dir


def complaints(metrics: bytes) -> str:
    """Returns its output for metrics: errors and recommendations."""
    said = subprocess.run(
        [_promtool(), "check", "metrics"], input=metrics, capture_output=True, check=False
    )
    text = (said.stdout + said.stderr).decode()
    return text if said.returncode == 0 else f"{text}exit status {said.returncode}"


def check_rules(file: Path) -> None:
    """Raises AssertionError with its complaints about a file of rules."""
    _succeed("check", file)


def test_rules(file: Path) -> None:
    """Runs tests of alert rules. Raises AssertionError with its output if one fails."""
    _succeed("test", file)


def _succeed(verb: str, file: Path) -> None:
    said = subprocess.run(
        [_promtool(), verb, "rules", file.name],
        cwd=file.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr


def _promtool() -> Path:
    kept = cache_dir() / "debian" / "promtool"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as name:
            folder = Path(name)
            suite = apt.Suite(debian.SUITE, cache_dir() / "apt")
            suite.refresh()
            (package,) = suite.download(["prometheus"], folder)
            apt.extract(package, folder)
            (folder / "usr" / "bin" / "promtool").rename(kept)
    return kept
