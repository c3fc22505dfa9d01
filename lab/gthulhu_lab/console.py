# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Finds kernel messages that fail a run, whatever its exit status."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_PREFIX = re.compile(r"^(?:<\d+>)?\s*(?:\[\s*\d+\.\d+\]\s*(?:\[\s*[TC]\d+\]\s*)?)?")

# Matched at the start of a message: "Spectre V2 : WARNING: …" is advice, not a splat.
_AT_START = re.compile(
    r"""
      WARNING:\s
    | BUG:\s
    | INFO:\ (?:task\ .*\ blocked\ for|rcu.*\ (?:detected|self-detected)|possible\ recursive)
    | rcu:\ INFO:\ .*(?:detected|self-detected)
    | watchdog:\ .*(?:lockup|LOCKUP)
    | (?:NMI\ )?watchdog:\ Watchdog\ detected\ hard
    | UBSAN:
    | Kernel\ panic
    | general\ protection\ fault
    """,
    re.VERBOSE,
)
_ANYWHERE = re.compile(r"\bOops\b|\bunable to handle (?:kernel|page fault)|\bdouble fault\b")
_EJECTED = re.compile(r"sched_ext: .*\bdisabled \((?!unregistered from user space\))")


# The kernel then stops its CPUs one by one while tasks still run. It warns about a task that wakes
# up on a stopped CPU, under any scheduler.
_SWITCHED_OFF = "reboot: Power down"


def while_it_ran(console: str) -> str:
    """The part of a guest's console before it was switched off."""
    return console.partition(_SWITCHED_OFF)[0]


def find_splats(log: str, allowed: Sequence[str] = ()) -> list[str]:
    """Messages of a kernel log that fail a run, without time stamps, each once.

    `allowed` are regular expressions for those that a test provokes on purpose.
    """
    expressions = [re.compile(expression) for expression in allowed]
    found: dict[str, None] = {}
    for message in _messages(log.splitlines()):
        if not _is_splat(message):
            continue
        if not any(expression.search(message) for expression in expressions):
            found[message] = None
    return list(found)


def _messages(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        yield _PREFIX.sub("", line.strip("\r\n"), count=1).strip()


def _is_splat(message: str) -> bool:
    return bool(_AT_START.match(message) or _ANYWHERE.search(message) or _EJECTED.search(message))
