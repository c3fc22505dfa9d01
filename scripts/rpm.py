# SPDX-License-Identifier: Apache-2.0
"""Builds an RPM with rpmbuild: for Fedora and its relatives, whichever Python 3 is there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import node_tree

from gthulhu_lab.packages import read_packages

ROOT = node_tree.ROOT
PACKAGES = ROOT / "scripts/packages.toml"

# The files are built already, in %{tree}; nothing looks into them for what they need.
SPEC = """\
Name: gthulhu
Version: {version}
Release: 1
Summary: {summary}
License: Apache-2.0 AND GPL-2.0-only
AutoReqProv: no
Requires: python3 >= 3.11, python3 < 3.{next}
Recommends: clang, libbpf-devel
Suggests: {lab}
%define __os_install_post %{{nil}}
%define _build_id_links none
%define debug_package %{{nil}}

%description
{description}

%install
cp -a %{{tree}}/. %{{buildroot}}

%files
{files}

%post
python3 -m compileall -q {modules} || :
{compile} || :
{serve}
[ ! -d /run/systemd/system ] || systemctl daemon-reload

%preun
if [ "$1" = 0 ] && [ -d /run/systemd/system ]; then
    systemctl stop 'gthulhu*.service' || :
    systemctl disable --quiet gthulhu.service gthulhu@.service gthulhu-agent.service \\
        gthulhu-broker.service gthulhu-metrics.service gthulhu-serve.service || :
fi
find {modules} -name __pycache__ -prune -exec rm -r {{}} +

%postun
[ "$1" != 0 ] || rm -rf /run/gthulhu
[ ! -d /run/systemd/system ] || systemctl daemon-reload
"""


def main() -> int:
    """Writes the package to `dist`, or the given folder."""
    folder = Path(sys.argv[1] if sys.argv[1:] else ROOT / "dist").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        node_tree.build(work / "tree")
        # zsh has another folder for its own completions there.
        completions = work / "tree/usr/share/zsh"
        (completions / "vendor-completions").rename(completions / "site-functions")
        write_spec(work)
        subprocess.run(command(work, folder), check=True)
    return 0


def write_spec(work: Path) -> None:
    """Writes the spec of the tree in a folder."""
    lab = (package.names.get("dnf", "") for package in read_packages(PACKAGES) if package.lab)
    (work / "gthulhu.spec").write_text(
        SPEC.format(
            version=node_tree.version(),
            summary=node_tree.SUMMARY,
            next=int(node_tree.PYTHONS[-1].partition(".")[2]) + 1,
            lab=", ".join(name for name in lab if name),
            description=node_tree.DESCRIPTION,
            modules=node_tree.MODULES,
            compile=node_tree.COMPILE,
            serve=node_tree.SERVE,
            files="\n".join(_files(work / "tree")),
        )
    )


def command(work: Path, folder: Path) -> list[str]:
    """The command that builds the spec's package."""
    defines = {"_topdir": work / "rpm", "_rpmdir": folder, "tree": work / "tree"}
    options = [word for key, value in defines.items() for word in ("--define", f"{key} {value}")]
    return ["rpmbuild", "--quiet", *options, "-bb", str(work / "gthulhu.spec")]


def _files(tree: Path) -> list[str]:
    """The entries of %files: folders of ours whole, and other files one by one."""
    entries = [f"%dir {node_tree.MODULES}", f"{node_tree.MODULES}/*", "/usr/share/gthulhu"]
    entries += ["%dir /etc/gthulhu", "%config(noreplace) /etc/gthulhu/labels.toml"]
    ours = tuple(str(tree) + each for each in (f"{node_tree.MODULES}/", "/usr/share/gthulhu/"))
    for folder, _, names in sorted(os.walk(tree)):
        for name in sorted(names):
            path = f"{folder}/{name}"
            if not path.startswith(ours) and "/etc/" not in path:
                entries.append(path.removeprefix(str(tree)))
    return entries


if __name__ == "__main__":
    sys.exit(main())
