# SPDX-License-Identifier: Apache-2.0
"""What the language has and an object has no room for: refused, never ignored.

Policies with it can be checked, and their IR looked at; only C and objects are not made of them.
"""

from __future__ import annotations

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Diagnostic, codes

MAX_GROUPS = 8
"""As many as a pin of the object has room for (`templates/lib/abi.h`)."""
_NOTE = (
    "`gthulhu check` and `--emit ir` accept it, but the generated scheduler does not support it yet"
)


def refuse(policy: checked.Policy) -> list[Diagnostic]:
    """An error for each thing in the policy that there is no code for, with its place."""
    report = Collector()
    for actions in (*(rule.actions for rule in policy.rules), policy.default):
        cpus = actions.cpus
        if cpus is not None and len(cpus.groups) > MAX_GROUPS:
            message = f"`cpus` with more than {MAX_GROUPS} groups is not supported yet"
            report.error(codes.NOT_SUPPORTED, message, cpus.span, note=_NOTE)
    return report.sorted()
