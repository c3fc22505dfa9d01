# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A verdict as JUnit XML: a suite for each block, a case for each claim."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from gthulhu_lab.verify.table import shown
from gthulhu_lab.verify.verdict import Block, Judged, Outcome, Verification


def render(found: Verification) -> str:
    """The document."""
    claims = [claim for block in found.blocks for claim in block.claims]
    root = ET.Element("testsuites", {"name": "gthulhu verify", **_totals(claims)})
    for block in found.blocks:
        _add_block(root, block, found.policy)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _totals(claims: list[Judged]) -> dict[str, str]:
    failures = sum(claim.outcome is not Outcome.OK for claim in claims)
    return {"tests": str(len(claims)), "failures": str(failures)}


def _add_block(root: ET.Element, block: Block, policy: str) -> None:
    wall_s = sum(run.wall_s for run in block.runs)
    name = f"{policy}:{block.line} {block.text} ({block.kernel})"
    about = {"name": name, "time": f"{wall_s:.1f}", **_totals(list(block.claims))}
    suite = ET.SubElement(root, "testsuite", about)
    for claim in block.claims:
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
            failure.text = claim.reason
        ET.SubElement(case, "system-out").text = said


def _said(claim: Judged) -> str:
    if claim.measured is None:
        return f"{claim.outcome.value}: {claim.reason.splitlines()[0] if claim.reason else ''}"
    is_share = claim.metric is None
    low, median, high = (
        shown(value, is_share=is_share)
        for value in (claim.measured.low, claim.measured.median, claim.measured.high)
    )
    return f"measured {median} ({low} .. {high})"
