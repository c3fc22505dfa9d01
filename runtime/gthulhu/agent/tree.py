# SPDX-License-Identifier: Apache-2.0
"""Watches the tree of cgroups.

It includes a cgroup that belongs to a user, but none below it: there the user chooses the names,
could imitate another's container, or create more cgroups than anyone can watch.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gthulhu.agent import inotify

_MASK = inotify.CREATE | inotify.DELETE


class Tree:
    """The cgroups below a folder. Paths are relative to the hierarchy: `/` is its root."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._inotify = inotify.Inotify()
        self._paths: dict[int, str] = {}
        self._watches: dict[str, int] = {}

    def fileno(self) -> int:
        """The descriptor, for select(2)."""
        return self._inotify.fileno()

    def close(self) -> None:
        """Closes all watches."""
        self._inotify.close()

    def scan(self) -> Iterator[str]:
        """Watches and returns all cgroups; a parent comes before its children."""
        return self._enter("/")

    def changes(self) -> Iterator[tuple[str, bool]]:
        """The cgroups that appeared (True) or vanished since; all cgroups if events were lost."""
        for event in self._inotify.read():
            if event.mask & inotify.OVERFLOW:
                for path in list(self._watches):
                    if not Path(self._place(path)).is_dir():
                        self._leave(path)
                        yield path, False
                yield from ((path, True) for path in self._enter("/"))
            if event.mask & inotify.IGNORED:
                path = self._paths.pop(event.watch, "")
                if self._watches.get(path) == event.watch:
                    del self._watches[path]
                continue
            above = self._paths.get(event.watch)
            if above is None or not event.mask & inotify.IS_DIRECTORY:
                continue
            if not self._is_ours(above):  # it was given to a user after its creation
                self._leave(above)
                continue
            path = f"{above.rstrip('/')}/{event.name}"
            if event.mask & inotify.CREATE:
                yield from ((each, True) for each in self._enter(path))
            else:
                self._leave(path)
                yield path, False

    def _place(self, path: str) -> str:
        return self._folder + path

    def _is_ours(self, path: str) -> bool:
        try:
            return Path(self._place(path)).stat().st_uid == os.geteuid()
        except OSError:
            return False

    def _enter(self, path: str) -> Iterator[str]:
        """Watches a cgroup and all below it, and returns their paths.

        It sets the watch before it reads the folder: a cgroup that appears meanwhile is seen twice
        rather than never.
        """
        if not self._is_ours(path):
            if Path(self._place(path)).is_dir():
                yield path
            return
        try:
            watch = self._inotify.add(self._place(path), _MASK)
        except OSError as error:
            if isinstance(error, FileNotFoundError):
                return
            raise
        self._paths[watch] = path
        self._watches[path] = watch
        yield path
        try:
            with os.scandir(self._place(path)) as entries:
                names = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
        except FileNotFoundError:
            return
        for name in sorted(names):
            yield from self._enter(f"{path.rstrip('/')}/{name}")

    def _leave(self, path: str) -> None:
        watch = self._watches.pop(path, None)
        if watch is not None:
            self._paths.pop(watch, None)
            self._inotify.remove(watch)
