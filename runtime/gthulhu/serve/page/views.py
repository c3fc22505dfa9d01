# SPDX-License-Identifier: Apache-2.0
"""The pages: what people see. Each uses the functions of the API for its values."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from gthulhu.serve import native, traces
from gthulhu.serve import tasks as tasks_of
from gthulhu.serve.context import ApiError, Context, Parts
from gthulhu.serve.page.board import TICK_S, Board
from gthulhu.serve.page.rendering import HEADERS, respond
from gthulhu.serve.page.sessions import PREFIX, Visit, Visitor, visit_of
from gthulhuc.cli.frame import CommandError

router = APIRouter(prefix=PREFIX, include_in_schema=False)

_MOST_TASKS = 500
_MOST_CHANGES = 30
_RETRY_S = 15
_BEAT = 15
_EMPTY = "policy mine {}\n\n"
_Pid = Annotated[int, Query(ge=1, lt=1 << 31)]


def page(template: str, visit: Visit, **values: Any) -> HTMLResponse:
    """A whole page for someone who has logged in."""
    return respond(template, visit=visit, **values)


def board_of(request: Request) -> Board:
    """The parts that change by themselves."""
    found: Board = request.app.state.board
    return found


@router.get("/")
async def node(request: Request, context: Parts, visit: Visitor) -> Response:
    """The node: its policy, its rules, its promises and what happened."""
    parts = await board_of(request).parts()
    tunables = await run_in_threadpool(_or, native.tunables, {"tunables": []}, context, visit)
    return page("node.html.j2", visit, parts=parts, tunables=tunables["tunables"])


def _or(ask: Any, otherwise: Any, context: Context, visit: Visit) -> Any:
    """The values of a route; others if it fails, as the page says why in another place."""
    try:
        return ask(context, visit.caller)
    except CommandError:
        return otherwise


@router.get("/live")
async def live(request: Request, context: Parts, visit: Visitor) -> StreamingResponse:
    """The parts that have changed, as server-sent events."""
    is_full = request.app.state.streams >= native.MOST_STREAMS
    changes = _later() if is_full else _changes(request, context, visit)
    return StreamingResponse(changes, media_type="text/event-stream", headers=HEADERS)


async def _later() -> AsyncIterator[bytes]:
    """Has the browser ask again, which it does not after an error."""
    yield f"retry: {_RETRY_S * 1000}\n\n".encode()


async def _changes(request: Request, context: Context, visit: Visit) -> AsyncIterator[bytes]:
    state, board = request.app.state, board_of(request)
    state.streams += 1
    state.watchers += 1
    shown: dict[str, str] = {}
    quiet = 0
    try:
        while await visit_of(request, context) == visit:  # the session may end at any time
            parts = await board.parts()
            changed = [part for part, html in parts.items() if shown.get(part) != html]
            for part in changed:
                said = json.dumps({"part": part, "html": parts[part]})
                yield f"event: part\ndata: {said}\n\n".encode()
            shown = parts
            quiet = 0 if changed else quiet + 1
            if quiet and quiet % _BEAT == 0:
                yield b": nothing new\n\n"  # so that proxies keep the connection
            await asyncio.sleep(TICK_S)
    except ApiError:
        return
    finally:
        state.streams -= 1
        state.watchers -= 1
        if not state.watchers:
            await board.rest()


@router.get("/tasks")
def tasks(context: Parts, visit: Visitor, rule: Annotated[str, Query(max_length=256)]) -> Response:
    """The tasks of a rule."""
    found = tasks_of.tasks(context, visit.caller, rule)
    listed = sorted(found["tasks"], key=lambda each: -each["ran_ns"])
    return page(
        "tasks.html.j2", visit, rule=rule, tasks=listed[:_MOST_TASKS], number=len(listed),
        why_not=found["why_not"],
    )  # fmt: skip


@router.get("/task")
def task(context: Parts, visit: Visitor, pid: _Pid) -> Response:
    """A task: its rule, and why it has this rule."""
    return page("task.html.j2", visit, task=tasks_of.explanation(pid, context, visit.caller))


@router.get("/policies")
def policies(context: Parts, visit: Visitor) -> Response:
    """The kept generations, the texts that the server has, and who changed what."""
    kept = _or(native.generations, {"generations": []}, context, visit)["generations"]
    changes = list(context.audit.recent)[::-1][:_MOST_CHANGES]
    return page(
        "policies.html.j2", visit, kept=kept, changes=changes,
        policies=native.policies(context, visit.caller)["policies"],
    )  # fmt: skip


@router.get("/editor")
def editor(
    context: Parts, visit: Visitor, sha256: Annotated[str | None, Query(alias="from")] = None
) -> Response:
    """The editor, with a text of the server's or that of the policy in force."""
    if sha256 is not None:
        name, text, why_not = *native.text_of(context, sha256), ""
    else:
        name, text, why_not = _in_force(context, visit)
    return page("editor.html.j2", visit, name=name, text=text, why_not=why_not)


def _in_force(context: Context, visit: Visit) -> tuple[str, str, str]:
    """The name and text of the policy in force, or of an empty one and why."""
    try:
        found = native.source(context, visit.caller)["compared"]
    except CommandError as error:
        return "mine", _EMPTY, str(error)
    source = (found or {}).get("source")
    if source is None or source["state"] != "same":
        return "mine", _EMPTY, "the text of the policy in force is not on this node any more"
    path = Path(source["path"])
    try:
        return path.stem, path.read_text(encoding="utf-8"), ""
    except (OSError, ValueError) as error:
        return "mine", _EMPTY, f"{path} cannot be read: {error}"


@router.get("/trace")
def trace(request: Request, visit: Visitor) -> Response:
    """The last trace, to be saved."""
    answer = traces.trace(request, visit.caller)
    answer.headers.update(HEADERS)
    return answer


@router.get("")
def root() -> Response:
    """Leads to the page."""
    return RedirectResponse(f"{PREFIX}/", 303, HEADERS)
