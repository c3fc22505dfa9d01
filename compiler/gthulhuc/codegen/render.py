# SPDX-License-Identifier: Apache-2.0
"""Renders the IR as C with the templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from gthulhuc import ir
from gthulhuc.codegen import matching, view
from gthulhuc.codegen.matching import RESUME
from gthulhuc.codegen.text import c_string

_IN_PACKAGE = Path(__file__).resolve().parents[1] / "templates"  # in an installed wheel
_IN_CHECKOUT = Path(__file__).resolve().parents[3] / "templates"
TEMPLATES = _IN_PACKAGE if _IN_PACKAGE.is_dir() else _IN_CHECKOUT


def render(scheduler: ir.Ir, *, stats: bool = False, monitor: bool = False) -> str:
    """Returns the scheduler's C source, deterministic in the IR.

    `stats`: it counts in all classes; otherwise in those that promises are about. `monitor`: it
    counts, and schedules nothing.
    """
    template = "monitor.bpf.c.j2" if monitor else "scheduler.bpf.c.j2"
    return _render(template, scheduler, stats=stats or monitor, monitor=monitor)


def render_classifier(scheduler: ir.Ir) -> str:
    """Returns the C source of the classifier alone, for tests on the host."""
    return _render("classifier.c.j2", scheduler, stats=False, monitor=False)


@cache
def _environment(templates: Path) -> Environment:
    """The templates; to compile them takes longer than to render a policy."""
    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["c_string"] = c_string
    return environment


def _render(template: str, scheduler: ir.Ir, *, stats: bool, monitor: bool) -> str:
    variables = view.build(scheduler)
    printed = _environment(TEMPLATES).get_template(template)
    text = printed.render(
        {
            **variables,
            "looks": matching.looks(scheduler, monitor=monitor),
            "stats": stats or bool(variables["promises"]),
            "counts_all": stats,
            "monitor": monitor,
        }
    )
    return _number_resumes(text, f"{Path(scheduler.policy.file).stem}.bpf.c")


def _number_resumes(text: str, name: str) -> str:
    """Replaces the placeholder after the policy's lines by `#line` of the C file."""
    number, result = 1, []
    *parts, rest = text.split(f"\n{RESUME}\n")
    for part in parts:
        number += part.count("\n") + 2
        result.append(f"{part}\n#line {number} {c_string(name)}\n")
    return "".join([*result, rest])
