# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Profiles of machines: CPUs, and what they have in common.

A profile is `this` (from sysfs), a short form such as `64x4x2`, the name of one that is shipped, or
a TOML file.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation import costs
from gthulhu_lab.simulation.costs import Costs
from gthulhuc import regular, target
from gthulhuc.diagnostics.suggest import nearest

MOST_CPUS = 1024
"""The host model has no more (`sim/mask.h`)."""
SHIPPED = Path(__file__).resolve().parent / "machines"
FULL_SPEED = 1000
_SHORT = re.compile(r"(\d{1,5})(?:x(\d{1,5}))?(?:x(\d{1,5}))?")
_KINDS = ("cores", "llcs", "nodes", "sockets")
_KEYS = ("description", "sources", "cpus", *_KINDS, "speeds", "offline", "costs")
_INSIDE = (("cores", "llcs"), ("llcs", "nodes"), ("llcs", "sockets"))
"""Each group of the first kind is within one of the second."""

Groups = tuple[frozenset[int], ...]


class MachineError(LabError):
    """A profile is missing, malformed or contradicts itself; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The CPUs of a machine, from 0, and groups of them. Each kind of group has each CPU once.

    `speeds`: in thousandths of the fastest CPUs' speed; those that are missing have that.
    """

    name: str
    cpus: int
    cores: Groups
    llcs: Groups
    nodes: Groups
    sockets: Groups
    speeds: Mapping[int, int] = field(default_factory=dict)
    offline: frozenset[int] = frozenset()
    description: str = ""
    sources: tuple[str, ...] = ()
    costs: Costs = field(default_factory=costs.usual)

    @property
    def digest(self) -> str:
        """The first digits of a hash of all that a simulation depends on."""
        facts = {kind: [sorted(group) for group in getattr(self, kind)] for kind in _KINDS}
        speeds = sorted(self.speeds.items())
        parts = [self.cpus, facts, speeds, sorted(self.offline), sorted(self.costs.items())]
        text = json.dumps(parts)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def summary(self) -> str:
        """The machine in a few words, such as `64 CPUs, 4 LLCs, 2 nodes`."""
        parts = [_count(self.cpus, "CPU")]
        if len(self.cores) < self.cpus:
            parts.append(_count(len(self.cores), "core"))
        parts += [_count(len(self.llcs), "LLC"), _count(len(self.nodes), "node")]
        if slow := sum(speed < FULL_SPEED for speed in self.speeds.values()):
            parts.append(f"{slow} of the CPUs slower")
        if self.offline:
            parts.append(f"{len(self.offline)} offline")
        return ", ".join(parts)

    def lines(self) -> Iterator[str]:
        """Yields the verbs of a scenario that describe it, for after `machine`."""
        for verb, groups in (("llc", self.llcs), ("node", self.nodes), ("core", self.cores)):
            # One group of all, or single CPUs, make no difference to the kernel.
            if len(groups) > 1 and (verb != "core" or len(groups) < self.cpus):
                for number, group in enumerate(groups):
                    yield f"group .{verb} {number} {mask(group)}"
        for speed in sorted(set(self.speeds.values()) - {FULL_SPEED}):
            yield f"speed {mask(cpu for cpu, its in self.speeds.items() if its == speed)} {speed}"
        if self.offline:
            yield f"offline {mask(self.offline)}"


def mask(cpus: Iterable[int]) -> str:
    """Returns a set of CPUs as the host model reads it."""
    return f"{sum(1 << cpu for cpu in cpus):#x}"


def read(text: str) -> Machine:
    """Returns the machine of `this`, a short form, a shipped profile's name or a file's path.

    Raises MachineError.
    """
    if text == "this":
        return this()
    if found := _SHORT.fullmatch(text):
        return short(text, *(int(number) for number in found.groups("1")))
    if text in shipped():
        return _from_file(text, SHIPPED / f"{text}.toml")
    if "/" in text or text.endswith(".toml"):
        return _from_file(text, Path(text))
    raise MachineError(
        f"there is no machine `{text}`{_hint(text, shipped())}",
        f"name a file that ends in .toml, `this`, a short form such as 64x4x2 (CPUs x LLCs x "
        f"nodes), or one of {', '.join(shipped())}",
    )


def shipped() -> list[str]:
    """Returns the names of the profiles that are shipped."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def short(name: str, cpus: int, llcs: int = 1, nodes: int = 1) -> Machine:
    """Returns a machine of equal CPUs in equal LLCs, in equal nodes. Raises MachineError."""
    if not 1 <= cpus <= MOST_CPUS:
        raise MachineError(f"{name}: a machine has 1 to {MOST_CPUS} CPUs, found {cpus}")
    for number, whole, what, each in ((llcs, cpus, "CPUs", "LLCs"), (nodes, llcs, "LLCs", "nodes")):
        if not number or whole % number:
            raise MachineError(
                f"{name}: {whole} {what} cannot be divided evenly among {number} {each}",
                "describe an uneven machine in a TOML file",
            )
    by_node = _shared_out(cpus, nodes)
    return Machine(name, cpus, _shared_out(cpus, cpus), _shared_out(cpus, llcs), by_node, by_node)


def _shared_out(cpus: int, groups: int) -> Groups:
    size = cpus // groups
    return tuple(frozenset(range(i * size, (i + 1) * size)) for i in range(groups))


# ---- TOML ----


def _from_file(name: str, path: Path) -> Machine:
    try:
        content = tomllib.loads(regular.read(str(path)).decode())
    except OSError as error:
        raise MachineError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:  # its own, and of bytes that are no text
        raise MachineError(f"{path} is not TOML: {error}") from error
    return _Reader(str(path), content).machine(name)


class _Reader:
    """Reads the tables of a file; errors name the file and the key."""

    def __init__(self, path: str, content: Mapping[str, object]) -> None:
        self._path = path
        self._content = content

    def machine(self, name: str) -> Machine:
        for key in self._content:
            if key not in _KEYS:
                raise self._wrong(key, f"unknown key{_hint(key, _KEYS)}")
        cpus = self._content.get("cpus")
        if not isinstance(cpus, int) or isinstance(cpus, bool) or not 1 <= cpus <= MOST_CPUS:
            raise self._wrong("cpus", f"expected a number of CPUs, 1 to {MOST_CPUS}")
        whole = (frozenset(range(cpus)),)
        single = tuple(frozenset((cpu,)) for cpu in range(cpus))
        machine = Machine(
            name,
            cpus,
            self._groups("cores") or single,
            self._groups("llcs") or whole,
            self._groups("nodes") or whole,
            self._groups("sockets") or whole,
            self._speeds(),
            self._cpus("offline", self._content.get("offline", "")),
            self._text("description"),
            tuple(self._list("sources")),
            self._costs(),
        )
        for key, why in contradictions(machine):
            raise self._wrong(key, why)
        return machine

    def _groups(self, key: str) -> Groups:
        return tuple(
            self._cpus(f"{key}[{number}]", each) for number, each in enumerate(self._list(key))
        )

    def _speeds(self) -> dict[int, int]:
        table = self._content.get("speeds", {})
        if not isinstance(table, dict):
            raise self._wrong("speeds", 'expected a table such as { "8-15" = 0.7 }')
        found: dict[int, int] = {}
        for cpus, speed in table.items():
            place = f'speeds."{cpus}"'
            if not isinstance(speed, int | float) or not 0.001 <= speed <= 1:
                raise self._wrong(place, "expected a part of the fastest CPUs' speed, 0.001 to 1")
            for cpu in self._cpus(place, cpus):
                if cpu in found:
                    raise self._wrong(place, f"CPU {cpu} has a speed already")
                found[cpu] = round(speed * FULL_SPEED)
        return found

    def _costs(self) -> Costs:
        table = self._content.get("costs", {})
        if not isinstance(table, dict):
            raise self._wrong("costs", "expected a table such as { llc = 20, far = 140 }")
        known = costs.usual()
        for name, ns in table.items():
            place = f"costs.{name}"
            if name not in known:
                raise self._wrong(place, f"unknown cost{_hint(name, known)}")
            if not isinstance(ns, int) or isinstance(ns, bool) or not 0 <= ns <= costs.MOST_NS:
                raise self._wrong(place, f"expected a number of ns, 0 to {costs.MOST_NS}")
        return {**known, **table}

    def _cpus(self, place: str, value: object) -> frozenset[int]:
        try:
            return target.listed(value)
        except target.TargetError as error:
            raise self._wrong(place, str(error)) from error

    def _list(self, key: str) -> list[str]:
        value = self._content.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._wrong(key, "expected a list of strings")
        return value

    def _text(self, key: str) -> str:
        value = self._content.get(key, "")
        if not isinstance(value, str):
            raise self._wrong(key, "expected a string")
        return value

    def _wrong(self, place: str, why: str) -> MachineError:
        return MachineError(f"{self._path}: {place}: {why}")


def contradictions(machine: Machine) -> Iterator[tuple[str, str]]:
    """Yields what cannot be true of a machine: the place in its profile, and the reason."""
    for kind in _KINDS:
        yield from _partition(kind, getattr(machine, kind), machine.cpus)
    for inner, outer in _INSIDE:
        for number, group in enumerate(getattr(machine, inner)):
            if not any(group <= each for each in getattr(machine, outer)):
                yield f"{inner}[{number}]", f"its CPUs are in different {outer}"
    for place, cpus in (("speeds", machine.speeds), ("offline", machine.offline)):
        if beyond := [cpu for cpu in cpus if cpu >= machine.cpus]:
            yield place, f"there is no CPU {beyond[0]}"
    yield from _wrong_speeds(machine)
    if len(machine.offline) >= machine.cpus:
        yield "offline", "no CPU is online"


def _wrong_speeds(machine: Machine) -> Iterator[tuple[str, str]]:
    speeds = [machine.speeds.get(cpu, FULL_SPEED) for cpu in range(machine.cpus)]
    if max(speeds) < FULL_SPEED:
        yield "speeds", "no CPU has speed 1, the speed of the fastest"
    for number, core in enumerate(machine.cores):
        if len({speeds[cpu] for cpu in core if cpu < machine.cpus}) > 1:
            yield f"cores[{number}]", "its CPUs differ in speed"


def _partition(kind: str, groups: Groups, cpus: int) -> Iterator[tuple[str, str]]:
    seen: dict[int, int] = {}
    for number, group in enumerate(groups):
        place = f"{kind}[{number}]"
        if not group:
            yield place, "it has no CPUs"
        for cpu in sorted(group):
            if cpu >= cpus:
                yield place, f"there is no CPU {cpu}"
            elif cpu in seen:
                yield place, f"CPU {cpu} is in {kind}[{seen[cpu]}], too"
            seen[cpu] = number
    if missing := sorted(set(range(cpus)) - set(seen)):
        yield kind, f"CPU {missing[0]} is in none of them"


# ---- sysfs ----


def this(root: Path = Path("/sys/devices/system")) -> Machine:
    """Returns the machine that this runs on, by sysfs. Raises MachineError.

    Nothing is known about the groups of an offline CPU. Such a CPU is a core and an LLC of its own
    in the first node.
    """
    try:
        machine = _from_sysfs(root)
    except target.TargetError as error:
        raise MachineError(f"cannot read the CPUs of this machine: {error}") from error
    for place, why in contradictions(machine):
        raise MachineError(
            f"this machine's sysfs contradicts itself: {place}: {why}",
            "describe the machine in a TOML file",
        )
    return machine


def _from_sysfs(root: Path) -> Machine:
    online = target.listed(_text(root / "cpu/online"))
    cpus = max(target.listed(_text(root / "cpu/possible")), default=-1) + 1
    if not 1 <= cpus <= MOST_CPUS or not online:
        raise MachineError(f"this machine has {cpus} CPUs; the model has 1 to {MOST_CPUS}")
    offline = frozenset(range(cpus)) - online
    nodes = [
        target.listed(_text(path / "cpulist")) & online
        for path in sorted((root / "node").glob("node[0-9]*"), key=lambda path: int(path.name[4:]))
    ]
    by_node = _completed([node for node in nodes if node] or [online], cpus)
    llcs = [part for llc in target.llcs(root, online).values() for part in _split(llc, by_node)]
    cores, packages = [], dict[str, set[int]]()
    for cpu in sorted(online):
        topology = root / f"cpu/cpu{cpu}/topology"
        siblings = _text(topology / "thread_siblings_list") or str(cpu)
        cores.append(target.listed(siblings) & online)
        packages.setdefault(_text(topology / "physical_package_id"), set()).add(cpu)
    return Machine(
        "this",
        cpus,
        _alone(cores, offline),
        _alone(llcs, offline),
        by_node,
        _completed([frozenset(package) for package in packages.values()], cpus),
        _relative(target.speeds_of(root, online)),
        offline,
    )


def _split(llc: frozenset[int], nodes: Groups) -> Iterator[frozenset[int]]:
    """An LLC by nodes: with clusters of nodes in a socket, sysfs may give all one LLC."""
    yield from (part for node in nodes if (part := llc & node))


def _alone(groups: Sequence[frozenset[int]], offline: Iterable[int]) -> Groups:
    return (*dict.fromkeys(groups), *(frozenset((cpu,)) for cpu in sorted(offline)))


def _completed(groups: Sequence[frozenset[int]], cpus: int) -> Groups:
    """The groups, with CPUs that are in none of them in the first one."""
    missing = frozenset(range(cpus)).difference(*groups)
    return (groups[0] | missing, *groups[1:])


def _relative(speeds: Mapping[int, int]) -> dict[int, int]:
    """Speeds in thousandths of the highest, those within a tenth of it counting as that."""
    best = max(speeds.values())
    parts = {cpu: round(FULL_SPEED * speed / best) for cpu, speed in speeds.items()}
    return {cpu: part for cpu, part in parts.items() if part < FULL_SPEED * 9 // 10}


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _hint(name: str, known: Iterable[str]) -> str:
    found = nearest(name, known)
    return f"; did you mean `{found}`?" if found else ""
