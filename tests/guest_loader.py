# SPDX-License-Identifier: Apache-2.0
"""The loader in a guest, and what scripts there use it with."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
LOADER = ROOT / "runtime" / "gthulhu-loader"

# What a guest needs, for `GuestRequest.files`; FUNCTIONS is what its script begins with.
FILES = {"bin/gthulhu-loader": LOADER, "loader.sh": ROOT / "tests" / "vm" / "loader.sh"}
FUNCTIONS = ". $LAB/loader.sh\n"
