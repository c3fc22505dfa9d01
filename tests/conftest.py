# SPDX-License-Identifier: Apache-2.0
"""Options of the test runs."""

from __future__ import annotations

import os
import re
import signal

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling, Scheduling

from extent import Extent

# The time of an example depends on the machine's load, not on the code.
settings.register_profile("load", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("load")

# A shell has what it starts in the background ignore it, and the commands of the tests would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew",
        action="store_true",
        help="write what the compiler says now into tests/cases, instead of comparing with it",
    )
    parser.addoption(
        "--soak",
        action="store_true",
        help="every test on every kernel, long storms, all claims and actions of the library",
    )
    # For tests/vm/test_random_policies.py.
    parser.addoption("--policies", type=int, help="how many random policies")
    parser.addoption("--first-seed", type=int, default=0, help="the first one's number")
    # For tests/vm/test_kills.py.
    parser.addoption("--kills", type=int, help="how many commands are killed")


@pytest.fixture(scope="session")
def extent(pytestconfig: pytest.Config) -> Extent:
    """Returns how much runs: the share of `make test`, or all of it with `--soak`."""
    return Extent.of(pytestconfig)


# Without --soak the kernels that a file's tests run on: each test on one at least, and each kernel
# under a share of the tests. Tests that name no kernel run on the newest.
_KERNELS = {
    "test_agent": {"7.2"},
    "test_blame": {"7.2"},
    "test_cgroup_auto": {"7.2"},
    "test_cgroup_limits": {"7.2"},
    "test_cgroup_weights": {"6.16"},
    "test_classes": {"6.16"},
    "test_cores": {"7.2"},
    "test_counters": {"6.16"},
    "test_failing_forks": {"6.18"},
    "test_fairness": {"7.2"},
    "test_groups": {"7.2"},
    "test_interrupts": {"6.16"},
    "test_invariants": {"7.0"},
    "test_lab": {"6.16", "6.18", "7.0", "7.1", "7.2"},
    "test_labels": {"6.16"},
    "test_loader": {"7.0"},
    "test_operations": {"7.2"},
    "test_programs": {"7.2"},
    "test_random_policies": {"7.2"},
    "test_record": {"7.2"},
    "test_scheduling": {"6.18"},
    "test_shares": {"6.16"},
    "test_trace": {"7.2"},
    "test_tunables": {"6.16"},
    "test_when": {"7.2"},
    "test_zombies": {"6.18", "7.2"},
}
_KERNEL = re.compile(r"\[.*?\b(\d+\.\d+)\b")


def _is_for_soak(item: pytest.Item) -> bool:
    """Tell whether `make test` leaves this test to `make soak`."""
    if item.get_closest_marker("soak"):
        return True
    kernel = _KERNEL.search(item.name)
    kernels = _KERNELS.get(item.path.stem)
    return bool(kernel and kernels and kernel[1] not in kernels)


# The files whose guests take longest. Workers begin with these, so that they end together.
_LONGEST = (
    "test_manual", "test_serve", "test_examples", "test_bench", "test_systemd",
    "test_classes", "test_invariants", "test_workloads", "test_promises", "test_faults",
    "test_storms", "test_verify", "test_operations", "test_kills", "test_user_plane", "test_trace",
    "test_fairness", "test_service", "test_cgroup_limits", "test_cgroup_weights", "test_shares",
    "test_deb", "test_random_policies", "test_labels", "test_when", "test_power",
    "test_user_plane_traced", "test_record", "test_replay",
)  # fmt: skip

# Their tests have no guest in common.
_OWN_GUESTS = ("test_verify.py", "test_shipped.py", "test_limits.py")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    turns = {name: turn for turn, name in enumerate(_LONGEST)}
    items.sort(key=lambda item: turns.get(item.path.stem, len(turns)))
    if not config.getoption("--soak"):
        left_out = [item for item in items if _is_for_soak(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


class _ByGuest(LoadScopeScheduling):
    """Sends tests of one guest to one worker, so that the guest boots once.

    These are the tests of a file, or of a kernel if a file's guests boot several. The groups of
    `--dist loadgroup` would say it, but have no effect with pytest 9.2 (pytest-xdist's issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, case = nodeid.partition("::")
        if file.endswith(_OWN_GUESTS):
            return nodeid
        kernel = _KERNEL.search(case)
        return f"{file} {kernel[1] if kernel else ''}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Returns one more than there are CPUs: a guest waits for a tenth of its time, or sleeps."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    return _ByGuest(config, log) if config.getvalue("dist") == "loadscope" else None
