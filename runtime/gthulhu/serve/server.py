# SPDX-License-Identifier: Apache-2.0
"""Runs the application with uvicorn: on a UNIX socket, on loopback, or with TLS anywhere."""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from gthulhu import service
from gthulhu.serve import app
from gthulhu.serve.audit import Audit
from gthulhu.serve.collecting import collect_rarely
from gthulhu.serve.compiling import Compilers, Turns
from gthulhu.serve.context import Context
from gthulhu.serve.keys import Keys, Role
from gthulhu.serve.node import Node
from gthulhu.serve.protocol import Impatient
from gthulhu.serve.store import Store
from gthulhuc.cli import frame

_KEEP_ALIVE_S = 15
_CONNECTIONS = 512
_END_S = 5
_NICE = 10


@dataclass(frozen=True, slots=True)
class Options:
    """How to serve. Addresses are (host, port); port 0 is any free one."""

    listen: tuple[tuple[str, int], ...]
    path: str | None
    keys: Path
    broker: str
    store: Path
    audit: str | None
    session_s: int
    cgroups: str
    certificate: str | None
    private: str | None
    client_ca: str | None
    roles: Mapping[str, Role]


def run(options: Options) -> int:
    """Serves until a signal ends it. Raises CommandError."""
    check(options)
    keys, audit = Keys(options.keys), Audit(options.audit)
    store, node = Store(options.store), Node(options.broker)

    def context() -> Context:
        return Context(
            keys, node, Compilers(nice=_NICE), Turns(), store, audit, options.session_s,
            options.cgroups, options.roles,
        )  # fmt: skip

    config = uvicorn.Config(
        app.make(context),
        http=Impatient,
        loop="asyncio",
        ws="none",
        lifespan="on",
        log_level="error",  # not a line for each broken request
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_END_S,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.private,
        ssl_ca_certs=options.client_ca,
        ssl_cert_reqs=ssl.CERT_REQUIRED if options.client_ca else ssl.CERT_NONE,
    )
    try:
        config.load()
    except (OSError, ssl.SSLError) as error:
        raise frame.CommandError(
            f"cannot use the certificate: {error}", "give PEM files with `--tls-cert`, `--tls-key`"
        ) from error
    hint = "choose another address with `--listen ADDRESS:PORT`; port 0 takes any free port"
    sockets = [listening(*address, hint) for address in options.listen]
    if options.path is not None:
        sockets.append(_on_path(options.path))
    scheme = "https" if options.certificate else "http"
    for each in sockets:
        frame.out(f"serving {url(scheme, each)}\n")
    service.tell_ready()
    collect_rarely()
    try:
        uvicorn.Server(config).run(sockets=sockets)
    finally:
        for each in sockets:
            each.close()
        if options.path is not None:
            Path(options.path).unlink(missing_ok=True)
    return frame.OK


def check(options: Options) -> None:
    """Raises CommandError if an address would show requests to the network."""
    if bool(options.certificate) != bool(options.private):
        raise frame.CommandError("TLS needs `--tls-cert` and `--tls-key`", "give both, or none")
    if options.client_ca and not options.certificate:
        raise frame.CommandError("`--client-ca` needs TLS", "give `--tls-cert` and `--tls-key`")
    if options.roles and not options.client_ca:
        raise frame.CommandError(
            "`--client-role` needs certificates of clients", "name their authority: `--client-ca`"
        )
    for host, _ in options.listen:
        try:
            is_local = ipaddress.ip_address(host).is_loopback
        except ValueError:
            raise frame.CommandError(
                f"{host} is not an IP address", "give one such as 127.0.0.1 or [::1]"
            ) from None
        if not is_local and not options.certificate:
            raise frame.CommandError(
                f"refusing to serve {host} without TLS: tokens would be readable on the network",
                "give `--tls-cert FILE --tls-key FILE`, or listen on 127.0.0.1",
            )


def listening(host: str, port: int, hint: str) -> socket.socket:
    """Listens on an address. Raises CommandError, with the hint."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        server = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise frame.CommandError(
            f"cannot listen on {host}:{port}: {frame.reason(error)}", hint
        ) from error
    # asyncio sets it only for sockets that say their protocol; each response would take 40 ms.
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return server


def _on_path(path: str) -> socket.socket:
    """A UNIX socket that the server's user and group may use."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o117)
    try:
        Path(path).unlink(missing_ok=True)
        server.bind(path)
        server.listen(1024)
    except OSError as error:
        server.close()
        raise frame.CommandError(
            f"cannot listen on {path}: {frame.reason(error)}", "give another `--socket PATH`"
        ) from error
    finally:
        os.umask(before)
    return server


def url(scheme: str, server: socket.socket) -> str:
    """The address of a socket that listens."""
    name = server.getsockname()
    if isinstance(name, str):
        return f"{scheme} on {name}"
    host, port = name[:2]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
