# SPDX-License-Identifier: Apache-2.0
"""Results of guests are kept by all that determines them, and failures never."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import guests
from gthulhu_lab.request import Clock, GuestRequest, GuestResult

pytestmark = pytest.mark.vm

REQUEST = GuestRequest(
    script='cat $LAB/note > $RESULTS/note; cat /proc/uptime; cat $LAB/note | grep -q "" || exit 3',
    files={"note": b"one"},
    cpus=1,
)


@pytest.fixture
def booted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[GuestRequest]:
    """The requests that were booted; nothing is kept before the test."""
    requests: list[GuestRequest] = []
    boot = guests.boot

    def counted(request: GuestRequest) -> GuestResult:
        requests.append(request)
        return boot(request)

    monkeypatch.setattr(guests, "boot", counted)
    monkeypatch.setattr(guests, "KEPT", tmp_path)
    monkeypatch.delenv("GTHULHU_KEEP_GUESTS", raising=False)
    return requests


def test_a_changed_byte_boots_again_and_a_kept_result_is_the_same(
    booted: list[GuestRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = guests.run(REQUEST)
    assert first.files["note"] == b"one"
    assert guests.run(REQUEST) == first
    assert booted == [REQUEST]
    changed = replace(REQUEST, files={"note": b"two"})
    assert guests.run(changed).files["note"] == b"two"
    assert booted == [REQUEST, changed]
    # Anybody can ask for a boot all the same.
    monkeypatch.setenv("GTHULHU_KEEP_GUESTS", "0")
    monkeypatch.setattr(guests, "boot", lambda request: replace(first, stdout=request.script))
    assert guests.run(REQUEST).stdout == REQUEST.script


def test_failures_and_other_clocks_are_never_kept(
    booted: list[GuestRequest], tmp_path: Path
) -> None:
    failing = replace(REQUEST, files={"note": b""})
    assert guests.run(failing).status == 3
    assert guests.run(replace(REQUEST, clock=Clock.TCG_TURNS)).ok
    assert [*tmp_path.iterdir()] == []
    assert len(booted) == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, cmdline="quiet"), replace(REQUEST, kernel="7.0"), replace(REQUEST, cpus=2),
        replace(REQUEST, seed=8), replace(REQUEST, memory_mib=2048),
        replace(REQUEST, script="true"), replace(REQUEST, files={"note": b"One"}),
        replace(REQUEST, allow_splats=("BUG",)),
    ],
)  # fmt: skip
def test_each_part_of_a_request_counts(other: GuestRequest) -> None:
    assert guests.key(other) != guests.key(REQUEST)
