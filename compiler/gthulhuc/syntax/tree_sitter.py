# SPDX-License-Identifier: Apache-2.0
"""Derives the grammar for tree-sitter, which several editors colour texts by, from `Gpl.g4`.

Tree-sitter decides by the state of its parser whether a word is one of the language. So its grammar
takes some texts that the compiler refuses.
"""

from __future__ import annotations

import re

from gthulhuc.syntax.derive import lexical, only_literal
from gthulhuc.syntax.grammar import Grammar, Group, Literal, Name, Part

_HEADER = """\
// SPDX-License-Identifier: Apache-2.0
//
// Derived from grammar/Gpl.g4 by `python -m gthulhuc.syntax.regenerate`. Do not edit it.

module.exports = grammar({
  name: "gpl",

  word: ($) => $.word,

  // A byte order mark may be at the start of a file.
  extras: ($) => [/[ \\t\\r\\n\\uFEFF]/, $.comment],

  rules: {
"""
_WIDTH = 100


def grammar_js(grammar: Grammar) -> str:
    """Returns the text of grammar.js. Each rule and token has its name in the form `rule_block`."""
    rules = [name for name in grammar.rules if name[0].islower()]
    tokens = [name for name in grammar.visible if only_literal(grammar.rules[name]) is None]
    parts = [_rule(grammar, name) for name in rules]
    parts += [_token(grammar, name) for name in [*tokens, "COMMENT"]]
    return _HEADER + "\n".join(parts) + "  },\n});\n"


def _rule(grammar: Grammar, name: str) -> str:
    body = _group(grammar, grammar.rules[name])
    line = f"    {_snake(name)}: ($) => {body},\n"
    if len(line) <= _WIDTH:
        return line
    inner = re.fullmatch(r"(choice|seq)\((.*)\)", body)
    assert inner is not None
    items = "".join(f"        {item},\n" for item in _items(inner[2]))
    return f"    {_snake(name)}: ($) =>\n      {inner[1]}(\n{items}      ),\n"


def _items(text: str) -> list[str]:
    """The arguments of a call."""
    plain = re.sub(r'"[^"]*"', lambda found: "_" * len(found[0]), text)
    items, depth, start = [], 0, 0
    for at, char in enumerate(plain):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            items.append(text[start:at].strip())
            start = at + 1
    return [*items, text[start:].strip()]


def _token(grammar: Grammar, name: str) -> str:
    # JavaScript has no possessive repetition, and escapes no `#`.
    regex = lexical(grammar, Name(name)).replace("*+", "*").replace(r"\#", "#")
    return f"    {_snake(name)}: (_) => /{regex}/,\n"


def _group(grammar: Grammar, group: Group) -> str:
    sequences = [_sequence(grammar, parts) for parts in group.alternatives]
    body = sequences[0] if len(sequences) == 1 else f"choice({', '.join(sequences)})"
    wrapper = {"*": "repeat", "+": "repeat1", "?": "optional", "": ""}[group.suffix]
    return f"{wrapper}({body})" if wrapper else body


def _sequence(grammar: Grammar, parts: tuple[Part, ...]) -> str:
    texts = [_part(grammar, part) for part in parts if part != Name("EOF")]
    return texts[0] if len(texts) == 1 else f"seq({', '.join(texts)})"


def _part(grammar: Grammar, part: Part) -> str:
    if isinstance(part, Group):
        return _group(grammar, part)
    assert not isinstance(part, Literal)
    literal = only_literal(grammar.rules[part.text])
    if part.text[0].isupper() and literal is not None:
        return f'"{literal}"'
    return f"$.{_snake(part.text)}"


def _snake(name: str) -> str:
    if name.isupper():
        return name.lower()
    return re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name)


def marks(grammar: Grammar) -> set[str]:
    """Returns the tokens that are no words: operators, brackets and commas."""
    literals = {only_literal(grammar.rules[name]) for name in grammar.visible}
    return {text for text in literals if text is not None and not text[0].isalpha()}
