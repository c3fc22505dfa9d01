# SPDX-License-Identifier: Apache-2.0
"""The IR as the templates see it: names, numbers and comments that are ready to print."""

from __future__ import annotations

import json
from typing import Any

from gthulhuc import ir
from gthulhuc.codegen.text import c_comment, c_rows, c_string
from gthulhuc.plan.facts import name_key

RESUME = "#line @RESUME@"
"""Stands for the marker that goes back from lines of the policy to lines of the C file."""

PIN_WORDS = 16


def build(plan: ir.Ir) -> dict[str, Any]:
    """Variables of the templates."""
    matching = plan.names is not None or plan.cgroups is not None
    victims = _victims(plan)
    masks_of_domains = [_domain_mask(d) for d in plan.domains if _is_limited(plan, d)]
    return {
        "policy": _policy(plan),
        "features": plan.features,
        "matching": matching,
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
        "names": plan.names and _matcher(plan, plan.names),
        "cgroups": plan.cgroups and _matcher(plan, plan.cgroups),
        "rules": [_rule(plan, cls) for cls in plan.classes if cls.condition is not None],
        "resume_marker": RESUME,
        "metadata": _metadata(plan),
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
    words = [f"{cls.level}, weight {cls.weight}, slice {_slice(cls)}, migrate {cls.migrate}"]
    words += ["return"] if cls.migrate_return else []
    words += ["preempt"] if cls.preempts else []
    if domain.cpus is not None:
        words.append(f"cpus {_cpu_list(domain.cpus)}" + (" exclusive" if domain.exclusive else ""))
    place = f"{plan.policy.file}:{cls.line}: " if cls.line else ""
    return c_comment(f"{cls.name}: {place}" + " ".join(words))


def _slice(cls: ir.TaskClass) -> str:
    low, high = cls.slice_min_ns // 1000, cls.slice_max_ns // 1000
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


def _class_id(cls: ir.TaskClass) -> str:
    return f"CLASS_{cls.id.upper()}"


def _domain_id(domain: str) -> str:
    return f"DOMAIN_{domain.upper()}"


def _class(plan: ir.Ir, cls: ir.TaskClass) -> dict[str, Any]:
    place = f"{plan.policy.file}:{cls.line}, {cls.name}" if cls.line else cls.name
    params: list[tuple[str, str]] = [
        ("lead_ns", f"{cls.lead_ns}LL"),
        ("slice_min_ns", str(cls.slice_min_ns)),
        ("slice_max_ns", str(cls.slice_max_ns)),
        ("weight", str(cls.weight)),
        ("domain", _domain_id(cls.domain)),
    ]
    if plan.features.express:
        params.append(("level", _level(cls.level)))
        params += [("preempts", "true")] if cls.preempts else []
    params += [("never", "true")] if cls.migrate == "never" else []
    params += [("lazy", "true")] if cls.migrate == "lazy" else []
    params += [("returns", "true")] if cls.migrate_return else []
    return {"id": _class_id(cls), "comment": c_comment(place), "params": params}


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


def _matcher(plan: ir.Ir, matcher: ir.Matcher) -> dict[str, Any]:
    conditions = [cls.condition for cls in plan.classes if cls.condition is not None]
    tests = {test.fact: test.text for condition in conditions for test in _tests(condition)}
    automaton = matcher.automaton
    bits = {fact: index for index, fact in enumerate(matcher.facts)}
    return {
        "facts": [
            {"id": fact.upper(), "bit": f"1ULL << {bits[fact]}", "comment": c_comment(tests[fact])}
            for fact in matcher.facts
        ],
        "entries": [
            {
                "low": f"{name_key(value)[0]:#018x}",
                "high": f"{name_key(value)[1]:#018x}",
                "facts": _bit_names(matcher.facts, facts),
                "comment": c_comment(c_string(value)),
            }
            for value, facts in matcher.entries
        ],
        "automaton": automaton
        and {
            "nr_columns": automaton.nr_columns,
            "column": c_rows(automaton.column),
            "next_state": c_rows(automaton.next_state),
            "accepts": [_bit_names(automaton.facts, accepts) for accepts in automaton.accepts],
        },
    }


def _bit_names(facts: tuple[str, ...], bits: int) -> str:
    names = [fact.upper() for index, fact in enumerate(facts) if bits >> index & 1]
    return " | ".join(names) or "0"


def _tests(condition: ir.Condition) -> list[ir.Test]:
    match condition:
        case ir.Test():
            return [condition]
        case ir.Not(operand=operand):
            return _tests(operand)
        case ir.All(operands=operands) | ir.AnyOf(operands=operands):
            return [test for operand in operands for test in _tests(operand)]


def _rule(plan: ir.Ir, cls: ir.TaskClass) -> dict[str, Any]:
    assert cls.condition is not None
    return {
        "class": _class_id(cls),
        "comment": c_comment(f"rule {cls.name}"),
        "condition": _expression(cls.condition),
        "line_marker": f"#line {cls.line} {c_string(plan.policy.file)}",
    }


def _expression(condition: ir.Condition) -> str:
    """A condition as a C expression over the facts of comm, process and cgroup."""
    match condition:
        case ir.Test(subject=subject, fact=fact):
            return f"({subject} & {fact.upper()})"
        case ir.Not(operand=operand):
            return f"!{_expression(operand)}"
        case ir.All(operands=operands):
            return f"({' && '.join(_expression(operand) for operand in operands)})"
        case ir.AnyOf(operands=operands):
            return f"({' || '.join(_expression(operand) for operand in operands)})"


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
                "weight": cls.weight,
                "slice_ns": [cls.slice_min_ns, cls.slice_max_ns],
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
