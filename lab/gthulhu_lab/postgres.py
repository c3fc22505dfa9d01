# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's PostgreSQL for guests, with a database that pgbench has filled.

The data is made in a guest on the deterministic clock, as an unprivileged user: it is the same on
every machine, and the host needs no user for it.
"""

from __future__ import annotations

from pathlib import Path

from gthulhu_lab import cache, debian, results, tools, vm, workloads
from gthulhu_lab.paths import GUEST_SCRIPTS, cache_dir
from gthulhu_lab.request import GuestRequest

PACKAGE = "postgresql-15"
DATA = "lab/postgres.tar"
_PROGRAMS = "usr/lib/postgresql/15/bin"
_MODULES = "usr/lib/postgresql/15/lib"
_SHARED = "usr/share/postgresql/15"
_MADE = "data.tar"
_USER = "postgres:x:1000:1000::/tmp:/bin/sh\n"


def files() -> dict[str, Path | str | bytes]:
    """Files of a guest that has the server, pgbench, and the data."""
    # The server needs the folder of modules.
    found = _installed(("postgres", "pgbench"), modules=("plpgsql",), shared=("timezonesets",))
    found[f"/{DATA}"] = _data()
    return found


def _installed(
    programs: tuple[str, ...], modules: tuple[str, ...] = (), shared: tuple[str, ...] = ("",)
) -> dict[str, Path | str | bytes]:
    root = debian.root((PACKAGE,))
    wanted = [f"{_PROGRAMS}/{name}" for name in programs]
    wanted += [f"{_MODULES}/{name}.so" for name in modules]
    found = tools.linked(root, wanted)
    for folder in shared:
        for file in sorted((root / _SHARED / folder).rglob("*")):
            if file.is_file():
                found[tools.place(str(file.relative_to(root)))] = file.read_bytes()
    return found


def _data() -> bytes:
    """A tar of the server's folder; made if it is not there."""
    request = _request()
    target = cache_dir() / "postgres" / f"{results.key(request)}.tar"
    with cache.locked(target):
        if not target.exists():
            cache.write(target, vm.run(request).check().files[_MADE])
    return target.read_bytes()


def _request() -> GuestRequest:
    wanted = _installed(("initdb", "postgres", "pgbench"), modules=("dict_snowball", "plpgsql"))
    wanted["bin/place"] = workloads.program("place")
    wanted["/etc/passwd"] = f"root:x:0:0::/root:/bin/sh\n{_USER}".encode()
    return GuestRequest(
        script=(GUEST_SCRIPTS / "postgres.sh").read_text(), files=wanted, deadline_s=600
    )
