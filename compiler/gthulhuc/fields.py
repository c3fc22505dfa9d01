# SPDX-License-Identifier: Apache-2.0
"""The fields of the language, one row each: the facts about a task that a predicate can compare.

All else about fields follows from this table: what they are compared with, messages, completion
and hover, the editors' grammar, the reference's tables, the facts of a `test` block, the options of
`gthulhu explain`, and the expressions by which a scheduler reads them.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple, Self

# The kernel keeps 16 bytes of a task's name, the last one a NUL (TASK_COMM_LEN).
COMM_MAX = 15
# How much of a program is compared. templates/lib/program_limits.h has the same numbers.
COMPONENTS_MAX = 32
ARGUMENT_MAX = 255
ARGUMENTS_MAX = 64
CMDLINE_MAX = 16384
LABEL_KEY_MAX = 317  # a DNS prefix of 253 bytes, a slash, and a name of 63
QOS_CLASSES = (b"guaranteed", b"burstable", b"best-effort")
# The kernel's (uid_t)-1 stands for no user.
_IDS = (0, 2**32 - 2)


class Kind(Enum):
    """The type of a field's value and its operators, as the reference lists them."""

    NAME = f"string, {COMM_MAX} bytes"
    TEXT = "string"
    PATH = "path; string, `under`"
    FILE = "path of a file; string, `under`"
    ARGUMENTS = f"strings, {ARGUMENT_MAX} bytes; each, or one by its number"
    UNIT = "name of a unit; string"
    QOS = "one of three; `==`, `!=`, `in`"
    LABEL = "string by a key, or alone"
    ID = "number, or a quoted name"
    NUMBER = "number"
    FLAG = "true or false; alone"
    CALLS = "true or false; `within`"


class Event(Enum):
    """The event that reports a possible change of a field to the scheduler."""

    RENAME = auto()
    MOVE = auto()  # to another cgroup
    CREDS = auto()
    WEIGHT = auto()  # tells a scheduler; one that only monitors may miss it


class Expression(NamedTuple):
    """A C expression over a task `p`, and a name for its value."""

    type: str
    name: str
    text: str


class Row(NamedTuple):
    """One field.

    `fact`: an example of it in a line of a `test` block; `otherwise`: what holds in a line without
    it; `follows`: the field that its value then follows from, if another one; `is_many`: whether a
    line may give several. `source`: where the value comes from; `cost`: its cost in the scheduler.
    `feature`: its flag in ir.Features, if not named like the field; a field with `local` needs
    none. `bounds`: of a number, both included. `is_late`: the value may be unknown at first; a
    comparison is then neither true nor false. `is_optional`: a task may have no value; then no
    comparison holds, and each opposite does. `local`: the expression of the value, if the kernel
    has one. `look`: an expression whose value differs after a change that no event reported.
    `stat`: the field's number in /proc/PID/stat, from 1. `no_guest`: why the lab cannot give it to
    a task.
    """

    kind: Kind
    example: str
    meaning: str
    fact: str
    otherwise: str
    source: str
    cost: str
    follows: str = ""
    is_many: bool = False
    feature: str = ""
    bounds: tuple[int, int] = (0, 1)
    is_late: bool = False
    is_optional: bool = False
    event: Event | None = None
    local: Expression | None = None
    look: Expression | None = None
    stat: int = 0
    no_guest: str = ""


_NAME_COST = "a look-up of the name when it changes"
_PATH_COST = "the path is read once for each cgroup"
_LATE_COST = "a look-up when the task is classified"
_NO_POD = "not known; with another fact about its pod, or `not pod`: none"
_POD = "the [agent](operations.md)"
_EUID = Expression("u32", "uid", "p->real_cred->euid.val")
_EGID = Expression("u32", "gid", "p->real_cred->egid.val")
_SESSION = Expression("s32", "session", "p->signal->pids[PIDTYPE_SID]->numbers[0].nr")
_CGROUPS = Expression("const struct css_set *", "cgroups", "p->cgroups")


class Field(Enum):
    """The fields, by their names in the language."""

    _value_: str
    row: Row
    feature: str
    __hash__ = object.__hash__  # by identity: Enum's own, of the name, takes several times as long

    def __new__(cls, name: str, row: Row) -> Self:
        """A field with its row."""
        field = object.__new__(cls)
        field._value_ = name
        field.row = row
        field.feature = row.feature or name
        return field

    COMM = (
        "comm",
        Row(
            kind=Kind.NAME,
            example='comm == "sshd"',
            meaning="The name of one thread, at most 15 bytes. For a whole program, use `process`.",
            fact='comm "lcore-worker-3"',
            otherwise="that of `process`",
            follows="process",
            source="the task",
            cost=_NAME_COST,
            event=Event.RENAME,
        ),
    )
    PROCESS = (
        "process",
        Row(
            kind=Kind.NAME,
            example='process == "postgres"',
            meaning="The name of the main thread of the task's process.",
            fact='process "postgres"',
            otherwise="that of `comm`",
            follows="comm",
            source="the main thread",
            cost=_NAME_COST,
            event=Event.RENAME,
        ),
    )
    PARENT = (
        "parent",
        Row(
            kind=Kind.NAME,
            example='parent == "make"',
            meaning="The name of the parent process. Fixed at fork.",
            fact='parent "cron"',
            otherwise="no parent",
            source="the parent, at the fork",
            cost="a look-up of the name at the fork",
            is_optional=True,
        ),
    )
    ANCESTOR = (
        "ancestor",
        Row(
            kind=Kind.NAME,
            example='ancestor == "sshd"',
            meaning="The name of any ancestor process. Fixed at fork.",
            fact='ancestor "sshd"',
            otherwise="none but `parent`",
            follows="parent",
            is_many=True,
            source="the ancestors, at the fork",
            cost="a look-up of the name at the fork",
        ),
    )
    CGROUP = (
        "cgroup",
        Row(
            kind=Kind.PATH,
            example='cgroup under "/system.slice"',
            meaning="The task's path in the unified hierarchy; `under` also takes all below.",
            fact='cgroup "/batch.slice"',
            otherwise="`/`",
            source="the cgroup",
            cost=_PATH_COST,
            event=Event.MOVE,
            look=_CGROUPS,
        ),
    )
    UNIT = (
        "unit",
        Row(
            kind=Kind.UNIT,
            example='unit == "nginx.service"',
            meaning="The innermost systemd unit (.service, .scope) in the cgroup's path.",
            fact='unit "nginx.service"',
            otherwise="that of `cgroup`",
            follows="cgroup",
            source="the cgroup",
            cost=_PATH_COST,
            feature="cgroup",
            is_optional=True,
            event=Event.MOVE,
            look=_CGROUPS,
        ),
    )
    QOS = (
        "qos",
        Row(
            kind=Kind.QOS,
            example='qos == "guaranteed"',
            meaning='The class of the task\'s pod: "guaranteed", "burstable" or "best-effort".',
            fact='qos "guaranteed"',
            otherwise="that of `cgroup`",
            follows="cgroup",
            source="the cgroup",
            cost=_PATH_COST,
            feature="cgroup",
            is_optional=True,
            event=Event.MOVE,
            look=_CGROUPS,
        ),
    )
    LABEL = (
        "label",
        Row(
            kind=Kind.LABEL,
            example='label "app" == "web"',
            meaning=(
                "A label of the task's container or pod, or one given with `gthulhu label PID "
                "k=v`. Alone: true if there is such a label. Neither true nor false while unknown."
            ),
            fact='label "app" "web"',
            otherwise=_NO_POD,
            is_many=True,
            source=f"{_POD}, `gthulhu label`",
            cost=_LATE_COST,
            feature="runtime",
            is_late=True,
            is_optional=True,
            event=Event.MOVE,
            look=_CGROUPS,
        ),
    )
    NAMESPACE = (
        "namespace",
        Row(
            kind=Kind.TEXT,
            example='namespace == "prod"',
            meaning="The Kubernetes namespace of the task's pod.",
            fact='namespace "prod"',
            otherwise=_NO_POD,
            source=_POD,
            cost=_LATE_COST,
            feature="runtime",
            is_late=True,
            is_optional=True,
            event=Event.MOVE,
            look=_CGROUPS,
        ),
    )
    POD = (
        "pod",
        Row(
            kind=Kind.TEXT,
            example='pod ~ "web-*"',
            meaning="The name of the task's pod.",
            fact='pod "web-7f9c"',
            otherwise=_NO_POD,
            source=_POD,
            cost=_LATE_COST,
            feature="runtime",
            is_late=True,
            is_optional=True,
            event=Event.MOVE,
            look=_CGROUPS,
        ),
    )
    CONTAINER = (
        "container",
        Row(
            kind=Kind.TEXT,
            example='container == "nginx"',
            meaning="The name of the task's container.",
            fact='container "nginx"',
            otherwise=_NO_POD,
            source=_POD,
            cost=_LATE_COST,
            feature="runtime",
            is_late=True,
            is_optional=True,
            event=Event.MOVE,
            look=_CGROUPS,
        ),
    )
    EXE = (
        "exe",
        Row(
            kind=Kind.FILE,
            example='exe == "/usr/bin/python3.11"',
            meaning=(
                "The path of the program's file, without symbolic links; of a script, its "
                "interpreter. Read at exec."
            ),
            fact='exe "/usr/bin/python3.11"',
            otherwise="no program",
            source="the program's file",
            cost="[a path and its arguments are read at each exec](internals.md#programs)",
            is_optional=True,
            no_guest="the lab's programs have paths of their own",
        ),
    )
    CMDLINE = (
        "cmdline",
        Row(
            kind=Kind.ARGUMENTS,
            example='cmdline ~ "*/billing.py"',
            meaning=(
                "Any of the arguments that the program was started with; `cmdline[0]` is the first "
                "alone. Read at exec."
            ),
            fact='cmdline "python3" "-m" "billing"',
            otherwise="no arguments",
            source="the program's memory",
            cost="[a path and its arguments are read at each exec](internals.md#programs)",
            is_optional=True,
            no_guest="the lab's programs have arguments of their own",
        ),
    )
    KTHREAD = (
        "kthread",
        Row(
            kind=Kind.FLAG,
            example="kthread",
            meaning="True for kernel threads; a rule without it takes none.",
            fact="kthread",
            otherwise="`not kthread`",
            source="the task",
            cost="one load when the task is classified",
            local=Expression("bool", "kthread", "p->flags & PF_KTHREAD"),
            no_guest="the lab has no threads of the kernel",
        ),
    )
    LEADER = (
        "leader",
        Row(
            kind=Kind.FLAG,
            example="leader",
            meaning="True for the main thread of a process.",
            fact="leader",
            otherwise="`leader`, unless `comm` and `process` differ",
            source="the task",
            cost="one load when the task is classified",
            event=Event.RENAME,
            local=Expression("bool", "leader", "p->pid == p->tgid"),
            look=Expression("s32", "pid", "p->pid"),
        ),
    )
    UID = (
        "uid",
        Row(
            kind=Kind.ID,
            example='uid == "postgres"',
            meaning="The effective user, a number or a name, as the host sees it.",
            fact="uid 1000",
            otherwise="0",
            source="the credentials",
            cost="two loads when the task is classified",
            bounds=_IDS,
            event=Event.CREDS,
            local=_EUID,
            look=_EUID,
        ),
    )
    GID = (
        "gid",
        Row(
            kind=Kind.ID,
            example="gid in 1000..1999",
            meaning="The effective group, a number or a name, as the host sees it.",
            fact='gid "staff"',
            otherwise="0",
            source="the credentials",
            cost="two loads when the task is classified",
            bounds=_IDS,
            event=Event.CREDS,
            local=_EGID,
            look=_EGID,
        ),
    )
    NICE = (
        "nice",
        Row(
            kind=Kind.NUMBER,
            example="nice > 0",
            meaning="The nice value.",
            fact="nice -5",
            otherwise="0",
            source="the task",
            cost="one load when the task is classified",
            bounds=(-20, 19),
            event=Event.WEIGHT,
            local=Expression("s32", "nice", "p->static_prio - NICE_0_PRIO"),
            look=Expression("s32", "static_prio", "p->static_prio"),
            stat=19,
        ),
    )
    SESSION = (
        "session",
        Row(
            kind=Kind.NUMBER,
            example="session == 0",
            meaning=(
                "The session id, as the host sees it: the pid of its first process, as `ps -o sid` "
                "shows it; 0 for kernel threads."
            ),
            fact="session 4711",
            otherwise="0",
            source="the process",
            cost="three loads when the task is classified",
            bounds=(0, 2**22 - 1),  # PID_MAX_LIMIT
            local=_SESSION,
            look=_SESSION,
            stat=6,
            no_guest="a session's id is not known before it begins",
        ),
    )
    CALLS = (
        "calls",
        Row(
            kind=Kind.CALLS,
            example='calls "tcp_sendmsg" within 1s',
            meaning=(
                "The thread recently entered this kernel function. `via softirq` also counts a "
                "soft interrupt's calls for the task that it ran on, which is a guess."
            ),
            fact='calls "tcp_sendmsg" within 1s',
            otherwise="no function",
            is_many=True,
            source="a program at the function's entry",
            cost="[some 330 ns](internals.md#calls) for each call",
            feature="runtime",
            no_guest="no task of the workload calls that",
        ),
    )
    INTERACTIVE = (
        "interactive",
        Row(
            kind=Kind.FLAG,
            example="interactive",
            meaning=(
                "True once a task sleeps voluntarily more than 10 times a second, until that falls "
                "below 5."
            ),
            fact="interactive",
            otherwise="`not interactive`",
            source="the scheduler counts",
            cost="a few instructions for each sleep",
            local=Expression("bool", "interactive", "kept->sleeps.often"),
        ),
    )


FIELDS = {field.value: field for field in Field}
FEATURES: dict[str, tuple[Field, ...]] = {
    feature: tuple(field for field in Field if field.feature == feature)
    for feature in dict.fromkeys(field.feature for field in Field)
}
"""The parts of a scheduler, and the fields that need them."""
LATE = frozenset(field for field in Field if field.row.is_late)
DERIVED = {field: FIELDS[field.row.follows] for field in Field if field.row.follows}
"""Fields whose facts follow from another field's, if a line of a `test` block leaves them out."""


def of_kind(*kinds: Kind) -> frozenset[Field]:
    """Returns the fields whose values are of these kinds."""
    return frozenset(field for field in Field if field.row.kind in kinds)
