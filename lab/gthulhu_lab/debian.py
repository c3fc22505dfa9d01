# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Debian packages, with all that they depend on, unpacked in the cache; nothing is installed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Collection, Iterable
from pathlib import Path

from gthulhu_lab import apt, cache
from gthulhu_lab.initramfs import Image
from gthulhu_lab.paths import GUEST_SCRIPTS, cache_dir

SUITE = "bookworm"
INIT = "/lab/systemd-init.sh"
LIBRARIES = ("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu")
# No guest needs it, and it is half of the size.
_LEFT_OUT = (
    "usr/lib/*/gconv", "usr/lib/*/perl*", "usr/lib/cni", "usr/share/bash-completion",
    "usr/share/doc", "usr/share/i18n", "usr/share/info", "usr/share/lintian", "usr/share/locale",
    "usr/share/man", "usr/share/perl*",
)  # fmt: skip
# Set up by packages on installation. systemd-sysusers creates the other users.
_SETTINGS = {
    "etc/fstab": "",
    # The root is in memory, where overlayfs cannot be on top of it.
    "etc/containers/storage.conf": '[storage]\ndriver = "vfs"\n'
    'runroot = "/run/containers/storage"\ngraphroot = "/var/lib/containers/storage"\n',
    "etc/hostname": "guest\n",
    "etc/machine-id": f"{7:032x}\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\n",
}


def add_system(image: Image, packages: Iterable[str]) -> None:
    """Make a Debian of an image, whose first process is systemd: `rdinit=` is INIT.

    It runs the guest's script as a service when it is up.
    """
    # Programs ask systemd for cgroups through D-Bus.
    image.add_tree(root(("systemd", "dbus", *packages), _LEFT_OUT), _place)
    for path, text in _SETTINGS.items():
        image.add_bytes(path, text.encode())
    image.add_bytes(INIT, (GUEST_SCRIPTS / "systemd-init.sh").read_bytes(), executable=True)
    image.add_host_file("lab/systemd.sh", GUEST_SCRIPTS / "systemd.sh")
    units = "etc/systemd/system"
    image.add_host_file(f"{units}/lab.service", GUEST_SCRIPTS / "lab.service")
    image.add_symlink(f"{units}/multi-user.target.wants/lab.service", "../lab.service")
    # There is no udev, which its terminal would wait for.
    image.add_symlink(f"{units}/getty.target", "/dev/null")
    image.add_symlink(f"{units}/default.target", "/lib/systemd/system/multi-user.target")


def _place(path: str) -> str:
    """The path in a guest, where `/usr` is `/`, and `/sbin` is `/bin`."""
    path = path.removeprefix("usr/")
    return path[1:] if path.startswith("sbin/") else path


def root(packages: Collection[str], left_out: Collection[str] = (), suite: str = SUITE) -> Path:
    """The root in the cache; fetched if it is not there."""
    wanted = repr((suite, sorted(packages), sorted(left_out)))
    name = f"{min(packages)}-{hashlib.sha256(wanted.encode()).hexdigest()[:12]}"
    target = cache_dir() / "debian" / name
    with cache.locked(target):
        if not target.exists():
            _fetch(packages, left_out, suite, target)
    return target


def _fetch(packages: Collection[str], left_out: Collection[str], suite: str, target: Path) -> None:
    work = target.with_name(f".{target.name}.part")
    shutil.rmtree(work, ignore_errors=True)
    lists = apt.Suite(suite, cache_dir() / "apt")
    lists.refresh()
    try:
        for package in lists.download_with_dependencies(packages, work / "debs"):
            apt.extract(package, work / "root")
        for pattern in left_out:
            for folder in (work / "root").glob(pattern):
                shutil.rmtree(folder)
        _merge_usr(work / "root")
        _compile_python(work / "root")
        (work / "root").rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _merge_usr(tree: Path) -> None:
    """Link the folders that Debian 13's packages have only in `/usr`."""
    for name in ("bin", "lib", "lib64", "sbin"):
        if (tree / "usr" / name).exists() and not (tree / name).exists():
            (tree / name).symlink_to(f"usr/{name}")


def _compile_python(tree: Path) -> None:
    """Compile Python modules as python3's packages do on installation, if there is a Python."""
    for python in tree.glob("usr/bin/python3.[0-9]*"):
        modules = tree / "usr" / "lib" / python.name
        # By itself, and without the host's libraries. The times of a guest's files mean nothing.
        subprocess.run(
            [
                tree / LIBRARIES[0] / "ld-linux-x86-64.so.2",
                "--library-path", ":".join(str(tree / folder) for folder in LIBRARIES), python,
                "-I", "-m", "compileall", "-q", "-s", tree, "-p", "/",
                "--invalidation-mode", "unchecked-hash", modules,
            ],
            env={**os.environ, "PYTHONHOME": str(tree / "usr")}, check=True,
        )  # fmt: skip
