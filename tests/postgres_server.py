# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of the test's own, without a network: Debian's, installed or unpacked."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gthulhu_lab import debian, postgres

_NOBODY = 65534
_INSTALLED = Path("/usr/lib/postgresql")
_DATA, _LOG = "data", "log"


@contextmanager
def running() -> Iterator[str]:
    """A context with the URL of an empty database; its server ends with it."""
    folder = Path(tempfile.mkdtemp(prefix="gthulhu-"))  # short: it is in a socket's address
    try:
        if os.geteuid() == 0:  # as root, the server refuses
            os.chown(folder, _NOBODY, _NOBODY)
        settings = ("--auth=trust", "--no-locale", "-E", "UTF8", "--no-sync")
        _run(folder, "initdb", "-D", folder / _DATA, "-U", "postgres", *settings)
        options = f"-F -k {folder} -h ''"
        _run(
            folder,
            "pg_ctl",
            "-D",
            folder / _DATA,
            "-l",
            folder / _LOG,
            "-o",
            options,
            "-w",
            "start",
        )
        try:
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        finally:
            _run(folder, "pg_ctl", "-D", folder / _DATA, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def _run(folder: Path, program: str, *arguments: str | Path) -> None:
    """Runs one of PostgreSQL's programs in a folder, as an unprivileged user."""
    root, programs = _programs()
    user = ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups"]
    libraries = ":".join(str(root / place) for place in debian.LIBRARIES) if root else ""
    done = subprocess.run(
        [*(user if os.geteuid() == 0 else []), programs / program, *arguments],
        cwd=folder, env={**os.environ, "LD_LIBRARY_PATH": libraries}, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def _programs() -> tuple[Path | None, Path]:
    """The root that the programs were unpacked in, None for the host's; and their folder."""
    if found := sorted(_INSTALLED.glob("*/bin/initdb")):
        return None, found[-1].parent
    root = debian.root((postgres.PACKAGE,))
    return root, root / "usr/lib/postgresql/15/bin"
