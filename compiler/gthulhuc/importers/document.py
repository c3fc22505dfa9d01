# SPDX-License-Identifier: Apache-2.0
"""The policy that an importer writes: its rules as data, and their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from gthulhuc.diagnostics import Diagnostic, codes
from gthulhuc.records import dataclass
from gthulhuc.source import Source
from gthulhuc.syntax.text import quote

_WIDTH = 100
# Reasons why a well-formed rule of another tool may have no place in a policy.
_LEFT_OUT = (codes.UNREACHABLE, codes.NEVER_TRUE, codes.ALWAYS_TRUE)


class RefusedError(ValueError):
    """The compiler refuses the policy: it does not fit into a scheduler, for example."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A message about an importer's input; `place` is `file:line:column`, as far as known."""

    place: str
    message: str
    hint: str = ""
    is_error: bool = False
    is_note: bool = False

    def __str__(self) -> str:
        kind = "error" if self.is_error else "note" if self.is_note else "warning"
        hint = f"\n  = help: {self.hint}" if self.hint else ""
        return f"{self.place}: {kind}: {self.message}{hint}"


@dataclass(frozen=True, slots=True)
class NameSet:
    """A `set` of names, as bytes."""

    name: str
    values: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: comments above it, parts of its predicate (all must hold), actions by their word.

    `place` is its origin. `default` has no predicate.
    """

    name: str
    match: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]
    comments: tuple[str, ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole policy; `settings` are those of its `policy` block."""

    name: str
    comments: tuple[str, ...]
    rules: tuple[Rule, ...]
    sets: tuple[NameSet, ...] = ()
    commands: tuple[str, ...] = field(default=())
    default: Rule | None = None
    settings: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing about any task."""
        return not self.rules and self.default is None and not self.settings


def one_of(field_: str, values: Sequence[bytes]) -> str:
    """Returns `field == "a"` or `field in ["a", "b"]`."""
    if len(values) == 1:
        return f"{field_} == {quote(values[0])}"
    return f"{field_} in [{', '.join(quote(value) for value in values)}]"


def escape_glob(text: bytes) -> bytes:
    """Returns a glob in which every byte of a text stands for itself."""
    return re.sub(rb"([*?\[])", rb"[\1]", text)


def duration(value_ns: int) -> str:
    """Returns a duration in the largest unit that gives a whole number, truncated to 1us."""
    for unit, size in (("s", 10**9), ("ms", 10**6)):
        if value_ns and value_ns % size == 0:
            return f"{value_ns // size}{unit}"
    return f"{value_ns // 1000}us"


def word(text: str, otherwise: str = "imported") -> str:
    """Returns a valid name that resembles a text."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:40].strip("-")
    name = name or otherwise
    return name if name[0].isalpha() else f"{otherwise}-{name}"


def unique(names: Iterable[str]) -> list[str]:
    """Returns the names, with numbers appended to repeated ones."""
    taken: set[str] = {"default"}
    last: dict[str, int] = {}  # the number that each name got last
    result = []
    for name in names:
        number = last.get(name, 1)
        candidate = name if number == 1 else f"{name}-{number}"
        while candidate in taken:
            number += 1
            candidate = f"{name}-{number}"
        last[name] = number
        taken.add(candidate)
        result.append(candidate)
    return result


def to_text(document: Document) -> str:
    """Returns the text of the policy, as `gthulhu fmt` formats it."""
    block = f"policy {document.name} {{{' '.join(document.settings)}}}"
    parts = [_formatted(_comments(document.comments) + block)]
    # Long lists are written in their final layout, as parsing them to format them takes long.
    parts += [_set_text(names) for names in document.sets]
    if document.rules:
        parts.append(_formatted("\n".join(_rule_text(rule) for rule in document.rules)))
    if document.default is not None:
        parts.append(_formatted(_default_text(document.default)))
    return "\n".join(parts)


def settle(document: Document) -> tuple[Document, list[Finding]]:
    """Returns the document without the rules that the compiler would refuse, and findings for them.

    Raises RefusedError if the compiler refuses the document for another reason.
    """
    from gthulhuc.frontend import check

    findings: list[Finding] = []
    while True:
        source = Source("imported policy", to_text(document))
        _, problems = check(source)
        errors = [problem for problem in problems if problem.is_error]
        if not errors:
            return document, findings
        refused = {_rule_at(source, problem): problem for problem in reversed(errors)}
        kept = tuple(rule for rule in document.rules if rule.name not in refused)
        known = all(problem.code in _LEFT_OUT for problem in errors)
        if not known or len(kept) == len(document.rules):
            line = errors[0].span.line
            raise RefusedError(f"{errors[0].message}: {source.line(line).strip()}")
        for rule in document.rules:
            if (problem := refused.get(rule.name)) is not None:
                message = f"skipped because it would never take a task: {problem.message}"
                findings.append(Finding(rule.place, message))
        document = replace(document, rules=kept)


def _rule_at(source: Source, problem: Diagnostic) -> str:
    """The name of the rule that a diagnostic is in."""
    head = re.compile(r"^rule (\S+) \{", re.MULTILINE)
    heads = head.finditer(source.text)
    names = [found[1] for found in heads if found.start() <= problem.span.start]
    return names[-1] if names else ""


def _formatted(text: str) -> str:
    from gthulhuc.formatter import format_source

    result, problems = format_source(Source("imported policy", text))
    if result is None:
        raise ValueError(f"{problems[0].message}: {problems[0].span.text}")
    return result


def _comments(comments: Iterable[str]) -> str:
    """Comments as lines; unprintable characters become `?`, so that each stays on its line."""
    return "".join(
        f"# {''.join(c if c.isprintable() else '?' for c in text)}\n" for text in comments
    )


def _rule_text(rule: Rule) -> str:
    actions = "\n".join(f"{name} {value}" for name, value in rule.actions)
    body = f"match {' and '.join(rule.match)}\n{actions}"
    return f"\n{_comments(rule.comments)}rule {rule.name} {{\n{body}\n}}"


def _default_text(rule: Rule) -> str:
    actions = "\n".join(f"{name} {value}" for name, value in rule.actions)
    return f"{_comments(rule.comments)}default {{\n{actions}\n}}"


def _set_text(names: NameSet) -> str:
    quoted = [quote(value) for value in names.values]
    flat = f"set {names.name} = [{', '.join(quoted)}]"
    if len(flat) <= _WIDTH:
        return flat + "\n"
    return f"set {names.name} = [\n" + "".join(f"    {text},\n" for text in quoted) + "]\n"
