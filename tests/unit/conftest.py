# SPDX-License-Identifier: Apache-2.0
"""Fixtures that several unit tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulation import Machine


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """The model of the kernel without its checks, for runs of seconds."""
    return Machine(tmp_path_factory.mktemp("machine"), fast=True)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the lab."""
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))
    return tmp_path
