# SPDX-License-Identifier: Apache-2.0
"""The machine to check a policy against (`--target`): its CPUs and groups of CPUs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from gthulhuc import regular
from gthulhuc.records import dataclass

_MOST_DIGITS = 9
_MOST_SHOWN = 60
CPU_MAX = 8191  # distributions build kernels for at most 8192 CPUs (CONFIG_NR_CPUS)


class TargetError(ValueError):
    """The target is invalid; the message says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """The CPUs of a machine, and groups of them; None means that a group is unknown."""

    name: str
    cpus: frozenset[int]
    nodes: Mapping[int, frozenset[int]] | None = None
    llcs: Mapping[int, frozenset[int]] | None = None
    fast: frozenset[int] | None = field(default=None)
    slow: frozenset[int] | None = field(default=None)


def read_target(text: str) -> Target:
    """Returns the target for `cpus=N`, `cpus=LIST`, a JSON file's path or `host`.

    Raises TargetError.
    """
    if text == "host":
        return host()
    if text.startswith("cpus="):
        return Target(text, _cpus(text.removeprefix("cpus=")))
    try:
        content = json.loads(regular.read(text))
    except RecursionError as error:
        raise TargetError(f"{text} is nested too deeply") from error
    except OSError as error:
        raise TargetError(f"cannot read {text}: {error.strerror}") from error
    except ValueError as error:
        raise TargetError(f"{text} is not JSON: {error}") from error
    return _from_json(text, content)


def _from_json(name: str, content: object) -> Target:
    if not isinstance(content, dict) or "cpus" not in content:
        raise TargetError(f"{name} is not a target: expected an object with `cpus`")
    unknown = sorted(set(content) - {"cpus", "nodes", "llcs", "fast", "slow"})
    if unknown:
        raise TargetError(f"{name} has an unknown key `{unknown[0]}`")
    return Target(
        name,
        _cpus(content["cpus"]),
        _groups(name, content.get("nodes")),
        _groups(name, content.get("llcs")),
        listed(content["fast"]) if "fast" in content else None,
        listed(content["slow"]) if "slow" in content else None,
    )


def _groups(name: str, groups: object) -> dict[int, frozenset[int]] | None:
    if groups is None:
        return None
    if not isinstance(groups, dict) or not all(map(_is_number, groups)):
        raise TargetError(f'{name}: groups must be an object such as {{"0": "0-3"}}')
    return {int(key): listed(value) for key, value in groups.items()}


def host(root: Path = Path("/sys/devices/system")) -> Target:
    """Returns this machine as a target. Raises TargetError if its CPUs are unknown."""
    try:
        cpus = listed((root / "cpu/online").read_text().strip())
    except OSError as error:
        raise TargetError(f"cannot read the CPUs of this machine: {error.strerror}") from error
    nodes = {
        int(path.name.removeprefix("node")): listed(_text(path / "cpulist") or "")
        for path in sorted((root / "node").glob("node[0-9]*"))
    }
    speeds = speeds_of(root, cpus)
    best, least = max(speeds.values()), min(speeds.values())
    return Target(
        "host",
        cpus,
        {node: members for node, members in nodes.items() if members} or None,
        llcs(root, cpus),
        # Cores of one kind may differ by a few per cent.
        frozenset(cpu for cpu, speed in speeds.items() if speed >= best - best // 10),
        frozenset(cpu for cpu, speed in speeds.items() if speed <= least + least // 10),
    )


def llcs(root: Path, cpus: frozenset[int]) -> dict[int, frozenset[int]]:
    """Returns the last-level caches of a machine, numbered by their first CPUs."""
    found: dict[int, frozenset[int]] = {}
    for cpu in sorted(cpus):
        folder = root / f"cpu/cpu{cpu}/cache"
        caches = sorted(folder.glob("index[0-9]*"), key=lambda path: int(path.name[5:]))
        shared = _text(caches[-1] / "shared_cpu_list") if caches else None
        if not any(cpu in group for group in found.values()):
            found[len(found)] = listed(shared) if shared else frozenset((cpu,))
    return found


def speeds_of(root: Path, cpus: frozenset[int]) -> dict[int, int]:
    """Returns the CPUs' capacities, or highest frequencies; they are equal if neither is known."""
    for file in ("cpu_capacity", "cpufreq/cpuinfo_max_freq"):
        texts = {cpu: _text(root / f"cpu/cpu{cpu}/{file}") for cpu in cpus}
        if all(texts.values()):
            return {cpu: int(text or 0) for cpu, text in texts.items()}
    return dict.fromkeys(cpus, 1024)


def _text(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except OSError:
        return None


def _cpus(value: object) -> frozenset[int]:
    """CPUs of a number (that many) or of a list in the kernel's form (`0-3,8`)."""
    if isinstance(value, str) and _is_number(value):
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 < value <= CPU_MAX + 1:
            shown = _clipped(value)
            raise TargetError(f"`{shown}` is not a number of CPUs; expected 1..{CPU_MAX + 1}")
        return frozenset(range(value))
    return listed(value)


def listed(value: object) -> frozenset[int]:
    """Returns the CPUs of a list in the kernel's form, where `3` is CPU 3. Raises TargetError."""
    none = TargetError(f"`{_clipped(value)}` is not a list of CPUs; expected one such as `0-3,8`")
    if not isinstance(value, str):
        raise none
    found: set[int] = set()
    for part in value.split(",") if value else []:
        low, _, high = part.partition("-")
        high = high or low
        if not (_is_number(low) and _is_number(high) and int(low) <= int(high) <= CPU_MAX):
            raise none
        found.update(range(int(low), int(high) + 1))
    return frozenset(found)


def _is_number(text: str) -> bool:
    """Whether the text is a decimal number short enough for a CPU or a group."""
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def _clipped(value: object) -> str:
    """A value as written, truncated if it is long."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
