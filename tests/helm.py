# SPDX-License-Identifier: Apache-2.0
"""Helm, built once from its Go module into the cache."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from gthulhu_lab import cache
from gthulhu_lab.paths import cache_dir

VERSION = "v3.18.6"
CHART = Path(__file__).parents[1] / "deploy" / "chart"
MANIFESTS = CHART.parent / "manifests" / "gthulhuc.yaml"
# The release of Kubernetes that Helm assumes without a cluster; its own Makefile sets it, too.
_RELEASE = "34"
_FLAGS = " ".join(
    f"-X helm.sh/helm/v3/pkg/{package}.k8sVersion{part}={number}"
    for package in ("chartutil", "lint/rules")
    for part, number in (("Major", "1"), ("Minor", _RELEASE))
)
HEADER = """\
# SPDX-License-Identifier: Apache-2.0
#
# Written by `python tests/helm.py` from deploy/chart; do not edit.
"""


def program() -> Path:
    """The path of helm. Building it takes Go, and minutes."""
    if found := shutil.which("helm"):
        return Path(found)
    folder = cache_dir() / "tools" / f"helm-{VERSION}"
    with cache.locked(folder):
        if not (folder / "helm").exists():
            subprocess.run(
                ["go", "install", "-ldflags", _FLAGS, f"helm.sh/helm/v3/cmd/helm@{VERSION}"],
                check=True, env={**os.environ, "GOBIN": str(folder)},
            )  # fmt: skip
    return folder / "helm"


def run(command: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a command of helm's on the chart."""
    return subprocess.run(
        [program(), command, *arguments], capture_output=True, text=True, check=False
    )


def rendered(*arguments: str) -> str:
    """The resources of a release in the namespace `gthulhuc`, without CRDs."""
    place = ("--namespace", "gthulhuc", "--set", "namespace.create=true", "--skip-crds")
    result = run("template", "gthulhuc", CHART, *place, *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def manifests() -> str:
    """The plain manifests, as they should be."""
    return HEADER + rendered()


if __name__ == "__main__":
    MANIFESTS.write_text(manifests())
