# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain --pid` and `--all`: the rules of running tasks, and why they have them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gthulhu import control, counters, labels, processes, provenance
from gthulhuc.cli import explain, frame, shared
from gthulhuc.cli.frame import CommandError
from gthulhuc.reference import Task, classify, value

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping

    from gthulhu.counters import Class, Owner
    from gthulhu.labels import Held, LabelEntry, Labels
    from gthulhu.processes import Process
    from gthulhuc import checked
    from gthulhuc.fields import Field

_ATTEMPTS = 3
_WHY_THEY_DIFFER = (
    "the scheduler knows the names of parents and ancestors from the fork, and arguments from the "
    "exec; /proc has the current ones; if the policy uses none of these, please report this with "
    "the policy"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The source of the policy in force; `why_not`: why it is unknown or has changed.

    `ids`: the numbers of the users and groups that it names. `asks`: the facts that it compares.
    """

    policy: checked.Policy | None
    why_not: str
    ids: Mapping[str, Any] = field(default_factory=dict)
    asks: frozenset[Field] = frozenset()


@dataclass(frozen=True, slots=True)
class Case:
    """A task, the owner of its class in the kernel, and the classes that the reference expects.

    `held`: its labels; None: the policy uses none. `facts`: the task with its labels, and with the
    best guesses for the facts that only the scheduler knows. `expected`: the names of the possible
    classes; empty: unknown.
    """

    process: Process
    owner: Owner
    held: Held | None
    facts: Task
    expected: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether the class in the kernel differs from all expected ones."""
        return bool(self.expected) and self.owner.name not in self.expected


def run(options: argparse.Namespace) -> int:
    """Prints one task or all; returns the exit status."""
    return _show_all(options) if options.all else _show_one(options)


# ---- facts and expectations ---------------------------------------------------------------------


def _ask(options: argparse.Namespace, *which: str) -> control.Answer:
    answer = control.ask(options.state, "tasks", *which)
    if answer.get("ok"):
        return answer
    raise CommandError(str(answer["error"]), str(answer.get("help", "")))


def _source(options: argparse.Namespace, answer: control.Answer) -> Source:
    """The policy's source: the given file, or the one beside the object."""
    metadata = metadata_of(options.state, answer)
    try:
        return source_of(answer["object"], metadata, options.file)
    except CommandError as error:
        if options.file is not None:
            raise
        name, pid = metadata["file"], "--all" if options.all else f"--pid {options.pid}"
        hint = f"give its path with `gthulhu explain PATH/{name} {pid}`"
        return Source(None, f"the policy's source is missing ({error}): {hint}")


def source_of(called: str, metadata: dict[str, Any], file: str | None = None) -> Source:
    """The source of an object that was loaded as `called`, from `file` or beside the object.

    Raises CommandError if it cannot be read.
    """
    from gthulhuc.explanation import asked
    from gthulhuc.frontend import check

    if not {"file", "sha256"} <= metadata.keys():
        return Source(None, "the object does not name its source")
    path = provenance.source_path(called, metadata) if file is None else file
    if path is None:
        return Source(None, "the policy came from standard input, which cannot be read again")
    source, _ = shared.read_source(str(path))
    policy, _ = check(source)
    if policy is None:
        return Source(None, f"{path} has errors")
    now = {(Path(part.source.shown).name, part.source.sha256) for part in policy.sources}
    then = {(library["file"], library["sha256"]) for library in metadata.get("included", ())}
    if source.sha256 != metadata["sha256"] or not then <= now:
        return Source(None, f"{path} has changed since it was compiled")
    return Source(policy, "", explain.known_ids(policy), asked(policy))


def metadata_of(state: str, answer: control.Answer) -> dict[str, Any]:
    """The metadata of the object in force."""
    from gthulhuc.cli.inspection import read_metadata

    path = Path(state) / f"generation-{answer['generation']}.bpf.o"
    name, content = shared.read_file(str(path))
    return read_metadata(name, content)


def case_of(process: Process, owner: Owner, source: Source, held: Held | None) -> Case:
    """Compares a task's class in the kernel with the classes that the reference expects."""
    from gthulhuc.fields import LATE

    policy = source.policy
    facts = process.facts if held is None else held.add_to(process.facts)
    if policy is None:
        return Case(process, owner, held, facts, ())
    guesses = [replace(task, **source.ids) for task in _guesses(source, policy, facts)]
    told = not source.asks & LATE or (held is not None and held.certain)
    possible = [(task, set(_possible(policy, task, labels_told=told))) for task in guesses]
    agreeing = [task for task, found in possible if owner.name in found]
    expected = dict.fromkeys(name for _, found in possible for name in sorted(found))
    return Case(process, owner, held, (agreeing or guesses)[0], tuple(expected))


def _guesses(source: Source, policy: checked.Policy, facts: Task) -> Iterator[Task]:
    """The task with each possible value of the facts that only the scheduler knows."""
    from gthulhuc.fields import Field

    heirs = [rule.name for rule in policy.rules if rule.actions.inherit]
    inherits = [frozenset[str](), *(frozenset({name}) for name in heirs)]
    moods = (False, True) if Field.INTERACTIVE in source.asks else (False,)
    for inherited in inherits:
        for interactive in moods:
            yield replace(facts, interactive=interactive, inherits=inherited)


def _possible(policy: checked.Policy, task: Task, *, labels_told: bool) -> Iterator[str]:
    """The class that follows from the known facts, and those that unknown facts may lead to.

    If the loader told all labels, the scheduler knows no more of them. Calls are never told.
    """
    from gthulhuc.explanation import fields
    from gthulhuc.fields import Field

    verdict = classify(policy, task)
    yield verdict.name
    for rule in policy.rules:
        if rule is verdict.rule:
            break
        may_take = not rule.actions.monitor and (rule.kthreads or not task.kthread)
        if not may_take or value(rule.match, task) is not None:
            continue
        if not labels_told or Field.CALLS in fields(rule.match):
            yield rule.name


def _owners(answer: control.Answer) -> list[Owner]:
    return [counters.owner(each["owner"]) for each in answer["classes"]]


def _cases(answer: control.Answer, options: argparse.Namespace, source: Source) -> Iterator[Case]:
    """The tasks of a response that still exist."""
    held = labels.held_in(answer)
    owners = _owners(answer)
    for each in answer["tasks"]:
        case = _case(each, owners, held, options, source)
        for _ in range(_ATTEMPTS):
            if case is None or not case.differs:
                break
            # The task may just have changed: only a lasting difference counts.
            again = _ask(options, str(each["tid"]))
            if again["generation"] != answer["generation"]:
                raise CommandError(
                    "another policy was put in force meanwhile", "run the command again"
                )
            case = None
            if again["tasks"]:
                case = _case(again["tasks"][0], owners, labels.held_in(again), options, source)
        if case is not None:
            yield case


def _case(
    each: control.Answer, owners: list[Owner], held: Labels | None,
    options: argparse.Namespace, source: Source,
) -> Case | None:  # fmt: skip
    """A task of a response; None: it has ended."""
    process = processes.read(each["tid"], Path(options.proc))
    if process is None:
        return None
    own = (
        None
        if held is None
        else held.of(each["label_set"], process.facts.cgroup, is_gone=process.is_cgroup_gone)
    )
    return case_of(process, owners[each["class"]], source, own)


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
    answer = _ask(options, str(options.pid))
    source = _source(options, answer)
    case = next(_cases(answer, options, source), None)
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
    answer = _ask(options)
    source = _source(options, answer)
    cases = list(_cases(answer, options, source))
    if options.json:
        found = [_as_json(case, None, None) for case in cases]
        document = _in_force(answer, source) | {"tasks": found}
        frame.out(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
        return _concluded(cases)
    if source.policy is None:
        frame.err(f"  = note: not compared with the reference: {source.why_not}\n")
    by_owner: dict[Owner, list[Case]] = {owner: [] for owner in _owners(answer)}
    for case in cases:
        by_owner[case.owner].append(case)
    for owner, own in by_owner.items():
        if own:
            _print(_listed(owner, own))
    return _concluded(cases)


def _listed(owner: Owner, cases: Iterable[Case]) -> Iterator[str]:
    rows = sorted(cases, key=lambda case: case.process.tid)
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


def _concluded(cases: Iterable[Case]) -> int:
    """Reports tasks for which the kernel and the reference differ; returns the exit status."""
    differing = [case for case in cases if case.differs]
    for number, case in enumerate(differing, 1):
        process = case.process
        expected = " or ".join(f"`{name}`" for name in case.expected)
        frame.complain(
            f"THE KERNEL AND THE REFERENCE DIFFER: task {process.tid} `{process.name}` is in "
            f"{_called(case.owner)}, and should be in {expected}",
            _WHY_THEY_DIFFER if number == len(differing) else "",
        )
    return frame.FOUND_ERRORS if differing else frame.OK
