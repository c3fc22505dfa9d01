# SPDX-License-Identifier: Apache-2.0
"""Converts what systemd's units say about the CPU to a policy.

systemd sets nice values, affinities and cgroups itself, and continues to. The policy only has to
make the scheduler regard them: `cgroups` for CPUWeight= and CPUQuota=, `cpus` for the rest.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from gthulhuc.importers.document import Document, Finding, Rule, escape_glob, unique, word
from gthulhuc.importers.systemd_units import Setting, Unit
from gthulhuc.records import dataclass
from gthulhuc.syntax.text import quote
from gthulhuc.target import CPU_MAX

_KEYS = ("CPUWeight", "CPUQuota", "Nice", "CPUAffinity", "AllowedCPUs")
_LISTS = ("CPUAffinity", "AllowedCPUs")
_OTHERS = {
    "StartupCPUWeight": "a policy does not know when the system starts",
    "StartupAllowedCPUs": "a policy does not know when the system starts",
    "CPUShares": "systemd has CPUWeight= in its place",
    "CPUSchedulingPolicy": "sched_ext does not schedule real-time tasks",
    "CPUSchedulingPriority": "sched_ext does not schedule real-time tasks",
}
_WEIGHT = "kept: under the policy the cgroup's own `cpu.weight` counts"
_IDLE = "approximated: `priority idle`; such a task runs when no task of a higher level waits"
_NICE = "kept: systemd sets it, and the scheduler honours it without a rule"
_CPUS = "kept: `cpus`; systemd sets it for the tasks, too"
_QUOTA = "kept: under the policy the cgroup's own `cpu.max` counts"
_SETTINGS = {
    (False, False): (), (True, False): ("cgroups weight",), (False, True): ("cgroups limit",),
    (True, True): ("cgroups on",),
}  # fmt: skip
"""Statements of the policy block, by whether a unit has a weight, and whether one has a quota."""


class _ValueError(Exception):
    """A value that systemd would ignore, too."""


@dataclass(frozen=True, slots=True)
class _Taken:
    """The settings of a unit: its CPUs by key, and its weight and quota, "" if it has none."""

    unit: Unit
    cpus: dict[str, frozenset[int]]
    weight: str
    quota: str


def convert(name: str, units: Sequence[Unit]) -> tuple[Document, list[Finding]]:
    """Returns the policy for units, and findings about what becomes of each setting."""
    findings: list[Finding] = []
    taken = [_take(unit, findings) for unit in units]
    ruled = [row for row in taken if _actions(row) and _has_rule(row.unit)]
    ruled.sort(key=lambda row: _order(row.unit))
    names = unique(word(row.unit.name.rpartition(".")[0], "unit") for row in ruled)
    rules = tuple(
        Rule(rule, (_match(row.unit),), _actions(row), (row.unit.name,), row.unit.name)
        for rule, row in zip(names, ruled, strict=True)
    )
    has_weights = any(row.weight not in ("", "idle") for row in taken)
    title = name.rstrip("/").rsplit("/", 1)[-1]
    comment = f"Imported from {title} with `gthulhu import systemd`."
    settings = _SETTINGS[has_weights, any(row.quota for row in taken)]
    return Document("imported", (comment,), rules, settings=settings), findings


def _take(unit: Unit, findings: list[Finding]) -> _Taken:
    cpus: dict[str, frozenset[int]] = {}
    weight = quota = ""
    said: dict[str, list[Finding]] = {}
    for setting in unit.settings:
        key, value = setting.key, setting.value
        if key in _OTHERS:
            findings.append(_said(unit, setting, f"lost: {_OTHERS[key]}"))
        if key not in _KEYS:
            continue
        try:
            becomes = _becomes(unit, key, value)
            if key in _LISTS and value != "numa":
                cpus[key] = _cpus(value) | (cpus.get(key, frozenset()) if value else frozenset())
            elif key == "CPUWeight":
                weight = _weight(value)
            elif key == "CPUQuota":
                quota = value
        except _ValueError as error:
            message = f"skipped: `{key}={value}`: {error}"
            findings.append(Finding(setting.place, message, is_error=True))
            continue
        # A list grows with each value. An empty value takes back what came before.
        before = said.get(key, []) if key in _LISTS and value else []
        said[key] = [*before, _said(unit, setting, becomes)] if value else []
    findings += [finding for row in said.values() for finding in row]
    return _Taken(unit, {key: found for key, found in cpus.items() if found}, weight, quota)


def _said(unit: Unit, setting: Setting, said: str) -> Finding:
    message = f"`{setting.key}` of {unit.name} is {said}"
    return Finding(setting.place, message, is_note=said.startswith("kept"))


def _becomes(unit: Unit, key: str, value: str) -> str:
    """The action for a value. Raises _ValueError."""
    if key == "Nice":
        if value and not (re.fullmatch(r"[+-]?[0-9]{1,3}", value) and -20 <= int(value) <= 19):
            raise _ValueError("not a number from -20 to 19")
        return _NICE
    if key == "CPUQuota":
        if value and not re.fullmatch(r"[0-9]+(\.[0-9]+)?%", value):
            raise _ValueError("not a percentage")
        return _QUOTA
    if key == "CPUWeight" and value != "idle":
        return _WEIGHT
    if not _has_rule(unit):
        return "lost: a rule can be for a service, a scope, or a slice below the root"
    if value == "numa":
        return "lost: a policy does not know NUMAMask=; write `cpus node N`"
    return _IDLE if key == "CPUWeight" else _CPUS


def _has_rule(unit: Unit) -> bool:
    return unit.kind in ("service", "scope", "slice") and unit.name != "-.slice"


def _weight(value: str) -> str:
    if value in ("", "idle"):
        return value
    if re.fullmatch(r"[0-9]{1,5}", value) and 1 <= int(value) <= 10_000:
        return value
    raise _ValueError("neither `idle` nor a number from 1 to 10000")


def _cpus(value: str) -> frozenset[int]:
    """The CPUs of a list as `0-3 5,7`. Raises _ValueError."""
    found: set[int] = set()
    for part in re.split(r"[\s,]+", value.strip(" ,\t")):
        if not part:
            continue
        shape = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", part)
        if shape is None:
            raise _ValueError(f"`{part}` is not a CPU or a range of CPUs")
        low, high = int(shape[1]), int(shape[2] or shape[1])
        if low > high or high > CPU_MAX:
            raise _ValueError(f"`{part}` is not within 0 to {CPU_MAX}, the lower one first")
        found.update(range(low, high + 1))
    return frozenset(found)


# ---- the rules ----------------------------------------------------------------------------------


def _actions(row: _Taken) -> tuple[tuple[str, str], ...]:
    actions = [("priority", "idle")] if row.weight == "idle" else []
    sets = list(row.cpus.values())
    # As in the kernel, an affinity counts within the CPUs of the cgroup, if it has one of them.
    both = frozenset.intersection(*sets) if sets else frozenset()
    cpus = both or row.cpus.get("AllowedCPUs")
    if cpus:
        actions.append(("cpus", _ranges(sorted(cpus))))
    return tuple(actions)


def _ranges(cpus: Sequence[int]) -> str:
    parts: list[list[int]] = []
    for cpu in cpus:
        if parts and parts[-1][-1] == cpu - 1:
            parts[-1][1:] = [cpu]
        else:
            parts.append([cpu])
    return ",".join("-".join(map(str, part)) for part in parts)


def _match(unit: Unit) -> str:
    """The predicate for the tasks of a unit."""
    stem = unit.name.rpartition(".")[0]
    if unit.kind == "slice":
        return f"cgroup under {quote(os.fsencode(_path(stem)))}"
    if stem.endswith("@"):
        return f"unit ~ {quote(escape_glob(os.fsencode(stem)) + b'*.' + unit.kind.encode())}"
    return f"unit == {quote(os.fsencode(unit.name))}"


def _path(stem: str) -> str:
    """The path of a slice: `a-b` is below `a`."""
    parts = stem.split("-")
    heads = ("-".join(parts[: count + 1]) for count in range(len(parts)))
    return "".join(f"/{head}.slice" for head in heads)


def _order(unit: Unit) -> tuple[bool, bool, int, str]:
    """Units before templates before slices, and the inner slices first."""
    stem = unit.name.rpartition(".")[0]
    return (unit.kind == "slice", stem.endswith("@"), -stem.count("-"), unit.name)
