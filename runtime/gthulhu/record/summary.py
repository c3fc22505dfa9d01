# SPDX-License-Identifier: Apache-2.0
"""`gthulhu record --info`: what is in a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gthulhu.record.reader import Record
from gthulhuc.diagnostics.human import visible

_NAMES = 10


def describe(record: Record) -> dict[str, Any]:
    """All that `--info --json` prints. Raises RecordError."""
    counts = record.counts()
    tasks = [task for tasks in record.tasks.values() for task in tasks if task.number]
    names = Counter(task.name.decode(errors="replace") for task in tasks)
    total = sum(counts.values())
    return {
        "file": record.name,
        "damage": record.damage,
        "bytes": record.size,
        "bytes_per_event": round(record.size / total, 2) if total else None,
        "seconds": (record.end_ns - record.begin_ns) / 1e9,
        "machine": dict(record.info),
        "end": dict(record.end),
        "cost": cost(record.end, record.end_ns - record.begin_ns),
        "events": counts,
        "lost": {str(cpu): number for cpu, number in record.lost.items()},
        "tasks": len(tasks),
        "processes": len({task.process for task in tasks}),
        "names": dict(names.most_common()),
        "cgroups": len(record.cgroups),
        "labels": {
            "containers": sum(bool(each.facts) for each in record.labels.containers.values()),
            "tasks": len(record.labels.tasks),
        },
    }


def cost(end: Mapping[str, Any], length_ns: int) -> float | None:
    """The share of all CPUs' time that recording took.

    None: it did not end in order, or is an import.
    """
    if "writer_ns" not in end or length_ns <= 0:
        return None
    used: int = end["programs_ns"] + end["recorder_ns"] + end["writer_ns"]
    return used / (length_ns * int(end["cpus"]))


def text(said: Mapping[str, Any]) -> str:
    """The same for a person."""
    return "".join(f"{visible(line)}\n" for line in _lines(said))


def _lines(said: Mapping[str, Any]) -> Iterator[str]:
    machine, end, events = said["machine"], said["end"], said["events"]
    kernel = machine.get("kernel", {})
    online = sum(1 for cpu in machine.get("cpus", []) if cpu.get("online"))
    yield f"{said['file']}: {said['seconds']:.1f} s, {said['bytes'] / 1e6:.1f} MB"
    yield f"machine    {machine.get('model') or kernel.get('machine', '?')}, {online} CPUs"
    yield f"kernel     {kernel.get('release', '?')}"
    yield f"scheduler  {machine.get('scheduler', '?')}" + _changed(machine, end)
    yield f"began      {machine.get('began', '?')}"
    yield f"ended      {end.get('ending', 'not in order')}"
    if said["cost"] is not None:
        yield f"cost       {said['cost']:.2%} of all CPUs' time"
    if imported := machine.get("imported"):
        yield f"imported   from {imported['tool']}; not known: {'; '.join(imported['lacks'])}"
    yield f"names      {'pseudonyms' if machine.get('anonymised') else 'as they were'}"
    each = f", {said['bytes_per_event']} bytes each" if said["bytes_per_event"] else ""
    yield f"events     {sum(events.values())}{each}"
    for kind, number in events.items():
        yield f"  {kind:<10} {number}"
    lost = said["lost"]
    yield f"lost       {sum(lost.values())}"
    for cpu, number in lost.items():
        yield f"  CPU {cpu:<6} {number}"
    yield f"tasks      {said['tasks']} of {said['processes']} processes"
    for name, number in list(said["names"].items())[:_NAMES]:
        yield f"  {number:<4} {name}"
    labels = said["labels"]
    yield f"labels     of {labels['containers']} containers and {labels['tasks']} tasks"
    if said["damage"]:
        yield f"warning: not all can be read: {said['damage']}"


def _changed(machine: Mapping[str, Any], end: Mapping[str, Any]) -> str:
    later = end.get("scheduler")
    return f", at the end {later}" if later and later != machine.get("scheduler") else ""
