# SPDX-License-Identifier: Apache-2.0
"""The table of words and the reference of the language have the same words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gthulhuc import actions, words
from gthulhuc.checked import Level, Migrate
from gthulhuc.fields import Field, Row
from gthulhuc.fields import Kind as FieldKind

REFERENCE = Path(__file__).parents[2] / "docs/language.md"


@pytest.mark.parametrize("kind", words.Kind, ids=lambda kind: kind.value)
def test_the_reference_explains_every_word(kind: words.Kind) -> None:
    text = REFERENCE.read_text()
    names = [word.name for word in words.ALL if word.kind is kind]
    assert names
    assert [name for name in names if name not in text] == []


def _table(*rows: tuple[str, ...]) -> str:
    """A Markdown table with the first row for its head."""
    head, *rest = rows
    lines = [head, ("--",) * len(head), *rest]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _bounds(row: Row) -> str:
    low, high = row.bounds
    return f", {low} to {high}" if row.kind is FieldKind.NUMBER else ""


def _fields() -> str:
    return _table(
        ("example", "meaning", "type, operators", "where it comes from", "cost"),
        *(
            (f"`{row.example}`", row.meaning, row.kind.value + _bounds(row), row.source, row.cost)
            for row in (field.row for field in Field)
        ),
    )


def _actions() -> str:
    return _table(
        ("action", "meaning", "left out in `default`", "cost"),
        *(
            (
                f"`{word.form}`".replace("|", "\\|"),
                word.meaning,
                action.default or "-",
                action.cost,
            )
            for word, action in zip(words.ACTIONS, actions.ACTIONS, strict=True)
        ),
    )


def _facts() -> str:
    return _table(
        ("fact", "without it"),
        *((f"`{field.row.fact}`", field.row.otherwise) for field in Field),
    )


def _peers() -> str:
    return _table(
        ("baseline", "how it schedules"),
        *((f"`{word.name}`", word.meaning) for word in words.PEERS),
    )


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("fields", _fields()),
        ("actions", _actions()),
        ("facts", _facts()),
        ("peers", _peers()),
    ],
)
def test_the_reference_has_the_compilers_table(
    name: str, table: str, pytestconfig: pytest.Config
) -> None:
    text = REFERENCE.read_text()
    found = re.search(rf"(<!-- {name}:begin .*? -->\n\n).*?(<!-- {name}:end -->)", text, re.DOTALL)
    assert found is not None
    renewed = f"{text[: found.end(1)]}{table}\n{text[found.start(2) :]}"
    if pytestconfig.getoption("--renew"):
        REFERENCE.write_text(renewed)
    assert REFERENCE.read_text() == renewed


def test_the_table_has_all_that_the_compiler_knows() -> None:
    assert {word.name for word in words.FIELDS} == {field.value for field in Field}
    assert {word.name for word in words.LEVELS} == {level.name.lower() for level in Level}
    assert {word.name for word in words.MIGRATIONS} - {"return"} == {how.value for how in Migrate}
