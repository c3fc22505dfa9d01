# SPDX-License-Identifier: Apache-2.0
"""The page's forms: each does what a route of the API does, and answers with a part of a page."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, TypeAdapter, ValidationError

from gthulhu.serve import decision, native, tasks, traces
from gthulhu.serve.context import ApiError, Caller, Parts, address_of, claims_of, note
from gthulhu.serve.keys import Kind, TokenError
from gthulhu.serve.page.rendering import HEADERS, respond
from gthulhu.serve.page.sessions import (
    PREFIX,
    Changer,
    Form,
    OwnForm,
    Visitor,
    cookie_of,
    sessions_of,
    set_cookie,
)

router = APIRouter(prefix=PREFIX, include_in_schema=False)

_SECONDS = {"s": 1, "min": 60, "h": 3600}
_TIME = re.compile(r"([0-9]{1,6})(s|min|h)")
_Model = TypeVar("_Model", bound=BaseModel)


# ---- login --------------------------------------------------------------------------------------


@router.get("/login")
async def login_form(request: Request, context: Parts) -> HTMLResponse:
    """Asks for a token, or offers to go on with the client's certificate."""
    certificate = request.scope["state"].get("certificate")
    try:
        name = claims_of(context, None, certificate).subject
    except TokenError:
        name = None
    return respond("login.html.j2", certificate=name, error=None)


@router.post("/login")
def login(request: Request, context: Parts, form: Form) -> Response:
    """Begins a session for a token, or for the client's certificate."""
    try:
        token = _access(form.get("token", ""), request, context)
        claims = claims_of(context, token, request.scope["state"].get("certificate"))
    except (TokenError, ApiError) as error:
        return respond("login.html.j2", 401, certificate=None, error=str(error))
    sessions = sessions_of(request)
    sessions.end(cookie_of(request))
    answer = RedirectResponse(f"{PREFIX}/", 303, HEADERS)
    set_cookie(request, answer, sessions.begin(token))
    note(context, Caller(claims, address_of(request)), "login", result="done")
    return answer


def _access(text: str, request: Request, context: Parts) -> str | None:
    """The token that was given, or one for an enrolment; None: the field was left empty."""
    text = text.strip()
    if not text:
        return None
    last = text.rpartition("\n")[2]
    try:
        context.keys.check(last, Kind.ENROLMENT)
    except TokenError:
        return last
    given = decision.token(decision.Credentials(public_key=last), request, context)
    return str(given["token"])


@router.post("/logout")
def logout(request: Request, context: Parts, visit: Visitor, _: OwnForm) -> Response:
    """Ends the session. The token counts as long as before."""
    sessions_of(request).end(cookie_of(request))
    note(context, visit.caller, "logout", result="done")
    answer = RedirectResponse(f"{PREFIX}/login", 303, HEADERS)
    set_cookie(request, answer, "")
    return answer


# ---- the editor ---------------------------------------------------------------------------------


@router.post("/check")
async def check(context: Parts, visit: Visitor, form: OwnForm) -> HTMLResponse:
    """The problems of a text."""
    found = await native.check(_body(native.Text, form), context, visit.caller)
    return respond("parts/diagnostics.html.j2", **found)


@router.post("/dry-run")
async def dry_run(context: Parts, caller: Changer, form: OwnForm) -> HTMLResponse:
    """The changes that a text would bring."""
    found = await native.dry_run(_body(native.Wanted, form), context, caller)
    return respond("parts/dry-run.html.j2", **found)


@router.post("/swap")
async def swap(context: Parts, caller: Changer, form: OwnForm) -> Response:
    """Puts a text in force, and leads to the node."""
    await native.swap(_body(native.Swap, form), context, caller)
    return _led_to_the_node()


@router.post("/trial")
async def trial(request: Request, context: Parts, caller: Changer, form: OwnForm) -> Response:
    """Puts a text in force for a time, and leads to the node, which shows what is left of it."""
    found = _TIME.fullmatch(form.get("time", "").replace(" ", ""))
    if found is None:
        raise ApiError(422, "a trial needs a time", help="such as `30 s`, `10 min` or `2 h`")
    seconds = int(found[1]) * _SECONDS[found[2]]
    await native.begin_trial(_body(native.Trial, form, seconds=seconds), request, context, caller)
    return _led_to_the_node()


def _led_to_the_node() -> Response:
    return Response(status_code=204, headers={**HEADERS, "HX-Redirect": f"{PREFIX}/"})


# ---- the policy in force ------------------------------------------------------------------------


@router.post("/trial/end")
async def end_trial(request: Request, context: Parts, caller: Changer) -> HTMLResponse:
    """Ends the trial."""
    await native.end_trial(request, context, caller)
    return _done("The trial ends: the policy before comes back.")


@router.post("/rollback")
async def rollback(context: Parts, caller: Changer, form: OwnForm) -> HTMLResponse:
    """Goes back to the generation before."""
    is_forced = form.get("force") == "yes"
    found = await native.rollback(native.Rollback(force=is_forced), context, caller)
    return _done(f"Back: generation {found['generation']} is in force.")


@router.post("/tunables")
async def tune(context: Parts, caller: Changer, form: OwnForm) -> HTMLResponse:
    """Changes one tunable."""
    wanted = {form.get("name", ""): form.get("value", "")}
    _checked(TypeAdapter(native.Tunables), wanted)
    await native.tune(wanted, context, caller)
    return _done(f"{form['name']} is {form['value']} until the next policy.")


@router.post("/labels")
async def label(context: Parts, caller: Changer, form: OwnForm) -> HTMLResponse:
    """Sets a label of a process, or removes it if there is no value."""
    key, value = form.get("key", ""), form.get("value", "")
    changes: dict[str, Any] = {"set": {key: value}} if value else {"remove": [key]}
    task = _checked(TypeAdapter(tasks.Task), form.get("pid", ""))
    found = await tasks.label(task, _valid(tasks.Changes, changes), context, caller)
    number = found.get("processes", 0)
    how = "set" if value else "removed"
    return _done(f"The label is {how}, for {number} process{'es' * (number != 1)}.")


@router.post("/trace")
async def record(request: Request, context: Parts, caller: Changer, form: OwnForm) -> HTMLResponse:
    """Records a trace, and offers it."""
    wanted = _valid(traces.Length, {"seconds": _number(form.get("seconds", ""))})
    found = await traces.record(wanted, request, context, caller)
    return respond("parts/trace.html.j2", **found)


def _done(text: str) -> HTMLResponse:
    return respond("parts/done.html.j2", text=text)


# ---- forms as bodies of the API -----------------------------------------------------------------


def _body(model: type[_Model], form: dict[str, str], **more: Any) -> _Model:
    """The body of a route about a text. Browsers may send its lines as Windows has them."""
    text = form.get("text", "").replace("\r\n", "\n")
    return _valid(model, {"text": text, "name": form.get("name", ""), **more})


def _valid(model: type[_Model], values: dict[str, Any]) -> _Model:
    found: _Model = _checked(TypeAdapter(model), values)
    return found


def _checked(adapter: TypeAdapter[Any], values: Any) -> Any:
    """The values of a form as a route of the API takes them. Raises ApiError."""
    try:
        return adapter.validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ApiError(422, f"{field or 'a field'}: {first['msg']}") from error


def _number(text: str) -> int:
    return int(_checked(TypeAdapter(int), text))
