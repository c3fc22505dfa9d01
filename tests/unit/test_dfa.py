# SPDX-License-Identifier: Apache-2.0
"""Automata against Python's own regular expressions."""

from __future__ import annotations

import itertools
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gthulhuc import globs, regexes
from gthulhuc.plan import dfa, kubernetes, patterns
from gthulhuc.reference import qos_of, unit_of
from patterns import glob, regex
from vocabulary import ODD

NAMES = ODD.names
COMPONENTS = sorted({part for path in ODD.paths for part in path.split(b"/")[1:]})

choices = st.randoms(use_true_random=False)
some_regexes = choices.map(regex)
some_globs = choices.map(lambda choice: glob(choice, NAMES))
texts = st.one_of(st.sampled_from(NAMES), st.text("ab/.-rn", max_size=8).map(str.encode))
paths = st.lists(st.sampled_from(COMPONENTS), max_size=4).map(lambda c: b"/" + b"/".join(c))


@given(
    st.lists(some_regexes, min_size=1, max_size=4),
    st.lists(some_globs, max_size=4),
    st.lists(texts, min_size=1, max_size=30),
)
@settings(deadline=None)
def test_an_automaton_agrees_with_python(
    expressions: list[bytes], some: list[bytes], strings: list[bytes]
) -> None:
    trees = [regexes.parse(expression) for expression in expressions]
    trees += [patterns.glob(pattern) for pattern in some]
    compiled = [
        re.compile(regexes.to_python(regexes.parse(expression)), re.DOTALL)
        for expression in expressions
    ]
    compiled += [globs.to_regex(pattern) for pattern in some]
    table = dfa.build(trees)
    for text in strings:
        expected = tuple(n for n, pattern in enumerate(compiled) if pattern.fullmatch(text))
        assert table.match(text) == expected


@given(st.lists(some_regexes, min_size=1, max_size=3))
@settings(deadline=None)
def test_no_smaller_automaton_is_hidden_in_it(expressions: list[bytes]) -> None:
    table = dfa.build([regexes.parse(expression) for expression in expressions])
    size = table.nr_columns
    rows = [table.next_state[i * size : (i + 1) * size] for i in range(len(table.accepts))]
    block = [table.accepts.index(accepts) for accepts in table.accepts]
    for _ in rows:  # two states that no string tells apart would stay together
        keys = [(block[i], *(block[target] for target in row)) for i, row in enumerate(rows)]
        block = [keys.index(key) for key in keys]
    assert len(set(block)) == len(rows)


def test_certain_matches_take_no_states() -> None:
    wanted = patterns.any_of(patterns.glob(b"*%d*" % number) for number in range(100, 300))
    assert len(dfa.build([wanted]).accepts) < 20


def test_too_many_states_are_refused_in_time() -> None:
    trees = [patterns.glob(b"*%d*" % number) for number in range(100, 130)]
    with pytest.raises(dfa.TooManyStatesError):
        dfa.build(trees)


@given(paths)
def test_a_unit_is_a_component(path: bytes) -> None:
    table = dfa.build([kubernetes.UNIT])
    units = [name for name in path.split(b"/") if table.match(name)]
    assert unit_of(path) == (units[-1] if units else None)


@given(paths)
def test_the_class_of_a_pod_is_where_the_path_names_one_last(path: bytes) -> None:
    names = (b"guaranteed", b"burstable", b"best-effort")
    table = dfa.build([kubernetes.qos_paths("is", [name]) for name in names])
    found = None
    parts = path.split(b"/")
    for end in range(2, len(parts) + 1):
        if accepted := table.match(b"/".join(parts[:end])):
            (number,) = accepted
            found = names[number]
    assert qos_of(path) == found


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (b"/kubepods/pod12/abc", b"guaranteed"),
        (b"/kubepods/besteffort/pod12", b"best-effort"),
        (b"/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod1_2.slice/x", b"guaranteed"),
        (b"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice", b"burstable"),
        (b"/kubepods/burstable", None),
        (b"/kubepods.slice/kubepods-besteffort.slice", None),
        (b"/pods/pod12", None),
        (b"/kubepods/pod1/inner/kubepods/burstable/pod2", b"burstable"),
    ],
)
def test_cgroup_paths_of_both_kubelet_drivers(path: bytes, name: bytes | None) -> None:
    assert qos_of(path) == name


shapes = st.lists(st.text("ab*?", min_size=1, max_size=6), min_size=1, max_size=3)


@given(st.lists(shapes, min_size=1, max_size=4))
def test_globs_that_share_a_tree_keep_their_meanings(lists: list[list[str]]) -> None:
    trees = [patterns.question("glob", map(str.encode, shapes)) for shapes in lists]
    table = dfa.build(trees)
    expressions = [[globs.to_regex(shape.encode()) for shape in shapes] for shapes in lists]
    for length in range(6):
        for letters in itertools.product(b"abc", repeat=length):
            text = bytes(letters)
            expected = tuple(
                number
                for number, alternatives in enumerate(expressions)
                if any(expression.fullmatch(text) for expression in alternatives)
            )
            assert table.match(text) == expected


def test_many_globs_with_a_leading_star_are_one_small_table() -> None:
    """Their cost grows with their length: two thousand took over two minutes."""
    start = time.process_time()
    table = dfa.build([patterns.question("glob", [b"*a%db" % number for number in range(15_000)])])
    assert time.process_time() - start < 10
    assert table.match(b"xa14999b") == (0,)
    assert table.match(b"xa15000b") == ()


def test_globs_with_stars_on_both_sides_are_one_small_table() -> None:
    """A match of one decides for the list, so that no state remembers the others."""
    table = dfa.build([patterns.question("glob", [b"*a%db*" % number for number in range(2000)])])
    assert table.match(b"xa1999by") == (0,)
    assert table.match(b"xa2000by") == ()
    assert len(table.accepts) < 5000
