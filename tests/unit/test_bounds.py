# SPDX-License-Identifier: Apache-2.0
"""The longest wait of each class."""

from __future__ import annotations

from gthulhuc.bounds import Bound, bounds
from gthulhuc.frontend import check
from gthulhuc.source import Source

MS = 1_000_000


def of(text: str) -> dict[str, Bound]:
    policy, problems = check(Source("x.gpl", "policy p {}\n" + text))
    assert policy is not None, problems
    return {bound.name: bound for bound in bounds(policy)}


def test_the_longest_slice_is_to_blame() -> None:
    found = of(
        'rule a { match comm == "a" priority urgent slice 2ms }'
        'rule b { match comm == "b" slice 20ms }'
    )
    assert (found["a"].cause, found["a"].slice_ns) == ("b", 20 * MS)
    assert found["a"].wait_ns() == (5 + 2 + 2 * 20) * MS
    assert found["a"].wait_ns(overdue_ahead=5, cpus=4) == (5 + 2 + 2 * 3 * 20) * MS
    assert found["a"].wait_ns(waiting=83) == found["a"].wait_ns()
    assert found["a"].wait_ns(waiting=50_000) == found["a"].wait_ns() + 1200 * MS
    assert found["b"].explanation.startswith("waits at most 142ms with no overdue task ahead")


def test_tunables_count_at_their_worst() -> None:
    found = of(
        "tunable t = 1ms in 1ms..40ms tunable w = 10ms in 1ms..50ms\n"
        'rule a { match comm == "a" slice t max-wait w }'
    )
    assert found["a"].wait_ns() == (50 + 2 + 2 * 40) * MS
    assert (found["default"].cause, found["default"].slice_ns) == ("a", 40 * MS)


def test_classes_without_shared_cpus_do_not_delay_each_other() -> None:
    found = of(
        'rule a { match comm == "a" cpus 3 exclusive slice 30ms }'
        'rule b { match comm == "b" cpus 0-1 slice 20ms }'
        'rule c { match comm == "c" cpus 2 slice 10ms }'
    )
    assert [found[name].cause for name in ("a", "b", "c", "default")] == ["a", "b", "c", "b"]
    assert found["b"].formula == "100ms + 2ms + 2 x (overdue ahead / 2 + 1) x 20ms"
    assert found["a"].formula == "100ms + 2ms + 2 x (overdue ahead + 1) x 30ms"


def test_cpus_exclusive_to_others_are_not_counted() -> None:
    found = of(
        'rule a { match comm == "a" cpus 4-7 exclusive slice 30ms }'
        'rule b { match comm == "b" cpus 0-5 slice 10ms }'
        'rule c { match comm == "c" cpus 4-9 slice 20ms }'
    )
    assert (found["b"].cpus, found["b"].cause) == (4, "b")
    assert (found["c"].cpus, found["c"].cause) == (2, "c")


def test_kernel_threads_are_in_the_way_but_for_exclusive_cpus() -> None:
    found = of(
        'rule a { match comm == "a" slice 1ms } default { slice 1ms }'
        'rule b { match comm == "b" cpus 1 exclusive }'
    )
    assert (found["a"].cause, found["a"].slice_ns) == ("kernel threads", 5 * MS)
    assert (found["b"].cause, found["b"].slice_ns) == ("b", 1 * MS)


def test_monitors_have_no_bound_and_preemption_without_a_budget_is_named() -> None:
    found = of(
        'rule m { match comm == "a" monitor slice 1s }'
        'rule a { match comm == "b" priority urgent preempt }'
    )
    assert set(found) == {"a", "default"}
    assert found["default"].preempted_by == ("a",)
    assert found["default"].slice_ns == 5 * MS


def test_the_weight_of_a_cgroup_does_not_matter_to_a_class_with_a_share() -> None:
    found = of('rule a { match comm == "a" share 20% } rule b { match comm == "b" }')
    assert "`cpu.weight`" not in found["a"].explanation
    assert "`cpu.weight`" in found["b"].explanation
