# SPDX-License-Identifier: Apache-2.0
"""Clones of this checkout at other paths, each with an environment and a host name of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import venv
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ("compiler", "runtime", "lab")
# The packages of virtme-ng, which puts its own path into the processes that it starts.
PACKAGES = ("virtme", "virtme_ng")
COMMANDS = ("gthulhu", "gthulhuc", "vng", "virtme-run")


@dataclass(frozen=True)
class Clone:
    """A clone, and the name of the host that it is on."""

    folder: Path
    host: str

    @property
    def bin(self) -> Path:
        return self.folder / ".venv" / "bin"

    def run(self, *command: str, **environment: str) -> str:
        """Returns the output of a command of the clone; raises CalledProcessError if it fails."""
        apart = ["unshare", "--uts", *([] if os.geteuid() == 0 else ["--map-root-user"])]
        named = ["sh", "-c", 'hostname "$0" && exec "$@"', self.host]
        return subprocess.run(
            [*apart, *named, self.bin / command[0], *command[1:]],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], **environment},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout


def make(folder: Path, host: str) -> Clone:
    """A clone of the checkout as it is, changes included; nothing in it is built."""
    clone = Clone(folder, host)
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in names.rstrip("\0").split("\0"):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name, follow_symlinks=False)
    venv.create(folder / ".venv", symlinks=True)
    (packages,) = (folder / ".venv").glob("lib/python*/site-packages")
    installed = Path(sysconfig.get_path("purelib"))
    for package in PACKAGES:
        shutil.copytree(installed / package, packages / package)
    # An editable install's folders, and what both need; files that lead elsewhere are not read in
    # a folder that is only on the path.
    paths = [str(folder / name) for name in SOURCES]
    (packages / "others.pth").write_text("\n".join([*paths, str(installed), ""]))
    for command in COMMANDS:
        _write_command(clone.bin / command)
    return clone


def _write_command(path: Path) -> None:
    (command,) = metadata.entry_points(group="console_scripts", name=path.name)
    path.write_text(
        f"#!{path.with_name('python')}\n"
        f"from {command.module} import {command.attr}\n"
        f"raise SystemExit({command.attr}())\n"
    )
    path.chmod(0o755)
