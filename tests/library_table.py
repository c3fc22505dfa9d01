# SPDX-License-Identifier: Apache-2.0
"""README's figures of the shipped policies; as a program, it measures them and puts them there.

    python tests/library_table.py            all rows, some 45 guests
    python tests/library_table.py upf web    the rows of these policies

Each row is one claim of a policy, measured by `gthulhu verify` with one seed, beside EEVDF and
scx_bpfland (`gthulhu lab peers scx_bpfland`). Guests that ran before are kept.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import library
from gthulhu_lab.stats import Spread
from gthulhu_lab.verify.table import shown
from gthulhu_lab.verify.verdict import Judged, Verification

README = library.ROOT / "README.md"
BESIDE = ("eevdf", "scx_bpfland")
_ROW = re.compile(
    r"^\| \[(?P<policy>\S+)\]\(docs/policies/\S+\.md\) \| .+ \| `(?P<figure>.+)` \| .+ \|$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of README's table. `text`: as it stands there; `line`: of its `expect` block."""

    text: str
    policy: str
    figure: str
    line: int

    def measured(self) -> str:
        """Its text with figures of today. Raises CalledProcessError."""
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "figures.json"
            ended = subprocess.run(
                [
                    Path(sys.executable).with_name("gthulhu"), "verify",
                    library.POLICIES[self.policy], f"--expect={self.line}", "--seeds=1",
                    f"--beside={','.join(BESIDE)}", f"--json={output}",
                ],
                stdout=subprocess.DEVNULL, check=False,
            )  # fmt: skip
            if ended.returncode > 1:  # 1: a claim does not hold
                ended.check_returncode()
            found = Verification.model_validate_json(output.read_bytes())
        claim = next(each for each in found.blocks[0].claims if each.figure == self.figure)
        figures = (claim.measured, *(claim.beside.get(name) for name in BESIDE))
        head, *_ = self.text.rsplit(" | ", len(figures))
        return " | ".join([head, *(_shown(claim, each) for each in figures)]) + " |"


def _shown(claim: Judged, figure: Spread | None) -> str:
    return "-" if figure is None else shown(figure.median, claim.metric)


def rows(text: str) -> list[Row]:
    """The rows of README's table. Raises LookupError if a figure is no claim of its policy."""
    found = []
    for each in _ROW.finditer(text):
        policy, figure = each["policy"], each["figure"]
        blocks = library.policy_of(library.POLICIES[policy].read_text()).expectations
        about = [
            block
            for block in blocks
            if any(claim.span.text.startswith(figure) for claim in block.claims)
        ]
        if not about:
            raise LookupError(f"{policy}: no claim about {figure}")
        # `waker` does nothing but wake up; others do what a policy is for.
        first = min(about, key=lambda block: block.workload == "waker")
        found.append(Row(each[0], policy, figure, library.line_of(first)))
    return found


def main(names: list[str]) -> None:
    """Measures the rows of some policies, or of all, and writes each into README."""
    for row in rows(README.read_text()):
        if names and row.policy not in names:
            continue
        measured = row.measured()
        print(measured, flush=True)
        README.write_text(README.read_text().replace(row.text, measured))


if __name__ == "__main__":
    main(sys.argv[1:])
