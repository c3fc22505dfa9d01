# SPDX-License-Identifier: Apache-2.0
"""Options of the test runs."""

from __future__ import annotations

import re
import signal

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling, Scheduling

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
    # For tests/vm/test_random_policies.py.
    parser.addoption("--policies", type=int, default=50, help="how many random policies")
    parser.addoption("--first-seed", type=int, default=0, help="the first one's number")
    # For tests/vm/test_kills.py.
    parser.addoption("--kills", type=int, default=40, help="how many commands are killed")
    # For tests/vm/test_verify.py.
    parser.addoption(
        "--library", action="store_true", help="every policy that is shipped, not upf alone"
    )


# The files whose guests take longest. Workers begin with these, so that they end together.
_LONGEST = (
    "test_random_policies", "test_verify", "test_manual", "test_systemd", "test_classes",
    "test_faults", "test_storms", "test_invariants", "test_bench", "test_trace", "test_operations",
    "test_kills", "test_user_plane_traced", "test_examples",
)  # fmt: skip

# Their tests have no guest in common.
_OWN_GUESTS = ("test_verify.py", "test_shipped.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    turns = {name: turn for turn, name in enumerate(_LONGEST)}
    items.sort(key=lambda item: turns.get(item.path.stem, len(turns)))


class _ByGuest(LoadScopeScheduling):
    """Sends tests of one guest to one worker, so that the guest boots once.

    That is those of a file, or where guests of several kernels are looked at, of a kernel. The
    groups of `--dist loadgroup` would say it, but have no effect with pytest 9.2 (pytest-xdist's
    issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, case = nodeid.partition("::")
        if file.endswith(_OWN_GUESTS):
            return nodeid
        kernel = re.search(r"\[.*?\b(\d+\.\d+)\b", case)
        return f"{file} {kernel[1] if kernel else ''}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    return _ByGuest(config, log) if config.getvalue("dist") == "loadscope" else None
