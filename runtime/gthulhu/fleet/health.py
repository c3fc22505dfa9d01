# SPDX-License-Identifier: Apache-2.0
"""`GET /healthz`, for the probes of Kubernetes: the process answers, so it is alive."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from gthulhuc.cli import frame

_PATIENCE_S = 5


async def serve(address: tuple[str, int] | None) -> asyncio.Server | None:
    """Listens on an address, if there is one. Raises CommandError."""
    if address is None:
        return None
    host, port = address
    try:
        return await asyncio.start_server(_answer, host, port)
    except OSError as error:
        raise frame.CommandError(
            f"cannot listen on {host}:{port}: {frame.reason(error)}",
            "choose another address with `--health`",
        ) from error


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
        async with asyncio.timeout(_PATIENCE_S):
            head = await reader.readuntil(b"\r\n\r\n")
            is_known = head.startswith((b"GET /healthz ", b"GET /readyz "))
            said = b"200 OK" if is_known else b"404 Not Found"
            writer.write(b"HTTP/1.1 %b\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" % said)
            await writer.drain()
    writer.close()
