# SPDX-License-Identifier: Apache-2.0
"""Globs, and what the compiler concludes about predicates, against plain evaluation."""

from __future__ import annotations

import fnmatch
import gc
import itertools
import re
import time
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extent import first_of
from gthulhuc import checked, globs, regexes
from gthulhuc.checked import Subject
from gthulhuc.fields import Field
from gthulhuc.frontend import check
from gthulhuc.passes.reachability import Taken
from gthulhuc.passes.reasoning.logic import boxes, covers, is_never
from gthulhuc.source import Source, Span

HERE = Span(Source("x.gpl", ""), 0, 0)
COMM, CGROUP = Subject(Field.COMM), Subject(Field.CGROUP)
LABEL, NICE = Subject(Field.LABEL, b"k"), Subject(Field.NICE)
INTERACTIVE, UID = Subject(Field.INTERACTIVE), Subject(Field.UID)
NAMES = (b"a", b"b", b"ab", b"")
PATHS = (b"/", b"/a", b"/a/b", b"/ab")
NICES = (-20, 0, 1, 19)
UNKNOWN = object()


@dataclass(frozen=True)
class Task:
    comm: bytes
    cgroup: bytes
    label: object  # bytes, None for no such label, or UNKNOWN
    nice: int
    interactive: bool


TASKS = [
    Task(*facts)
    for facts in itertools.product(NAMES, PATHS, (b"a", b"b", None, UNKNOWN), NICES, (False, True))
]


def holds(predicate: checked.Predicate, task: Task) -> bool | None:
    """True, False, or None while a fact is not known (Kleene's logic)."""
    match predicate:
        case checked.Not():
            inner = holds(predicate.operand, task)
            return None if inner is None else not inner
        case checked.And():
            parts = [holds(operand, task) for operand in predicate.operands]
            return False if False in parts else None if None in parts else True
        case checked.Or():
            parts = [holds(operand, task) for operand in predicate.operands]
            return True if True in parts else None if None in parts else False
        case checked.InRanges():
            return any(low <= task.nice <= high for low, high in predicate.ranges)
        case checked.Has():
            if predicate.subject == INTERACTIVE:
                return task.interactive
            return None if task.label is UNKNOWN else task.label is not None
        case checked.Under():
            return any(
                task.cgroup == path or task.cgroup.startswith(path.rstrip(b"/") + b"/")
                for path in predicate.paths
            )
        case checked.Equals() | checked.Glob() | checked.Regex():
            return _text_holds(predicate, task)
    raise AssertionError(predicate)


def _text_holds(
    predicate: checked.Equals | checked.Glob | checked.Regex, task: Task
) -> bool | None:
    values = {COMM: task.comm, CGROUP: task.cgroup, LABEL: task.label}
    value = values[predicate.subject]
    if value is UNKNOWN:
        return None
    if not isinstance(value, bytes):
        return False
    match predicate:
        case checked.Equals():
            return value in predicate.values
        case checked.Glob():
            text = value.decode()
            return any(fnmatch.fnmatchcase(text, item.decode()) for item in predicate.patterns)
        case checked.Regex():
            return re.fullmatch(predicate.pattern, value) is not None


def some(values: tuple[bytes, ...]) -> st.SearchStrategy[tuple[bytes, ...]]:
    return st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True).map(tuple)


def ranges(low: int, high: int) -> checked.InRanges:
    return checked.InRanges(NICE, ((min(low, high), max(low, high)),), HERE)


TEXTS = st.sampled_from((COMM, LABEL))
LEAVES: st.SearchStrategy[checked.Predicate] = st.one_of(
    st.builds(checked.Equals, TEXTS, some(NAMES), st.just(HERE)),
    st.builds(checked.Equals, st.just(CGROUP), some(PATHS), st.just(HERE)),
    st.builds(checked.Glob, TEXTS, some((b"a*", b"?", b"*", b"[!a]", b"*b")), st.just(HERE)),
    st.builds(
        checked.Regex, TEXTS, st.sampled_from((b"a|b", b"a?b*", b".{1,2}", b".*")), st.just(HERE)
    ),
    st.builds(checked.Under, st.just(CGROUP), some(PATHS), st.just(HERE)),
    st.builds(ranges, st.sampled_from(NICES), st.sampled_from(NICES)),
    st.builds(checked.Has, st.sampled_from((LABEL, INTERACTIVE)), st.just(HERE)),
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


@settings(max_examples=200, deadline=None, derandomize=True)
@given(PREDICATES)
def test_conclusions_are_sound(predicate: checked.Predicate) -> None:
    truths = [holds(predicate, task) is True for task in TASKS]
    assert not (is_never(predicate) and any(truths))
    parts = boxes(predicate)
    assert not (parts is not None and covers(parts, {}) and not all(truths))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(PREDICATES, min_size=1, max_size=4), PREDICATES)
def test_a_rule_called_unreachable_gets_no_task(
    earlier: list[checked.Predicate], last: checked.Predicate
) -> None:
    taken = Taken()
    for number, predicate in enumerate(earlier):
        taken.add(boxes(predicate) or [], number)
    wanted = boxes(last)
    if not wanted:
        return
    by = taken.covers(wanted)
    for task in TASKS:
        if by and holds(last, task) is True:
            assert any(holds(earlier[number], task) is True for number in by)


def said(rules: str) -> list[str]:
    _, problems = check(Source("x.gpl", "policy p {}\n" + rules))
    return [problem.code.name for problem in problems]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('comm ~ "a*"', 'comm == "abc"'),
        ('comm ~ "a*"', 'comm =~ "a[0-9]{2}"'),
        ('comm in ["a", "b"]', 'comm == "b" and uid == 0'),
        ("uid < 1000 or uid >= 500", 'comm == "a"'),
        ('cgroup under "/a"', 'cgroup under "/a/b" and comm == "x"'),
        ('calls "f" within 2s', 'calls "f" within 1s'),
        ('unit == "a.service"', 'unit == "a.service" and leader'),
        ('ancestor == "a"', 'ancestor == "a" and parent == "b"'),
        ('label "k"', 'label "k" == "v"'),
        ('comm =~ "[a-c]+"', 'comm ~ ["a", "b"] or comm == "abc"'),
    ],
)
def test_rules_hidden_by_earlier_ones_are_found(first: str, second: str) -> None:
    rules = f"rule a {{ match {first} weight 7 }} rule b {{ match {second} weight 8 }}"
    assert said(rules)[0] in ("unreachable", "always-true")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('not label "t" == "a"', 'comm == "x"'),
        ('label "t" == "a" or not label "t" == "a"', 'comm == "x"'),
        ('comm == "x"', 'comm == "x" and kthread'),
        ('ancestor == "a" and ancestor == "b"', 'ancestor == "a"'),
        ('uid == "root"', "uid == 0"),
        ('qos in ["guaranteed", "burstable", "best-effort"]', 'not qos == "burstable"'),
        ('calls "f" within 1s', 'calls "f" within 1s via softirq'),
    ],
)
def test_a_reachable_rule_has_no_warning(first: str, second: str) -> None:
    rules = f"rule a {{ match {first} weight 7 }} rule b {{ match {second} weight 8 }}"
    assert said(rules) == []


def test_a_monitor_takes_nothing() -> None:
    rules = 'rule a { match comm == "x" monitor } rule b { match comm == "x" weight 8 }'
    assert said(rules) == []
    assert "unreachable" in said(rules.replace("monitor", "weight 7"))


def test_rules_cover_one_together() -> None:
    rules = 'rule a { match comm ~ "a*" and nice > 0 weight 7 }\n'
    rules += 'rule b { match comm ~ "a*" and nice <= 0 weight 7 }\n'
    assert said(rules + 'rule c { match comm == "ab" weight 8 }') == ["unreachable"]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text("ab*?[]!-", max_size=6), st.text("ab]-!", max_size=5))
def test_globs_mean_what_fnmatch_means(pattern: str, value: str) -> None:
    try:
        regex = globs.to_regex(pattern.encode())
    except globs.GlobError:
        return
    assert bool(regex.fullmatch(value.encode())) == fnmatch.fnmatchcase(value, pattern)


@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")  # of a pattern drawn
@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.text("ab.[]()|*+?{}2,^-\\d", max_size=8), st.text("ab2-", max_size=4))
def test_the_subset_means_what_python_means(pattern: str, value: str) -> None:
    from gthulhuc.passes.reasoning.patterns import regex_pattern

    try:
        tree = regexes.parse(pattern.encode())
    except regexes.RegexError:
        return
    plain = re.fullmatch(pattern.encode(), value.encode(), re.DOTALL) is not None
    assert plain == (re.fullmatch(regexes.to_python(tree), value.encode(), re.DOTALL) is not None)
    automaton = regex_pattern(pattern.encode())
    assert automaton is None or automaton.matches(value.encode()) == plain


@pytest.mark.parametrize(
    ("pattern", "length"), [(b"", 0), (b"*", 0), (b"a*b", 2), (b"[abc]?", 2), (b"[]]", 1)]
)
def test_the_shortest_match(pattern: bytes, length: int) -> None:
    assert globs.shortest(pattern) == length


def seconds(text: str) -> float:
    """Processor time of a check; without the collector, whose work grows with the test process."""
    source = Source("x.gpl", text)
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        check(source)
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "rule",
    first_of(
        [
            'rule r{i} {{ match comm == "n{i}" slice 2ms }}\n',
            'rule r{i} {{ match cgroup under "/system.slice/s{i}" slice 2ms }}\n',
            'rule r{i} {{ match unit ~ "*-n{i}.service" slice 2ms }}\n',
            'rule r{i} {{ match comm =~ "n{i}(a|b)+" slice 2ms }}\n',
            'rule r{i} {{ match comm == "n{i}" and nice > 3 slice 2ms }}\n',
            'rule r{i} {{ match com == "n{i}" slice 2 }}\n',
            'rule r{i} {{ match comm ~ "n{i}-*" and process == "p" slice 2ms }}\n',
            'rule r{i} {{ match label "k{i}" slice 2ms }}\n',
            "rule r{i} {{ match uid in {i}0..{i}5 slice 2ms }}\n",
            'rule r{i} {{ match comm ~ "*n{i}*" slice 2ms }}\n',
            'rule r{i} {{ match comm == "n{i}" priority high preempt }}\n',
        ],
        4,
    ),
)
def test_a_large_policy_is_checked_in_linear_time(rule: str) -> None:
    few, many = (
        "policy p {}\n" + "".join(rule.format(i=i) for i in range(rules)) for rules in (200, 2000)
    )
    # Ten times the rules take ten times as long, a hundred times if each looked at all others;
    # three attempts and what lies between leave room for a busy machine.
    least = min(seconds(few) for _ in range(3))
    assert any(seconds(many) < 30 * least for _ in range(3))


@pytest.mark.parametrize(
    ("earlier", "hidden"),
    [
        ('cgroup under "/s{i}"', 'cgroup under "/s{i}/x" and comm == "y"'),
        ('comm ~ "n{i}-*"', 'comm == "n{i}-a"'),
        ('comm ~ ["n{i}-*", "m{i}-*"]', 'comm ~ "m{i}-?" and nice > 0'),
        ('comm ~ "*-n{i}"', 'comm =~ "[ab]-n{i}"'),
        ("uid in {i}0..{i}9", "uid == {i}3"),
        ('process == "p" and comm == "n{i}"', 'comm == "n{i}" and process == "p" and nice > 0'),
        ('label "k{i}"', 'label "k{i}" == "v"'),
    ],
)
def test_hidden_rules_are_found_among_many(earlier: str, hidden: str) -> None:
    many = 600
    rules = [f"rule r{i} {{ match {earlier.format(i=i)} weight 7 }}" for i in range(1, many)]
    rules += [f"rule h{i} {{ match {hidden.format(i=i)} weight 8 }}" for i in range(1, many, 50)]
    assert said("\n".join(rules)) == ["unreachable"] * 12


WORDS = st.text("ab*?[]|(){2}", max_size=6)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(WORDS, st.booleans(), st.text("ab2", max_size=6))
def test_each_match_begins_and_ends_as_the_pattern_says(
    written: str, is_glob: bool, value: str
) -> None:
    from gthulhuc.passes.reasoning.patterns import glob_pattern, regex_pattern

    try:
        wanted = written.encode()
        pattern = glob_pattern((wanted,)) if is_glob else regex_pattern(wanted)
    except (globs.GlobError, regexes.RegexError):
        return
    if pattern is None:
        return
    if pattern.matches(value.encode()):
        forth, back = value.encode() + b"\0", value.encode()[::-1] + b"\0"
        assert any(forth.startswith(head) for head in pattern.heads)
        assert any(back.startswith(tail) for tail in pattern.tails)
    assert pattern.matches(pattern.example)
