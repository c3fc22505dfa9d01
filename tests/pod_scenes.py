# SPDX-License-Identifier: Apache-2.0
"""Three pods on two CPUs, with the cgroups that the kubelet makes, under several schedulers.

    python tests/pod_scenes.py [KERNEL]

prints what each pod gets under `cgroups on`, EEVDF and the peers that are built. Each pod has six
threads that always compute.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import group_guests
from gthulhu_lab import subjects, vm
from gthulhu_lab.measure import Subject
from gthulhu_lab.peers import PEERS

POLICY = Path(__file__).parent / "vm" / "policies" / "limits.gpl"
CPUS = 2
PODS = {
    "guaranteed": "kubepods-pod1.slice",
    "burstable": "kubepods-burstable.slice/kubepods-burstable-pod2.slice",
    "best-effort": "kubepods-besteffort.slice/kubepods-besteffort-pod3.slice",
}
"""A guaranteed pod with 1 CPU, one with a request of 0.5 and a limit of 1 CPU, and one without."""

_FUNCTION = """
K=/sys/fs/cgroup/kubepods.slice
# pod PATH WEIGHT MAX: with a container, which has the same settings
pod() {
    make_group $K/$1 $2
    echo "$3" >$K/$1/cpu.max
    make_group $K/$1/cri-containerd-1.scope $2
    echo "$3" >$K/$1/cri-containerd-1.scope/cpu.max
}
# Weights are those of runc 1.3.1 and before: 39 for a CPU, 20 for half of one, and 1 for nothing.
make_group $K 79
pod kubepods-pod1.slice 39 "100000 100000"
make_group $K/kubepods-burstable.slice 20
pod kubepods-burstable.slice/kubepods-burstable-pod2.slice 20 "100000 100000"
make_group $K/kubepods-besteffort.slice 1
pod kubepods-besteffort.slice/kubepods-besteffort-pod3.slice 1 max
# pods NAME: what each uses, in $RESULTS/pods-NAME
pods() {
    for path in PATHS; do
        in_group $K/$path/cri-containerd-1.scope crowd hog 6 6000
        jobs="$jobs $!"
    done
    usage 2000 3000 $RESULTS/pods-$1 FOLDERS
    wait $jobs; jobs=
}
"""
FUNCTION = _FUNCTION.replace("PATHS", " ".join(PODS.values())).replace(
    "FOLDERS", " ".join(f"$K/{path}" for path in PODS.values())
)

Uses = Mapping[str, Mapping[str, float]]
"""The CPUs that each pod gets, under each scheduler."""


_LAYERS = json.dumps(
    [
        {
            "name": name,
            "comment": "a pod",
            "matches": [[{"CgroupPrefix": f"kubepods.slice/{path}"}] if path else []],
            "kind": {"Grouped": {"util_range": [0.5, 0.9], "weight": weight}},
        }
        for name, path, weight in (
            *zip(PODS, PODS.values(), (3900, 2000, 100), strict=True),
            ("rest", "", 100),
        )
    ]
).encode()
"""The pods as layers of scx_layered, with the weights of their cgroups."""


def measure(kernel: str, subject: Subject) -> Uses:
    """Boots a guest in which the pods compute under a scheduler and EEVDF."""
    request = group_guests.request(subject, kernel, FUNCTION, "pods ours", then=["pods eevdf"])
    return uses_of(vm.run(replace(request, cpus=CPUS)).check().files)


def _peers() -> Iterator[Subject]:
    """Those that are built; scx_layered has a layer for each pod."""
    for peer in PEERS.values():
        if peer.is_there:
            yield replace(peer, files=dict.fromkeys(peer.files, _LAYERS)).subject()


def uses_of(files: Mapping[str, bytes]) -> Uses:
    """Reads what `pods ours` and `pods eevdf` have written."""
    uses = {}
    for name in ("ours", "eevdf"):
        length_us, *used_us = map(int, files[f"pods-{name}"].split())
        uses[name] = {pod: us / length_us for pod, us in zip(PODS, used_us, strict=True)}
    return uses


def main() -> None:
    """The command."""
    (kernel,) = sys.argv[1:] or ("7.2",)
    for subject in (subjects.compiled("limits", POLICY), *_peers()):
        uses = measure(kernel, subject)
        for name, pods in ((subject.name, uses["ours"]), ("EEVDF in that guest", uses["eevdf"])):
            print(name, {pod: round(cpus, 3) for pod, cpus in pods.items()}, flush=True)


if __name__ == "__main__":
    main()
