# SPDX-License-Identifier: Apache-2.0
"""The service's units are sound, hardened, and the same but for the object that they load."""

from __future__ import annotations

import difflib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "runtime" / "systemd"
LOADERS = ("gthulhu.service", "gthulhu@.service")
NAMES = (
    *LOADERS, "gthulhu-agent.service", "gthulhu-broker.service", "gthulhu-metrics.service",
    "gthulhu-serve.service",
)  # fmt: skip
MOST_EXPOSED = dict.fromkeys(NAMES, 1.5) | {
    # It makes its compilers another user and ends them, and records traces of all tasks.
    "gthulhu-broker.service": 1.8,
}


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    assert program, "systemd-analyze is missing: `make setup` installs it"
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", NAMES)
def test_systemd_finds_no_fault(name: str, tmp_path: Path) -> None:
    unit = tmp_path / name.replace("@", "@upf")
    # It is looked for where programs are installed.
    text = (UNITS / name).read_text()
    unit.write_text(re.sub(r"=gthulhu(-loader)? ", "=/bin/true ", text))
    result = analyze("verify", unit)
    said = [line for line in result.stderr.splitlines() if unit.name in line]
    assert (result.returncode, said) == (0, [])


@pytest.mark.parametrize("name", NAMES)
def test_unit_is_hardened(name: str) -> None:
    result = analyze("security", "--offline=true", "--no-pager", UNITS / name)
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", result.stdout)
    assert exposure, result.stderr
    assert float(exposure[1]) <= MOST_EXPOSED[name]


def test_units_differ_only_in_the_object() -> None:
    plain, template = ((UNITS / name).read_text().splitlines() for name in LOADERS)
    changes = [
        line[2:] for line in difflib.ndiff(plain, template)
        if line[0] in "+-" and not line[2:].startswith("#")
    ]  # fmt: skip
    assert {line.partition("=")[0] for line in changes} == {
        "Description", "Conflicts", "ExecStart",
    }  # fmt: skip
