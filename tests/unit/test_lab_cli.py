# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu lab`, and the errors of its commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gthulhu_lab.errors import GuestError
from gthulhu_lab.paths import CHECKOUT
from gthulhuc.cli import gthulhu


def test_kernels_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))

    assert gthulhu.main(["lab", "kernels"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "7.2   not fetched  (default)" in lines
    assert lines[-1].startswith("host  ")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("bench --kernel 5.4", "no kernel 5.4 in the lab"),
        ("bench --kernel-image /etc/passwd", "/etc/passwd is not a kernel image"),
        ("bench --peers scx_flahs", "unknown scheduler 'scx_flahs'"),
        ("bench --policies a/web.gpl b/web.gpl", "two policies have the name web"),
        ("bench --turns 3", "--turns needs a workload"),
        ("bench --as nginx", "--as needs a workload"),
        ("bench --workload pipe --seeds 3", "--seeds and --workload exclude each other"),
        ("bench --compare a.json b.json --strict", "--strict has no effect with --compare"),
        ("bench --workload 'pipe under hogs 0x'", "a load of 'pipe under hogs 0x' is"),
        ("bench --json x --html ./x", "two outputs go to ./x"),
        ("verify x.gpl --json - --junit -", "two outputs go to -"),
        ("lab kernels fetch 5.4", "no kernel 5.4 in the lab"),
    ],
)
def test_unsupported_requests_are_reported(
    line: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(shlex.split(line)) == 2
    shown = capsys.readouterr().err
    assert shown.startswith(f"error: {complaint}")
    assert "  = help: " in shown


def test_a_guest_that_fails_is_another_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_arguments: object) -> None:
        raise GuestError("it fell over")

    monkeypatch.setattr("gthulhu_lab.demo.run", fail)
    assert gthulhu.main(["lab", "demo"]) == 1
    assert capsys.readouterr().err == "error: a guest failed: it fell over\n"


def bench_where(setup: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; {setup}\nfrom gthulhuc.cli.gthulhu import main; sys.exit(main(['bench']))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (2, "")
    return result


def test_commands_name_missing_packages_and_how_to_install_them() -> None:
    result = bench_where("sys.modules['rich'] = None")
    assert result.stderr == (
        "error: the Python package rich is missing\n"
        f"  = help: {sys.executable} -m pip install -e '{CHECKOUT}[lab]'\n"
    )


def test_without_the_systems_packages_its_commands_name_them() -> None:
    result = bench_where("import os; os.environ['PATH'] = '/nowhere'")
    assert " lacks packages that the lab needs:\n\n  apt " in result.stderr
    # As apt, dnf and pacman call it; and what a checkout's tests need is not asked for.
    names = "qemu-system-x86 +qemu-system-x86-core +qemu-system-x86"
    assert re.search(f"{names} +runs the lab's virtual machines", result.stderr)
    assert "zsh" not in result.stderr
