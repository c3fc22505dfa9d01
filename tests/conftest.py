# SPDX-License-Identifier: Apache-2.0
"""Options of the test runs."""

from __future__ import annotations

import re
import signal

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says how loaded the machine is, not whether the code is right.
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
    parser.addoption("--policies", type=int, default=100, help="how many random policies")
    parser.addoption("--first-seed", type=int, default=0, help="the first one's number")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look at one guest go to one worker, so that it is booted once.

    That is those of a file, or where guests of several kernels are looked at, of a kernel.
    """
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("vm"):
            case = item.callspec.id if hasattr(item, "callspec") else ""
            kernel = re.search(r"\b\d+\.\d+\b", case)
            group = f"{item.path.stem}-{kernel[0] if kernel else ''}"
            item.add_marker(pytest.mark.xdist_group(group))
