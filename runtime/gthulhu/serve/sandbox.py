# SPDX-License-Identifier: Apache-2.0
"""Takes from this process, and from all that it starts, what compiling does not need.

Limits on time, memory and files; no new privileges; and, from Linux 5.13 on, Landlock:
it may read programs and libraries, write to one folder, and reach no network.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CPU_S = 30
MEMORY = 2 << 30
"""Bytes of address space, of each process."""
_FILE = 64 << 20
_FILES = 256

_PR_SET_NO_NEW_PRIVS = 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_EXECUTE, _WRITE, _READ, _READ_DIR, _TRUNCATE = 1, 2, 4, 8, 1 << 14
_MAKE_AND_REMOVE = sum(1 << bit for bit in (4, 5, 6, 7, 8, 9, 10, 11, 12))
_REFER = 1 << 13
_BASIC = _EXECUTE | _WRITE | _READ | _READ_DIR | _MAKE_AND_REMOVE
_NETWORK = 0b11  # bind and connect of TCP, from version 4 on
_SCOPES = 0b11  # abstract sockets and signals, from version 6 on
_ON_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE

_libc = ctypes.CDLL(None, use_errno=True)


def enter(readable: Iterable[str], writable: str) -> bool:
    """Restricts this process for good; returns whether Landlock restricts it, too.

    Raises OSError.
    """
    for which, most in (
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, _FILE),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        # The limit of an administrator may be lower.
        hard = resource.getrlimit(which)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (limit, limit))
    _call("prctl", _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    return _landlock(readable, writable)


def _landlock(readable: Iterable[str], writable: str) -> bool:
    version = _libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    files = _BASIC | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    network = _NETWORK if version >= 4 else 0
    scopes = _SCOPES if version >= 6 else 0
    attributes = struct.pack("QQQ", files, network, scopes)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = _call("landlock", _libc.syscall(_CREATE_RULESET, attributes, size, 0))
    try:
        for path in readable:
            _allow(rules, path, _EXECUTE | _READ | _READ_DIR)
        _allow(rules, os.devnull, (_READ | _WRITE | _TRUNCATE) & files)
        _allow(rules, writable, files)
        _call("landlock", _libc.syscall(_RESTRICT_SELF, rules, 0))
    finally:
        os.close(rules)
    return True


def _allow(rules: int, path: str, access: int) -> None:
    """Permits access below a path; one that does not exist needs no rule."""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not Path(path).is_dir():
            access &= _ON_FILES
        rule = struct.pack("=Qi", access, handle)
        _call("landlock", _libc.syscall(_ADD_RULE, rules, _RULE_PATH_BENEATH, rule, 0))
    finally:
        os.close(handle)


def _call(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
