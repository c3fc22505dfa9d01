# SPDX-License-Identifier: Apache-2.0
"""HTTP/1.1 with limits on the heads of requests, and with the client's certificate."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_HEAD_S = 10
_MAX_HEAD = 16 << 10
_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A client's certificate, after TLS has checked it; `expires` in seconds since 1970."""

    name: str
    number: str
    expires: int


class Impatient(HttpToolsProtocol):
    """Hangs up on clients that do not complete the head of a request in time and in 16 kB."""

    _timer: asyncio.TimerHandle | None = None
    _head = 0
    _is_body = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Starts the time for the first request."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        if found := certificate(transport.get_extra_info("peercert")):
            self.app_state = {**self.app_state, "certificate": found}
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stops the time when the head is complete."""
        self._head += len(data)
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._head = 0  # this is a body, which has a limit of its own
            self._stop()
        elif self._is_body:
            # The rest of a body that was refused. A client that is hung up on while it sends would
            # not read the answer.
            self._head = 0
            self._wait()
        elif self._head > _MAX_HEAD:
            self.transport.write(_TOO_LARGE)
            self.transport.close()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the time."""
        self._stop()
        super().connection_lost(exc)

    def on_headers_complete(self) -> None:
        """Begins the body."""
        self._head = 0
        self._is_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Ends the body, after which the next head comes."""
        self._head = 0
        self._is_body = False
        super().on_message_complete()

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(_HEAD_S, self._hang_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hang_up(self) -> None:
        self._timer = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


def certificate(found: dict[str, Any] | None) -> Certificate | None:
    """The certificate that `getpeercert` describes, if it has one common name."""
    if not found:
        return None
    pairs = [pair for part in found.get("subject", ()) for pair in part]
    names = [value for key, value in pairs if key == "commonName"]
    if len(names) != 1:
        return None
    expires = int(ssl.cert_time_to_seconds(found["notAfter"]))
    return Certificate(names[0], found["serialNumber"].lower(), expires)
