# SPDX-License-Identifier: Apache-2.0
"""Builds a Debian package of the wheel, with the Python packages that it needs.

Debian has some of these only in older versions, so the package includes them, in a folder that no
other program uses. Compiled modules are for the Python that runs this script.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from gthulhu_lab.packages import read_packages

ROOT = Path(__file__).parents[1]
PACKAGES = ROOT / "scripts/packages.toml"
MODULES = "/usr/lib/gthulhu"
COMMANDS = {"gthulhu": "gthulhuc.cli.gthulhu", "gthulhuc": "gthulhuc.cli.compile"}
EXTRAS = "lab,metrics,top,trace"
# virtme-ng's, which the lab looks for beside its package (gthulhu_lab.vng).
VIRTME = {"vng": "virtme_ng.run", "virtme-run": "virtme.commands.run"}

COMMAND = """\
#!/usr/bin/python3 -I
import sys

sys.path.insert(0, "{modules}")
from {module} import main

sys.exit(main())
"""

CONTROL = """\
Package: gthulhu
Version: {version}
Architecture: {architecture}
Maintainer: The gthulhuc authors <gthulhuc@localhost>
Installed-Size: {kib}
Depends: python3 (>= 3.{minor}~), python3 (<< 3.{next}~)
Recommends: clang-19, libbpf-dev
Suggests: {lab}
Section: admin
Priority: optional
Description: compiler from a small policy language to a sched_ext scheduler
 Rules say which tasks are urgent, how long their turns are and on which CPUs
 they run; gthulhuc makes a BPF scheduler for Linux 6.16 or newer of them, and
 gthulhu puts it in force, watches it and takes it back.
"""

# Starts nothing, and keeps a policy in force: the new loader is used from the next start on.
POSTINST = """\
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    python3 -m compileall -q {modules}
    [ ! -d /run/systemd/system ] || systemctl daemon-reload
fi
"""
PRERM = """\
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl stop 'gthulhu*.service' || true
    systemctl disable --quiet gthulhu.service gthulhu@.service gthulhu-agent.service \\
        gthulhu-metrics.service || true
fi
find {modules} -name __pycache__ -prune -exec rm -r {{}} +
"""


def main() -> int:
    """Writes the package to `dist`, and prints its path."""
    folder = Path(sys.argv[1] if sys.argv[1:] else ROOT / "dist").absolute()
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name, "tree")
        modules, share = tree / MODULES.lstrip("/"), tree / "usr/share"
        _install(Path(name), modules)
        shutil.copytree(ROOT / "runtime/systemd", tree / "usr/lib/systemd/system")
        shutil.copytree(ROOT / "policies", share / "gthulhu/policies")
        (tree / "usr/bin").mkdir()
        shutil.copy(ROOT / "runtime/gthulhu-loader", tree / "usr/bin")
        for command, module in COMMANDS.items():
            _write(
                tree / "usr/bin" / command, COMMAND.format(modules=MODULES, module=module), 0o755
            )
            _document(command, share)
        for command, module in VIRTME.items():
            _write(modules / "bin" / command, COMMAND.format(modules=MODULES, module=module))
        _write(share / "doc/gthulhu/copyright", _copyright())
        _control(tree)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, folder], check=True
        )
    return 0


def _install(work: Path, modules: Path) -> None:
    """Installs the wheel and its dependencies; moves its loader and data elsewhere."""
    wheels = work / "wheels"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    (wheel,) = wheels.iterdir()
    subprocess.run(
        [
            sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet",
            "--no-compile", "--constraint", ROOT / "constraints.txt", "--target", modules,
            f"{wheel}[{EXTRAS}]",
        ],
        check=True,
    )  # fmt: skip
    for name in ("bin", "lib", "share"):
        shutil.rmtree(modules / name, ignore_errors=True)


def _document(command: str, share: Path) -> None:
    """Writes the completions and the manual page of a command."""

    def said(*arguments: str) -> str:
        gthulhu = [sys.executable, "-m", "gthulhuc.cli.gthulhu", *arguments, "--for", command]
        return subprocess.run(gthulhu, check=True, capture_output=True, text=True).stdout

    _write(share / "bash-completion/completions" / command, said("completion", "bash"))
    _write(share / f"man/man1/{command}.1.gz", said("manual"))


def _copyright() -> str:
    """Writes the licences; included packages have their own."""
    texts = [file.read_text() for file in sorted((ROOT / "LICENSES").iterdir())]
    where = f"The packages in {MODULES} have their licences there, in *.dist-info.\n"
    return "\n".join([where, (ROOT / "LICENSE").read_text(), *texts])


def _control(tree: Path) -> None:
    files = [file for file in tree.rglob("*") if file.is_file()]
    for file in files:
        file.chmod(0o755 if file.parent.name == "bin" else 0o644)
    minor = sys.version_info.minor
    control = CONTROL.format(
        version=tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"],
        architecture=subprocess.run(
            ["dpkg", "--print-architecture"], check=True, capture_output=True, text=True
        ).stdout.strip(),
        kib=sum(file.stat().st_size for file in files) >> 10,
        lab=", ".join(package.names["apt"] for package in read_packages(PACKAGES) if package.lab),
        minor=minor,
        next=minor + 1,
    )
    _write(tree / "DEBIAN/control", control)
    _write(tree / "DEBIAN/postinst", POSTINST.format(modules=MODULES), 0o755)
    _write(tree / "DEBIAN/prerm", PRERM.format(modules=MODULES), 0o755)


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    path.chmod(mode)


if __name__ == "__main__":
    sys.exit(main())
