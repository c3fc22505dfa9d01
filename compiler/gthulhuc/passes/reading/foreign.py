# SPDX-License-Identifier: Apache-2.0
"""Help for the names that other tools give to fields."""

from __future__ import annotations

_USER = 'for the user, compare `uid` with a number or a name: `uid == "postgres"`'
_GROUP = 'for the group, compare `gid` with a number or a name: `gid == "staff"`'
_PROGRAM = "for its path, use `exe`; for its arguments, `cmdline`; for its name, `process`"
_PID = "a policy cannot name a pid: identify the task by `process`, `unit` or `cgroup`"
_FOREIGN = {
    **dict.fromkeys(("user", "username", "owner", "euid"), _USER),
    **dict.fromkeys(("group", "egid"), _GROUP),
    **dict.fromkeys(("program", "command", "cmd", "args", "argv", "arguments", "path"), _PROGRAM),
    **dict.fromkeys(
        ("name", "thread"), "use `comm` for a thread's name, `process` for its program's"
    ),
    **dict.fromkeys(("pid", "tid", "tgid"), _PID),
    "service": 'for a systemd unit, use `unit`: `unit == "nginx.service"`',
    "ppid": "`parent` is the name of the parent process",
}


def foreign_field(name: str) -> str:
    """Returns help for a field's name in other tools, or an empty string."""
    return _FOREIGN.get(name, "")
