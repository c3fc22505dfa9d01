# SPDX-License-Identifier: Apache-2.0
"""HTML from templates that escape every value, and the headers of each response.

A page of another server, such as that of a fleet, can extend `layout.html.j2` and use the macros.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from gthulhu import promises
from gthulhu.serve.page import plots, shown
from gthulhuc import __version__

FOLDER = Path(__file__).parent
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Of every response. `same-origin`: without a referrer, browsers do not name a form's origin."""


def render(template: str, **values: Any) -> str:
    """The text of a template; the same values give the same text."""
    return _environment().get_template(template).render(values)


def respond(template: str, code: int = 200, **values: Any) -> HTMLResponse:
    """A response with a template's text."""
    # Names of tasks and files are bytes: those that are not UTF-8 must not fail here.
    content = render(template, **values).encode(errors="backslashreplace")
    return HTMLResponse(content, code, HEADERS)


def is_part(request: Request) -> bool:
    """Whether htmx asks, for a part of a page."""
    return request.headers.get("hx-request") == "true"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals |= {
        "release": __version__, "of_times": plots.of_times, "of_shares": plots.of_shares,
        "width": plots.WIDTH, "height": plots.HEIGHT, "query": shown.query,
    }  # fmt: skip
    environment.filters |= {
        "name": shown.name, "base": shown.base, "duration": shown.duration,
        "percent": shown.percent, "moment": shown.moment, "span": shown.span,
        "claim_value": lambda claim: promises.value(claim).replace("us ", "µs "),
    }  # fmt: skip
    return environment
