# SPDX-License-Identifier: Apache-2.0
"""Options of the test runs."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew",
        action="store_true",
        help="write what the compiler says now into tests/cases, instead of comparing with it",
    )
