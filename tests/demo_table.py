# SPDX-License-Identifier: Apache-2.0
"""The table that `make demo` prints, and README's copy; as a program, it puts a new one there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
# The first and last lines of a table, in README and where it is printed.
_FIRST, _LAST = "with the policy\n", "seed "


def print_demo() -> str:
    """Returns the output of `make demo`."""
    command = [str(Path(sys.executable).with_name("gthulhu")), "lab", "demo"]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def of(text: str) -> str:
    """The table in a text, from its head to its last line, without blanks at the ends of lines."""
    head = text.index(_FIRST)
    start = text.rindex("\n", 0, head) + 1
    end = text.index("\n", text.index(f"\n{_LAST}", head) + 1) + 1
    return "".join(f"{line.rstrip()}\n" for line in text[start:end].splitlines())


if __name__ == "__main__":
    readme = README.read_text()
    README.write_text(readme.replace(of(readme), of(print_demo())))
