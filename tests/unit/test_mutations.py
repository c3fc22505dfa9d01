# SPDX-License-Identifier: Apache-2.0
"""Deliberately broken schedulers, which the tests in VMs must catch."""

from __future__ import annotations

from pathlib import Path

import pytest

import mutations
from mutations import Mutation
from promises import LOST, PROMISES
from scenes import ROOT

BROKEN = [(promise.mutation, promise.scene.policy) for promise in PROMISES]
BROKEN += [(LOST, ROOT / "policies" / "upf.gpl")]


@pytest.mark.parametrize(("mutation", "policy"), BROKEN, ids=lambda item: getattr(item, "name", ""))
def test_mutant_compiles(mutation: Mutation, policy: Path, tmp_path: Path) -> None:
    """The VMs show that it breaks something."""
    assert mutations.build(policy, tmp_path / "broken.bpf.o", mutation).read_bytes()


@pytest.mark.parametrize("text", ["not there", "static __always_inline"])
def test_a_text_that_is_not_there_exactly_once_is_noticed(text: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=f"times: {text}"):
        mutations.build(
            PROMISES[0].scene.policy,
            tmp_path / "broken.bpf.o",
            Mutation("none", "place.j2", text, ""),
        )
