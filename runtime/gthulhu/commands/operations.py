# SPDX-License-Identifier: Apache-2.0
"""`gthulhu run`, `status`, `set`, `label`, `swap`, `rollback` and `stop`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gthulhu.options import add_state, task_number
from gthulhuc.cli import frame, reporting
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from gthulhu.control import Answer, Conversation
    from gthulhuc.cli.commands import Commands, Parser

_SCHEDULER = "/sys/kernel/sched_ext/root/ops"

_RUN = """\
Needs root, and Linux 6.16 or newer with sched_ext. Ctrl-C or `gthulhu stop` ends it. The kernel's
own scheduler then takes over, as it does whenever the policy's scheduler fails.

examples:
  sudo gthulhu run policy.gpl
  sudo gthulhu run policy.bpf.o --set quantum=500us
  sudo gthulhu run policy.gpl --detach --restart on-failure
  gthulhu-loader --help                        the loader alone, for nodes without Python

exit status:
  0    stopped by a signal or on request; with --detach: the policy is in force
  1    the policy has errors, or the object, the kernel or the permissions do not allow it
  2    usage, tool chain, an unreadable file, or no loader
  3    the kernel ejected the policy after an error or a stall
  4    the kernel disabled the policy on request (SysRq-S, or the policy itself)
  5    a promise broke: it says `else eevdf`, or there is nothing to go back to
"""
_STATUS = """\
examples:
  sudo gthulhu status
  sudo gthulhu status --json | jq .generation

exit status: 0 a policy is in force, 2 usage, or the loader does not respond, 3 no policy is in
force
"""
_SET = """\
The policy defines the tunables and their ranges; `gthulhu status` lists them. A new value takes
effect at once and lasts until the next swap.

examples:
  sudo gthulhu set quantum=500us
  sudo gthulhu set quantum=500us heft=300

exit status: 0 done, 1 refused, 2 usage, or the loader does not respond, 3 no policy is in force
"""
_LABEL = """\
Labels the process, all processes that it has started, and all that it will start. The label takes
effect at once, overrides a label of the process's container, and lasts as long as the loader:
through swaps, rollbacks and CPU hotplug. Without KEY=VALUE, the command shows the labels.

examples:
  sudo gthulhu label 4711 tier=batch           sets a label
  sudo gthulhu label 4711 tier=web tenant-     sets one label and removes another
  sudo gthulhu label 4711                      shows the labels: inherited ones with the process
                                               they come from, and those of the container

exit status: 0 done, 1 refused, 2 usage, or the loader does not respond, 3 no policy is in force
"""
_SWAP = """\
The new policy is compiled, loaded and verified before the old one ends. If it is refused, the old
one stays; if the kernel does not enable it, the old one comes back.

examples:
  sudo gthulhu swap policy.gpl
  sudo gthulhu swap policy.bpf.o
  sudo gthulhu swap --dry-run policy.gpl       shows what would change, and changes nothing
  sudo gthulhu swap --trial 10m policy.gpl     the policy stays if all its promises hold

With --trial the command runs until the trial is over. The policy before comes back if a promise
breaks or was never kept, if the policy is ejected, and on Ctrl-C.

exit status:
  0    the new policy is in force; with --dry-run: the kernel accepts it
  1    it has errors, is refused, or failed its trial; the message says which policy is in force
  2    usage, tool chain, an unreadable file, or the loader does not respond
  3    no policy is in force
"""
_ROLLBACK = """\
A rollback is a new generation, so a second rollback undoes the first one.

examples:
  sudo gthulhu rollback

exit status: 0 done, 1 refused, 2 usage, or the loader does not respond, 3 no policy is in force
"""
_STOP = """\
examples:
  sudo gthulhu stop

exit status: 0 done, 2 usage, or the loader does not respond, 3 no policy was in force
"""


def add_status(commands: Commands) -> None:
    """Adds `status`."""
    status = _add(commands, "status", _show, "show the policy in force", _STATUS)
    status.add_argument("--json", action="store_true", help="for programs")


def add_set(commands: Commands) -> None:
    """Adds `set`."""
    change = _add(commands, "set", _set, "change tunables of the policy in force", _SET)
    change.add_argument(
        "settings", metavar="NAME=VALUE", nargs="+", type=_setting, help="such as `quantum=500us`"
    )


def add_label(commands: Commands) -> None:
    """Adds `label`."""
    label = _add(commands, "label", _label, "label a process and all that it starts", _LABEL)
    label.add_argument("pid", metavar="PID", type=task_number, help="a process")
    label.add_argument(
        "changes",
        metavar="KEY=VALUE",
        nargs="*",
        type=_change,
        help="or `KEY-`, which removes the label",
    )


def add_swap(commands: Commands) -> None:
    """Adds `swap`."""
    swap = _add(commands, "swap", _swap, "replace the policy in force with another one", _SWAP)
    swap.add_argument(
        "policy", metavar="FILE", help="a policy, or an object of it; - for standard input"
    )
    how = swap.add_mutually_exclusive_group()
    _add_dry_run(how)
    how.add_argument(
        "--trial",
        metavar="TIME",
        type=_trial,
        help="how long to try the policy, as in `90s`, `10m` or `2h`",
    )
    _add_force(swap)
    _add_compiling(swap)


def add_rollback(commands: Commands) -> None:
    """Adds `rollback`."""
    help = "put the policy of the previous generation in force"
    _add_force(_add(commands, "rollback", _rollback, help, _ROLLBACK))


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
        help="change a tunable, as in `quantum=500us`",
    )
    how = run.add_mutually_exclusive_group()
    _add_dry_run(how)
    how.add_argument(
        "--detach",
        action="store_true",
        help="return when the policy is in force; the loader stays in the background",
    )
    run.add_argument(
        "--restart",
        metavar="WHEN",
        type=_restart,
        help="`on-failure` loads the policy again after the kernel ejects it, at most 3 times "
        "within 10 minutes; `on-failure:N` at most N times",
    )
    run.add_argument(
        "-v", "--verbose", action="count", default=0, help="print each step; twice: more detail"
    )
    run.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    add_state(run)
    _add_force(run)
    _add_compiling(run)


def _add(
    commands: Commands, name: str, run: object, help: str, epilog: str
) -> Parser:  # fmt: skip
    assert callable(run)
    description = f"{help[0].upper()}{help[1:]}."
    parser = add_command(commands, name, run, help=help, description=description, epilog=epilog)
    add_state(parser)
    return parser


def _add_dry_run(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="load and verify the policy, show what would change, and change nothing",
    )


def _add_force(parser: Parser) -> None:
    parser.add_argument(
        "--force",
        action="store_true",
        help="even if the loader took the policy out before",
    )


def _add_compiling(parser: Parser) -> None:
    """Adds the options of a command that compiles."""
    from gthulhuc.cli import compile as compiler

    compiler.add_options(parser)
    reporting.add_options(parser)


def _restart(text: str) -> str:
    import argparse

    if re.fullmatch(r"on-failure(:[0-9]{1,3})?", text):
        return text
    raise argparse.ArgumentTypeError(f"expected `on-failure` or `on-failure:N`, found `{text}`")


def _trial(text: str) -> int:
    """How long a trial lasts, in ms."""
    import argparse

    found = re.fullmatch(r"([0-9]{1,6})(s|m|h)", text)
    ms = int(found[1]) * {"s": 1000, "m": 60_000, "h": 3_600_000}[found[2]] if found else 0
    if 0 < ms <= 7 * 24 * 3_600_000:
        return ms
    raise argparse.ArgumentTypeError(
        f"expected a time of at most 168h, such as `90s` or `10m`, found `{text}`"
    )


def _setting(text: str) -> str:
    import argparse

    name, equals, value = text.partition("=")
    if name and equals and value:
        return text
    raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found `{text}`")


def _change(text: str) -> str:
    import argparse

    if not re.fullmatch(r"[^=]+(=.*|-)", text, re.DOTALL):
        raise argparse.ArgumentTypeError(f"expected KEY=VALUE or KEY-, found `{text}`")
    if any(mark in text for mark in "\t\n"):
        raise argparse.ArgumentTypeError(f"{text}: remove tabs and newlines from the label")
    return text


# ---- the commands -------------------------------------------------------------------------------


def _run(options: argparse.Namespace) -> int:
    from gthulhu import loader

    return loader.run(options)


def _show(options: argparse.Namespace) -> int:
    import json

    from gthulhu import control, provenance

    not_running = "no policy is in force"
    try:
        answer = control.ask(options.state, "status")
    except control.NotRunningError as error:
        not_running = str(error)
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
        if "policy" in answer:
            lines = _described(answer)
        else:
            lines = _nothing(options.state, answer, not_running)
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
    frame.out(f"labelled {number} process{'es' if number != 1 else ''}\n")
    if unused := answer.get("unused"):
        frame.err(f"  = note: no rule of the policy uses {unused}\n")
    return frame.OK


def _swap(options: argparse.Namespace) -> int:
    from gthulhu import control, loader
    from gthulhuc.cli import files

    _ask(options, "status")  # fails before the compiler's work if no loader responds
    content = loader.object_of(options.policy, options)
    if isinstance(content, int):
        return content
    if content is None:
        _, content = files.read_file(options.policy)
    # A loader that runs as a service sees neither our home nor our /tmp.
    file = loader.in_memory(content)
    called = loader.called(options.policy)
    flags = ["force"] * options.force
    if options.dry_run:
        answer = _ask(options, "swap", "-", called, "dry-run", *flags, is_long=True, file=file)
        return _compared(answer, options, content)
    if options.trial is not None:
        answers = control.Conversation(
            options.state, "swap", "-", called, f"trial={options.trial}", *flags, file=file
        )
        return _try_out(answers, options, content)
    return _exchanged(_ask(options, "swap", "-", called, *flags, is_long=True, file=file))


def _try_out(answers: Conversation, options: argparse.Namespace, content: bytes) -> int:
    """Waits for the end of a trial."""
    from gthulhu import trial
    from gthulhuc.cli.inspection import read_metadata

    code = _exchanged(answers.last)
    if code != frame.OK:
        return code
    note = f"on trial for {options.trial // 1000} s; Ctrl-C goes back\n"
    if not read_metadata(options.policy, content).get("promises"):
        note += "it has no promise, so the policy before comes back in any case\n"
    return trial.follow(options.state, answers, note)


def _compared(answer: Answer, options: argparse.Namespace, content: bytes) -> int:
    """Shows what a policy that the kernel accepts would change."""
    from gthulhu import loader, preview
    from gthulhuc.diagnostics.human import visible

    if not answer.get("ok"):
        return _outcome(answer, "")
    shown = preview.lines(options, content, loader.called(options.policy))
    frame.out("".join(f"{visible(line)}\n" for line in shown))
    return frame.OK


def _rollback(options: argparse.Namespace) -> int:
    from gthulhu import control

    try:
        return _exchanged(_ask(options, "rollback", *["force"] * options.force, is_long=True))
    except control.NotRunningError as error:
        before = control.kept_generations(options.state)[1:]
        if before:
            which = f"the previous generation, {before[0].number} ({before[0].called}),"
            error.hint = f"`{before[0].recall()}` puts {which} in force"
        raise


def _stop(options: argparse.Namespace) -> int:
    answer = _ask(options, "stop", is_long=True)
    return _outcome(answer, "stopped {policy}, generation {generation}")


# ---- answers ------------------------------------------------------------------------------------


def _ask(
    options: argparse.Namespace, *fields: str, is_long: bool = False, file: int | None = None
) -> Answer:
    from gthulhu import control

    return control.ask(options.state, *fields, is_long=is_long, file=file)


def _outcome(answer: Answer, well: str) -> int:
    """Prints the result of a request; `well` is the format for success. Returns the exit code."""
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
    well = "{policy}, generation {generation}, is in force; it replaced {from}"
    if "gap_us" in answer:
        gap_ms = answer["gap_us"] / 1000
        well += f". The kernel's own scheduler ran for {gap_ms:.1f} ms in between"
    return _outcome(answer, well)


def _described(answer: Answer) -> Iterator[str]:
    """The policy in force, for people."""
    from gthulhu import promises, provenance

    state = "is in force" if answer["in_force"] else "is not in force any more"
    if answer["in_force"] and answer.get("monitor"):
        state = "counts and does not schedule"
    yield f"{answer['policy']}, generation {answer['generation']}, {state}"
    scheduler = answer["scheduler"] or "none"
    rows = {
        "since": answer["since"],
        **provenance.describe(answer["compared"], answer["object"]),
        "loader": f"pid {answer['pid']}",
        "kernel": f"{answer['kernel']}, sched_ext {answer['state']}: {scheduler}",
    }
    if answer["restarts"]:
        rows["ejected"] = f"{answer['restarts']} times, each time loaded again"
    for name, text in rows.items():
        yield f"  {name:<8}  {text}"
    row = "  tunable   {name} = {value} in {low}..{high}, initially {initial}"
    yield from (row.format_map(tunable) for tunable in answer["tunables"])
    if left := answer.get("trial_ms"):
        yield f"  trial     for {left // 1000} s more; it stays if every promise holds"
    yield from (f"  promise   {line}" for line in promises.lines(answer))
    yield from (f"  went back {line}" for line in promises.fallback(answer))
    for call in answer.get("calls", ()):
        how = f"not traced: {call['why']}" if "why" in call else f"traced by {call['by']}"
        yield f"  calls     {call['function']}, {how}"


def _labels(answer: Answer) -> Iterator[str]:
    """The labels of a process and of its container."""

    def shown(fact: Answer) -> str:
        giver = f" (from {fact['from']})" if "from" in fact else ""
        return str(fact["fact"]).removeprefix("label:") + giver

    def text(facts: list[Answer]) -> str:
        return ", ".join(map(shown, facts)) or "none"

    yield f"its own: {text(answer['own'])}"
    if not answer["cgroup"]:
        yield "no container is known"
        return
    yield f"of {answer['cgroup']}: {text(answer['container'])}"
    if not answer["complete"]:
        yield "the container may have more labels"


def _nothing(folder: str, answer: Answer, not_running: str) -> Iterator[str]:
    """The reasons why no policy is in force, as far as they are known."""
    from gthulhu import control

    yield not_running
    if scheduler := answer["scheduler"]:
        yield f"  another sched_ext scheduler is in force: {scheduler}"
    if killed := control.last_state(folder):
        yield f"  the loader of {killed.get('policy')} (pid {killed.get('pid')}) was killed"
    if reason := control.given_back(folder):
        yield f"  the last loader gave the machine back to the kernel: {reason}"
    for which, kept in zip(("last", "previous"), control.kept_generations(folder), strict=False):
        command = kept.command() if which == "last" else kept.recall()
        yield f"  {which} generation: {kept.number}, {kept.called}: `{command}` loads it again"
    if log := control.last_log(folder):
        yield "  end of the last loader's log:"
        yield from (f"  | {line}" for line in log[-5:])


def _active_scheduler() -> str:
    from pathlib import Path

    try:
        return Path(_SCHEDULER).read_text().strip()
    except OSError:
        return ""
