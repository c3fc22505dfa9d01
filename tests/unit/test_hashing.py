# SPDX-License-Identifier: Apache-2.0
"""The perfect hash of names."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gthulhuc.plan import hashing

names = st.binary(max_size=15).filter(lambda name: b"\0" not in name)


@given(st.lists(names, min_size=1, max_size=200, unique=True))
def test_every_name_has_a_slot_of_its_own(keys: list[bytes]) -> None:
    table = hashing.build(keys)
    slots = {hashing.slot_of(key, table) for key in keys}
    assert len(slots) == len(keys)
    assert max(slots) < 1 << table.slot_bits
    assert len(table.displacements) == 1 << table.bucket_bits
    assert max(table.displacements) < 1 << 16


@given(st.lists(names, min_size=1, max_size=20, unique=True))
def test_the_same_names_give_the_same_table(keys: list[bytes]) -> None:
    assert hashing.build(keys) == hashing.build(list(keys))


@pytest.mark.parametrize(
    "keys",
    [
        [b"app-%d" % number for number in range(15_000)],
        [b"kworker/%d:1" % number for number in range(5_000)],
        [bytes([a, b]) for a in range(1, 256) for b in range(1, 60)],
    ],
    ids=["app", "kworker", "two bytes"],
)
def test_many_names_that_are_alike(keys: list[bytes]) -> None:
    start = time.process_time()
    table = hashing.build(keys)
    assert len({hashing.slot_of(key, table) for key in keys}) == len(keys)
    # Not a figure, but a slip to quadratic time shows: it takes a tenth of this.
    assert time.process_time() - start < 5
    assert 1 << table.slot_bits <= 4 * len(keys)
