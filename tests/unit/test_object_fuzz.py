# SPDX-License-Identifier: Apache-2.0
"""No object makes the loader crash, hang or leak before the kernel has seen it."""

from __future__ import annotations

from pathlib import Path

import pytest

import object_fuzzer

SECONDS = 30
AN_HOUR = 3600


@pytest.fixture(scope="module", autouse=True)
def _build_fuzzer() -> None:
    object_fuzzer.build()


def test_objects_of_the_corpus_and_their_mutations(tmp_path: Path) -> None:
    run = object_fuzzer.run(tmp_path, SECONDS, seed=1)
    if run.complaint:
        pytest.fail(run.complaint, pytrace=False)
    # Fewer than all of the corpus, with some mutations: it did not get to work.
    assert run.inputs > 1000, run
    print(run)


@pytest.mark.soak
def test_mutations_for_an_hour(tmp_path: Path) -> None:
    run = object_fuzzer.run(tmp_path, AN_HOUR, seed=2)
    if run.complaint:
        pytest.fail(run.complaint, pytrace=False)
    assert run.inputs > 1_000_000, run
    print(run)
