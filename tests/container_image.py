# SPDX-License-Identifier: Apache-2.0
"""The container image, built with Debian's buildah; the machine needs none of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

from gthulhu_lab import debian

ROOT = Path(__file__).parents[1]
# Of buildah, with all that a Debian always has.
_PACKAGES = ("buildah", "ca-certificates", "coreutils", "dash", "tar")
_USERS = {"passwd": "root:x:0:0:root:/root:/bin/sh\n", "group": "root:x:0:\n"}
# It sees the folders of the host's by their own names; all mounts are gone with it.
_TOOL = """\
#!/bin/sh
exec unshare --mount sh -c '
root=$1
shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for place in WORK; do
    mkdir -p "$root$place"
    mount --rbind "$place" "$root$place"
done
exec chroot "$root" /usr/bin/buildah "$@"
' sh ROOT "$@"
"""


def build(folder: Path) -> Path:
    """Builds the image in the folder and returns its archive. Takes minutes, and root."""
    tool = folder / "bin" / "buildah"
    tool.parent.mkdir(parents=True)
    root = shutil.copytree(debian.root(_PACKAGES), folder / "root", symlinks=True)
    for place in ("proc", "dev", "sys", "tmp", "var/tmp"):
        (root / place).mkdir(parents=True, exist_ok=True)
    for name, text in _USERS.items():
        (root / "etc" / name).write_text(text)
    work = folder / "work"
    work.mkdir()
    tool.write_text(_TOOL.replace("ROOT", str(root)).replace("WORK", str(work)))
    tool.chmod(0o755)
    output = work / "gthulhu.oci.tar"
    path = f"{tool.parent}:{os.environ['PATH']}"
    subprocess.run(
        [sys.executable, ROOT / "scripts" / "image.py", "--output", output],
        check=True, env={**os.environ, "PATH": path, "TMPDIR": str(work)},
    )  # fmt: skip
    shutil.rmtree(root)
    return output


def layer(archive: Path) -> bytes:
    """Returns the tar of an image's only layer."""
    (found,) = _manifest(archive)["layers"]
    return _blob(archive, found["digest"])


def config(archive: Path) -> dict[str, Any]:
    """Returns the configuration of an image: user, entry point, labels."""
    found: dict[str, Any] = json.loads(_blob(archive, _manifest(archive)["config"]["digest"]))
    return dict(found["config"])


def _manifest(archive: Path) -> dict[str, Any]:
    (found,) = json.loads(_member(archive, "index.json"))["manifests"]
    return dict(json.loads(_blob(archive, found["digest"])))


def _blob(archive: Path, digest: str) -> bytes:
    return _member(archive, f"blobs/{digest.replace(':', '/')}")


def _member(archive: Path, name: str) -> bytes:
    with tarfile.open(archive) as tar:
        file = tar.extractfile(name)
        assert file is not None
        return file.read()
