# SPDX-License-Identifier: Apache-2.0
"""Derives the parser from the grammar.

ANTLR's Python runtime takes a millisecond for a short rule. `derive` reads the same `Gpl.g4` and
writes one regular expression for the tokens, and one function for each parser rule, which fails at
the first unexpected token. `recovery` goes on from there, statement by statement.

It chooses an alternative by its first token, in order, and undoes a repetition that fails half way.
So the grammar derives all that this parser accepts; a test compares it with ANTLR's parser: the
trees, and the place of the first error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gthulhuc.syntax.grammar import Grammar, Group, Literal, Name, Part

# ---- tokens -------------------------------------------------------------------------------------


def kinds_module(grammar: Grammar) -> str:
    """Returns the text of a module with the number of each token."""
    lines = [_HEADER, '"""The numbers of the tokens."""\n\n']
    lines += [f"{name} = {number}\n" for number, name in enumerate(grammar.tokens, 1)]
    return "".join(lines)


def token_regex(grammar: Grammar) -> tuple[str, dict[str, str]]:
    """Returns the expression for all valid tokens, and the words that are tokens of their own.

    ANTLR takes the longest match, so words are looked up whole, and longer marks come first.
    """
    word = re.compile(lexical(grammar, Name("WORD")))
    words: dict[str, str] = {}
    marks: list[tuple[str, str]] = []
    patterns: list[tuple[str, str]] = []
    for name in [*grammar.visible, *sorted(grammar.hidden)]:
        literal = only_literal(grammar.rules[name])
        if literal is None:
            patterns.append((name, lexical(grammar, Name(name))))
        elif word.fullmatch(literal):
            words[literal] = name
        else:
            marks.append((name, literal))
    marks.sort(key=lambda mark: -len(mark[1]))
    # Hidden tokens come last; they have no group.
    seen = [(name, pattern) for name, pattern in patterns if name not in grammar.hidden]
    seen += [(name, re.escape(literal)) for name, literal in marks]
    skipped = [pattern for name, pattern in patterns if name in grammar.hidden]
    parts = [f"(?P<{name}>{pattern})" for name, pattern in seen] + skipped
    return "|".join(parts), words


def foreign_regex(grammar: Grammar) -> str:
    """Returns the expression for tokens that no rule names: foreign spellings, and slips."""
    known = {*grammar.visible, *grammar.hidden}
    foreign = [name for name in grammar.tokens if name not in known]
    # ANTLR takes the longest match, and of several the first.
    foreign.sort(key=lambda name: -len(only_literal(grammar.rules[name]) or ""))
    parts = [(name, lexical(grammar, Name(name))) for name in foreign]
    return "|".join(f"(?P<{name}>{pattern})" for name, pattern in parts)


def only_literal(rule: Group) -> str | None:
    """Returns the text of a token that is always the same, else None."""
    if len(rule.alternatives) == 1 and len(rule.alternatives[0]) == 1 and not rule.suffix:
        part = rule.alternatives[0][0]
        if isinstance(part, Literal) and not part.regex.startswith(("[", "(")):
            return re.sub(r"\\(.)", r"\1", part.regex)
    return None


def lexical(grammar: Grammar, part: Part) -> str:
    """Returns the regular expression of a part of a token."""
    match part:
        case Literal():
            return part.regex
        case Name():
            return lexical(grammar, grammar.rules[part.text])
        case Group():
            inner = "|".join(
                "".join(lexical(grammar, each) for each in alternative)
                for alternative in part.alternatives
            )
            # No repeated part of a token can start the next part, so nothing is matched twice.
            return f"(?:{inner}){'*+' if part.suffix == '*' else part.suffix}"


# ---- rules --------------------------------------------------------------------------------------


def parser_module(grammar: Grammar) -> str:
    """Returns the text of the parser's module."""
    regex, words = token_regex(grammar)
    rules = {name: rule for name, rule in grammar.rules.items() if name[0].islower()}
    numbers = {name: number for number, name in enumerate(grammar.tokens, 1)}
    numbers["EOF"] = -1
    writer = _Writer(rules, numbers)
    functions = [writer.function(name) for name in rules]
    keywords = {literal: numbers[name] for literal, name in words.items()}
    foreign = foreign_regex(grammar)
    groups = re.compile(f"{regex}|{foreign}").groupindex
    by_group = [0] * (len(groups) + 1)
    for name, index in groups.items():
        by_group[index] = numbers[name]
    return "".join(
        [
            _HEADER,
            '"""Parses policies; see `gthulhuc.syntax.derive`."""\n\n',
            "from gthulhuc.syntax.tree import Node\n\n\n",
            "class Fail(Exception):\n",
            "    def __init__(self, parser, expected):\n",
            "        self.at = parser.at\n",
            "        self.expected = expected\n",
            "        self.stack = tuple(parser.stack)\n",
            "        parser.note(self)\n\n\n",
            f"WORD = {numbers['WORD']}\n",
            f"TOKENS = {regex!r}\n",
            f"FOREIGN = {foreign!r}\n",
            f"KINDS = {tuple(by_group)!r}\n",
            f"KEYWORDS = {keywords!r}\n\n\n",
            *writer.blocks(),
            "class Parser:\n",
            "    stack = ()\n",
            "    farthest = None\n\n",
            "    def note(self, fail):\n",
            "        if self.farthest is None or fail.at > self.farthest.at:\n",
            "            self.farthest = fail\n",
            "        elif fail.at == self.farthest.at:\n",
            "            self.farthest.expected |= fail.expected\n\n",
            "    def __init__(self, tokens):\n",
            "        self.tokens = tokens\n",
            "        self.at = 0\n",
            "        self.kind = tokens[0].kind\n",
            *functions,
            *writer.heads(),
        ]
    )


@dataclass
class _Writer:
    rules: dict[str, Group]
    numbers: dict[str, int]
    _firsts: dict[str, frozenset[int]] = field(default_factory=dict)
    _marks: int = 0

    def function(self, name: str) -> str:
        lines = [
            f"\n    def {name}(self):",
            "        children = []",
            "        start = self.tokens[self.at].start",
            *self._choice(self.rules[name], "        ", [])[0],
            f"        return Node({name!r}, children, start, self.tokens[self.at - 1].end)",
        ]
        return "\n".join(lines) + "\n"

    def blocks(self) -> list[str]:
        """Constants about the rules with braces: their parts before the brace, and inside."""
        found = {name: parts for name in self.rules if (parts := self._block(name)) is not None}
        bodies = {name: [part for part in body if part] for name, (_, body) in found.items()}
        firsts = {
            part: self._show(self._first(Name(part))) for body in bodies.values() for part in body
        }
        shown = ", ".join(f"{name!r}: {tuple(body)!r}" for name, body in bodies.items())
        first = ", ".join(f"{name!r}: {kinds}" for name, kinds in firsts.items())
        items = {}
        for alternative in self.rules["item"].alternatives:
            items[min(self._first_of(alternative))] = getattr(alternative[0], "text", "")
        return [
            f"RULES = {tuple(self.rules)!r}\n",
            f"ITEMS = {items!r}\n",
            f"BODIES = {{{shown}}}\n",
            f"FIRST = {{{first}}}\n\n\n",
        ]

    def heads(self) -> list[str]:
        """Functions for what comes before the brace of each block."""
        lines = []
        for name in self.rules:
            block = self._block(name)
            if block is None:
                continue
            lines += [f"\n    def head_{name}(self):", "        children = []"]
            lines += [*self._sequence(block[0], "        ")[0], "        return children"]
        return ["\n".join(lines) + "\n"]

    def _block(self, name: str) -> tuple[tuple[Part, ...], list[str]] | None:
        """The parts of a rule before its brace, and the rules between the braces."""
        parts = self.rules[name].alternatives[0]
        last = parts[-1]
        if isinstance(last, Group) and last.suffix == "?":  # the braces may be left out
            parts = (*parts[:-1], *last.alternatives[0])
        if Name("LBRACE") not in parts:
            return None
        at = parts.index(Name("LBRACE"))
        inside = [part for part in parts[at + 1 : -1] if isinstance(part, Group)]
        return parts[:at], [getattr(group.alternatives[0][0], "text", "") for group in inside]

    def _group(self, group: Group, pad: str) -> tuple[list[str], str]:
        """The code for an optional or repeated part, and an expression for what may follow it.

        The expression is the set of tokens that could have continued the part here.
        """
        first = self._show(self._first(group))
        if group.suffix == "?":
            mark = f"at_{self._marks}"
            self._marks += 1
            inside, more = self._choice(group, pad + "    ", [])
            lines = [f"{pad}{mark} = self.at", f"{pad}if self.kind in {first}:", *inside]
            return lines, f"({_union(more)} if self.at > {mark} else {_set(first)})"
        if group.suffix == "*":
            # Undone when it fails: what follows may start like one more repetition.
            inside, _ = self._choice(group, pad + "        ", [])
            return [
                f"{pad}while self.kind in {first}:",
                f"{pad}    at, count = self.at, len(children)",
                f"{pad}    try:",
                *inside,
                f"{pad}    except Fail:",
                f"{pad}        self.at, self.kind = at, self.tokens[at].kind",
                f"{pad}        del children[count:]",
                f"{pad}        break",
            ], _set(first)
        raise ValueError(f"`{group.suffix}` is not known in a parser's rule")

    def _choice(self, group: Group, pad: str, skipped: list[str]) -> tuple[list[str], list[str]]:
        """The code for one of several alternatives; `skipped` could have come before it."""
        if len(group.alternatives) == 1:
            return self._sequence(group.alternatives[0], pad)
        expected = _union([_set(self._show(self._first(group))), *skipped])
        fail = f"{pad}    raise Fail(self, {expected})"
        if (together := self._one_of(group)) is not None:
            check = f"{pad}if self.kind not in {self._show(together)}:"
            return [check, fail, *self._consume(pad)], []
        lines = []
        for index, alternative in enumerate(group.alternatives):
            word = "elif" if index else "if"
            first = self._first_of(alternative)
            lines.append(f"{pad}{word} self.kind in {self._show(first)}:")
            lines += self._sequence(alternative, pad + "    ")[0]
        return [*lines, f"{pad}else:", fail], []

    def _one_of(self, group: Group) -> frozenset[int] | None:
        """The tokens, if each alternative is a single one."""
        found = set()
        for alternative in group.alternatives:
            part = alternative[0]
            is_token = isinstance(part, Name) and part.text in self.numbers
            if len(alternative) != 1 or not is_token or not isinstance(part, Name):
                return None
            found.add(self.numbers[part.text])
        return frozenset(found)

    def _sequence(self, parts: tuple[Part, ...], pad: str) -> tuple[list[str], list[str]]:
        """The code for parts in order, and expressions for what could still follow the last one."""
        lines: list[str] = []
        skipped: list[str] = []
        for part in parts:
            if isinstance(part, Group) and part.suffix:
                code, more = self._group(part, pad)
                lines += code
                skipped.append(more)
                continue
            if isinstance(part, Group):
                lines += self._choice(part, pad, skipped)[0]
            elif isinstance(part, Name) and part.text in self.numbers:
                number = self.numbers[part.text]
                lines += [
                    f"{pad}if self.kind != {number}:",
                    f"{pad}    raise Fail(self, {_union([f'{{{number}}}', *skipped])})",
                ]
                lines += self._consume(pad) if part.text != "EOF" else []
            elif isinstance(part, Name):
                lines.append(f"{pad}children.append(self.{part.text}())")
            skipped = []
        return lines or [f"{pad}pass"], skipped

    def _consume(self, pad: str) -> list[str]:
        return [
            f"{pad}children.append(self.tokens[self.at])",
            f"{pad}self.at += 1",
            f"{pad}self.kind = self.tokens[self.at].kind",
        ]

    def _first(self, part: Part) -> frozenset[int]:
        if isinstance(part, Group):
            return frozenset().union(*(self._first_of(each) for each in part.alternatives))
        assert isinstance(part, Name)
        if part.text in self.numbers:
            return frozenset((self.numbers[part.text],))
        if part.text not in self._firsts:
            self._firsts[part.text] = self._first(self.rules[part.text])
        return self._firsts[part.text]

    def _first_of(self, parts: tuple[Part, ...]) -> frozenset[int]:
        found: frozenset[int] = frozenset()
        for part in parts:
            found |= self._first(part)
            if not isinstance(part, Group) or part.suffix not in ("?", "*"):
                break
        return found

    def _show(self, kinds: frozenset[int]) -> str:
        shown = ", ".join(str(kind) for kind in sorted(kinds))
        return f"({shown},)" if len(kinds) < 3 else f"{{{shown}}}"


def _set(shown: str) -> str:
    """Kinds of tokens as a set, in Python."""
    return "{" + shown.strip("(){},") + "}"


def _union(sets: list[str]) -> str:
    return " | ".join(sets) or "set()"


_HEADER = "# Generated from Gpl.g4 by gthulhuc.syntax.derive\n"
