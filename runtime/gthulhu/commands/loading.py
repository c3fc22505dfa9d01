# SPDX-License-Identifier: Apache-2.0
"""`gthulhu run`, `swap` and `rollback`: they put a policy in force."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

from gthulhu.commands import operations
from gthulhu.options import add_state
from gthulhuc.cli import frame, reporting
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse

    from gthulhu.control import Answer, Conversation
    from gthulhuc.cli.commands import Commands, Parser

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
        type=operations.setting,
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


def add_swap(commands: Commands) -> None:
    """Adds `swap`."""
    swap = operations.add(
        commands, "swap", _swap, "replace the policy in force with another one", _SWAP
    )
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
    _add_force(operations.add(commands, "rollback", _rollback, help, _ROLLBACK))


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


# ---- the commands -------------------------------------------------------------------------------


def _run(options: argparse.Namespace) -> int:
    from gthulhu import loader

    return loader.run(options)


def _swap(options: argparse.Namespace) -> int:
    from gthulhu import control, loader
    from gthulhuc.cli import files

    operations.ask(options, "status")  # fails before the compiler's work if no loader responds
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
        answer = operations.ask(
            options, "swap", "-", called, "dry-run", *flags, is_long=True, file=file
        )
        return _compared(answer, options, content)
    if options.trial is not None:
        request = ("swap", "-", called, f"trial={options.trial}", *flags)
        with closing(control.Conversation(options.state, *request, file=file)) as answers:
            return _try_out(answers, options, content)
    return _exchanged(operations.ask(options, "swap", "-", called, *flags, is_long=True, file=file))


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

    if not answer.get("ok"):
        return operations.outcome(answer, "")
    preview.show(options, content, loader.called(options.policy))
    return frame.OK


def _rollback(options: argparse.Namespace) -> int:
    from gthulhu import control

    try:
        return _exchanged(
            operations.ask(options, "rollback", *["force"] * options.force, is_long=True)
        )
    except control.NotRunningError as error:
        before = control.kept_generations(options.state)[1:]
        if before:
            which = f"the previous generation, {before[0].number} ({before[0].called}),"
            error.hint = f"`{before[0].recall()}` puts {which} in force"
        raise


def _exchanged(answer: Answer) -> int:
    well = "{policy}, generation {generation}, is in force; it replaced {from}"
    if "gap_us" in answer:
        gap_ms = answer["gap_us"] / 1000
        well += f". The kernel's own scheduler ran for {gap_ms:.1f} ms in between"
    return operations.outcome(answer, well)
