# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Checks `expect` blocks for errors that only the lab can find."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gthulhu_lab.catalogue import Workload
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.verify import claims, scene
from gthulhu_lab.verify.claims import Claim
from gthulhu_lab.verify.scene import Scene
from gthulhu_lab.verify.witness import NoWitnessError
from gthulhuc import checked
from gthulhuc.claims import Expectation
from gthulhuc.cli import shared
from gthulhuc.diagnostics import Collector, Diagnostic, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.reference import DEFAULT
from gthulhuc.source import Span


def mistakes(blocks: Sequence[Expectation], known: Mapping[str, Workload]) -> list[Diagnostic]:
    """Errors for unknown workloads, and for claims about rules without a workload."""
    report = Collector()
    for block in blocks:
        for name, span in _workloads(block):
            if name not in known:
                message = f"the lab has no workload `{name}`"
                hint = did_you_mean(name, known)
                report.error(codes.UNDEFINED_NAME, message, span, hint=hint)
        rules = {rule or DEFAULT for rule in (block.rule, *(load.rule for load in block.loads))}
        for claim in claims.read(block):
            if claim.report is not None:
                _check_report(claim, known, report)
            elif claim.target not in rules:
                message = f"no workload of this block runs as `{claim.target}`"
                report.error(
                    codes.WRONG_VALUE,
                    message,
                    claim.span,
                    hint=f"write `as {claim.target}` after one of them",
                )
    return report.sorted()


def _check_report(claim: Claim, known: Mapping[str, Workload], report: Collector) -> None:
    workload = known.get(claim.target)
    if workload is None or claim.report in workload.reports:
        return
    message = f"`{claim.target}` does not report `{claim.report}`"
    hint = (
        f"it reports `{'` and `'.join(workload.reports)}`"
        if workload.reports
        else ("it reports nothing; claim the waits or the share of its tasks instead")
    )
    report.error(codes.WRONG_VALUE, message, claim.span, hint=hint)


def scenes(
    path: str,
    policy: checked.Policy,
    blocks: Sequence[Expectation],
    known: Mapping[str, Workload],
) -> list[Scene]:
    """The scene of each block. Raises PolicyError for wrong blocks and for unreachable rules."""
    if problems := mistakes(blocks, known):
        raise PolicyError(path, problems)
    report = Collector()
    found = []
    for block in blocks:
        try:
            found.append(scene.build(policy, block, known))
        except NoWitnessError as error:
            span = _word(block.workload, block.span)
            report.error(codes.WRONG_VALUE, error.message, span, hint=error.remedy)
    if problems := report.sorted():
        raise PolicyError(path, problems, shared.FAILED)
    return found


def _workloads(block: Expectation) -> Iterator[tuple[str, Span]]:
    """Each workload's name with its span."""
    yield block.workload, _word(block.workload, block.span)
    for load in block.loads:
        yield load.workload, _word(load.workload, load.span)


def _word(name: str, whole: Span) -> Span:
    """The span of a workload's name in a block or a load."""
    found = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", whole.text)
    start = whole.start + (0 if found is None else found.start())
    return Span(whole.source, start, start + len(name))
