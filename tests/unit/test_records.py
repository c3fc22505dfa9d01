# SPDX-License-Identifier: Apache-2.0
"""Records do what the standard frozen dataclasses do."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import FrozenInstanceError, field, replace
from typing import Any

import pytest

from gthulhuc import records


def classes() -> list[Any]:
    """The same class, made by each of the two."""

    def make(dataclass: Any) -> Any:
        @dataclass(frozen=True, slots=True)
        class Part:
            """A part."""

            name: str
            sizes: tuple[int, ...] = ()
            known: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
            length: int = field(init=False, compare=False)
            found: dict[str, int] = field(
                init=False, default_factory=dict, compare=False, repr=False
            )

            def __post_init__(self) -> None:
                object.__setattr__(self, "length", len(self.name))

        return Part

    return [make(dataclasses.dataclass), make(records.dataclass)]


both = pytest.mark.parametrize("part", classes(), ids=["standard", "record"])


@both
def test_values_are_equal_by_the_fields_that_compare(part: Any) -> None:
    one, other = part("a", (1,), {"x": 1}), part(sizes=(1,), name="a")
    assert one == other
    assert hash(one) == hash(other)
    assert one != part("b", (1,))
    assert one != ("a", (1,))
    assert other.known == {}
    assert other.known is not part("a").known
    assert one.length == 1


@both
def test_a_changed_copy_finds_out_for_itself(part: Any) -> None:
    one = part("a")
    one.found["x"] = 1
    other = replace(one, name="bc")
    assert (one.found, one.length) == ({"x": 1}, 1)
    assert (other.found, other.length) == ({}, 2)


@both
def test_record_is_frozen_and_has_no_other_fields(part: Any) -> None:
    value = part("a")
    with pytest.raises(FrozenInstanceError):
        value.name = "b"
    with pytest.raises(FrozenInstanceError):
        del value.name
    assert not hasattr(value, "__dict__")
    assert value.name == "a"


@both
def test_wrong_arguments_are_refused(part: Any) -> None:
    for positional, named in (((), {}), (("a", (), {}, 3), {}), (("a",), {"size": 1})):
        with pytest.raises(TypeError):
            part(*positional, **named)


@both
def test_the_standard_tools_know_it(part: Any) -> None:
    value = part("abc", (1, 2))
    assert replace(value, name="b") == part("b", (1, 2))
    assert [each.name for each in dataclasses.fields(value)][:2] == ["name", "sizes"]
    assert repr(value).endswith("Part(name='abc', sizes=(1, 2), length=3)")
    match value:
        case part("abc", sizes):
            assert sizes == (1, 2)
        case _:
            pytest.fail("the pattern does not match")


def test_classes_of_equal_fields_differ() -> None:
    @records.dataclass(frozen=True, slots=True)
    class One:
        value: int

    @records.dataclass(frozen=True, slots=True)
    class Other:
        value: int

    @records.dataclass(frozen=True, slots=True)
    class Empty:
        pass

    different: list[object] = [One(1), One(2), Other(1), Empty()]
    same: list[object] = [One(1), One(2), Other(1), Empty()]
    assert different == same
    assert [hash(value) for value in different] == [hash(value) for value in same]
    pairs = itertools.combinations(different, 2)
    assert not any(one == other for one, other in pairs)
