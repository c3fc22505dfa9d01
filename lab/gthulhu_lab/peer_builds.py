# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Build the peers into the cache: crates with cargo, scx_simple from Debian's kernel source.

Nothing is installed on the machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from gthulhu_lab import apt, kernels, processes
from gthulhu_lab.errors import LabError
from gthulhu_lab.kernels import Flavour, Progress
from gthulhu_lab.paths import cache_dir
from gthulhu_lab.peers import Peer, folder

_DEADLINE_S = 3600.0
_TOOLS = ("cargo", "clang-19", "pkg-config", "protoc", "flex", "bison")
_LIBRARIES = ("libelf", "libseccomp", "zlib")
_INSTALL = (
    "apt: clang-19 pkg-config protobuf-compiler libelf-dev libseccomp-dev zlib1g-dev flex bison    "
    "dnf: clang pkgconf protobuf-compiler elfutils-libelf-devel libseccomp-devel zlib-devel flex "
    "bison    pacman: clang pkgconf protobuf libelf libseccomp zlib flex bison    "
    "and Rust's cargo, from rustup"
)
_SOURCE = "linux-source-7.2"
_SUITE = "sid"
# The parts of the kernel source that the examples' build reads.
_PARTS = ("tools", "scripts", "include", "kernel/bpf")


def build(peers: Sequence[Peer], progress: Progress) -> None:
    """Build the peers that are missing. Raises LabError with the end of the log."""
    wanted = [peer for peer in peers if not peer.is_there]
    if not wanted:
        return
    _check_tools()
    for name in ("bin", "log"):
        (folder() / name).mkdir(parents=True, exist_ok=True)
    for peer in wanted:
        progress(f"building {peer.name} (minutes; log: {_log(peer)})")
        if peer.version:
            _build_crate(peer)
        else:
            _build_example(peer, progress)
    # Gigabytes that are no longer needed.
    for name in ("target", "source"):
        shutil.rmtree(folder() / name, ignore_errors=True)


def _check_tools() -> None:
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if "pkg-config" not in missing:
        missing += [
            library
            for library in _LIBRARIES
            if subprocess.run(["pkg-config", "--exists", library], check=False).returncode != 0
        ]
    if missing:
        raise LabError(f"the build of the peers needs {', '.join(missing)}", _INSTALL)


def _build_crate(peer: Peer) -> None:
    # One target folder: the crates share most of their dependencies.
    environment = {"BPF_CLANG": "clang-19", "CARGO_TARGET_DIR": str(folder() / "target")}
    command = ["cargo", "install", f"{peer.name}@{peer.version}", "--locked"]
    _run(peer, [*command, "--root", str(folder())], environment)


def _build_example(peer: Peer, progress: Progress) -> None:
    source, output = _kernel_source(progress), folder() / "source" / "out"
    output.mkdir(exist_ok=True)
    command = ["make", "-C", str(source / "tools" / "sched_ext"), f"-j{os.cpu_count()}"]
    # The types of the measured kernel.
    vmlinux = kernels.ensure(kernels.DEFAULT_KERNEL, Flavour.CLOUD).boot_path
    # Without LLVM=, which would need a linker of clang's version, too. Stripping is unnecessary.
    variables = ["CLANG=clang-19", "LLVM_STRIP=true", f"O={output}", peer.name]
    _run(peer, [*command, *variables], {"VMLINUX_BTF": str(vmlinux)})
    shutil.copy(output / "build" / "bin" / peer.name, peer.program)


def _kernel_source(progress: Progress) -> Path:
    """The part of Debian's kernel source that is needed; downloaded and unpacked once."""
    source = folder() / "source" / _SOURCE
    if source.exists():
        return source
    debs, part = source.with_name("debs"), source.with_name(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    progress(f"downloading {_SOURCE} (160 MB)")
    suite = apt.Suite(_SUITE, cache_dir() / "apt")
    suite.refresh()
    suite.download([_SOURCE], debs)
    progress(f"unpacking {_SOURCE}")
    apt.extract(next(debs.glob("*.deb")), part)
    archive = part / "usr" / "src" / f"{_SOURCE}.tar.xz"
    wanted = [f"{_SOURCE}/{name}" for name in _PARTS]
    subprocess.run(["tar", "-xJf", str(archive), "-C", str(part), *wanted], check=True)
    (part / _SOURCE).rename(source)
    shutil.rmtree(part)
    shutil.rmtree(debs)
    return source


def _run(peer: Peer, command: Sequence[str], variables: Mapping[str, str]) -> None:
    log = _log(peer)
    # The lowest priority: the build takes minutes on all CPUs.
    with log.open("wb") as file:
        outcome = processes.run_with_deadline(
            ["nice", "-n", "19", *command], _DEADLINE_S, file, env={**os.environ, **variables}
        )
    if outcome.status != 0:
        end = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
        raise LabError(f"cannot build {peer.name} ({log}):\n{end}")


def _log(peer: Peer) -> Path:
    return folder() / "log" / f"{peer.name}.log"
