# SPDX-License-Identifier: Apache-2.0
"""Keeps results of guests, so that a second `make test` boots only what has changed.

On the deterministic clock a result is a function of the kernel, QEMU, the image, the command line,
the request, and the lab's code that runs the guest and reads its results. A guest that failed, ran
out of time or has another clock boots each time. `GTHULHU_KEEP_GUESTS=0` boots every guest.
"""

from __future__ import annotations

import hashlib
import os
import time
import zipfile
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from gthulhu_lab import results, vm
from gthulhu_lab.paths import PACKAGE, build_dir
from gthulhu_lab.request import Backend, Clock, GuestRequest, GuestResult

KEPT = build_dir() / "guests"
DAYS = 14
boot = vm.run

_MODEL = TypeAdapter(GuestResult)
_REST = "result.json"


def run(request: GuestRequest) -> GuestResult:
    """Returns the result of a guest, as `vm.run` does; of an exact one that is known, that."""
    if not is_exact(request) or os.environ.get("GTHULHU_KEEP_GUESTS") == "0":
        return boot(request)
    file = KEPT / key(request)
    if file.exists():
        file.touch()
        return _read(file)
    result = boot(request)
    if result.ok:
        KEPT.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        _write(part, result)
        part.rename(file)
    return result


def _write(target: Path, result: GuestResult) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(_REST, _MODEL.dump_json(replace(result, files={})))
        for name, data in result.files.items():
            archive.writestr(f"files/{name}", data)


def _read(file: Path) -> GuestResult:
    with zipfile.ZipFile(file) as archive:
        rest = _MODEL.validate_json(archive.read(_REST))
        names = [name for name in archive.namelist() if name != _REST]
        return replace(
            rest, files={name.removeprefix("files/"): archive.read(name) for name in names}
        )


def is_exact(request: GuestRequest) -> bool:
    """Whether the request determines the result."""
    return request.clock is Clock.ICOUNT and request.backend is not Backend.VIRTME


def key(request: GuestRequest) -> str:
    """Returns a hash of all that determines the result of an exact guest."""
    lab = [path.read_bytes() for path in sorted(PACKAGE.glob("*.[cp]*"))]
    judged = repr(request.allow_splats).encode()
    return hashlib.sha256(b"\0".join([results.key(request).encode(), judged, *lab])).hexdigest()


def forget_old(folder: Path = KEPT) -> None:
    """Deletes the results that nothing has asked for in DAYS."""
    for file in folder.glob("*"):
        if file.stat().st_mtime < time.time() - DAYS * 86_400:
            file.unlink(missing_ok=True)
