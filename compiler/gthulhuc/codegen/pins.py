# SPDX-License-Identifier: Apache-2.0
"""Template variables for the CPUs of rules: pins, whose groups the loader resolves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gthulhuc import ir
from gthulhuc.checked import CpuGroup

WORDS = 16


def interrupts(scheduler: ir.Ir) -> list[str]:
    """Returns the names of interrupts whose CPUs are asked for."""
    return list(dict.fromkeys(group.name for group in _all_groups(scheduler) if group.name))


def _all_groups(scheduler: ir.Ir) -> Iterator[ir.CpuGroup]:
    for domain in scheduler.domains:
        yield from domain.groups
    for cls in scheduler.classes:
        if cls.prefer is not None:
            yield from cls.prefer.groups


def of_domains(scheduler: ir.Ir) -> list[dict[str, Any]]:
    """Returns the binding pins: those of the domains with CPUs of their own."""
    names = interrupts(scheduler)
    return [
        {
            "id": pin_id(domain),
            "domain": f"DOMAIN_{domain.id.upper()}",
            **_cpus(domain.cpus, domain.groups, names),
            "line": domain.line,
            "rule": (domain.rule or "")[:63],
            "exclusive": domain.exclusive,
            "is_preference": False,
            "is_exclusive": domain.exclusive,
        }
        for domain in scheduler.domains
        if domain.cpus is not None
    ]


def of_siblings(scheduler: ir.Ir) -> list[dict[str, Any]]:
    """Returns the pins of CPUs that share a core with exclusive ones, which the loader finds."""
    return [
        {
            "id": _siblings_id(domain),
            "groups": [f"{{ GTHULHU_GROUP_SIBLINGS, {pin_id(domain)} }}"],
            "words": [],
            "line": domain.line,
            "rule": (domain.rule or "")[:63],
            "is_preference": False,
            "is_exclusive": True,
        }
        for domain in scheduler.domains
        if domain.core
    ]


def of_preferences(scheduler: ir.Ir) -> list[dict[str, Any]]:
    """Returns the preferred pins, one for each set of CPUs, with their masks."""
    found = []
    names = interrupts(scheduler)
    for cls in scheduler.classes:
        if cls.prefer is None or _owner(scheduler, cls.prefer) is not cls:
            continue
        found.append(
            {
                "id": f"PIN_{cls.id.upper()}_PREFERRED",
                "preference": preference_id(scheduler, cls.prefer),
                "mask": f"{cls.id}_preferred",
                "comment": f"that rule {cls.name} prefers",
                **_cpus(cls.prefer.cpus, cls.prefer.groups, names),
                "line": cls.line,
                "rule": cls.name[:63],
                "is_preference": True,
                "is_exclusive": False,
            }
        )
    return found


def pin_id(domain: ir.Domain) -> str:
    """Returns the enumerator of a domain's pin."""
    return f"PIN_{domain.id.upper()}"


def _siblings_id(domain: ir.Domain) -> str:
    return f"{pin_id(domain)}_SIBLINGS"


def taken_by(domain: ir.Domain) -> list[str]:
    """Returns the enumerators of pins whose CPUs are not for others."""
    if not domain.exclusive:
        return []
    return [pin_id(domain), _siblings_id(domain)] if domain.core else [pin_id(domain)]


def preference_id(scheduler: ir.Ir, prefer: ir.PreferredCpus) -> str:
    """Returns the enumerator of preferred CPUs, shared by classes with the same ones."""
    return f"PREFER_{_owner(scheduler, prefer).id.upper()}"


def text(cpus: tuple[int, ...], groups: tuple[ir.CpuGroup, ...]) -> str:
    """Returns the CPUs as in a policy: `cpus 0-3,8, node 1`."""
    numbers = [_list(cpus)] if cpus else []
    return "cpus " + ", ".join(numbers + [group_text(group) for group in groups])


def group_text(group: ir.CpuGroup) -> str:
    """`node 1`, `fast`, `irq "eth0"`."""
    which = group.number if group.name is None else group.name.encode("latin-1")
    return CpuGroup(group.group).text(which)


def _owner(scheduler: ir.Ir, prefer: ir.PreferredCpus) -> ir.TaskClass:
    return next(cls for cls in scheduler.classes if cls.prefer == prefer)


def _cpus(
    cpus: tuple[int, ...], groups: tuple[ir.CpuGroup, ...], names: list[str]
) -> dict[str, Any]:
    words = [0] * WORDS
    for cpu in cpus:
        words[cpu // 64] |= 1 << cpu % 64
    used = max((index for index, word in enumerate(words) if word), default=-1) + 1
    return {
        "words": [f"{word:#x}" for word in words[:used]],
        "groups": [_group(group, names) for group in groups],
    }


def _group(group: ir.CpuGroup, names: list[str]) -> str:
    number = names.index(group.name) if group.name else group.number or 0
    return f"{{ GTHULHU_GROUP_{CpuGroup(group.group).name}, {number} }}"


def _list(cpus: tuple[int, ...]) -> str:
    runs: list[list[int]] = []
    for cpu in cpus:
        if runs and runs[-1][1] == cpu - 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
