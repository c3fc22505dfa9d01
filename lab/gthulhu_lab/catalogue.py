# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The workloads that a policy's `expect` can name: what they model, and how they are started."""

from __future__ import annotations

import difflib
import functools
import os
import string
import tomllib
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator, model_validator

from gthulhu_lab import postgres, tools, workloads
from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import WORKLOADS

FILE = WORKLOADS / "catalogue.toml"
OWN = "workloads.toml"  # beside a policy: the user's own workloads
_GIVEN = frozenset({"cpus", "amount", "seconds", "phase_us", "results", "tool"})
_OWN_FOLDER = "/own"  # of a guest
# Public tools, and the guest's files for each.
_TOOLS: dict[str, Callable[[], dict[str, Path | str | bytes]]] = {
    **{name: functools.partial(tools.files, name) for name in tools.PACKAGES},
    "postgres": postgres.files,
}


class Report(StrEnum):
    """A figure that a workload leaves in the folder of its results, in a file of this name."""

    RATE = "rate"  # operations per second
    TIME = "time"  # ns, a line for each operation


class Fit(StrEnum):
    """The clocks on which a workload gives valid figures."""

    EXACT = "exact"  # every clock: its tasks' latencies and shares are valid
    WALL = "wall"  # wall clocks only: it measures when all work is done


class Parameter(BaseModel):
    """A number that a command line of a workload can change."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: int
    means: str


class Workload(BaseModel):
    """One workload of the catalogue."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str  # the word in `expect`
    models: str
    idea: str = ""  # the source of the idea
    unit: str  # the thing that `1x` starts once for each CPU
    program: str
    starts: tuple[str, ...] = ()  # further programs of the lab
    tool: str = ""  # a public tool that the program starts, or the path of a user's own
    arguments: tuple[str, ...]
    prepares: bool = False  # it writes the result "ready" when its preparation is over
    parameters: dict[str, Parameter] = {}
    modules: tuple[str, ...] = ()  # kernel modules that the guest needs
    calls: tuple[str, ...] = ()  # kernel functions that some of its tasks call all the time
    reports: tuple[Report, ...]
    exact: tuple[Report, ...] = ()  # reports that are valid on the deterministic clock, too
    clock: Fit

    @model_validator(mode="after")
    def _is_ours(self) -> Self:
        for program in (self.program, *self.starts):
            if program not in workloads.NAMES:
                raise ValueError(f"unknown program {program}: not in lab/workloads")
        return self

    @field_validator("tool")
    @classmethod
    def _is_known(cls, tool: str) -> str:
        if tool and not _is_own(tool) and tool not in _TOOLS:
            raise ValueError(f"unknown tool {tool}")
        return tool

    @model_validator(mode="after")
    def _knows_its_words(self) -> Self:
        used = {
            field
            for argument in self.arguments
            for _, field, _, _ in string.Formatter().parse(argument)
            if field is not None
        }
        if unknown := used - _GIVEN - self.parameters.keys():
            raise ValueError(f"unknown placeholder {{{min(unknown)}}}")
        if unused := self.parameters.keys() - used:
            raise ValueError(f"no argument uses the parameter {min(unused)}")
        if hidden := self.parameters.keys() & _GIVEN:
            raise ValueError(f"{min(hidden)} is reserved and cannot be a parameter")
        return self

    @model_validator(mode="after")
    def _is_exact_about_what_it_reports(self) -> Self:
        if self.exact and self.clock is Fit.WALL:
            raise ValueError("no figure is exact on a wall clock")
        if unknown := set(self.exact) - set(self.reports):
            raise ValueError(f"{min(unknown)} is exact but not reported")
        return self

    def command(
        self,
        *,
        cpus: int,
        seconds: int,
        results: str,
        amount: int | None = None,
        phase_us: int = 0,
        **parameters: int,
    ) -> tuple[str, ...]:
        """The words of its command in a guest, whose PATH has the programs.

        `amount`: how many units, without it one for each CPU; `results`: a folder that is there.
        Raises LabError for an unknown parameter.
        """
        if unknown := parameters.keys() - self.parameters.keys():
            raise LabError(f"{self.name} has no parameter {min(unknown)}")
        folder = _OWN_FOLDER if _is_own(self.tool) else "/bin"
        values: dict[str, int | str] = {
            **{name: parameter.value for name, parameter in self.parameters.items()},
            **parameters,
            "cpus": cpus,
            "amount": cpus if amount is None else amount,
            "seconds": seconds,
            "phase_us": phase_us,
            "results": results,
            "tool": f"{folder}/{Path(self.tool).name}",
        }
        return (self.program, *(argument.format(**values) for argument in self.arguments))


def units(thousandths: int, cpus: int) -> int:
    """How many units `Nx` is: N, in thousandths, for each CPU; at least one."""
    return max(1, -(-thousandths * cpus // 1000))


def _is_own(tool: str) -> bool:
    return tool.startswith("/")


def load(folder: Path | None = None) -> dict[str, Workload]:
    """The catalogue by name, in its order, followed by the workloads of the folder's `OWN`.

    Raises LabError for one that is not right.
    """
    return {**_ours(), **(_own(folder / OWN) if folder else {})}


@functools.cache
def _ours() -> dict[str, Workload]:
    with FILE.open("rb") as file:
        return {
            name: Workload.model_validate({"name": name, **entry})
            for name, entry in tomllib.load(file).items()
        }


def _own(file: Path) -> dict[str, Workload]:
    """The user's own workloads."""
    try:
        entries = tomllib.loads(file.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise LabError(f"cannot read {file}: {error}") from error
    return {name: _own_workload(file, name, entry) for name, entry in entries.items()}


def _own_workload(file: Path, name: str, entry: Any) -> Workload:
    where = f"{file}: [{name}]"
    if name in _ours():
        raise LabError(f"{where}: the lab has a workload of this name", "Rename yours.")
    if not isinstance(entry, dict):
        raise LabError(f"{where}: expected a table")
    entry = {"name": name, **entry}
    tool = entry.get("tool")
    if isinstance(tool, str) and "/" in tool:
        path = (file.parent / tool).resolve()
        if not (path.is_file() and os.access(path, os.X_OK)):
            raise LabError(f"{where}: {tool} is not an executable file beside {file.name}")
        entry["tool"] = str(path)
    try:
        workload = Workload.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        what = ".".join(map(str, first["loc"]))
        raise LabError(f"{where}: {what}{': ' if what else ''}{first['msg']}") from error
    if workload.exact:
        raise LabError(f"{where}: `exact` is for the lab's own workloads", "Remove it.")
    return workload


def files(wanted: Iterable[Workload]) -> dict[str, Path | str | bytes]:
    """The files of a guest for workloads: our programs, public tools, and the user's own."""
    found: dict[str, Path | str | bytes] = {**workloads.build()}
    for tool in sorted({workload.tool for workload in wanted} - {""}):
        if _is_own(tool):
            found[f"{_OWN_FOLDER}/{Path(tool).name}"] = Path(tool)
        else:
            found |= _TOOLS[tool]()
    return found


def modules(wanted: Iterable[Workload]) -> tuple[str, ...]:
    """The kernel's modules that a guest needs for workloads."""
    return tuple(dict.fromkeys(module for workload in wanted for module in workload.modules))


def find(name: str, known: Mapping[str, Workload] | None = None) -> Workload:
    """A workload by its word; raises LabError for one that does not exist."""
    known = load() if known is None else known
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, 1)
    hint = f"Did you mean {near[0]}?" if near else f"The lab has {', '.join(known)}."
    raise LabError(f"unknown workload {name}", hint)
