# SPDX-License-Identifier: Apache-2.0
"""`gthulhu doctor`: checks whether this machine can run a policy, and says how to fix problems.

The loader checks the kernel (its `doctor.c`); this module adds clang and other services.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from gthulhuc.cli.commands import Commands

CANNOT_RUN = 1
_LEVELS = ("ok", "note", "warning", "error")
# Services that start another scheduler.
_SERVICES = ("scx.service", "scx_loader.service")
_UNITS = ("etc/systemd/system", "run/systemd/system", "usr/lib/systemd/system")
_SLICE = "sys/fs/cgroup/system.slice"
_TIMEOUT_S = 60
_OBJECT = "object"  # the loader's check of the given object, not of the machine

_EPILOG = """\
A note is good to know, a warning is a risk or prevents some policies, an error prevents all of
them. clang is not needed if you compile on another machine.

examples:
  sudo gthulhu doctor
  sudo gthulhu doctor policy.bpf.o
  sudo gthulhu doctor --json | jq -r '.findings[] | select(.level == "error") | .help'
  gthulhu-loader --doctor                      the same on nodes without Python

exit status: 0 no error, 1 errors, 2 usage, an unreadable file, or the loader does not respond
"""


class Finding(NamedTuple):
    """The result of one check."""

    level: str
    check: str
    text: str
    help: str = ""


def add(commands: Commands) -> None:
    """Adds the command."""
    doctor = add_command(
        commands,
        "doctor",
        run,
        help="check whether this machine can run a policy",
        description="Check everything that a policy needs from this machine, and say what is "
        "missing.",
        epilog=_EPILOG,
    )
    doctor.add_argument(
        "object", metavar="OBJECT", nargs="?", help="check this compiled policy too"
    )
    doctor.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    """Prints the findings. Raises CommandError if the loader does not respond."""
    import json

    if options.object is not None:
        with Path(options.object).open("rb"):  # an unreadable file is not the machine's fault
            pass
    findings = [*_of_loader(options.object), _of_clang(), *of_services(Path("/"))]
    can_run = all(finding.level != "error" for finding in findings)
    if options.json:
        shown = {"can_run": can_run, "findings": [finding._asdict() for finding in findings]}
        frame.out(json.dumps(shown, indent=2) + "\n")
    else:
        frame.out("".join(line + "\n" for line in _described(findings)))
    return frame.OK if can_run else CANNOT_RUN


def _of_loader(path: str | None) -> Iterator[Finding]:
    import subprocess

    from gthulhu.loader import NAME, find_loader

    try:
        loader = find_loader(os.environ)
    except frame.CommandError as error:
        yield Finding("error", "loader", str(error), error.hint)
        return
    command = [loader, "--doctor", *(["--", path] if path is not None else [])]
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT_S, check=False
        )
    except OSError as error:
        yield Finding("error", "loader", f"cannot run {loader}: {error.strerror}")
        return
    except subprocess.TimeoutExpired as error:
        raise frame.CommandError(
            f"{loader} --doctor did not end within {_TIMEOUT_S} s", "run it alone to see why"
        ) from error
    if result.returncode not in {0, 1} or result.stderr:
        problem = result.stderr.decode(errors="replace").strip()
        raise frame.CommandError(
            f"{loader} --doctor failed: {problem or f'exit status {result.returncode}'}",
            f"use the {NAME} of this release",
        )
    yield Finding("ok", "loader", loader)
    for line in result.stdout.decode(errors="replace").splitlines():
        level, *rest = line.split("\t")
        if level not in _LEVELS or len(rest) not in {2, 3}:
            raise frame.CommandError(
                f"invalid response from {loader}: {line!r}", f"use the {NAME} of this release"
            )
        yield Finding(level, *rest)


def _of_clang() -> Finding:
    from gthulhuc.codegen import clang

    try:
        path = clang.find_clang()
        version = clang.version_of(path)
        if version is not None and version >= clang.OLDEST:
            clang.compile_object('#include "kernel.bpf.h"\n')
    except clang.ToolchainError as error:
        return Finding("warning", "clang", str(error), error.help)
    if version is None:
        return Finding("warning", "clang", f"{path} is not clang", clang.INSTALL)
    if version < clang.OLDEST:
        text = f"{path} is clang {version}, which is too old"
        return Finding("warning", "clang", text, clang.INSTALL)
    return Finding("ok", "clang", f"{path}, version {version}")


def of_services(root: Path) -> Iterator[Finding]:
    """Checks the machine at `root` for services that start another scheduler, now or at boot."""
    folders = [root / folder for folder in _UNITS]
    found = False
    for name in _SERVICES:
        at_boot = any(_wants(folder, name) for folder in folders) and not any(
            _masks(folder, name) for folder in folders
        )
        is_running = (root / _SLICE / name / "cgroup.procs").exists()
        if at_boot or is_running:
            does = "starts another scheduler at boot" if at_boot else "starts another scheduler"
            also = ", and is running" if is_running else ""
            change = "disable --now" if at_boot else "stop"
            yield Finding(
                "warning", "service", f"{name} {does}{also}", f"systemctl {change} {name}"
            )
            found = True
    if not found:
        yield Finding("ok", "service", "no service starts another scheduler")


def _wants(folder: Path, name: str) -> bool:
    """Whether `systemctl enable` made a target in a folder start a unit."""
    return any((target / name).is_symlink() for target in folder.glob("*.wants"))


def _masks(folder: Path, name: str) -> bool:
    path = folder / name
    return path.is_symlink() and str(path.readlink()) == "/dev/null"


def _described(findings: list[Finding]) -> Iterator[str]:
    """The findings, for people."""
    from gthulhuc.diagnostics.human import visible

    width = max(len(finding.check) for finding in findings)
    for finding in findings:
        head = f"{finding.level:<7}  {finding.check:<{width}}  "
        yield head + visible(finding.text)
        if finding.help:
            yield " " * len(head) + "help: " + visible(finding.help)
    errors = [finding.check for finding in findings if finding.level == "error"]
    number = sum(check != _OBJECT for check in errors)
    if number:
        yield f"this machine cannot run a policy: {number} error{'s' if number > 1 else ''}"
    elif errors:
        yield "this machine can run a policy, but not this one"
    else:
        yield "this machine can run a policy"
