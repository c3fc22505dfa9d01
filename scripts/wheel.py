# SPDX-License-Identifier: Apache-2.0
"""Adds the programs in C, the service's units, policies, workloads and the host model to the wheel.

They are built for the machine, so the wheel is platform-specific. A checkout's own environment
(an editable install) uses the files of the checkout.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Below the prefix that the wheel is installed to; systemd looks there if that is /usr/local.
DATA = {"runtime/systemd": "lib/systemd/system", "policies": "share/gthulhu/policies"}
# In the lab's package, which finds them in a checkout elsewhere (gthulhu_lab.paths).
LAB = {
    "lab/workloads": "gthulhu_lab/workloads",
    "sim": "gthulhu_lab/sim",
    "scripts/packages.toml": "gthulhu_lab/packages.toml",
}
COMMANDS = ("gthulhu", "gthulhuc")
PROGRAMS = ("gthulhu-loader", "gthulhu-record")
COMPLETIONS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}
_INTERPRETER = 3  # PT_INTERP


class WheelHook(BuildHookInterface[BuilderConfig]):
    """Builds the programs, and adds them with all other files to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is built."""
        if version == "editable":
            return
        root = Path(self.root)
        subprocess.run(["make", "-s", "-C", str(root / "runtime")], check=True)
        programs = {name: root / "runtime" / name for name in PROGRAMS}
        for name, program in programs.items():
            build_data["shared_scripts"][str(program)] = name
        for source, target in DATA.items():
            build_data["shared_data"][str(root / source)] = target
        for source, target in LAB.items():
            build_data["force_include"][str(root / source)] = target
        for page, target in _documents(root / "build" / "wheel"):
            build_data["shared_data"][str(page)] = target
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        if all(_is_static(program.read_bytes()) for program in programs.values()):
            # They need nothing of a machine but its kernel, so any glibc will do (PEP 600).
            platform = f"many{platform.replace('linux', 'linux_2_17', 1)}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"


def _is_static(program: bytes) -> bool:
    """Whether a 64-bit ELF program asks for no dynamic linker."""
    (table,) = struct.unpack_from("<Q", program, 32)
    size, number = struct.unpack_from("<HH", program, 54)
    kinds = (struct.unpack_from("<I", program, table + i * size)[0] for i in range(number))
    return _INTERPRETER not in kinds


def _documents(folder: Path) -> Iterator[tuple[Path, str]]:
    """Writes manual pages and completions, which the installed commands describe."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted: dict[tuple[str, ...], str] = {
        ("manual", "--for", name): f"share/man/man1/{name}.1" for name in COMMANDS
    }
    for shell, place in COMPLETIONS.items():
        for name in COMMANDS:
            wanted["completion", shell, "--for", name] = f"share/{place.format(name)}"
    for arguments, target in wanted.items():
        said = subprocess.run(
            [sys.executable, "-m", "gthulhuc.cli.gthulhu", *arguments],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if said.returncode:  # built in an environment of its own, without what it needs
            return
        file = folder / target.replace("/", "-")
        file.write_text(said.stdout)
        yield file, target
