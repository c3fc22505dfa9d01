# SPDX-License-Identifier: Apache-2.0
"""Which layer of scx_layered takes a task, by its own rules, and random layers and tasks.

It shares nothing with the importer: it is written from scx_layered's description of its matches.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

_NAMES = ("nginx", "nginx-worker", "php-fpm", "php-fpm-gc", "java", "java-batch", "a*b", "stress")
_PATHS = (
    *(
        "/",
        "/batch.slice",
        "/batch.slice/job-1.scope",
        "/batch.slicer/x",
        "/user.slice/user-1.scope",
    ),
    *("/kubepods/pod1", "/x/kubepods", "/x/kubepods/y", "/machine-1.slice", "/init.scope"),
)
_TEXTS = {
    "CgroupPrefix": (
        "",
        "/",
        "batch.slice",
        "batch.slice/",
        "/batch.slice/",
        "x/kubepods/",
        "user",
    ),
    "CgroupSuffix": ("", "/", "scope/", ".scope", "/kubepods/", "x/", "e/"),
    "CgroupContains": (
        "",
        "/",
        "kubepods",
        "/kubepods/",
        "slice/",
        "batch.slice/",
        "/x",
        "nowhere",
    ),
    "CgroupRegex": (
        "slice",
        r"machine-\d+",
        "^/sys/fs/cgroup/init",
        "pod[0-9]$",
        "^init",
        "cgroup",
    ),
}
_WORDS = (*_NAMES, "", "n", "php-fpm-", "java-batches-are", "a")
_NUMBERS = {
    **dict.fromkeys(("NiceAbove", "NiceBelow", "NiceEquals"), (-30, -20, -5, 0, 4, 19, 30)),
    **dict.fromkeys(("UIDEquals", "GIDEquals"), (0, 1000, 2**32 - 1)),
    **dict.fromkeys(("PIDEquals", "TGIDEquals", "PPIDEquals"), (10, 11, 12)),
    **dict.fromkeys(("NSEquals", "NumaNode", "HintEquals"), (0, 1)),
}
_COMMS = ("CommPrefix", "CommPrefixExclude", "PcommPrefix", "PcommPrefixExclude")
_FLAGS = ("IsGroupLeader", "IsKthread", "UsedGpuTid", "UsedGpuPid")
_COMMON = (*_TEXTS, *_COMMS, *("NiceAbove", "NiceBelow", "NiceEquals", "UIDEquals", "GIDEquals"))


@dataclass(frozen=True)
class Task:
    """A task as scx_layered sees it."""

    comm: str
    process: str
    cgroup: str
    nice: int
    uid: int
    gid: int
    pid: int
    tgid: int
    ppid: int
    kthread: bool
    gpu_thread: bool
    gpu_process: bool
    state: int
    """The other facts that decide a match: a namespace, a node, a hint."""


def layer_of(layers: Sequence[dict[str, Any]], task: Task) -> int | None:
    """Returns the index of the first layer that takes a task, or None."""
    for index, layer in enumerate(layers):
        for block in layer["matches"]:
            if all(_TESTS[kind](task, match[kind]) for match in block for kind in match):
                return index
    return None


def _path(task: Task) -> str:
    return f"{task.cgroup[1:]}/"


def _is_found(task: Task, pattern: str) -> bool:
    return re.search(pattern, "/sys/fs/cgroup" + task.cgroup.removesuffix("/")) is not None


_TESTS: dict[str, Callable[[Task, Any], bool]] = {
    "CgroupPrefix": lambda task, value: _path(task).startswith(value),
    "CgroupSuffix": lambda task, value: _path(task).endswith(value),
    "CgroupContains": lambda task, value: value in _path(task),
    "CgroupRegex": _is_found,
    "CommPrefix": lambda task, value: task.comm.startswith(value),
    "CommPrefixExclude": lambda task, value: not task.comm.startswith(value),
    "PcommPrefix": lambda task, value: task.process.startswith(value),
    "PcommPrefixExclude": lambda task, value: not task.process.startswith(value),
    "NiceAbove": lambda task, value: task.nice > value,
    "NiceBelow": lambda task, value: task.nice < value,
    "NiceEquals": lambda task, value: task.nice == value,
    "UIDEquals": lambda task, value: task.uid == value,
    "GIDEquals": lambda task, value: task.gid == value,
    "PIDEquals": lambda task, value: task.pid == value,
    "TGIDEquals": lambda task, value: task.tgid == value,
    "PPIDEquals": lambda task, value: task.ppid == value,
    "IsGroupLeader": lambda task, value: (task.pid == task.tgid) == value,
    "IsKthread": lambda task, _: task.kthread,  # whatever the value is
    "UsedGpuTid": lambda task, value: task.gpu_thread == value,
    "UsedGpuPid": lambda task, value: task.gpu_process == value,
    "NSEquals": lambda task, value: task.state == value,
    "NumaNode": lambda task, value: task.state == value,
    "HintEquals": lambda task, value: task.state == value,
}


def random_layers(choice: random.Random) -> list[dict[str, Any]]:
    """Returns layers, the last of which mostly takes all tasks."""
    layers = [
        {
            "name": f"layer {index}",
            "matches": [
                [_match(choice) for _ in range(choice.choice((1, 1, 2, 3)))]
                for _ in range(choice.randint(1, 4))
            ],
            "kind": {"Open": {"preempt": choice.random() < 0.3}},
        }
        for index in range(choice.randint(1, 5))
    ]
    if choice.random() < 0.8:
        layers.append({"name": "rest", "matches": [[]], "kind": {"Open": {"weight": 50}}})
    return layers


def _match(choice: random.Random) -> dict[str, Any]:
    kind = choice.choice((*_COMMON, *_COMMON, *_NUMBERS, *_FLAGS))
    if kind in _TEXTS:
        return {kind: choice.choice(_TEXTS[kind])}
    if kind in _COMMS:
        return {kind: choice.choice(_WORDS)}
    if kind in _FLAGS:
        return {kind: choice.random() < 0.6}
    return {kind: choice.choice(_NUMBERS[kind])}


def random_tasks(choice: random.Random, count: int) -> list[Task]:
    """Returns tasks, many of which the random layers tell apart."""
    return [_task(choice) for _ in range(count)]


def _task(choice: random.Random) -> Task:
    kthread = choice.random() < 0.1
    leader = choice.random() < 0.5
    tgid = choice.choice((10, 11, 12, 13))
    process = choice.choice(_NAMES)
    gpu_thread = choice.random() < 0.3
    return Task(
        comm=process if leader else choice.choice(_NAMES),
        process=process,
        cgroup=choice.choice(_PATHS),
        nice=choice.randint(-20, 19),
        uid=choice.choice((0, 1000)),
        gid=choice.choice((0, 1000)),
        pid=tgid if leader else choice.choice((14, 15)),
        tgid=tgid,
        ppid=choice.choice((10, 12, 20)),
        kthread=kthread,
        gpu_thread=gpu_thread,
        gpu_process=gpu_thread or choice.random() < 0.2,
        state=choice.choice((0, 1, 2)),
    )
