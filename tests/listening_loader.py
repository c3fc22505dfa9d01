# SPDX-License-Identifier: Apache-2.0
"""A loader that puts nothing in force, and takes notes of what it is told."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path


class Loader:
    """Takes requests, and says yes."""

    def __init__(self, folder: Path) -> None:
        self.heard: list[list[str]] = []
        self._folder = folder
        self._socket = socket.socket(socket.AF_UNIX)
        path = folder / "control"
        path.unlink(missing_ok=True)
        self._socket.bind(str(path))
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def publish(self, pid: int) -> None:
        """As a loader whose policy is in force."""
        new = self._folder / "state.new"
        new.write_text(json.dumps({"policy": "p", "pid": pid}))
        new.rename(self._folder / "state.json")

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                line = connection.recv(1 << 16).decode()
                self.heard.append(line.rstrip("\n").split("\t"))
                connection.sendall(b'{"ok": true}\n')

    def told(self) -> dict[str, list[str]]:
        """The last that it has heard of each cgroup."""
        return {path: rest for _, path, *rest in self.heard}
