# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The machine that a record was made on, for the host model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gthulhu.record.reader import Record
from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation.machine import FULL_SPEED, MOST_CPUS, Groups, Machine


def recorded(record: Record) -> Machine:
    """Returns the machine of a record. Raises LabError for one that the model cannot have."""
    told: Sequence[Mapping[str, Any]] = record.info.get("cpus") or [
        {"cpu": cpu} for cpu in record.cpus
    ]
    cpus = max((int(each["cpu"]) for each in told), default=0) + 1
    if cpus > MOST_CPUS:
        raise LabError(
            f"{record.name}: the record is of {cpus:,} CPUs, and the model has {MOST_CPUS:,}",
            "name a smaller machine with --machine",
        )
    known = {int(each["cpu"]): each for each in told}
    offline = frozenset(
        cpu for cpu in range(cpus) if cpu not in known or not known[cpu].get("online", 1)
    )
    cores = _groups(cpus, known, "package", "core")
    llcs = _groups(cpus, known, "node", "llc")
    nodes = _groups(cpus, known, "node")
    sockets = _groups(cpus, known, "package")
    return Machine(
        "of the record", cpus, cores if _is_core(cores) else _singles(cpus), llcs, nodes, sockets,
        speeds=_speeds(known), offline=offline,
    )  # fmt: skip


def of_all(records: Sequence[Record]) -> Machine:
    """Returns the machine that all of some records were made on. Raises LabError."""
    first, *others = map(recorded, records)
    for record, other in zip(records[1:], others, strict=True):
        if other.digest != first.digest:
            raise LabError(
                f"{records[0].name} and {record.name} are of different machines: {first.summary}, "
                f"and {other.summary}",
                "name the machine to simulate with --machine",
            )
    return first


def _groups(cpus: int, known: Mapping[int, Mapping[str, Any]], *keys: str) -> Groups:
    """CPUs with the same values; those of which nothing is known are in one group."""
    found: dict[tuple[object, ...], set[int]] = defaultdict(set)
    for cpu in range(cpus):
        values = known.get(cpu, {})
        found[tuple(str(values.get(key)) for key in keys)].add(cpu)
    return tuple(frozenset(group) for group in sorted(found.values(), key=min))


def _is_core(cores: Groups) -> bool:
    """A core has at most eight threads; if there seem to be more, its number is not known."""
    return max(map(len, cores)) <= 8


def _singles(cpus: int) -> Groups:
    return tuple(frozenset({cpu}) for cpu in range(cpus))


def _speeds(known: Mapping[int, Mapping[str, Any]]) -> dict[int, int]:
    rates: dict[int, int] = {cpu: int(each.get("max_khz") or 0) for cpu, each in known.items()}
    most = max(rates.values(), default=0)
    return {
        cpu: max(1, FULL_SPEED * rate // most) for cpu, rate in rates.items() if 0 < rate < most
    }


def usable(affinity: Iterable[int] | None, machine: Machine) -> frozenset[int]:
    """Returns the CPUs of a machine for a task with an affinity elsewhere; all if it has none."""
    online = frozenset(range(machine.cpus)) - machine.offline
    if affinity is None:
        return online
    wanted = frozenset(affinity)
    if len(wanted) == 1:
        # A thread of the kernel for one CPU: others do its work.
        (cpu,) = wanted
        return frozenset({cpu}) & online or frozenset({sorted(online)[cpu % len(online)]})
    return wanted & online or online
