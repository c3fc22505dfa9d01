# SPDX-License-Identifier: Apache-2.0
"""The part of `/api/v2` about traces: one is recorded on request, and the last one is kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from pydantic import Field

from gthulhu.serve.context import ApiError, Operator, Parts, Reader, noted
from gthulhu.serve.native import Body
from gthulhu.serve.recorder import MOST_SECONDS

_PART = 1 << 20

router = APIRouter(prefix="/api/v2", tags=["v2"])


class Length(Body):
    """How long to record."""

    seconds: Annotated[int, Field(ge=1, le=MOST_SECONDS)] = 5


class Traces:
    """The last trace, in a file without a name."""

    def __init__(self) -> None:
        self._file: int | None = None

    def keep(self, file: int) -> int:
        """Keeps a trace instead of the one before; returns its size in bytes."""
        self.close()
        self._file = file
        return os.fstat(file).st_size

    def open(self) -> BinaryIO | None:
        """The last trace, for the caller to close."""
        return None if self._file is None else os.fdopen(os.dup(self._file), "rb")

    def close(self) -> None:
        """Forgets the last trace."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


@router.post("/trace", status_code=201)
async def record(
    body: Length, request: Request, context: Parts, caller: Operator
) -> dict[str, Any]:
    """Records which task runs when, by rule, for Perfetto; `GET /api/v2/trace` gets it."""
    async with noted(context, caller, "trace", seconds=body.seconds):
        file = await run_in_threadpool(context.node.trace, body.seconds)
    return {"seconds": body.seconds, "bytes": request.app.state.traces.keep(file)}


@router.get("/trace", response_class=StreamingResponse)
def trace(request: Request, _: Reader) -> StreamingResponse:
    """The last trace, which Perfetto opens."""
    file = request.app.state.traces.open()
    if file is None:
        raise ApiError(404, "no trace was recorded", help="POST /api/v2/trace records one")
    headers = {
        "Content-Disposition": 'attachment; filename="trace.pftrace"',
        "Content-Length": str(os.fstat(file.fileno()).st_size),
        "Cache-Control": "no-store",
    }
    return StreamingResponse(_content(file), media_type="application/octet-stream", headers=headers)


def _content(file: BinaryIO) -> Iterator[bytes]:
    """The content; others may read the same file, so it has no place of its own in it."""
    at = 0
    with file:
        while part := os.pread(file.fileno(), _PART, at):
            at += len(part)
            yield part
