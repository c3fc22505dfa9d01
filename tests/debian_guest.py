# SPDX-License-Identifier: Apache-2.0
"""Debian guests whose script notes its steps (tests/vm/steps.sh), and the records of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gthulhu_lab import vm

_SCRIPTS = Path(__file__).parent / "vm"


def script(name: str) -> str:
    """A guest's script, with the functions that it uses."""
    return "".join((_SCRIPTS / f"{each}.sh").read_text() for each in ("steps", name))


@dataclass(frozen=True)
class Steps:
    """The records of such a script."""

    result: vm.GuestResult

    def text(self, name: str) -> str:
        """The output of a command."""
        return self.result.files[name].decode().rpartition("= ")[0]

    def status(self, name: str) -> int:
        """Its exit status."""
        return int(self.result.files[name].decode().rpartition("= ")[2])

    def show(self, name: str) -> dict[str, str]:
        """Properties of a unit."""
        lines = self.text(name).splitlines()
        return {key: value for key, _, value in (line.partition("=") for line in lines)}
