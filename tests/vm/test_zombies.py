# SPDX-License-Identifier: Apache-2.0
"""A zombie whose cgroup has been removed keeps no policy from being loaded.

Up to 6.18 the kernel introduces zombies to a scheduler, too, and keeps nothing for their cgroup.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import guest_loader
from gthulhu_lab import vm

pytestmark = pytest.mark.vm

ROOT = Path(__file__).parents[2]
SCRIPT = """
grep -q cgroup2 /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup
mkdir /sys/fs/cgroup/gone
# The one that waits for nobody is the parent of the other.
sh -c '(echo 0 >/sys/fs/cgroup/gone/cgroup.procs; exec sleep 0.1) & exec sleep 1000' &
usleep 500000
rmdir /sys/fs/cgroup/gone || exit 1
grep -h '^State' /proc/[0-9]*/status >$RESULTS/states
start loader upf.bpf.o
await_line loader enabled
kill -TERM $LOADER
finish loader
"""


@pytest.mark.parametrize("kernel", ["6.16", "6.18", "7.0", "7.2"])
def test_a_policy_that_asks_for_cgroups_is_loaded(kernel: str, tmp_path: Path) -> None:
    target = tmp_path / "upf.bpf.o"
    subprocess.run(["gthulhuc", ROOT / "policies" / "upf.gpl", "-o", target], check=True)
    guest = vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{SCRIPT}",
            kernel=kernel,
            cpus=2,
            clock=vm.Clock.TCG_TURNS,
            files={
                **guest_loader.FILES,
                "upf.bpf.o": target,
            },
            deadline_s=200,
        )
    ).check()
    assert b"zombie" in guest.files["states"]
    assert guest.files["loader.err"] == b""
    assert guest.files["loader.status"] == b"0\n"
