# SPDX-License-Identifier: Apache-2.0
"""Decides the `test` blocks of a policy, by the reference interpreter of the language.

Only policies with tests import this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gthulhuc import checked
from gthulhuc.checked import Fact, Predicate, Rule, Subject
from gthulhuc.diagnostics import Collector, Label, codes
from gthulhuc.fields import DERIVED, LATE, Field, Kind
from gthulhuc.passes.reading.values import show_ns
from gthulhuc.passes.reasoning.contents import field_of, leaves
from gthulhuc.records import dataclass
from gthulhuc.reference import Classification, Task, classify, reasons, takes, value
from gthulhuc.syntax.text import quote

_MOST_LABELS = 3
_ROOT = {b"root": 0}
_SOME_ID = 1  # the number of a user or group by name; then no rule compares numbers
PODS = {
    b"guaranteed": b"/kubepods.slice/kubepods-pod0.slice",
    b"burstable": b"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0.slice",
    b"best-effort": b"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod0.slice",
}
"""A cgroup of a pod, by the class of the pod."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One line of a test, its task, and the class that takes the task."""

    test: checked.Test
    line: checked.TestLine
    task: Task
    found: Classification

    @property
    def has_passed(self) -> bool:
        """Whether the task has the rule that the line names."""
        # For a kernel thread, too, `default` says that no rule takes it.
        return self.line.rule == ("default" if self.found.rule is None else self.found.name)


def decide(policy: checked.Policy) -> list[Outcome]:
    """Returns the outcome of each line of each test, in their order."""
    calls = [
        leaf
        for rule in policy.rules
        for leaf in leaves(rule.match)
        if isinstance(leaf, checked.Calls)
    ]
    found = []
    for test in policy.tests:
        for line in test.lines:
            task = task_of(line.facts, calls)
            found.append(Outcome(test, line, task, classify(policy, task)))
    return found


def check(policy: checked.Policy, report: Collector) -> list[Outcome]:
    """Reports each line whose task has another rule than it names; returns all outcomes."""
    outcomes = decide(policy)
    for outcome in outcomes:
        if not outcome.has_passed:
            _report(policy, outcome, report)
    return outcomes


# ---- tasks --------------------------------------------------------------------------------------


def task_of(facts: Sequence[Fact], asked: Iterable[checked.Calls]) -> Task:
    """Returns the task that a line describes; `asked` are the policy's `calls` comparisons."""
    known = {fact.subject.field: fact.value for fact in facts if fact.subject.key is None}
    process = _bytes(known, Field.PROCESS, Field.COMM) or b""
    comm = _bytes(known, Field.COMM, Field.PROCESS) or b""
    parent = _bytes(known, Field.PARENT)
    above = [fact.value for fact in facts if fact.subject.field is Field.ANCESTOR]
    ancestors = [parent, *above]
    arguments = known.get(Field.CMDLINE)
    numbers = {field: _number(field, facts) for field in Field if _is_number(field)}
    return Task(
        comm=comm,
        process=process,
        parent=parent,
        ancestors=tuple(dict.fromkeys(name for name in ancestors if isinstance(name, bytes))),
        cgroup=_path(known),
        exe=_bytes(known, Field.EXE),
        cmdline=arguments if isinstance(arguments, tuple) else (),
        labels={
            fact.subject.key: fact.value
            for fact in facts
            if fact.subject.key is not None and isinstance(fact.value, bytes)
        },
        namespace=_bytes(known, Field.NAMESPACE),
        pod=_bytes(known, Field.POD),
        container=_bytes(known, Field.CONTAINER),
        labels_known=any(fact.subject.field in LATE for fact in facts),
        numbers={field: number for field, number in numbers.items() if number},
        kthread=known.get(Field.KTHREAD) is True,
        leader=known.get(Field.LEADER, comm == process) is True,
        interactive=known.get(Field.INTERACTIVE) is True,
        calls=frozenset(leaf for leaf in asked if _has_called(leaf, facts)),
        users=_ids(Field.UID, facts, numbers),
        groups=_ids(Field.GID, facts, numbers),
    )


def _has_called(leaf: checked.Calls, facts: Sequence[Fact]) -> bool:
    return any(
        isinstance(call := fact.value, checked.Calls)
        and call.function == leaf.function
        and call.within_ns <= leaf.within_ns
        and (leaf.via_softirq or not call.via_softirq)
        for fact in facts
    )


def _bytes(known: Mapping[Field, object], *fields: Field) -> bytes | None:
    """The first given string of some fields; None without one."""
    found = (known[field] for field in fields if field in known)
    text = next(found, None)
    return text if isinstance(text, bytes) else None


def _is_number(field: Field) -> bool:
    return field.row.kind in (Kind.ID, Kind.NUMBER)


def _number(field: Field, facts: Sequence[Fact]) -> int:
    given = [fact.value for fact in facts if fact.subject.field is field]
    numbers = [value for value in given if isinstance(value, int)]
    if numbers:
        return numbers[0]
    return _SOME_ID if any(value not in _ROOT for value in given) else 0


def _ids(field: Field, facts: Sequence[Fact], numbers: dict[Field, int]) -> dict[bytes, int]:
    names = [fact.value for fact in facts if fact.subject.field is field]
    return _ROOT | {name: numbers[field] for name in names if isinstance(name, bytes)}


def _path(known: Mapping[Field, object]) -> bytes:
    """The cgroup: as given, or one that the unit and the pod's class follow from."""
    unit, qos = _bytes(known, Field.UNIT), _bytes(known, Field.QOS)
    if unit is None and qos is None:
        return _bytes(known, Field.CGROUP) or b"/"
    folder = b"/system.slice" if qos is None else PODS[qos]
    return folder if unit is None else folder + b"/" + unit


def written(task: Task) -> str:
    """Returns a task as the facts of a line, without those that hold when left out."""
    facts = [*_named(task), *_placed(task), *_numbered(task)]
    is_default = task.leader == (task.comm == task.process)
    facts += ["kthread"] * task.kthread
    facts += [f"{'not ' * (not task.leader)}leader"] * (not is_default)
    facts += ["interactive"] * task.interactive
    calls: dict[tuple[str, bool], int] = {}
    for call in task.calls or ():
        key = call.function, call.via_softirq
        calls[key] = min(call.within_ns, calls.get(key, call.within_ns))
    for (function, via_softirq), age_ns in sorted(calls.items()):
        age = f" within {show_ns(age_ns)}" * (age_ns > 0)
        facts.append(f'calls "{function}"{age}{" via softirq" * via_softirq}')
    return " ".join(facts) or 'comm ""'


def _named(task: Task) -> Iterator[str]:
    if task.comm or task.comm != task.process:
        yield f"comm {quote(task.comm)}"
    if task.process != task.comm:
        yield f"process {quote(task.process)}"
    if task.parent is not None:
        yield f"parent {quote(task.parent)}"
    for name in dict.fromkeys(task.ancestors):
        if name != task.parent:
            yield f"ancestor {quote(name)}"


def _placed(task: Task) -> Iterator[str]:
    if task.cgroup != b"/":
        yield f"cgroup {quote(task.cgroup)}"
    if task.exe is not None:
        yield f"exe {quote(task.exe)}"
    if task.cmdline:
        yield " ".join(["cmdline", *map(quote, task.cmdline)])
    pod = {"namespace": task.namespace, "pod": task.pod, "container": task.container}
    given = [f"{name} {quote(text)}" for name, text in pod.items() if text is not None]
    given += [f"label {quote(key)} {quote(text)}" for key, text in task.labels.items()]
    yield from given or ["not pod"] * task.labels_known


def _numbered(task: Task) -> Iterator[str]:
    ids = {Field.UID: task.users, Field.GID: task.groups}
    for field in filter(_is_number, Field):
        number = task.number(field)
        known = ids.get(field, {})
        names = [each for each in known if known[each] == number and _ROOT.get(each) != number]
        if number or names:
            yield f"{field.value} {number}"
        yield from (f"{field.value} {quote(name)}" for name in names)


# ---- reports ------------------------------------------------------------------------------------


def _report(policy: checked.Policy, outcome: Outcome, report: Collector) -> None:
    line, taker = outcome.line, outcome.found.rule
    wanted = next((rule for rule in policy.rules if rule.name == line.rule), None)
    is_short = wanted is not None and takes(wanted, outcome.task)
    labels = [] if taker is None else _labels(taker, outcome, f"why `{taker.name}` takes it")
    notes: list[str] = []
    if is_short:
        assert wanted is not None
        assert taker is not None
        notes.append(f"`{wanted.name}` matches it, too, but `{taker.name}` comes first")
    elif wanted is not None:
        labels += _labels(wanted, outcome, f"why `{wanted.name}` does not")
        notes += _reasons(wanted, outcome)
    report.error(
        codes.TEST_FAILED,
        f"test {_quoted(outcome.test.name)}: {said(outcome)}",
        line.span,
        secondary=labels,
        note=notes,
    )


def said(outcome: Outcome) -> str:
    """Returns the rule that takes the task of a failed line, and the expected one, as text."""
    taker = outcome.found.rule
    what = "no rule takes this task" if taker is None else f"rule `{taker.name}` takes this task"
    return f"{what}, expected `{outcome.line.rule}`"


def why_not(rule: Rule, task: Task) -> tuple[Predicate, ...]:
    """Returns the parts of a predicate by which a rule does not take a task."""
    return () if value(rule.match, task) is True else reasons(rule.match, task)


def _labels(rule: Rule, outcome: Outcome, text: str) -> list[Label]:
    """Labels at the parts of a predicate that decide, the first with a text."""
    task = outcome.task
    parts = outcome.found.decided if rule is outcome.found.rule else why_not(rule, task)
    spans = list(dict.fromkeys(part.span for part in parts))
    texts = [text, *[""] * len(spans)]
    return [Label(*pair) for pair in zip(spans[:_MOST_LABELS], texts, strict=False)]


def _reasons(rule: Rule, outcome: Outcome) -> Iterator[str]:
    """The missing facts by which the expected rule does not take the task."""
    if outcome.task.kthread and not rule.kthreads:
        yield f"`{rule.name}` takes no kernel thread: its predicate does not contain `kthread`"
    given = {fact.subject for fact in outcome.line.facts}
    given |= {Subject(field) for field, source in DERIVED.items() if Subject(source) in given}
    parts = why_not(rule, outcome.task)
    for subject in dict.fromkeys(_subject(leaf) for part in parts for leaf in leaves(part)):
        if subject in given or (subject.field in LATE and outcome.task.labels_known):
            continue
        otherwise = subject.field.row.otherwise
        key = "" if subject.key is None else f" {quote(subject.key)}"
        yield f"the line leaves out `{subject.field.value}{key}`; assumed: {otherwise}"


def _subject(leaf: Predicate) -> Subject:
    """The subject of a comparison, as a line gives it: arguments are given all together."""
    field = field_of(leaf)
    if isinstance(leaf, checked.Equals | checked.Glob | checked.Regex | checked.Has):
        return Subject(field) if field is Field.CMDLINE else leaf.subject
    return Subject(field)


def _quoted(name: str) -> str:
    return quote(name.encode())
