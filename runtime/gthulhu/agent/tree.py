# SPDX-License-Identifier: Apache-2.0
"""The tree of cgroups, and what comes and goes in it.

A cgroup that belongs to a user is seen, and what is below it is not: there the user gives the
names, could take that of another's container, or make more cgroups than anybody wants to watch.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gthulhu.agent import inotify

_MASK = inotify.CREATE | inotify.DELETE


class Tree:
    """All cgroups below a folder, by events. Paths are as in the hierarchy: `/` is the root."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._inotify = inotify.Inotify()
        self._paths: dict[int, str] = {}
        self._watches: dict[str, int] = {}

    def fileno(self) -> int:
        """For select(2)."""
        return self._inotify.fileno()

    def close(self) -> None:
        """Ends all watches."""
        self._inotify.close()

    def scan(self) -> Iterator[str]:
        """All that there are; those above come first."""
        return self._enter("/")

    def changes(self) -> Iterator[tuple[str, bool]]:
        """What has come (True) or gone since; all again where events were lost."""
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
            if not self._is_ours(above):  # it was given away after it was made
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
        """Watches a cgroup and all below it, which it gives back.

        First it is watched, then looked into: what comes between is seen twice, and never not.
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
