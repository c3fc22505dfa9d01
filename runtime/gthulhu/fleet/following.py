# SPDX-License-Identifier: Apache-2.0
"""Makes the loader of a node follow the policy that the fleet has for it.

`Follower.step` looks at the policies and at the loader, does at most one thing, and returns the
node's status. It knows nothing of the API. It writes to disk before and after each change, so it
can be killed at any point: then it looks at the loader and goes on.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gthulhu.fleet.loading import PolicyError, one_line, sha256_of, why_no_loader
from gthulhu.fleet.resources import (
    Candidate,
    DryRun,
    InForce,
    NodeFailure,
    NodeStatus,
    Policy,
    Revision,
    State,
    is_admitted,
    now,
)
from gthulhu.promises import value
from gthulhu.serve import store
from gthulhu.serve.node import NothingInForceError
from gthulhu.serve.wanted import boot
from gthulhuc.cli.frame import CommandError, reason

if TYPE_CHECKING:
    from gthulhu.control import Answer
    from gthulhu.fleet.loading import Loader

_RETRY_S = 15.0
_GIVEN_UP = {"went-back", "ejected"}


@dataclass(frozen=True, slots=True)
class Applied:
    """A revision that was put in force, or is about to be (`generation` 0, after `before`)."""

    uid: str
    revision: str
    sha256: str
    loader: int
    before: int
    generation: int = 0
    restarts: int = 0


@dataclass(frozen=True, slots=True)
class _Memory:
    """The state on disk. The times in `failed` are those of the API, as text."""

    applied: Applied | None = None
    failed: dict[str, str] | None = None
    dry_run: dict[str, Any] | None = None
    boot: str = ""


def chosen(policies: Iterable[Policy], labels: Mapping[str, str]) -> Policy | None:
    """The policy for a node with these labels: the highest priority, then the first name."""
    found = [
        each
        for each in policies
        if all(labels.get(key) == wanted for key, wanted in each.spec.node_selector.items())
    ]
    return min(found, key=lambda each: (-each.spec.priority, each.name), default=None)


class Follower:
    """`name`: of the node. `memory`: a file of its own. Raises CommandError."""

    def __init__(self, name: str, loader: Loader, memory: Path) -> None:
        self.name = name
        self.swaps = 0
        """How many times it has put something in force."""
        self._loader, self._path = loader, memory
        self._memory = _load(memory)
        self._retry_at_s = 0.0
        self._problem = ""

    def step(self, policy: Policy | None, joined: str | None) -> NodeStatus:
        """Does what is due, and returns the node's status without `joined` and `renewed`.

        `joined`: since when the node follows the policy; None: not yet, so nothing moves.
        """
        wanted = self._wanted(policy, joined)
        try:
            answer = self._loader.status()
        except CommandError as error:
            return self._without_loader(policy, wanted, error)
        self._look(answer)
        try:
            if time.monotonic() >= self._retry_at_s:
                if policy is not None and policy.status.phase and joined is not None:
                    has_acted = self._act(policy, wanted, answer)
                    answer = self._loader.status() if has_acted else answer
                self._problem = ""
        except CommandError as error:
            self._problem, self._retry_at_s = one_line(error), time.monotonic() + _RETRY_S
        return self._status(policy, wanted, answer)

    # ---- what is wanted -------------------------------------------------------------------------

    def _wanted(self, policy: Policy | None, joined: str | None) -> Revision | None:
        """The revision that may be in force here; None if it is not known, or does not exist."""
        if policy is None or joined is None:
            return None
        candidate = policy.status.candidate
        if candidate is not None and is_admitted(candidate, self.name, joined):
            return candidate
        return policy.status.stable

    @staticmethod
    def _dry(policy: Policy | None) -> Candidate | None:
        """The candidate that every node shall verify now."""
        found = policy.status.candidate if policy is not None else None
        return found if found is not None and found.step < 0 else None

    def _has_verified(self, candidate: Candidate) -> bool:
        last = self._memory.dry_run
        return last is not None and last["revision"] == candidate.revision

    # ---- what the loader did --------------------------------------------------------------------

    def _look(self, answer: Answer) -> None:
        """Finds out what happened to the revision that was put in force last."""
        applied = self._memory.applied
        if applied is None:
            return
        is_same = applied.loader == answer["pid"]
        is_there = sha256_of(answer["object"]) == applied.sha256
        if is_there:
            if is_same and answer["restarts"] > applied.restarts and applied.generation:
                self._fail(applied.revision, "Ejected", "the kernel ejected it; it runs again")
            if (answer["pid"], answer["generation"]) != (applied.loader, applied.generation):
                self._remember(
                    applied=replace(
                        applied, loader=answer["pid"], generation=answer["generation"],
                        restarts=answer["restarts"],
                    )
                )  # fmt: skip
            return
        generation = applied.generation or applied.before + 1
        last = next(iter(answer.get("fallback", ())), None)
        why = last["reason"] if is_same and last and last["from"] == generation else ""
        if not is_same:
            why = self._why_lost(applied)
        self._fail(applied.revision, "Ejected", why)

    def _without_loader(
        self, policy: Policy | None, wanted: Revision | None, error: CommandError
    ) -> NodeStatus:
        """The status while no loader responds. It may have given up because of the policy."""
        applied = self._memory.applied
        if isinstance(error, NothingInForceError) and applied is not None:
            self._fail(applied.revision, "Ejected", self._why_lost(applied))
        status = self._status(policy, None, None)
        # A node that had the revision holds a rollout up, and one that never could does not.
        had = applied is not None and wanted is not None and applied.revision == wanted.revision
        state = "Waiting" if had else "Unable"
        return status.model_copy(update={"state": state, "message": why_no_loader(error)})

    def _why_lost(self, applied: Applied) -> str:
        """Why a loader that has ended gave a generation up; empty if it was only stopped."""
        generation = applied.generation or applied.before + 1
        with suppress(CommandError, LookupError, TypeError):
            for event in self._loader.last_events():
                if event["event"] in _GIVEN_UP and event.get("generation") == generation:
                    return str(event["reason"])
        return ""

    # ---- what is done ---------------------------------------------------------------------------

    def _act(self, policy: Policy, wanted: Revision | None, answer: Answer) -> bool:
        """Does one thing, and returns whether something new is in force."""
        dry = self._dry(policy)
        if dry is not None and not self._has_verified(dry):
            self._verify(policy, dry)
            return False
        sha256 = sha256_of(answer["object"])
        if wanted is None:
            return self._leave(policy, sha256)
        has_failed = self._failed_revision() == wanted.revision
        if has_failed or sha256 == wanted.sha256 or self._was_replaced(wanted, answer):
            return False
        self._swap(policy, wanted, answer)
        return True

    def _verify(self, policy: Policy, candidate: Candidate) -> None:
        try:
            self._loader.dry_run(policy.name, candidate)
        except PolicyError as error:
            self._remember(
                dry_run={"revision": candidate.revision, "ok": False},
                failed=_failed(candidate.revision, error.kind, str(error)),
            )
        else:
            self._remember(dry_run={"revision": candidate.revision, "ok": True})

    def _swap(self, policy: Policy, wanted: Revision, answer: Answer) -> None:
        """Puts a revision in force; with `force` if someone asks for it a second time."""
        about = Applied(
            policy.metadata.uid, wanted.revision, wanted.sha256,
            loader=answer["pid"], before=answer["generation"], restarts=answer["restarts"],
        )  # fmt: skip
        before = self._memory.applied
        self._remember(applied=about)
        self.swaps += 1
        is_repeated = not wanted.revision.endswith("-1")
        try:
            generation = self._loader.swap(policy.name, wanted, force=is_repeated)
        except PolicyError as error:
            self._remember(
                applied=before, failed=_failed(wanted.revision, error.kind, str(error))
            )  # fmt: skip
        else:
            self._remember(applied=replace(about, generation=generation))

    def _leave(self, policy: Policy, sha256: str) -> bool:
        """Goes back from a revision of this policy that nothing releases any more."""
        applied, coming = self._memory.applied, policy.status.candidate
        if applied is None or applied.uid != policy.metadata.uid or applied.sha256 != sha256:
            return False
        if coming is not None and coming.sha256 == sha256:
            return False
        self.swaps += 1
        self._loader.rollback()
        self._remember(applied=None)
        return True

    def _was_replaced(self, wanted: Revision, answer: Answer) -> bool:
        """Whether someone else has put another policy in force since; then it stays."""
        applied = self._memory.applied
        if applied is None or applied.revision != wanted.revision or not applied.generation:
            return False
        return bool(applied.loader == answer["pid"])

    def _failed_revision(self) -> str:
        return self._memory.failed["revision"] if self._memory.failed else ""

    def _fail(self, revision: str, kind: str, message: str) -> None:
        if not message or not revision or self._failed_revision() == revision:
            return
        if message.startswith("promise"):
            kind = "PromiseBroken"
        self._remember(failed=_failed(revision, kind, message))

    # ---- what is told ---------------------------------------------------------------------------

    def _status(
        self, policy: Policy | None, wanted: Revision | None, answer: Answer | None
    ) -> NodeStatus:
        applied, failed = self._memory.applied, self._memory.failed
        sha256 = sha256_of(answer["object"]) if answer is not None else ""
        in_force = None
        if answer is not None and sha256:
            revision = sha256[:16]
            for known in (wanted, applied):
                if known is not None and known.sha256 == sha256:
                    revision = known.revision
            in_force = InForce(
                revision=revision, generation=answer["generation"], since=answer["since"]
            )
        status = NodeStatus(
            policy=policy.name if policy is not None else None,
            kernel=str(answer["kernel"]) if answer is not None else os.uname().release,
            in_force=in_force,
            promises=_promises(answer) if answer is not None else None,
            failed=NodeFailure.model_validate(failed) if failed else None,
            dry_run=DryRun.model_validate(self._memory.dry_run) if self._memory.dry_run else None,
        )
        state, message = self._state(wanted, answer, sha256)
        return status.model_copy(update={"state": state, "message": message[:1000]})

    def _state(
        self, wanted: Revision | None, answer: Answer | None, sha256: str
    ) -> tuple[State, str]:
        if self._problem:
            return "Waiting", self._problem
        if answer is None or wanted is None:
            return "Waiting", ""
        if sha256 == wanted.sha256:
            return "InForce", _broken(answer)
        if self._failed_revision() == wanted.revision:
            assert self._memory.failed is not None
            return "Failed", self._memory.failed["message"]
        if self._was_replaced(wanted, answer):
            return "Replaced", f"someone has put {answer['object']} in force"
        return "Waiting", ""

    def _remember(self, **changes: Any) -> None:
        self._memory = replace(self._memory, **changes)
        _save(self._path, self._memory)


def _failed(revision: str, kind: str, message: str) -> dict[str, str]:
    at = now().isoformat()
    return {"revision": revision, "reason": kind, "message": message[:1000], "at": at}


def _promises(answer: Answer) -> str | None:
    """The worst verdict of the promises so far; None without any."""
    promises = answer.get("promises") or ()
    if any(each["broken"] for each in promises):
        return "Broken"
    if not promises:
        return None
    return "Kept" if all(each["windows_kept"] for each in promises) else "Silent"


def _broken(answer: Answer) -> str:
    """The first broken claim; empty: all promises hold."""
    for promise in answer.get("promises") or ():
        if promise["broken"]:
            claims = [each for each in promise["claims"] if each["last"] == "broken"]
            said = [f"{each['text']}: {value(each)}" for each in claims]
            return f"promise `{promise['rule']}` is broken: {', '.join(said)}".rstrip(": ")
    return ""


def _load(path: Path) -> _Memory:
    try:
        said = json.loads(path.read_bytes())
        applied = Applied(**said["applied"]) if said["applied"] else None
        # No loader has it after a boot, and the numbers of generations begin anew.
        is_same = said["boot"] == boot()
        return _Memory(applied if is_same else None, said["failed"], said["dry_run"], boot())
    except FileNotFoundError:
        return _Memory(boot=boot())
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise CommandError(
            f"{path} is not what this command has written", "remove it to begin anew"
        ) from error


def _save(path: Path, memory: _Memory) -> None:
    """Replaces the file at once. Raises CommandError."""
    try:
        store.replace(path, json.dumps(asdict(memory)))
    except OSError as error:
        raise CommandError(f"cannot write {path}: {reason(error)}") from error
