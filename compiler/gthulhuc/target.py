# SPDX-License-Identifier: Apache-2.0
"""The machine that a policy is checked against (`--target`): its CPUs and how they are grouped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

CPU_MAX = 8191  # distributions build kernels for at most 8192 CPUs (CONFIG_NR_CPUS)


class TargetError(ValueError):
    """The target is not understood; the message says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """CPUs that are there, and groups of them; a group that is None is not known."""

    name: str
    cpus: frozenset[int]
    nodes: Mapping[int, frozenset[int]] | None = None
    llcs: Mapping[int, frozenset[int]] | None = None
    fast: frozenset[int] | None = field(default=None)
    slow: frozenset[int] | None = field(default=None)


def read_target(text: str) -> Target:
    """The target that `cpus=N`, `cpus=LIST`, a JSON file's path or `host` stands for.

    Raises TargetError.
    """
    if text == "host":
        return host()
    if text.startswith("cpus="):
        return Target(text, _cpus(text.removeprefix("cpus=")))
    try:
        content = json.loads(Path(text).read_bytes())
    except OSError as error:
        raise TargetError(f"cannot read {text}: {error.strerror}") from error
    except ValueError as error:
        raise TargetError(f"{text} is not JSON: {error}") from error
    return _from_json(text, content)


def _from_json(name: str, content: object) -> Target:
    if not isinstance(content, dict) or "cpus" not in content:
        raise TargetError(f"{name} is not a target: an object with `cpus` is wanted")
    unknown = sorted(set(content) - {"cpus", "nodes", "llcs", "fast", "slow"})
    if unknown:
        raise TargetError(f"{name} has an unknown key `{unknown[0]}`")
    return Target(
        name,
        _cpus(content["cpus"]),
        _groups(name, content.get("nodes")),
        _groups(name, content.get("llcs")),
        _cpus(content["fast"]) if "fast" in content else None,
        _cpus(content["slow"]) if "slow" in content else None,
    )


def _groups(name: str, groups: object) -> dict[int, frozenset[int]] | None:
    if groups is None:
        return None
    if not isinstance(groups, dict) or not all(key.isdecimal() for key in groups):
        raise TargetError(f'{name}: groups are an object such as {{"0": "0-3"}}')
    return {int(key): _cpus(value) for key, value in groups.items()}


def host(root: Path = Path("/sys/devices/system")) -> Target:
    """This machine. Raises TargetError when the kernel does not say."""
    try:
        cpus = _cpus((root / "cpu/online").read_text().strip())
    except OSError as error:
        raise TargetError(f"cannot read the CPUs of this machine: {error.strerror}") from error
    nodes = {
        int(path.name.removeprefix("node")): _cpus((path / "cpulist").read_text().strip() or "")
        for path in sorted((root / "node").glob("node[0-9]*"))
    }
    llcs: dict[int, frozenset[int]] = {}
    capacities: dict[int, int] = {}
    for cpu in sorted(cpus):
        folder = root / f"cpu/cpu{cpu}"
        caches = sorted((folder / "cache").glob("index[0-9]*"), key=lambda path: path.name)
        shared = _text(caches[-1] / "shared_cpu_list") if caches else None
        group = _cpus(shared) if shared else frozenset((cpu,))
        if group not in llcs.values():
            llcs[len(llcs)] = group
        capacities[cpu] = int(_text(folder / "cpu_capacity") or 1024)
    best = max(capacities.values(), default=0)
    least = min(capacities.values(), default=0)
    return Target(
        "host",
        cpus,
        nodes or None,
        llcs,
        frozenset(cpu for cpu, capacity in capacities.items() if capacity == best),
        frozenset(cpu for cpu, capacity in capacities.items() if capacity == least),
    )


def _text(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except OSError:
        return None


def _cpus(value: object) -> frozenset[int]:
    """CPUs of a number (that many) or of a list in the kernel's form (`0-3,8`)."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if isinstance(value, int) and 0 < value <= CPU_MAX + 1:
        return frozenset(range(value))
    found: set[int] = set()
    for part in value.split(",") if isinstance(value, str) and value else []:
        low, _, high = part.partition("-")
        high = high or low
        if not (low.isdecimal() and high.isdecimal() and int(low) <= int(high) <= CPU_MAX):
            raise TargetError(f"`{value}` is not a list of CPUs such as `0-3,8`")
        found.update(range(int(low), int(high) + 1))
    if isinstance(value, int) or not isinstance(value, str):
        raise TargetError(f"`{value}` is not a number of CPUs within 1..{CPU_MAX + 1}")
    return frozenset(found)
