# SPDX-License-Identifier: Apache-2.0
"""`--dry-run`: what a policy would change, next to the one in force or to none."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from gthulhu import cases, control, labels, processes
from gthulhu.counters import Owner
from gthulhuc.bounds import bounds, show_ns
from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError
from gthulhuc.cli.inspection import read_metadata
from gthulhuc.diagnostics.human import visible
from gthulhuc.difference import changes
from gthulhuc.passes.reading.values import QUANTITIES
from gthulhuc.passes.reading.values import show as show_value

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from gthulhu.cases import Case, Source
    from gthulhu.processes import Process
    from gthulhuc import checked

_SHOWN = 8
_NOBODY = Owner("the kernel's own scheduler", None, None)


def show(options: argparse.Namespace, content: bytes, called: str) -> None:
    """Prints what the object `content`, loaded as `called`, would change."""
    frame.out("".join(f"{visible(line)}\n" for line in lines(options.state, content, called)))


def lines(state: str, content: bytes, called: str) -> Iterator[str]:
    """Yields a line for each change next to the policy of the loader in the folder `state`."""
    metadata = read_metadata(called, content)
    after = _source(called, metadata)
    answer = _ask(state)
    before = cases.Source(None, "no policy is in force")
    then: dict[str, Any] = {}
    if answer is not None:
        try:
            then = cases.metadata_of(state, answer)
            before = _source(answer["object"], then)
        except CommandError as error:
            before = cases.Source(None, str(error))
    yield f"{metadata.get('policy', called)}: the kernel accepts it; nothing was changed"
    if after.policy is None:
        yield f"  tasks     not compared: {after.why_not}"
    else:
        yield from _block("tasks", _tasks(answer, after))
    yield from _block("tunables", _tunables(then, metadata))
    yield from _block("promises", _promises(then, metadata))
    yield from _block("when", _conditions(then, metadata))
    if after.policy is not None and (answer is None or before.policy is not None):
        yield from _block("classes", classes(before.policy, after.policy))
        yield from _block("bounds", _bounds(before.policy, after.policy))
    elif after.policy is not None:
        yield f"  classes   not compared: {before.why_not}"


def _source(called: str, metadata: dict[str, Any]) -> Source:
    """The source of an object, if it is beside it and has not changed."""
    try:
        return cases.source_of(called, metadata)
    except CommandError as error:
        return cases.Source(None, f"the policy's source is missing ({error})")


def _ask(folder: str) -> control.Answer | None:
    """The classes of all tasks; None: no policy is in force."""
    try:
        answer = control.ask(folder, "tasks")
    except control.NotRunningError:
        return None
    if answer.get("ok"):
        return answer
    raise CommandError(str(answer["error"]), str(answer.get("help", "")))


def _block(title: str, rows: Iterable[str]) -> Iterator[str]:
    for index, row in enumerate(rows):
        yield f"  {'' if index else title:<9} {row}"


# ---- tasks --------------------------------------------------------------------------------------


def _tasks(answer: control.Answer | None, after: Source) -> Iterator[str]:
    """The tasks that change class, by the classes from and to."""
    tasks = list(_cases(answer, after))
    moved = sorted(
        (case for case in tasks if case.differs),
        key=lambda case: (case.owner.name, case.expected, case.process.tid),
    )
    yield f"{len(moved)} of {len(tasks)} change class"
    for (owner, to), found in groupby(moved, lambda case: (case.owner.name, case.expected)):
        own = list(found)
        names = ", ".join(f"{case.process.tid} {case.process.name}" for case in own[:_SHOWN])
        more = f" and {len(own) - _SHOWN} more" if len(own) > _SHOWN else ""
        yield f"{len(own)} from {owner} to {' or '.join(to)}: {names}{more}"


def _cases(answer: control.Answer | None, after: Source) -> Iterator[Case]:
    """Each task, with its class now and those that the policy may give it."""
    if answer is None:
        for process in _all_tasks():
            yield cases.case_of(process, _NOBODY, after, None)
        return
    held = labels.held_in(answer)
    owners = cases.owners_in(answer)
    for each in answer["tasks"]:
        case = cases.case_in(each, owners, held, after)
        if case is not None:
            yield case


def _all_tasks() -> Iterator[Process]:
    for path in processes.PROC.glob("[0-9]*/task/[0-9]*"):
        process = processes.read(int(path.name))
        if process is not None:
            yield process


# ---- the policies -------------------------------------------------------------------------------


def _tunables(then: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    before = {each["name"]: each for each in then.get("tunables", ())}
    after = {each["name"]: each for each in now.get("tunables", ())}
    for name, each in after.items():
        if name not in before:
            yield f"{name}: new, {_tunable(each)}"
        elif before[name] != each:
            yield f"{name}: {_tunable(each)}, was {_tunable(before[name])}"
    yield from (f"{name}: gone" for name in before if name not in after)


def _tunable(each: dict[str, Any]) -> str:
    quantity = QUANTITIES[each.get("unit", "")]
    initial, low, high = (show_value(each[name], quantity) for name in ("initial", "low", "high"))
    return f"{initial} in {low}..{high}"


def _promises(then: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    before, after = (list(map(_promise, each.get("promises", ()))) for each in (then, now))
    yield from (f"new, {text}" for text in after if text not in before)
    yield from (f"gone: {text}" for text in before if text not in after)


def _conditions(then: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """The conditions that only one policy has."""
    before, after = ([w["condition"] for w in each.get("whens", ())] for each in (then, now))
    yield from (f"new, {text}" for text in after if text not in before)
    yield from (f"gone: {text}" for text in before if text not in after)


def _promise(each: dict[str, Any]) -> str:
    window = show_ns(each["window_ns"])
    return f"{each['rule']} over {window}: {', '.join(each['claims'])}, else {each['else']}"


def classes(before: checked.Policy | None, after: checked.Policy) -> Iterator[str]:
    """Yields a line for each class that is new, gone or has other actions."""
    for each in changes.classes(before, after):
        if not each.is_new:
            yield f"{each.name}: gone"
        elif not each.is_old:
            listed = (f"{action.name} {action.new}".strip() for action in each.actions)
            yield ", ".join([f"{each.name}: new", *listed])
        else:
            yield f"{each.name}: " + ", ".join(
                f"{action.name} {_value(action.new)}, was {_value(action.old)}"
                for action in each.actions
            )


def _value(text: str | None) -> str:
    """The value of an action; one that is a word alone is there or not."""
    return "no" if text is None else text or "yes"


def _bounds(before: checked.Policy | None, after: checked.Policy) -> Iterator[str]:
    """The longest waits without an overdue task ahead that differ."""
    old = {} if before is None else {each.name: each.wait_ns() for each in bounds(before)}
    for each in bounds(after):
        was = old.get(each.name)
        if was != each.wait_ns():
            note = "" if was is None else f", was {show_ns(was)}"
            yield f"{each.name}: waits at most {show_ns(each.wait_ns())}{note}"
