# SPDX-License-Identifier: Apache-2.0
"""This release as a wheel, and the wheels that it needs."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from gthulhu_lab.paths import cache_dir

ROOT = Path(__file__).parents[1]


def build(folder: Path) -> Path:
    """This release as a wheel."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def dependencies(wheel: Path, extras: str) -> Path:
    """The folder in the cache with wheels of all that it needs with these extras."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        needs = re.findall(rb"^Requires-.*$", archive.read(metadata), re.MULTILINE)
    constraints = ROOT / "constraints.txt"
    inputs = repr((extras, needs, constraints.read_text(), sys.version_info[:2]))
    place = cache_dir() / "wheels" / hashlib.sha256(inputs.encode()).hexdigest()[:12]
    if not place.exists():
        part = place.with_name(f".{place.name}.{os.getpid()}")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q"]
        subprocess.run([*command, "-c", constraints, "-d", part, f"{wheel}[{extras}]"], check=True)
        (part / wheel.name).unlink()
        shutil.rmtree(place, ignore_errors=True)
        part.rename(place)
    return place
