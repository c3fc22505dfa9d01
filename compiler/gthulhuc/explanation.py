# SPDX-License-Identifier: Apache-2.0
"""Explains which rule takes a task, and why, for `gthulhu explain`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gthulhuc import checked
from gthulhuc.actions import NUMBERS
from gthulhuc.bounds import bounds, show_ns
from gthulhuc.checked import Predicate
from gthulhuc.claims import Claim, Promise
from gthulhuc.diagnostics.human import visible
from gthulhuc.fields import ARGUMENT_MAX, ARGUMENTS_MAX, CMDLINE_MAX, LATE, Field, Kind
from gthulhuc.passes.reading.values import QUANTITIES, share_text, show
from gthulhuc.passes.reasoning.contents import field_of, leaves
from gthulhuc.records import dataclass
from gthulhuc.reference import DEFAULT, Classification, Task, arguments, classify, value
from gthulhuc.source import Span
from gthulhuc.tunables import Value
from gthulhuc.variants import changed, of_rule, varied

_LONGEST = 76


@dataclass(frozen=True, slots=True)
class Explanation:
    """The class of a task, and the reasons.

    `varied`: `when` blocks that change the class, with the actions while that one alone holds.
    `promised`: claims about the class, with their promises. `kept_off`: rules with exclusive
    CPUs that the task could use otherwise. `undecided`: rules before the winning one that might
    take the task, depending on unknown facts. `assumed`: facts that the policy compares but the
    caller did not give.
    """

    classification: Classification
    actions: checked.Actions | None
    bound: str
    varied: tuple[tuple[checked.When, checked.Actions, str], ...]
    promised: tuple[tuple[Claim, Promise], ...]
    kept_off: tuple[checked.Rule, ...]
    undecided: tuple[checked.Rule, ...]
    assumed: tuple[str, ...]


def explain(policy: checked.Policy, task: Task, given: frozenset[Field]) -> Explanation:
    """Returns the class of a task under a policy, and why; `given` are the known fields."""
    classification = classify(policy, task)
    actions: checked.Actions | None = policy.default
    if classification.rule is not None:
        actions = classification.rule.actions
    elif task.kthread:
        actions = None
    names = {bound.name: bound for bound in bounds(policy)}
    bound = names.get(classification.name)
    before = _before(policy, classification)
    undecided = [
        rule
        for rule in before
        if (rule.kthreads or not task.kthread) and value(rule.match, task) is None
    ]
    return Explanation(
        classification,
        actions,
        "" if bound is None else bound.explanation,
        tuple(_varied(policy, classification.name)),
        tuple(
            (claim, promise)
            for promise in policy.promises
            for claim in promise.claims
            if claim.target == classification.name
        ),
        tuple(_kept_off(policy, classification, actions)),
        tuple(undecided),
        tuple(_assumed(policy, task, given)),
    )


def _varied(
    policy: checked.Policy, name: str
) -> Iterator[tuple[checked.When, checked.Actions, str]]:
    """The `when` blocks that change a class; with each, its actions and its bound."""
    own = {rule.name: rule.actions for rule in policy.rules}
    for when, change in of_rule(name, policy.whens):
        found = next(bound for bound in bounds(varied(policy, when)) if bound.name == name)
        yield when, changed(own[name], [change]), found.explanation


def _kept_off(
    policy: checked.Policy, classification: Classification, actions: checked.Actions | None
) -> Iterator[checked.Rule]:
    own = None if actions is None else actions.cpus
    for rule in policy.rules:
        cpus = rule.actions.cpus
        if (
            cpus is None
            or not cpus.exclusive
            or rule.actions.monitor
            or rule is classification.rule
        ):
            continue
        are_known = own is not None and not (own.groups or cpus.groups)
        if own is None or not are_known or set(own.cpus) & set(cpus.cpus):
            yield rule


def _before(policy: checked.Policy, classification: Classification) -> tuple[checked.Rule, ...]:
    if classification.rule is None:
        return policy.rules
    return policy.rules[: policy.rules.index(classification.rule)]


def asked(policy: checked.Policy) -> frozenset[Field]:
    """Returns the fields that a policy compares."""
    return frozenset(found for rule in policy.rules for found in fields(rule.match))


def fields(predicate: Predicate) -> frozenset[Field]:
    """Returns the fields that a predicate compares."""
    return frozenset(map(field_of, leaves(predicate)))


def _assumed(policy: checked.Policy, task: Task, given: frozenset[Field]) -> Iterator[str]:
    """The assumed facts, of those that the policy compares."""
    missing = asked(policy) - given
    if missing & LATE and not task.labels_known:
        yield "labels, namespace, pod and container are unknown"
        missing -= LATE
    for field in Field:
        if field in missing:
            yield _assumption(field, task)
    if Field.CMDLINE in asked(policy) and arguments(task.cmdline) != task.cmdline:
        yield (
            f"cmdline is cut: {ARGUMENT_MAX} bytes of an argument, {ARGUMENTS_MAX} arguments and "
            f"{CMDLINE_MAX} bytes in all are compared"
        )


def _assumption(field: Field, task: Task) -> str:
    match field:
        case Field.UNIT | Field.QOS:
            return f"{field.value} derived from cgroup {_show(task.cgroup)}"
        case Field.CALLS:
            if task.calls is None:
                return "the kernel functions that it calls are unknown"
            return "it calls none of the functions"
        case Field.ANCESTOR:
            parents = [_show(name) for name in task.ancestors]
            return f"no ancestors but {', '.join(parents)}" if parents else "no ancestors"
        case Field.CMDLINE:
            shown = " ".join(map(_show, task.cmdline))
            return f"cmdline {shown}" if shown else "no arguments"
    match field.row.kind:
        case Kind.FLAG:
            return field.value if getattr(task, field.value) else f"not {field.value}"
        case Kind.ID | Kind.NUMBER:
            return f"{field.value} {task.number(field)}"
    known = getattr(task, field.value, None)
    return f"no {field.value}" if known is None else f"{field.value} {_show(known)}"


def _show(known: object) -> str:
    return f'"{known.decode(errors="replace")}"' if isinstance(known, bytes) else str(known)


# ---- for people ---------------------------------------------------------------------------------


def to_text(explanation: Explanation) -> str:
    """Returns the explanation as lines."""
    classification = explanation.classification
    lines = [_headline(classification)]
    lines += rows("because", [predicate_text(part) for part in classification.decided])
    if classification.rule is not None and not classification.decided:
        lines += rows("because", ["it was started by a task of this rule (`inherit`)"])
    if explanation.actions is not None:
        lines += rows("gives", [_listed(describe(explanation.actions))])
    lines += rows("not on", [f"the CPUs of {_rule(rule)}" for rule in explanation.kept_off])
    if explanation.bound:
        lines += rows("bound", [explanation.bound])
    lines += rows("varies", [_variant(*each) for each in explanation.varied])
    lines += rows("promised", [_promise(*each) for each in explanation.promised])
    lines += rows("later", [f"{_rule(rule)} would take it too" for rule in classification.later])
    lines += rows("counted", [f"by {_rule(rule)}" for rule in classification.monitored])
    lines += rows("unless", [f"{_rule(rule)} {_when(rule)}" for rule in explanation.undecided])
    lines += rows("assumed", explanation.assumed)
    return "".join(visible(line) + "\n" for line in lines)


def _headline(classification: Classification) -> str:
    if classification.rule is not None:
        return f"rule {_rule(classification.rule)} takes the task"
    if classification.name == DEFAULT:
        return "no rule takes the task: `default` applies"
    return "a kernel thread that no rule takes: level normal, any CPU that is not exclusive"


def rows(title: str, texts: Iterable[str]) -> list[str]:
    """Returns texts as lines of an explanation, the first with the title."""
    return [f"  {title if index == 0 else '':<8} {text}" for index, text in enumerate(texts)]


def _rule(rule: checked.Rule) -> str:
    return f"`{rule.name}` ({_place(rule.span)})"


def _variant(when: checked.When, actions: checked.Actions, bound: str) -> str:
    span = when.span
    return f"when {_clip(when.text)}: {_listed(describe(actions))}; {bound}  ({_place(span)})"


def _promise(claim: Claim, promise: Promise) -> str:
    window, otherwise = show_ns(promise.window_ns), promise.otherwise.value
    return f"{_clipped(claim.span)} over {window}, else {otherwise}  ({_place(claim.span)})"


def _when(rule: checked.Rule) -> str:
    """The condition under which an undecided rule takes the task."""
    if Field.CALLS in fields(rule.match):
        return "takes it if it calls the function"
    return "may take it once its labels are known"


def predicate_text(part: Predicate) -> str:
    """Returns a predicate as written, with its place."""
    return f"{_clipped(part.span)}  ({_place(part.span)})"


def _clipped(span: Span) -> str:
    return _clip(" ".join(span.text[: 4 * _LONGEST].split()))


def _clip(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 4] + " ..."


def _place(span: Span) -> str:
    return ":".join(map(str, (span.source.shown, *span.source.position(span.start))))


def _listed(words: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {text}".strip() for name, text in words)


def describe(actions: checked.Actions) -> list[tuple[str, str]]:
    """Returns the actions of a class, as pairs of a word and its value in the language."""
    low, high = actions.slice_min_ns, actions.slice_max_ns
    result = [
        ("priority", actions.priority.name.lower()),
        ("weight", _value(actions.weight, is_time=False)),
        ("slice", _value(low) if low == high else f"{_value(low)}..{_value(high)}"),
    ]
    if actions.cpus is not None:
        result.append(("", actions.cpus.span.one_line))
    result.append(("migrate", actions.migrate.value + " return" * actions.migrate_return))
    if actions.preempt is not None:
        result.append(("", actions.preempt.span.one_line))
    result.append(("max-wait", _value(actions.max_wait_ns)))
    if actions.share is not None:
        result.append(("share", share_text(actions.share.low, actions.share.high)))
    result += [(name, _number(name, number)) for name, number in actions.numbers.items()]
    result += [("inherit", "")] * actions.inherit
    return result


def by_word(actions: checked.Actions) -> dict[str, str]:
    """Returns the value of each action by its word, `""` for a word that stands alone."""
    result = {}
    for name, text in describe(actions):
        word, _, rest = f"{name} {text}".strip().partition(" ")
        result[word] = rest
    return result


def _number(name: str, known: Value) -> str:
    """The value of an action that is one number, by its word where it has one."""
    action = NUMBERS[name]
    if not isinstance(known, int):
        return known.name
    words = {number: word for word, number in action.words.items()}
    return words.get(known) or show(known, QUANTITIES[action.unit or ""])


def _value(known: Value, *, is_time: bool = True) -> str:
    if not isinstance(known, int):
        return known.name
    return show_ns(known) if is_time else str(known)


# ---- for programs -------------------------------------------------------------------------------


def to_json(explanation: Explanation) -> dict[str, Any]:
    """Returns the explanation as plain data."""
    classification = explanation.classification
    actions = explanation.actions
    return {
        "class": classification.name,
        "rule": None if classification.rule is None else _rule_json(classification.rule),
        "decided": [
            {"predicate": part.span.one_line, **part.span.place} for part in classification.decided
        ],
        "actions": None if actions is None else by_word(actions),
        "bound": explanation.bound or None,
        "whens": [
            {"condition": when.text, "actions": by_word(actions), **when.span.place}
            for when, actions, _ in explanation.varied
        ],
        "promises": [
            {
                "claim": claim.span.one_line,
                "window_ns": promise.window_ns,
                "else": promise.otherwise.value,
                **claim.span.place,
            }
            for claim, promise in explanation.promised
        ],
        "kept_off": [_rule_json(rule) for rule in explanation.kept_off],
        "later": [_rule_json(rule) for rule in classification.later],
        "monitored": [_rule_json(rule) for rule in classification.monitored],
        "undecided": [_rule_json(rule) for rule in explanation.undecided],
        "assumed": list(explanation.assumed),
    }


def _rule_json(rule: checked.Rule) -> dict[str, Any]:
    return {"name": rule.name, **rule.span.place}
