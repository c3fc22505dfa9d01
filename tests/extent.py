# SPDX-License-Identifier: Apache-2.0
"""How much of what could be tested is tested."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Extent:
    """What `make test` has time for, or all of it: `make soak`."""

    policies: int  # random ones
    kills: int
    is_soak: bool
