# SPDX-License-Identifier: Apache-2.0
"""A wheel in an environment of its own contains all that a node needs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from command import environment
from gthulhuc.codegen.clang import find_clang

ROOT = Path(__file__).parents[2]
POLICY = ROOT / "policies" / "upf.gpl"


@dataclass(frozen=True)
class Installed:
    """Where it is, and a folder to work in."""

    prefix: Path
    folder: Path

    def run(self, line: str, **more: str) -> subprocess.CompletedProcess[str]:
        name, *arguments = line.split()
        environ = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "CLANG": find_clang(), **more}
        return subprocess.run(
            [self.prefix / "bin" / name, *arguments],
            cwd=self.folder, env=environ, capture_output=True, text=True, check=False,
        )  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    dist = str(folder / "dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", dist]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (folder / "dist").iterdir()
    # The loader is static, so it runs with any C library.
    assert re.search(r"-py3-none-manylinux_2_17_\w+\.whl$", wheel.name)
    prefix = folder / "node"
    venv.create(prefix, symlinks=True)
    subprocess.run(
        [
            sys.executable, "-m", "pip", "--disable-pip-version-check", "--python",
            prefix / "bin" / "python", "install", "--quiet", "--no-deps", "--no-index", wheel,
        ],
        check=True,
    )  # fmt: skip
    # Its dependencies come from this environment, so nothing is downloaded. Files that would lead
    # to the checkout are not read in a folder that is only on the path.
    (packages,) = prefix.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    work = folder / "work"
    work.mkdir()
    shutil.copy(POLICY, work)
    return Installed(prefix, work)


def test_installed_wheel_is_used(installed: Installed) -> None:
    code = "import gthulhuc; print(gthulhuc.__file__)"
    python = installed.prefix / "bin" / "python"
    result = subprocess.run(
        [python, "-c", code], env={}, capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith(str(installed.prefix))


def test_a_policy_is_checked_and_compiled(installed: Installed) -> None:
    checked = installed.run("gthulhu check -W no-all upf.gpl")
    assert (checked.returncode, checked.stderr) == (0, "")
    compiled = installed.run("gthulhuc -W no-all upf.gpl")
    assert (compiled.returncode, compiled.stderr) == (0, "")
    here = subprocess.run(
        [sys.executable, "-m", "gthulhuc.cli.compile", POLICY, "-W", "no-all", "-o", "here.bpf.o"],
        cwd=installed.folder, env=environment(), check=False,
    )  # fmt: skip
    assert here.returncode == 0
    # Where it was compiled is not in an object.
    made = (installed.folder / "upf.bpf.o").read_bytes()
    assert made == (installed.folder / "here.bpf.o").read_bytes()


def test_its_loader_is_found(installed: Installed) -> None:
    assert installed.run("gthulhuc -W no-all upf.gpl").returncode == 0
    loaded = installed.run("gthulhu-loader --check upf.bpf.o")
    assert loaded.stdout == "upf.bpf.o: valid (policy upf of upf.gpl, ABI 3)\n"
    looked = installed.run("gthulhu doctor upf.bpf.o --json")
    found = {finding["check"]: finding for finding in json.loads(looked.stdout)["findings"]}
    assert found["loader"]["text"] == str(installed.prefix / "bin" / "gthulhu-loader")
    assert found["clang"]["level"] == "ok"
    assert {"kernel", "permission", "cgroups"} < set(found)


def test_wheel_contains_units_policies_and_grammar(installed: Installed) -> None:
    for unit in (ROOT / "runtime" / "systemd").iterdir():
        assert (installed.prefix / "lib/systemd/system" / unit.name).exists()
    assert installed.run("gthulhu new --from upf -o -").stdout == POLICY.read_text()
    assert list(installed.prefix.glob("lib/python*/site-packages/gthulhuc/grammar/Gpl.g4"))


def test_manual_pages_and_completions(installed: Installed) -> None:
    share = installed.prefix / "share"
    for command in ("gthulhu", "gthulhuc"):
        page = (share / "man/man1" / f"{command}.1").read_text()
        assert page.startswith(f".TH {command.upper()} 1 ")
        assert (share / "bash-completion/completions" / command).read_text().startswith("# AUTOM")
        assert f"#compdef {command}" in (share / f"zsh/site-functions/_{command}").read_text()
        fish = (share / f"fish/vendor_completions.d/{command}.fish").read_text()
        assert f"complete -c {command} " in fish


def test_the_lab_is_in_it(installed: Installed) -> None:
    listed = installed.run("gthulhu lab workloads")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "\nwaker" in f"\n{listed.stdout}"
    # Programs of guests are built from sources that came along, in the user's cache.
    environ = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(installed.folder)}
    built = subprocess.run(
        [
            installed.prefix / "bin" / "python", "-c",
            "from gthulhu_lab import workloads; print(*workloads.build().values())",
        ],
        env=environ, cwd=installed.folder, stdout=subprocess.PIPE, text=True, check=True,
    ).stdout.split()  # fmt: skip
    folder = installed.folder / "gthulhu" / "build" / "workloads"
    assert {Path(program).parent for program in built} == {folder}
    assert all(os.access(program, os.X_OK) for program in built)


def test_a_policy_is_simulated(installed: Installed) -> None:
    words = "--machine desktop-16 --workload pairs --seeds 1 --seconds 0.05"
    said = installed.run(f"gthulhu simulate upf.gpl {words}")
    assert said.returncode == 0, said.stderr
    assert "machine desktop-16: 16 CPUs, 8 cores, 1 LLC" in said.stdout


def test_packages_that_the_lab_lacks_are_named(installed: Installed) -> None:
    said = installed.run("gthulhu verify upf.gpl", PATH="/nowhere")
    assert said.returncode == 2
    assert " lacks packages that the lab needs:\n\n  apt " in said.stderr
    assert " qemu-system-x86-core " in said.stderr
