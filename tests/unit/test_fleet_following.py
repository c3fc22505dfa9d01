# SPDX-License-Identifier: Apache-2.0
"""A node that follows a policy: what it does with its loader, and where it can be killed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fleet_scenes import BAD, BETTER, BROKEN, GOOD, LOCAL, UNLOADABLE, SimLoader
from gthulhu.fleet import following
from gthulhu.fleet.following import Follower
from gthulhu.fleet.loading import BrokerLoader, PolicyError
from gthulhu.fleet.resources import (
    Candidate,
    Failure,
    Meta,
    NodeStatus,
    Policy,
    PolicySpec,
    PolicyStatus,
    Revision,
)


class Killed(BaseException):
    """The process ends here, at once."""


def policy(
    *, stable: str | None = None, candidate: str | None = None, step: int = 0, phase: str = "Step",
    attempt: int = 1, uid: str = "u",
) -> Policy:  # fmt: skip
    made = None
    if candidate is not None:
        found = Revision.of(candidate, attempt)
        made = Candidate(**found.model_dump(), step=step, up_to="2", as_of="9")
        made = made if step >= 0 else made.model_copy(update={"up_to": ""})
    status = PolicyStatus(
        phase=phase, candidate=made, stable=Revision.of(stable) if stable is not None else None
    )
    return Policy(metadata=Meta(name="shop", uid=uid), spec=PolicySpec(policy="x"), status=status)


@pytest.fixture
def loader() -> SimLoader:
    made = SimLoader()
    made.patience_s = 0
    return made


@pytest.fixture
def follow(loader: SimLoader, tmp_path: Path) -> Callable[..., NodeStatus]:
    """A step of a follower that was started just before it, as nothing but the disk may matter."""

    def step(wanted: Policy | None, joined: str | None = "5", count: int = 2) -> NodeStatus:
        for _ in range(count):
            status = Follower("node-1", loader, tmp_path / "memory").step(wanted, joined)
        return status

    return step


def test_the_released_text_is_put_in_force_once(loader: SimLoader, follow: Any) -> None:
    status = follow(policy(candidate=GOOD), count=1)
    assert (status.state, status.in_force.revision) == ("InForce", Revision.of(GOOD).revision)
    follow(policy(candidate=GOOD), count=5)
    follow(policy(stable=GOOD, phase="Complete"), count=5)
    assert loader.heard == ["swap"]


def test_a_node_that_has_not_joined_or_has_no_policy_changes_nothing(
    loader: SimLoader, follow: Any
) -> None:
    follow(policy(stable=GOOD), joined=None)
    assert loader.text == ""
    follow(policy(stable=GOOD))
    for wanted, joined in ((None, "5"), (policy(candidate=BETTER), None), (policy(phase=""), "5")):
        follow(wanted, joined)
        assert loader.text == GOOD
    assert loader.heard == ["swap"]


def test_a_late_node_has_the_stable_text(loader: SimLoader, follow: Any) -> None:
    status = follow(policy(stable=GOOD, candidate=BETTER), joined="10")
    assert loader.text == GOOD
    assert status.in_force.revision == Revision.of(GOOD).revision


def test_a_dry_run_is_done_once_and_changes_nothing(loader: SimLoader, follow: Any) -> None:
    follow(policy(stable=GOOD))
    status = follow(policy(stable=GOOD, candidate=BETTER, step=-1, phase="DryRun"), count=4)
    assert loader.heard == ["swap", "dry-run"]
    assert loader.text == GOOD
    assert (status.dry_run.revision, status.dry_run.ok) == (Revision.of(BETTER).revision, True)


def test_a_refused_dry_run_is_told_and_not_repeated(loader: SimLoader, follow: Any) -> None:
    status = follow(policy(candidate=UNLOADABLE, step=-1, phase="DryRun"), count=4)
    assert loader.heard == ["dry-run"]
    assert (status.failed.reason, status.failed.message) == (
        "DryRunFailed", "R1 is not a pointer",
    )  # fmt: skip
    assert not status.dry_run.ok


def test_a_promise_that_breaks_is_told_and_the_text_not_tried_again(
    loader: SimLoader, follow: Any
) -> None:
    follow(policy(stable=GOOD))
    status = follow(policy(stable=GOOD, candidate=BAD), count=6)
    assert (status.failed.reason, status.failed.message) == ("PromiseBroken", BROKEN)
    assert status.failed.revision == Revision.of(BAD).revision
    assert loader.heard == ["swap", "swap"]
    assert loader.text == GOOD
    status = follow(policy(stable=GOOD, phase="Failed"))
    assert (status.state, loader.heard) == ("InForce", ["swap", "swap"])
    follow(policy(stable=GOOD, candidate=BAD, attempt=2))
    assert loader.heard == ["swap"] * 3


def test_without_a_stable_text_the_node_goes_back_to_its_own(
    loader: SimLoader, follow: Any
) -> None:
    follow(policy(candidate=GOOD))
    failed = policy(phase="Failed")
    other = failed.status.model_copy(
        update={"failed": Failure(revision=Revision.of(GOOD).revision, node="node-2")}
    )
    follow(failed.model_copy(update={"status": other}), count=3)
    assert loader.heard == ["swap", "rollback"]
    assert loader.kept[-1][0] == LOCAL


def test_a_policy_that_was_made_again_takes_nothing_away(loader: SimLoader, follow: Any) -> None:
    follow(policy(stable=GOOD))
    follow(policy(uid="another", candidate=GOOD, step=-1, phase="DryRun"))
    follow(policy(uid="another", candidate=BETTER, step=-1, phase="DryRun"))
    assert "rollback" not in loader.heard
    assert loader.text == GOOD


def test_a_text_whose_status_was_lost_stays(loader: SimLoader, follow: Any) -> None:
    follow(policy(stable=GOOD))
    follow(policy(candidate=GOOD, step=-1, phase="DryRun"))
    assert loader.heard == ["swap", "dry-run"]


def test_what_someone_else_puts_in_force_stays(loader: SimLoader, follow: Any) -> None:
    follow(policy(stable=GOOD))
    loader._load("/root/mine.gpl", "mine")
    status = follow(policy(stable=GOOD), count=4)
    assert (status.state, loader.text) == ("Replaced", "mine")
    assert status.message == "someone has put /root/mine.gpl in force"
    follow(policy(stable=BETTER))
    assert loader.text == BETTER


def test_a_new_loader_gets_the_text_again(loader: SimLoader, follow: Any) -> None:
    follow(policy(stable=GOOD))
    loader.restart()
    status = follow(policy(stable=GOOD), count=3)
    assert (loader.heard, status.state) == (["swap", "swap"], "InForce")


def test_no_loader(loader: SimLoader, follow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    loader.is_running = False
    monkeypatch.setattr(following, "why_no_loader", lambda _: "kernel 6.1 has no sched_ext")
    status = follow(policy(stable=GOOD))
    assert (status.state, status.message) == ("Unable", "kernel 6.1 has no sched_ext")
    loader.is_running = True
    follow(policy(stable=GOOD))
    loader.is_running = False
    # It had the text, so a rollout waits for it.
    status = follow(policy(stable=GOOD))
    assert (status.state, status.failed) == ("Waiting", None)


def test_a_loader_that_gave_up_because_of_the_text(loader: SimLoader, follow: Any) -> None:
    follow(policy(candidate=GOOD))
    reason = "runnable task stall (cat[23] failed to run for 5.0s)"
    event = {"event": "ejected", "policy": "shop", "generation": 2, "reason": reason}
    loader.events = [{"event": "loaded", "generation": 2}, event, {"event": "ended"}]
    loader.is_running = False
    status = follow(policy(candidate=GOOD))
    assert (status.failed.reason, status.failed.message) == ("Ejected", reason)
    loader.is_running = True
    loader.restart()
    follow(policy(candidate=GOOD), count=4)
    assert loader.heard == ["swap"], "it was ejected, and is not tried again"


def test_another_boot_forgets_what_was_in_force(
    loader: SimLoader, follow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(policy(stable=GOOD))
    monkeypatch.setattr(following, "boot", lambda: "another")
    loader.kept, loader.generation = [(LOCAL, "")], 1  # its numbers begin anew
    assert follow(policy(stable=GOOD)).state == "InForce"
    assert loader.heard == ["swap", "swap"]


def test_a_text_that_is_not_that_of_its_hash(tmp_path: Path) -> None:
    loader = BrokerLoader(str(tmp_path), tmp_path / "store")
    wrong = Revision.of(GOOD).model_copy(update={"text": BETTER})
    with pytest.raises(PolicyError, match="not that of its hash"):
        loader.swap("shop", wrong, force=False)
    loader.close()


# ---- killed at any point ------------------------------------------------------------------------


class Fuse:
    """Ends the process at a request to the loader or at a write: before, or just after it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, loader: SimLoader) -> None:
        self.left: float = float("inf")
        for owner, names in ((loader, ("swap", "rollback", "dry_run")), (following, ("_save",))):
            for name in names:
                monkeypatch.setattr(owner, name, self._fused(getattr(owner, name)))

    def _fused(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def fused(*arguments: Any, **options: Any) -> Any:
            self._burn()
            result = work(*arguments, **options)
            self._burn()
            return result

        return fused

    def _burn(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Killed


@pytest.mark.parametrize("point", range(1, 40))
def test_killed_at_any_point(
    point: int, loader: SimLoader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fuse = Fuse(monkeypatch, loader)
    fuse.left = point

    def reach(wanted: Policy) -> NodeStatus:
        for _ in range(5):
            try:
                status = Follower("node-1", loader, tmp_path / "memory").step(wanted, "5")
            except Killed:
                fuse.left = float("inf")
                continue
        return status

    reach(policy(candidate=GOOD, step=-1, phase="DryRun"))
    status = reach(policy(candidate=GOOD))
    assert (loader.text, status.state) == (GOOD, "InForce")
    reach(policy(stable=GOOD, phase="Complete"))
    reach(policy(stable=GOOD, candidate=BAD, step=-1, phase="DryRun"))
    status = reach(policy(stable=GOOD, candidate=BAD))
    assert status.failed is not None
    assert (status.failed.reason, status.failed.revision) == (
        "PromiseBroken", Revision.of(BAD).revision,
    )  # fmt: skip
    reach(policy(stable=GOOD, phase="Failed"))
    assert loader.text == GOOD
    assert loader.heard.count("swap") == 2, "the same text has caused another generation"
    failed = policy(phase="Failed")
    reach(failed.model_copy(update={"metadata": Meta(name="shop", uid="v")}))
    assert loader.text == GOOD
