# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A verdict as JUnit XML: a case for each claim, a suite for each block.

A block with exact and timed claims has two suites.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from gthulhu_lab.verify.table import figures
from gthulhu_lab.verify.verdict import Block, Judged, Outcome, Verification
from gthulhuc.diagnostics.human import visible


def render(found: Verification) -> str:
    """The document."""
    claims = [claim for block in found.blocks for claim in block.claims]
    root = ET.Element("testsuites", {"name": "gthulhu verify", **_totals(claims)})
    for block in found.blocks:
        for is_exact in (True, False):
            _add_block(root, block, found.policy, is_exact=is_exact)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _totals(claims: list[Judged]) -> dict[str, str]:
    failures = sum(claim.outcome is not Outcome.OK for claim in claims)
    return {"tests": str(len(claims)), "failures": str(failures)}


def _add_block(root: ET.Element, block: Block, policy: str, *, is_exact: bool) -> None:
    claims = [claim for claim in block.claims if claim.method.is_exact == is_exact]
    if not claims:
        return
    wall_s = sum(run.wall_s for run in block.of_clock(is_exact=is_exact))
    kind = block.kernel if is_exact else f"{block.kernel}, wall clock"
    about = {
        "name": f"{policy}:{block.line} {block.text} ({kind})",
        "time": f"{wall_s:.1f}",
        **_totals(claims),
    }
    suite = ET.SubElement(root, "testsuite", about)
    for claim in claims:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=f"{policy}.{block.kernel}",
            name=f"{block.workload}: {claim.text}",
            file=policy,
            line=str(claim.line),
        )
        said = _said(claim)
        if claim.outcome is not Outcome.OK:
            failure = ET.SubElement(case, "failure", message=said, type=claim.outcome.value)
            # XML has no place for what acts on terminals.
            failure.text = "\n".join(map(visible, claim.reason.splitlines()))
        ET.SubElement(case, "system-out").text = said


def _said(claim: Judged) -> str:
    middle, spread = figures(claim)
    if not spread:
        first = claim.reason.splitlines()[0] if claim.reason else ""
        return f"{claim.outcome.value}: {visible(first)}"
    of = f" of {claim.baseline}" if claim.baseline and not claim.method.is_exact else ""
    warning = f"; {claim.warning}" if claim.warning else ""
    return f"measured {middle}{of} {spread}{warning}"
