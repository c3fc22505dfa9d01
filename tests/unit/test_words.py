# SPDX-License-Identifier: Apache-2.0
"""The table of words and the reference of the language speak of the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from gthulhuc import words
from gthulhuc.checked import Level, Migrate
from gthulhuc.fields import Field

REFERENCE = Path(__file__).parents[2] / "docs/language.md"


@pytest.mark.parametrize("kind", words.Kind, ids=lambda kind: kind.value)
def test_the_reference_explains_every_word(kind: words.Kind) -> None:
    text = REFERENCE.read_text()
    names = [word.name for word in words.ALL if word.kind is kind]
    assert names
    assert [name for name in names if name not in text] == []


def test_the_table_has_all_that_the_compiler_knows() -> None:
    assert {word.name for word in words.FIELDS} == {field.value for field in Field}
    assert {word.name for word in words.LEVELS} == {level.name.lower() for level in Level}
    assert {word.name for word in words.MIGRATIONS} - {"return"} == {how.value for how in Migrate}
