# SPDX-License-Identifier: Apache-2.0
"""Every code has a page, whose wrong example has the problem and whose right one has none."""

from __future__ import annotations

import pytest

from gthulhuc.diagnostics import codes
from gthulhuc.diagnostics.codes import TOO_MANY_STEPS, TOO_MUCH_STACK, TOO_MUCH_TABLE
from gthulhuc.diagnostics.pages import PAGES, Example, Page, explain
from gthulhuc.frontend import check, decode
from gthulhuc.target import read_target

# A policy with one of these is too long for a page; test_check_is_compile has them.
OF_BUDGETS = {code.id for code in (TOO_MANY_STEPS, TOO_MUCH_TABLE, TOO_MUCH_STACK)}


def said(page: Page, example: Example) -> set[str]:
    """The codes that an example gets."""
    data = example.text.encode()
    target = None
    for option in example.options:
        if option == "bytes":  # `\xHH` is that byte
            data = data.decode("unicode_escape").encode("latin-1")
        else:
            target = read_target(option.removeprefix("target="))
    source, found = decode("page.gpl", data)
    _, problems = check(source, load=lambda name: load_of(page, name), target=target)
    return {problem.code.id for problem in (*found, *problems)}


def load_of(page: Page, name: str) -> bytes:
    try:
        return page.files[name].encode()
    except KeyError:
        raise FileNotFoundError(2, "no such file", name) from None


def test_every_code_has_a_page_under_its_name() -> None:
    named = {code.id: code.name for code in codes.ALL}
    assert {page.id: page.name for page in PAGES.values()} == named


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: page.id)
def test_the_examples_are_what_they_say(page: Page) -> None:
    assert page.right is not None
    if page.id not in OF_BUDGETS:
        assert page.wrong is not None
        assert page.id in said(page, page.wrong)
    assert said(page, page.right) == set()


def test_explain_takes_a_number_or_a_name() -> None:
    assert explain("gpl0206") == explain("name-too-long")
    assert "truncates thread names to 15 bytes" in explain("GPL0206")
    with pytest.raises(KeyError, match="unused"):
        explain("unusd")
