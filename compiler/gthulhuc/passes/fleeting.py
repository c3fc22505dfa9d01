# SPDX-License-Identifier: Apache-2.0
"""Warns of rules that match one session: its id means nothing once it has ended.

It changes nothing in the draft.
"""

from __future__ import annotations

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, codes
from gthulhuc.fields import Field
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reasoning.contents import leaves


def check(draft: Draft, report: Collector) -> Draft:
    """Returns the draft as it is; warns of each comparison that only a known session can fulfil."""
    for rule in draft.rules:
        for leaf in leaves(rule.match) if rule.match else ():
            if not isinstance(leaf, checked.InRanges) or leaf.subject.field is not Field.SESSION:
                continue
            if any(low == high > 0 for low, high in leaf.ranges):
                report.warning(
                    codes.ONE_SESSION,
                    "a session id is a pid, so it changes with the next login or boot",
                    leaf.span,
                    hint="match on `unit`, `cgroup` or `uid`; a label can mark a running process",
                )
    return draft
