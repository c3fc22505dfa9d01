# SPDX-License-Identifier: Apache-2.0
"""Builds a Debian package: for Debian 12 and 13, whichever Python 3 is there."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import node_tree

from gthulhu_lab.packages import read_packages

ROOT = node_tree.ROOT
PACKAGES = ROOT / "scripts/packages.toml"
MAINTAINER = "The gthulhuc authors <gthulhuc@users.noreply.github.com>"

CONTROL = """\
Package: gthulhu
Version: {version}
Architecture: amd64
Maintainer: {maintainer}
Installed-Size: {kib}
Depends: libc6 (>= 2.28), python3 (>= 3.11~), python3 (<< 3.{next}~)
Recommends: clang-19, libbpf-dev
Suggests: {lab}
Section: admin
Priority: optional
Description: {summary}
{description}
"""

# Starts nothing, and keeps a policy in force: the new loader is used from the next start on.
POSTINST = """\
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    py3compile -p gthulhu {modules}
    {compile}
    {serve}
    [ ! -d /run/systemd/system ] || systemctl daemon-reload
fi
"""
PRERM = """\
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl stop 'gthulhu*.service' || true
    systemctl disable --quiet gthulhu.service gthulhu@.service gthulhu-agent.service \\
        gthulhu-broker.service gthulhu-metrics.service gthulhu-serve.service || true
fi
py3clean -p gthulhu
rm -rf {modules}/gthulhuc/templates/__pycache__
"""
# Objects in /etc/gthulhu are the administrator's, and stay.
POSTRM = """\
#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /run/gthulhu /run/gthulhu-broker /etc/gthulhu/serve /var/lib/gthulhu-serve \\
        /var/log/gthulhu-serve
    [ ! -d /etc/gthulhu ] || rmdir --ignore-fail-on-non-empty /etc/gthulhu
fi
[ ! -d /run/systemd/system ] || systemctl daemon-reload
"""
CHANGELOG = """\
gthulhu ({version}) unstable; urgency=medium

  * See CHANGELOG.md of this release.

 -- {maintainer}  Thu, 01 Jan 1970 00:00:00 +0000
"""
COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gthulhuc

Files: *
Copyright: 2026 The gthulhuc authors
License: Apache-2.0
 On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.

Files: usr/bin/gthulhu-loader usr/bin/gthulhu-record
Copyright: 2026 The gthulhuc authors
License: GPL-2.0-only
 On Debian systems, the text is in /usr/share/common-licenses/GPL-2.
 .
 Both contain libbpf (LGPL-2.1 or BSD-2-Clause), libelf (GPL-2 or LGPL-3)
 and zlib.

Files: usr/lib/gthulhu/*
Copyright: 2001-2026 The authors of each package
License: each-its-own
 The packages have their licences in their *.dist-info.
"""
# Complaints of lintian, with the reasons why they stay.
OVERRIDES = """\
# One file each that can be copied to a node and into an initramfs.
gthulhu: statically-linked-binary [usr/bin/gthulhu-loader]
gthulhu: statically-linked-binary [usr/bin/gthulhu-record]
gthulhu: embedded-library zlib [usr/bin/gthulhu-loader]
gthulhu: embedded-library zlib [usr/bin/gthulhu-record]
# Modules for several versions of Python, as they are published, and scripts for guests.
gthulhu: embedded-library libyaml [usr/lib/gthulhu/*]
gthulhu: script-not-executable [usr/lib/gthulhu/*]
gthulhu: unusual-interpreter python [usr/lib/gthulhu/*]
# virtme-ng's first process in a guest, where there is nothing else.
gthulhu: shared-library-lacks-prerequisites [usr/lib/gthulhu/virtme/guest/bin/virtme-ng-init]
gthulhu: uses-dpkg-database-directly [usr/lib/gthulhu/virtme/guest/*]
# Instances of gthulhu@.service need a pattern, which deb-systemd-invoke does not take.
gthulhu: maintainer-script-calls-systemctl *
"""


def main() -> int:
    """Writes the package to `dist`, or the given folder."""
    build(Path(sys.argv[1] if sys.argv[1:] else ROOT / "dist").absolute())
    return 0


def build(folder: Path, compression: str = "xz") -> None:
    """Writes the package to a folder; `compression` as dpkg-deb calls it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name, "tree")
        node_tree.build(tree)
        _add_control(tree)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", tree, folder],
            check=True,
        )


def _add_control(tree: Path) -> None:
    version = node_tree.version()
    share, control = tree / "usr/share", tree / "DEBIAN"
    documents = share / "doc/gthulhu"
    node_tree.write(documents / "copyright", COPYRIGHT)
    changelog = CHANGELOG.format(version=version, maintainer=MAINTAINER)
    node_tree.write(documents / "changelog.gz", changelog)
    node_tree.write(share / "lintian/overrides/gthulhu", OVERRIDES)
    files = sorted(file for file in tree.rglob("*") if file.is_file())
    lab = [package.names["apt"] for package in read_packages(PACKAGES) if package.lab]
    text = CONTROL.format(
        version=version,
        maintainer=MAINTAINER,
        kib=sum(file.stat().st_size for file in files) >> 10,
        lab=", ".join(name for name in lab if name not in {"dpkg", "clang-19", "libbpf-dev"}),
        next=int(node_tree.PYTHONS[-1].partition(".")[2]) + 1,
        summary=node_tree.SUMMARY,
        description="\n".join(f" {line}" for line in node_tree.DESCRIPTION.splitlines()),
    )
    node_tree.write(control / "control", text)
    node_tree.write(control / "conffiles", "/etc/gthulhu/labels.toml\n")
    serve = node_tree.SERVE.replace("\n", "\n    ")
    for name, script in (("postinst", POSTINST), ("prerm", PRERM), ("postrm", POSTRM)):
        node_tree.write(
            control / name,
            script.format(modules=node_tree.MODULES, compile=node_tree.COMPILE, serve=serve),
            0o755,
        )
    sums = subprocess.run(
        ["md5sum", *(file.relative_to(tree) for file in files)],
        cwd=tree, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    node_tree.write(control / "md5sums", sums)


if __name__ == "__main__":
    sys.exit(main())
