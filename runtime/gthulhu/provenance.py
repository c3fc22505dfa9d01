# SPDX-License-Identifier: Apache-2.0
"""Compares the policy in force with the files on disk, by the hashes inside the object."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

from gthulhuc.cli import files, frame

Compared: TypeAlias = dict[str, Any]

SAME, CHANGED, MISSING = "same", "changed", "missing"


def compare(folder: str, generation: int, called: str) -> Compared | None:
    """Compares the object in force, which was loaded as `called`, with the files on disk.

    `sha256` is the hash of the compiled source. `object` and `source`, if they are known, have
    `path`, `state` and, unless missing, the current `sha256`. None: the object has no metadata.
    """
    from gthulhuc.cli.inspection import read_metadata

    try:
        running = _content(Path(folder) / f"generation-{generation}.bpf.o")
        metadata = read_metadata(called, running)
        name, sha256 = str(metadata["file"]), str(metadata["sha256"])
    except (frame.CommandError, KeyError):
        return None
    compared: Compared = {"sha256": sha256}
    source = source_path(called, metadata)
    if source is None:
        return compared
    if Path(called).name != name:
        compared["object"] = _object(Path(called), running)
    compared["source"] = _source(source, metadata)
    return compared


def source_path(called: str, metadata: Compared) -> Path | None:
    """The path of the source of a policy loaded as `called`; None: it came from standard input."""
    path = Path(called)
    # Use the name only: an object may contain any path.
    return path.parent / Path(str(metadata["file"])).name if path.is_absolute() else None


def _object(path: Path, running: bytes) -> Compared:
    """The object file that was loaded. It may have been compiled again since."""
    from gthulhuc.cli.inspection import read_metadata

    try:
        content = _content(path)
    except frame.CommandError:
        return {"path": str(path), "state": MISSING}
    found: Compared = {"path": str(path), "state": SAME if content == running else CHANGED}
    try:
        found["sha256"] = read_metadata(str(path), content).get("sha256")
    except frame.CommandError:
        found["sha256"] = None  # the file is not our object any more
    return found


def _source(path: Path, metadata: Compared) -> Compared:
    """The policy's source, with the libraries that it includes."""
    from gthulhuc.frontend import decode

    try:
        source, _ = decode(str(path), _content(path))
    except frame.CommandError:
        return {"path": str(path), "state": MISSING}
    found: Compared = {"path": str(path), "state": SAME, "sha256": source.sha256}
    if source.sha256 != metadata["sha256"]:
        return {**found, "state": CHANGED}
    if included := metadata.get("included"):
        from gthulhuc.frontend import check

        policy, _ = check(source)
        others = [] if policy is None else [part.source for part in policy.sources]
        now = {(Path(other.shown).name, other.sha256) for other in others}
        then = {(library["file"], library["sha256"]) for library in included}
        changed = sorted({file for file, _ in then - now})
        if changed:
            return {**found, "state": CHANGED, "changed": changed}
    return found


def _content(path: Path) -> bytes:
    return files.read_file(str(path))[1]


def describe(compared: Compared | None, called: str) -> dict[str, str]:
    """Rows for `status`, by their names."""
    rows = {}
    compared = compared or {}
    source, object_ = compared.get("source"), compared.get("object")
    if object_ or not source:
        notes = {CHANGED: ", changed since it was loaded", MISSING: ", removed since it was loaded"}
        rows["object"] = called + notes.get(object_["state"] if object_ else SAME, "")
    if source and not (object_ and source["state"] == MISSING):  # it was compiled elsewhere
        notes = {
            SAME: ", unchanged since it was compiled",
            CHANGED: ", changed since it was compiled",
            MISSING: ", removed since it was compiled",
        }
        rows["source"] = source["path"] + notes[source["state"]]
        if libraries := source.get("changed"):
            rows["source"] += f": {', '.join(libraries)}"
    return rows
