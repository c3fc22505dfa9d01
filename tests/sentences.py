# SPDX-License-Identifier: Apache-2.0
"""Random sentences of the grammar: most are meaningless, all of them parse."""

from __future__ import annotations

import re
from random import Random

from gthulhuc.syntax.grammar import Group, Literal, Name, read
from gthulhuc.syntax.regenerate import GRAMMAR

WORDS = [
    "a", "comm", "process", "parent", "ancestor", "cgroup", "unit", "qos", "label", "pod", "uid",
    "gid", "nice", "kthread", "leader", "calls", "interactive", "urgent", "high", "low", "never",
    "lazy", "eager", "return", "exclusive", "prefer", "all", "node", "llc", "fast", "softirq",
    "kernel", "watchdog", "p99", "wakeup", "max", "rate", "eevdf", "s", "t", "int", "a-b", "_",
]  # fmt: skip
NUMBERS = ["0", "1", "3", "19", "200", "2ms", "100us", "1s", "20%", "2x", "6.13", "9" * 30, "1.5ms"]
STRINGS = [
    '"a"', '"nr-*"', '"[a-z]*"', '"/a/b"', '"x.service"', '"guaranteed"', '"é{"', '"%s%n"',
    '"\\\\"', '"a\\"b # no comment"', '"\\n"', '""', '"lib.gpl"', '"abcdefghijklmnop"',
]  # fmt: skip
RAWS = ["'a(b|c){2,3}'", "'*/'", "'[^]]+?'", "'.*.*.*a'", "'\\d+ # [x]'"]
# A line break ends a comment; without one, the comment would swallow the next token.
_BLANKS = (
    " ", " ", " ", "\n", "\t", "\r\n", "\n\n\n", " # note \n", "\n# own\n", "#\r\n", "\r# a\r\n\n",
)  # fmt: skip
_TOKENS = {
    "WORD": WORDS,
    "NUMBER": [*NUMBERS, "2µs"],
    "CLOCK": ["22:00", "6:30", "99:99"],
    "STRING": STRINGS,
    "RAW": RAWS,
    "EOF": [""],
}
_DEEPEST = 25


class Sentences:
    """Random sentences; past a certain depth every choice is the last, which ends soon."""

    def __init__(self, chance: Random) -> None:
        self._rules = read(GRAMMAR.read_text(encoding="utf-8")).rules
        # The grammar has it for a better message.
        comparators = self._rules["comparator"].alternatives
        self._rules["comparator"] = Group(
            tuple(each for each in comparators if each != (Name("ASSIGN"),))
        )
        self._chance = chance
        self._joint = "AND"

    def tokens(self, most: int = 6) -> list[str]:
        """Returns the tokens of a file with a few items."""
        parts: list[str] = []
        for _ in range(self._chance.randint(1, most)):
            self._rule("item", parts, 0)
        return parts

    def text(self) -> str:
        """Returns the text of a file with odd blanks and comments."""
        blanked = "".join(self._chance.choice(_BLANKS) + token for token in self.tokens(5))
        return blanked + self._chance.choice(("", "\n", "# end", "\n\n\n# end\n\n"))

    def _rule(self, name: str, parts: list[str], depth: int) -> None:
        if name in ("AND", "OR"):
            parts.append(self._token(self._joint))
        elif name[0].isupper():
            parts.append(self._token(name))
        else:
            # An expression has one of the two: a mixture has to have parentheses.
            joint, self._joint = self._joint, self._chance.choice(("AND", "OR"))
            self._group(self._rules[name], parts, depth + 1)
            self._joint = joint

    def _group(self, group: Group, parts: list[str], depth: int) -> None:
        turns = 1
        is_deep = depth > _DEEPEST
        if group.suffix:
            most = 0 if is_deep else 1 if group.suffix == "?" else 3
            turns = self._chance.randint(0, most)
        for _ in range(turns):
            chosen = self._chance.choice(group.alternatives[-1:] if is_deep else group.alternatives)
            for part in chosen:
                if isinstance(part, Group):
                    self._group(part, parts, depth)
                elif isinstance(part, Name):
                    self._rule(part.text, parts, depth)

    def _token(self, name: str) -> str:
        if name in _TOKENS:
            return self._chance.choice(_TOKENS[name])
        part = self._rules[name].alternatives[0][0]
        assert isinstance(part, Literal)
        return re.sub(r"\\(.)", r"\1", part.regex)
