# SPDX-License-Identifier: Apache-2.0
"""The page of one node, for people: rendered here, with htmx, and without a build step."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from gthulhu.serve.page import actions, views
from gthulhu.serve.page.rendering import FOLDER, HEADERS, is_part, respond
from gthulhu.serve.page.sessions import PREFIX

_start = APIRouter(include_in_schema=False)

ROUTERS = (_start, views.router, actions.router)


class _Files(StaticFiles):
    """Files that a browser may keep until the next release, with the headers of the page."""

    def file_response(self, *given: Any, **more: Any) -> Response:
        """A file."""
        answer = super().file_response(*given, **more)
        answer.headers.update({**HEADERS, "Cache-Control": "public, max-age=3600"})
        return answer


@_start.get("/")
def start() -> Response:
    """Leads to the page."""
    return views.root()


def serve_files(app: FastAPI) -> None:
    """Serves the style, the scripts and the icon, to everyone: they say nothing about the node."""
    app.mount(f"{PREFIX}/files", _Files(directory=FOLDER / "static"))


def has(path: str) -> bool:
    """Whether a path belongs to the page."""
    return path.startswith(f"{PREFIX}/")


def failed(scope: Scope, status: int, said: dict[str, Any]) -> Response:
    """An error as a page, or as a part for htmx; without a session, the login."""
    request = Request(scope)
    values = {"log": None, "then": None, "help": None, "diagnostics": [], **said, "status": status}
    if is_part(request):
        return respond("parts/failed.html.j2", status, **values)
    if status == 401 and request.method == "GET":
        return RedirectResponse(f"{PREFIX}/login", 303, HEADERS)
    return respond("failed.html.j2", status, **values)
