# SPDX-License-Identifier: Apache-2.0
"""How a line of a `test` block writes each fact about a task, and what holds without it."""

from __future__ import annotations

from gthulhuc.fields import Field
from gthulhuc.records import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """A fact: an example of it, and what a line that leaves it out says."""

    example: str
    otherwise: str


_NO_POD = "not known; with another fact about its pod, or `not pod`: none"

FORMS = {
    Field.COMM: Form('comm "lcore-worker-3"', "that of `process`"),
    Field.PROCESS: Form('process "postgres"', "that of `comm`"),
    Field.PARENT: Form('parent "cron"', "no parent"),
    Field.ANCESTOR: Form('ancestor "sshd"', "none but `parent`"),
    Field.CGROUP: Form('cgroup "/batch.slice"', "`/`"),
    Field.UNIT: Form('unit "nginx.service"', "that of `cgroup`"),
    Field.QOS: Form('qos "guaranteed"', "that of `cgroup`"),
    Field.LABEL: Form('label "app" "web"', _NO_POD),
    Field.NAMESPACE: Form('namespace "prod"', _NO_POD),
    Field.POD: Form('pod "web-7f9c"', _NO_POD),
    Field.CONTAINER: Form('container "nginx"', _NO_POD),
    Field.EXE: Form('exe "/usr/bin/python3.11"', "no program"),
    Field.CMDLINE: Form('cmdline "python3" "-m" "billing"', "no arguments"),
    Field.KTHREAD: Form("kthread", "`not kthread`"),
    Field.LEADER: Form("leader", "`leader`, unless `comm` and `process` differ"),
    Field.UID: Form("uid 1000", "0"),
    Field.GID: Form('gid "staff"', "0"),
    Field.NICE: Form("nice -5", "0"),
    Field.SESSION: Form("session 4711", "0"),
    Field.CALLS: Form('calls "tcp_sendmsg" within 1s', "no function"),
    Field.INTERACTIVE: Form("interactive", "`not interactive`"),
}
"""The facts, in the order of the fields."""

DERIVED = {
    Field.COMM: Field.PROCESS,
    Field.PROCESS: Field.COMM,
    Field.ANCESTOR: Field.PARENT,
    Field.UNIT: Field.CGROUP,
    Field.QOS: Field.CGROUP,
}
"""Facts that follow from another one, if a line leaves them out."""

MANY = frozenset((Field.ANCESTOR, Field.LABEL, Field.CALLS))
"""Fields of which a task may have several values."""
