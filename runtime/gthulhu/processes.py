# SPDX-License-Identifier: Apache-2.0
"""Reads the facts of a task from /proc, in the terms of the language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gthulhuc.fields import Field
from gthulhuc.reference import Task

PROC = Path("/proc")
_PF_KTHREAD = 0x200000
_PF_FORKNOEXEC = 0x40
_FIRST_FIELD = 3  # of stat, after the name
_PARENT, _FLAGS, _POLICY = 4, 9, 41
_REMOVED = b" (deleted)"
_POLICIES = {1: "SCHED_FIFO", 2: "SCHED_RR", 6: "SCHED_DEADLINE"}


@dataclass(frozen=True, slots=True)
class Process:
    """A task as it is now.

    `is_cgroup_gone`: its cgroup was removed; that happens to tasks that have ended. `apart`: its
    scheduling class, if that is above sched_ext.
    """

    tid: int
    pid: int
    facts: Task
    is_cgroup_gone: bool
    ran_ns: int
    waited_ns: int
    turns: int
    apart: str | None

    @property
    def name(self) -> str:
        return self.facts.comm.decode(errors="replace")


def read(tid: int, proc: Path = PROC) -> Process | None:
    """Reads a task; None: it has ended.

    The names of its parent and ancestors are the current ones, and so are its arguments. Only the
    scheduler knows whether it is interactive, what it has called, and which rules it inherits.
    """
    folder = proc / str(tid)
    try:
        status = _status(folder)
        stat = _stat(folder)
        pid = int(status[b"Tgid"])
        schedstat = _numbers(folder / "schedstat")
        ancestors = _ancestors(int(status[b"PPid"]), proc)
        cgroup = _cgroup(folder)
        kthread = bool(int(stat[_FLAGS - _FIRST_FIELD]) & _PF_KTHREAD)
        facts = Task(
            comm=_comm(folder),
            process=_comm(proc / str(pid)),
            parent=ancestors[0] if ancestors else None,
            ancestors=tuple(dict.fromkeys(ancestors)),
            cgroup=cgroup.removesuffix(_REMOVED),
            exe=_exe(folder),
            cmdline=_cmdline(_executed(proc / str(pid), proc)),
            labels_known=False,
            numbers={
                Field.UID: int(status[b"Uid"].split()[1]),
                Field.GID: int(status[b"Gid"].split()[1]),
                **{f: int(stat[f.row.stat - _FIRST_FIELD]) for f in Field if f.row.stat},
            },
            kthread=kthread,
            calls=frozenset() if kthread else None,
            leader=tid == pid,
        )
    except (FileNotFoundError, ProcessLookupError):
        return None
    ran_ns, waited_ns, turns = schedstat
    apart = _POLICIES.get(int(stat[_POLICY - _FIRST_FIELD]))
    is_gone = cgroup.endswith(_REMOVED)
    return Process(tid, pid, facts, is_gone, ran_ns, waited_ns, turns, apart)


def all_processes(proc: Path = PROC) -> Iterator[Process]:
    """Yields the main thread of each process, except those that may not be read."""
    for folder in proc.iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            process = read(int(folder.name), proc)
        except PermissionError:
            continue
        if process is not None:
            yield process


def _stat(folder: Path) -> list[bytes]:
    """The fields of stat after the name."""
    return (folder / "stat").read_bytes().rpartition(b")")[2].split()


def _status(folder: Path) -> dict[bytes, bytes]:
    lines = (folder / "status").read_bytes().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(b":") for line in lines)}


def _numbers(path: Path) -> tuple[int, int, int]:
    """Run time and wait time in ns, and turns; zeros if the kernel does not count them."""
    try:
        ran_ns, waited_ns, turns = map(int, path.read_bytes().split())
    except FileNotFoundError:
        return 0, 0, 0
    return ran_ns, waited_ns, turns


def _comm(folder: Path) -> bytes:
    return (folder / "comm").read_bytes().removesuffix(b"\n")


def _cgroup(folder: Path) -> bytes:
    for line in (folder / "cgroup").read_bytes().splitlines():
        if line.startswith(b"0::"):
            return line[3:]
    return b"/"


def _exe(folder: Path) -> bytes | None:
    """The path of its program's file, even if the file was replaced since; None if unknown."""
    try:
        return bytes((folder / "exe").readlink()).removesuffix(_REMOVED)
    except (
        FileNotFoundError,
        ProcessLookupError,
        PermissionError,
    ):  # it has none, or we may not see it
        return None


def _executed(folder: Path, proc: Path) -> Path:
    """The process that executed the program: this one, or the ancestor that it was forked from."""
    stat = _stat(folder)
    parent = proc / stat[_PARENT - _FIRST_FIELD].decode()
    is_forked = int(stat[_FLAGS - _FIRST_FIELD]) & _PF_FORKNOEXEC and _exe(folder) is not None
    if not is_forked or _exe(parent) != _exe(folder):
        return folder
    return _executed(parent, proc)


def _cmdline(folder: Path) -> tuple[bytes, ...]:
    """Its arguments as they are now; a process may have written over them."""
    try:
        return tuple((folder / "cmdline").read_bytes().split(b"\0")[:-1])
    except FileNotFoundError:
        return ()


def _ancestors(parent: int, proc: Path) -> list[bytes]:
    """The process names of all ancestors, from the parent up."""
    names = []
    while parent:
        folder = proc / str(parent)
        names.append(_comm(folder))
        parent = int(_status(folder)[b"PPid"])
    return names
