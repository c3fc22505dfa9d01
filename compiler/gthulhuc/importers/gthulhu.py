# SPDX-License-Identifier: Apache-2.0
"""Converts Gthulhu's strategies to a policy.

Gthulhu obeyed the last strategy that named a task, and node policies came after all others. In a
policy the first rule decides, so the rules are in the opposite order.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from gthulhuc.importers.command_regex import UnsupportedError, to_predicate
from gthulhuc.importers.document import Document, Finding, Rule, duration, one_of, unique, word
from gthulhuc.importers.gthulhu_rows import Row, read_rows
from gthulhuc.syntax.text import quote

_LABEL = "imported"
_EVERYTHING = frozenset({"", ".*", ".+", "^.*$", "^.*", ".*$"})
# The cgroup of every pod lies below a folder of that name, with either driver.
_IN_A_POD = 'cgroup ~ "*/kubepods*"'
_SLICE_NS = (100_000, 1_000_000_000)
_PREEMPT = ("preempt", "budget 10ms per 100ms")


class Semantics(Enum):
    """The version and mode of Gthulhu that define the meaning of the numbers."""

    CURRENT = "current"  # 0 means only a slice
    KERNEL = "kernel"  # v1.3.0 in kernel mode: 0 runs before all others
    USER = "user"  # v1.3.0 in user mode: every strategy goes to the head of the queue


def convert(
    name: str, documents: list[Any], semantics: Semantics
) -> tuple[Document, list[Finding]]:
    """Returns the policy for a file's documents, and findings about what got lost."""
    rows, findings = read_rows(name, documents)
    rules: list[Rule] = []
    pids: dict[tuple[tuple[str, str], ...], list[int]] = {}
    ordered = [row for row in rows if not row.is_node_policy]
    ordered += [row for row in rows if row.is_node_policy]
    for row in ordered:
        actions = _actions(row, semantics, findings)
        if actions is None:
            continue
        match = _match(row, findings)
        if match is not None:
            rules.append(_rule(row, match, actions, findings))
        elif row.pid:
            pids.setdefault(actions, []).append(row.pid)
    if pids:
        hint = "label the processes at run time, with the commands below"
        text = "a policy cannot name a pid, as it changes with each process"
        findings.append(Finding(name, text, hint))
    if any(_PREEMPT in rule.actions for rule in rules) or any(_PREEMPT in key for key in pids):
        text = "Gthulhu did not limit preemption; each rule gets a budget of 10ms per 100ms"
        findings.append(Finding(name, text))
    pid_rules, commands = _pid_rules(name, pids)
    rules = _named(_distinct([*pid_rules, *reversed(rules)], findings))
    if len({_band(row.priority) for row in rows} - {None}) < len(_numbers(rows)):
        text = "priorities 0 to 9 become one level of the language, 10 to 20 another"
        findings.append(
            Finding(name, text, "to order tasks within a level, give them weights with `weight`")
        )
    comment = f"Imported from {name.rsplit('/', 1)[-1]} with `gthulhu import gthulhu`."
    return Document("imported", (comment,), tuple(rules), (), tuple(commands)), findings


def _numbers(rows: Iterable[Row]) -> set[int]:
    return {row.priority for row in rows if type(row.priority) is int and 0 < row.priority <= 20}


def _band(priority: bool | int | None) -> int | None:
    if type(priority) is not int or not 0 < priority <= 20:
        return None
    return priority > 9


# ---- actions ------------------------------------------------------------------------------------


def _actions(
    row: Row, semantics: Semantics, findings: list[Finding]
) -> tuple[tuple[str, str], ...] | None:
    """The actions of a row; None if it has no effect or Gthulhu itself would ignore it."""
    result = _level(row, semantics, findings)
    if result is None:
        return None
    if row.slice_ns:
        result = (*result, ("slice", _slice(row, findings)))
    if not result:
        findings.append(Finding(row.place, "skipped: it sets neither a priority nor a slice"))
        return None
    return result


def _level(
    row: Row, semantics: Semantics, findings: list[Finding]
) -> tuple[tuple[str, str], ...] | None:
    priority = row.priority
    if isinstance(priority, int) and not 0 <= priority <= 20:
        hint = "priorities 0 to 9 preempt; 10 to 20 only run first"
        message = f"skipped: Gthulhu ignores priority {priority}, which is outside 0..20"
        findings.append(Finding(row.place, message, hint, is_error=True))
        return None
    if priority is None or priority is False:
        return ()
    if semantics is Semantics.USER and priority is not True:
        findings.append(
            Finding(row.place, "in user mode every strategy ran first and none preempted")
        )
        return (("priority", "urgent"),)
    if priority is True or 0 < priority <= 9 or (priority == 0 and semantics is Semantics.KERNEL):
        return (("priority", "urgent"), _PREEMPT)
    if priority == 0:
        return ()
    if row.slice_ns:
        message = f"at priority {priority} Gthulhu's lead accumulated; here it is bounded"
        findings.append(Finding(row.place, message))
    return (("priority", "high"),)


def _slice(row: Row, findings: list[Finding]) -> str:
    low, high = _SLICE_NS
    used = min(max(row.slice_ns, low), high)
    if used != row.slice_ns:
        is_sample = row.slice_ns == 20_000
        hint = "Gthulhu's own example has 20000 but means 20000000 (20ms)" * is_sample
        message = (
            f"a slice of {duration(row.slice_ns)} is out of range; imported as {duration(used)}"
        )
        findings.append(Finding(row.place, message, hint))
    return duration(used)


# ---- predicates ---------------------------------------------------------------------------------


def _match(row: Row, findings: list[Finding]) -> tuple[str, ...] | None:
    """The predicate of a row, in parts; None if the row has only a pid, or an error."""
    parts = [f"label {quote(key.encode())} == {quote(value.encode())}" for key, value in row.labels]
    if row.namespaces:
        parts.append(one_of("namespace", [item.encode() for item in row.namespaces]))
    if row.pods:
        parts.append(one_of("pod", [item.encode() for item in row.pods]))
    if row.regex not in _EVERYTHING:
        try:
            command = to_predicate(row.regex)
        except UnsupportedError as error:
            message = f"skipped: regular expression {row.regex!r} has no counterpart: {error}"
            findings.append(Finding(row.place, message, is_error=True))
            return None
        findings += [Finding(row.place, text) for text in command.warnings]
        if not parts and row.in_pods:
            parts.append(_IN_A_POD)
        return (*parts, command.predicate)
    return _without_command(row, parts, findings)


def _without_command(row: Row, parts: list[str], findings: list[Finding]) -> tuple[str, ...] | None:
    if row.is_node_policy and not row.regex:
        message = "skipped: a node policy without a regular expression matches nothing"
        findings.append(Finding(row.place, message))
        return None
    if row.is_node_policy:
        return ("not kthread",)
    if parts:
        findings.append(Finding(row.place, "no regular expression: matches every task of the pods"))
        return tuple(parts)
    if row.pid:
        return None
    findings.append(Finding(row.place, "no selectors: matches every task in a pod"))
    return (_IN_A_POD,)


def _rule(
    row: Row,
    match: tuple[str, ...],
    actions: tuple[tuple[str, str], ...],
    findings: list[Finding],
) -> Rule:
    comments = [f"Group: {row.group}"] if row.group else []
    if row.elsewhere:
        findings.append(
            Finding(
                row.place,
                f"a policy cannot select nodes ({'; '.join(row.elsewhere)})",
                "load the policy only on those nodes",
            )
        )
        comments += [f"Only for nodes with {text}" for text in row.elsewhere]
    name = dict(row.labels).get("app") or row.group or next(iter(row.pods), "")
    if not name and row.namespaces:
        name = row.namespaces[0]
    return Rule(word(name or row.regex, "strategy"), match, actions, tuple(comments), row.place)


def _pid_rules(
    name: str, pids: dict[tuple[tuple[str, str], ...], list[int]]
) -> tuple[list[Rule], list[str]]:
    """Rules for processes given by pid, one for each set of actions, and the labelling commands."""
    rules: list[Rule] = []
    commands: list[str] = []
    for number, (actions, members) in enumerate(pids.items(), start=1):
        value = f"pids-{number}"
        comment = f"For a process that was chosen by its pid: gthulhu label PID {_LABEL}={value}"
        match = (f'label "{_LABEL}" == "{value}"',)
        rules.append(Rule("pids", match, actions, (comment,), name))
        commands += [f"gthulhu label {pid} {_LABEL}={value}" for pid in dict.fromkeys(members)]
    return rules, commands


def _distinct(rules: list[Rule], findings: list[Finding]) -> list[Rule]:
    """The rules without those whose match equals that of an earlier one."""
    first: dict[tuple[str, ...], Rule] = {}
    for rule in rules:
        before = first.setdefault(rule.match, rule)
        if before is not rule and before.actions != rule.actions:
            message = (
                f"skipped: {before.place} selects the same tasks, and Gthulhu obeyed the later one"
            )
            findings.append(Finding(rule.place, message))
    return list(first.values())


def _named(rules: list[Rule]) -> list[Rule]:
    names = unique(rule.name for rule in rules)
    # `replace` takes ten times as long, and there may be 10,000.
    return [
        Rule(name, rule.match, rule.actions, rule.comments, rule.place)
        for rule, name in zip(rules, names, strict=True)
    ]
