# SPDX-License-Identifier: Apache-2.0
"""Runs random policies in guests: each is loaded, survives a short storm, and is unloaded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import storms
from generator import draw, name
from gthulhu_lab import vm, workloads
from gthulhu_lab.console import find_splats
from gthulhuc import codegen, plan
from scenes import FOLDER, ROOT
from vocabulary import MACHINE

PER_GUEST = 50  # a boot takes as long as two of them
WEATHER = "storm {ms} affinity,rename,cgroup,nice,fork,exec,stop,realtime {names} {cgroups}"
STORM_MS = 150
_MARK = "weather"  # the text that storm.sh writes to the kernel's log


def build(seeds: Sequence[int], folder: Path) -> None:
    """Generates policies and compiles them into a folder."""
    with ProcessPoolExecutor() as pool:
        list(pool.map(_build, seeds, [folder] * len(seeds), chunksize=4))


def _build(seed: int, folder: Path) -> None:
    text, policy = draw(seed)
    (folder / f"{name(seed)}.gpl").write_text(text)
    c_text = codegen.render(plan.build(policy))
    (folder / f"{name(seed)}.bpf.o").write_bytes(codegen.compile_object(c_text))


def violations(seeds: Sequence[int], folder: Path, kernel: str) -> dict[int, list[str]]:
    """Returns the violations of each policy, by its seed."""
    found: dict[int, list[str]] = {}
    for first in range(0, len(seeds), PER_GUEST):
        part = seeds[first : first + PER_GUEST]
        guest = _run([name(seed) for seed in part], folder, kernel)
        found |= {seed: said for seed in part if (said := _said(guest, name(seed)))}
        unfinished = [seed for seed in part if f"{name(seed)}-storm.end" not in guest.files]
        if unfinished:
            found[unfinished[0]].append(guest.explain())
    return found


def _run(policies: Sequence[str], folder: Path, kernel: str) -> vm.GuestResult:
    paths = [path.decode() for path in MACHINE.paths]
    cgroups = ",".join(f"/sys/fs/cgroup{path}".rstrip("/") for path in paths)
    names = b",".join(MACHINE.names).decode()
    weather = WEATHER.format(ms=STORM_MS, names=names, cgroups=cgroups)
    script = [". $LAB/storm.sh"]
    for policy in policies:
        script += [f"begin {policy} {cgroups}", f"part {policy}-storm {weather}", "finish"]
    passwd = "".join(f"{user}:x:{uid}:{uid}::/:/bin/sh\n" for user, uid in MACHINE.users.items())
    groups = "".join(f"{group}:x:{gid}:\n" for group, gid in MACHINE.groups.items())
    request = vm.GuestRequest(
        script="\n".join([*script, "true"]),
        kernel=kernel,
        files={
            **workloads.build(),
            "bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader",
            "storm.sh": FOLDER / "storm.sh",
            "/etc/passwd": passwd.encode(),
            "/etc/group": groups.encode(),
            **{f"{policy}.bpf.o": folder / f"{policy}.bpf.o" for policy in policies},
        },
        cpus=MACHINE.cpus,
        nodes=2,
        deadline_s=60 + 40 * len(policies),
    )
    return vm.run(request)


def _said(guest: vm.GuestResult, policy: str) -> list[str]:
    splats = find_splats(_own_lines(guest.dmesg or guest.console, policy))
    if f"{policy}-storm.end" not in guest.files:
        return [*splats, "the guest did not come to its end"]
    return [*splats, *storms.violations(guest, policy, ["storm"])]


def _own_lines(log: str, policy: str) -> str:
    """Kernel messages from a policy's turn until the next one's."""
    found = re.search(rf"{_MARK} {policy}-storm\n(.*?)(?:{_MARK} |\Z)", log, re.DOTALL)
    return found[1] if found else ""
