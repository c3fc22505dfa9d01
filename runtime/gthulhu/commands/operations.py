# SPDX-License-Identifier: Apache-2.0
"""`gthulhu run`, `status`, `set`, `swap`, `rollback`, `stop`: a policy from its load to its end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gthulhu.options import add_state, task_number
from gthulhuc.cli import frame, reporting
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from gthulhu.control import Answer
    from gthulhuc.cli.commands import Commands, Parser

_SCHEDULER = "/sys/kernel/sched_ext/root/ops"

_RUN = """\
Needs root, and Linux 6.16 or newer with sched_ext. Ctrl-C or `gthulhu stop` ends it, and the
machine goes on under its own scheduler, as it does whenever the policy's fails.

examples:
  sudo gthulhu run policy.gpl
  sudo gthulhu run policy.bpf.o --set quantum=500us
  sudo gthulhu run policy.gpl --detach --restart on-failure
  gthulhu-loader --help                        the loader itself, for nodes without Python

exit status:
  0    stopped by a signal or on request; with --detach: it is in force
  1    the policy has errors, or it is refused: the object, the kernel or the permissions
  2    usage, tool chain, an unreadable file, or there is no loader
  3    ejected by the kernel after an error or a stall of the policy
  4    disabled by the kernel on request (SysRq-S, or the policy itself)
"""
_STATUS = """\
examples:
  sudo gthulhu status
  sudo gthulhu status --json | jq .generation

exit status: 0 a policy is in force, 2 usage, or it cannot be asked, 3 none is in force
"""
_SET = """\
The policy says which tunables there are, and their ranges; `gthulhu status` lists them. The value
counts at once, and until the next swap.

examples:
  sudo gthulhu set quantum=500us
  sudo gthulhu set quantum=500us heft=300

exit status: 0 done, 1 refused, 2 usage, or it cannot be asked, 3 no policy is in force
"""
_LABEL = """\
The label is the process's and that of all it has started or will start. It counts at once, comes
before a label of the process's container, and lasts as long as the loader: through swaps,
rollbacks and CPU hotplug. Without KEY=VALUE, those that there are are shown.

examples:
  sudo gthulhu label 4711 tier=batch           gives a label
  sudo gthulhu label 4711 tier=web tenant-     changes one, and takes one away
  sudo gthulhu label 4711                      shows them, which it has from the process that
                                               started it, and what is known of the container

exit status: 0 done, 1 refused, 2 usage, or it cannot be asked, 3 no policy is in force
"""
_SWAP = """\
The new policy is compiled, loaded and verified before the old one is let go. If it is refused, the
old one stays; if the kernel does not enable it, the old one comes back.

examples:
  sudo gthulhu swap policy.gpl
  sudo gthulhu swap policy.bpf.o

exit status:
  0    the new policy is in force
  1    it has errors, or is refused; what is in force then is said
  2    usage, tool chain, an unreadable file, or the loader cannot be asked
  3    no policy is in force
"""
_ROLLBACK = """\
What comes into force is a generation of its own: a second rollback takes the first one back.

examples:
  sudo gthulhu rollback

exit status: 0 done, 1 refused, 2 usage, or it cannot be asked, 3 no policy is in force
"""
_STOP = """\
examples:
  sudo gthulhu stop

exit status: 0 done, 2 usage, or it cannot be asked, 3 no policy was in force
"""


def add_status(commands: Commands) -> None:
    """Adds `status`."""
    status = _add(commands, "status", _show, "show what is in force", _STATUS)
    status.add_argument("--json", action="store_true", help="for programs")


def add_set(commands: Commands) -> None:
    """Adds `set`."""
    change = _add(commands, "set", _set, "give tunables other values, at once", _SET)
    change.add_argument(
        "settings", metavar="NAME=VALUE", nargs="+", type=_setting, help="as in `quantum=500us`"
    )


def add_label(commands: Commands) -> None:
    """Adds `label`."""
    label = _add(commands, "label", _label, "label a process and what it starts, at once", _LABEL)
    label.add_argument("pid", metavar="PID", type=task_number, help="a process")
    label.add_argument(
        "changes",
        metavar="KEY=VALUE",
        nargs="*",
        type=_change,
        help="or `KEY-`, which takes the label away",
    )


def add_swap(commands: Commands) -> None:
    """Adds `swap`."""
    swap = _add(
        commands, "swap", _swap, "put another policy in the place of the one in force", _SWAP
    )
    swap.add_argument(
        "policy", metavar="FILE", help="a policy, or an object of it; - for standard input"
    )
    _add_compiling(swap)


def add_rollback(commands: Commands) -> None:
    """Adds `rollback`."""
    help = "put the policy of the generation before in force"
    _add(commands, "rollback", _rollback, help, _ROLLBACK)


def add_stop(commands: Commands) -> None:
    """Adds `stop`."""
    _add(commands, "stop", _stop, "end the policy in force", _STOP)


def add_run(commands: Commands) -> None:
    """Adds `run`."""
    run = add_command(
        commands,
        "run",
        _run,
        help="put a policy in force",
        description="Compile a policy, load it, and schedule with it until it is stopped.",
        epilog=_RUN,
    )
    run.add_argument(
        "policy", metavar="FILE", help="a policy, or an object of it; - for standard input"
    )
    run.add_argument(
        "--set",
        dest="settings",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_setting,
        help="give a tunable another value, as in `quantum=500us`",
    )
    run.add_argument(
        "--detach",
        action="store_true",
        help="return when it is in force, and go on in the background",
    )
    run.add_argument(
        "--restart",
        metavar="WHEN",
        type=_restart,
        help="`on-failure` loads it again when the kernel has ejected it, at most 3 times within "
        "10 minutes; `on-failure:N` at most N times",
    )
    run.add_argument(
        "-v", "--verbose", action="count", default=0, help="tell each step; twice: more"
    )
    run.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    add_state(run)
    _add_compiling(run)


def _add(
    commands: Commands, name: str, run: object, help: str, epilog: str
) -> Parser:  # fmt: skip
    assert callable(run)
    description = f"{help[0].upper()}{help[1:]}."
    parser = add_command(commands, name, run, help=help, description=description, epilog=epilog)
    add_state(parser)
    return parser


def _add_compiling(parser: Parser) -> None:
    """Adds the options of a command that compiles."""
    from gthulhuc.cli import compile as compiler

    compiler.add_options(parser)
    reporting.add_options(parser)


def _restart(text: str) -> str:
    import argparse

    if re.fullmatch(r"on-failure(:[0-9]{1,3})?", text):
        return text
    raise argparse.ArgumentTypeError(f"{text} is neither `on-failure` nor `on-failure:N`")


def _setting(text: str) -> str:
    import argparse

    name, equals, value = text.partition("=")
    if name and equals and value:
        return text
    raise argparse.ArgumentTypeError(f"{text} is not written NAME=VALUE")


def _change(text: str) -> str:
    import argparse

    if not re.fullmatch(r"[^=]+(=.*|-)", text, re.DOTALL):
        shown = text or "an empty text"
        raise argparse.ArgumentTypeError(f"{shown} is neither KEY=VALUE nor KEY-")
    if any(mark in text for mark in "\t\n"):
        raise argparse.ArgumentTypeError(f"{text}: no label has a tab or a newline")
    return text


# ---- the commands -------------------------------------------------------------------------------


def _run(options: argparse.Namespace) -> int:
    from gthulhu import loader

    return loader.run(options)


def _show(options: argparse.Namespace) -> int:
    import json

    from gthulhu import control, provenance

    none = "no policy is in force"
    try:
        answer = control.ask(options.state, "status")
    except control.NotRunningError as error:
        none = str(error)
        answer = {"ok": True, "in_force": False, "scheduler": _active_scheduler()}
    if not answer.get("ok"):
        return _outcome(answer, "")
    if "policy" in answer:
        called = answer["object"]
        answer["compared"] = provenance.compare(options.state, answer["generation"], called)
    if options.json:
        shown = {name: value for name, value in answer.items() if name != "ok"}
        frame.out(json.dumps(shown, indent=2) + "\n")
    else:
        lines = _described(answer) if "policy" in answer else _nothing(options.state, answer, none)
        frame.out("".join(line + "\n" for line in lines))
    return frame.OK if answer["in_force"] else frame.NOT_IN_FORCE


def _set(options: argparse.Namespace) -> int:
    for setting in options.settings:
        code = _outcome(_ask(options, "set", setting), "{name} is {value}, was {before}")
        if code != frame.OK:
            return code
    return frame.OK


def _label(options: argparse.Namespace) -> int:
    answer = _ask(options, "label", str(options.pid), *options.changes)
    if not answer.get("ok"):
        return _outcome(answer, "")
    if not options.changes:
        frame.out("".join(line + "\n" for line in _labels(answer)))
        return frame.OK
    number = answer["processes"]
    frame.out(f"done for {number} process{'es' if number != 1 else ''}\n")
    if unused := answer.get("unused"):
        frame.err(f"  = note: no rule of the policy asks for {unused}\n")
    return frame.OK


def _swap(options: argparse.Namespace) -> int:
    from gthulhu import loader
    from gthulhuc.cli import files

    _ask(options, "status")  # before it is compiled
    content = loader.object_of(options.policy, options)
    if isinstance(content, int):
        return content
    if content is None:
        _, content = files.read_file(options.policy)
    # A loader that runs as a service sees neither our home nor our /tmp.
    file = loader.in_memory(content)
    called = loader.called(options.policy)
    return _exchanged(_ask(options, "swap", "-", called, is_long=True, file=file))


def _rollback(options: argparse.Namespace) -> int:
    from gthulhu import control

    try:
        return _exchanged(_ask(options, "rollback", is_long=True))
    except control.NotRunningError as error:
        before = control.kept_generations(options.state)[1:]
        if before:
            which = f"generation {before[0].number}, {before[0].called},"
            error.hint = f"`{before[0].recall()}` puts {which} in force, which was before the last"
        raise


def _stop(options: argparse.Namespace) -> int:
    answer = _ask(options, "stop", is_long=True)
    return _outcome(answer, "{policy}, generation {generation}, is stopped")


# ---- answers ------------------------------------------------------------------------------------


def _ask(
    options: argparse.Namespace, *fields: str, is_long: bool = False, file: int | None = None
) -> Answer:
    from gthulhu import control

    return control.ask(options.state, *fields, is_long=is_long, file=file)


def _outcome(answer: Answer, well: str) -> int:
    """Prints what became of a request."""
    if answer.get("ok"):
        frame.out(well.format_map(answer) + "\n")
        return frame.OK
    frame.complain(str(answer["error"]), str(answer.get("help", "")))
    if log := answer.get("log"):
        frame.err("".join(f"  | {line}\n" for line in str(log).splitlines()))
    if then := answer.get("then"):
        frame.err(f"  = note: {then}\n")
    return frame.FOUND_ERRORS


def _exchanged(answer: Answer) -> int:
    well = "{policy}, generation {generation}, is in force in place of {from}"
    if "gap_us" in answer:
        gap_ms = answer["gap_us"] / 1000
        well += f"; the kernel's own scheduler had the machine for {gap_ms:.1f} ms"
    return _outcome(answer, well)


def _described(answer: Answer) -> Iterator[str]:
    """What is in force, for people."""
    from gthulhu import provenance

    state = "is in force" if answer["in_force"] else "is not in force any more"
    if answer["in_force"] and answer.get("monitor"):
        state = "counts, and schedules nothing"
    yield f"{answer['policy']}, generation {answer['generation']}, {state}"
    scheduler = answer["scheduler"] or "none"
    rows = {
        "since": answer["since"],
        **provenance.describe(answer["compared"], answer["object"]),
        "loader": f"pid {answer['pid']}",
        "kernel": f"{answer['kernel']}, sched_ext {answer['state']}: {scheduler}",
    }
    if answer["restarts"]:
        rows["ejected"] = f"{answer['restarts']} times, and loaded again"
    for name, text in rows.items():
        yield f"  {name:<8}  {text}"
    row = "  tunable   {name} = {value} in {low}..{high}, at first {initial}"
    yield from (row.format_map(tunable) for tunable in answer["tunables"])
    for call in answer.get("calls", ()):
        how = f"not traced: {call['why']}" if "why" in call else f"traced by {call['by']}"
        yield f"  calls     {call['function']}, {how}"


def _labels(answer: Answer) -> Iterator[str]:
    """Those of a process, and what is known of its container."""

    def shown(fact: Answer) -> str:
        giver = f" (from {fact['from']})" if "from" in fact else ""
        return str(fact["fact"]).removeprefix("label:") + giver

    def text(facts: list[Answer]) -> str:
        return ", ".join(map(shown, facts)) or "none"

    yield f"its own: {text(answer['own'])}"
    if not answer["cgroup"]:
        yield "nothing is known of a container"
        return
    yield f"of {answer['cgroup']}: {text(answer['container'])}"
    if not answer["complete"]:
        yield "there may be more, which is not known yet"


def _nothing(folder: str, answer: Answer, none: str) -> Iterator[str]:
    """Why none is in force, as far as that is known."""
    from gthulhu import control

    yield none
    if scheduler := answer["scheduler"]:
        yield f"  another sched_ext scheduler is: {scheduler}"
    if killed := control.last_state(folder):
        yield f"  the loader of {killed.get('policy')} (pid {killed.get('pid')}) was killed"
    for which, kept in zip(
        ("the last", "before it"), control.kept_generations(folder), strict=False
    ):
        command = kept.command() if which == "the last" else kept.recall()
        yield f"  {which} was generation {kept.number}, {kept.called}: `{command}` loads it again"
    if words := control.last_words(folder):
        yield "  the last words of the loader before:"
        yield from (f"  | {line}" for line in words[-5:])


def _active_scheduler() -> str:
    from pathlib import Path

    try:
        return Path(_SCHEDULER).read_text().strip()
    except OSError:
        return ""
