# SPDX-License-Identifier: Apache-2.0
"""The guests of these tests, and of the commands that they call, are kept (tests/guests.py)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import guests
from gthulhu_lab import vm

# They test the lab itself.
_BOOT_EACH_TIME = {"test_lab", "test_guests"}


@pytest.fixture(autouse=True, scope="module")
def _kept_guests(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.module.__name__ not in _BOOT_EACH_TIME:
            guests.forget_old()
            patch.setattr(vm, "run", guests.run)
        yield
