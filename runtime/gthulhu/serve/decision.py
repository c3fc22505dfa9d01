# SPDX-License-Identifier: Apache-2.0
"""`/api/v1`: the routes of Gthulhu's decision maker, and the older ones of its operators."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from gthulhu import processes
from gthulhu.agent.paths import Kind, kind_of, uid_of
from gthulhu.serve.context import (
    ApiError,
    Caller,
    Operator,
    Parts,
    Reader,
    address_of,
    note,
)
from gthulhu.serve.keys import Kind as TokenKind
from gthulhu.serve.keys import TokenError
from gthulhu.serve.strategies import MOST, Strategies, root_of, timestamp
from gthulhu.serve.wanted import Wanted
from gthulhuc import __version__

_MOST_INT = (1 << 63) - 1
_CLIENT = re.compile(r"[A-Za-z0-9._@:/-]{1,100}")

router = APIRouter(prefix="/api/v1", tags=["v1: Gthulhu's clients"])
public = APIRouter(tags=["health"])

_Text = Annotated[str, Field(max_length=1000)]
_Int = Annotated[int, Field(ge=-(1 << 31), le=_MOST_INT)]
_Time = Annotated[int, Field(ge=0, le=_MOST_INT)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="ignore")  # other releases of Gthulhu send other fields


class Credentials(_Body):
    """The client's request for a token. Gthulhu's clients send the content of a file.

    There it is the server's public key. Here its last line has to be a token of type `enrolment`.
    """

    public_key: Annotated[str, Field(max_length=8192)]
    client_id: _Text = ""
    expired_at: _Time = 0


class Selector(_Body):
    """A label of a pod."""

    key: Annotated[str, Field(min_length=1, max_length=1000)]
    value: _Text


class Strategy(_Body):
    """A strategy: by process, or by labels and command."""

    priority: bool | _Int = False
    execution_time: _Time = 0
    pid: Annotated[int, Field(ge=0, lt=1 << 31)] = 0
    selectors: Annotated[list[Selector], Field(max_length=64)] = []
    command_regex: _Text = ""


class StrategiesBody(_Body):
    """All strategies: they replace those before."""

    strategies: Annotated[list[Strategy], Field(max_length=MOST)]


class Intent(_Body):
    """A manager's wish for one pod of this node."""

    pod: Annotated[str, Field(alias="podName", max_length=1000)] = ""
    uid: Annotated[str, Field(alias="podID", max_length=1000)] = ""
    node: Annotated[str, Field(alias="nodeID", max_length=1000)] = ""
    namespace: Annotated[str, Field(alias="k8sNamespace", max_length=1000)] = ""
    regex: Annotated[str, Field(alias="commandRegex", max_length=1000)] = ""
    priority: _Int = 0
    slice_ns: Annotated[int, Field(alias="executionTime", ge=0, le=_MOST_INT)] = 0
    labels: Annotated[dict[_Text, _Text], Field(alias="podLabels", max_length=256)] = {}


class IntentsBody(_Body):
    """Intents that join those before; one for the same pod and command replaces the other."""

    intents: Annotated[list[Intent], Field(max_length=MOST)]


class Removal(_Body):
    """The intents to delete: of a pod, or all."""

    pod: Annotated[str, Field(alias="podId", max_length=1000)] = ""
    all: bool = False


class Metrics(_Body):
    """The counters of a scheduler of Gthulhu's."""

    usersched_last_run_at: _Time = 0
    nr_queued: _Time = 0
    nr_scheduled: _Time = 0
    nr_running: _Time = 0
    nr_online_cpus: _Time = 0
    nr_user_dispatches: _Time = 0
    nr_kernel_dispatches: _Time = 0
    nr_cancel_dispatches: _Time = 0
    nr_bounce_dispatches: _Time = 0
    nr_failed_dispatches: _Time = 0
    nr_sched_congested: _Time = 0


def _good(data: Any = None, **more: Any) -> dict[str, Any]:
    said = {"success": True, "message": "", "timestamp": timestamp(), **more}
    return said if data is None else said | {"data": data}


def _strategies(request: Request) -> Strategies:
    found: Strategies = request.app.state.strategies
    return found


@public.get("/health")
@router.get("/health")
def health() -> dict[str, Any]:
    """Whether the server responds; it says nothing about the policy."""
    return _good({"status": "healthy"}, status="healthy")


@public.get("/version")
@router.get("/version")
def version() -> dict[str, Any]:
    """The release."""
    return _good({"version": __version__}, version=__version__)


@router.post("/auth/token")
def token(body: Credentials, request: Request, context: Parts) -> dict[str, Any]:
    """A token to call the API with, for an enrolment token."""
    try:
        # A public key may come before it: Gthulhu's scheduler sends no file without one.
        last = body.public_key.strip().rpartition("\n")[2]
        claims = context.keys.check(last, TokenKind.ENROLMENT)
    except TokenError as error:
        raise ApiError(
            401,
            f"no token: {error}",
            help="send what `gthulhu serve token --enrolment` prints as `public_key`",
        ) from error
    now = int(time.time())
    until = min(claims.expires, now + context.session_s)
    if now < body.expired_at < until:
        until = body.expired_at
    made = context.keys.mint(claims.subject, claims.role, TokenKind.ACCESS, max(until - now, 1))
    client = body.client_id if _CLIENT.fullmatch(body.client_id) else ""
    note(context, Caller(claims, address_of(request)), "token", client=client, result="done")
    return _good({"token": made, "expired_at": until}, token=made)


@router.post("/scheduling/strategies")
async def post_strategies(
    body: StrategiesBody, request: Request, caller: Operator
) -> dict[str, Any]:
    """Replaces all strategies, and answers when they are in force."""
    rows = tuple(body.model_dump(exclude_defaults=True)["strategies"])
    strategies = _strategies(request)
    applied = await strategies.alter(caller, lambda now: Wanted(rows, now.intents))
    return _good(generation=applied.generation)


@router.get("/scheduling/strategies")
def get_strategies(request: Request, _: Reader) -> dict[str, Any]:
    """The strategies, and the intents as strategies; the list is never null."""
    wanted = _strategies(request).wanted
    rows = [Strategy(**row).model_dump() for row in wanted.strategies]
    for row in rows:
        row["priority"] = int(row["priority"])  # Gthulhu's scheduler reads no boolean
    rows += [
        {
            "priority": row["priority"], "execution_time": row["executionTime"], "pid": 0,
            "selectors": [{"key": key, "value": value} for key, value in row["podLabels"].items()],
            "command_regex": row["commandRegex"],
        }
        for row in wanted.intents.values()
    ]  # fmt: skip
    return _good(scheduling=rows)


@router.post("/intents")
async def post_intents(body: IntentsBody, request: Request, caller: Operator) -> dict[str, Any]:
    """Adds intents to those before, and answers when they are in force."""
    rows = body.model_dump(by_alias=True)["intents"]
    applied = await _strategies(request).alter(caller, lambda now: now.with_intents(rows))
    return _good({"generation": applied.generation})


@router.delete("/intents")
async def delete_intents(body: Removal, request: Request, caller: Operator) -> dict[str, Any]:
    """Deletes the intents of a pod, or all of them."""
    if not body.all and not body.pod:
        raise ApiError(422, "nothing to delete: give `podId`, or `all`")
    applied = await _strategies(request).alter(
        caller, lambda now: Wanted(now.strategies) if body.all else now.without(body.pod)
    )
    return _good({"generation": applied.generation})


@router.get("/intents/merkle")
def merkle(request: Request, _: Reader) -> dict[str, Any]:
    """The root hash of all intents."""
    return _good({"rootHash": root_of(_strategies(request).wanted.intents.values())})


@router.get("/pods/pids")
def pods(_: Reader) -> dict[str, Any]:
    """The processes of each pod on this node, by the pod's UID."""
    found: dict[str, list[dict[str, Any]]] = {}
    for process in processes.all_processes():
        path = process.facts.cgroup.decode(errors="replace")
        if uid := uid_of(path):
            kind, _manager, number = kind_of(path)
            row = {
                "pid": process.pid, "command": process.name, "ppid": _parent_of(process.pid),
                "container_id": number if kind is Kind.CONTAINER else "",
            }  # fmt: skip
            found.setdefault(uid, []).append(row)
    rows = [{"pod_uid": uid, "pod_id": uid, "processes": own} for uid, own in found.items()]
    node = os.uname().nodename
    return _good({"pods": rows, "timestamp": timestamp(), "node_name": node, "node_id": node})


def _parent_of(pid: int) -> int:
    """The parent of a process; 0: it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return 0
    return int(text.rpartition(b")")[2].split()[1])


@router.post("/metrics")
def post_metrics(body: Metrics, request: Request, _: Operator) -> dict[str, Any]:
    """Keeps the last counters of a scheduler of Gthulhu's."""
    request.app.state.metrics = body.model_dump()
    return _good()


@router.get("/metrics")
def get_metrics(request: Request, _: Reader) -> dict[str, Any]:
    """The counters that were last posted."""
    return _good(request.app.state.metrics)
