# SPDX-License-Identifier: Apache-2.0
"""The agent: turns events of cgroups, files and pods into requests to the loader."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhu import control
from gthulhu.agent import inotify, managers, static
from gthulhu.agent.known import Known
from gthulhu.agent.lookup import Lookup, read_entries
from gthulhu.agent.paths import uid_of
from gthulhu.agent.tree import Tree
from gthulhuc.cli import frame

if TYPE_CHECKING:
    from gthulhu.agent.pods import Pods
    from gthulhu.agent.power import Power

_RETRIES_S = (0.005, 0.02, 0.1, 0.5, 2.0)
"""Delays before the agent looks again for a container's file that does not exist yet."""
_FILE_EVENTS = inotify.CLOSE_WRITE | inotify.MOVED_TO | inotify.MOVED_FROM | inotify.DELETE

Say = Callable[[str], None]


@dataclass(frozen=True)
class Places:
    """The files and folders that the agent watches; `root` is `/` except in tests."""

    state: str
    labels: str
    cgroups: str = "/sys/fs/cgroup"
    root: Path = Path("/")


@dataclass(frozen=True)
class _Retry:
    at_s: float
    path: str
    number: int


class Agent:
    """Knows the labels of each cgroup, and tells them to the loader."""

    def __init__(
        self, places: Places, say: Say, pods: Pods | None = None, power: Power | None = None
    ) -> None:
        self._places = places
        self._say = say
        self._pods = pods
        self._lookup = Lookup(places.root, pods=pods)
        self._power = power
        self._tree = Tree(places.cgroups)
        self._files = inotify.Inotify()
        self._known: dict[str, Known] = {}
        self._of_pods: dict[str, set[str]] = {}  # the known cgroups of each pod, by its UID
        self._retries: list[_Retry] = []
        self._loader: object = None
        self._state_watch = self._watch_state()
        self._labels_watch = self._watch_labels()

    def run(self) -> None:
        """Handles events until a signal raises an exception."""
        self.start()
        while True:
            self.step()

    def start(self) -> None:
        """Reads the file of labels and all existing cgroups, and tells the loader."""
        managers.warm_up(self._places.root)
        self._read_labels()
        for path in self._tree.scan():
            self._learn(path)
        self._meet()

    def step(self, patience_s: float | None = None) -> bool:
        """Waits for events and handles them; returns whether there were any."""
        now_s = time.monotonic()
        if self._retries:
            left_s = max(0.0, self._retries[0].at_s - now_s)
            patience_s = left_s if patience_s is None else min(left_s, patience_s)
        steps = {self._tree.fileno(): self._step_tree, self._files.fileno(): self._step_files}
        if self._pods:
            steps[self._pods.fileno()] = self._step_pods
        if self._power:
            steps[self._power.fileno()] = self._step_power
        ready, _, _ = select.select(list(steps), [], [], patience_s)
        for each in ready:
            steps[each]()
        return self._step_retries() or bool(ready)

    def close(self) -> None:
        """Closes all watches."""
        self._tree.close()
        self._files.close()

    def _step_tree(self) -> None:
        for path, is_there in self._tree.changes():
            if is_there:
                self._learn(path)
            else:
                self._forget(path)

    def _step_pods(self) -> None:
        assert self._pods
        for uid in self._pods.changes():
            for path in sorted(self._of_pods.get(uid, ())):
                self._learn(path)

    def _step_power(self) -> None:
        assert self._power
        for name, fact in self._power.changes().items():
            self._ask("condition", name, fact)

    def _step_retries(self) -> bool:
        due = [retry for retry in self._retries if retry.at_s <= time.monotonic()]
        self._retries = [retry for retry in self._retries if retry not in due]
        for retry in due:
            if retry.path in self._known:
                self._learn(retry.path, retry.number)
        return bool(due)

    # ---- labels ---------------------------------------------------------------------------------

    def _learn(self, path: str, attempt: int = 0) -> None:
        """Looks up the labels of a cgroup, and tells the loader if they have changed."""
        found, is_early = self._lookup.of(path, self._known)
        if is_early:
            self._try_again(path, attempt)
        if found is None:
            self._forget(path)
        elif self._known.get(path) != found:
            self._known[path] = found
            if uid := uid_of(path):
                self._of_pods.setdefault(uid, set()).add(path)
            self._tell(path)

    def _forget(self, path: str) -> None:
        if self._known.pop(path, None) is None:
            return
        if (uid := uid_of(path)) in self._of_pods:
            self._of_pods[uid].discard(path)
            if not self._of_pods[uid]:
                del self._of_pods[uid]
        self._ask("cgroup", path, "none")

    def _try_again(self, path: str, attempt: int) -> None:
        if attempt < len(_RETRIES_S):
            retry = _Retry(time.monotonic() + _RETRIES_S[attempt], path, attempt + 1)
            self._retries = sorted([*self._retries, retry], key=lambda retry: retry.at_s)

    # ---- files ----------------------------------------------------------------------------------

    def _watch_state(self) -> int:
        """Watches the loader's folder, created as the loader would create it."""
        Path(self._places.state).mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._files.add(self._places.state, _FILE_EVENTS)

    def _watch_labels(self) -> int | None:
        try:
            return self._files.add(str(Path(self._places.labels).parent), _FILE_EVENTS)
        except OSError:
            return None  # without the folder, there is no file

    def _step_files(self) -> None:
        events = self._files.read()
        named = {(event.watch, event.name) for event in events}
        lost = any(event.mask & inotify.OVERFLOW for event in events)
        if lost or (self._labels_watch, Path(self._places.labels).name) in named:
            self._read_labels()
            for path in list(self._known):
                self._learn(path)
            for path in self._tree.scan():
                if path not in self._known:
                    self._learn(path)
        # systemd removes the folder when the loader's service ends.
        is_gone = any(e.watch == self._state_watch and e.mask & inotify.IGNORED for e in events)
        if is_gone:
            self._state_watch = self._watch_state()
        if lost or is_gone or (self._state_watch, "state.json") in named:
            self._meet()

    def _read_labels(self) -> None:
        """Reads the file of labels. If it is invalid, the entries read before stay."""
        try:
            self._lookup.entries = read_entries(self._places.labels)
        except (OSError, UnicodeDecodeError, static.StaticError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            self._say(f"{self._places.labels}: {why}; the labels read before stay")

    # ---- the loader -----------------------------------------------------------------------------

    def _meet(self) -> None:
        """Tells a new loader everything, once."""
        state = control.last_state(self._places.state)
        loader = state and state.get("pid")
        if loader == self._loader:
            return
        self._loader = loader
        # Children first, so that a specific label is known before a general one.
        for path in sorted(self._known, key=lambda path: (path == "/", -path.count("/"))):
            self._tell(path)
        if self._power:
            for name, fact in self._power.facts.items():
                self._ask("condition", name, fact)

    def _tell(self, path: str) -> None:
        if self._loader is not None:
            self._ask("cgroup", path, *self._known[path].fields())

    def _ask(self, *fields: str) -> None:
        if self._loader is None:
            return
        try:
            answer = control.ask(self._places.state, *fields)
        except control.NotRunningError:
            self._loader = None
            return
        except control.RequestError as error:
            self._say(str(error))
            return
        except frame.CommandError as error:
            # The loader ended or was too busy: the next one gets everything again.
            self._say(str(error))
            self._loader = None
            return
        is_cgroup = fields[0] == "cgroup"
        if not answer.get("ok") and (
            not is_cgroup or Path(self._places.cgroups + fields[1]).is_dir()
        ):
            self._say(f"{fields[1]}: {answer.get('error')}")
