# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The schedulers that a simulation compares with, as `--control` names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation import foreign
from gthulhu_lab.simulation.load import Load
from gthulhu_lab.simulation.model import CONTROLS
from gthulhuc.cli import shared

_OF_THE_KERNEL = {"eevdf"}
"""Controls that stand for the kernel's own code, and have none of its locks."""


def names(text: str) -> Mapping[str, str]:
    """Returns the controls in a list with commas, by the names that tables have.

    Says what the model leaves out of C files. `NAME=FILE.c` gives one a name. Raises LabError for
    one that is no control.
    """
    found: dict[str, str] = {}
    for item in [] if text == "none" else text.split(","):
        label, _, name = item.strip().rpartition("=")
        found[label or name] = name
        if name.endswith(".c") and label not in CONTROLS:
            for member in foreign.not_called(foreign.expanded(Path(name))):
                shared.err(f"left out: {label or name}: the model does not use `{member}`\n")
        elif label or name not in CONTROLS:
            raise LabError(
                f"there is no control `{item.strip()}`",
                f"the controls are {', '.join(CONTROLS)}, a scheduler's C file (FILE.c, or "
                "NAME=FILE.c for a name in tables), or none",
            )
    return found


def can_be_fine(name: str) -> bool:
    """Whether events of a scheduler may be put aside in the middle."""
    return name not in _OF_THE_KERNEL


def baselines(load: Load) -> Sequence[str]:
    """Returns the controls that the claims of a load compare with."""
    named = dict.fromkeys(claim.baseline for claim in load.claims if claim.baseline)
    return [name for name in named if name in CONTROLS]
