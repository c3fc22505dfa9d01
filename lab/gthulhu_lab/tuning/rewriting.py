# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the values of a candidate into the text of a policy, and leaves all else as it stands."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gthulhu_lab.errors import LabError
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.tuning import applying
from gthulhu_lab.tuning.knobs import Candidate, Space, level_word, own_words, shown
from gthulhuc import actions, checked, frontend
from gthulhuc.checked import Actions, Preempt
from gthulhuc.diagnostics.fixing import apply
from gthulhuc.diagnostics.model import Edit
from gthulhuc.formatter import format_source
from gthulhuc.passes.reading.values import QUANTITIES, show
from gthulhuc.reference import DEFAULT
from gthulhuc.source import Source, Span
from gthulhuc.syntax import ast
from gthulhuc.tunables import Value

_DEFECT = "this is a defect of gthulhuc; please report it"


@dataclass(frozen=True, slots=True)
class _Block:
    """A rule or `default` as it stands: its statements by their words, and where it ends."""

    statements: Mapping[str, ast.Statement]
    span: Span


def rewritten(policy: checked.Policy, source: Source, space: Space, candidate: Candidate) -> Source:
    """Returns the source with a candidate's values. It keeps the standard layout if it has it.

    Raises PolicyError if the compiler refuses the result, and LabError if it means something else.
    """
    file, _ = frontend.parse(source)
    assert file is not None
    wanted = applying.applied(policy, space, candidate)
    text = apply(source.text, _edits(policy, wanted, file))
    found = Source(source.name, _formatted(source, text))
    after, problems = frontend.check(found)
    if after is None:
        raise PolicyError(source.name, [each for each in problems if each.is_error])
    _compare(wanted, after)
    return found


def diff(before: Source, after: Source) -> str:
    """Returns the changes as a unified diff; empty if there are none."""
    one, other = (text.splitlines(keepends=True) for text in (before.text, after.text))
    return "".join(difflib.unified_diff(one, other, before.shown, f"{before.shown} (tuned)"))


def _formatted(source: Source, text: str) -> str:
    """The text in the standard layout if the source has that."""
    after, _ = format_source(Source(source.name, text))
    return after if after is not None and format_source(source)[0] == source.text else text


def _edits(policy: checked.Policy, wanted: checked.Policy, file: ast.File) -> Iterator[Edit]:
    values = {each.name: each for each in wanted.tunables}
    blocks: dict[str, _Block] = {}
    for item in file.items:
        match item:
            case ast.Tunable(name=name) if values[name.text] not in policy.tunables:
                tunable = values[name.text]
                yield Edit(item.value.span, show(tunable.default, QUANTITIES[tunable.unit]))
            case ast.RuleBlock(name=name):
                blocks[name.text] = _block(item)
            case ast.DefaultBlock():
                blocks[DEFAULT] = _block(item)
    for before, after in zip(policy.rules, wanted.rules, strict=True):
        base = _inherited(before, policy.default, wanted.default)
        if before.name in blocks:
            yield from _of_block(blocks[before.name], base, after.actions)
    yield from _of_default(blocks.get(DEFAULT), policy, wanted, file)


def _block(item: ast.RuleBlock | ast.DefaultBlock) -> _Block:
    return _Block({actions.name_of(each): each for each in item.statements}, item.span)


def _inherited(rule: checked.Rule, default: Actions, wanted: Actions) -> Mapping[str, str]:
    """The actions of a rule as they would be without an edit of its block."""
    own, before = own_words(rule), dict(_texts(default))
    return dict(_texts(rule.actions)) | {
        word: text
        for word, text in _texts(wanted)
        if actions.BY_NAME[word].is_taken_over and word not in own and text != before[word]
    }


def _of_block(block: _Block, base: Mapping[str, str], wanted: Actions) -> Iterator[Edit]:
    added = []
    for word, text in _texts(wanted):
        statement = block.statements.get(word)
        unedited = base[word] if statement is not None else _by_level(word, wanted) or base[word]
        if text == unedited:
            continue
        if statement is None:
            added.append(text)
        elif text:
            yield Edit(statement.span, _in_its_columns(statement, text))
        else:
            yield Edit(_with_blanks(statement.span), "")
    if added:
        yield _addition(block, added)


def _in_its_columns(statement: ast.Statement, text: str) -> str:
    """A statement's new text, with as many blanks after the word as there are now."""
    word, _, rest = text.partition(" ")
    now = statement.span.text[len(word) :]
    blanks = now[: len(now) - len(now.lstrip())] or " "
    return f"{word}{blanks}{rest}" if rest else word


def _by_level(word: str, wanted: Actions) -> str:
    """The statement that a class's level stands for; empty for other words."""
    row = actions.LEVELS[wanted.priority]
    if word == "weight":
        return f"weight {row.weight}"
    return f"max-wait {shown(row.max_wait_ns, 'ns')}" if word == "max-wait" else ""


def _of_default(
    block: _Block | None, policy: checked.Policy, wanted: checked.Policy, file: ast.File
) -> Iterator[Edit]:
    base = dict(_texts(policy.default))
    if block is not None:
        yield from _of_block(block, base, wanted.default)
        return
    texts = [
        text
        for word, text in _texts(wanted.default)
        if text != (_by_level(word, wanted.default) or base[word])
    ]
    if texts:
        rules = [item for item in file.items if isinstance(item, ast.RuleBlock | ast.PolicyBlock)]
        end = rules[-1].span.end
        yield Edit(Span(file.source, end, end), f"\n\ndefault {{ {'  '.join(texts)} }}")


def _texts(own: Actions) -> Iterator[tuple[str, str]]:
    """The statements for the actions that a search may change, by their words; empty for none."""
    yield "priority", f"priority {level_word(own)}"
    yield "slice", f"slice {_range(own)}"
    yield "weight", f"weight {_text(own.weight, '')}"
    yield "max-wait", f"max-wait {_text(own.max_wait_ns, 'ns')}"
    returns = " return" if own.migrate_return else ""
    yield "migrate", f"migrate {own.migrate.value}{returns}"
    yield "preempt", _preempt(own.preempt)


def _range(own: Actions) -> str:
    ends = (_text(own.slice_min_ns, "ns"), _text(own.slice_max_ns, "ns"))
    return "..".join(dict.fromkeys(ends))


def _preempt(preempt: Preempt | None) -> str:
    if preempt is None:
        return ""
    text = "preempt"
    if preempt.after_ns != 0:
        text += f" after {_text(preempt.after_ns, 'ns')}"
    if preempt.budget_ns is not None and preempt.period_ns is not None:
        text += f" budget {_text(preempt.budget_ns, 'ns')} per {_text(preempt.period_ns, 'ns')}"
    return text


def _text(value: Value, unit: str) -> str:
    return shown(value, unit) if isinstance(value, int) else value.name


def _addition(block: _Block, texts: list[str]) -> Edit:
    """More statements, after the last one of a block."""
    source = block.span.source
    if not block.statements:
        end = block.span.end - 1
        return Edit(Span(source, end, end), f" {'  '.join(texts)} ")
    last = max(each.span.end for each in block.statements.values())
    line = source.line(source.position(last)[0])
    indent = line[: len(line) - len(line.lstrip())]
    is_one_line = "\n" not in block.span.text
    gap = "  " if is_one_line else f"\n{indent or '    '}"
    return Edit(Span(source, last, last), "".join(f"{gap}{text}" for text in texts))


def _with_blanks(span: Span) -> Span:
    """A statement with the blanks before it, and with its line if it has one of its own."""
    text, start = span.source.text, span.start
    while start and text[start - 1] in " \t":
        start -= 1
    if start and text[start - 1] == "\n" and text[span.end : span.end + 1] in ("\n", ""):
        start -= 1
    return Span(span.source, start, span.end)


def _compare(wanted: checked.Policy, after: checked.Policy) -> None:
    """Raises LabError if two policies have other actions or tunables."""
    pairs = [
        (DEFAULT, wanted.default, after.default),
        *(
            (rule.name, rule.actions, found.actions)
            for rule, found in zip(wanted.rules, after.rules, strict=True)
        ),
    ]
    for name, one, other in pairs:
        if dict(_texts(one)) != dict(_texts(other)):
            raise LabError(f"the changed policy has other actions of `{name}`", _DEFECT)
    if [each.default for each in wanted.tunables] != [each.default for each in after.tunables]:
        raise LabError("the changed policy has other tunables", _DEFECT)
