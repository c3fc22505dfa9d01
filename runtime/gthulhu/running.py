# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain --pid` and `--all`: the rules of running tasks, and why they have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gthulhu import cases, counters, processes
from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError
from gthulhuc.reference import classify

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from gthulhu import control
    from gthulhu.cases import Case, Source
    from gthulhu.counters import Class, Owner
    from gthulhu.labels import Held, LabelEntry
    from gthulhuc import checked
    from gthulhuc.fields import Field

_WHY_THEY_DIFFER = (
    "the scheduler knows the names of parents and ancestors from the fork, and arguments from the "
    "exec; /proc has the current ones; if the policy uses none of these, please report this with "
    "the policy"
)


def run(options: argparse.Namespace) -> int:
    """Prints one task or all; returns the exit status."""
    return _show_all(options) if options.all else _show_one(options)


# ---- one task -----------------------------------------------------------------------------------


def _show_one(options: argparse.Namespace) -> int:
    answer, source, case = _one(options)
    counted = _counted(options, case.owner)
    if options.json:
        found = _document(answer, source, case, counted)
        frame.out(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    else:
        _print(_described(case, answer, source, counted, Path(options.proc)))
    return _concluded([case])


def document(options: argparse.Namespace) -> dict[str, Any]:
    """One task's rule and the reasons, as a JSON object. Raises CommandError."""
    answer, source, case = _one(options)
    return _document(answer, source, case, _counted(options, case.owner))


def _one(options: argparse.Namespace) -> tuple[control.Answer, Source, Case]:
    answer = cases.ask(options, str(options.pid))
    source = cases.source_in_force(options, answer)
    case = next(cases.cases_in(answer, options, source), None)
    if case is None:
        raise CommandError(
            f"task {options.pid} does not exist", "give the number of a process or a thread"
        )
    return answer, source, case


def _document(
    answer: control.Answer, source: Source, case: Case, counted: Class | None
) -> dict[str, Any]:
    return _in_force(answer, source) | _as_json(case, source.policy, counted)


def _counted(options: argparse.Namespace, owner: Owner) -> Class | None:
    """The counters of the class, if the policy counts."""
    try:
        stats = counters.read(options.state)
    except CommandError:
        return None
    return next((each for each in stats.classes if each.owner == owner), None)


def _follows(case: Case, policy: checked.Policy) -> bool:
    """Whether the class in the kernel follows from the known facts."""
    return classify(policy, case.facts).name == case.owner.name


def _described(
    case: Case, answer: control.Answer, source: Source, counted: Class | None, proc: Path
) -> Iterator[str]:
    from gthulhuc.explanation import explain as explained
    from gthulhuc.explanation import to_text

    process = case.process
    whose = "" if process.facts.leader else f" of process {process.pid}"
    yield f"task {process.tid} `{process.name}`{whose}: {_called(case.owner)}"
    yield f"  policy   {answer['policy']}, generation {answer['generation']}"
    ran, waited = _time(process.ran_ns), _time(process.waited_ns)
    yield f"  time     ran {ran}, waited {waited}, in {process.turns} turns"
    if process.apart:
        yield f"  apart    it is {process.apart}: no policy schedules it"
    if counted is not None:
        yield from _class_rows(counted)
    if case.held is not None:
        yield from _label_rows(case.held, proc)
    if source.policy is None:
        yield f"  because  unknown: {source.why_not}"
    elif _follows(case, source.policy):
        explanation = explained(source.policy, case.facts, _given(case))
        yield from to_text(explanation).splitlines()[1:]
    elif not case.differs:
        yield f"  because  {_unseen(case, source.policy)}"


def _unseen(case: Case, policy: checked.Policy) -> str:
    """The unknown facts that may explain the class if the known ones do not."""
    from gthulhuc.explanation import fields
    from gthulhuc.fields import LATE, Field

    (rule,) = (rule for rule in policy.rules if rule.name == case.owner.name)
    missing = fields(rule.match) - _given(case)
    causes = ["a function that it has called"] if Field.CALLS in missing else []
    if LATE & missing:
        causes.append("a label that only the scheduler knows")
    return f"probably of {' or '.join(causes)}"


def _class_rows(counted: Class) -> Iterator[str]:
    yield f"  class    has {counted.tasks} tasks now, ran {_time(counted.ran_ns)}"
    for name, times in (("waits", counted.waits), ("wakeups", counted.wakeups)):
        if times is not None and times.count:
            half, most = (_time(times.below(share)) for share in (0.5, 0.99))
            yield f"           {times.count} {name}, half below {half}, 99 % below {most}"
    named = [f"{name.replace('_', ' ')} {count}" for name, count in counted.counts.items() if count]
    if named:
        yield f"           {', '.join(named)}"


def _label_rows(held: Held, proc: Path) -> Iterator[str]:
    """The labels with their origins, and whether there may be more."""
    rows: dict[str, list[str]] = {}
    for fact in held.facts:
        rows.setdefault(_where_from(fact, held, proc), []).append(fact.shown)
    texts = [f"{', '.join(shown)}  ({where})" for where, shown in rows.items()]
    where = f"of its container, {held.cgroup}"
    if held.cgroup is None:
        more = "others are unknown" if texts else "unknown"
        texts.append(f"{more}: the loader knows no container of it (run `gthulhu agent`)")
    elif not held.complete:
        texts.append(f"others are unknown yet: the loader does not know all {where}")
    elif not texts:
        texts.append(f"none, and none {where}")
    for index, text in enumerate(texts):
        yield f"  {'' if index else 'labels':<8} {text}"


def _where_from(fact: LabelEntry, held: Held, proc: Path) -> str:
    if not fact.is_own:
        return f"of its container, {held.cgroup}"
    if fact.giver is None:
        return "its own"
    giver = processes.read(fact.giver, proc)
    name = "" if giver is None else f" `{giver.name}`"
    return f"from process {fact.giver}{name}, which started it"


def _given(case: Case) -> frozenset[Field]:
    """The fields that /proc and the loader know; the others are assumed."""
    from gthulhuc.fields import LATE, Field

    told = frozenset(Field) - {Field.INTERACTIVE}
    if case.facts.calls is None:
        told -= {Field.CALLS}
    return told if case.held is not None and case.held.certain else told - LATE


def _called(owner: Owner) -> str:
    if owner.file is None:
        return owner.name
    kind = "`default`" if owner.name == "default" else f"rule `{owner.name}`"
    return f"{kind} ({owner.place})"


_time = counters.show_ns


# ---- all tasks ----------------------------------------------------------------------------------


def _show_all(options: argparse.Namespace) -> int:
    answer = cases.ask(options)
    source = cases.source_in_force(options, answer)
    found = list(cases.cases_in(answer, options, source))
    if options.json:
        shown = _listing(answer, source, found)
        frame.out(json.dumps(shown, indent=2, ensure_ascii=False) + "\n")
        return _concluded(found)
    if source.policy is None:
        frame.err(f"  = note: not compared with the reference: {source.why_not}\n")
    by_owner: dict[Owner, list[Case]] = {owner: [] for owner in cases.owners_in(answer)}
    for case in found:
        by_owner[case.owner].append(case)
    for owner, own in by_owner.items():
        if own:
            _print(_listed(owner, own))
    return _concluded(found)


def listing(options: argparse.Namespace, rule: str | None = None) -> dict[str, Any]:
    """The tasks of a class by its name, or all, as a JSON object. Raises CommandError."""
    answer = cases.ask(options)
    source = cases.source_in_force(options, answer)
    if rule is not None:
        own = {i for i, owner in enumerate(cases.owners_in(answer)) if owner.name == rule}
        tasks = [each for each in answer["tasks"] if each["class"] in own]
        answer = answer | {"tasks": tasks}
    return _listing(answer, source, cases.cases_in(answer, options, source))


def _listing(answer: control.Answer, source: Source, found: Iterable[Case]) -> dict[str, Any]:
    return _in_force(answer, source) | {"tasks": [_as_json(case, None, None) for case in found]}


def _listed(owner: Owner, own: Iterable[Case]) -> Iterator[str]:
    rows = sorted(own, key=lambda case: case.process.tid)
    yield f"{_called(owner)}: {len(rows)} task{'s' * (len(rows) != 1)}"
    for case in rows:
        process = case.process
        mark = "!" if case.differs else " "
        times = f"ran {_time(process.ran_ns):>8} waited {_time(process.waited_ns):>8}"
        apart = f"  {process.apart}" if process.apart else ""
        yield f"{mark} {process.tid:>8} {process.name:<15} {times}{apart}"


# ---- both ---------------------------------------------------------------------------------------


def _in_force(answer: control.Answer, source: Source) -> dict[str, Any]:
    return {
        "policy": answer["policy"],
        "generation": answer["generation"],
        "compared": source.policy is not None,
        "why_not": source.why_not or None,
    }


def _as_json(case: Case, policy: checked.Policy | None, counted: Class | None) -> dict[str, Any]:
    from gthulhu.commands import stats
    from gthulhuc.explanation import explain as explained
    from gthulhuc.explanation import to_json

    process = case.process
    document = {
        "tid": process.tid,
        "pid": process.pid,
        "comm": process.name,
        "rule": {"name": case.owner.name, "file": case.owner.file, "line": case.owner.line},
        "ran_ns": process.ran_ns,
        "waited_ns": process.waited_ns,
        "turns": process.turns,
        "apart": process.apart,
        "differs": case.differs,
        "expected": list(case.expected),
        "labels": case.held and case.held.as_json(),
    }
    if policy is not None:
        told = case.differs or _follows(case, policy)
        facts = explained(policy, case.facts, _given(case)) if told else None
        document["explanation"] = facts and to_json(facts)
    if counted is not None:
        document["counters"] = stats.as_json(counted)
    return document


def _print(lines: Iterable[str]) -> None:
    from gthulhuc.diagnostics.human import visible

    frame.out("".join(visible(line) + "\n" for line in lines))


def _concluded(found: Iterable[Case]) -> int:
    """Reports tasks for which the kernel and the reference differ; returns the exit status."""
    differing = [case for case in found if case.differs]
    for number, case in enumerate(differing, 1):
        process = case.process
        expected = " or ".join(f"`{name}`" for name in case.expected)
        frame.complain(
            f"THE KERNEL AND THE REFERENCE DIFFER: task {process.tid} `{process.name}` is in "
            f"{_called(case.owner)}, and should be in {expected}",
            _WHY_THEY_DIFFER if number == len(differing) else "",
        )
    return frame.FOUND_ERRORS if differing else frame.OK
