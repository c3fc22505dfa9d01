# SPDX-License-Identifier: Apache-2.0
"""Classes of tasks, and the queue domains in which they wait."""

from __future__ import annotations

import posixpath
from functools import cache, partial
from pathlib import PurePath

from gthulhuc import checked, ir
from gthulhuc.actions import LANGUAGE, LEVELS
from gthulhuc.fields import Field
from gthulhuc.irmatch import AnyOf, Condition
from gthulhuc.plan.errors import Refusals, too_large
from gthulhuc.plan.ladders import Ladders
from gthulhuc.plan.questions import Questions, literals
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.tunables import Tunable, Value

MAX_MONITORS = 64
"""The maximum of rules with `monitor`: each has a bit in one word per task."""
MAX_GROUPS = 8
"""The capacity of a pin in the object (`templates/lib/abi.h`)."""

MAX_CPU_SETS = 63
"""Beside all CPUs, the first domain: each CPU has a bit for each domain that it serves."""

MAX_SHARES = 256
"""The maximum of classes with `share`: each takes the place of one of 4,096 cgroups."""

CpuSet = tuple[tuple[int, ...], tuple[checked.GivenGroup, ...], bool, bool, Span | None] | None


@dataclass(frozen=True, slots=True)
class _Row:
    """The origin of a class: a rule, or one of the two classes of every policy."""

    name: str
    rule: checked.Rule | None
    actions: checked.Actions
    file: str | None = None
    line: int | None = None


class Classes:
    """Returns the classes of a policy, in the order in which they are tried, and their domains.

    `deciding`: the comparisons by which names alone decide a rule, each with its class.
    """

    def __init__(
        self, policy: checked.Policy, questions: Questions, ladders: Ladders, refusals: Refusals
    ) -> None:
        self._questions = questions
        self._ladders = ladders
        for ladder in ladders.all:
            questions.first_of(ladder)
        self.deciding: list[tuple[checked.Equals, str]] = []
        rows = _rows(policy)
        refusals.attempt(lambda: _refuse_many_monitors(rows))
        refusals.attempt(lambda: _refuse_many_shares(rows))
        for row in rows:
            refusals.attempt(partial(_refuse_many_groups, row.actions))
        acting = [row for row in rows if not row.actions.monitor]
        refusals.attempt(lambda: _refuse_many_cpu_sets(acting))
        self._varied: dict[str, set[checked.Level]] = {}
        for change in (change for when in policy.whens for change in when.changes):
            if change.priority is not None:
                self._varied.setdefault(change.rule, set()).add(change.priority)
        levels = {row.actions.priority for row in acting}
        self._levels = sorted(levels.union(*self._varied.values()))
        self.levels = tuple(level_word(level) for level in self._levels)
        self.domains = self._plan_domains(acting)
        ids = [*_ids([row.name for row in rows[:-2]]), "default", "kthread"]
        self.classes = tuple(self._plan_class(id_, row) for id_, row in zip(ids, rows, strict=True))

    def _plan_class(self, id_: str, row: _Row) -> ir.TaskClass:
        actions, rule = row.actions, row.rule
        by_name = rule is not None and self._is_by_name(rule, id_)
        return ir.TaskClass(
            id=id_,
            name=row.name,
            file=row.file,
            line=row.line,
            condition=None if rule is None else self._condition(rule, id_, by_name=by_name),
            by_name=by_name,
            kthreads=rule is not None and rule.kthreads,
            inherit=actions.inherit,
            monitor=actions.monitor,
            level=level_word(actions.priority),
            lead_ns=LEVELS[actions.priority].lead_ns,
            weight=value(actions.weight),
            slice_min_ns=value(actions.slice_min_ns),
            slice_max_ns=value(actions.slice_max_ns),
            max_wait_ns=value(actions.max_wait_ns),
            domain="shared" if actions.monitor else self._domain_ids[_cpu_set(actions)],
            prefer=None if actions.monitor else _preferred(actions.cpus),
            migrate=actions.migrate.value,
            migrate_return=actions.migrate_return,
            preempt=_preempt(actions.preempt),
            numbers={name: value(number) for name, number in actions.numbers.items()},
            preempts=() if actions.monitor else self._preempted_by(row),
            share=None if actions.monitor else _share(actions.share, rule),
        )

    def _condition(self, rule: checked.Rule, id_: str, *, by_name: bool) -> Condition:
        """The condition of a class: its predicate or, with `inherit`, the task's starter."""
        numbered = self._ladders.conditions
        if numbered and rule.span in numbered:  # a span's hash takes long, and most have none
            return numbered[rule.span]
        condition = self._questions.condition(rule.match, by_name=by_name)
        if not rule.actions.inherit:
            return condition
        span = dict(rule.actions.written).get("inherit", rule.span)
        others = condition.operands if isinstance(condition, AnyOf) else (condition,)
        return AnyOf((self._questions.inherited(id_, span), *others))

    def _is_by_name(self, rule: checked.Rule, id_: str) -> bool:
        """Whether names alone decide; if so, records the literals for the table."""
        if rule.kthreads or rule.actions.inherit or rule.actions.monitor:
            return False
        found = literals(rule.match)
        if found is None:
            return False
        self.deciding += [(equals, id_) for equals in found]
        return True

    def _preempted_by(self, row: _Row) -> tuple[str, ...]:
        """Levels that a class may preempt, the lowest first, at the highest level that it has."""
        if row.actions.preempt is None:
            return ()
        own = min({row.actions.priority, *self._varied.get(row.name, ())})
        return tuple(level_word(level) for level in reversed(self._levels) if level > own)

    def _plan_domains(self, rows: list[_Row]) -> tuple[ir.Domain, ...]:
        """One domain for each set of CPUs that a class names, and the shared one, first."""
        owners: dict[CpuSet, tuple[str | None, int | None]] = {None: (None, None)}
        for row in rows:
            key = _cpu_set(row.actions)
            line = row.actions.cpus.span.line if row.actions.cpus else None
            owners.setdefault(key, (row.name, line))
        ids = ["shared", *_ids([str(rule) for rule, _ in list(owners.values())[1:]], {"shared"})]
        self._domain_ids = dict(zip(owners, ids, strict=True))
        return tuple(
            ir.Domain(
                id=self._domain_ids[key],
                cpus=key[0] if key else None,
                groups=_groups(key[1]) if key else (),
                exclusive=bool(key and key[2]),
                core=bool(key and key[3]),
                rule=rule,
                line=line,
            )
            for key, (rule, line) in owners.items()
        )


def value(number: Value) -> ir.Value:
    """A value of the policy in the IR."""
    return ir.TunableValue(number.name) if isinstance(number, Tunable) else number


def _rows(policy: checked.Policy) -> list[_Row]:
    rows = [
        _Row(rule.name, rule, rule.actions, _file(rule), rule.span.line) for rule in policy.rules
    ]
    span = policy.default_span
    file = _base_name(span.source.shown) if span else None
    rows.append(_Row("default", None, policy.default, file, span.line if span else None))
    # They have nothing of the policy's `default`, which is about programs.
    rows.append(_Row("kernel threads", None, LANGUAGE))
    return rows


def _refuse_many_groups(actions: checked.Actions) -> None:
    cpus = actions.cpus
    if cpus is not None and len(cpus.groups) > MAX_GROUPS:
        raise too_large(
            f"`cpus` names more than {MAX_GROUPS} groups", cpus.span, "list the CPUs by number"
        )


def _refuse_many_cpu_sets(rows: list[_Row]) -> None:
    named: dict[CpuSet, Span] = {}
    for row in rows:
        if row.actions.cpus is not None and (key := _cpu_set(row.actions)) is not None:
            named.setdefault(key, row.actions.cpus.span)
    if len(named) > MAX_CPU_SETS:
        raise too_large(
            f"the policy names more than {MAX_CPU_SETS} different sets of CPUs",
            [*named.values()][MAX_CPU_SETS],
            "give rules the same list, or `prefer`: preferred CPUs do not count",
        )


def _refuse_many_monitors(rows: list[_Row]) -> None:
    monitors = [row.rule for row in rows if row.rule and row.actions.monitor]
    if len(monitors) > MAX_MONITORS:
        raise too_large(
            f"more than {MAX_MONITORS} rules with `monitor`",
            monitors[MAX_MONITORS].span,
            "merge rules, or remove those that are no longer needed",
        )


def _refuse_many_shares(rows: list[_Row]) -> None:
    shares = [row.actions.share for row in rows if row.actions.share]
    if len(shares) > MAX_SHARES:
        raise too_large(
            f"more than {MAX_SHARES} classes with `share`",
            shares[MAX_SHARES].span,
            "give tenants cgroups with `cpu.weight` and `cpu.max`, and the policy `cgroups on`",
        )


def _file(rule: checked.Rule) -> str:
    return _base_name(rule.span.source.shown)


@cache
def _base_name(path: str) -> str:
    return PurePath(path).name


def _cpu_set(actions: checked.Actions) -> CpuSet:
    """The CPUs that bind a class; None if they are only preferred."""
    cpus = actions.cpus
    if cpus is None or cpus.prefer:
        return None
    # Two rules with the same choice share it, but not if each has it for itself.
    is_own = cpus.exclusive and any(group.is_chosen for group, _ in cpus.groups)
    return cpus.cpus, cpus.groups, cpus.exclusive, cpus.core, cpus.span if is_own else None


def _preferred(cpus: checked.Cpus | None) -> ir.PreferredCpus | None:
    if cpus is None or not cpus.prefer:
        return None
    return ir.PreferredCpus(cpus.cpus, _groups(cpus.groups))


def _groups(groups: tuple[checked.GivenGroup, ...]) -> tuple[ir.CpuGroup, ...]:
    return tuple(
        ir.CpuGroup(group.value, None, which.decode("latin-1"))
        if isinstance(which, bytes)
        else ir.CpuGroup(group.value, which, None)
        for group, which in groups
    )


def _preempt(preempt: checked.Preempt | None) -> ir.Preempt | None:
    if preempt is None:
        return None
    return ir.Preempt(
        after_ns=value(preempt.after_ns),
        budget_ns=None if preempt.budget_ns is None else value(preempt.budget_ns),
        period_ns=None if preempt.period_ns is None else value(preempt.period_ns),
    )


def _share(share: checked.Share | None, rule: checked.Rule | None) -> ir.Share | None:
    if share is None:
        return None
    return ir.Share(share.low, share.high, None if rule is None else _cgroup(rule))


def _cgroup(rule: checked.Rule) -> str | None:
    """The innermost cgroup that surely has all tasks of a rule, in it or below."""
    if rule.actions.inherit:
        return None
    match rule.match:
        case checked.And(operands=operands):
            pass
        case comparison:
            operands = (comparison,)
    for operand in operands:
        match operand:
            case (
                checked.Under(subject=subject, paths=paths)
                | checked.Equals(subject=subject, values=paths)
            ) if subject.field is Field.CGROUP:
                return posixpath.commonpath(paths).decode("latin-1")
    return None


def level_word(level: checked.Level) -> str:
    """A level in the IR."""
    return level.name.lower()


def _ids(names: list[str], taken: set[str] | None = None) -> list[str]:
    """Names as unique C identifiers in lower case, with numbers if needed."""
    used = {"default", "kthread"} | (taken or set())
    ids = []
    for name in names:
        base = "".join(c if c.isascii() and c.isalnum() else "_" for c in name.lower())
        id_, number = base, 2
        while id_ in used:
            id_, number = f"{base}_{number}", number + 1
        used.add(id_)
        ids.append(id_)
    return ids
