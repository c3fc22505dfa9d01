# SPDX-License-Identifier: Apache-2.0
"""The machine of a record, as the record describes it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EEVDF = "EEVDF"
_CPU = re.compile(r"cpu(\d+)")


def describe(root: Path = Path("/")) -> dict[str, Any]:
    """The machine as it is now, without names of its owner: docs/record.md has a table."""
    kernel = os.uname()
    return {
        "kernel": {
            "release": kernel.release,
            "version": kernel.version,
            "machine": kernel.machine,
        },
        "scheduler": scheduler(root),
        "autogroup": _number(root / "proc/sys/kernel/sched_autogroup_enabled") or 0,
        "cpus": list(_cpus(root / "sys/devices/system/cpu")),
        "model": _model(root / "proc/cpuinfo"),
        "memory_kb": _memory_kb(root / "proc/meminfo"),
        "interrupts": dict(_interrupts(root / "sys/kernel/irq")),
        "began": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def scheduler(root: Path = Path("/")) -> str:
    """The name of the sched_ext scheduler in force, else EEVDF."""
    return _text(root / "sys/kernel/sched_ext/root/ops") or EEVDF


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _number(path: Path) -> int | None:
    text = _text(path)
    return int(text) if text.lstrip("-").isdecimal() else None


def _cpus(folder: Path) -> Iterator[dict[str, int | str | None]]:
    """Each CPU with the groups that it is in; `llc`: the CPUs that share its last-level cache."""
    found = (_CPU.fullmatch(path.name) for path in folder.glob("cpu[0-9]*"))
    for cpu in sorted(int(match[1]) for match in found if match):
        own = folder / f"cpu{cpu}"
        caches = sorted(own.glob("cache/index*"), key=lambda path: _number(path / "level") or 0)
        node = next((path.name[4:] for path in own.glob("node[0-9]*")), "")
        yield {
            "cpu": cpu,
            "online": 1 if (online := _number(own / "online")) is None else online,
            "core": _number(own / "topology/core_id"),
            "package": _number(own / "topology/physical_package_id"),
            "node": int(node) if node else None,
            "llc": _text(caches[-1] / "shared_cpu_list") if caches else None,
            "max_khz": _number(own / "cpufreq/cpuinfo_max_freq"),
        }


def _model(cpuinfo: Path) -> str:
    found = re.search(r"^model name\s*:\s*(.+)$", _text(cpuinfo), re.MULTILINE)
    return found[1] if found else ""


def _memory_kb(meminfo: Path) -> int:
    found = re.search(r"^MemTotal:\s*(\d+) kB", _text(meminfo), re.MULTILINE)
    return int(found[1]) if found else 0


def _interrupts(folder: Path) -> Iterator[tuple[str, str]]:
    """The names of the interrupts' users, by number."""
    for path in folder.glob("[0-9]*"):
        if names := _text(path / "actions"):
            yield path.name, names
