# SPDX-License-Identifier: Apache-2.0
"""The pages that `--explain` prints, read from `pages.md` in this folder."""

from __future__ import annotations

import re
from pathlib import Path

from gthulhuc.diagnostics.codes import ALL
from gthulhuc.diagnostics.suggest import did_you_mean
from gthulhuc.records import dataclass

_FILE = Path(__file__).with_name("pages.md")
_BLOCK = re.compile(r"```(\w+)([^\n]*)\n(.*?)```\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """A policy; `options` are words such as `target=cpus=4`."""

    text: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The page of one code; `files` are the files that the examples include."""

    id: str
    name: str
    what: str
    why: str
    wrong: Example | None
    right: Example | None
    files: dict[str, str]


def _read() -> dict[str, Page]:
    sections = re.split(r"^## ", _FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    pages = [_page(section) for section in sections]
    return {page.id: page for page in pages}


def _page(section: str) -> Page:
    head, _, body = section.partition("\n")
    id_, name = head.split()
    blocks = [(kind, options.split(), text) for kind, options, text in _BLOCK.findall(body)]
    what, why = (part.strip() for part in _BLOCK.sub("", body).strip().split("\n\n", 1))
    examples = {
        kind: Example(text, tuple(options)) for kind, options, text in blocks if kind != "file"
    }
    files = {options[0]: text for kind, options, text in blocks if kind == "file"}
    return Page(id_, name, what, why, examples.get("wrong"), examples.get("right"), files)


PAGES = _read()


def explain(code: str) -> str:
    """Returns the page of a code, by its number or name. Raises KeyError with help as its text."""
    by_name = {each.name: each.id for each in ALL}
    page = PAGES.get(by_name.get(code.lower(), code.upper()))
    if page is None:
        known = [*PAGES, *by_name] if not code.upper().startswith("GPL") else list(PAGES)
        raise KeyError("; ".join(did_you_mean(code, known)))
    parts = [f"{page.id} {page.name}", page.what, page.why]
    parts += [f"Where {name} is:\n\n{_indented(text)}" for name, text in page.files.items()]
    if page.wrong is not None:
        parts.append(f"Wrong:\n\n{_indented(page.wrong.text)}")
    if page.right is not None:
        parts.append(f"Right:\n\n{_indented(page.right.text)}")
    return "\n\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip("\n").split("\n"))
