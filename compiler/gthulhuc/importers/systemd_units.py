# SPDX-License-Identifier: Apache-2.0
"""Reads a folder of systemd's unit files, with their drop-ins.

A broken line is reported with its place; the others are still read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gthulhuc.importers.document import Finding
from gthulhuc.records import dataclass

KINDS = ("service", "slice", "scope", "socket", "mount", "swap")


@dataclass(frozen=True, slots=True)
class Setting:
    """A line `KEY=VALUE`; `place` is `file:line`."""

    place: str
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, as `nginx.service`: its settings in the order in which they apply."""

    name: str
    settings: tuple[Setting, ...]

    @property
    def kind(self) -> str:
        """The part after the last dot."""
        return self.name.rpartition(".")[2]


def read_units(folder: str) -> tuple[list[Unit], list[Finding]]:
    """Returns the units of a folder by their names, and findings about what cannot be read.

    Drop-ins apply after the unit's own file, in the order of their names. Their unit may be in
    another folder.
    """
    findings: list[Finding] = []
    files: dict[str, list[Path]] = {}
    for path in sorted(Path(folder).iterdir()):
        if _is_unit(path.name) and path.is_symlink():
            message = f"skipped: an alias of {path.readlink()}"
            findings.append(Finding(str(path), message))
        elif _is_unit(path.name) and path.is_file():
            files.setdefault(path.name, []).insert(0, path)
        elif path.name.endswith(".d") and path.is_dir():
            parts = sorted(part for part in path.glob("*.conf") if part.is_file())
            if _is_unit(path.stem) and not path.stem.partition(".")[0].endswith("-"):
                files.setdefault(path.stem, []).extend(parts)
            elif parts and path.stem.rpartition(".")[2] in KINDS:
                message = "skipped: these drop-ins are for many units"
                findings.append(Finding(str(path), message))
    units = [
        Unit(name, tuple(setting for path in paths for setting in _settings(path, findings)))
        for name, paths in sorted(files.items())
    ]
    return units, findings


def _is_unit(name: str) -> bool:
    stem, _, kind = name.rpartition(".")
    return bool(stem) and kind in KINDS


def _settings(path: Path, findings: list[Finding]) -> Iterator[Setting]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        findings.append(Finding(str(path), f"skipped: not UTF-8: {error.reason}", is_error=True))
        return
    except OSError as error:
        findings.append(Finding(str(path), f"cannot read: {error.strerror}", is_error=True))
        return
    for number, line in _joined(text):
        place = f"{path}:{number}"
        key, equals, value = line.partition("=")
        if equals:
            yield Setting(place, key.strip(), value.strip())
        elif not (line.startswith("[") and line.endswith("]")):
            findings.append(Finding(place, "skipped: no `KEY=VALUE`", is_error=True))


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Yields the lines with the number of their first part; a backslash at the end joins two."""
    begun = ""
    first = 0
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.strip()
        if bare.startswith(("#", ";")):
            continue
        first = first if begun else number
        if bare.endswith("\\"):
            begun += bare[:-1] + " "
            continue
        if begun + bare:
            yield first, (begun + bare).strip()
        begun = ""
    if begun.strip():
        yield first, begun.strip()
