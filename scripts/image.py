# SPDX-License-Identifier: Apache-2.0
"""Builds the container image: our Debian package in a Debian 12, as an OCI archive.

mmdebstrap makes the root, and buildah the image. Nothing else than Debian's mirror is asked.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

import deb
import node_tree

from gthulhu_lab import apt
from gthulhu_lab.packages import BACKPORTS

ROOT = node_tree.ROOT
SUITE = "bookworm"
SECURITY = "http://deb.debian.org/debian-security"
# Python, and clang with libbpf's headers, which the compiler runs.
PACKAGES = ("ca-certificates", "clang-19", "libbpf-dev", "python3-minimal", "python3")
# Debian 12's own libbpf is too old.
PINS = f"Package: src:libbpf\nPin: release n={BACKPORTS}\nPin-Priority: 600\n"
USERS = {"gthulhu-serve": 10001, "gthulhu-compile": 10002}
"""The users of the server and of the broker's compilers; the first is the image's own."""
# Nobody reads them in a container. Licences stay.
_LEFT_OUT = ("doc", "man", "locale", "info", "lintian", "bash-completion")
_PYTHON = "3.11"
_OTHERS = " ".join(
    f"{node_tree.MODULES[1:]}/python{each}" for each in node_tree.PYTHONS if each != _PYTHON
)
# Logs and caches differ each time. Clang makes programs for BPF alone, and Perl's modules are for
# the installation.
_CLEAN = f"""\
set -e
cd "$1"
rm -rf var/log/* var/cache/* var/lib/apt/lists/* tmp/* var/tmp/* etc/apt/preferences.d/gthulhu.pref
rm -f etc/machine-id etc/hostname etc/resolv.conf etc/passwd- etc/group- etc/shadow- etc/gshadow-
rm -rf usr/include/c++ usr/lib/gcc usr/lib/*/*.a usr/lib/*/lib?san.so* usr/lib/*/libclang-19.so*
rm -rf usr/share/perl usr/lib/*/perl {_OTHERS}
if [ -e etc/gthulhu/serve ]; then
    echo "the image would contain keys: etc/gthulhu/serve" >&2
    exit 1
fi
"""
_EPILOG = """\
Needs root, mmdebstrap and buildah (`apt install mmdebstrap buildah`). With SOURCE_DATE_EPOCH, by
default the time of the last commit, the same packages give the same image.

examples:
  make image
  python scripts/image.py --deb dist/gthulhu_0.1.0_amd64.deb --output /tmp/image.tar
  podman load -i dist/gthulhu-0.1.0.oci.tar
  skopeo copy oci-archive:dist/gthulhu-0.1.0.oci.tar docker://registry.example/gthulhu:0.1.0

exit status: 0 built, 1 a step failed, 2 wrong usage or a missing program
"""


def main() -> int:
    """Writes the archive, and prints its size."""
    given = _arguments()
    if missing := [name for name in ("mmdebstrap", "buildah") if not shutil.which(name)]:
        print(f"error: not found: {', '.join(missing)}", file=sys.stderr)
        print(f"  = help: `apt install {' '.join(missing)}` on Debian 12", file=sys.stderr)
        return 2
    os.environ.setdefault("SOURCE_DATE_EPOCH", _last_commit())
    given.output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        try:
            package = given.deb or _package(work)
            _say("root    Debian 12 with mmdebstrap")
            make_root(package, work)
            _say("image   an OCI archive with buildah")
            make_image(work / "root.tar", given.output, work)
        except subprocess.CalledProcessError as error:
            print(f"error: {error.cmd[0]} failed with {error.returncode}", file=sys.stderr)
            return 1
        unpacked, packed = _unpacked(work / "root.tar"), given.output.stat().st_size
    print(f"{given.output}: {packed / 1e6:.0f} MB, {unpacked / 1e6:.0f} MB unpacked")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Build the container image.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    name = f"dist/gthulhu-{node_tree.version()}.oci.tar"
    parser.add_argument(
        "--output", metavar="FILE", type=Path, default=ROOT / name, help=f"the archive ({name})"
    )
    parser.add_argument(
        "--deb", metavar="FILE", type=Path, help="our package (default: it is built first)"
    )
    return parser.parse_args()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _last_commit() -> str:
    command = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def _package(work: Path) -> Path:
    _say("package our own, for Debian")
    deb.build(work, "none")
    (made,) = work.glob("gthulhu_*.deb")
    return made


def make_root(package: Path, work: Path) -> None:
    """Writes `root.tar` in the folder. Raises CalledProcessError."""
    pins = work / "gthulhu.pref"
    pins.write_text(PINS)
    ours = work / "gthulhu.deb"
    if package != ours:
        shutil.copy(package, ours)
    entries = {
        "passwd": "".join(
            f"{name}:x:{uid}:{uid}::/:/usr/sbin/nologin\n" for name, uid in USERS.items()
        ),
        "group": "".join(f"{name}:x:{uid}:\n" for name, uid in USERS.items()),
    }
    add = "; ".join(f"printf %s '{text}' >>\"$1/etc/{file}\"" for file, text in entries.items())
    subprocess.run(
        [
            "mmdebstrap", "--mode=root", "--variant=essential", "--quiet", "--format=tar",
            "--dpkgopt=force-unsafe-io",
            *(f"--dpkgopt=path-exclude=/usr/share/{each}/*" for each in _LEFT_OUT),
            "--dpkgopt=path-include=/usr/share/doc/*/copyright",
            "--aptopt=APT::Install-Recommends false",
            f"--setup-hook=copy-in {pins} /etc/apt/preferences.d",
            "--hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount",
            f"--include={','.join((*PACKAGES, str(ours)))}",
            f"--customize-hook={add}",
            f"--customize-hook={_CLEAN}",
            SUITE, work / "root.tar",
            f"deb {apt.mirror()} {SUITE} main",
            f"deb {apt.mirror()} {BACKPORTS} main",
            f"deb {SECURITY} {SUITE}-security main",
        ],
        check=True,
    )  # fmt: skip


def make_image(root: Path, output: Path, work: Path) -> None:
    """Makes an archive of the root's tar. Raises CalledProcessError."""
    labels = {
        "org.opencontainers.image.title": "gthulhu",
        "org.opencontainers.image.description": node_tree.SUMMARY,
        "org.opencontainers.image.version": node_tree.version(),
        "org.opencontainers.image.licenses": "Apache-2.0 AND GPL-2.0-only",
    }
    uid = next(iter(USERS.values()))
    container = _buildah(work, "from", "scratch")
    _buildah(work, "add", "--quiet", container, root, "/")
    _buildah(
        work, "config", f"--user={uid}:{uid}", '--entrypoint=["gthulhu"]', "--cmd=--help",
        "--env=PATH=/usr/sbin:/usr/bin:/sbin:/bin", "--workingdir=/",
        *(f"--label={key}={value}" for key, value in labels.items()), container,
    )  # fmt: skip
    output.unlink(missing_ok=True)
    _buildah(
        work, "commit", "--quiet", "--timestamp", os.environ["SOURCE_DATE_EPOCH"], container,
        f"oci-archive:{output}:gthulhu:{node_tree.version()}",
    )  # fmt: skip


def _buildah(work: Path, command: str, *arguments: str | Path) -> str:
    """The output of buildah with a storage of its own."""
    storage: Sequence[str | Path] = (
        "--root", work / "storage", "--runroot", work / "run", "--storage-driver", "vfs",
    )  # fmt: skip
    return subprocess.run(
        ["buildah", *storage, command, *arguments], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


def _unpacked(root: Path) -> int:
    with tarfile.open(root) as archive:
        return sum(member.size for member in archive)


if __name__ == "__main__":
    sys.exit(main())
