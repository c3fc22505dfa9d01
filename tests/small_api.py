# SPDX-License-Identifier: Apache-2.0
"""A small Kubernetes API: lists, watches, versions and conflicts of any resource, in memory.

It checks no schema; `api_machinery` has the real one, with which the same scenes run at length.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

_BOOKMARK_S = 0.5


class SmallApi:
    """A server in a thread. Its methods may be called from any other thread."""

    def __init__(self, folder: Path, *, token: str | None = None) -> None:
        self.folder = folder
        self.objects: dict[str, dict[str, Any]] = {}
        """All objects, by their paths."""
        self.events: list[tuple[int, str, str, dict[str, Any]]] = []
        self.version = 1000
        self.forgotten = 0
        """Watches from before this version get 410 Gone."""
        self.is_cut = False
        """Whether all requests hang, as in a partition."""
        self.token = token
        self.asked: list[tuple[str, str]] = []
        self.token_file = folder / "token"
        self.token_file.write_text(token or "")
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.kubeconfig = folder / "kubeconfig"
        user = {"tokenFile": str(self.token_file)} if token else {}
        self.kubeconfig.write_text(
            json.dumps({
                "apiVersion": "v1", "kind": "Config", "current-context": "here",
                "clusters": [
                    {"name": "lab", "cluster": {"server": f"http://127.0.0.1:{self.port}"}}
                ],
                "users": [{"name": "tests", "user": user}],
                "contexts": [{"name": "here", "context": {"cluster": "lab", "user": "tests"}}],
            })
        )  # fmt: skip
        self.start()

    # ---- its life -------------------------------------------------------------------------------

    def start(self) -> None:
        methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
        app = Starlette(routes=[Route("/{path:path}", self._serve, methods=methods)])
        config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=0)
        self._server = uvicorn.Server(config)
        ours = self._socket.dup()

        async def serve() -> None:
            self._bell, self._loop = asyncio.Event(), asyncio.get_running_loop()
            await self._server.serve(sockets=[ours])

        self._thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        """Ends all connections; clients cannot connect until `start`."""
        self._server.should_exit = self._server.force_exit = True
        self._thread.join()

    def close(self) -> None:
        self.stop()
        self._socket.close()

    def forget(self) -> None:
        """Lets watches go on only from the present version."""
        self.forgotten = self.version

    # ---- objects --------------------------------------------------------------------------------

    def put(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Creates or replaces an object, and tells the watches."""
        before = self.objects.get(path)
        self.version += 1
        meta = {"generation": 1, "uid": str(uuid.uuid4()), **body["metadata"]}
        meta["resourceVersion"] = str(self.version)
        if before is not None:
            meta["uid"] = before["metadata"]["uid"]
            is_new = before.get("spec") != body.get("spec")
            meta["generation"] = before["metadata"]["generation"] + is_new
        found = {**body, "metadata": meta}
        self.objects[path] = found
        self._tell("MODIFIED" if before else "ADDED", path, found)
        return found

    def delete(self, path: str) -> None:
        self.version += 1
        found = self.objects.pop(path)
        found["metadata"]["resourceVersion"] = str(self.version)
        self._tell("DELETED", path, found)

    def _tell(self, what: str, path: str, found: dict[str, Any]) -> None:
        self.events.append((self.version, what, path, json.loads(json.dumps(found))))
        with contextlib.suppress(RuntimeError):  # it is not running
            self._loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        self._bell.set()
        self._bell = asyncio.Event()

    # ---- requests -------------------------------------------------------------------------------

    async def _serve(self, request: Request) -> Response:
        path, query = request.url.path, request.query_params
        self.asked.append((request.method, path))
        while self.is_cut:
            await asyncio.sleep(0.05)
        if self.token and request.headers.get("authorization") != f"Bearer {self.token}":
            return _refusal(401, "Unauthorized")
        if request.method == "GET" and query.get("watch") == "true":
            if int(query["resourceVersion"]) < self.forgotten:
                return _refusal(410, "too old resource version")
            return StreamingResponse(self._watch(path, query))
        if request.method == "GET":
            return self._get(path, query)
        body = json.loads(await request.body())
        return self._change(request.method, path, body)

    def _get(self, path: str, query: Any) -> Response:
        if path in self.objects:
            return JSONResponse(self.objects[path])
        if path.count("/") != _depth(path):
            return _refusal(404, f"{path} not found")
        items = [each for key, each in self.objects.items() if _is_in(key, path, query)]
        return JSONResponse({"metadata": {"resourceVersion": str(self.version)}, "items": items})

    def _change(self, method: str, path: str, body: dict[str, Any]) -> Response:
        if method == "POST":
            path = f"{path}/{body['metadata']['name']}"
            if path in self.objects:
                return _refusal(409, "already exists")
            return JSONResponse(self.put(path, body), 201)
        whole, is_status = path.removesuffix("/status"), path.endswith("/status")
        before = self.objects.get(whole)
        if before is None:
            return _refusal(404, f"{whole} not found")
        if method == "DELETE":
            self.delete(whole)
            return JSONResponse({})
        if method == "PATCH":
            return JSONResponse(self.put(whole, _merged(before, body)))
        if body["metadata"]["resourceVersion"] != before["metadata"]["resourceVersion"]:
            return _refusal(409, "the object has been modified")
        if is_status:
            body = {**before, "status": body["status"]}
        elif "status" in before:
            body = {**body, "status": before["status"]}
        return JSONResponse(self.put(whole, body))

    async def _watch(self, path: str, query: Any) -> AsyncIterator[bytes]:
        end = time.monotonic() + float(query.get("timeoutSeconds", "60"))
        version, told = int(query["resourceVersion"]), time.monotonic()
        at = len(self.events)
        while at and self.events[at - 1][0] > version:
            at -= 1
        while time.monotonic() < end:
            while at < len(self.events) and not self.is_cut:
                _, what, key, found = self.events[at]
                at += 1
                if _is_in(key, path, query):
                    yield json.dumps({"type": what, "object": found}).encode() + b"\n"
            if time.monotonic() - told > _BOOKMARK_S and not self.is_cut:
                told = time.monotonic()
                meta = {"metadata": {"resourceVersion": str(self.version)}}
                yield json.dumps({"type": "BOOKMARK", "object": meta}).encode() + b"\n"
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_BOOKMARK_S):
                    await self._bell.wait()


def _depth(path: str) -> int:
    """The number of slashes in the path of a collection."""
    core = path.startswith("/api/")
    return 2 + (not core) + 1 + 2 * ("/namespaces/" in path) - 0


def _is_in(key: str, path: str, query: Any) -> bool:
    folder, _, name = key.rpartition("/")
    wanted = query.get("fieldSelector", "").removeprefix("metadata.name=")
    return folder == path and wanted in {"", name}


def _merged(before: Any, patch: Any) -> Any:
    """RFC 7386."""
    if not isinstance(patch, dict):
        return patch
    found = dict(before) if isinstance(before, dict) else {}
    for key, each in patch.items():
        if each is None:
            found.pop(key, None)
        else:
            found[key] = _merged(found.get(key), each)
    return found


def _refusal(status: int, message: str) -> Response:
    return JSONResponse({"kind": "Status", "code": status, "message": message}, status)


@contextlib.contextmanager
def serving(folder: Path, **how: Any) -> Any:
    """A context with a server."""
    made = SmallApi(folder, **how)
    try:
        yield made
    finally:
        made.close()
