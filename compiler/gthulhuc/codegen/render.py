# SPDX-License-Identifier: Apache-2.0
"""Renders the IR as C with the templates."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from gthulhuc import ir
from gthulhuc.codegen import matching, view
from gthulhuc.codegen.matching import RESUME
from gthulhuc.codegen.text import c_string

_IN_PACKAGE = Path(__file__).resolve().parents[1] / "templates"  # in an installed wheel
_IN_CHECKOUT = Path(__file__).resolve().parents[3] / "templates"
TEMPLATES = _IN_PACKAGE if _IN_PACKAGE.is_dir() else _IN_CHECKOUT

_SYNTAX: dict[str, Any] = {
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}


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


class _Compiled(BytecodeCache):
    """Keeps what Jinja2 compiles as Python keeps modules: in `__pycache__`, if that can be written.

    To compile the templates takes three times as long as to render a policy.
    """

    def get_cache_key(self, _name: str, filename: str | None = None) -> str:
        """The path of a template's bytecode."""
        return cache_from_source(f"{filename}.py")

    def get_source_checksum(self, source: str) -> str:
        """A hash of all that a template's bytecode depends on."""
        return super().get_source_checksum(f"{jinja2.__version__} {_SYNTAX} {source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Reads the bytecode of a template if it is there."""
        with suppress(OSError), Path(bucket.key).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Writes the bytecode of a template; says nothing where it cannot."""
        if not sys.dont_write_bytecode:
            SourceFileLoader("", bucket.key).set_data(bucket.key, bucket.bytecode_to_string())


@cache
def _environment(templates: Path) -> Environment:
    """The templates; to compile them takes longer than to render a policy."""
    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        bytecode_cache=_Compiled(),
        autoescape=False,
        **_SYNTAX,
    )
    environment.filters["c_string"] = c_string
    return environment


def compile_templates(templates: Path = TEMPLATES) -> None:
    """Compiles all templates into their folder, for users who may not write there."""
    environment = _environment(templates)
    for name in environment.list_templates(extensions=["j2"]):
        environment.get_template(name)


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
