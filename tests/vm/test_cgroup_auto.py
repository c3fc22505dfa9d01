# SPDX-License-Identifier: Apache-2.0
"""A policy that says nothing of cgroups: they count as soon as they have the cpu controller."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import group_guests
import mutations
from group_guests import Files, run
from gthulhu.loader import find_loader
from gthulhu_lab import subjects, vm
from gthulhu_lab.measure import policy_subject

pytestmark = pytest.mark.vm

KERNELS = ("6.16", "7.2")
POLICY = "policy silent { watchdog 30s }\ndefault { slice 1ms }\n"
_EVENTS = "cp /run/gthulhu/events $RESULTS/events-{}\n"
# The loader looks every two seconds, and loads the policy beside the one in force.
_COUNT = """
TOP=/sys/fs/cgroup/node
make_group $TOP 100
i=0
until grep -q cgroups-count /run/gthulhu/events || [ $i = 200 ]; do sleep 0.1; i=$((i + 1)); done
sleep 1
make_group $TOP/light 100
make_group $TOP/heavy 900
make_group $TOP/limited 100
echo "20000 100000" >$TOP/limited/cpu.max
for name in light heavy limited; do
    in_group $TOP/$name crowd hog 8 5000
    running="$running $!"
done
usage 1500 2000 $RESULTS/usage $TOP/light $TOP/heavy $TOP/limited
wait $running
remove_groups $TOP
"""
# The controller is still there.
_AGAIN = """
stop_scheduler
rm $RESULTS/enable-ns
start_scheduler
"""


@pytest.fixture(scope="module", params=KERNELS)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a guest whose cgroups get the cpu controller while the policy is in force."""
    policy = tmp_path_factory.mktemp("silent") / "silent.gpl"
    policy.write_text(POLICY)
    scripts = [_EVENTS.format("before"), _COUNT, _EVENTS.format("then"), _AGAIN]
    scripts.append(_EVENTS.format("again"))
    subject = subjects.compiled("silent", Path(policy))
    return run(subject, request.param, *scripts, has_controller=False)


def _events(seen: Files, when: str) -> list[str]:
    return [json.loads(line)["event"] for line in seen[f"events-{when}"].splitlines()]


def test_the_policy_is_loaded_again_when_cgroups_get_the_controller(seen: Files) -> None:
    assert _events(seen, "before") == ["loaded"]
    assert _events(seen, "then") == ["loaded", "cgroups-count"]


def test_weights_and_limits_count_then(seen: Files) -> None:
    length_us, *used_us = map(int, seen["usage"].split())
    shares = [us / length_us for us in used_us]
    assert shares == pytest.approx([0.38, 3.42, 0.2], rel=0.05)


def test_cgroups_that_are_there_count_at_once(seen: Files) -> None:
    assert _events(seen, "again") == [*_events(seen, "then"), "ended", "loaded"]


FAILING = mutations.Mutation(
    "failing-init", "group_events.j2", "\tif (!entry)\n\t\treturn -12;", "\treturn -12;"
)


def test_a_policy_stays_if_the_kernel_refuses_to_count_cgroups(tmp_path: Path) -> None:
    policy = tmp_path / "silent.gpl"
    policy.write_text(POLICY)
    broken = mutations.build(policy, tmp_path / "broken.bpf.o", FAILING)
    made = group_guests.request(
        policy_subject("silent", broken, Path(find_loader({}))),
        KERNELS[-1],
        "make_group /sys/fs/cgroup/node 100",
        "sleep 8",
        "rmdir /sys/fs/cgroup/node",
        _EVENTS.format("then"),
        has_controller=False,
    )
    files = vm.run(replace(made, allow_splats=(r'" disabled \(runtime error\)',))).check().files
    assert _events(files, "then") == ["loaded"]
    assert b"cpu.weight and cpu.max do not count" in files["scheduler.out"]
