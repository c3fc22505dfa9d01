# SPDX-License-Identifier: Apache-2.0
"""Runs policies in a guest under storms of events: all that can happen to tasks."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from gthulhu_lab import tools, vm, workloads
from gthulhu_lab.request import Clock
from scenes import CPUS, FOLDER, ROOT

WEATHER = {
    "storm": (1500, "storm {ms} affinity,rename,cgroup,cpuset,nice,fork,exec,stop {words}"),
    "realtime": (1000, "storm {ms} realtime,affinity,rename,fork {words}"),
    "stress": (20_000, "stress {s}"),
    "hotplug": (1000, "storm {ms} hotplug,affinity,fork {words}"),
    "after": (100, "storm {ms} fork {words}"),
}
"""For each part of the weather its length in ms, and its command."""
_HOTPLUG = r'" disabled \(unregistered from the main kernel\)'
_PASSWD = b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n"


def run(
    objects: Mapping[str, Path],
    policies: Mapping[str, Path],
    kernel: str,
    *,
    weather: Mapping[str, Collection[str]],
    share: float = 1,
    provokes: tuple[str, ...] = (),
) -> vm.GuestResult:
    """Runs objects, by name, through their weather; `policies` are their sources.

    Each part lasts for a `share` of its length.
    """
    files: dict[str, Path | str | bytes] = {
        **workloads.build(),
        **tools.files("stress-ng"),
        "/etc/passwd": _PASSWD,
        "bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader",
        "storm.sh": FOLDER / "storm.sh",
        **{f"{name}.bpf.o": path for name, path in objects.items()},
    }
    script = [". $LAB/storm.sh", "prepare", "sleep 3"]
    for name in objects:
        names, cgroups = vocabulary(policies[name].read_text())
        words = f"{','.join(names)} {','.join(cgroups)}"
        script.append(f"begin {name} {','.join(cgroups)}")
        for part in weather[name]:
            length_ms, command = WEATHER[part]
            ms = round(length_ms * share)
            script.append(f"part {name}-{part} {command.format(ms=ms, s=ms // 1000, words=words)}")
        script.append("finish")
    request = vm.GuestRequest(
        # The loader of an ejected policy fails; that is a result.
        script="\n".join([*script, "true"]),
        kernel=kernel,
        files=files,
        cpus=CPUS,
        # On the deterministic clock a second takes three where all CPUs are busy.
        clock=Clock.TCG_TURNS,
        deadline_s=2400,
        allow_splats=(_HOTPLUG, *provokes),
    )
    return vm.run(request).check()


def vocabulary(policy: str) -> tuple[list[str], list[str]]:
    """Names and folders of cgroups that mean something to a policy, and some that do not."""
    words = re.findall(r'"([\w./@:-]+)"', policy)
    paths = {word for word in words if word.startswith("/")}
    # Not below a slice, which would have to hand the controllers on.
    paths |= {f"/{word}" for word in words if word.endswith((".service", ".scope"))}
    names = {word for word in words if "/" not in word} | {"nobody"}
    return sorted(names), [f"/sys/fs/cgroup{path}" for path in sorted({*paths, "/other.slice"})]


def violations(guest: vm.GuestResult, name: str, weather: Collection[str]) -> list[str]:
    """Returns violations of the promises that no task is lost and the scheduler stays."""
    found = []
    for part in weather:
        end = guest.files[f"{name}-{part}.end"].decode().strip()
        if end != "0 enabled":
            output = guest.files[f"{name}-{part}.out"].decode().strip()
            found.append(f"{part} ended with {end}: {output[-500:]}")
    loader = guest.files[f"{name}.loader"].decode()
    return [*found, *re.findall(r"^gthulhu-loader: .*", loader, re.MULTILINE)]
