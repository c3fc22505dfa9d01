# SPDX-License-Identifier: Apache-2.0
"""A Debian 12 that has nothing of ours, only the packages that the lab asks for."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from gthulhu_lab import apt
from gthulhu_lab.packages import BACKPORTS, read_packages
from gthulhu_lab.paths import SYSTEM_PACKAGES, cache_dir

# A wheel is installed into an environment of its own.
PACKAGES = sorted(
    {"python3-venv", *(each.names["apt"] for each in read_packages(SYSTEM_PACKAGES) if each.lab)}
)
SOURCES = " ".join(each.backports for each in read_packages(SYSTEM_PACKAGES) if each.backports)
PINS = f"Package: {SOURCES}\nPin: release n={BACKPORTS}\nPin-Priority: 600\n"
# Everything that the commands write is in memory, and gone with them.
ENTER = """
set -e
root=$1 work=$2
shift 2
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$work/root"
mount -t overlay overlay -o "lowerdir=$root,upperdir=$work/upper,workdir=$work/work" "$work/root"
mount -t proc proc "$work/root/proc"
mount --rbind /dev "$work/root/dev"
while [ "$1" != -- ]; do
    mkdir -p "$work/root$2"
    mount --bind "$1" "$work/root$2"
    shift 2
done
shift
exec chroot "$work/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -e -c "$1"
"""


def run(script: str, folders: Mapping[Path, str], work: Path) -> subprocess.CompletedProcess[str]:
    """Run a script in the root. `folders` are the host's, with the places where it sees them."""
    places = [str(part) for pair in folders.items() for part in pair]
    apart = ["unshare", "--mount", "sh", "-c", ENTER, "sh", str(_root()), str(work)]
    return subprocess.run(
        [*apart, *places, "--", script], capture_output=True, text=True, check=False
    )


def _root() -> Path:
    """The root in the cache; made where it is not there, which takes root and two minutes."""
    wanted = repr((PACKAGES, PINS))
    target = cache_dir() / "debian" / f"clean-{hashlib.sha256(wanted.encode()).hexdigest()[:12]}"
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / f".{target.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            _make(target)
    return target


def _make(target: Path) -> None:
    part = target.with_name(f".{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    pins = part.with_suffix(".pref")
    pins.write_text(PINS)
    suites = [f"deb {apt.mirror()} {suite} main" for suite in ("bookworm", BACKPORTS)]
    subprocess.run(
        [
            "mmdebstrap", "--mode=root", "--variant=apt", "--quiet",
            "--dpkgopt=force-unsafe-io", "--aptopt=APT::Install-Recommends false",
            f"--setup-hook=copy-in {pins} /etc/apt/preferences.d",
            f"--include={','.join(PACKAGES)}", "bookworm", part, *suites,
        ],
        check=True,
    )  # fmt: skip
    pins.unlink()
    part.rename(target)
