# SPDX-License-Identifier: Apache-2.0
"""Which profile system76-scheduler gives a process, by its own rules, and random configurations.

It shares nothing with the importer, nor its KDL library: it is written from the scheduler's
description, and reads the part of KDL that the configurations of the tests use.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"(?P<skip>//[^\n]*|[ \t]+)|(?P<end>[\n;])|(?P<open>\{)|(?P<close>\})"
    r'|(?P<word>(?:[^\s{};"]|"[^"]*")+)'
)
EXCEPTION = "exception"


@dataclass
class Node:
    """A node of KDL: its name, its properties as they are written, and its children."""

    name: str
    properties: list[tuple[str, str]] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class Process:
    """A process: the path of its program, the name that the kernel has, its parents up to init."""

    exe: str
    comm: str
    cgroup: str
    parents: tuple[Process, ...] = ()

    @property
    def name(self) -> str:
        """The name that system76-scheduler sees."""
        return self.exe.rsplit("/", 1)[-1]


def read_kdl(text: str) -> list[Node]:
    """Returns the nodes of a document."""
    top = Node("")
    above, node = [top], None
    for token in _TOKEN.finditer(text):
        kind, word = token.lastgroup, token[0]
        if kind == "word" and node is None:
            node = Node(word.strip('"'))
            above[-1].children.append(node)
        elif kind == "word" and node is not None:
            key, _, value = word.partition("=")
            node.properties.append((key, value.strip('"')))
        elif kind == "open" and node is not None:
            above.append(node)
            node = None
        elif kind == "close":
            above.pop()
            node = None
        elif kind == "end":
            node = None
    return top.children


def profiles_of(documents: Sequence[list[Node]], process: Process) -> set[str | None]:
    """Returns the profiles that a process can have: one, or several that conditions give it.

    None stands for none, `EXCEPTION` for a process that is left as it is.
    """
    parts = [node for document in documents for node in _parts(document)]
    excepted = [node for part in parts if part.name == "exceptions" for node in part.children]
    assigned = [node for part in parts if part.name == "assignments" for node in part.children]
    if any(_is_excepted(node, process) for node in excepted):
        return {EXCEPTION}
    for text in (process.exe, process.name):
        named = [row.name for row in assigned for node in row.children if node.name == text]
        if named:
            return {named[-1]}
    found = {row.name for row in assigned if _is_met(row.name, assigned, process)}
    return {*found} or {None}


def _parts(document: list[Node]) -> Iterator[Node]:
    for node in document:
        yield from node.children if node.name == "process-scheduler" else [node]


def _is_excepted(node: Node, process: Process) -> bool:
    if node.name == "include":
        return _holds(node, process)
    return node.name in (process.name, process.exe)


def _is_met(profile: str, assigned: list[Node], process: Process) -> bool:
    nodes = [node for row in assigned if row.name == profile for node in row.children]
    if any(node.name == "exclude" and _holds(node, process) for node in nodes):
        return False
    return any(node.name == "include" and _holds(node, process) for node in nodes)


def _holds(node: Node, process: Process) -> bool:
    names = {
        "cgroup": [process.cgroup],
        "name": [process.name],
        "parent": [parent.name for parent in process.parents[:1]],
        "descends": [parent.name for parent in process.parents],
    }
    rows = [(key, value) for key, value in node.properties if key in names]
    return bool(rows) and all(
        any(_matches(value, name) for name in names[key]) for key, value in rows
    )


def _matches(pattern: str, name: str) -> bool:
    if pattern.startswith("!"):
        return not _matches(pattern[1:], name)
    regex = "".join({"*": ".*", "?": "."}.get(char, re.escape(char)) for char in pattern)
    return re.fullmatch(regex, name, re.DOTALL) is not None


# ---- random configurations ----------------------------------------------------------------------

_NAMES = ("steam", "game-one", "game-two", "nice", "a[b", "make", "gcc", "session-manager-x")
_CGROUPS = (
    *("/", "/init.scope", "/user.slice/a.service", "/user.slice/x/session.slice/b.service"),
    *("/system.slice/cron.service", "/user.slice/app-dbus-1.scope"),
)
_PATTERNS = {
    "cgroup": ("/user.slice/*.service", "/system.slice/*", "!/user.slice/*", "*session*", "user*"),
    "name": ("game-*", "a[?", "!steam", "mak?", "gcc", "session-manager-*", "*"),
    "parent": ("steam", "!make", "game-*", "nice"),
    "descends": ("steam", "ma*", "nice", "?cc"),
}


def random_kdl(choice: random.Random) -> str:
    """Returns the text of a configuration."""
    profiles = [_profile(choice, title) for title in "abcab"[: choice.randint(1, 5)]]
    excepted = [f'"{name}"' for name in choice.sample(_NAMES, choice.randint(0, 2))]
    if choice.random() < 0.4:
        key = choice.choice(("descends", "parent"))
        pattern = choice.choice([p for p in _PATTERNS[key] if not p.startswith("!")])
        excepted.append(f'include {key}="{pattern}"')
    rows = "\n".join(profiles)
    return f"assignments {{\n{rows}\n}}\nexceptions {{\n{chr(10).join(excepted)}\n}}\n"


def _profile(choice: random.Random, title: str) -> str:
    settings = choice.choice(("nice=-5", 'nice=12 sched="batch"', 'sched="idle"', ""))
    rows = [f'"{choice.choice(("", "/usr/bin/"))}{name}"' for name in choice.sample(_NAMES, 2)]
    for _ in range(choice.randint(0, 3)):
        keys = choice.sample(sorted(_PATTERNS), choice.randint(1, 2))
        written = " ".join(f'{key}="{choice.choice(_PATTERNS[key])}"' for key in keys)
        rows.append(f"{choice.choice(('include', 'include', 'exclude'))} {written}")
    return f"{title} {settings} {{\n" + "\n".join(rows) + "\n}"


def random_processes(choice: random.Random, count: int) -> list[Process]:
    """Returns processes whose names are those of their programs."""
    found: list[Process] = [Process("/sbin/init", "init", "/init.scope")]
    for _ in range(count):
        parent = choice.choice(found)
        name = choice.choice(_NAMES)
        exe = f"{choice.choice(('/usr/bin/', '/opt/'))}{name}"
        found.append(
            Process(exe, name[:15], choice.choice(_CGROUPS), (parent, *parent.parents)[:4])
        )
    return found[1:]


def read_processes(text: str) -> list[Process]:
    """Returns the processes of a table: pid, ppid, name, cgroup and program, as `ps` lists them."""
    found: dict[str, Process] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        pid, above, comm, cgroup, exe = line.split()
        parent = found.get(above)
        parents = (parent, *parent.parents) if parent else ()
        found[pid] = Process(exe, comm, cgroup, parents)
    return [*found.values()]
