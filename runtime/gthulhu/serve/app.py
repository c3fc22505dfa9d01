# SPDX-License-Identifier: Apache-2.0
"""The application: its routes, its errors, and the limits on requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any

from anyio import CapacityLimiter
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gthulhu import control
from gthulhu.serve import decision, native, page, tasks, traces
from gthulhu.serve.compiling import BusyError, LimitError, ToolError
from gthulhu.serve.context import ApiError, Context, claims_of
from gthulhu.serve.keys import TokenError
from gthulhu.serve.node import BrokerError, explained
from gthulhu.serve.page.board import Board
from gthulhu.serve.page.sessions import Sessions
from gthulhu.serve.strategies import Strategies, timestamp
from gthulhu.serve.traces import Traces
from gthulhuc import __version__
from gthulhuc.cli.frame import CommandError

MAX_BODY = 8 << 20
"""Bytes of a request's body: 10,000 intents have about 3 MB."""
BODY_S = 10
"""Seconds for a client to send it."""
_STATUS = {
    BrokerError: 503,
    BusyError: 503,
    ToolError: 503,
    LimitError: 422,
    control.RequestError: 422,
}
_QUICK = ("GET", "/api/v2/status")
_OLD = "/api/v1/"
_DESCRIPTION = "The node's API. Tokens come from `gthulhu serve token`."


class _Json(JSONResponse):
    """JSON in ASCII: a name with half a surrogate pair is not UTF-8."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return json.dumps(content).encode()


def make(context: Callable[[], Context]) -> FastAPI:
    """The application; `context` is called in its event loop."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.context = parts = context()
        app.state.trying = native.Trying()
        app.state.trial_thread = ThreadPoolExecutor(1)
        app.state.streams = app.state.watchers = 0
        app.state.sessions = Sessions()
        app.state.board = Board(parts)
        app.state.traces = Traces()
        app.state.stream_threads = CapacityLimiter(native.MOST_STREAMS)
        app.state.metrics = {}
        app.state.strategies = Strategies(parts)
        parts.compilers.prepare()
        try:
            yield
        finally:
            await app.state.strategies.close()
            await app.state.board.rest()
            app.state.traces.close()
            if answers := app.state.trying.answers:
                answers.hang_up()
            await parts.compilers.close()
            parts.node.close()

    app = FastAPIOffline(
        title="gthulhu serve",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=lifespan,
        default_response_class=_Json,
        redoc_url=None,
        static_url="/docs-files",
        exception_handlers={
            ApiError: _api_error,
            CommandError: _command_error,
            RequestValidationError: _invalid,
            HTTPException: _http_error,
            Exception: _internal,
        },
    )
    for router in (
        native.router,
        tasks.router,
        traces.router,
        decision.router,
        decision.public,
        *page.ROUTERS,
    ):
        app.include_router(router)
    page.serve_files(app)
    app.add_middleware(Quick)
    app.add_middleware(Limits)
    app.add_middleware(Ending)
    return app


class Quick:
    """Answers for the status at once, as many clients ask for it often.

    Everything that is not a plain question with a good answer goes on to the application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Does what the route `status` does, in a tenth of the time."""
        if scope["type"] == "http" and (scope["method"], scope["path"]) == _QUICK:
            context = scope["app"].state.context
            authorization = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
            kind, _, token = authorization.partition(" ")
            with suppress(TokenError, CommandError):
                given = token if kind.lower() == "bearer" else None
                claims_of(context, given, scope["state"].get("certificate"))
                said = native.shown(await context.status())
                await _Json(said)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class Ending:
    """Responds to requests that are still at work when the server ends.

    uvicorn cancels them, and would log a traceback for each.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Says that the server ended, unless a response has begun."""
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not has_begun:
                why = "the server ended meanwhile; the change may be in force: ask for the status"
                await _answer(scope, 503, why, {"Retry-After": "1"})(scope, receive, send)


class Limits:
    """Refuses bodies that are too large, and clients that take too long to send one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reads the whole body first, so that a route never waits for a client."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(BODY_S):
                body = await _body(scope, receive)
        except TimeoutError:
            await _answer(scope, 408, "the body took too long")(scope, receive, send)
            return
        if body is None:
            why = f"the body has more than {MAX_BODY:,} bytes"
            await _answer(scope, 413, why)(scope, receive, send)
            return
        is_read = False

        async def replay() -> Message:
            nonlocal is_read
            if is_read:
                return await receive()  # that the client has gone
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, replay, send)


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """The body; None: it is too large."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    if not length.isdigit() or int(length) > MAX_BODY:
        return None
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""  # the client has gone
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


# ---- errors -------------------------------------------------------------------------------------


def _answer(
    scope: Scope, status: int, error: str, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """An error in the shape of the API that was called, or as a page."""
    said = {"error": error, **more}
    if page.has(scope["path"]):
        return page.failed(scope, status, said)
    if scope["path"].startswith(_OLD):
        said = {"success": False, "timestamp": timestamp(), **said}
    return _Json(said, status, headers)


def _of(request: Request, error: ApiError) -> Response:
    headers = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}.get(error.status)
    return _answer(request.scope, error.status, headers=headers, **error.said)


async def _api_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return _of(request, error)


async def _command_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, CommandError)
    status = next((to for kind, to in _STATUS.items() if isinstance(error, kind)), 409)
    said = explained(error)
    return _of(request, ApiError(status, str(said.pop("error")), **said))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problems = [
        {"at": [str(part) for part in each["loc"]], "error": str(each["msg"])}
        for each in error.errors()[:20]
    ]
    first = f"{'.'.join(problems[0]['at'])}: {problems[0]['error']}" if problems else ""
    return _answer(request.scope, 422, f"invalid request: {first}", problems=problems)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _answer(request.scope, error.status_code, str(error.detail), error.headers)


async def _internal(request: Request, error: Exception) -> Response:
    del error  # uvicorn logs it with its traceback
    return _answer(request.scope, 500, "internal error: see the server's log")
