# SPDX-License-Identifier: Apache-2.0
"""Random policies (hypothesis) over all predicates, and random tasks near their comparisons."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from gthulhuc import checked
from gthulhuc.checked import Predicate, Subject
from gthulhuc.fields import Field, Kind
from gthulhuc.reference import Task
from policies import ACTIONS, policy, rule, span

NAME_FIELDS = (Field.COMM, Field.PROCESS, Field.PARENT, Field.ANCESTOR)
NUMBER_FIELDS = [field for field in Field if field.row.kind in (Kind.ID, Kind.NUMBER)]
LATE_FIELDS = (Field.NAMESPACE, Field.POD, Field.CONTAINER)
NAMES = (
    b"", b"a", b"ab", b"abc", b"nr-gnb", b"nr-ue", b"ping", b"kworker/0:1", b"lcore-worker-7",
    b"a*b", b"[x]", b'q"\\', b"*/", b"%s%n", b"\xc3\xa9t\xc3\xa9", b"??/", b"123456789012345",
    b"\xff\xfe", b" x ", b"line\nbreak",
)  # fmt: skip
COMPONENTS = (
    b"a", b"b", b"ab", b"a.service", b"b.scope", b"nginx.service", b".service", b"x.slice",
    b"kubepods", b"burstable", b"besteffort", b"pod1", b"pod", b"kubepods.slice",
    b"kubepods-burstable.slice", b"kubepods-burstable-pod1_2.slice", b"kubepods-pod3.slice",
    b"kind-kubepods-besteffort-pod9.slice", b"n" * 63, b"m" * 64, b"l" * 140,
)  # fmt: skip
QOS = (b"guaranteed", b"burstable", b"best-effort")
USERS = {b"root": 0, b"web": 33, b"nobody": 65534}
GROUPS = {b"wheel": 10, b"web": 33}
NUMBERS = (0, 1, 5, 10, 33, 1000, 1001, 65534, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)
CALLS = tuple(
    checked.Calls(function, within, softirq, span())
    for function, within, softirq in (("f", 10, False), ("f", 10, True), ("g", 20, False))
)

names = st.one_of(
    st.sampled_from(NAMES), st.binary(max_size=15).map(lambda b: b.replace(b"\0", b"?"))
)
paths = st.lists(st.sampled_from(COMPONENTS), max_size=4).map(lambda c: b"/" + b"/".join(c))


def _texts(values: SearchStrategy[bytes]) -> SearchStrategy[tuple[bytes, ...]]:
    return st.lists(values, min_size=1, max_size=5, unique=True).map(tuple)


@st.composite
def globs(draw: st.DrawFn, texts: SearchStrategy[bytes]) -> bytes:
    """A glob that resembles one of these texts."""
    text = draw(texts)
    at = draw(st.integers(0, len(text)))
    plain = [_glob_literal(text[:at]), _glob_literal(text[at:])]
    middle = draw(st.sampled_from([b"*", b"?", b"[a-z]", b"[!a]", b"[*]", b""]))
    return draw(st.sampled_from([b"", b"*"])) + plain[0] + middle + plain[1]


def _glob_literal(text: bytes) -> bytes:
    return b"".join(b"[" + bytes([c]) + b"]" if c in b"*?[" else bytes([c]) for c in text)


regexes = st.recursive(
    st.sampled_from([b"a", b"b", b".", b"[a-c]", b"[^/]", rb"\d", rb"\w", b"nr-", b"/", rb"\."]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(b"".join),
        st.tuples(inner, inner).map(lambda p: b"(" + b"|".join(p) + b")"),
        st.tuples(inner, st.sampled_from([b"*", b"+", b"?", b"{2}", b"{1,3}"])).map(
            lambda p: b"(" + p[0] + b")" + p[1]
        ),
    ),
    max_leaves=5,
)


def _strings(subject: Subject, texts: SearchStrategy[bytes]) -> SearchStrategy[Predicate]:
    return st.one_of(
        _texts(texts).map(lambda v: checked.Equals(subject, v, span())),
        _texts(globs(texts)).map(lambda v: checked.Glob(subject, v, span())),
        regexes.map(lambda v: checked.Regex(subject, v, span())),
    )


def _values(field: Field) -> list[int]:
    """Numbers that a field may have: all, or a sample of many."""
    low, high = field.row.bounds
    if high - low < 100:
        return list(range(low, high + 1))
    return [number for number in NUMBERS if low <= number <= high]


@st.composite
def _ranges(draw: st.DrawFn, field: Field) -> Predicate:
    ends = sorted(draw(st.sets(st.sampled_from(_values(field)), min_size=1, max_size=24)))
    pairs = [(a, b) for a, b in zip(ends[::2], ends[1::2], strict=False)] or [(ends[0], ends[0])]
    return checked.InRanges(Subject(field), tuple(pairs), span())


def _leaves() -> SearchStrategy[Predicate]:
    components = st.sampled_from(COMPONENTS)
    has = [Field.KTHREAD, Field.LEADER, Field.INTERACTIVE]
    labels = [Subject(Field.LABEL, b"app"), Subject(Field.LABEL, b'"')]
    late = [*labels, *(Subject(field) for field in LATE_FIELDS)]
    return st.one_of(
        *(_strings(Subject(field), names) for field in NAME_FIELDS),
        _strings(Subject(Field.CGROUP), paths),
        _strings(Subject(Field.UNIT), components),
        _strings(Subject(Field.QOS), st.sampled_from(QOS)),
        _texts(paths).map(lambda v: checked.Under(v, span())),
        st.sampled_from(has).map(lambda f: checked.Has(Subject(f), span())),
        st.sampled_from(late).map(lambda s: checked.Has(s, span())),
        st.sampled_from(late).flatmap(lambda s: _strings(s, names)),
        st.sampled_from(NUMBER_FIELDS).flatmap(_ranges),
        _texts(st.sampled_from(list(USERS))).map(
            lambda v: checked.IdNamed(Subject(Field.UID), v, span())
        ),
        _texts(st.sampled_from(list(GROUPS))).map(
            lambda v: checked.IdNamed(Subject(Field.GID), v, span())
        ),
        st.sampled_from(CALLS),
    )


def _inner(parts: SearchStrategy[Predicate]) -> SearchStrategy[Predicate]:
    several = st.lists(parts, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        parts.map(lambda p: checked.Not(p, span())),
        several.map(lambda p: checked.And(p, span())),
        several.map(lambda p: checked.Or(p, span())),
    )


predicates: SearchStrategy[Predicate] = st.recursive(_leaves(), _inner, max_leaves=6)


@st.composite
def policies(draw: st.DrawFn) -> checked.Policy:
    """A policy of a few rules: compiling one costs more than trying a thousand tasks."""
    found = draw(st.lists(predicates, min_size=3, max_size=12))
    flags = st.sampled_from([False, False, False, True])
    rules = [
        rule(
            f"r{i}",
            match,
            replace(ACTIONS, inherit=draw(flags), monitor=draw(flags)),
            line=i + 2,
        )
        for i, match in enumerate(found)
    ]
    return policy(rules)


def tasks(seed: int, number: int) -> list[Task]:
    """Random tasks, many of which match random policies."""
    choice = random.Random(seed)
    return [_task(choice) for _ in range(number)]


def _task(choice: random.Random) -> Task:
    ancestors = tuple(_name(choice) for _ in range(choice.randint(0, 4)))
    leader = choice.random() < 0.5
    process = _name(choice)
    in_pod = choice.random() < 0.5
    return Task(
        comm=process if leader else _name(choice),
        process=process,
        parent=ancestors[0] if ancestors else None,
        ancestors=ancestors,
        cgroup=_path(choice),
        labels={key: _name(choice) for key in (b"app", b'"') if in_pod and choice.random() < 0.6},
        namespace=_name(choice) if in_pod and choice.random() < 0.7 else None,
        pod=_name(choice) if in_pod and choice.random() < 0.7 else None,
        container=_name(choice) if in_pod and choice.random() < 0.7 else None,
        labels_known=choice.random() < 0.7,
        numbers={field: choice.choice(_values(field)) for field in NUMBER_FIELDS},
        kthread=choice.random() < 0.2,
        leader=leader,
        interactive=choice.random() < 0.3,
        inherits=frozenset(f"r{i}" for i in range(12) if choice.random() < 0.1),
        calls=frozenset(call for call in CALLS if choice.random() < 0.3),
        users=USERS,
        groups=GROUPS,
    )


def _name(choice: random.Random) -> bytes:
    name = choice.choice(NAMES)
    if choice.random() < 0.2:
        at = choice.randint(0, len(name))
        name = name[:at] + bytes([choice.randint(1, 255)]) + name[at:]
    return name[:15]


def _path(choice: random.Random) -> bytes:
    components = choice.choices(COMPONENTS, k=choice.randint(0, 3))
    return b"/" + b"/".join(components)
