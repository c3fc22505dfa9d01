# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The schedulers that a simulation compares with, as `--control` names them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation import foreign
from gthulhu_lab.simulation.load import Load
from gthulhu_lab.simulation.model import CONTROLS
from gthulhuc.cli import shared


def names(text: str) -> Sequence[str]:
    """Returns the names in a list with commas, and says what the model leaves out of C files.

    Raises LabError for one that is no control.
    """
    found = [] if text == "none" else [name.strip() for name in text.split(",")]
    for name in found:
        if name.endswith(".c"):
            for member in foreign.not_called(foreign.expanded(Path(name))):
                shared.err(f"left out: {name}: the model does not use `{member}`\n")
        elif name not in CONTROLS:
            raise LabError(
                f"there is no control `{name}`",
                f"the controls are {', '.join(CONTROLS)}, a scheduler's C file, or none",
            )
    return found


def baselines(load: Load) -> Sequence[str]:
    """Returns the controls that the claims of a load compare with."""
    named = dict.fromkeys(claim.baseline for claim in load.claims if claim.baseline)
    return [name for name in named if name in CONTROLS]
