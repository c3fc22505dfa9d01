# SPDX-License-Identifier: Apache-2.0
"""The generated classifier, on the host and under sanitizers, agrees with the reference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from extent import first_of
from generator import draw
from gthulhuc import checked, reference
from gthulhuc.frontend import check
from gthulhuc.plan import decisions
from gthulhuc.reference import Task
from gthulhuc.source import Source
from matching import HostClassifier
from random_tasks import tasks
from vocabulary import ODD

# Compiling a policy costs more than trying a thousand tasks.
WORDS = replace(ODD, sizes=tuple(range(3, 13)))
TASKS = 1500


@pytest.mark.parametrize("seed", first_of(range(70), 30))
def test_the_classifier_agrees_with_the_reference(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As C, and every second policy as a graph of steps."""
    for name in ("MOST_INLINE", "MOST_INLINE_OF_ONE"):
        monkeypatch.setattr(decisions, name, 0 if seed % 2 else 1000)
    _, policy = draw(seed, WORDS)
    some = tasks(policy, seed, TASKS)
    expected = [verdict(policy, task) for task in some]
    found = HostClassifier(policy, tmp_path).verdicts(some)
    for task, is_so, wanted in zip(some, found, expected, strict=True):
        assert is_so == wanted, task


def test_limits_of_programs_are_alike(tmp_path: Path) -> None:
    source = Source(
        "p.gpl",
        """
policy p
rule last { match cmdline[63] == "63" priority high }
rule end { match cmdline ~ "*end" priority low }
rule second { match cmdline[1] ~ "x*" priority idle }
rule deep { match exe under "/a" priority urgent }
""",
    )
    policy, problems = check(source)
    assert policy is not None, problems
    commands = (
        (b"a", b"x" * 252 + b"end"), (b"a", b"x" * 253 + b"end"), (b"a", b"x" * 700, b"end"),
        tuple(b"%d" % number for number in range(63)), tuple(b"%d" % n for n in range(64)),
        (*(b"%d" % number for number in range(64)), b"end"), (b"",) * 63 + (b"end",), (), (b"",),
    )  # fmt: skip
    some = [Task(cmdline=command) for command in commands]
    some += [Task(exe=b"/a" * 32), Task(exe=b"/a" * 33), Task(exe=b"/a/" + b"b" * 255)]
    expected = [verdict(policy, task) for task in some]
    assert [name for name, _ in expected] == [
        "end", "second", "end", "default", "last", "last", "end", "default", "default",
        "deep", "default", "deep",
    ]  # fmt: skip
    assert HostClassifier(policy, tmp_path).verdicts(some) == expected


def verdict(policy: checked.Policy, task: Task) -> tuple[str, list[str]]:
    found = reference.classify(policy, task)
    return found.name, [rule.name for rule in found.monitored]
