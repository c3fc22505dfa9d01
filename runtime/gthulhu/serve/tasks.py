# SPDX-License-Identifier: Apache-2.0
"""The part of `/api/v2` about tasks: their rules, with the reasons, and their labels."""

from __future__ import annotations

import argparse
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi import Path as InPath
from fastapi.concurrency import run_in_threadpool
from pydantic import Field, StringConstraints

from gthulhu import running
from gthulhu.serve.context import ApiError, Operator, Parts, Reader, change
from gthulhu.serve.native import Body, fetch, shown

router = APIRouter(prefix="/api/v2", tags=["v2"])

Task = Annotated[int, InPath(ge=1, lt=1 << 31, description="a process or thread")]
_Value = Annotated[str, StringConstraints(pattern=r"^[^\t\n\x00]{1,256}$")]
_Key = Annotated[str, StringConstraints(pattern=r"^[^\t\n\x00=]{1,256}$")]


class Changes(Body):
    """Labels to set, and labels to remove."""

    set: dict[_Key, _Value] = Field({}, max_length=100)
    remove: list[_Key] = Field([], max_length=100)


@router.get("/tasks")
def tasks(
    context: Parts, _: Reader, rule: Annotated[str | None, Query(max_length=256)] = None
) -> dict[str, Any]:
    """The tasks of a rule, of `default` or of all, as `gthulhu explain --all --json` has them."""
    fetch(context)
    options = argparse.Namespace(state=context.node.folder, all=True, file=None, proc="/proc")
    return running.listing(options, rule)


@router.get("/tasks/{task}/labels")
def labels(task: Task, context: Parts, _: Reader) -> dict[str, Any]:
    """The labels of a process and of its container."""
    return shown(context.node.ask("label", str(task)))


@router.patch("/tasks/{task}/labels")
async def label(task: Task, body: Changes, context: Parts, caller: Operator) -> dict[str, Any]:
    """Labels a process, and all that it has started and will start."""
    changes = [f"{key}={value}" for key, value in body.set.items()]
    changes += [f"{key}-" for key in body.remove]
    async with change(context, caller, "label", task=task, changes=changes):
        if not changes:
            raise ApiError(422, "nothing to change", help="give `set` or `remove`")
        answer = await run_in_threadpool(context.node.ask, "label", str(task), *changes)
    return shown(answer)


@router.get("/tasks/{task}/explanation")
def explanation(task: Task, context: Parts, _: Reader) -> dict[str, Any]:
    """The rule of a task and the reason, as `gthulhu explain --pid --json` has them."""
    fetch(context)
    options = argparse.Namespace(
        state=context.node.folder, pid=task, all=False, file=None, proc="/proc"
    )
    return running.document(options)
