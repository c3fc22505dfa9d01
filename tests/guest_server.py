# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve` in a guest: its modules, and the files that they read."""

from __future__ import annotations

from pathlib import Path

import guest_python
import node_parts
from gthulhu.serve.page.rendering import FOLDER as PAGE

_PAGES = Path(__file__).parents[1] / "compiler" / "gthulhuc" / "diagnostics" / "pages.md"
_MODULES = (
    "gthulhu.serve.server", "gthulhu.serve.worker", "gthulhu.serve.broker", "gthulhu.preview",
    "gthulhu.trial", "http.client", "uvicorn.loops.asyncio", "uvicorn.lifespan.on",
    "anyio._backends._asyncio", "fastapi.openapi.utils", "fastapi.openapi.docs", "encodings.idna",
    "cryptography.hazmat.backends.openssl.backend", "concurrent.futures.thread",
    "gthulhuc.importers.gthulhu", "gthulhuc.difference.changes", "asyncio.subprocess",
    "fastapi.telemetry._runtime", "gthulhuc.syntax.recovery", "gthulhuc.diagnostics.suggest",
    "gthulhuc.formatter", "gthulhuc.formatter.doc", "fastapi_offline", "starlette.staticfiles",
    "uvicorn.protocols.http.httptools_impl", "httptools.parser.parser",
    "anyio._core._fileio", "encodings.unicode_escape",
)  # fmt: skip


def files(*more: str) -> dict[str, Path | str | bytes]:
    """Returns Python, the server, its page, the compiler and `more` for `GuestRequest.files`.

    The compiler has limits for emulated CPUs: beside other guests, a policy may take minutes.
    """
    place = guest_python.FOLDER
    page = {
        str(place / "gthulhu/serve/page" / path.relative_to(PAGE)): path
        for part in ("templates", "static")
        for path in (PAGE / part).rglob("*.*")
    }
    return {
        **node_parts.FILES,
        **page,
        f"{place}/gthulhuc/diagnostics/pages.md": _PAGES,
        f"{place}/fastapi_offline/static/swagger-ui.css": b"",
        **guest_python.patient(guest_python.files(*_MODULES, *more, compiling=True)),
    }
