# SPDX-License-Identifier: Apache-2.0
"""Messages of a service to systemd."""

from __future__ import annotations

import contextlib
import os
import socket


def tell_ready() -> None:
    """Reports readiness (sd_notify(3)): `systemctl start` returns once clients are served."""
    place = os.environ.get("NOTIFY_SOCKET")
    if not place:
        return
    if place.startswith("@"):  # an abstract socket
        place = f"\0{place[1:]}"
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as there,
    ):
        there.sendto(b"READY=1", place)
