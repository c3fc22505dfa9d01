# SPDX-License-Identifier: Apache-2.0
"""The claims of a policy hold while clients keep `gthulhu serve` busy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import guest_loader
import guest_python
import guest_server
import library
from gthulhu_lab import stats, vm, workloads

pytestmark = [pytest.mark.vm, pytest.mark.soak]

PROGRAMS = Path(__file__).parent / "programs"
CLIENTS = 200
PLAIN = "policy plain {}\n"
SCRIPT = """
start loader policy.bpf.o
await_line loader enabled
step drive python busy_server.py $RESULTS waker ping 5000 2000 20 $RESULTS/wakeups
step stop gthulhu stop
"""
CLAIM_NS = 300_000
"""Of `expect waker as ran under hogs 4x` in policies/upf.gpl."""


def wakeups_beside_the_load(folder: Path, policy: str) -> list[int]:
    """The wake-ups of the periodic task `ping` in ns, beside all clients."""
    (folder / "policy.gpl").write_text(policy)
    result = vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{SCRIPT}",
            cpus=4,
            memory_mib=2048,
            files={
                **guest_loader.FILES,
                **guest_loader.objects(folder, folder / "policy.gpl"),
                **workloads.build(),
                "busy_server.py": PROGRAMS / "busy_server.py",
                **guest_server.files(),
            },
            deadline_s=1800,
        )
    ).check()
    assert result.text("drive.err") == ""
    asked = json.loads(result.files["asked"])
    checked = sum(int(result.files[name]) for name in result.files if name.startswith("checked-"))
    print(f"{asked} statuses and {checked} checks")
    assert asked.keys() == {"200"}, asked
    assert asked["200"] > 1.25 * CLIENTS, asked
    assert checked, "no policy was checked"
    return sorted(map(int, result.text("wakeups").split()))


def test_the_claim_of_upf_holds(tmp_path: Path) -> None:
    """Without the policy's rule, it does not."""
    folders = [tmp_path / name for name in ("upf", "plain")]
    for each in folders:
        each.mkdir()
    upf = library.POLICIES["upf"].read_text()
    found = [
        stats.percentile(wakeups_beside_the_load(folder, text), 99)
        for folder, text in zip(folders, (upf, PLAIN), strict=True)
    ]
    print(f"p99 of a wake-up: {found[0] / 1000:.0f} us under upf, {found[1] / 1000:.0f} us without")
    assert found[0] < CLAIM_NS < found[1]
