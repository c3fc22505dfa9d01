# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu simulate --calibrate`: measures costs on this machine, and writes its profile."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gthulhu_lab import tables, workloads
from gthulhu_lab.errors import LabError
from gthulhu_lab.progress import Progress
from gthulhu_lab.simulation import costs, machine
from gthulhu_lab.simulation.machine import FULL_SPEED, Machine
from gthulhu_lab.tables import NONE, Table
from gthulhuc.cli import files, shared

SCHEMA = 1
_CPUS = 8  # that lines are sent to, if there are more
_DEADLINE_S = 60.0
_BUSY = 0.3  # load average of each CPU
_WIDTH = 110
_CACHED, _UNCACHED = 16 << 10, 256 << 20  # bytes
_DISTANCES = {
    "sibling": "the same core",
    "llc": "the same LLC",
    "node": "another LLC of the node",
    "far": "another node",
}
_SWITCH = ("wake", "schedule", "switch_over")
_INTERRUPT = ("send", "flight", "interrupt")

Pairs = Mapping[str, Sequence[tuple[int, int]]]
"""CPUs by their distance, the name of a cost."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A time in ns, and the costs that follow from it."""

    what: str
    ns: float
    costs: Mapping[str, int]


def run(options: argparse.Namespace) -> int:
    """Measure this machine, and write and show its costs; the exit status. Raises LabError."""
    if options.calibrate == files.STDIO:
        raise LabError("standard output takes no profile", "Name a file that ends in .toml.")
    files.check_outputs((options.calibrate, options.json))
    place = machine.this()
    cpus = frozenset(os.sched_getaffinity(0))
    if os.getloadavg()[0] > _BUSY * len(cpus):
        shared.err(
            f"warning: the machine is busy (load average {os.getloadavg()[0]:.1f}): its costs will "
            "be too high. Stop other work, and calibrate again.\n"
        )
    with Progress(sys.stderr) as progress:
        found = list(_measure(place, cpus, progress))
    day = dt.datetime.now(dt.UTC).date().isoformat()
    files.write_file(options.calibrate, profile(place, found, _processor(), day).encode())
    console = tables.console_of_width(_WIDTH, stderr=options.json == files.STDIO)
    tables.show(_table(found), console)
    console.print(
        f"\n{options.calibrate} is the profile of this machine. Use it: "
        f"gthulhu simulate POLICY --machine {options.calibrate}",
        highlight=False, markup=False, soft_wrap=True,
    )  # fmt: skip
    if options.json is not None:
        content = {
            "schema": SCHEMA, "kernel": platform.release(), "machine": place.summary,
            "measured": [asdict(each) for each in found],
        }  # fmt: skip
        files.write_file(options.json, json.dumps(content, indent=1).encode() + b"\n")
    return shared.OK


# ---- Measurements ----


def _measure(place: Machine, cpus: frozenset[int], progress: Progress) -> Iterator[Measured]:
    program = workloads.program("calibrate")
    first = min(cpus)
    apart = pairs(place, cpus)
    for name, size, text in (
        ("own", _CACHED, "a load from the first cache"), ("memory", _UNCACHED, "a load from memory")
    ):  # fmt: skip
        progress.step(f"measuring {text}")
        took_ns = _time(program, "load", size)
        yield Measured(text, took_ns, {name: round(took_ns)})
    for name, some in apart.items():
        text = f"a line of memory from a CPU of {_DISTANCES[name]}"
        progress.step(f"measuring {text}")
        took_ns = statistics.median(_time(program, "transfer", *pair) for pair in some)
        yield Measured(text, took_ns, {name: round(took_ns)})
    text = "a wake-up and a switch on a CPU"
    progress.step(f"measuring {text}")
    switch_ns = _time(program, "switch", first)
    yield Measured(text, switch_ns, in_proportion(_SWITCH, switch_ns))
    if apart:
        yield from _across(program, [some[0] for some in apart.values()], switch_ns, progress)
    text = "the lateness of a sleep"
    progress.step(f"measuring {text}")
    yield Measured(text, _time(program, "sleep", first), {})


def _across(
    program: Path, some: Sequence[tuple[int, int]], switch_ns: float, progress: Progress
) -> Iterator[Measured]:
    """Interrupts and wake-ups from one CPU to another."""
    text = "an interrupt of another CPU"
    progress.step(f"measuring {text}")
    interrupt_ns = statistics.median(_time(program, "interrupt", *pair) for pair in some)
    follows = in_proportion(_INTERRUPT, interrupt_ns)
    yield Measured(text, interrupt_ns, follows)
    text = "a wake-up of a task on an idle CPU"
    progress.step(f"measuring {text}")
    wake_ns = statistics.median(_time(program, "wake", *pair) for pair in some)
    rest_ns = wake_ns - switch_ns - follows["send"] - follows["flight"]
    yield Measured(text, wake_ns, {"idle_exit": min(max(round(rest_ns), 0), costs.MOST_NS)})


def _time(program: Path, *words: object) -> float:
    """The program's measurement, in ns. Raises LabError."""
    try:
        found = subprocess.run(
            [program, *map(str, words)], capture_output=True, text=True, check=False,
            timeout=_DEADLINE_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise LabError(
            f"measuring `{' '.join(map(str, words))}` took more than {_DEADLINE_S:.0f} s",
            "Stop other work on this machine, and calibrate again.",
        ) from error
    if found.returncode:
        raise LabError(f"cannot calibrate: {found.stderr.strip()}")
    return float(found.stdout)


def pairs(place: Machine, cpus: frozenset[int]) -> Pairs:
    """Returns CPUs for each distance that the machine has, of those that may be used."""
    found: dict[str, list[tuple[int, int]]] = {}
    ordered = sorted(cpus)
    for cpu in ordered[:: max(1, len(ordered) // _CPUS)][:_CPUS]:
        nearer = frozenset((cpu,))
        groups = (place.cores, place.llcs, place.nodes, (frozenset(range(place.cpus)),))
        for name, kind in zip(_DISTANCES, groups, strict=True):
            group = next(each for each in kind if cpu in each)
            if others := sorted((group - nearer) & cpus):
                found.setdefault(name, []).append((cpu, others[len(others) // 2]))
            nearer |= group
    return found


def in_proportion(names: Sequence[str], ns: float) -> dict[str, int]:
    """Returns parts of a time, which are to each other as the usual costs of these names."""
    usual = costs.usual()
    whole = sum(usual[name] for name in names)
    return {name: min(round(ns * usual[name] / whole), costs.MOST_NS) for name in names}


# ---- The profile ----


def profile(place: Machine, found: Sequence[Measured], processor: str, day: str) -> str:
    """Returns a machine's TOML file, with the costs that were measured on it."""
    source = f"gthulhu simulate --calibrate, {day}, kernel {platform.release()}"
    lines = [
        f"description = {json.dumps(f'{processor}: {place.summary}')}",
        f"sources = {json.dumps([source])}",
        "",
        f"cpus = {place.cpus}",
        *(
            f"{kind} = {json.dumps([_listed(group) for group in getattr(place, kind)])}"
            for kind in ("cores", "llcs", "nodes", "sockets")
        ),
    ]
    if place.offline:
        lines.append(f"offline = {json.dumps(_listed(place.offline))}")
    if place.speeds:
        lines += ["", "[speeds]"]
        for speed in sorted(set(place.speeds.values())):
            its = [cpu for cpu, found in place.speeds.items() if found == speed]
            lines.append(f"{json.dumps(_listed(its))} = {speed / FULL_SPEED:g}")
    lines += ["", "# In ns. Costs that are not here could not be measured, and have usual values."]
    lines.append("[costs]")
    for each in found:
        for name, ns in each.costs.items():
            lines.append(f"{name} = {ns}  # {each.what}: {each.ns:.1f}")
    return "\n".join([*lines, ""])


def _listed(cpus: Iterable[int]) -> str:
    """A list of CPUs in the kernel's form, such as `0-3,8`."""
    spans: list[list[int]] = []
    for cpu in sorted(cpus):
        if spans and cpu == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], cpu]
        else:
            spans.append([cpu])
    return ",".join("-".join(map(str, span)) for span in spans)


def _processor() -> str:
    """The processor's name."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    names = (line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line)
    return next(names, platform.machine())


def _table(found: Sequence[Measured]) -> Table:
    usual = costs.usual()
    rows = [
        (
            each.what,
            f"{each.ns:,.1f} ns",
            f"{sum(usual[name] for name in each.costs):,} ns" if each.costs else NONE,
            ", ".join(f"{name} {ns:,}" for name, ns in each.costs.items()) or NONE,
        )
        for each in found
    ]
    return Table("measured on this machine", ("", "measured", "usual", "costs"), rows)
