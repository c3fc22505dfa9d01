# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Where the lab keeps its things: in the checkout that it runs from, else in the user's cache."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
GUEST_SCRIPTS = PACKAGE / "guest"
_ABOVE = PACKAGE.parents[1]
CHECKOUT = _ABOVE if (_ABOVE / "lab" / "workloads").is_dir() else None
"""The checkout that this is part of; None where the lab was installed from a wheel."""

# A wheel has them beside the modules (scripts/wheel.py).
WORKLOADS = CHECKOUT / "lab" / "workloads" if CHECKOUT else PACKAGE / "workloads"
MODEL = CHECKOUT / "sim" if CHECKOUT else PACKAGE / "sim"
SYSTEM_PACKAGES = CHECKOUT / "scripts" / "packages.toml" if CHECKOUT else PACKAGE / "packages.toml"


def cache_dir() -> Path:
    """Folder of everything fetched.

    `GTHULHU_CACHE`, else `.cache` of the checkout, else `gthulhu` in the user's cache folder.
    """
    if named := os.environ.get("GTHULHU_CACHE"):
        return Path(named).absolute()
    if CHECKOUT:
        return CHECKOUT / ".cache"
    # The XDG Base Directory Specification says to ignore a relative one.
    users = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (users if users.is_absolute() else Path.home() / ".cache") / "gthulhu"


def build_dir() -> Path:
    """Folder of everything built; may be deleted at any time."""
    return CHECKOUT / "build" if CHECKOUT else cache_dir() / "build"
