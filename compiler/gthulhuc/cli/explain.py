# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain`: explains which rule takes a task, and why."""

from __future__ import annotations

import argparse
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

from gthulhuc.cli import shared
from gthulhuc.cli.commands import Commands, Parser, add_command
from gthulhuc.cli.shared import CommandError
from gthulhuc.fields import Field, Kind

if TYPE_CHECKING:
    from gthulhuc import checked
    from gthulhuc.reference import Task

_EPILOG = """\
examples:
  gthulhu explain upf.gpl --comm nr-gnb --cgroup /kubepods/x
  gthulhu explain upf.gpl --unit nginx.service
  gthulhu explain upf.gpl --comm worker --process nginx --label app=web --namespace prod
  gthulhu explain upf.gpl --comm make --uid alice --nice 5 --json
  gthulhu explain upf.gpl --exe /usr/bin/java --cmdline "java -Xmx4g -jar billing.jar"

Facts without an option get defaults: `process` and `comm` from each other; cgroup /, uid 0, gid 0,
nice 0; no program, no arguments, no parent, no ancestor but the parent, no calls; not interactive,
not a kernel thread; a main thread, unless --comm and --process differ. Labels are unknown: a
comparison with one is neither true nor false. Any of --label, --namespace, --pod, --container and
--no-pod makes all of them known. The output lists the facts that the policy compares and that got
a default.

exit status: 0 done, 1 the policy has errors, 2 usage or an unreadable file
"""


def add(commands: Commands) -> Parser:
    """Adds the command with the options for a policy's file; the runtime adds those of tasks."""
    parser = add_command(
        commands,
        "explain",
        run,
        help="explain which rule takes a task, and why",
        description="Explain which rule of a policy takes a task, which part of its predicate "
        "decided, and which later rules would take it too.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="a policy; - for standard input")
    task = parser.add_argument_group("the task")
    task.add_argument("--comm", metavar="NAME", help="the thread's name")
    task.add_argument("--process", metavar="NAME", help="the name of its process's main thread")
    task.add_argument("--parent", metavar="NAME", help="the parent's process name")
    task.add_argument(
        "--ancestor", metavar="NAME", action="append", default=[], help="an ancestor's; repeatable"
    )
    place = task.add_mutually_exclusive_group()
    place.add_argument("--cgroup", metavar="PATH", help="its path, as in /proc/PID/cgroup")
    place.add_argument("--unit", metavar="NAME", help="its systemd unit, of the system's")
    task.add_argument(
        "--label", metavar="KEY=VALUE", action="append", default=[], help="repeatable"
    )
    task.add_argument("--namespace", metavar="NAME", help="its pod's namespace")
    task.add_argument("--pod", metavar="NAME", help="its pod's name")
    task.add_argument("--container", metavar="NAME", help="its container's name")
    task.add_argument("--no-pod", action="store_true", help="it is in no pod: it has no labels")
    task.add_argument("--exe", metavar="PATH", help="the path of its program")
    task.add_argument("--cmdline", metavar="COMMAND", help="its arguments, quoted as for a shell")
    task.add_argument("--uid", metavar="USER", help="effective, a number or a name")
    task.add_argument("--gid", metavar="GROUP", help="effective, a number or a name")
    for field in Field:
        if field.row.kind is Kind.NUMBER:
            task.add_argument(
                f"--{field.value}",
                metavar="N",
                type=partial(_within, field.row.bounds),
                help="{} to {}".format(*field.row.bounds),
            )
    task.add_argument("--kthread", action="store_true", help="it is a kernel thread")
    main = task.add_mutually_exclusive_group()
    main.add_argument("--leader", action="store_true", help="it is its process's main thread")
    main.add_argument("--thread", action="store_true", help="it is not")
    task.add_argument("--interactive", action="store_true", help="it sleeps often")
    task.add_argument(
        "--calls",
        metavar="FN",
        action="append",
        default=[],
        help="it has just called this function",
    )
    task.add_argument(
        "--started-by",
        metavar="RULE",
        action="append",
        default=[],
        help="a rule with `inherit` took a task that started it",
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    shared.add_common_options(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    """Prints the explanation of the described task; returns the exit status.

    Raises CommandError.
    """
    if options.file is None:
        raise CommandError("neither a policy nor a task is named", "see `gthulhu explain --help`")
    from gthulhuc.frontend import to_ir

    source, found = shared.read_source(options.file)
    policy, scheduler, problems = to_ir(source, tests=False)  # to find out why one fails
    errors = [problem for problem in (*found, *problems) if problem.is_error]
    if errors or policy is None or scheduler is None:
        return shared.show(errors, source.name, options.color)

    from gthulhuc.explanation import explain, rows, to_json, to_text
    from gthulhuc.plan.budget import needs

    given = frozenset(field for field in Field if _is_given(options, field.value))
    explanation = explain(policy, _task(policy, options), given)
    if options.json:
        import json

        used = {need.code.name: {"used": need.used, "most": need.most} for need in needs(scheduler)}
        known = {**to_json(explanation), "needs": used}
        text = json.dumps(known, indent=2, ensure_ascii=False) + "\n"
        shared.out(text.encode(errors="replace"))
    else:
        needed = rows("needs", [need.text for need in needs(scheduler)])
        shared.out(to_text(explanation) + "".join(f"{line}\n" for line in needed))
    return shared.OK


def _is_given(options: argparse.Namespace, field: str) -> bool:
    if field in ("cgroup", "unit", "qos"):
        return options.cgroup is not None or options.unit is not None
    if field == "leader":
        # A thread with another name than its process is not a main thread.
        names = (options.comm, options.process)
        return options.leader or options.thread or (None not in names and names[0] != names[1])
    if field == "ancestor":
        # A parent is an ancestor, but there may be others.
        return bool(options.ancestor)
    if field in ("comm", "process"):
        return options.comm is not None or options.process is not None
    return is_said(getattr(options, field))


def is_said(value: object) -> bool:
    """Whether an option was given; 0 is a value."""
    return value is not None and value is not False and value != []


def _task(policy: checked.Policy, options: argparse.Namespace) -> Task:
    from gthulhuc.reference import Task

    labels = dict(_label(text) for text in options.label)
    comm = options.comm if options.comm is not None else options.process or ""
    in_pod = bool(labels or options.namespace or options.pod or options.container)
    if in_pod and options.no_pod:
        raise CommandError(
            "--no-pod conflicts with --label, --namespace, --pod and --container",
            "give either --no-pod or the others",
        )
    parent = None if options.parent is None else _name("--parent", options.parent)
    ancestors = [_name("--ancestor", text) for text in options.ancestor]
    return Task(
        comm=_name("--comm", comm),
        process=_name("--process", options.process if options.process is not None else comm),
        parent=parent,
        ancestors=tuple(dict.fromkeys([*ancestors, *([] if parent is None else [parent])])),
        cgroup=_path(options.cgroup) if options.unit is None else _path_of(options.unit),
        exe=None if options.exe is None else _absolute("--exe", options.exe),
        cmdline=_arguments(options.cmdline),
        labels=labels,
        namespace=_bytes(options.namespace),
        pod=_bytes(options.pod),
        container=_bytes(options.container),
        labels_known=in_pod or options.no_pod,
        numbers={
            Field.UID: _number(options.uid, "pwd"),
            Field.GID: _number(options.gid, "grp"),
            **{f: vars(options)[f.value] or 0 for f in Field if f.row.kind is Kind.NUMBER},
        },
        kthread=options.kthread,
        leader=_is_leader(options),
        interactive=options.interactive,
        calls=_calls(policy, options.calls),
        inherits=_inherits(policy, options.started_by),
        **known_ids(policy),
    )


def _is_leader(options: argparse.Namespace) -> bool:
    """Whether it is a main thread: as given, or if it has the name of its process."""
    if options.leader or options.thread:
        return bool(options.leader)
    return options.comm is None or options.process in (None, options.comm)


def _warn(message: str) -> None:
    from gthulhuc.diagnostics.human import visible

    shared.err(f"warning: {visible(message)}\n")


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode(errors="surrogateescape")


def _name(option: str, text: str) -> bytes:
    """A name as the kernel stores it: its first 15 bytes."""
    name = text.encode(errors="surrogateescape")
    if len(name) > 15:
        shown = name[:15].decode(errors="replace")
        _warn(f"{option}: the kernel stores only 15 bytes of a name: `{shown}`")
    return name[:15]


def _path(text: str | None) -> bytes:
    return b"/" if text is None else _absolute("--cgroup", text)


def _absolute(option: str, text: str) -> bytes:
    if not text.startswith("/"):
        raise CommandError(
            f"{option} expects a path that begins with `/`, found `{text}`",
            f"use the path of /proc/PID/{option.removeprefix('--')}",
        )
    return text.encode(errors="surrogateescape").rstrip(b"/") or b"/"


def _arguments(command: str | None) -> tuple[bytes, ...]:
    """The arguments of a command line, as a shell splits it."""
    try:
        words = shlex.split(command or "")
    except ValueError as error:
        raise CommandError(
            f"--cmdline: {str(error).lower()}", "quote the command as for a shell"
        ) from None
    return tuple(word.encode(errors="surrogateescape") for word in words)


def _path_of(unit: str) -> bytes:
    """The path of a system unit's cgroup."""
    if not unit.endswith((".service", ".scope")) or "/" in unit:
        raise CommandError(
            f"--unit expects a name that ends with .service or .scope, found `{unit}`",
            "for another place in the tree, give --cgroup",
        )
    return b"/system.slice/" + unit.encode(errors="surrogateescape")


def _label(text: str) -> tuple[bytes, bytes]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise CommandError(f"--label expects KEY=VALUE, found `{text}`")
    return key.encode(errors="surrogateescape"), value.encode(errors="surrogateescape")


def _within(bounds: tuple[int, int], text: str) -> int:
    low, high = bounds
    if text.lstrip("-").isdecimal() and low <= int(text) <= high:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is not a number from {low} to {high}")


def _number(text: str | None, module: str) -> int:
    """The number of a user or group on this machine."""
    if text is None:
        return 0
    if text.isdecimal():
        return int(text)
    number = _lookup(text, module)
    if number is None:
        kind = "user" if module == "pwd" else "group"
        raise CommandError(f"this machine has no {kind} `{text}`", "give its number instead")
    return number


def _lookup(name: str, module: str) -> int | None:
    import grp
    import pwd

    try:
        return pwd.getpwnam(name).pw_uid if module == "pwd" else grp.getgrnam(name).gr_gid
    except (KeyError, ValueError):
        return None


def known_ids(policy: checked.Policy) -> dict[str, Any]:
    """The numbers on this machine of the users and groups that a policy names."""
    from gthulhuc import checked
    from gthulhuc.passes.reasoning.contents import leaves

    found: dict[str, dict[bytes, int]] = {"users": {}, "groups": {}}
    for rule in policy.rules:
        for leaf in leaves(rule.match):
            if not isinstance(leaf, checked.IdNamed):
                continue
            is_user = leaf.subject.field is Field.UID
            for name in leaf.names:
                number = _lookup(name.decode(errors="replace"), "pwd" if is_user else "grp")
                if number is not None:
                    found["users" if is_user else "groups"][name] = number
    return found


def _calls(policy: checked.Policy, functions: list[str]) -> frozenset[checked.Calls]:
    from gthulhuc import checked
    from gthulhuc.passes.reasoning.contents import leaves

    asked = [
        leaf
        for rule in policy.rules
        for leaf in leaves(rule.match)
        if isinstance(leaf, checked.Calls)
    ]
    for function in functions:
        if function not in {leaf.function for leaf in asked}:
            _warn(f"--calls {function}: the policy does not compare it")
    return frozenset(leaf for leaf in asked if leaf.function in functions)


def _inherits(policy: checked.Policy, names: list[str]) -> frozenset[str]:
    known = {rule.name for rule in policy.rules if rule.actions.inherit}
    for name in names:
        if name not in known:
            raise CommandError(
                f"--started-by {name}: no rule of that name has `inherit`",
                "name a rule with the action `inherit`",
            )
    return frozenset(names)
