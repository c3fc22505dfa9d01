# SPDX-License-Identifier: Apache-2.0
"""Random policies with a random change."""

from __future__ import annotations

import re
from random import Random

from generator import Policies
from gthulhuc import checked
from gthulhuc.frontend import check
from gthulhuc.source import Source
from vocabulary import Vocabulary

_RULE = re.compile(r"^rule .*?^}\n", re.MULTILINE | re.DOTALL)


def changed(text: str, seed: int, words: Vocabulary) -> tuple[str, checked.Policy]:
    """Returns another policy, and its text: a rule is gone, moved, counts only, or matches others.

    `text` is one of `generator`'s.
    """
    choice = Random(seed)
    while True:
        new = _changed(text, choice, words)
        policy, _ = check(Source("new.gpl", new), target=words.target)
        if policy:
            return new, policy


def _changed(text: str, choice: Random, words: Vocabulary) -> str:
    rules, rest = _RULE.findall(text), _RULE.sub("", text)
    index, other = choice.randrange(len(rules)), choice.randrange(len(rules))
    match choice.choice(("move", "remove", "match", "match", "shuffle", "monitor")):
        case "move":
            rules.insert(other, rules.pop(index))
        case "remove":
            del rules[index]
        case "shuffle":
            choice.shuffle(rules)
        case "monitor":
            rules[index] = rules[index].replace("\n}\n", "\n    monitor\n}\n")
        case _:
            predicate = _predicate_of(choice, words)
            head, _, actions = rules[index].partition("\n    match ")
            rules[index] = f"{head}\n    match {predicate}\n" + actions.partition("\n")[2]
    return rest + "".join(rules)


def _predicate_of(choice: Random, words: Vocabulary) -> str:
    """A predicate of another random policy that needs no definition."""
    while True:
        drawn = Policies(choice, words).text("other")
        found = re.findall(r"^    match (.*)$", drawn, re.MULTILINE)
        plain = [each for each in found if not re.search(r"\b(listed|matching)\b", each)]
        if plain:
            return str(choice.choice(plain))
