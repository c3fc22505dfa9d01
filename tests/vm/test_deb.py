# SPDX-License-Identifier: Apache-2.0
"""The Debian package on a Debian that has nothing of ours: a root without a kernel of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gthulhu_lab import debian

pytestmark = pytest.mark.vm

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "coreutils",
    "dash",
    "diffutils",
    "dpkg",
    "findutils",
    "libc-bin",
    "python3",
    "sed",
    "tar",
)
UNITS = "usr/lib/systemd/system"
# dpkg's status of that root, which was unpacked without it: our dependencies.
STATUS = """\
Package: python3
Status: install ok installed
Maintainer: Debian
Architecture: amd64
Version: 3.11.2-1
Description: as Debian 12 has it
"""


@dataclass(frozen=True)
class Node:
    """A root; nobody but who runs the tests needs to be root in it."""

    root: Path

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        into = ["unshare", "--map-root-user"] if os.geteuid() else []
        path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
        return subprocess.run(
            [*into, "chroot", self.root, "env", "-i", path, "sh", "-c", line],
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def ours(self) -> set[str]:
        """Returns the installed files of the package."""
        return {
            str(file.relative_to(self.root))
            for pattern in ("usr/bin/gthulhu*", "usr/lib/gthulhu", f"{UNITS}/gthulhu*")
            for file in self.root.glob(pattern)
        }


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    folder = tmp_path_factory.mktemp("deb")
    subprocess.run([sys.executable, ROOT / "scripts" / "deb.py", folder], check=True)
    (package,) = folder.glob("gthulhu_*.deb")
    node = Node(folder / "root")
    shutil.copytree(debian.root(PACKAGES), node.root, symlinks=True)
    status = node.root / "var/lib/dpkg/status"
    (status.parent / "info").mkdir(parents=True, exist_ok=True)
    (status.parent / "updates").mkdir(exist_ok=True)
    status.write_text(STATUS)
    shutil.copy(package, node.root)
    installed = node.run(f"dpkg --install /{package.name}")
    assert installed.returncode == 0, installed.stderr
    yield node
    shutil.rmtree(node.root)


def test_package_files_are_installed(node: Node) -> None:
    units = {unit.name for unit in (ROOT / "runtime" / "systemd").iterdir()}
    commands = {"gthulhu", "gthulhuc", "gthulhu-loader"}
    assert node.ours() == {
        "usr/lib/gthulhu",
        *(f"usr/bin/{name}" for name in commands),
        *(f"{UNITS}/{name}" for name in units),
    }
    compiled = node.root / "usr/lib/gthulhu/gthulhuc/__pycache__"
    assert list(compiled.glob("__init__.*.pyc"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gthulhu --version", "gthulhu "),
        ("gthulhu check -W no-all /usr/share/gthulhu/policies/upf.gpl", ""),
        ("gthulhuc -W no-all --emit c /usr/share/gthulhu/policies/upf.gpl -o /upf.c", ""),
        ("gthulhu-loader --version", "gthulhu-loader "),
        ("gthulhu lab workloads", "waker "),
        ("gthulhu metrics --help", "usage: gthulhu metrics"),
        ("gthulhu trace --help", "usage: gthulhu trace"),
        ("python3 -c 'import gthulhuc' 2>&1 || echo apart", "Traceback"),
    ],
)
def test_commands(node: Node, line: str, said: str) -> None:
    result = node.run(line)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(said)


def test_modules_that_only_some_commands_import(node: Node) -> None:
    modules = "perfetto.protos.perfetto.trace, prometheus_client, rich, pydantic_core, yaml"
    code = f'import sys; sys.path.insert(0, "/usr/lib/gthulhu"); import {modules}'
    result = node.run(f"python3 -I -c '{code}'")
    assert (result.returncode, result.stderr) == (0, "")


def test_removal_leaves_no_files(node: Node) -> None:
    removed = node.run("dpkg --remove gthulhu")
    assert removed.returncode == 0, removed.stderr
    assert node.ours() == set()
