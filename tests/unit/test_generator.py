# SPDX-License-Identifier: Apache-2.0
"""The random policies reach the whole language, and a number gives the same policy each time."""

from __future__ import annotations

import re
from random import Random

import pytest

from generator import Policies, draw
from gthulhuc.actions import AMOUNTS, CHANGEABLE, NAMES
from gthulhuc.checked import Level, Migrate
from gthulhuc.conditions import Aspect
from gthulhuc.fields import Field
from vocabulary import MACHINE, ODD, Vocabulary

FORMS = (
    *(rf"\b{field.value}\b" for field in Field),
    *(rf"^    {name}\b" for name in NAMES),
    *(rf"^    {name} t\d+" for name in AMOUNTS if AMOUNTS[name].unit != "%"),
    *(rf"priority {level.name.lower()}" for level in Level),
    *(rf"migrate {how.value}" for how in Migrate),
    *(rf" {sign} " for sign in ("==", "!=", "<", "<=", ">", ">=", "~", "=~", "in", "under")),
    r"in \d+\.\.\d+", r"in \[\d", r"exclusive", r"prefer", r"cpus all", r"return", r"via softirq",
    r"preempt$", r"after .* budget .* per", r"slice \w+\.\.\w+", r"perf auto", r"\bnot ", r" or ",
    r" and ", r"\blisted\b", r"\bmatching\b", r"^default", r"^expect", r"^promise",
    r"else rollback", r"kernel >=", r"watchdog",
    r'cpus irq "', r'cpus \d, irq "', r'cpus not irq "',
    *(rf"^when .*\b{aspect.value}\b" for aspect in Aspect),
    *(rf"^    rule r\d+ {{.* {name}\b.* }}$" for name in CHANGEABLE),
    r"^when .* and ", r"^when .* or ", r"^when not \(", r" preempt off\b",
)  # fmt: skip


@pytest.mark.parametrize("words", [MACHINE, ODD], ids=["machine", "odd"])
def test_three_hundred_policies_have_every_form(words: Vocabulary) -> None:
    text = "\n".join(Policies(Random(seed), words).text("p") for seed in range(300))
    missing = [form for form in FORMS if not re.search(form, text, re.MULTILINE)]
    absent = [] if words.has_programs else [r"\bexe\b", r"\bcmdline\b"]
    assert missing == absent + ([] if words.has_shares else [r"^    share\b"])


def test_a_number_gives_the_same_policy() -> None:
    assert draw(7)[0] == draw(7)[0]
    assert draw(7)[0] != draw(8)[0]
