# SPDX-License-Identifier: Apache-2.0
"""Checks paths in the cgroup hierarchy."""

from __future__ import annotations

from gthulhuc.records import dataclass


@dataclass(frozen=True, slots=True)
class PathProblem:
    """Why a string is not a path, and the path that was probably meant (or "")."""

    why: str
    instead: str


def path_problem(value: bytes, *, may_end_in_slash: bool) -> PathProblem | None:
    """Returns the problem of a string as a path in the hierarchy; None if it is valid."""
    path = value.decode(errors="replace")
    inner = path.rstrip("/") if may_end_in_slash else path
    parts = inner.split("/")[1:]
    if not path.startswith("/"):
        why = "it must begin with `/`"
    elif path == "/" or inner == "" or not any(part in ("", ".", "..") for part in parts):
        return None
    else:
        why = "its components must be names, separated by a single `/`"
    fixed = "/" + "/".join(part for part in path.split("/") if part not in ("", "."))
    return PathProblem(why, fixed if ".." not in parts else "")
