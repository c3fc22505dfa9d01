# SPDX-License-Identifier: Apache-2.0
"""The instructions of each callback in a guest and in a simulation, side by side.

    python tests/simulated_instructions.py

prints the table of docs/simulation.md. The guest has one CPU, on the clock that counts
instructions, and the kernel measures each BPF program. The model has the costs of such a guest.
Neither figure has the way into the program and back, which the kernel does not measure.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import group_guests
import guest_programs
from gthulhu_lab import subjects, vm
from gthulhu_lab.simulation import play
from library import policy_of
from simulated_scenes import as_load, guest_costs, guest_machine

ROOT = Path(__file__).parents[1]
RULE = 'rule quick { match comm == "quick" priority high preempt }\n'
CALLBACKS = ("select_cpu", "enqueue", "runnable", "dispatch", "running", "stopping", "quiescent")
KERNEL = "7.2"
_NS_PER_INSTRUCTION = 2
_TRIPS = 500
_MEASUREMENT = 71
"""The instructions of the kernel's measurement that it measures, counted in each callback."""
_NAME_BYTES = 15
"""The kernel cuts the name of a BPF program here."""

_SCRIPT = """
echo 1 >/proc/sys/kernel/bpf_stats_enabled
{load}
sleep 0.2
program-times >$RESULTS/before
{work}
program-times >$RESULTS/after
echo 0 >/proc/sys/kernel/bpf_stats_enabled
{more}
"""
_GROUPS = "/sys/fs/cgroup"


@dataclass(frozen=True)
class Scene:
    """A policy, the `expect` block to simulate, and the commands of a guest that do the same.

    `more`: commands that go on while the kernel does not measure. `has_controller`: cgroups have
    the cpu controller.
    """

    name: str
    policy: str
    block: str
    load: str
    work: str
    more: str = ""
    has_controller: bool = False


def _rules_of(name: str) -> str:
    """A shipped policy without its claims."""
    text = (ROOT / "policies" / f"{name}.gpl").read_text(encoding="utf-8")
    return text.partition("expect ")[0]


_EMPTY = "policy measured {}\n"
_WEIGHTS = """policy measured { cgroups weight }
rule service { match comm == "rpc" priority high preempt }
rule batch { match cgroup under "/batch" priority low slice 4ms }
rule editor { match comm == "editor" and uid == 1000 cpus 0 }
"""
_PIPE = f"pipe 0 0 500 20 {_TRIPS} $RESULTS/trip"
SCENES = (
    Scene(
        "pipe", _EMPTY, "expect pipe as quick { share(quick) >= 1% }", "", _PIPE, _PIPE,
    ),
    Scene(
        "a wake-up that interrupts", _EMPTY + RULE,
        "expect waker as quick under hogs 2x { share(quick) >= 1% }", "crowd hog 2 2000 &",
        "crowd quick 1 1500 20 2000 & wait $!",
    ),
    Scene(
        "rpc, cgroups with weights", _WEIGHTS,
        "expect rpc as service under hogs 2x as batch { share(service) >= 1% }",
        f"make_group {_GROUPS}/batch 100\nin_group {_GROUPS}/batch crowd hog 2 2500",
        "rpc unix 1 2000 100 0 1 $RESULTS & wait $!", has_controller=True,
    ),
    Scene(
        "upf.gpl, a wake-up that interrupts", _rules_of("upf"),
        "expect waker as ran under hogs 2x as builders { share(ran) >= 1% }",
        f"mkdir {_GROUPS}/ci.slice\nin_group {_GROUPS}/ci.slice crowd hog 2 2000",
        "crowd ping 1 1500 20 2000 & wait $!",
    ),
)  # fmt: skip


def in_guest(scene: Scene) -> dict[str, float]:
    """The mean instructions of each callback, and of a round trip if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder, "measured.gpl")
        policy.write_text(scene.policy)
        request = group_guests.request(
            subjects.compiled("measured", policy), KERNEL,
            _SCRIPT.format(load=scene.load, work=scene.work, more=scene.more),
            has_controller=scene.has_controller,
        )  # fmt: skip
        programs = guest_programs.build(Path(folder), "program-times")
        files = vm.run(replace(request, cpus=1, files={**request.files, **programs})).check().files
    before, after = (_times(files[name]) for name in ("before", "after"))
    found = {}
    for name, (runs, ns) in after.items():
        runs_before, ns_before = before.get(name, (0, 0))
        if runs > runs_before:
            mean_ns = (ns - ns_before) / (runs - runs_before)
            found[name] = mean_ns / _NS_PER_INSTRUCTION - _MEASUREMENT
    if "trip" in files:
        trip_ns = statistics.median(map(int, files["trip"].split()))
        found["trip"] = trip_ns / _TRIPS / _NS_PER_INSTRUCTION
    return found


def _times(output: bytes) -> dict[str, tuple[int, int]]:
    rows = [line.split() for line in output.decode().splitlines()]
    return {row[0]: (int(row[1]), int(row[2])) for row in rows if len(row) == 3}


def simulated(scene: Scene) -> dict[str, float]:
    """The same, of the model. A round trip is two switches."""
    place = guest_machine(1)
    # A policy without rules sees the same tasks.
    rules = scene.policy if "rule" in scene.policy else scene.policy + RULE
    wanted = as_load(rules + scene.block, 1)
    player = play.Player()
    scheduler = player.policy(policy_of(scene.policy), place)
    figures = player.run(scheduler, play.scenario(wanted, place, seed=1, seconds=2))
    assert figures.spent
    calls = figures.spent.calls.items()
    return {
        **{program_of(name): _mean(operation) for name, operation in calls},
        "trip": 2 * figures.window_ns / figures.switches / _NS_PER_INSTRUCTION,
    }


def program_of(callback: str) -> str:
    """Returns the name of a callback's BPF program, as the kernel has it."""
    return f"gthulhu_{callback}"[:_NAME_BYTES]


def _mean(operation: play.Operation) -> float:
    mean_ns = operation.path_ns / operation.number - guest_costs()["callback"]
    return mean_ns / _NS_PER_INSTRUCTION


def rows(
    scene: Scene, guest: Mapping[str, float], model: Mapping[str, float]
) -> Iterator[Sequence[str]]:
    """Yields a row for each callback: the guest's and the model's instructions, and the ratio."""
    names = {each: program_of(each) for each in CALLBACKS}
    for what, name in {**names, "a round trip": "trip"}.items():
        if name in guest and name in model:
            ratio = model[name] / guest[name]
            yield scene.name, what, f"{guest[name]:,.0f}", f"{model[name]:,.0f}", f"{ratio:.2f}"


def main() -> None:
    """Print the table."""
    print("| scene | operation | guest | model | ratio |\n| -- | -- | -: | -: | -: |")
    for scene in SCENES:
        for row in rows(scene, in_guest(scene), simulated(scene)):
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
