# SPDX-License-Identifier: Apache-2.0
"""Python's garbage collector, in processes whose requests have thousands of rows."""

from __future__ import annotations

import gc

_OBJECTS = 50_000


def collect_rarely() -> None:
    """Looks for cycles once in 50,000 objects, and never in those that are there already.

    By default, it is once in 700: half of the time that 10,000 rows take to be read and checked.
    """
    gc.freeze()
    gc.set_threshold(_OBJECTS, 20, 50)
