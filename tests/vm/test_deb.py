# SPDX-License-Identifier: Apache-2.0
"""The system packages on systems that have nothing of ours: roots without a kernel of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gthulhu_lab import debian

pytestmark = [pytest.mark.vm, pytest.mark.soak]

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "coreutils",
    "dash",
    "diffutils",
    "dpkg",
    "findutils",
    "libc-bin",
    "python3",
    "sed",
    "tar",
)
UNITS = "usr/lib/systemd/system"
# Debian's suites, with the versions of our dependencies in their roots.
SUITES = {
    "bookworm": {"python3": "3.11.2-1", "libc6": "2.36-9"},
    "trixie": {"python3": "3.13.5-1", "libc6": "2.41-12"},
}
# dpkg's status of a root, which was unpacked without it.
STATUS = """\
Package: {name}
Status: install ok installed
Maintainer: Debian
Architecture: amd64
Version: {version}
Description: as Debian has it

"""


@dataclass(frozen=True)
class Node:
    """A root; nobody but who runs the tests needs to be root in it."""

    root: Path

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        into = ["unshare", "--map-root-user"] if os.geteuid() else []
        path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
        return subprocess.run(
            [*into, "chroot", self.root, "env", "-i", path, "sh", "-c", line],
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def succeed(self, line: str) -> str:
        """The output of a command that says nothing on stderr."""
        result = self.run(line)
        assert (result.returncode, result.stderr) == (0, ""), result
        return result.stdout

    def ours(self) -> set[str]:
        """Returns the installed files of the package."""
        patterns = (
            "usr/bin/gthulhu*", "usr/lib/gthulhu", f"{UNITS}/gthulhu*", "etc/gthulhu/*",
            "usr/share/[!g]*/*/*gthulhu*", "usr/share/gthulhu",
        )  # fmt: skip
        return {
            str(file.relative_to(self.root)) for each in patterns for file in self.root.glob(each)
        }


NAMES = ("gthulhu", "gthulhuc", "gthulhu-loader", "gthulhu-record")
INSTALLED = {
    "usr/lib/gthulhu",
    "usr/share/gthulhu",
    "etc/gthulhu/labels.toml",
    "usr/share/lintian/overrides/gthulhu",
    *(f"usr/bin/{name}" for name in NAMES),
    *(f"usr/share/man/man1/{name}.1.gz" for name in NAMES),
    *(f"usr/share/bash-completion/completions/{name}" for name in ("gthulhu", "gthulhuc")),
    *(f"usr/share/fish/vendor_completions.d/{name}.fish" for name in ("gthulhu", "gthulhuc")),
    *(f"usr/share/zsh/vendor-completions/_{name}" for name in ("gthulhu", "gthulhuc")),
    *(f"{UNITS}/{unit.name}" for unit in (ROOT / "runtime" / "systemd").iterdir()),
}
# Modules that only some commands import, compiled ones among them.
IMPORTS = """
import sys
sys.path[:0] = ["/usr/lib/gthulhu", "/usr/lib/gthulhu/python3.%d" % sys.version_info.minor]
import perfetto.protos.perfetto.trace, prometheus_client, rich, pydantic_core, yaml
"""
# Commands of a node with an installed package, and the beginning of their output.
USES = [
    ("gthulhu --version", "gthulhu "),
    ("gthulhu check -W no-all /usr/share/gthulhu/policies/upf.gpl", ""),
    ("gthulhuc -W no-all --emit c /usr/share/gthulhu/policies/upf.gpl -o /upf.c", ""),
    ("gthulhu-loader --version", "gthulhu-loader "),
    ("gthulhu lab workloads", "waker "),
    ("gthulhu metrics --help", "usage: gthulhu metrics"),
    ("gthulhu trace --help", "usage: gthulhu trace"),
    ("python3 -c 'import gthulhuc' 2>&1 || echo apart", "Traceback"),
    (f"python3 -I -c '{IMPORTS}'", ""),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deb")
    subprocess.run([sys.executable, ROOT / "scripts" / "deb.py", folder], check=True)
    (made,) = folder.glob("gthulhu_*.deb")
    return made


@pytest.fixture(scope="module", params=["bookworm", pytest.param("trixie", marks=pytest.mark.soak)])
def node(
    package: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Node]:
    node = Node(tmp_path_factory.mktemp(request.param) / "root")
    shutil.copytree(debian.root(PACKAGES, suite=request.param), node.root, symlinks=True)
    status = node.root / "var/lib/dpkg/status"
    (status.parent / "info").mkdir(parents=True, exist_ok=True)
    (status.parent / "updates").mkdir(exist_ok=True)
    status.write_text(
        "".join(
            STATUS.format(name=name, version=version)
            for name, version in SUITES[request.param].items()
        )
    )
    shutil.copy(package, node.root)
    installed = node.run(f"dpkg --force-unsafe-io --install /{package.name}")
    assert installed.returncode == 0, installed.stderr
    yield node
    shutil.rmtree(node.root)


def test_package_files_are_installed(node: Node) -> None:
    assert node.ours() == INSTALLED
    compiled = node.root / "usr/lib/gthulhu/gthulhuc/__pycache__"
    assert list(compiled.glob("__init__.*.pyc"))
    templates = node.root / "usr/lib/gthulhu/gthulhuc/templates"
    assert len(list(templates.glob("__pycache__/*.pyc"))) == len(list(templates.glob("*.j2")))


@pytest.mark.parametrize(("line", "said"), USES)
def test_commands(node: Node, line: str, said: str) -> None:
    assert node.succeed(line).startswith(said)


def test_an_upgrade_keeps_what_was_configured(node: Node, package: Path) -> None:
    labels = node.root / "etc/gthulhu/labels.toml"
    labels.write_text("# mine\n")
    upgraded = node.run(f"dpkg --force-unsafe-io --force-confdef --install /{package.name}")
    assert upgraded.returncode == 0, upgraded.stderr
    assert labels.read_text() == "# mine\n"


def test_removal_keeps_what_was_configured_and_purge_does_not(node: Node) -> None:
    (node.root / "etc/gthulhu/web.bpf.o").write_text("an administrator's own")
    state = node.root / "run/gthulhu"
    state.mkdir(parents=True)
    removed = node.run("dpkg --force-unsafe-io --remove gthulhu")
    assert removed.returncode == 0, removed.stderr
    assert node.ours() == {"etc/gthulhu/labels.toml", "etc/gthulhu/web.bpf.o"}
    purged = node.run("dpkg --force-unsafe-io --purge gthulhu")
    assert purged.returncode == 0, purged.stderr
    assert node.ours() == {"etc/gthulhu/web.bpf.o"}
    assert not state.exists()


# With what else every Debian has, on which no package depends.
LINTIAN = (
    "base-files", "bash", "coreutils", "dash", "diffutils", "dpkg", "findutils", "grep", "gzip",
    "hostname", "libc-bin", "lintian", "mawk", "sed", "tar",
)  # fmt: skip


@pytest.mark.soak
def test_lintian_has_nothing_against_it(package: Path, tmp_path: Path) -> None:
    root = shutil.copytree(debian.root(LINTIAN), tmp_path / "root", symlinks=True)
    (root / "etc/dpkg/origins/default").symlink_to("debian")
    (root / "tmp").mkdir(exist_ok=True)
    (root / "dev/null").touch()  # the root may be made by a user
    (root / "dev/null").chmod(0o666)
    shutil.copy(package, root)
    said = Node(root).run(
        f"LC_ALL=C.UTF-8 lintian --allow-root --fail-on error,warning /{package.name}"
    )
    assert (said.returncode, said.stdout) == (0, ""), said.stdout + said.stderr


RPM_PACKAGES = (
    "bash", "coreutils", "cpio", "dash", "findutils", "gawk", "grep", "gzip", "python3", "rpm",
    "sed", "tar", "xz-utils",
)  # fmt: skip


@pytest.mark.soak
def test_rpm_is_installed_used_and_erased(tmp_path: Path) -> None:
    """With the tools of rpm on a Debian: the files are the same everywhere."""
    node = Node(tmp_path / "root")
    shutil.copytree(debian.root(RPM_PACKAGES), node.root, symlinks=True)
    for place in ("tmp", "var/tmp", "var/lib/rpm", "proc", "dev"):
        (node.root / place).mkdir(parents=True, exist_ok=True)
    # rpmbuild from that root, so that the machine needs none.
    tool = tmp_path / "bin" / "rpmbuild"
    tool.parent.mkdir()
    tool.write_text(
        f"#!/bin/sh\nroot={node.root}\n"
        'for last; do :; done\nwork=$(dirname "$last")\n'
        'cp -a "$work" "$root/work"\n'
        'chroot "$root" rpmbuild --quiet --define "_topdir /work/rpm" --define "_rpmdir /out" '
        '--define "tree /work/tree" -bb /work/gthulhu.spec\n'
    )
    tool.chmod(0o755)
    path = f"{tool.parent}:{os.environ['PATH']}"
    subprocess.run(
        [sys.executable, ROOT / "scripts" / "rpm.py", tmp_path / "dist"],
        check=True, env={**os.environ, "PATH": path},
    )  # fmt: skip
    (made,) = (node.root / "out").rglob("*.rpm")
    shutil.rmtree(node.root / "work")
    said = node.run(f"rpm --install --nodeps /{made.relative_to(node.root)}")
    assert said.returncode == 0, said.stderr
    for line, begins in USES:
        assert node.succeed(line).startswith(begins)
    listed = node.succeed("rpm --query --configfiles gthulhu")
    assert listed == "/etc/gthulhu/labels.toml\n"
    wanted = node.succeed("rpm --query --requires gthulhu")
    assert re.search(r"^python3 >= 3\.11$", wanted, re.MULTILINE)
    said = node.run("rpm --erase gthulhu")
    assert said.returncode == 0, said.stderr
    assert node.ours() == set()
