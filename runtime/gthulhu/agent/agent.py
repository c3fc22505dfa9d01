# SPDX-License-Identifier: Apache-2.0
"""The agent: from events of cgroups, files and the loader to requests to the loader."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhu import control
from gthulhu.agent import inotify, managers, static
from gthulhu.agent.known import NO_CONTAINER, NOTHING, Known
from gthulhu.agent.paths import Kind, kind_of, uid_of
from gthulhu.agent.tree import Tree
from gthulhuc import regular
from gthulhuc.cli import frame

if TYPE_CHECKING:
    from gthulhu.agent.pods import Pods

_RETRIES_S = (0.005, 0.02, 0.1, 0.5, 2.0)
"""When a container's file is looked for again that is not there yet."""
_MOST_BYTES = 16 << 20
"""Of the file of labels."""
_FILE_EVENTS = inotify.CLOSE_WRITE | inotify.MOVED_TO | inotify.MOVED_FROM | inotify.DELETE

Say = Callable[[str], None]


@dataclass(frozen=True)
class Places:
    """Where things are; `root` is `/` but for tests."""

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
    """What is known of each cgroup, and what of that the loader has been told."""

    def __init__(self, places: Places, say: Say, pods: Pods | None = None) -> None:
        self._places = places
        self._say = say
        self._pods = pods
        self._tree = Tree(places.cgroups)
        self._files = inotify.Inotify()
        self._known: dict[str, Known] = {}
        self._entries: tuple[static.Entry, ...] = ()
        self._retries: list[_Retry] = []
        self._loader: object = None
        self._state_watch = self._watch_state()
        self._labels_watch = self._watch_labels()

    def run(self) -> None:
        """Goes on until it is interrupted."""
        self.start()
        while True:
            self.step()

    def start(self) -> None:
        """Looks at all that there is."""
        managers.warm_up(self._places.root)
        self._read_labels()
        for path in self._tree.scan():
            self._learn(path)
        self._meet()

    def step(self, patience_s: float | None = None) -> bool:
        """Waits for something to happen, and deals with it; False: there was nothing."""
        now_s = time.monotonic()
        if self._retries:
            left_s = max(0.0, self._retries[0].at_s - now_s)
            patience_s = left_s if patience_s is None else min(left_s, patience_s)
        steps = {self._tree.fileno(): self._step_tree, self._files.fileno(): self._step_files}
        if self._pods:
            steps[self._pods.fileno()] = self._step_pods
        ready, _, _ = select.select(list(steps), [], [], patience_s)
        for each in ready:
            steps[each]()
        return self._step_retries() or bool(ready)

    def close(self) -> None:
        """Ends all watches."""
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
        changed = self._pods.changes()
        for path in list(self._known):
            if uid_of(path) in changed:
                self._learn(path)

    def _step_retries(self) -> bool:
        due = [retry for retry in self._retries if retry.at_s <= time.monotonic()]
        self._retries = [retry for retry in self._retries if retry not in due]
        for retry in due:
            if retry.path in self._known:
                self._learn(retry.path, retry.number)
        return bool(due)

    # ---- what is known --------------------------------------------------------------------------

    def _learn(self, path: str, attempt: int = 0) -> None:
        """Looks at what a cgroup is, and says what is new of it."""
        found = self._found(path, attempt)
        if found is None:
            self._forget(path)
        elif self._known.get(path) != found:
            self._known[path] = found
            self._tell(path)

    def _found(self, path: str, attempt: int) -> Known | None:
        """What is known of a cgroup; None: what is known of the one above."""
        own = static.known_of(self._entries, path)
        kind, manager, number = kind_of(path)
        found = NOTHING if kind is Kind.HOLDER else None
        if kind is Kind.CONTAINER:
            found = managers.find(self._places.root, manager, number)
            if found is None:
                self._try_again(path, attempt)
        if kind in {Kind.CONTAINER, Kind.POD}:
            found = self._in_pod(path, found)
        elif kind is Kind.OTHER:
            found = NO_CONTAINER if self._stands_alone(path) else None
        if own is None:
            return found
        return (self._above(path) if found is None else found).merged(own)

    def _in_pod(self, path: str, container: Known | None) -> Known:
        """What is known of a container, with what is known of its pod."""
        uid = uid_of(path)
        pod = self._pods.known(uid) if self._pods and uid else None
        if pod is None:
            return container or NOTHING
        # Where the container is not known yet there is more to know than the pod.
        return pod.merged(container) if container else replace(pod, complete=False)

    def _stands_alone(self, path: str) -> bool:
        """Whether it is no part of a service or container, of which what is known holds for it."""
        above = path.rpartition("/")[0]
        return not above or kind_of(above)[0] is Kind.HOLDER

    def _above(self, path: str) -> Known:
        """What is known of the cgroups above."""
        while path != "/":
            path = path.rpartition("/")[0] or "/"
            if path in self._known:
                return self._known[path]
        return NOTHING

    def _forget(self, path: str) -> None:
        if self._known.pop(path, None) is not None:
            self._ask("cgroup", path, "none")

    def _try_again(self, path: str, attempt: int) -> None:
        if attempt < len(_RETRIES_S):
            retry = _Retry(time.monotonic() + _RETRIES_S[attempt], path, attempt + 1)
            self._retries = sorted([*self._retries, retry], key=lambda retry: retry.at_s)

    # ---- files ----------------------------------------------------------------------------------

    def _watch_state(self) -> int:
        """As the loader makes it, where there is none yet."""
        Path(self._places.state).mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._files.add(self._places.state, _FILE_EVENTS)

    def _watch_labels(self) -> int | None:
        try:
            return self._files.add(str(Path(self._places.labels).parent), _FILE_EVENTS)
        except OSError:
            return None  # no folder, no file

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
        # The service's folder goes with the service.
        is_gone = any(e.watch == self._state_watch and e.mask & inotify.IGNORED for e in events)
        if is_gone:
            self._state_watch = self._watch_state()
        if lost or is_gone or (self._state_watch, "state.json") in named:
            self._meet()

    def _read_labels(self) -> None:
        """What was read last stays where the file is wrong."""
        try:
            self._entries = static.read(regular.read(self._places.labels, _MOST_BYTES).decode())
        except FileNotFoundError:
            self._entries = ()
        except (OSError, UnicodeDecodeError, static.StaticError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            self._say(f"{self._places.labels}: {why}; what it said before still counts")

    # ---- the loader -----------------------------------------------------------------------------

    def _meet(self) -> None:
        """Tells a loader all, once; another one is a loader that knows nothing yet."""
        state = control.last_state(self._places.state)
        loader = state and state.get("pid")
        if loader == self._loader:
            return
        self._loader = loader
        # From below: what is special is known before what is said of all.
        for path in sorted(self._known, key=lambda path: (path == "/", -path.count("/"))):
            self._tell(path)

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
            # It ended, or was too busy to answer: it is told all again.
            self._say(str(error))
            self._loader = None
            return
        if not answer.get("ok") and Path(self._places.cgroups + fields[1]).is_dir():
            self._say(f"{fields[1]}: {answer.get('error')}")
