# SPDX-License-Identifier: Apache-2.0
"""Reads what container managers write about a container before they start it.

Docker writes a file for each container, podman a database. containerd and CRI-O write the
container's OCI configuration, whose annotations name the pod; containerd has the labels in a
database. The labels of a pod belong to its sandbox, a container that does nothing.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from gthulhu.agent import bolt
from gthulhu.agent.known import Known
from gthulhuc import regular

_DOCKER = "var/lib/docker/containers"
_PODMAN_SQLITE = "var/lib/containers/storage/db.sql"
_PODMAN_BOLT = "var/lib/containers/storage/libpod/bolt_state.db"  # before 5.0, unless set up anew
# Plain containerd's, then K3s's and RKE2's.
_CONTAINERD_BUNDLES = (
    "run/containerd/io.containerd.runtime.v2.task",
    "run/k3s/containerd/io.containerd.runtime.v2.task",
)
_CONTAINERD_BOLT = tuple(
    f"var/lib/{folder}/io.containerd.metadata.v1.bolt/meta.db"
    for folder in ("containerd", "rancher/k3s/agent/containerd", "rancher/rke2/agent/containerd")
)
_CRIO = (
    "run/containers/storage/overlay-containers",
    "var/lib/containers/storage/overlay-containers",
)
_CRI = "io.kubernetes.cri."
_KUBERNETES = "io.kubernetes."
_NERDCTL_NAME = "nerdctl/name"
_MAX_BYTES = 4 << 20
"""Size of a container's file: far more than a request to the loader may have."""


def find(root: Path, manager: str, number: str) -> Known | None:
    """The labels of a container, from files below a root folder; None: no file yet.

    `manager` is the word in the cgroup's name; empty: any manager that the kubelet may use.
    """
    match manager:
        case "docker":
            return _docker(root, number)
        case "libpod":
            return _podman(root, number)
        case "cri-containerd" | "nerdctl":
            return _containerd(root, number)
        case "crio":
            return _crio(root, number)
    # Docker's containers are containerd's too, but containerd does not know their labels.
    return _docker(root, number) or _crio(root, number) or _containerd(root, number)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        return _parsed(regular.read(str(path), _MAX_BYTES))
    except (OSError, ValueError):
        return None


def _parsed(text: str | bytes) -> dict[str, Any] | None:
    """Parses a JSON object; None: the text is something else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _texts(value: object) -> dict[str, str]:
    """The items of a mapping whose values are texts."""
    if not isinstance(value, Mapping):
        return {}
    return {key: text for key, text in value.items() if isinstance(text, str)}


def _named(labels: Mapping[str, str], container: str | None, *, complete: bool) -> Known:
    """The labels of a container. Those that the kubelet sets name the pod."""
    return Known(
        labels=labels,
        namespace=labels.get(_KUBERNETES + "pod.namespace"),
        pod=labels.get(_KUBERNETES + "pod.name"),
        container=labels.get(_KUBERNETES + "container.name", container),
        complete=complete,
    )


def _docker(root: Path, number: str) -> Known | None:
    data = _read(root / _DOCKER / number / "config.v2.json")
    if data is None:
        return None
    config = data.get("Config")
    labels = _texts(config.get("Labels")) if isinstance(config, dict) else {}
    name = data.get("Name")
    return _named(labels, name.lstrip("/") if isinstance(name, str) else None, complete=True)


def _podman(root: Path, number: str) -> Known | None:
    """From podman's database: SQLite, or bbolt if an older podman created it."""
    text = _podman_sqlite(root / _PODMAN_SQLITE, number)
    if text is None:
        text = _podman_bolt(root / _PODMAN_BOLT, number)
    config = _parsed(text) if text else None
    if config is None:
        return None
    name = config.get("name")
    return _named(
        _texts(config.get("labels")), name if isinstance(name, str) else None, complete=True
    )


def _podman_sqlite(path: Path, number: str) -> str | bytes | None:
    query = "SELECT JSON FROM ContainerConfig WHERE ID = ?"
    try:
        # SQLite allows this read while podman writes.
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0.5)) as data_base:
            data_base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_BYTES)
            row = data_base.execute(query, (number,)).fetchone()
    except sqlite3.Error:
        return None
    return row[0] if row and isinstance(row[0], str | bytes) else None


def _podman_bolt(path: Path, number: str) -> bytes | None:
    try:
        return bolt.get(path, b"ctr", number.encode(), b"config")
    except (OSError, bolt.BoltError):
        return None


def _annotations(path: Path) -> dict[str, str] | None:
    data = _read(path)
    return None if data is None else _texts(data.get("annotations"))


def _containerd(root: Path, number: str) -> Known | None:
    for folder in _CONTAINERD_BUNDLES:
        for bundle in sorted((root / folder).glob(f"*/{number}")):
            notes = _annotations(bundle / "config.json")
            if notes is not None:
                return _in_containerd(root, bundle.parent.name, number, notes)
    return None


def _in_containerd(root: Path, namespace: str, number: str, notes: Mapping[str, str]) -> Known:
    """The labels of a container in a namespace of containerd."""
    labels = _containerd_labels(root, namespace, number)
    sandbox = notes.get(_CRI + "sandbox-id")
    of_pod = _containerd_labels(root, namespace, sandbox) if sandbox else None
    return Known(
        labels={**(of_pod or {}), **(labels or {})},
        namespace=notes.get(_CRI + "sandbox-namespace"),
        pod=notes.get(_CRI + "sandbox-name"),
        container=notes.get(_CRI + "container-name", (labels or {}).get(_NERDCTL_NAME)),
        # A pod may have got more labels since.
        complete=labels is not None and not sandbox,
    )


def _containerd_labels(root: Path, namespace: str, number: str) -> dict[str, str] | None:
    container = (b"v1", namespace.encode(), b"containers", number.encode())
    for path in (root / each for each in _CONTAINERD_BOLT):
        try:
            labels = bolt.values(path, *container, b"labels")
            if labels is None and bolt.values(path, *container) is None:
                continue
        except (OSError, bolt.BoltError):
            continue
        return {os.fsdecode(key): os.fsdecode(text) for key, text in (labels or {}).items()}
    return None


def _crio(root: Path, number: str) -> Known | None:
    notes = _crio_notes(root, number)
    if notes is None:
        return None
    sandbox = _crio_notes(root, notes.get(_KUBERNETES + "cri-o.SandboxID", number)) or {}
    return Known(
        labels={**_crio_labels(sandbox), **_crio_labels(notes)},
        namespace=notes.get(_KUBERNETES + "pod.namespace"),
        pod=notes.get(_KUBERNETES + "pod.name"),
        container=notes.get(_KUBERNETES + "container.name"),
    )


def _crio_notes(root: Path, number: str) -> dict[str, str] | None:
    for folder in _CRIO:
        notes = _annotations(root / folder / number / "userdata" / "config.json")
        if notes is not None:
            return notes
    return None


def _crio_labels(notes: Mapping[str, str]) -> dict[str, str]:
    return _texts(_parsed(notes.get(_KUBERNETES + "cri-o.Labels", "{}")))


def warm_up(root: Path) -> None:
    """Looks for a missing container, so that Python's imports do not delay the first real one."""
    for manager in ("docker", "libpod", "cri-containerd", "crio"):
        find(root, manager, "0" * 64)
