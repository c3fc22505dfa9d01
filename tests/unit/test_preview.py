# SPDX-License-Identifier: Apache-2.0
"""The classes of two policies, as a dry run shows them."""

from __future__ import annotations

from gthulhu import preview
from gthulhuc import checked
from gthulhuc.frontend import check
from gthulhuc.source import Source


def policy(actions: str) -> checked.Policy:
    text = f'policy p {{}} rule a {{ match comm == "a" {actions} }}'
    found, problems = check(Source("x.gpl", text))
    assert found is not None, problems
    return found


def test_each_action_that_differs_is_shown() -> None:
    """Also the CPUs and `preempt`, whose words stand before their values."""
    before = policy("priority high cpus 0-1 preempt slice 2ms")
    after = policy("priority high cpus 2-3 inherit slice 2ms")
    shown = "a: cpus 2-3, was 0-1, preempt no, was yes, inherit yes, was no"
    assert list(preview.classes(before, after)) == [shown]


def test_a_new_class_is_shown_with_all_its_actions() -> None:
    (line, _) = preview.classes(None, policy("priority high cpus 2 preempt inherit"))
    assert line.startswith("a: new, priority high, weight 200, slice ")
    assert ", cpus 2, " in line
    assert ", preempt, " in line
    assert line.endswith(", inherit")
