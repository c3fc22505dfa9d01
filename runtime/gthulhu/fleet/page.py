# SPDX-License-Identifier: Apache-2.0
"""Rollouts and their nodes in a browser, on 127.0.0.1: all who reach that address may read them.

`gthulhu fleet page` reads the API with the rights of its user. `gthulhu fleet controller --page`
shows what the controller watches, and people reach it by a forwarded port of its pod.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    suppress,
)
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware

from gthulhu.fleet.controller import Controller
from gthulhu.fleet.parsed import Parsed
from gthulhu.fleet.resources import NODES, POLICIES, NodeObject, Policy, now
from gthulhu.fleet.rollout import is_silent
from gthulhu.kubernetes import Api, Watched, config
from gthulhu.serve import page, server
from gthulhu.serve.page.rendering import HEADERS, render, respond
from gthulhu.serve.page.sessions import PREFIX
from gthulhuc.cli import frame

_BEAT_S, _PAUSE_S = 15.0, 1.0
_CONNECTIONS = 64
_END_S = 1
_ADDRESS = "127.0.0.1"
_HOSTS = [_ADDRESS, "localhost"]
"""Else a page of another site could read this one, by a name of its own for 127.0.0.1."""


def _say(text: str) -> None:
    frame.err(f"gthulhu fleet page: {text}\n")


class Bell:
    """Tells of changes: `coming` is set at the next one."""

    def __init__(self) -> None:
        self.coming = asyncio.Event()

    def ring(self) -> None:
        """Tells of a change."""
        self.coming.set()
        self.coming = asyncio.Event()


class Fleet:
    """The policies and nodes of a cluster. `bell`: rings when they change."""

    def __init__(self, policies: Parsed[Policy], nodes: Parsed[NodeObject], bell: Bell) -> None:
        self.bell = bell
        self._policies, self._nodes = policies, nodes

    def values(self, name: str | None) -> dict[str, Any]:
        """The values of `parts/fleet.html.j2`: of one policy with its nodes, or of all."""
        policies = sorted(self._policies.all(), key=lambda each: each.name)
        nodes = sorted(self._nodes.all(), key=lambda each: each.name)
        at = now()
        policies_watched, nodes_watched = self._policies.watched, self._nodes.watched
        return {
            "policies": [each for each in policies if name in {None, each.name}],
            "nodes": [
                {"silent": is_silent(each, at), **dict(each.status), "name": each.name}
                for each in nodes
                if each.status.policy == name
            ],
            "one": name,
            "ready": bool(policies_watched.version and nodes_watched.version),
            "problem": policies_watched.problem or nodes_watched.problem,
        }

    def text(self, name: str) -> str | None:
        """The text on its way or in force; None if the policy is unknown, or has no text yet."""
        for policy in self._policies.all():
            current = policy.status.candidate or policy.status.stable
            if policy.name == name and current is not None:
                return current.text
        return None

    def has(self, name: str) -> bool:
        """Whether there is such a policy."""
        return name in self._policies.watched.items


@asynccontextmanager
async def watching(where: str) -> AsyncIterator[Fleet]:
    """A context with what is watched. `where`: the API, as `Api` takes it."""
    api, bell = Api(where), Bell()
    policies, nodes = (Watched(api, path, bell.ring, _say) for path in (POLICIES, NODES))
    work = asyncio.gather(policies.run(), nodes.run())
    try:
        yield Fleet(Parsed(policies, Policy, _say), Parsed(nodes, NodeObject, _say), bell)
    finally:
        work.cancel()
        with suppress(asyncio.CancelledError):
            await work
        await api.close()


def make(shown: AbstractAsyncContextManager[Fleet]) -> FastAPI:
    """Returns the application, which is in a context while it serves."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with shown as app.state.fleet:
            yield

    app = FastAPI(
        lifespan=lifespan, openapi_url=None, exception_handlers={HTTPException: _http_error}
    )
    app.add_api_route("/", lambda: RedirectResponse(f"{PREFIX}/", 303, HEADERS))
    app.add_api_route(f"{PREFIX}/", _all)
    app.add_api_route(f"{PREFIX}/policy", _one)
    app.add_api_route(f"{PREFIX}/live", _live)
    page.serve_files(app)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS, www_redirect=False)
    return app


def _fleet(request: Request) -> Fleet:
    found: Fleet = request.app.state.fleet
    return found


def _all(request: Request) -> HTMLResponse:
    """All policies."""
    values = _fleet(request).values(None)
    return respond("fleet.html.j2", part=render("parts/fleet.html.j2", **values), one=None, text="")


def _one(request: Request, name: str) -> HTMLResponse:
    """One policy, its nodes and its text."""
    fleet = _fleet(request)
    if not fleet.has(name):
        raise HTTPException(404, "unknown SchedulingPolicy")
    part = render("parts/fleet.html.j2", **fleet.values(name))
    return respond("fleet.html.j2", part=part, one=name, text=fleet.text(name) or "")


def _live(request: Request, name: str | None = None) -> StreamingResponse:
    """The changes of a page, as server-sent events."""
    parts = _parts(_fleet(request), name)
    return StreamingResponse(parts, media_type="text/event-stream", headers=HEADERS)


async def _parts(fleet: Fleet, name: str | None) -> AsyncIterator[bytes]:
    before = ""
    while True:
        coming = fleet.bell.coming
        html = render("parts/fleet.html.j2", **fleet.values(name))
        said = json.dumps({"part": "fleet", "html": html})
        yield f"event: part\ndata: {said}\n\n".encode() if html != before else b":\n\n"
        before = html
        await asyncio.sleep(_PAUSE_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(_BEAT_S):
                await coming.wait()


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return page.failed(request.scope, error.status_code, {"error": str(error.detail)})


def run(where: str, port: int) -> int:
    """Serves on 127.0.0.1 until a signal ends it. Raises CommandError."""
    config(where)  # fails before anything listens
    app = make(watching(where))
    hint = "choose another port with `--port`; 0 takes any free one"
    with server.listening(_ADDRESS, port, hint) as listening:
        frame.out(f"serving {server.url('http', listening)}\n")
        uvicorn.Server(_settings(app)).run(sockets=[listening])
    return frame.OK


class _Beside(uvicorn.Server):
    """A server in a process that handles signals itself."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(port: int, controller: Controller) -> None:
    """Serves what a controller watches, until it is cancelled. Raises CommandError."""
    fleet = Fleet(controller.policies, controller.nodes, Bell())
    controller.also_changed = fleet.bell.ring
    beside = _Beside(_settings(make(nullcontext(fleet))))
    hint = "choose another port with `--page`; 0 takes any free one"
    with server.listening(_ADDRESS, port, hint) as listening:
        frame.out(f"serving {server.url('http', listening)}\n")
        work = asyncio.create_task(beside.serve(sockets=[listening]))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            beside.should_exit = True
            await work
            raise


def _settings(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app, loop="asyncio", ws="none", lifespan="on", log_level="error", server_header=False,
        limit_concurrency=_CONNECTIONS, timeout_graceful_shutdown=_END_S,
    )  # fmt: skip
