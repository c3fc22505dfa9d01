# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A record in which a task waits for others, in known proportions."""

from __future__ import annotations

from pathlib import Path

import gtr
from gthulhu.record import events as ev

MS, US = 1_000_000, 1_000
AT = gtr.BEGIN_NS
ROUNDS = 200
HOGS = (8, 9, 10)


def waiting(
    path: Path,
    server: bytes = b"server",
    batch: bytes = b"batch",
    *,
    cgroups: tuple[bytes, bytes] = (b"/", b"/"),
    is_outside: bool = False,
) -> Path:
    """A record in which a task waits 1 ms for another one, each time that it is woken."""
    source = (ev.Context.HARDIRQ, 11) if is_outside else (0, 0)
    rows = [
        gtr.cgroup(AT - 4, 1, cgroups[0]),
        gtr.cgroup(AT - 3, 2, cgroups[1]),
        gtr.task(AT - 2, 7, server, cgroup=1),
        *(gtr.task(AT - 1, number, batch, cgroup=2) for number in HOGS),
        gtr.switch(AT + 1, 0, HOGS[-1]),
    ]
    for number in range(ROUNDS):
        at_ns = AT + 10 + number * 3 * MS
        hog, last = HOGS[number % len(HOGS)], HOGS[number % len(HOGS) - 1]
        rows += [
            gtr.switch(at_ns, last, hog),
            gtr.waking(at_ns + MS, 7, hog, *source),
            gtr.switch(at_ns + 2 * MS, hog, 7),
            gtr.switch(at_ns + 2 * MS + 50 * US, 7, hog, gtr.SLEEPS, 232),
        ]
    blocks = [gtr.round_at(AT), gtr.events(0, rows), gtr.round_at(AT + ROUNDS * 3 * MS + MS)]
    return gtr.write(path, blocks)
