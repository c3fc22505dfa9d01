# SPDX-License-Identifier: Apache-2.0
"""The part that all routes share: their callers, the server, changes one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from gthulhu.control import Answer
from gthulhu.serve.audit import Audit
from gthulhu.serve.compiling import Compilers, Turns
from gthulhu.serve.keys import Claims, Keys, Kind, Role, TokenError
from gthulhu.serve.node import Node
from gthulhu.serve.protocol import Certificate
from gthulhu.serve.store import Store
from gthulhuc.cli.frame import CommandError

_OLDEST_S = 0.25
"""Seconds that a status may be old while the loader is asked for the next one."""


class ApiError(Exception):
    """A request fails with this status; `said` is the body."""

    def __init__(self, status: int, error: str, **more: Any) -> None:
        super().__init__(error)
        self.status = status
        self.said: dict[str, Any] = {"error": error, **more}


@dataclass
class Context:
    """The parts of a running server. `session_s`: how long a token from auth/token is valid.

    `compilers`: for checks. `turns`: of policies that the broker compiles. `cgroups`: that setting
    of the policies for Gthulhu's strategies. `roles`: of certificates, by their names.
    """

    keys: Keys
    node: Node
    compilers: Compilers
    turns: Turns
    store: Store
    audit: Audit
    session_s: int
    cgroups: str
    roles: Mapping[str, Role]
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _asking: tuple[int, asyncio.Future[Answer]] | None = None

    async def status(self) -> Answer:
        """The status, at most a quarter of a second old, and never from before a change.

        From 50 ms on, it is asked for again meanwhile: once, for all clients. Raises as `Node.ask`
        does.
        """
        fresh = self.node.fresh_status()
        if fresh is not None:
            return fresh
        changes = self.node.changes
        if self._asking is None or self._asking[1].done() or self._asking[0] != changes:
            self._asking = changes, asyncio.ensure_future(run_in_threadpool(self.node.status))
            self._asking[1].add_done_callback(_seen)
        answer = self.node.fresh_status(_OLDEST_S)
        return answer if answer is not None else await asyncio.shield(self._asking[1])


def _seen(asking: asyncio.Future[Answer]) -> None:
    """Takes note of an error, also if all clients have gone that could have got it."""
    if not asking.cancelled():
        asking.exception()


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request, and its address."""

    claims: Claims
    address: str


# Not in a thread each: checking a token takes 0.1 ms the first time, and less after that.
async def context_of(request: Request) -> Context:
    """The parts of the server that serves a request."""
    found: Context = request.app.state.context
    return found


Parts = Annotated[Context, Depends(context_of)]
_Bearer = Annotated[
    HTTPAuthorizationCredentials | None,
    Depends(HTTPBearer(auto_error=False, description="of `gthulhu serve token`")),
]


def address_of(request: Request) -> str:
    """The peer's address and port, or `unix` for the UNIX socket."""
    client = request.client
    return f"{client.host}:{client.port}" if client and client.port else "unix"


def claims_of(context: Context, token: str | None, certificate: Certificate | None) -> Claims:
    """The rights of a request, by its token or by its client's certificate. Raises TokenError."""
    if token is not None:
        return context.keys.check(token, Kind.ACCESS)
    role = context.roles.get(certificate.name) if certificate is not None else None
    if certificate is None or role is None:
        raise TokenError("a token is needed: `Authorization: Bearer TOKEN`")
    return context.keys.admit(
        Claims(certificate.name, role, certificate.number, certificate.expires)
    )


async def reader(request: Request, context: Parts, bearer: _Bearer) -> Caller:
    """The caller, if it may read. Raises ApiError."""
    token = bearer.credentials if bearer is not None else None
    try:
        claims = claims_of(context, token, request.scope["state"].get("certificate"))
    except TokenError as error:
        raise ApiError(401, str(error)) from error
    return Caller(claims, address_of(request))


async def operator(request: Request, context: Parts, bearer: _Bearer) -> Caller:
    """The caller, if it may change something. Raises ApiError."""
    return permitted(request, context, await reader(request, context, bearer))


def permitted(request: Request, context: Context, caller: Caller) -> Caller:
    """The caller, if it may change something; if not, the audit log has it. Raises ApiError."""
    if caller.claims.role is not Role.OPERATE:
        what = f"{request.method} {request.url.path}"
        note(context, caller, what, result="forbidden")
        raise ApiError(403, "the token's role is `read`, and this needs `operate`")
    return caller


Reader = Annotated[Caller, Depends(reader)]
Operator = Annotated[Caller, Depends(operator)]


def note(context: Context, caller: Caller, what: str, **said: Any) -> None:
    """Writes a line of the audit log."""
    claims = caller.claims
    context.audit.write(
        who=claims.subject, token=claims.number, **{"from": caller.address}, what=what, **said
    )


@asynccontextmanager
async def change(
    context: Context, caller: Caller, what: str, **details: Any
) -> AsyncIterator[dict[str, Any]]:
    """Lets one change at a time happen, and writes down how it ends, as `noted` does."""
    async with noted(context, caller, what, **details) as said, context.changing:
        yield said


@asynccontextmanager
async def noted(
    context: Context, caller: Caller, what: str, **details: Any
) -> AsyncIterator[dict[str, Any]]:
    """Writes down how a change ends.

    The block may add to the line of the audit log through the dictionary that it gets.
    """
    said: dict[str, Any] = dict(details)
    try:
        yield said
    except (ApiError, CommandError) as error:
        note(context, caller, what, **said, result="refused", error=str(error))
        raise
    except BaseException as error:
        note(context, caller, what, **said, result="failed", error=type(error).__name__)
        raise
    else:
        note(context, caller, what, **said, result="done")
    finally:
        context.node.forget()
