# SPDX-License-Identifier: Apache-2.0
"""Classes of tasks, and the queue domains in which they wait."""

from __future__ import annotations

from gthulhuc import checked, ir
from gthulhuc.plan.facts import Facts

MS = 1_000_000
LEAD_NS = {
    checked.Level.URGENT: 40 * MS,
    checked.Level.HIGH: 20 * MS,
    checked.Level.NORMAL: 0,
    checked.Level.LOW: -40 * MS,
    checked.Level.IDLE: -400 * MS,
}
"""How far ahead in virtual time a level is: bounded, so that nobody starves."""

KERNEL_THREADS = checked.Actions(
    priority=checked.Level.NORMAL,
    weight=100,
    slice_min_ns=1 * MS,
    slice_max_ns=5 * MS,
    cpus=None,
    migrate=checked.Migrate.BALANCED,
    migrate_return=False,
    preempt=False,
)
"""Kernel threads have nothing of the policy's `default`, which is about programs."""

CpuSet = tuple[tuple[int, ...], bool] | None


class Classes:
    """The classes of a policy in the order in which they are tried, and their domains."""

    def __init__(self, policy: checked.Policy, facts: Facts) -> None:
        rows: list[tuple[str, int | None, ir.Condition | None, checked.Actions]] = [
            (rule.name, rule.span.line, facts.condition(rule.match), rule.actions)
            for rule in policy.rules
        ]
        default_line = policy.default_span.line if policy.default_span else None
        rows.append(("default", default_line, None, policy.default))
        rows.append(("kernel threads", None, None, KERNEL_THREADS))

        self._levels = sorted({actions.priority for *_, actions in rows})
        self.levels = tuple(_word(level) for level in self._levels)
        self.domains = self._plan_domains(rows)
        ids = [*_ids([name for name, *_ in rows[:-2]]), "default", "kthread"]
        self.classes = tuple(
            self._plan_class(id_, *row) for id_, row in zip(ids, rows, strict=True)
        )

    def _plan_class(
        self,
        id_: str,
        name: str,
        line: int | None,
        condition: ir.Condition | None,
        actions: checked.Actions,
    ) -> ir.TaskClass:
        return ir.TaskClass(
            id=id_,
            name=name,
            line=line,
            condition=condition,
            level=_word(actions.priority),
            lead_ns=LEAD_NS[actions.priority],
            weight=actions.weight,
            slice_min_ns=actions.slice_min_ns,
            slice_max_ns=actions.slice_max_ns,
            domain=self._domain_ids[_cpu_set(actions)],
            migrate=actions.migrate.value,
            migrate_return=actions.migrate_return,
            preempts=self._preempted_by(actions),
        )

    def _preempted_by(self, actions: checked.Actions) -> tuple[str, ...]:
        """Levels in use that a class with these actions may interrupt, the lowest first."""
        if not actions.preempt:
            return ()
        return tuple(_word(level) for level in reversed(self._levels) if level > actions.priority)

    def _plan_domains(
        self, rows: list[tuple[str, int | None, ir.Condition | None, checked.Actions]]
    ) -> tuple[ir.Domain, ...]:
        """One domain for each set of CPUs that a class names, and the shared one, first."""
        owners: dict[CpuSet, tuple[str | None, int | None]] = {None: (None, None)}
        express: set[CpuSet] = set()
        for name, _, _, actions in rows:
            key = _cpu_set(actions)
            line = actions.cpus.span.line if actions.cpus else None
            owners.setdefault(key, (name, line))
            if self._preempted_by(actions):
                express.add(key)
        ids = ["shared", *_ids([str(rule) for rule, _ in list(owners.values())[1:]], {"shared"})]
        self._domain_ids = dict(zip(owners, ids, strict=True))
        return tuple(
            ir.Domain(
                id=self._domain_ids[key],
                cpus=key[0] if key else None,
                exclusive=bool(key and key[1]),
                express=key in express,
                rule=rule,
                line=line,
            )
            for key, (rule, line) in owners.items()
        )


def _cpu_set(actions: checked.Actions) -> CpuSet:
    return (actions.cpus.cpus, actions.cpus.exclusive) if actions.cpus else None


def _word(level: checked.Level) -> str:
    return level.name.lower()


def _ids(names: list[str], taken: set[str] | None = None) -> list[str]:
    """Names as C identifiers in lower case, made unique by a number where they are not."""
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
