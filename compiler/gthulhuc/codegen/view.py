# SPDX-License-Identifier: Apache-2.0
"""The IR as the templates see it: names, numbers and comments that are ready to print."""

from __future__ import annotations

import json
from typing import Any

from gthulhuc import ir
from gthulhuc.codegen import matching
from gthulhuc.codegen.matching import class_id
from gthulhuc.codegen.text import c_comment

PIN_WORDS = 16


def build(plan: ir.Ir) -> dict[str, Any]:
    """Variables of the templates."""
    victims = _victims(plan)
    masks_of_domains = [_domain_mask(d) for d in plan.domains if _is_limited(plan, d)]
    return {
        "policy": _policy(plan),
        "features": plan.features,
        "preemption": plan.features.express,
        "pins": [_pin(domain) for domain in plan.domains if domain.cpus is not None],
        "classes": [_class(plan, cls) for cls in plan.classes],
        "levels": [{"id": _level(level)} for level in plan.levels],
        "domains": [_domain(plan, domain) for domain in plan.domains],
        "express_domains": [_domain(plan, domain) for domain in plan.domains if domain.express],
        "masks": masks_of_domains + victims,
        "masks_of_domains": masks_of_domains,
        "victims": victims,
        "shared_condition": _shared_condition(plan),
        "metadata": _metadata(plan),
        **matching.build(plan),
    }


def _policy(plan: ir.Ir) -> dict[str, Any]:
    info = plan.policy
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
        "summary": [_summary(plan, cls) for cls in plan.classes[:-1]],
    }


def _summary(plan: ir.Ir, cls: ir.TaskClass) -> str:
    """One line about a class for the head of the file."""
    domain = next(domain for domain in plan.domains if domain.id == cls.domain)
    slice_text, weight = _slice(plan, cls), fixed(plan, cls.weight)
    words = [f"{cls.level}, weight {weight}, slice {slice_text}, migrate {cls.migrate}"]
    words += ["return"] if cls.migrate_return else []
    words += ["preempt"] if cls.preempts else []
    if domain.cpus is not None:
        words.append(f"cpus {_cpu_list(domain.cpus)}" + (" exclusive" if domain.exclusive else ""))
    place = f"{cls.file}:{cls.line}: " if cls.line else ""
    return c_comment(f"{cls.name}: {place}" + " ".join(words))


def fixed(plan: ir.Ir, value: ir.Value) -> int:
    """A value as a number; of a tunable, the one that it has at first."""
    if isinstance(value, int):
        return value
    return next(tunable.default for tunable in plan.tunables if tunable.name == value.tunable)


def _slice(plan: ir.Ir, cls: ir.TaskClass) -> str:
    low = fixed(plan, cls.slice_min_ns) // 1000
    high = fixed(plan, cls.slice_max_ns) // 1000
    return f"{high} us" if low == high else f"{low}..{high} us"


def _cpu_list(cpus: tuple[int, ...]) -> str:
    runs: list[list[int]] = []
    for cpu in cpus:
        if runs and runs[-1][1] == cpu - 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def _level(level: str) -> str:
    return f"LEVEL_{level.upper()}"


def _domain_id(domain: str) -> str:
    return f"DOMAIN_{domain.upper()}"


def _class(plan: ir.Ir, cls: ir.TaskClass) -> dict[str, Any]:
    place = f"{cls.file}:{cls.line}, {cls.name}" if cls.line else cls.name
    place += "; decided by names alone" if cls.by_name else ""
    params: list[tuple[str, str]] = [
        ("lead_ns", f"{cls.lead_ns}LL"),
        ("slice_min_ns", str(fixed(plan, cls.slice_min_ns))),
        ("slice_max_ns", str(fixed(plan, cls.slice_max_ns))),
        ("weight", str(fixed(plan, cls.weight))),
        ("domain", _domain_id(cls.domain)),
    ]
    if plan.features.express:
        params.append(("level", _level(cls.level)))
        params += [("preempts", "true")] if cls.preempts else []
    params += [("never", "true")] if cls.migrate == "never" else []
    params += [("lazy", "true")] if cls.migrate == "lazy" else []
    params += [("returns", "true")] if cls.migrate_return else []
    return {"id": class_id(cls), "comment": c_comment(place), "params": params}


def _is_limited(plan: ir.Ir, domain: ir.Domain) -> bool:
    """Whether there are CPUs that do not serve a domain."""
    return domain.cpus is not None or plan.features.exclusive


def _domain_mask(domain: ir.Domain) -> dict[str, str]:
    return {
        "id": _domain_id(domain.id),
        "mask": f"{domain.id}_cpus",
        "comment": f"that serve {_domain_id(domain.id)}",
    }


def _domain(plan: ir.Ir, domain: ir.Domain) -> dict[str, Any]:
    id_ = _domain_id(domain.id)
    if domain.cpus is None:
        comment = "all CPUs" + (" that are not exclusive" if plan.features.exclusive else "")
    else:
        exclusive = " exclusive" if domain.exclusive else ""
        place = f"{plan.policy.file}:{domain.line}"
        comment = f"cpus {_cpu_list(domain.cpus)}{exclusive}, {place}"
    return {
        "id": id_,
        "comment": c_comment(comment),
        "queue": f"FIRST_DOMAIN_QUEUE + {id_}",
        "express_queue": f"FIRST_EXPRESS_QUEUE + {id_}",
        "served": f"serves(c, {id_}) && " if plan.features.hard_cpus else "",
    }


def _pin(domain: ir.Domain) -> dict[str, Any]:
    words = [0] * PIN_WORDS
    for cpu in domain.cpus or ():
        words[cpu // 64] |= 1 << cpu % 64
    used = max(index for index, word in enumerate(words) if word) + 1
    return {
        "id": f"PIN_{domain.id.upper()}",
        "domain": _domain_id(domain.id),
        "line": domain.line,
        "rule": (domain.rule or "")[:63],
        "words": [f"{word:#x}" for word in words[:used]],
    }


def _shared_condition(plan: ir.Ir) -> str:
    pins = [f"pin_has(PIN_{d.id.upper()}, cpu)" for d in plan.domains if d.exclusive]
    return f"!({' || '.join(pins)})" if pins else "true"


def _victims(plan: ir.Ir) -> list[dict[str, str]]:
    """Levels that some class may interrupt, the lowest first."""
    names = {level for cls in plan.classes for level in cls.preempts}
    victims: list[dict[str, str]] = []
    for level in reversed(plan.levels):
        if level in names:
            victims.append(
                {
                    "id": _level(level),
                    "mask": f"running_{level}",
                    "comment": f"that run a task of level {level}",
                    "guard": "cpu < 0 && " if victims else "",
                }
            )
    return victims


def _metadata(plan: ir.Ir) -> list[str]:
    """The metadata section: JSON, cut into lines."""
    info = plan.policy
    data = {
        "schema": ir.SCHEMA,
        "policy": info.name,
        "file": info.file,
        "sha256": info.sha256,
        "versions": {"gthulhuc": info.compiler},
        "kernel_min": info.kernel_min,
        "watchdog_ms": info.watchdog_ms,
        "rules": [
            {
                "name": cls.name,
                "line": cls.line,
                "class": number,
                "level": cls.level,
                "weight": fixed(plan, cls.weight),
                "slice_ns": [fixed(plan, cls.slice_min_ns), fixed(plan, cls.slice_max_ns)],
                "domain": cls.domain,
                "migrate": cls.migrate,
                "return": cls.migrate_return,
                "preempts": list(cls.preempts),
            }
            for number, cls in enumerate(plan.classes)
        ],
        "domains": [{"name": d.id, "cpus": d.cpus, "exclusive": d.exclusive} for d in plan.domains],
    }
    return [line + "\n" for line in json.dumps(data, indent=1).splitlines()]
