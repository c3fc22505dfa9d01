# SPDX-License-Identifier: Apache-2.0
"""Values as people read them; templates have these functions as filters."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode

from markupsafe import Markup

from gthulhu.counters import show_ns
from gthulhuc.diagnostics.human import visible

NOTHING = "-"


def name(text: object) -> Markup:
    """A name that someone else has chosen: escaped, printable, and apart from its surroundings.

    A task's name may have characters that change the direction of the text around it.
    """
    return Markup("<bdi>{}</bdi>").format(visible(str(text)))


def duration(ns: float | None) -> str:
    """A time with its unit."""
    text = show_ns(ns)
    if text == "longer":
        return "> 4 s"
    number = text.rstrip("munsµ")
    unit = text[len(number) :].replace("us", "µs")
    return NOTHING if text == "-" else f"{number} {unit}"


def base(path: object) -> str:
    """The last part of a path."""
    return str(path).rpartition("/")[2]


def percent(share: float | None) -> str:
    """A share in 0..1 as per cent."""
    return NOTHING if share is None else f"{share:.1%}"


def moment(text: object) -> str:
    """A time as RFC 3339 has it, to the second, for people."""
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return visible(str(text))
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def span(seconds: float) -> str:
    """A time in its two largest units."""
    left = int(seconds)
    parts: list[str] = []
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        if left >= size or (unit == "s" and not parts):
            parts.append(f"{left // size} {unit}")
            left %= size
    return " ".join(parts[:2])


def query(**values: object) -> str:
    """The query of a link."""
    return urlencode({key: str(value) for key, value in values.items()}, errors="replace")
