# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Debian packages of other suites, without touching the host: private lists, no installation."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from gthulhu_lab import cache
from gthulhu_lab.errors import LabError

_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
_DEFAULT_MIRROR = "http://deb.debian.org/debian"
_MIRROR = re.compile(r"https?://[^\s\]]+/debian/?(?=\s|$)", re.MULTILINE)


class Suite:
    """The package lists of one Debian suite, kept below `state`."""

    def __init__(self, name: str, state: Path) -> None:
        self.name = name
        self._state = state / name
        for tool in ("apt-get", "apt-cache", "dpkg-deb"):
            if shutil.which(tool) is None:
                raise LabError(
                    f"the lab fetches Debian kernels with {tool}, which is not on this machine",
                    "apt: apt dpkg    dnf: apt dpkg    pacman: apt dpkg (AUR)",
                )
        if not Path(_KEYRING).exists():
            raise LabError(
                f"{_KEYRING} is missing: Debian's signatures cannot be checked",
                "apt: debian-archive-keyring    dnf: debian-keyring    "
                "pacman: debian-archive-keyring",
            )

    def refresh(self) -> None:
        """Fetch the suite's list of packages (only that: no translations, no sources)."""
        (self._state / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        (self._state / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        source = (
            "Types: deb\n"
            f"URIs: {mirror()}\n"
            f"Suites: {self.name}\n"
            "Components: main\n"
            "Architectures: amd64\n"
            "Targets: Packages\n"
            f"Signed-By: {_KEYRING}\n"
        )
        cache.write(self._source_list(), source.encode())
        self._run(["apt-get", *self._options(), "-qq", "update"])

    def packages(self, pattern: str) -> set[str]:
        """Names of packages that match a regular expression."""
        listing = self._run(["apt-cache", *self._options(), "search", "--names-only", pattern])
        return {line.split(" ", 1)[0] for line in listing.splitlines()}

    def download(self, packages: Sequence[str], folder: Path) -> list[Path]:
        """Download packages, checked against the signed list, and return their files."""
        folder.mkdir(parents=True, exist_ok=True)
        self._run(["apt-get", *self._options(), "-qq", "download", *packages], cwd=folder)
        return sorted(folder.glob("*.deb"))

    def download_with_dependencies(self, packages: Iterable[str], folder: Path) -> list[Path]:
        """Download packages and all that they depend on, as if nothing were installed."""
        (folder / "partial").mkdir(parents=True, exist_ok=True)
        archives = ("-o", f"Dir::Cache::archives={folder}")
        what = ("--yes", "--no-install-recommends", "--download-only", "install", *packages)
        self._run(["apt-get", *self._options(), *archives, "-qq", *what])
        return sorted(folder.glob("*.deb"))

    def _source_list(self) -> Path:
        return self._state / "suite.sources"

    def _options(self) -> list[str]:
        settings = {
            "Dir::Etc::SourceList": str(self._source_list()),
            "Dir::Etc::SourceParts": "/dev/null",
            "Dir::Etc::Preferences": "/dev/null",
            "Dir::Etc::PreferencesParts": "/dev/null",
            "Dir::State::Lists": str(self._state / "lists"),
            "Dir::State::status": "/dev/null",
            "Dir::Cache": str(self._state),
            "APT::Architecture": "amd64",
            "APT::Architectures": "amd64",
            "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
            "Acquire::Languages": "none",
            "Acquire::Retries": "3",
        }
        return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]

    def _run(self, command: Sequence[str], cwd: Path | None = None) -> str:
        # apt-get does not wait for another one that has the lists.
        with cache.locked(self._state):
            result = subprocess.run(
                command, cwd=cwd, capture_output=True, text=True, check=False,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        if result.returncode != 0:
            raise LabError(
                f"{command[0]} failed for Debian's suite {self.name}:\n{result.stderr.strip()}",
                "Is the network up, and the mirror of /etc/apt/sources.list reachable?",
            )
        return result.stdout


def mirror() -> str:
    """The Debian mirror that the machine itself uses, else Debian's own."""
    files = [Path("/etc/apt/sources.list")]
    parts = Path("/etc/apt/sources.list.d")
    if parts.is_dir():
        files.extend(sorted(parts.iterdir()))
    for file in files:
        if not file.is_file() or file.suffix not in (".list", ".sources"):
            continue
        if match := _MIRROR.search(file.read_text(errors="replace")):
            return match.group(0).rstrip("/")
    return _DEFAULT_MIRROR


def extract(package: Path, folder: Path) -> None:
    """Unpack a .deb below `folder`, as the current user. Raises LabError."""
    folder.mkdir(parents=True, exist_ok=True)
    result = subprocess.run(
        ["dpkg-deb", "-x", str(package), str(folder)], capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        raise LabError(f"cannot unpack {package.name}: {result.stderr.strip()}")
