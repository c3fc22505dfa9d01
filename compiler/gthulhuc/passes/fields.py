# SPDX-License-Identifier: Apache-2.0
"""What the language knows about fields: which there are, and what they can be compared with."""

from __future__ import annotations

from enum import Enum, auto

from gthulhuc.checked import Field

# A task's name has 16 bytes in the kernel, the last one a NUL (TASK_COMM_LEN).
COMM_MAX = 15
LABEL_KEY_MAX = 317  # a DNS prefix of 253 bytes, a slash, and a name of 63
QOS_CLASSES = (b"guaranteed", b"burstable", b"best-effort")
# The kernel's (uid_t)-1 means nobody at all.
ID_RANGE = (0, 2**32 - 2)
NICE_RANGE = (-20, 19)


class Kind(Enum):
    """What a field's value is."""

    NAME = auto()  # a string of at most COMM_MAX bytes
    TEXT = auto()
    PATH = auto()
    UNIT = auto()
    QOS = auto()
    LABEL = auto()  # a string or nothing, by a key
    ID = auto()
    NUMBER = auto()
    FLAG = auto()
    CALLS = auto()


FIELDS = {field.value: field for field in Field}

_USER = 'for the user, compare `uid` with a number or a name: `uid == "postgres"`'
_GROUP = 'for the group, compare `gid` with a number or a name: `gid == "staff"`'
_PROGRAM = (
    "use `process`, the program's name of at most 15 bytes; a policy cannot see its arguments"
)
_PID = "a policy cannot name a pid: identify the task by `process`, `unit` or `cgroup`"
_FOREIGN = {
    **dict.fromkeys(("user", "username", "owner", "euid"), _USER),
    **dict.fromkeys(("group", "egid"), _GROUP),
    **dict.fromkeys(("program", "exe", "command", "cmd", "cmdline", "args", "path"), _PROGRAM),
    **dict.fromkeys(
        ("name", "thread"), "use `comm` for a thread's name, `process` for its program's"
    ),
    **dict.fromkeys(("pid", "tid", "tgid"), _PID),
    "service": 'for a systemd unit, use `unit`: `unit == "nginx.service"`',
    "ppid": "`parent` is the name of the parent process",
}


def foreign_field(name: str) -> str:
    """Help for a field as others call it; empty where none does."""
    return _FOREIGN.get(name, "")


KINDS = {
    Field.COMM: Kind.NAME,
    Field.PROCESS: Kind.NAME,
    Field.PARENT: Kind.NAME,
    Field.ANCESTOR: Kind.NAME,
    Field.CGROUP: Kind.PATH,
    Field.UNIT: Kind.UNIT,
    Field.QOS: Kind.QOS,
    Field.LABEL: Kind.LABEL,
    Field.NAMESPACE: Kind.TEXT,
    Field.POD: Kind.TEXT,
    Field.CONTAINER: Kind.TEXT,
    Field.UID: Kind.ID,
    Field.GID: Kind.ID,
    Field.NICE: Kind.NUMBER,
    Field.KTHREAD: Kind.FLAG,
    Field.LEADER: Kind.FLAG,
    Field.INTERACTIVE: Kind.FLAG,
    Field.CALLS: Kind.CALLS,
}
EXAMPLES = {
    Field.CGROUP: 'cgroup under "/system.slice"',
    Field.UNIT: 'unit == "nginx.service"',
    Field.QOS: 'qos == "guaranteed"',
    Field.LABEL: 'label "app" == "web"',
    Field.NAMESPACE: 'namespace == "prod"',
    Field.POD: 'pod ~ "web-*"',
    Field.CONTAINER: 'container == "nginx"',
    Field.UID: 'uid == "postgres"',
    Field.GID: "gid in 1000..1999",
    Field.NICE: "nice > 0",
    Field.KTHREAD: "kthread",
    Field.LEADER: "leader",
    Field.INTERACTIVE: "interactive",
    Field.CALLS: 'calls "tcp_sendmsg" within 1s',
}


def example(field: Field) -> str:
    """A comparison with the field, for help."""
    return EXAMPLES.get(field, f'{field.value} == "sshd"')
