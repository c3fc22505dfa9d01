# SPDX-License-Identifier: Apache-2.0
"""Template variables for the IR: names, numbers and comments, ready to print."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from gthulhuc import ir
from gthulhuc.actions import NUMBERS
from gthulhuc.bounds import SHORTEST_SLICE_NS, SWEEP_MOST, SWEEP_MOVE, SWEEP_NS, SWEEP_TASK_NS
from gthulhuc.codegen import matching, pins, promises, tunables, whens
from gthulhuc.codegen.matching import class_id
from gthulhuc.codegen.text import c_comment
from gthulhuc.codegen.tunables import member
from gthulhuc.passes.reading.values import share_text
from gthulhuc.records import dataclass

_POINTERS_OF_A_MAP = 11
"""BTF_FIELDS_MAX: the kernel takes the pointers of a map with more for plain numbers."""

_MOST_DOMAINS_IN_A_LOOP = 8
"""Each more of them doubles the verifier's work: with 14 it takes 700,000 of a million steps."""

_WHOLE = 1000
_KERNELS_WATCHDOG_MS = 30_000  # SCX_WATCHDOG_MAX_TIMEOUT
_LONGEST_CGROUP = 512  # GTHULHU_CGROUP_LEN

METADATA_SCHEMA = 4
"""The version of the metadata section, which is not that of the IR."""


def build(scheduler: ir.Ir) -> dict[str, Any]:
    """Returns the template variables, except those for the compiler's options."""
    hard, preferred = pins.of_domains(scheduler), pins.of_preferences(scheduler)
    places, said = tunables.build(scheduler), promises.build(scheduler)
    masks_of_domains = [_domain_mask(d) for d in scheduler.domains if _is_limited(scheduler, d)]
    has_limited_class = any(_is_share_limited(cls) for cls in scheduler.classes)
    limits = scheduler.features.cgroup_limit or has_limited_class
    interrupts = pins.interrupts(scheduler)
    return {
        "policy": _policy(scheduler),
        "numbers": _numbers(scheduler),
        "sets": {member(name): name in _used(scheduler) for name in NUMBERS},
        "features": scheduler.features,
        "preemption": scheduler.features.preemption,
        "groups": _settings_of_groups(scheduler.features) is not None,
        "shares": [_share(cls, cls.share) for cls in scheduler.classes if cls.share],
        "share_limits": has_limited_class,
        "guarantees": _guarantees(scheduler),
        "weighs": scheduler.features.cgroup_weight or any(c.share for c in scheduler.classes),
        "limits": limits,
        "pins": hard + pins.of_siblings(scheduler) + preferred,
        "hard_pins": hard,
        "exclusive_domains": [
            f"1ULL << {_domain_id(d.id)}" for d in scheduler.domains if d.exclusive
        ],
        "preferred": preferred,
        "interrupts": [name.encode("latin-1") for name in interrupts],
        "classes": [_class(scheduler, cls) for cls in scheduler.classes],
        "levels": [{"id": _level(level)} for level in scheduler.levels],
        "domains": [_domain(scheduler, domain) for domain in scheduler.domains],
        "eager": any(cls.migrate == "eager" for cls in scheduler.classes),
        "domain_slots": 1 << (len(scheduler.domains) - 1).bit_length(),
        "mask_maps": _mask_maps(masks_of_domains + preferred),
        "masks_of_domains": masks_of_domains,
        "many_domains": len(masks_of_domains) > _MOST_DOMAINS_IN_A_LOOP or bool(interrupts),
        "victims": _victims(scheduler),
        "budgets": [_budget(cls) for cls in scheduler.classes if _has_budget(scheduler, cls)],
        "max_lead_ns": max(
            [cls.lead_ns for cls in scheduler.classes if not cls.monitor]
            + [lead for lead in _varied(scheduler, "lead_ns") if isinstance(lead, int)]
        ),
        "sweep_ns": SWEEP_NS,
        "sweep_task_ns": SWEEP_TASK_NS,
        "sweep_most": SWEEP_MOST,
        "sweep_move": SWEEP_MOVE,
        "shortest_max_wait_ns": _least(scheduler, "max_wait_ns"),
        "shortest_slice_ns": SHORTEST_SLICE_NS,
        "longest_turn_ns": (scheduler.policy.watchdog_ms or _KERNELS_WATCHDOG_MS) * 1_000_000 // 3,
        "short_slices": _least(scheduler, "slice_min_ns") < SHORTEST_SLICE_NS,
        "shared_condition": _shared_condition(scheduler),
        "metadata": _metadata(scheduler),
        **matching.build(scheduler),
        **places,
        **said,
        **whens.build(scheduler),
        "nr_places": len(places["places"]) + len(said["tunable_claims"]),
    }


def _mask_maps(masks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The sections for sets of CPUs, each of which becomes a map."""
    return [
        {
            "section": f".bss.masks{at // _POINTERS_OF_A_MAP or ''}",
            "masks": masks[at : at + _POINTERS_OF_A_MAP],
        }
        for at in range(0, len(masks), _POINTERS_OF_A_MAP)
    ]


def _numbers(scheduler: ir.Ir) -> list[dict[str, str]]:
    """Members of struct class_params for actions that are one number, each with its comment."""
    return [
        {"member": member(name), "comment": action.comment}
        for name, action in NUMBERS.items()
        if name in _used(scheduler)
    ]


def _used(scheduler: ir.Ir) -> set[str]:
    """The actions that are one number, of those that a class sets."""
    varied = {change.number for change in scheduler.changes} & NUMBERS.keys()
    return varied | {name for cls in scheduler.classes if not cls.monitor for name in cls.numbers}


def _policy(scheduler: ir.Ir) -> dict[str, Any]:
    info = scheduler.policy
    major, minor = info.kernel_min or (0, 0)
    return {
        "title": c_comment(info.name),
        "file_comment": c_comment(info.file),
        "name": info.name[:63],
        "file": info.file[:127],
        "sha256": info.sha256,
        "compiler": info.compiler,
        "kernel_min": f"{major} << 16 | {minor} << 8" if info.kernel_min else "0",
        "watchdog_ms": info.watchdog_ms,
        "ops_name": "gthulhu_" + "".join(c if c.isalnum() else "_" for c in info.name)[:100],
        "summary": _summaries(scheduler),
    }


def _summaries(scheduler: ir.Ir) -> list[str]:
    """One line about each class, but that of kernel threads, for the head of the file."""
    domains = {domain.id: domain for domain in scheduler.domains}
    return [_summary(scheduler, cls, domains[cls.domain]) for cls in scheduler.classes[:-1]]


def _summary(scheduler: ir.Ir, cls: ir.TaskClass, domain: ir.Domain) -> str:
    place = f"{cls.file}:{cls.line}: " if cls.line else ""
    if cls.monitor:
        return c_comment(f"{cls.name}: {place}monitor, takes nothing")
    slice_text, weight = _slice(scheduler, cls), fixed(scheduler, cls.weight)
    words = [f"{cls.level}, weight {weight}, slice {slice_text}, migrate {cls.migrate}"]
    words += ["return"] if cls.migrate_return else []
    words += [f"{name} {fixed(scheduler, value)}" for name, value in cls.numbers.items()]
    words += ["share " + share_text(cls.share.low, cls.share.high)] if cls.share else []
    words += ["preempt"] if cls.preempts else []
    words += ["inherit"] if cls.inherit else []
    if domain.cpus is not None:
        words.append(pins.text(domain.cpus, domain.groups))
        words += ["exclusive"] * domain.exclusive + ["core"] * domain.core
    if cls.prefer is not None:
        words.append(pins.text(cls.prefer.cpus, cls.prefer.groups) + " prefer")
    return c_comment(f"{cls.name}: {place}" + " ".join(words))


def fixed(scheduler: ir.Ir, value: ir.Value) -> int:
    """A value as a number; for a tunable, its default."""
    if isinstance(value, int):
        return value
    return next(tunable.default for tunable in scheduler.tunables if tunable.name == value.tunable)


def _slice(scheduler: ir.Ir, cls: ir.TaskClass) -> str:
    low = fixed(scheduler, cls.slice_min_ns) // 1000
    high = fixed(scheduler, cls.slice_max_ns) // 1000
    return f"{high} us" if low == high else f"{low}..{high} us"


def _level(level: str) -> str:
    return f"LEVEL_{level.upper()}"


def _domain_id(domain: str) -> str:
    return f"DOMAIN_{domain.upper()}"


@dataclass(frozen=True, slots=True)
class _Class:
    """A class in C: a record, because templates read its attributes faster than a dict's keys."""

    id: str
    comment: str
    owner: str
    params: list[str]


def _class(scheduler: ir.Ir, cls: ir.TaskClass) -> _Class:
    place = f"{cls.file}:{cls.line}, {cls.name}" if cls.line else cls.name
    place += "; decided by names alone" if cls.by_name else ""
    params = [
        f"lead_ns = {cls.lead_ns}LL",
        f"slice_min_ns = {fixed(scheduler, cls.slice_min_ns)}",
        f"slice_max_ns = {fixed(scheduler, cls.slice_max_ns)}",
        f"weight = {fixed(scheduler, cls.weight)}",
        f"max_wait_ns = {fixed(scheduler, cls.max_wait_ns)}",
        f"domain = {_domain_id(cls.domain)}",
    ]
    params += [f"{member(name)} = {fixed(scheduler, value)}" for name, value in cls.numbers.items()]
    if cls.prefer is not None:
        params.append(f"preferred = {pins.preference_id(scheduler, cls.prefer)}")
    if scheduler.features.preemption:
        params.append(f"level = {_level(cls.level)}")
        params += _preempt_params(scheduler, cls)
    params += [f"share = {_share_id(cls)}"] if cls.share else []
    params += [f"limit = {_share_id(cls)}"] if _is_share_limited(cls) else []
    params += ["never = true"] if cls.migrate == "never" else []
    params += ["lazy = true"] if cls.migrate == "lazy" else []
    params += ["eager = true"] if cls.migrate == "eager" else []
    params += ["returns = true"] if cls.migrate_return else []
    if cls.monitor:
        params = []
        place += "; only counts"
    return _Class(class_id(cls), c_comment(place), owner(cls), params)


def owner(cls: ir.TaskClass) -> str:
    """Returns the owner of these tasks, for a message of the loader."""
    place = f" ({cls.file}:{cls.line})" if cls.line else ""
    if cls.condition is not None:
        return f"rule `{cls.name}`{place}"
    return f"`{cls.name}`{place}" if cls.name == "default" else cls.name


def _preempt_params(scheduler: ir.Ir, cls: ir.TaskClass) -> list[str]:
    if cls.preempt is None or not cls.preempts:
        return []
    params = ["preempts = true"]
    if scheduler.features.preempt_after:
        params.append(f"after_ns = {fixed(scheduler, cls.preempt.after_ns)}")
    if cls.preempt.budget_ns is not None and cls.preempt.period_ns is not None:
        params.append(f"budget = {_budget(cls)}")
        params.append(f"budget_ns = {fixed(scheduler, cls.preempt.budget_ns)}")
        params.append(f"period_ns = {fixed(scheduler, cls.preempt.period_ns)}")
    return params


def _share_id(cls: ir.TaskClass) -> str:
    return f"SHARE_{cls.id.upper()}"


def _is_share_limited(cls: ir.TaskClass) -> bool:
    return cls.share is not None and cls.share.high is not None


def _share(cls: ir.TaskClass, share: ir.Share) -> dict[str, Any]:
    """The bounds of a class in thousandths of its CPUs."""
    return {
        "id": _share_id(cls),
        "domain": _domain_id(cls.domain),
        "low": share.low or 0,
        "high": _WHOLE if share.high is None else share.high,
    }


def _guarantees(scheduler: ir.Ir) -> list[dict[str, Any]]:
    """Lower bounds of classes, each with the cgroup whose limit can be below it, or with none."""
    domains = {domain.id: domain for domain in scheduler.domains}
    return [
        {
            "class": class_id(cls),
            "low": cls.share.low,
            "pin": _pin(domains[cls.domain]),
            "cgroup": _limited_cgroup(scheduler, cls.share).encode("latin-1"),
        }
        for cls in scheduler.classes
        if cls.share and cls.share.low
    ]


def _limited_cgroup(scheduler: ir.Ir, share: ir.Share) -> str:
    cgroup = share.cgroup if scheduler.features.cgroup_limit else None
    return cgroup if cgroup and len(cgroup) < _LONGEST_CGROUP else ""


def _pin(domain: ir.Domain) -> str:
    """1 + the number of the CPUs of a domain; 0: all that are online."""
    return "0" if domain.cpus is None else f"1 + {pins.pin_id(domain)}"


def _budget(cls: ir.TaskClass) -> str:
    return f"BUDGET_{cls.id.upper()}"


def _has_budget(scheduler: ir.Ir, cls: ir.TaskClass) -> bool:
    own = cls.preempt is not None and bool(cls.preempts) and cls.preempt.budget_ns is not None
    return own or any(
        change.cls == cls.id and change.number == "budget_ns" and change.value is not None
        for change in scheduler.changes
    )


def _varied(scheduler: ir.Ir, number: str) -> list[ir.Value]:
    """The values that conditions give to a number of a class."""
    values = [change.value for change in scheduler.changes if change.number == number]
    return [value for value in values if isinstance(value, int | ir.TunableValue)]


def _least(scheduler: ir.Ir, number: str) -> int:
    """The smallest possible value that a number has in any class."""
    values: list[ir.Value] = [getattr(cls, number) for cls in scheduler.classes]
    values += _varied(scheduler, number)
    lows = {tunable.name: tunable.low for tunable in scheduler.tunables}
    return min(value if isinstance(value, int) else lows[value.tunable] for value in values)


def _is_limited(scheduler: ir.Ir, domain: ir.Domain) -> bool:
    """Whether some CPUs do not serve a domain."""
    return domain.cpus is not None or scheduler.features.exclusive


def _domain_mask(domain: ir.Domain) -> dict[str, str]:
    return {
        "id": _domain_id(domain.id),
        "mask": f"{domain.id}_cpus",
        "comment": f"that serve {_domain_id(domain.id)}",
    }


def _domain(scheduler: ir.Ir, domain: ir.Domain) -> dict[str, Any]:
    id_ = _domain_id(domain.id)
    if domain.cpus is None:
        comment = "all CPUs" + (" that are not exclusive" if scheduler.features.exclusive else "")
    else:
        exclusive = " exclusive" * domain.exclusive + " core" * domain.core
        place = f"{scheduler.policy.file}:{domain.line}"
        comment = f"{pins.text(domain.cpus, domain.groups)}{exclusive}, {place}"
    return {
        "id": id_,
        "comment": c_comment(comment),
    }


def _settings_of_groups(features: ir.Features) -> str | None:
    """The setting `cgroups` of the policy; None: cgroups do not count."""
    if features.cgroup_auto:
        return "auto"
    if features.cgroup_weight:
        return "on" if features.cgroup_limit else "weight"
    return "limit" if features.cgroup_limit else None


def _shared_condition(scheduler: ir.Ir) -> str:
    taken = [f"pin_has({pin}, cpu)" for d in scheduler.domains for pin in pins.taken_by(d)]
    if len(taken) == 1:
        return f"!{taken[0]}"
    return f"!({' || '.join(taken)})" if taken else "true"


def _victims(scheduler: ir.Ir) -> list[str]:
    """Levels that some class may preempt, the lowest first."""
    names = {level for cls in scheduler.classes for level in cls.preempts}
    if any(change.number in ("level", "preempts") for change in scheduler.changes):
        names = set(scheduler.levels[1:]) if scheduler.features.preemption else set()
    return [_level(level) for level in reversed(scheduler.levels) if level in names]


def _metadata(scheduler: ir.Ir) -> list[str]:
    """The metadata section: JSON, with a line for each member and for each item of its lists."""
    info = scheduler.policy
    groups = _settings_of_groups(scheduler.features)
    data = {
        "schema": METADATA_SCHEMA,
        "policy": info.name,
        "file": info.file,
        "sha256": info.sha256,
        **({"included": [asdict(file) for file in info.included]} if info.included else {}),
        "versions": {"gthulhuc": info.compiler},
        "kernel_min": info.kernel_min,
        "watchdog_ms": info.watchdog_ms,
        **({"cgroups": groups} if groups else {}),
        "tunables": tunables.metadata(scheduler),
        "rules": [
            {
                "name": cls.name,
                "line": cls.line,
                "class": number,
                "level": cls.level,
                "weight": fixed(scheduler, cls.weight),
                "slice_ns": [
                    fixed(scheduler, cls.slice_min_ns),
                    fixed(scheduler, cls.slice_max_ns),
                ],
                "domain": cls.domain,
                "migrate": cls.migrate,
                **({"return": True} if cls.migrate_return else {}),
                **({"preempts": list(cls.preempts)} if cls.preempts else {}),
                **{name: fixed(scheduler, value) for name, value in cls.numbers.items()},
                **({"share": asdict(cls.share)} if cls.share else {}),
                **({"inherit": True} if cls.inherit else {}),
                **({"monitor": True} if cls.monitor else {}),
            }
            for number, cls in enumerate(scheduler.classes)
        ],
        **({"whens": whens.summary(scheduler)} if scheduler.whens else {}),
        **({"promises": promises.summary(scheduler)} if scheduler.promises else {}),
        "domains": [
            {
                "name": d.id,
                "cpus": d.cpus,
                "groups": [pins.group_text(group) for group in d.groups],
                "exclusive": d.exclusive,
                **({"core": True} if d.core else {}),
            }
            for d in scheduler.domains
        ],
    }
    # One text of all would be as long as the C file, in many small parts.
    encode = json.JSONEncoder().encode
    lines = ["{"]
    for name, value in data.items():
        if isinstance(value, list) and value:
            lines += [f"{encode(name)}: [", *(f"{encode(item)}," for item in value)]
            lines[-1] = lines[-1].removesuffix(",")
            lines.append("],")
        else:
            lines.append(f"{encode(name)}: {encode(value)},")
    lines[-1] = lines[-1].removesuffix(",")
    return [*lines, "}"]
