# SPDX-License-Identifier: Apache-2.0
"""Names of the system calls in which tasks sleep."""

from __future__ import annotations

from gthulhu.record.events import NOT_KNOWN

# The kernel's tables, which never change; calls that do not sleep by themselves are left out.
_X86_64 = {
    0: "read", 1: "write", 2: "open", 3: "close", 7: "poll", 16: "ioctl", 17: "pread64",
    18: "pwrite64", 19: "readv", 20: "writev", 22: "pipe", 23: "select", 34: "pause",
    35: "nanosleep", 40: "sendfile", 42: "connect", 43: "accept", 44: "sendto", 45: "recvfrom",
    46: "sendmsg", 47: "recvmsg", 56: "clone", 57: "fork", 58: "vfork", 59: "execve", 60: "exit",
    61: "wait4", 65: "semop", 69: "msgsnd", 70: "msgrcv", 72: "fcntl", 73: "flock", 74: "fsync",
    75: "fdatasync", 101: "ptrace", 128: "rt_sigtimedwait", 130: "rt_sigsuspend", 162: "sync",
    202: "futex", 208: "io_getevents", 220: "semtimedop", 230: "clock_nanosleep",
    231: "exit_group", 232: "epoll_wait", 242: "mq_timedsend", 243: "mq_timedreceive",
    247: "waitid", 257: "openat", 270: "pselect6", 271: "ppoll", 275: "splice",
    277: "sync_file_range", 281: "epoll_pwait", 288: "accept4", 295: "preadv", 296: "pwritev",
    299: "recvmmsg", 306: "syncfs", 307: "sendmmsg", 322: "execveat", 326: "copy_file_range",
    327: "preadv2", 328: "pwritev2", 333: "io_pgetevents", 426: "io_uring_enter", 435: "clone3",
    441: "epoll_pwait2", 449: "futex_waitv", 455: "futex_wait",
}  # fmt: skip
_ARM64 = {
    22: "epoll_pwait", 29: "ioctl", 32: "flock", 56: "openat", 57: "close", 63: "read",
    64: "write", 65: "readv", 66: "writev", 67: "pread64", 68: "pwrite64", 71: "sendfile",
    72: "pselect6", 73: "ppoll", 76: "splice", 82: "fsync", 83: "fdatasync", 95: "waitid",
    98: "futex", 101: "nanosleep", 115: "clock_nanosleep", 133: "rt_sigsuspend",
    137: "rt_sigtimedwait", 202: "accept", 203: "connect", 206: "sendto", 207: "recvfrom",
    211: "sendmsg", 212: "recvmsg", 220: "clone", 221: "execve", 242: "accept4",
    243: "recvmmsg", 260: "wait4", 426: "io_uring_enter", 435: "clone3", 441: "epoll_pwait2",
    449: "futex_waitv", 455: "futex_wait",
}  # fmt: skip
_TABLES = {"x86_64": _X86_64, "aarch64": _ARM64}


def name_of(machine: str, number: int) -> str:
    """The name of a system call; `system call 999` if it is not in the table."""
    if number == NOT_KNOWN:
        return "not known"
    return _TABLES.get(machine, {}).get(number, f"system call {number}")
