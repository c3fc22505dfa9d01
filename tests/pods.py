# SPDX-License-Identifier: Apache-2.0
"""Containers of a Kubernetes pod as podman runs them: each with what its manifest says, no more."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

DEPLOY = Path(__file__).parents[1] / "deploy"
MANIFESTS = DEPLOY / "manifests"
FOLDERS = "/run/pod"
"""Where volumes are that belong to the pod."""


def resources() -> list[dict[str, Any]]:
    """All resources of the plain manifests."""
    files = sorted(MANIFESTS.glob("*.yaml"))
    return [each for file in files for each in yaml.safe_load_all(file.read_text()) if each]


def of_kind(kind: str) -> list[dict[str, Any]]:
    """The resources of a kind."""
    return [each for each in resources() if each["kind"] == kind]


def node_pod() -> dict[str, Any]:
    """The pod of the DaemonSet."""
    (found,) = of_kind("DaemonSet")
    pod: dict[str, Any] = found["spec"]["template"]["spec"]
    return pod


def containers(pod: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """All containers of a pod by their names, those that run first included."""
    return {each["name"]: each for each in (*pod.get("initContainers", ()), *pod["containers"])}


def check_confined(container: Mapping[str, Any], *, is_free: bool = False) -> None:
    """Fails if a container has more rights than it says; `is_free`: it may use all system calls."""
    security = container["securityContext"]
    assert security["readOnlyRootFilesystem"] is True
    assert security["allowPrivilegeEscalation"] is False
    assert security["capabilities"]["drop"] == ["ALL"]
    assert "privileged" not in security
    assert security["runAsNonRoot"] is (security["runAsUser"] != 0)
    assert (security["seccompProfile"]["type"] == "Unconfined") is is_free
    assert {"cpu", "memory"} <= set(container["resources"]["requests"])
    assert "memory" in container["resources"]["limits"]


def rights(container: Mapping[str, Any]) -> tuple[str, set[str]]:
    """The user of a container, and its capabilities."""
    security = container["securityContext"]
    user = str(security["runAsUser"] or "root")
    return user, {f"CAP_{each}" for each in security["capabilities"].get("add", ())}


def rights_said(head: str) -> dict[str, tuple[str, set[str]]]:
    """The same by container, as the page's table that begins like this has it."""
    return {row[0].strip("`"): (row[1], set(re.findall(r"CAP_\w+", row[2]))) for row in table(head)}


def table(head: str) -> list[list[str]]:
    """The rows of the page's table that begins like this."""
    page = (DEPLOY / "README.md").read_text()
    lines = page[page.index(head) :].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def options(pod: Mapping[str, Any], name: str) -> list[str]:
    """The options of `podman run` for a container of a pod."""
    container = containers(pod)[name]
    security = container["securityContext"]
    capabilities = security["capabilities"]
    said = ["--network=none", f"--user={security['runAsUser']}:{security['runAsGroup']}"]
    said += ["--pid=host"] * bool(pod.get("hostPID"))
    # podman's own, without which it mounts writable folders.
    said += ["--read-only", "--read-only-tmpfs=false"] * bool(security["readOnlyRootFilesystem"])
    said += ["--security-opt=no-new-privileges"] * (not security["allowPrivilegeEscalation"])
    said += [f"--cap-drop={each}" for each in capabilities["drop"]]
    said += [f"--cap-add={each}" for each in capabilities.get("add", ())]
    if security["seccompProfile"]["type"] == "Unconfined":
        said.append("--security-opt=seccomp=unconfined")
    return said + [_mount(pod, each) for each in container.get("volumeMounts", ())]


def command(pod: Mapping[str, Any], name: str) -> tuple[list[str], list[str]]:
    """The entry point of a container, and its arguments; the image's is `gthulhu`."""
    container = containers(pod)[name]
    first, *rest = container.get("command", ["gthulhu"])
    return [f"--entrypoint={first}"], [*rest, *container.get("args", ())]


def _mount(pod: Mapping[str, Any], mount: Mapping[str, Any]) -> str:
    (volume,) = (each for each in pod["volumes"] if each["name"] == mount["name"])
    host = volume.get("hostPath", {}).get("path", f"{FOLDERS}/{mount['name']}")
    mode = "ro" if mount.get("readOnly") else "rw"
    return f"--volume={host}:{mount['mountPath']}:{mode}"
