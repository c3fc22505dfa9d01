# SPDX-License-Identifier: Apache-2.0
"""Reads the settings of the policy block.

Afterwards `kernel_min`, `watchdog_ns` and `cgroups` hold the policy's values, in range.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gthulhuc import checked
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.passes.draft import Draft
from gthulhuc.passes.reading.values import DURATION, UNITS_NS, Values
from gthulhuc.syntax import ast

_KNOWN = ("kernel", "watchdog", "cgroups")
FIRST_KERNEL = (6, 12)  # the first with sched_ext
# The kernel refuses a timeout over 30 s (SCX_WATCHDOG_MAX_TIMEOUT); on a loaded machine, a
# short one would mistake an ordinary wait of an idle task (2 s) for a stall.
WATCHDOG_NS = (100 * UNITS_NS["ms"], 30 * UNITS_NS["s"])


def read(draft: Draft, report: Collector) -> Draft:
    """Returns the draft with the settings of its policy block."""
    if draft.policy is None:
        return draft
    seen: dict[str, ast.Setting] = {}
    for setting in draft.policy.settings:
        name = setting.name.text
        before = seen.setdefault(name, setting)
        if before is not setting:
            report.error(
                codes.DUPLICATE_STATEMENT,
                f"`{name}` appears twice in this block",
                setting.name.span,
                secondary=[Label(before.name.span, "first used here")],
            )
        elif name == "kernel":
            draft = replace(draft, kernel_min=_kernel(setting, report))
        elif name == "watchdog":
            draft = replace(draft, watchdog_ns=_watchdog(setting, draft, report))
        elif name == "cgroups":
            draft = replace(draft, cgroups=_cgroups(setting, report))
        else:
            message = f"unknown setting `{name}`"
            hint = did_you_mean(name, _KNOWN)
            report.error(codes.UNKNOWN_WORD, message, setting.name.span, hint=hint)
    return draft


def _kernel(setting: ast.Setting, report: Collector) -> tuple[int, int] | None:
    found = re.fullmatch(r"([0-9]+)\.([0-9]+)", setting.value.text)
    own = re.match(r"([0-9]+)\.([0-9]+)(?![0-9])", setting.value.text)
    is_fine = own is not None and (int(own[1]), int(own[2])) >= FIRST_KERNEL
    at_least = f"write `kernel >= {own[0] if own and is_fine else '6.16'}`"
    if setting.operator is None or setting.operator.text != ">=":
        at = setting.operator.span if setting.operator else setting.span
        message = "`kernel` expects `>=` and the oldest supported release"
        report.error(codes.WRONG_OPERATOR, message, at, hint=at_least)
        return None
    if found is None:
        message = f"`{setting.value.text}` is not a kernel release"
        report.error(codes.BAD_NUMBER, message, setting.value.span, hint=at_least)
        return None
    release = (int(found[1]), int(found[2]))
    if release < FIRST_KERNEL:
        report.error(
            codes.OUT_OF_RANGE,
            f"kernels before {FIRST_KERNEL[0]}.{FIRST_KERNEL[1]} do not have sched_ext",
            setting.value.span,
        )
        return None
    return release


def _watchdog(setting: ast.Setting, draft: Draft, report: Collector) -> int | None:
    if setting.operator is not None:
        message = "`watchdog` takes no operator, only a duration"
        report.error(
            codes.WRONG_OPERATOR, message, setting.operator.span, hint="write `watchdog 5s`"
        )
        return None
    values = Values(draft, report)
    timeout_ns = values.fixed(setting.value, "`watchdog`", DURATION, *WATCHDOG_NS)
    if timeout_ns is not None and timeout_ns % UNITS_NS["ms"]:
        message = "`watchdog` must be a whole number of milliseconds"
        report.error(codes.BAD_NUMBER, message, setting.value.span)
        return None
    return timeout_ns


# They look like words of another meaning.
_OTHER_WORDS = {"none": "off", "no": "off", "false": "off", "yes": "on", "true": "on"}


def _cgroups(setting: ast.Setting, report: Collector) -> checked.Cgroups:
    if setting.operator is not None:
        message = "`cgroups` takes no operator, only a word"
        report.error(
            codes.WRONG_OPERATOR, message, setting.operator.span, hint="write `cgroups weight`"
        )
        return checked.Cgroups.AUTO
    word = setting.value.text
    known = [each.value for each in checked.Cgroups]
    if word not in known:
        message = f"`cgroups` expects `auto`, `weight`, `limit`, `on` or `off`, found `{word}`"
        hint = did_you_mean(_OTHER_WORDS.get(word, word), known)
        report.error(codes.UNKNOWN_WORD, message, setting.value.span, hint=hint)
        return checked.Cgroups.AUTO
    return checked.Cgroups(word)
