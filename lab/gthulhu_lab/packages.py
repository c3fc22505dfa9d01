# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The system's packages that are needed (scripts/packages.toml), and those that are missing.

scripts/bootstrap uses this before there is any environment: it needs nothing but Python 3.11.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

BACKPORTS = "bookworm-backports"
OS_RELEASE = Path("/etc/os-release")
INSTALL = {
    "apt": "apt-get install --no-install-recommends",
    "dnf": "dnf install",
    "pacman": "pacman -S --needed",
}
# The first word of os-release's ID and ID_LIKE that is here decides.
MANAGER_OF = {
    "debian": "apt",
    "ubuntu": "apt",
    "fedora": "dnf",
    "rhel": "dnf",
    "arch": "pacman",
}


@dataclass(frozen=True)
class Package:
    """One thing the machine must have; `names` is what each package manager calls it."""

    why: str
    names: dict[str, str]
    at_least: str = ""
    backports: str = ""
    python_module: str = ""
    lab: tuple[str, ...] = ()


@dataclass(frozen=True)
class System:
    """The system that `os-release` names. `manager` is None if its package manager is unknown."""

    name: str
    manager: str | None
    is_debian_12: bool


def read_packages(path: Path) -> list[Package]:
    """The table of packages in `path`."""
    return [
        Package(
            why=entry.pop("why"),
            names={manager: entry.pop(manager) for manager in INSTALL if manager in entry},
            lab=tuple(entry.pop("lab", ())),
            **entry,
        )
        for entry in tomllib.loads(path.read_text())["package"]
    ]


def read_system(os_release: Path) -> System:
    """Which system this is, by its `os-release` file (which may be missing)."""
    text = os_release.read_text() if os_release.exists() else ""
    fields = dict(re.findall(r"^(\w+)=[\"']?(.*?)[\"']?$", text, re.MULTILINE))
    words = [fields.get("ID", ""), *fields.get("ID_LIKE", "").split()]
    return System(
        name=fields.get("PRETTY_NAME", "this system"),
        manager=next((MANAGER_OF[word] for word in words if word in MANAGER_OF), None),
        is_debian_12=(fields.get("ID"), fields.get("VERSION_ID")) == ("debian", "12"),
    )


def describe(missing: list[Package], system: System) -> str:
    """Returns a table of the missing packages, with their names in each package manager."""
    rows = [[*INSTALL, ""]]
    for package in missing:
        since = f" (version {package.at_least} or newer)" if package.at_least else ""
        rows.append([*(package.names.get(key, "-") for key in INSTALL), package.why + since])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    table = ["  " + "  ".join(row).rstrip() for row in cells]
    commands = [
        f"  sudo {INSTALL[manager]} "
        + " ".join(sorted({p.names[manager] for p in missing if manager in p.names}))
        for manager in ([system.manager] if system.manager else INSTALL)
    ]
    return "\n".join([*table, "", *commands])


def describe_backports(missing: list[Package], system: System) -> str:
    """Which of the packages Debian 12 has in its backports only; empty elsewhere."""
    names = [package.names["apt"] for package in missing if package.backports]
    return f"\n  (from {BACKPORTS}: {' '.join(names)})" if names and system.is_debian_12 else ""


def missing_for_lab(path: Path) -> list[Package]:
    """Packages of the table in `path` that the lab needs and that this machine lacks."""

    def is_there(package: Package) -> bool:
        folders = "/usr/sbin:/sbin"
        return any(
            Path(each).exists() if each.startswith("/")
            else shutil.which(each) or shutil.which(each, path=folders)
            for each in package.lab
        )  # fmt: skip

    return [package for package in read_packages(path) if package.lab and not is_there(package)]
