# SPDX-License-Identifier: Apache-2.0
"""Running tasks, each with its class in the kernel and the classes that the reference expects."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gthulhu import control, counters, labels, processes, provenance
from gthulhuc.cli import explain, shared
from gthulhuc.cli.frame import CommandError
from gthulhuc.reference import Task, classify, value

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from gthulhu.counters import Owner
    from gthulhu.labels import Held, Labels
    from gthulhu.processes import Process
    from gthulhuc import checked
    from gthulhuc.fields import Field

_ATTEMPTS = 3


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


def ask(options: argparse.Namespace, *which: str) -> control.Answer:
    """The loader's response about the given tasks, or about all. Raises CommandError."""
    answer = control.ask(options.state, "tasks", *which)
    if answer.get("ok"):
        return answer
    raise CommandError(str(answer["error"]), str(answer.get("help", "")))


def source_in_force(options: argparse.Namespace, answer: control.Answer) -> Source:
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


def owners_in(answer: control.Answer) -> list[Owner]:
    """The owner of each class, by the class's number."""
    return [counters.owner(each["owner"]) for each in answer["classes"]]


def cases_in(answer: control.Answer, options: argparse.Namespace, source: Source) -> Iterator[Case]:
    """The tasks of a response that still exist."""
    held = labels.held_in(answer)
    owners, proc = owners_in(answer), Path(options.proc)
    for each in answer["tasks"]:
        case = case_in(each, owners, held, source, proc)
        for _ in range(_ATTEMPTS):
            if case is None or not case.differs:
                break
            # The task may just have changed: only a lasting difference counts.
            again = ask(options, str(each["tid"]))
            if again["generation"] != answer["generation"]:
                raise CommandError(
                    "another policy was put in force meanwhile", "run the command again"
                )
            case = None
            if again["tasks"]:
                case = case_in(again["tasks"][0], owners, labels.held_in(again), source, proc)
        if case is not None:
            yield case


def case_in(
    each: control.Answer,
    owners: list[Owner],
    held: Labels | None,
    source: Source,
    proc: Path = processes.PROC,
) -> Case | None:
    """A task of a response; None: it has ended."""
    process = processes.read(each["tid"], proc)
    if process is None:
        return None
    own = None
    if held is not None:
        gone = process.is_cgroup_gone
        own = held.of(each["label_set"], process.facts.cgroup, is_gone=gone)
    return case_of(process, owners[each["class"]], source, own)
