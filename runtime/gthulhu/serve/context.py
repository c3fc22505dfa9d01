# SPDX-License-Identifier: Apache-2.0
"""The part that all routes share: their callers, the server, changes one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from gthulhu.serve.audit import Audit
from gthulhu.serve.compiling import Compilers
from gthulhu.serve.keys import Claims, Keys, Kind, Role, TokenError
from gthulhu.serve.node import Node
from gthulhu.serve.store import Store
from gthulhuc.cli.frame import CommandError


class ApiError(Exception):
    """A request fails with this status; `said` is the body."""

    def __init__(self, status: int, error: str, **more: Any) -> None:
        super().__init__(error)
        self.status = status
        self.said: dict[str, Any] = {"error": error, **more}


@dataclass
class Context:
    """The parts of a running server. `session_s`: how long a token from auth/token is valid.

    `cgroups`: that setting of the policies for Gthulhu's strategies.
    """

    keys: Keys
    node: Node
    compilers: Compilers
    store: Store
    audit: Audit
    session_s: int
    cgroups: str
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request, and its address."""

    claims: Claims
    address: str


# Not in a thread each: checking a token takes 0.1 ms.
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


async def reader(request: Request, context: Parts, bearer: _Bearer) -> Caller:
    """The caller, if it may read. Raises ApiError."""
    if bearer is None:
        raise ApiError(401, "a token is needed: `Authorization: Bearer TOKEN`")
    try:
        claims = context.keys.check(bearer.credentials, Kind.ACCESS)
    except TokenError as error:
        raise ApiError(401, f"the token does not count: {error}") from error
    return Caller(claims, address_of(request))


async def operator(request: Request, context: Parts, bearer: _Bearer) -> Caller:
    """The caller, if it may change something. Raises ApiError."""
    caller = await reader(request, context, bearer)
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
    """Lets one change at a time happen, and writes down how it ends.

    The block may add to the line of the audit log through the dictionary that it gets.
    """
    said: dict[str, Any] = dict(details)
    try:
        async with context.changing:
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
