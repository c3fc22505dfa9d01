# SPDX-License-Identifier: Apache-2.0
"""Globs, and what the compiler concludes about predicates, against plain evaluation."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gthulhuc import checked, globs
from gthulhuc.checked import Field
from gthulhuc.diagnostics import Collector
from gthulhuc.frontend import check
from gthulhuc.passes.logic import is_always, is_never, pushed
from gthulhuc.passes.reachability import _Taken
from gthulhuc.source import Source, Span

HERE = Span(Source("x.gpl", ""), 0, 0)
NAMES = (b"a", b"b", b"ab", b"")
PATHS = (b"/", b"/a", b"/a/b", b"/ab")
TASKS = [(comm, path) for comm in NAMES for path in PATHS]


def holds(predicate: checked.Predicate, task: tuple[bytes, bytes]) -> bool:
    comm, path = task
    match predicate:
        case checked.Equals():
            return (comm if predicate.field is Field.COMM else path) in predicate.values
        case checked.Glob():
            value = (comm if predicate.field is Field.COMM else path).decode()
            return any(fnmatch.fnmatchcase(value, item.decode()) for item in predicate.patterns)
        case checked.Under():
            parts = [part for part in predicate.path.split(b"/") if part]
            return [part for part in path.split(b"/") if part][: len(parts)] == parts
        case checked.Not():
            return not holds(predicate.operand, task)
        case checked.And():
            return all(holds(operand, task) for operand in predicate.operands)
        case checked.Or():
            return any(holds(operand, task) for operand in predicate.operands)


def some(values: tuple[bytes, ...]) -> st.SearchStrategy[tuple[bytes, ...]]:
    return st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True).map(tuple)


LEAVES: st.SearchStrategy[checked.Predicate] = st.one_of(
    st.builds(checked.Equals, st.just(Field.COMM), some(NAMES), st.just(HERE)),
    st.builds(checked.Equals, st.just(Field.CGROUP), some(PATHS), st.just(HERE)),
    st.builds(checked.Glob, st.just(Field.COMM), some((b"a*", b"?", b"*", b"[!a]")), st.just(HERE)),
    st.builds(checked.Under, st.sampled_from(PATHS), st.just(HERE)),
)
PREDICATES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(checked.Not, inner, st.just(HERE)),
        st.builds(checked.And, st.lists(inner, min_size=2, max_size=3).map(tuple), st.just(HERE)),
        st.builds(checked.Or, st.lists(inner, min_size=2, max_size=3).map(tuple), st.just(HERE)),
    ),
    max_leaves=8,
)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(PREDICATES)
def test_conclusions_are_sound(predicate: checked.Predicate) -> None:
    normal = pushed(predicate)
    truths = [holds(predicate, task) for task in TASKS]
    assert truths == [holds(normal, task) for task in TASKS]
    assert not (is_never(normal) and any(truths))
    assert not (is_always(normal) and not all(truths))


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(PREDICATES, min_size=1, max_size=4), PREDICATES)
def test_a_rule_called_unreachable_gets_no_task(
    earlier: list[checked.Predicate], last: checked.Predicate
) -> None:
    taken = _Taken()
    for number, predicate in enumerate(earlier):
        taken.add(predicate, number)
    by = taken.covers(last)
    for task in TASKS:
        if by and holds(last, task):
            assert any(holds(earlier[number], task) for number in by)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.text("ab*?[]!-", max_size=6), st.text("ab]-!", max_size=5))
def test_globs_mean_what_fnmatch_means(pattern: str, value: str) -> None:
    try:
        regex = globs.to_regex(pattern.encode())
    except globs.GlobError:
        return
    assert bool(regex.fullmatch(value.encode())) == fnmatch.fnmatchcase(value, pattern)


@pytest.mark.parametrize(
    ("pattern", "length"), [(b"", 0), (b"*", 0), (b"a*b", 2), (b"[abc]?", 2), (b"[]]", 1)]
)
def test_the_shortest_match(pattern: bytes, length: int) -> None:
    assert globs.shortest(pattern) == length


def test_a_large_policy_is_checked_in_linear_time() -> None:
    def seconds(rules: int) -> float:
        import time

        text = "policy p {}\n" + "".join(
            f'rule r{i} {{ match comm == "n{i}" slice 2ms }}\n' for i in range(rules)
        )
        source = Source("x.gpl", text)
        start = time.process_time()
        policy, _ = check(source)
        assert policy is not None
        return time.process_time() - start

    seconds(10)
    # Ten times the rules: twenty times the time leaves room for noise, a hundred would not.
    assert seconds(1500) < 20 * max(seconds(150), 0.02)


def test_the_collector_starts_empty() -> None:
    assert not Collector().has_errors
