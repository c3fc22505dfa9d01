# SPDX-License-Identifier: Apache-2.0
"""Says of each rule of a text what is not written there: defaults, the bound, its processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import takewhile

from gthulhuc import checked, reference
from gthulhuc.actions import name_of
from gthulhuc.bounds import bounds, show_ns
from gthulhuc.explanation import describe
from gthulhuc.lsp.pieces import located
from gthulhuc.lsp.program import Program
from gthulhuc.records import dataclass
from gthulhuc.reference import Task
from gthulhuc.source import Span
from gthulhuc.syntax import ast
from gthulhuc.syntax.quick import scan


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which hints an editor shows."""

    defaults: bool = True
    bounds: bool = True
    processes: bool = True


@dataclass(frozen=True, slots=True)
class Hint:
    """A text to show at an offset, and more about it."""

    offset: int
    text: str
    more: str


@dataclass(frozen=True, slots=True)
class Count:
    """The processes of each class, and of each rule those that unknown facts may add."""

    certain: Mapping[str, int] = field(default_factory=dict)
    possible: Mapping[str, int] = field(default_factory=dict)


def hints(
    program: Program, policy: checked.Policy, wanted: Wanted, count: Count | None
) -> Iterator[Hint]:
    """Yields the hints of a text, whose policy this is; `count` is None if nobody counted."""
    actions = {rule.name: rule.actions for rule in policy.rules}
    longest = {bound.name: bound for bound in bounds(policy)} if wanted.bounds else {}
    for item in program.own:
        if isinstance(item, ast.RuleBlock):
            name, own = item.name.text, actions[item.name.text]
        elif isinstance(item, ast.DefaultBlock):
            name, own = reference.DEFAULT, policy.default
        else:
            continue
        offset = _place(located(item.span))
        unset = _defaults(own, item.statements)
        if wanted.defaults and unset and not own.monitor:
            yield Hint(offset, unset, "not set in this block")
        if name in longest:
            bound = longest[name]
            yield Hint(
                offset, f"waits <= {show_ns(bound.wait_ns())}", f"A task {bound.explanation}."
            )
        if count is not None:
            yield Hint(offset, *_processes(count, name, is_counted=own.monitor))


def _place(span: Span) -> int:
    """The end of a block's first line, before a comment."""
    end = span.start
    for found in scan(span.text):
        if "\n" in found[0]:
            break
        if found[0][0] not in "# \t\r":
            end = span.start + found.end()
    return end


def _defaults(actions: checked.Actions, statements: Iterable[ast.Statement]) -> str:
    """The actions that a block has without setting them."""
    stated = {name_of(statement) for statement in statements}
    listed = (f"{name} {text}".strip() for name, text in describe(actions))
    return ", ".join(text for text in listed if text.split()[0] not in stated)


def _processes(count: Count, name: str, *, is_counted: bool) -> tuple[str, str]:
    certain, possible = count.certain.get(name, 0), count.possible.get(name, 0)
    verb = "counts" if is_counted else "takes"
    text = f"{verb} {certain} {'process' if certain == 1 else 'processes'}"
    if not possible:
        return text, "of this machine, when the text was last checked"
    return f"{text} or up to {certain + possible}", (
        "The rest depends on labels, calls and other facts that only a running scheduler knows."
    )


def count_by_rule(policy: checked.Policy, tasks: Iterable[Task]) -> Iterator[Count]:
    """Yields the count of the tasks so far, after each of them."""
    certain: Counter[str] = Counter()
    possible: Counter[str] = Counter()
    count = Count(certain, possible)
    for task in tasks:
        verdict = reference.classify(policy, task)
        certain[verdict.name] += 1
        certain.update(rule.name for rule in verdict.monitored)
        possible.update(_undecided(policy, task, verdict.rule))
        yield count


def _undecided(policy: checked.Policy, task: Task, taker: checked.Rule | None) -> Iterator[str]:
    """The rules before the one that takes a task that may take it, by facts that are unknown."""
    for rule in takewhile(lambda rule: rule is not taker, policy.rules):
        if (rule.kthreads or not task.kthread) and reference.value(rule.match, task) is None:
            yield rule.name
