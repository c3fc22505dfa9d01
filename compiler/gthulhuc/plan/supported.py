# SPDX-License-Identifier: Apache-2.0
"""Refuses what the language has but an object has no room for.

`gthulhu check` and `--emit ir` accept such policies; only C and objects are not generated.
"""

from __future__ import annotations

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Diagnostic, codes

MAX_GROUPS = 8
"""The capacity of a pin in the object (`templates/lib/abi.h`)."""
_NOTE = (
    "`gthulhu check` and `--emit ir` accept it, but the generated scheduler does not support it yet"
)


def refuse(policy: checked.Policy) -> list[Diagnostic]:
    """Returns an error for each unsupported part of the policy."""
    report = Collector()
    for actions in (*(rule.actions for rule in policy.rules), policy.default):
        cpus = actions.cpus
        if cpus is not None and len(cpus.groups) > MAX_GROUPS:
            message = f"`cpus` with more than {MAX_GROUPS} groups is not supported yet"
            report.error(codes.NOT_SUPPORTED, message, cpus.span, note=_NOTE)
    return report.sorted()
