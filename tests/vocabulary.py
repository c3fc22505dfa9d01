# SPDX-License-Identifier: Apache-2.0
"""The words of random policies, and of the tasks that these are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gthulhuc.target import Target


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """The words of random policies; many tasks with these words match them.

    `limits` are narrower than the language's, by action. `sizes`: numbers of rules to choose from.
    """

    names: tuple[bytes, ...]
    paths: tuple[bytes, ...]
    units: tuple[bytes, ...]
    label_keys: tuple[bytes, ...]
    users: Mapping[str, int]
    groups: Mapping[str, int]
    numbers: tuple[int, ...]
    functions: tuple[str, ...]
    cpus: int
    cpu_groups: tuple[str, ...]
    has_tunables: bool
    kernels: tuple[str, ...]
    target: Target | None = None
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    sizes: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 12)
    has_programs: bool = False  # the host model has none
    has_shares: bool = False  # a class with one has other bounds: tests/share_scenes.py
    has_conditions: bool = False  # the host model has no loader, which evaluates them


_HALVES = {0: frozenset({0, 1}), 1: frozenset({2, 3})}
_FOUR = frozenset(range(4))

MACHINE = Vocabulary(
    names=(b"a", b"ab", b"web", b"nr-gnb", b"kw/0", b"make", b"cc1"),
    paths=(
        b"/", b"/ci.slice", b"/ci.slice/job", b"/sys.slice/web.service", b"/user.slice/a.scope",
        b"/kubepods/burstable/pod7", b"/kubepods/besteffort/pod9",
    ),
    units=(b"web.service", b"a.scope"),
    label_keys=(b"app", b"tier"),
    users={"root": 0, "nobody": 65534},
    groups={"root": 0, "crew": 77},
    numbers=(0, 33, 77, 1000, 65534),
    functions=("tcp_sendmsg",),
    cpus=4,
    cpu_groups=(
        "node 0", "node 1", "llc 0", "llc 1", "fast", "slow", 'irq "ttyS0"', 'not irq "ttyS*"',
    ),
    has_tunables=True,
    kernels=("6.13", "6.16"),
    target=Target("lab", _FOUR, nodes=_HALVES, llcs=_HALVES, fast=_FOUR, slow=_FOUR),
    # A task is to make progress within seconds.
    limits={"slice": (10_000, 20_000_000), "max-wait": (1_000_000, 1_000_000_000)},
    has_conditions=True,
)  # fmt: skip
"""A machine with 4 CPUs in two nodes. Few words: a small load reaches most rules."""

ODD = Vocabulary(
    names=(
        b"", b"a", b"ab", b"abc", b"nr-gnb", b"nr-ue", b"ping", b"kworker/0:1", b"lcore-worker-7",
        b"a*b", b"[x]", b'q"\\', b"*/", b"%s%n", b"\xc3\xa9t\xc3\xa9", b"??/", b"123456789012345",
        b"\xff\xfe", b" x ", b"line\nbreak",
    ),
    paths=(
        b"/", b"/a", b"/a/b", b"/ab/a.service", b"/b.scope/nginx.service", b"/.service",
        b"/x.slice/a.service/b", b"/kubepods/burstable/pod1", b"/kubepods/pod/pod1",
        b"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice",
        b"/a/kubepods-pod3.slice", b"/kind-kubepods-besteffort-pod9.slice", b"/" + b"n" * 63,
        b"/a/" + b"m" * 64, b"/" + b"l" * 140 + b"/" + b"l" * 140,
    ),
    units=(b"a.service", b"b.scope", b"nginx.service", b".service"),
    label_keys=(b"app", b'"'),
    users={"root": 0, "web": 33, "nobody": 65534},
    groups={"wheel": 10, "web": 33},
    numbers=(0, 1, 5, 10, 33, 1000, 1001, 65534, 2**31 - 1, 2**31, 2**32 - 2),
    functions=("f", "g"),
    cpus=9,
    cpu_groups=(
        "node 1", "llc 0", "fast", "slow", "any 2", "3 of llc", "2 of node", 'irq "eth0*"',
        'not irq "eth0*"', 'not irq "\\xff[!a]?", not irq "*"',
    ),
    has_tunables=True,
    kernels=("6.13", "7.0"),
    has_programs=True,
    has_shares=True,
    has_conditions=True,
)  # fmt: skip
"""Strings that a careless compiler would break on, and the ends of numbers."""
