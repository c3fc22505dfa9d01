# SPDX-License-Identifier: Apache-2.0
"""`/api/v2`: the project's own API. A route does what the command of its name does."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import PlainTextResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from gthulhu import control, counters, preview, promises, provenance
from gthulhu.commands import stats
from gthulhu.serve.context import (
    ApiError,
    Context,
    Operator,
    Parts,
    Reader,
    change,
    noted,
)
from gthulhu.serve.node import Events, NothingInForceError
from gthulhu.serve.store import Stored

MAX_TEXT = 1 << 20
"""Characters of a policy."""
MOST_STREAMS = 32
_BEAT_S = 15

router = APIRouter(prefix="/api/v2", tags=["v2"])

_Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
_Field = Annotated[str, StringConstraints(pattern=r"^[^\t\n\x00]{1,256}$")]
_Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


Tunables = Annotated[dict[_Word, _Field], Field(max_length=100, examples=[{"quantum": "2ms"}])]


class Body(BaseModel):
    """A body of JSON without other fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Text(Body):
    """A policy: its text, and a name for messages."""

    text: Annotated[str, Field(max_length=MAX_TEXT, examples=["policy shop {}\n"])]
    name: _Word = "policy"


class Wanted(Body):
    """A policy to load: its text, or the hash of one that the server has."""

    text: Annotated[str, Field(max_length=MAX_TEXT)] | None = None
    sha256: _Hash | None = None
    name: _Word = "policy"
    stats: bool = Field(True, description="count, for `counters`")


class Swap(Wanted):
    """A policy to put in force."""

    force: bool = Field(False, description="also one that the loader took out before")


class Trial(Wanted):
    """A policy to try out."""

    seconds: Annotated[int, Field(ge=1, le=7 * 86400)]


class Rollback(Body):
    """How to go back."""

    force: bool = False


# ---- policies -----------------------------------------------------------------------------------


@router.post("/check")
async def check(body: Text, context: Parts, _: Reader) -> dict[str, Any]:
    """The problems of a policy, as `gthulhu check --format json` has them."""
    job = {"do": "check", "name": f"{body.name}.gpl", "text": body.text}
    said = (await context.compilers.run(job)).said
    return {name: said[name] for name in ("ok", "sha256", "diagnostics")}


@router.get("/policies")
def policies(context: Parts, _: Reader) -> dict[str, Any]:
    """The policies that the server was given, the newest first."""
    return {"policies": [each.as_json() for each in context.store.all()]}


@router.post("/policies", status_code=201)
async def keep(body: Text, context: Parts, caller: Operator) -> dict[str, Any]:
    """Keeps a policy without errors, and changes nothing else."""
    async with noted(context, caller, "keep", name=body.name) as said:
        found = await check(body, context, caller)
        said["sha256"] = found["sha256"]
        if not found["ok"]:
            raise ApiError(422, "the policy has errors", diagnostics=found["diagnostics"])
        stored = await run_in_threadpool(context.store.keep, body.name, body.text)
    return stored.as_json() | {"diagnostics": found["diagnostics"]}


@router.get("/policies/{sha256}", response_class=PlainTextResponse)
def policy(sha256: str, context: Parts, _: Reader) -> str:
    """The text of a policy."""
    return text_of(context, sha256)[1]


@router.get("/generations")
def generations(context: Parts, _: Reader) -> dict[str, Any]:
    """The generations that the loader keeps, the newest first, and the kernel's ejections."""
    return shown(context.node.ask("generations"))


@router.post("/dry-run")
async def dry_run(body: Wanted, context: Parts, caller: Operator) -> dict[str, Any]:
    """Lets the kernel verify a policy, and says what it would change."""
    async with noted(context, caller, "dry-run") as said:
        stored, content, warnings = await _compiled(body, context)
        said["sha256"] = stored.sha256
        called = str(stored.path)
        async with context.changing:
            await run_in_threadpool(
                context.node.ask, "swap", "-", called, "dry-run", is_long=True, content=content
            )
        await run_in_threadpool(fetch, context)
        changes = await run_in_threadpool(
            lambda: list(preview.lines(context.node.folder, content, called))
        )
    return {"sha256": stored.sha256, "diagnostics": warnings, "changes": changes}


@router.post("/swap")
async def swap(body: Swap, context: Parts, caller: Operator) -> dict[str, Any]:
    """Puts a policy in force instead of the present one."""
    async with noted(context, caller, "swap", force=body.force) as said:
        stored, content, warnings = await _compiled(body, context)
        said["sha256"] = stored.sha256
        request = ["swap", "-", str(stored.path), *["force"] * body.force]
        async with context.changing:
            answer = await run_in_threadpool(
                context.node.ask, *request, is_long=True, content=content
            )
        said["generation"] = answer["generation"]
    return shown(answer) | {"sha256": stored.sha256, "diagnostics": warnings}


@router.post("/rollback")
async def rollback(body: Rollback, context: Parts, caller: Operator) -> dict[str, Any]:
    """Puts the previous generation in force, as a new one."""
    async with change(context, caller, "rollback", force=body.force) as said:
        request = ["rollback", *["force"] * body.force]
        answer = await run_in_threadpool(context.node.ask, *request, is_long=True)
        said["generation"] = answer["generation"]
    return shown(answer)


# ---- trials -------------------------------------------------------------------------------------


class Trying:
    """The last trial. It goes on without its client, and ends with the server."""

    def __init__(self) -> None:
        self.answers: control.Conversation | None = None
        self.said: dict[str, Any] | None = None

    def follow(self, answers: control.Conversation) -> None:
        """Waits for the end of a trial that has begun."""
        ended = answers.next()
        self.said = {
            "state": "lost" if ended is None else "stays" if ended["stays"] else "failed",
            **shown(answers.last),
        }
        self.answers = None
        answers.close()


@router.post("/trial", status_code=202)
async def begin_trial(
    body: Trial, request: Request, context: Parts, caller: Operator
) -> dict[str, Any]:
    """Puts a policy in force for a time; it stays if its promises hold."""
    trying: Trying = request.app.state.trying
    async with noted(context, caller, "trial", seconds=body.seconds) as said:
        stored, content, warnings = await _compiled(body, context)
        said["sha256"] = stored.sha256
        async with context.changing:
            if trying.answers is not None:
                raise ApiError(409, "a trial is under way", help="DELETE /api/v2/trial ends it")
            answers = await run_in_threadpool(
                context.node.try_out, str(stored.path), content, body.seconds * 1000
            )
            trying.answers, began = answers, shown(answers.last)
        trying.said = {"state": "on trial", **began}
        said["generation"] = began["generation"]
        asyncio.get_running_loop().run_in_executor(
            request.app.state.trial_thread, trying.follow, answers
        )
    return {**trying.said, "sha256": stored.sha256, "diagnostics": warnings}


@router.get("/trial")
def trial(request: Request, _: Reader) -> dict[str, Any]:
    """How the last trial went: `on trial`, `stays`, `failed` or `lost`, with the reason."""
    trying: Trying = request.app.state.trying
    if trying.said is None:
        raise ApiError(404, "the server has begun no trial")
    return trying.said


@router.delete("/trial", status_code=202)
async def end_trial(request: Request, context: Parts, caller: Operator) -> dict[str, Any]:
    """Ends the trial that is under way; the policy before comes back."""
    trying: Trying = request.app.state.trying
    async with change(context, caller, "end-trial"):
        answers = trying.answers
        if answers is None:
            raise ApiError(409, "no trial is under way")
        answers.hang_up()
    return {"state": "ending"}


# ---- the policy in force ------------------------------------------------------------------------


@router.get("/status")
async def status(context: Parts, _: Reader) -> dict[str, Any]:
    """The policy in force, as `gthulhu status --json` has it; without one, `in_force` is false."""
    try:
        return shown(await context.status())
    except NothingInForceError as error:
        return {"in_force": False, "why": str(error)}


@router.get("/source")
def source(context: Parts, _: Reader) -> dict[str, Any]:
    """Whether the policy in force is that of its files: hashes, and what has changed."""
    answer = fetch(context)
    found = provenance.compare(context.node.folder, answer["generation"], answer["object"])
    return {"generation": answer["generation"], "compared": found}


@router.get("/tunables")
def tunables(context: Parts, _: Reader) -> dict[str, Any]:
    """The tunables of the policy in force, with values and ranges."""
    return {"tunables": context.node.status()["tunables"]}


@router.patch("/tunables")
async def tune(body: Tunables, context: Parts, caller: Operator) -> dict[str, Any]:
    """Changes tunables at once, until the next swap. Those before a refused one are changed."""
    async with change(context, caller, "set", tunables=body) as said:
        changed = said["changed"] = []
        for name, value in body.items():
            answer = await run_in_threadpool(context.node.ask, "set", f"{name}={value}")
            changed.append(shown(answer))
    return {"changed": changed}


@router.get("/counters")
def read_counters(context: Parts, _: Reader) -> dict[str, Any]:
    """The counters of each rule, as `gthulhu stats --json` has them."""
    return stats.document(counters.parse(context.node.ask("stats")))


@router.get("/promises")
def read_promises(context: Parts, _: Reader) -> dict[str, Any]:
    """The promises of the policy in force, with the values of the last window."""
    answer = context.node.status()
    names = ("promises", "fallbacks", "fallback")
    kept: dict[str, Any] = {name: answer[name] for name in names if name in answer}
    return {**kept, "lines": list(promises.lines(answer))}


# ---- events -------------------------------------------------------------------------------------


@router.get("/events")
async def events(
    request: Request, context: Parts, _: Reader, follow: Literal["no", "yes"] = "yes"
) -> StreamingResponse:
    """The log of events as server-sent events; with `follow`, also those to come."""
    if request.app.state.streams >= MOST_STREAMS:
        raise ApiError(503, f"{MOST_STREAMS} clients follow the events", help="try again later")
    log = await run_in_threadpool(lambda: context.node.events(follow=follow == "yes"))
    return StreamingResponse(_stream(request, log), media_type="text/event-stream")


async def _stream(request: Request, log: Events) -> AsyncIterator[bytes]:
    request.app.state.streams += 1
    threads = request.app.state.stream_threads  # of its own: it waits most of the time
    quiet = 0
    try:
        while (lines := await to_thread.run_sync(log.read, limiter=threads)) is not None:
            for line in lines:
                yield _event(line)
            quiet = 0 if lines else quiet + 1
            if quiet and quiet % _BEAT_S == 0:
                yield b": nothing new\n\n"  # so that proxies keep the connection
    finally:
        request.app.state.streams -= 1
        log.close()


def _event(line: bytes) -> bytes:
    text = line.decode(errors="replace")
    try:
        name = str(json.loads(text)["event"])
    except (ValueError, LookupError, TypeError):
        name = ""
    head = f"event: {name}\n" if re.fullmatch(r"[a-z-]+", name) else ""
    return f"{head}data: {text.replace(chr(13), ' ')}\n\n".encode()


# ---- shared -------------------------------------------------------------------------------------


def text_of(context: Context, sha256: str) -> tuple[str, str]:
    """The name and the text of a policy that the server has. Raises ApiError."""
    found = context.store.find(sha256)
    if found is None:
        raise ApiError(404, "the server has no such policy", help="GET /api/v2/policies lists all")
    return found.path.stem, found.path.read_text(encoding="utf-8")


async def _compiled(body: Wanted, context: Context) -> tuple[Stored, bytes, list[Any]]:
    """A policy as the store has it, its object, and its warnings. Raises ApiError."""
    if (body.text is None) == (body.sha256 is None):
        raise ApiError(422, "give either `text` or `sha256`")
    await context.status()  # fails before the compiler's work
    if body.sha256 is not None:
        name, text = text_of(context, body.sha256)
    else:
        assert body.text is not None
        name, text = body.name, body.text
    job = {"do": "compile", "name": f"{name}.gpl", "text": text, "stats": body.stats}
    async with context.turns.turn():
        result = await run_in_threadpool(context.node.build, job)
    if not result.said["ok"]:
        raise ApiError(422, "the policy has errors", diagnostics=result.said["diagnostics"])
    stored = await run_in_threadpool(context.store.keep, name, text)
    return stored, result.content, result.said["diagnostics"]


def fetch(context: Context) -> control.Answer:
    """The status, after the object in force is where `provenance` and `running` look for it."""
    answer = context.node.status()
    context.node.fetch_object(answer["generation"])
    return answer


def shown(answer: control.Answer) -> dict[str, Any]:
    """A response of the loader as clients get it."""
    return {name: value for name, value in answer.items() if name != "ok"}
