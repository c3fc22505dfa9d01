# SPDX-License-Identifier: Apache-2.0
"""Deliberately broken schedulers: each mutation replaces one text of the templates."""

from __future__ import annotations

import importlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from gthulhuc import codegen, frontend, plan
from gthulhuc.codegen import clang

# The package has a function of the module's name.
_RENDER = importlib.import_module("gthulhuc.codegen.render")


@dataclass(frozen=True)
class Mutation:
    """Replaces `old` by `new` in a file of the templates."""

    name: str
    file: str
    old: str
    new: str

    def apply(self, templates: Path) -> None:
        """Changes a copy of the templates; AssertionError unless `old` occurs exactly once."""
        path = templates / self.file
        text = path.read_text()
        count = text.count(self.old)
        assert count == 1, f"templates/{self.file} has {count} times: {self.old}"
        path.write_text(text.replace(self.old, self.new))


def copy_of_templates(folder: Path) -> Path:
    """Copies the templates into a folder; returns the copy.

    Their bytecode is left out: another process may be writing it.
    """
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(_RENDER.TEMPLATES, folder / "templates", ignore=ignored))


def build(policy: Path, output: Path, mutation: Mutation | None = None) -> Path:
    """Compiles a policy, with mutated templates if requested."""
    with tempfile.TemporaryDirectory() as folder:
        templates = copy_of_templates(Path(folder))
        if mutation is not None:
            mutation.apply(templates)
        checked, problems = frontend.check(frontend.decode(policy.name, policy.read_bytes())[0])
        assert checked is not None, problems
        with (
            mock.patch.object(_RENDER, "TEMPLATES", templates),
            mock.patch.object(clang, "TEMPLATES", templates),
        ):
            output.write_bytes(codegen.compile_object(codegen.render(plan.build(checked))))
    return output
