# SPDX-License-Identifier: Apache-2.0
"""scripts/bootstrap on machines that are not this one: faked by os-release and programs on PATH."""

from __future__ import annotations

import importlib.util
import os
import stat
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from gthulhu_lab.packages import INSTALL

ROOT = Path(__file__).parents[2]

DEBIAN_12 = 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\nVERSION_ID="12"\n'
UBUNTU = 'PRETTY_NAME="Ubuntu 24.04"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n'
FEDORA = 'PRETTY_NAME="Fedora 43"\nID=fedora\nVERSION_ID=43\n'
CACHY = 'PRETTY_NAME="CachyOS"\nID=cachyos\nID_LIKE="arch"\n'
ALPINE = 'PRETTY_NAME="Alpine"\nID=alpine\n'

# The output of a Debian 12 with everything installed.
VERSIONS = {"clang-19": "1:19.1.7-3~deb12u1", "libbpf-dev": "1:1.4.6-1~bpo12+1"}
QEMU_10 = {"qemu-system-x86": "1:10.0.2+ds-2~bpo12+1"}
QEMU_7 = {"qemu-system-x86": "1:7.2+dfsg-7+deb12u18"}


def load_bootstrap() -> ModuleType:
    loader = SourceFileLoader("bootstrap", str(ROOT / "scripts" / "bootstrap"))
    spec = importlib.util.spec_from_loader("bootstrap", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules["bootstrap"] = module  # dataclasses look their module up
    loader.exec_module(module)
    return module


class Machine:
    """A made-up machine: its os-release, its package manager's answers, and a log of calls."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.monkeypatch = monkeypatch
        self.bootstrap = load_bootstrap()
        self.log = path / "calls"
        (path / "bin").mkdir()
        monkeypatch.setenv("PATH", f"{path / 'bin'}:/usr/bin:/bin")
        monkeypatch.delenv("GTHULHU_SKIP_PACKAGES", raising=False)
        monkeypatch.setattr(self.bootstrap, "OS_RELEASE", path / "os-release")
        monkeypatch.setattr(self.bootstrap, "CACHE", path / "cache")
        for changes_something in ("apt-get", "dnf", "pacman", "sudo", "pip"):
            self.program(changes_something, f'echo "{changes_something} $*" >> {self.log}')

    def program(self, name: str, body: str) -> None:
        path = self.path / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def system(self, os_release: str, *, root: bool = True) -> None:
        (self.path / "os-release").write_text(os_release)
        self.monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)

    def dpkg(self, versions: dict[str, str]) -> None:
        """dpkg-query knows exactly `versions`; it is asked for one package, the last argument."""
        cases = "".join(f'{name}) echo "installed {v}";; ' for name, v in versions.items())
        last = 'for name; do :; done; case "$name" in'
        self.program("dpkg-query", f"{last} {cases} *) exit 1;; esac")

    def run(self, *arguments: str) -> int:
        code: int = self.bootstrap.main(["--packages", *arguments])
        return code

    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def debian_names(machine: Machine) -> dict[str, str]:
    """Every package of the table, in a version that will do."""
    packages = machine.bootstrap.read_packages(machine.bootstrap.PACKAGES)
    return {package.names["apt"]: package.at_least or "1" for package in packages}


def test_complete_setup_changes_nothing(machine: Machine) -> None:
    machine.system(DEBIAN_12)
    machine.dpkg({**debian_names(machine), **VERSIONS, **QEMU_10})
    assert machine.run() == 0
    assert machine.calls() == []


def test_debian_12_root_installs_only_what_is_missing(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.system(DEBIAN_12)
    there = debian_names(machine) | VERSIONS
    del there["cpio"]
    machine.dpkg({**there, **QEMU_7})
    assert machine.run() == 0
    install = machine.calls()[-1].split()
    packages = install[install.index("--no-install-recommends") + 1 :]
    assert packages == ["cpio", "qemu-system-x86"]
    assert "==> Debian packages: cpio qemu-system-x86" in capsys.readouterr().out
    pins = (machine.path / "cache/bootstrap/preferences.d/zz-gthulhuc.pref").read_text()
    assert "src:qemu" in pins
    assert "src:libbpf" not in pins, "libbpf is new enough already"


def test_the_machines_apt_configuration_is_left_alone(machine: Machine) -> None:
    machine.system(DEBIAN_12)
    machine.dpkg({})
    assert machine.run() == 0
    private = machine.path / "cache" / "bootstrap"
    assert "bookworm-backports" in (private / "sources.list.d" / "gthulhuc.sources").read_text()
    for call in machine.calls():
        assert f"Dir::Etc::SourceParts={private}" in call
        assert f"Dir::State::Lists={private}" in call


def test_backports_are_not_configured_twice(machine: Machine) -> None:
    machine.system(DEBIAN_12)
    machine.dpkg({})
    machine.program(
        "apt-get", 'case "$*" in *indextargets*) echo bookworm-backports http://x;; esac'
    )
    assert machine.run() == 0
    assert not (machine.path / "cache/bootstrap/sources.list.d/gthulhuc.sources").exists()


@pytest.mark.parametrize(
    ("os_release", "root", "command"),
    [
        (DEBIAN_12, False, "sudo apt-get install"),
        (UBUNTU, True, "sudo apt-get install"),
        (FEDORA, True, "sudo dnf install"),
        (CACHY, True, "sudo pacman -S"),
        (ALPINE, True, "sudo dnf install"),
    ],
)
def test_elsewhere_it_says_what_to_install_and_changes_nothing(
    machine: Machine,
    capsys: pytest.CaptureFixture[str],
    os_release: str,
    root: bool,
    command: str,
) -> None:
    machine.system(os_release, root=root)
    machine.dpkg({})
    machine.program("rpm", "exit 1")
    machine.program("pacman", "exit 1")
    assert machine.run() == 1
    message = capsys.readouterr().err
    assert "nothing was changed" in message
    assert command in message
    for name in ("libbpf-dev", "libbpf-devel", "libbpf", "apt", "dnf", "pacman"):
        assert name in message.split()
    assert machine.calls() == []
    assert not (machine.path / "cache").exists()


@pytest.mark.parametrize(
    ("os_release", "query", "answer"),
    [
        (FEDORA, "rpm", "echo installed 19.1"),
        (CACHY, "pacman", 'for name; do :; done; echo "$name 19.1-1"'),
    ],
)
def test_other_distributions_may_go_on_once_all_is_installed(
    machine: Machine, os_release: str, query: str, answer: str
) -> None:
    machine.system(os_release, root=False)
    machine.program(query, answer)
    assert machine.run() == 0


def test_check_only_reports(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.system(DEBIAN_12)
    machine.dpkg({})
    assert machine.run("--check") == 1
    assert "clang-19" in capsys.readouterr().err
    assert machine.calls() == []


def test_a_failed_install_names_the_command(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.system(DEBIAN_12)
    machine.dpkg({})
    machine.program("apt-get", 'case "$*" in *install*) exit 100;; esac')
    assert machine.run() == 1
    message = capsys.readouterr().err
    assert "exit code 100" in message
    assert "apt-get -q" in message


def test_a_package_that_was_removed_is_missing(machine: Machine) -> None:
    machine.program("dpkg-query", 'echo "config-files 1.0"')
    assert machine.bootstrap.installed_version("apt", "cpio") is None


def test_the_table_can_be_used_by_every_manager(machine: Machine) -> None:
    for package in machine.bootstrap.read_packages(machine.bootstrap.PACKAGES):
        assert set(package.names) == set(INSTALL), package.why


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("1:7.2+dfsg-7+deb12u18+b3", "1:10.0.2+ds-2~bpo12+1"),
        ("1:1.1.2-0+deb12u1", "1.4"),
        ("", "0"),
    ],
)
def test_versions_compare_by_upstream_number(machine: Machine, older: str, newer: str) -> None:
    assert machine.bootstrap.upstream(older) < machine.bootstrap.upstream(newer)
