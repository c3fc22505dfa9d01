# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Where the lab keeps its things."""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
WORKLOADS = REPOSITORY / "lab" / "workloads"
GUEST_SCRIPTS = Path(__file__).resolve().parent / "guest"


def cache_dir() -> Path:
    """Folder of everything fetched: `GTHULHU_CACHE`, else `.cache` of the repository."""
    return Path(os.environ.get("GTHULHU_CACHE") or REPOSITORY / ".cache").absolute()


def build_dir() -> Path:
    """Folder of everything built; may be deleted at any time."""
    return REPOSITORY / "build"
