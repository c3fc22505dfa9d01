# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels outside the cache: the user's own image, and the running kernel's."""

from __future__ import annotations

import functools
import platform
import struct
from dataclasses import dataclass
from pathlib import Path

from gthulhu_lab.errors import LabError

_ROOT = Path("/")
# The boot protocol (Documentation/arch/x86/boot.rst): where the header has its magic, and where the
# text with the version starts, less 0x200.
_MAGIC_AT, _MAGIC = 0x202, b"HdrS"
_VERSION_AT, _VERSION_BASE = 0x20E, 0x200


@dataclass(frozen=True, slots=True)
class KernelImage:
    """A bootable image with its configuration and modules."""

    image: Path
    release: str  # as `uname -r` prints it
    config: Path | None
    modules: Path | None


@functools.cache
def read(file: Path, root: Path = _ROOT) -> KernelImage:
    """The kernel image in a file. Raises LabError unless QEMU can boot it."""
    release = release_of(file)
    return KernelImage(
        image=file,
        release=release,
        # As distributions lay it out; below the modules since some of them do so.
        config=_first(file.with_name(f"config-{release}"), *below(root, release, "config")),
        modules=_first(*(each.parent for each in below(root, release, "modules.dep"))),
    )


def check_sched_ext(remedy: str, root: Path = _ROOT) -> None:
    """Raises LabError if the running kernel has no sched_ext."""
    if not (root / "sys/kernel/sched_ext").is_dir():
        raise LabError(f"the running kernel, {platform.release()}, has no sched_ext", remedy)


@functools.cache
def running(root: Path = _ROOT) -> KernelImage:
    """The image of the running kernel, to boot in a guest. Raises LabError if it has none."""
    release = platform.release()
    remedy = "Name one of the lab (`gthulhu lab kernels`), or an image (--kernel-image FILE)."
    check_sched_ext(remedy, root)
    places = [root / f"boot/vmlinuz-{release}", *below(root, release, "vmlinuz")]
    file = _first(*places)
    if file is None:
        looked = ", ".join(str(place) for place in places)
        raise LabError(
            f"found no image of the running kernel, {release}",
            f"Looked for: {looked}. {remedy}",
        )
    found = read(file, root)
    if found.release != release:
        raise LabError(f"{file} is {found.release}, but {release} is running", remedy)
    return found


def release_of(file: Path) -> str:
    """The release of a kernel image, from its header, as `uname -r` prints it.

    Raises LabError.
    """
    try:
        with file.open("rb") as stream:
            head = stream.read(1 << 16)
    except OSError as error:
        raise LabError(f"cannot read the kernel {file}: {error.strerror}") from error
    if head[_MAGIC_AT : _MAGIC_AT + 4] != _MAGIC:
        raise LabError(
            f"{file} is not a kernel image that QEMU can boot",
            "Name an x86-64 bzImage, such as arch/x86/boot/bzImage of a build, or /boot/vmlinuz.",
        )
    start = _VERSION_BASE + struct.unpack_from("<H", head, _VERSION_AT)[0]
    words = head[start : head.find(b"\0", start)].decode(errors="replace").split()
    if start == _VERSION_BASE or not words:
        raise LabError(f"the kernel image {file} has no version")
    return words[0]


def below(root: Path, release: str, name: str) -> list[Path]:
    """Where distributions have a file of a kernel beside its modules."""
    return [root / top / "modules" / release / name for top in ("lib", "usr/lib")]


def _first(*places: Path) -> Path | None:
    return next((place for place in places if place.exists()), None)
