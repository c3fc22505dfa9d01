# SPDX-License-Identifier: Apache-2.0
"""Logins of people: a cookie names a session, and a session stands for a token.

The token stays here. It is checked at each request, so a session ends with its token: when that
expires, is revoked, or its key is removed.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from fastapi import Depends, Request, Response

from gthulhu.serve.context import (
    ApiError,
    Caller,
    Context,
    Parts,
    address_of,
    claims_of,
    permitted,
)
from gthulhu.serve.keys import Claims, Role, TokenError

PREFIX = "/page"
_MOST = 1000
_MOST_FIELDS = 20


@dataclass(frozen=True, slots=True)
class Session:
    """A login; `token` is None if the client's certificate gives the rights.

    `csrf`: what each change has to repeat, as no other site can read it.
    """

    token: str | None
    csrf: str

    def claims(self, context: Context, request: Request) -> Claims:
        """The rights that it has now. Raises TokenError."""
        return claims_of(context, self.token, request.scope["state"].get("certificate"))


class Sessions:
    """The sessions of this process, at most a thousand: the oldest end first."""

    def __init__(self) -> None:
        self._all: OrderedDict[str, Session] = OrderedDict()

    def begin(self, token: str | None) -> str:
        """A new session; returns the cookie's value."""
        number = secrets.token_urlsafe(32)
        self._all[number] = Session(token, secrets.token_urlsafe(32))
        if len(self._all) > _MOST:
            self._all.popitem(last=False)
        return number

    def find(self, number: str) -> Session | None:
        """The session of a cookie."""
        return self._all.get(number)

    def end(self, number: str) -> None:
        """Ends a session, if there is one."""
        self._all.pop(number, None)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of someone who has logged in."""

    caller: Caller
    session: Session

    @property
    def may_operate(self) -> bool:
        """Whether changes are permitted."""
        return self.caller.claims.role is Role.OPERATE


def sessions_of(request: Request) -> Sessions:
    """The sessions of the server that serves a request."""
    found: Sessions = request.app.state.sessions
    return found


def cookie_of(request: Request) -> str:
    """The cookie's value, or empty."""
    return request.cookies.get(_name(request), "")


def set_cookie(request: Request, response: Response, number: str) -> None:
    """Has the browser keep a session for this page alone; an empty number ends that."""
    response.set_cookie(
        _name(request), number, path=PREFIX, httponly=True, samesite="strict",
        secure=_is_secure(request), max_age=None if number else 0,
    )  # fmt: skip


def _is_secure(request: Request) -> bool:
    return request.url.scheme == "https"


def _name(request: Request) -> str:
    """With the port: browsers give a cookie to all ports of a host, as of two tunnels."""
    port = request.headers.get("host", "").rpartition(":")[2]
    number = port if port.isascii() and port.isdecimal() else "default"
    return f"{'__Secure-' * _is_secure(request)}gthulhu-{number}"


# ---- dependencies of routes ---------------------------------------------------------------------


async def visit_of(request: Request, context: Parts) -> Visit:
    """The visit, if someone has logged in. Raises ApiError."""
    number = cookie_of(request)
    session = sessions_of(request).find(number)
    if session is None:
        raise ApiError(401, "log in first")
    try:
        claims = session.claims(context, request)
    except TokenError as error:
        sessions_of(request).end(number)
        raise ApiError(401, f"the session has ended: {error}") from error
    return Visit(Caller(claims, address_of(request)), session)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form that this site has sent; of equal names the last one. Raises ApiError.

    Another site can have a browser send a form here. The browser then names that site.
    """
    try:
        if not _is_of_this_site(request):
            raise ApiError(403, "the request comes from another site", help="use the page's forms")
        text = (await request.body()).decode()
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise ApiError(400, "the form cannot be read") from error
    return dict(fields)


def _is_of_this_site(request: Request) -> bool:
    """As the browser says. It tells `Sec-Fetch-Site` only to secure and local addresses."""
    if (site := request.headers.get("sec-fetch-site")) is not None:
        return site == "same-origin"
    origin, host = request.headers.get("origin", ""), request.headers.get("host")
    return bool(host) and urlsplit(origin).netloc == host


Visitor = Annotated[Visit, Depends(visit_of)]
Form = Annotated[dict[str, str], Depends(form_of)]


async def own_form_of(visit: Visitor, form: Form) -> dict[str, str]:
    """The fields of a form that the page gave to this session. Raises ApiError."""
    if not hmac.compare_digest(form.get("csrf", "").encode(), visit.session.csrf.encode()):
        raise ApiError(403, "the form is not of this session", help="load the page again")
    return form


OwnForm = Annotated[dict[str, str], Depends(own_form_of)]


async def operating(request: Request, context: Parts, visit: Visitor, _: OwnForm) -> Caller:
    """The caller of a change, if it is permitted and comes from the page. Raises ApiError."""
    return permitted(request, context, visit.caller)


Changer = Annotated[Caller, Depends(operating)]
