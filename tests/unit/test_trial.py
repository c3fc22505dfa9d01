# SPDX-License-Identifier: Apache-2.0
"""The end of a trial, as `gthulhu swap --trial` tells it.

Real trials are in tests/vm/test_promises.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from fake_loader import Answer, FakeLoader
from gthulhu import control, trial
from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError

BEGAN = {"ok": True, "policy": "web", "generation": 4, "from": 3}
ENDED = {"ok": True, "policy": "web", "generation": 4, "reason": "all promises held"}
NOTE = "web is on trial\n"

# The new loader for a lost one: it notes its arguments, and fails if it is told to.
LOADER = '#!/bin/sh\nprintf "%s\\n" "$@" >"$0.arguments"\nexit "$(cat "$0.status")"\n'


@contextmanager
def on_trial(
    folder: Path, *, is_lost: bool = False, **answers: Answer
) -> Iterator[control.Conversation]:
    """A trial that has begun, and a loader that responds, or is lost by now."""
    with (
        closing(FakeLoader(folder, {"swap": [BEGAN], **answers})) as loader,
        (folder / "x.o").open("wb") as file,
        closing(
            control.Conversation(str(folder), "swap", "-", "x.gpl", file=file.fileno())
        ) as conversation,
    ):
        if is_lost:
            loader.close()
        yield conversation


def test_a_policy_that_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with on_trial(tmp_path, swap=[BEGAN, ENDED | {"stays": True}]) as trial_answers:
        assert trial.follow(str(tmp_path), trial_answers, NOTE) == frame.OK
    assert capsys.readouterr().out == f"{NOTE}web, generation 4, stays: all promises held\n"


@pytest.mark.parametrize(
    ("in_force", "now"),
    [(True, "shop, generation 3, is in force"), (False, "no policy is in force")],
)
def test_a_policy_that_goes(
    in_force: bool, now: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended: dict[str, Any] = {
        "ok": True, "stays": False, "reason": "a promise is broken", "in_force": in_force,
        "policy": "shop", "generation": 3,
    }  # fmt: skip
    with on_trial(tmp_path, swap=[BEGAN, ended]) as trial_answers:
        assert trial.follow(str(tmp_path), trial_answers, NOTE) == frame.FOUND_ERRORS
    said = capsys.readouterr().err
    assert said == f"error: the trial failed: a promise is broken\n  = note: {now}\n"


def test_ctrl_c_ends_the_trial(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(frame, "out", interrupted)
    ended = ENDED | {"stays": False, "reason": "it was ended", "in_force": False}
    with on_trial(tmp_path, swap=[BEGAN, ended]) as trial_answers:
        assert trial.follow(str(tmp_path), trial_answers, NOTE) == frame.FOUND_ERRORS
    assert "the trial failed: it was ended" in capsys.readouterr().err


def test_a_lost_loader_that_a_service_manager_has_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with on_trial(tmp_path, status={"ok": True, "policy": "shop"}) as trial_answers:
        assert trial.follow(str(tmp_path), trial_answers, NOTE) == frame.FOUND_ERRORS
    assert capsys.readouterr().err == (
        "error: the trial failed: its loader was lost\n  = note: a new loader has shop in force\n"
    )


@pytest.mark.parametrize("status", [0, 1])
def test_a_lost_loader_that_nobody_replaces(
    status: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trial, "_PATIENCE_S", 0.3)
    (tmp_path / "generation-3.txt").write_text("/etc/shop.gpl\nquantum=2ms\n")
    loader = tmp_path / "loader"
    loader.write_text(LOADER)
    loader.chmod(0o755)
    (tmp_path / "loader.status").write_text(str(status))
    monkeypatch.setitem(os.environ, "GTHULHU_LOADER", str(loader))
    with on_trial(tmp_path, is_lost=True) as trial_answers:
        if status:
            with pytest.raises(CommandError, match="cannot be put in force again"):
                trial.follow(str(tmp_path), trial_answers, NOTE)
        else:
            assert trial.follow(str(tmp_path), trial_answers, NOTE) == frame.FOUND_ERRORS
            assert "note: /etc/shop.gpl is in force again" in capsys.readouterr().err
    assert (tmp_path / "loader.arguments").read_text().splitlines() == [
        "--detach", "--quiet", f"--state={tmp_path}", "--set=quantum=2ms",
        "--force", "--called", "/etc/shop.gpl", "--", str(tmp_path / "generation-3.bpf.o"),
    ]  # fmt: skip


def test_a_lost_loader_before_which_there_was_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "_PATIENCE_S", 0)
    with (
        on_trial(tmp_path, is_lost=True) as trial_answers,
        pytest.raises(CommandError, match="no policy is in force"),
    ):
        trial.follow(str(tmp_path), trial_answers, NOTE)
