# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that hold for every HTML page of the lab."""

from __future__ import annotations

import re
from collections.abc import Collection
from html.parser import HTMLParser


class Tags(HTMLParser):
    """Tracks open tags of a page and checks that they close in order."""

    EMPTY = ("meta",)

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def needs_nothing_else(page: str, beside: Collection[str] = ()) -> None:
    """Asserts that a page is well-formed, and that a browser fetches nothing for it.

    `beside`: files that the page may link to.
    """
    tags = Tags()
    tags.feed(page)

    assert tags.open == []
    for tag, attributes in tags.seen:
        assert tag not in ("script", "link", "img", "iframe")
        assert "src" not in attributes
        if "href" in attributes:  # what may be followed, and is there
            assert tag == "a"
            assert attributes["href"] in beside
    assert not re.search(r"url\(|@import|https?://", page)
