# SPDX-License-Identifier: Apache-2.0
"""How much of what could be tested is tested."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Extent:
    """How much of each long test runs: the share of `make test`, or all of it in `make soak`."""

    policies: int  # random ones
    kills: int
    is_soak: bool
