# SPDX-License-Identifier: Apache-2.0
"""`gthulhu status`: the policy in force, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gthulhu.commands import operations
from gthulhuc.cli import frame

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from gthulhu.control import Answer
    from gthulhuc.cli.commands import Commands

_SCHEDULER = "/sys/kernel/sched_ext/root/ops"

_STATUS = """\
examples:
  sudo gthulhu status
  sudo gthulhu status --json | jq .generation

exit status: 0 a policy is in force, 2 usage, or the loader does not respond, 3 no policy is in
force
"""


def add(commands: Commands) -> None:
    """Adds `status`."""
    status = operations.add(commands, "status", _show, "show the policy in force", _STATUS)
    status.add_argument("--json", action="store_true", help="for programs")


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
        return operations.outcome(answer, "")
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


def _described(answer: Answer) -> Iterator[str]:
    """The policy in force, for people."""
    from gthulhu import conditions, promises, provenance

    state = "is in force" if answer["in_force"] else "is no longer in force"
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
    yield from (f"  condition {line}" for line in conditions.lines(answer))
    yield from (f"  promise   {line}" for line in promises.lines(answer))
    yield from (f"  went back {line}" for line in promises.fallback(answer))
    for placed in answer.get("cpus", ()):
        yield "  cpus      rule {rule}: `{asked}` is CPU {cpus}".format_map(placed)
    for call in answer.get("calls", ()):
        how = f"not traced: {call['why']}" if "why" in call else f"traced by {call['by']}"
        yield f"  calls     {call['function']}, {how}"


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
