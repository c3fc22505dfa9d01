# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter of the language: which rule takes a task, and why.

It defines the meaning of a policy as plainly as possible. The classifier in the kernel must agree
with it on every input, and `gthulhu explain` prints its result. Logic has three values (Kleene): a
predicate is True, False, or None while a fact is unknown. A rule takes a task if its predicate is
True; the first such rule of the file wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from itertools import takewhile

from gthulhuc import checked, globs, regexes
from gthulhuc.checked import Predicate, Rule
from gthulhuc.fields import ARGUMENT_MAX, ARGUMENTS_MAX, CMDLINE_MAX, COMPONENTS_MAX, LATE, Field
from gthulhuc.records import dataclass

KERNEL_THREADS = "kernel threads"
DEFAULT = "default"

Truth = bool | None


@dataclass(frozen=True, slots=True)
class Task:
    """The known facts about a task.

    `parent`, `exe`, `namespace`, `pod`, `container`: None where it has none. `labels_known`:
    whether the last three and its labels are all known already; else those that are missing here
    are not. `numbers`: those fields that are not 0. `calls`: the traced functions that it has
    entered recently enough; None: only the kernel knows. `users` and `groups`: names of the machine
    and their numbers. `inherits`: rules with `inherit` that took a task which started it, however
    indirectly.
    """

    comm: bytes = b""
    process: bytes = b""
    parent: bytes | None = None
    ancestors: tuple[bytes, ...] = ()
    cgroup: bytes = b"/"
    exe: bytes | None = None
    cmdline: tuple[bytes, ...] = ()
    labels: Mapping[bytes, bytes] = field(default_factory=dict)
    namespace: bytes | None = None
    pod: bytes | None = None
    container: bytes | None = None
    labels_known: bool = True
    numbers: Mapping[Field, int] = field(default_factory=dict)
    kthread: bool = False
    leader: bool = True
    interactive: bool = False
    calls: frozenset[checked.Calls] | None = frozenset()
    users: Mapping[bytes, int] = field(default_factory=dict)
    groups: Mapping[bytes, int] = field(default_factory=dict)
    inherits: frozenset[str] = frozenset()

    def number(self, of: Field) -> int:
        """The value of a field that is a number."""
        return self.numbers.get(of, 0)


@dataclass(frozen=True, slots=True)
class Classification:
    """The class that takes a task; `name` is the rule's, or `default` or `kernel threads`.

    `decided`: the parts of the rule's predicate that made it true, negated ones as Not. `later`:
    rules after it that would have taken the task. `monitored`: rules before it that count it.
    """

    name: str
    rule: Rule | None
    decided: tuple[Predicate, ...]
    later: tuple[Rule, ...]
    monitored: tuple[Rule, ...]


def classify(policy: checked.Policy, task: Task) -> Classification:
    """Returns the class of a task under a policy, and what decided it."""
    takers = [rule for rule in policy.rules if takes(rule, task)]
    monitored = tuple(takewhile(lambda rule: rule.actions.monitor, takers))
    deciding = [rule for rule in takers if not rule.actions.monitor]
    if not deciding:
        return Classification(KERNEL_THREADS if task.kthread else DEFAULT, None, (), (), monitored)
    rule, *later = deciding
    decided = () if _is_inherited(rule, task) else reasons(rule.match, task)
    return Classification(rule.name, rule, decided, tuple(later), monitored)


def takes(rule: Rule, task: Task) -> bool:
    """Whether a rule matches a task, regardless of earlier rules."""
    if task.kthread and not rule.kthreads:
        return False
    return _is_inherited(rule, task) or value(rule.match, task) is True


def _is_inherited(rule: Rule, task: Task) -> bool:
    return rule.actions.inherit and rule.name in task.inherits


def value(predicate: Predicate, task: Task) -> Truth:
    """Whether a predicate holds; None if that is unknown."""
    match predicate:
        case checked.Not(operand=operand):
            inner = value(operand, task)
            return None if inner is None else not inner
        case checked.And(operands=operands):
            return _all(value(operand, task) for operand in operands)
        case checked.Or(operands=operands):
            none_holds = _all(_not(value(operand, task)) for operand in operands)
            return _not(none_holds)
        case checked.Calls():
            if task.calls is None:
                return None
            wanted = (predicate.function, predicate.within_ns, predicate.via_softirq)
            return wanted in {(c.function, c.within_ns, c.via_softirq) for c in task.calls}
        case checked.Under(subject=subject, paths=paths):
            texts = _texts(subject, task) or ()
            return any(_is_under(text, path) for path in paths for text in texts)
        case checked.InRanges(subject=subject, ranges=ranges):
            number = task.number(subject.field)
            return any(low <= number <= high for low, high in ranges)
        case checked.IdNamed(subject=subject, names=names):
            ids = task.users if subject.field is Field.UID else task.groups
            return any(ids.get(name) == task.number(subject.field) for name in names)
        case checked.Has(subject=subject) if subject.field not in LATE:
            return bool(getattr(task, subject.field.value))
    return _text_value(predicate, task)


def reasons(predicate: Predicate, task: Task) -> tuple[Predicate, ...]:
    """Yields the smallest parts that make a predicate True or False for this task."""
    holds = value(predicate, task)
    match predicate:
        case checked.Not(operand=operand):
            parts = reasons(operand, task)
            return (predicate,) if parts == (operand,) else parts
        case checked.And(operands=operands) | checked.Or(operands=operands):
            alike = [operand for operand in operands if value(operand, task) == holds]
            needs_all = isinstance(predicate, checked.And) == holds
            chosen = alike if needs_all else alike[:1]
            return tuple(part for operand in chosen for part in reasons(operand, task))
    return (predicate,)


def _text_value(
    predicate: checked.Equals | checked.Glob | checked.Regex | checked.Has, task: Task
) -> Truth:
    """Whether any string of the field satisfies a test; None if unknown."""
    texts = _texts(predicate.subject, task)
    if texts is None:
        return None
    match predicate:
        case checked.Has():
            return bool(texts)
        case checked.Equals(values=values):
            return any(text in values for text in texts)
        case checked.Glob(patterns=patterns):
            return any(_glob(pattern).fullmatch(text) for pattern in patterns for text in texts)
        case checked.Regex(pattern=pattern):
            return any(_regex(pattern).fullmatch(text) for text in texts)


def _texts(subject: checked.Subject, task: Task) -> tuple[bytes, ...] | None:
    """The strings of a field: none, one, or several for ancestors; None if unknown."""
    name = subject.field
    match name:
        case Field.ANCESTOR:
            return task.ancestors
        case Field.EXE:
            is_short = task.exe is not None and task.exe.count(b"/") <= COMPONENTS_MAX
            text = task.exe if is_short else None
        case Field.CMDLINE:
            given = arguments(task.cmdline)
            number = None if subject.key is None else int(subject.key)
            return given if number is None else given[number : number + 1]
        case Field.LABEL:
            text = task.labels.get(subject.key or b"")
        case Field.UNIT:
            text = unit_of(task.cgroup)
        case Field.QOS:
            text = qos_of(task.cgroup)
        case _:
            text = getattr(task, name.value)
    if text is not None:
        return (text,)
    return None if name in LATE and not task.labels_known else ()


def unit_of(cgroup: bytes) -> bytes | None:
    """Returns the innermost systemd unit in a path."""
    units = [
        name
        for name in cgroup.split(b"/")
        if re.fullmatch(rb".+\.(service|scope)", name, re.DOTALL)
    ]
    return units[-1] if units else None


_SYSTEMD_POD = re.compile(
    rb"(?:.*-)?kubepods-(?:(besteffort|burstable)-)?pod[^-]+\.slice", re.DOTALL
)
_QOS = {None: b"guaranteed", b"burstable": b"burstable", b"besteffort": b"best-effort"}


def qos_of(cgroup: bytes) -> bytes | None:
    """Returns the QoS class of the innermost pod in a path, of either kubelet driver."""
    parts = cgroup.split(b"/")[1:]
    for end in range(len(parts), 0, -1):
        name, above = parts[end - 1], parts[: end - 1]
        if found := _SYSTEMD_POD.fullmatch(name):
            return _QOS[found[1]]
        if not re.fullmatch(rb"pod.+", name, re.DOTALL):
            continue
        if above[-1:] == [b"kubepods"]:
            return b"guaranteed"
        if above[-2:-1] == [b"kubepods"] and above[-1] in _QOS:
            return _QOS[above[-1]]
    return None


def arguments(cmdline: Sequence[bytes]) -> tuple[bytes, ...]:
    """Returns the arguments as a scheduler reads them: not all of a long command line."""
    text = b"".join(argument + b"\0" for argument in cmdline)[:CMDLINE_MAX]
    parts = text.split(b"\0")
    read = parts if parts[-1] else parts[:-1]  # the last one may be cut
    return tuple(part[:ARGUMENT_MAX] for part in read[:ARGUMENTS_MAX])


def _is_under(cgroup: bytes, path: bytes) -> bool:
    return path in {b"/", cgroup} or cgroup.startswith(path + b"/")


def _all(values: Iterable[Truth]) -> Truth:
    seen = list(values)
    if False in seen:
        return False
    return None if None in seen else True


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


@cache
def _glob(pattern: bytes) -> re.Pattern[bytes]:
    return globs.to_regex(pattern)


@cache
def _regex(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(regexes.to_python(regexes.parse(pattern)), re.DOTALL)
