# SPDX-License-Identifier: Apache-2.0
"""Records policies under load in a guest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import mutations
from gthulhu_lab import timeline, trace, vm, workloads
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.timeline import Timeline
from mutations import Mutation

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "vm" / "invariants"
CPUS = 4


@dataclass(frozen=True)
class Scene:
    """A policy and the load that tries to break what the policy promises.

    The load is a shell script that is to last for $1 ms; it is recorded from `settle_s` after its
    start on.
    """

    name: str
    policy: Path
    load: str
    seconds: float = 2.0
    settle_s: float = 0.3
    shows_s: float = 0.5  # long enough to expose a broken scheduler
    # The load goes on after that. The shell that ends the recording waits for a CPU like all
    # others, and tasks do not begin all at once: a task that is left alone has more than its share.
    spare_s: float = 1.0
    cpus: int = CPUS


@dataclass(frozen=True)
class Take:
    """A scene to record, with the normal scheduler or a mutant."""

    scene: Scene
    mutation: Mutation | None = None

    @property
    def name(self) -> str:
        return self.mutation.name if self.mutation else self.scene.name


@dataclass(frozen=True)
class Recording:
    """The recording of a take."""

    timeline: Timeline
    state: str  # state of sched_ext at the end of the recording
    loader: str


def record(takes: Iterable[Take], folder: Path, kernel: str) -> dict[str, Recording]:
    """Records takes by name; those with equal numbers of CPUs share a guest."""
    takes = list(takes)
    recordings: dict[str, Recording] = {}
    for cpus in sorted({take.scene.cpus for take in takes}):
        recordings |= _record([take for take in takes if take.scene.cpus == cpus], folder, kernel)
    return recordings


def _record(takes: list[Take], folder: Path, kernel: str) -> dict[str, Recording]:
    files: dict[str, Path | str | bytes] = {
        **workloads.build(),
        "bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader",
        "trace.sh": GUEST_SCRIPTS / "trace.sh",
        "scene.sh": FOLDER / "scene.sh",
    }
    # The kernel is busy for seconds after the boot. Idle time costs nothing here.
    script = [". $LAB/scene.sh", "sleep 3", "trace_prepare 4096"]
    for take in takes:
        scene, name = take.scene, take.name
        files[f"{name}.bpf.o"] = mutations.build(
            scene.policy, folder / f"{name}.bpf.o", take.mutation
        )
        files[f"{name}.sh"] = scene.load.encode()
        seconds = scene.shows_s if take.mutation else scene.seconds
        length_ms = round((scene.settle_s + seconds + scene.spare_s) * 1000)
        script.append(f"scene {name} {length_ms} {scene.settle_s} {seconds}")
    request = vm.GuestRequest(
        script="\n".join(script),
        kernel=kernel,
        files=files,
        cpus=takes[0].scene.cpus,
        deadline_s=1200,
        # Or vmalloc() would clear whole batches of pages with preemption off: some 30 us each, for
        # the byte is an instruction here, and no scheduler has a say until then. Nor has it where
        # khugepaged copies a huge page.
        cmdline="init_on_alloc=0 transparent_hugepage=never",
        # An ejected scheduler is a result; other kernel messages are ignored.
        allow_splats=(r'BPF scheduler "\w+" disabled \(',),
    )
    guest = vm.run(request).check()
    return {take.name: _read(guest, take.name) for take in takes}


def _read(guest: vm.GuestResult, name: str) -> Recording:
    def text(ending: str) -> str:
        return guest.files[f"{name}.{ending}"].decode()

    return Recording(
        timeline.build(trace.parse(text("trace"))),
        text("state").strip(),
        text("loader"),
    )
