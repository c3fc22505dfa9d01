# SPDX-License-Identifier: Apache-2.0
"""The loader in a guest, with shell functions for its scripts."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
LOADER = ROOT / "runtime" / "gthulhu-loader"

# Files for `GuestRequest.files`; its script begins with FUNCTIONS.
FILES = {"bin/gthulhu-loader": LOADER, "loader.sh": ROOT / "tests" / "vm" / "loader.sh"}
FUNCTIONS = ". $LAB/loader.sh\n"
