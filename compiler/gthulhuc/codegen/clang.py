# SPDX-License-Identifier: Apache-2.0
"""Compiles generated C with clang, and explains failures."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from gthulhuc.codegen.render import TEMPLATES

CANDIDATES = ("clang-22", "clang-21", "clang-20", "clang-19", "clang")
OLDEST = 19
FLAGS = (
    "-target", "bpf", "-mcpu=v3", "-O2", "-g", "-std=gnu11",
    "-Wall", "-Werror", "-Wno-unused-function", "-Wno-address-of-packed-member",
    "-fno-stack-protector",
)  # fmt: skip
_EM_BPF = 247
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INSTALL = (
    f"install clang {OLDEST} or newer (Debian: apt install clang-{OLDEST}), "
    "or set CLANG to its path"
)
HEADERS = "install libbpf's headers (Debian: apt install libbpf-dev; dnf: libbpf-devel)"


class ToolchainError(Exception):
    """clang is missing or failed; `help` says what to do."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def find_clang() -> str:
    """Returns the absolute path of clang: $CLANG, or the newest known one on PATH.

    Raises ToolchainError.
    """
    wanted = os.environ.get("CLANG")
    for name in (wanted,) if wanted else CANDIDATES:
        if found := shutil.which(name):
            return str(Path(found).absolute())  # clang runs in another folder
    if wanted:
        raise ToolchainError(f"CLANG is set to {wanted}, which is not a program", INSTALL)
    raise ToolchainError("clang was not found", INSTALL)


def compile_object(c_text: str) -> bytes:
    """Returns the BPF object of C text. Raises ToolchainError."""
    clang = find_clang()
    include = TEMPLATES / "lib"
    command = [
        clang, *FLAGS, "-I", str(include), f"-ffile-prefix-map={include}=lib",
        "-fdebug-compilation-dir=.", "-c", "policy.bpf.c", "-o", "policy.bpf.o",
    ]  # fmt: skip
    try:
        with tempfile.TemporaryDirectory(prefix="gthulhuc-", ignore_cleanup_errors=True) as folder:
            # Equal paths on all machines keep the object's bytes equal.
            Path(folder, "policy.bpf.c").write_text(c_text, encoding="utf-8")
            status, said = _run(command, folder)
            if status != 0:
                raise _failure(clang, status, said)
            return _object(clang, Path(folder, "policy.bpf.o"))
    except OSError as error:
        raise ToolchainError(
            f"cannot work in the temporary folder: {error.strerror or error}",
            "set TMPDIR to a writable folder with free space",
        ) from error


def _run(command: list[str], folder: str) -> tuple[int, str]:
    """Runs clang, and ends it if this process ends; returns its exit status and messages."""
    # A signal before the process is known would leave the process running.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    process = None
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "TMPDIR": folder},  # a crash leaves files there
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            process_group=0,  # a wrapper's children are of it, too
            preexec_fn=lambda: _set_mask(before),
        )
        _set_mask(before)
        _, said = process.communicate()
    except OSError as error:
        raise ToolchainError(f"cannot run {command[0]}: {error.strerror}", INSTALL) from error
    except BaseException:
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        raise
    finally:
        _set_mask(before)
    return process.returncode, said.decode(errors="backslashreplace").rstrip()


def _set_mask(mask: Iterable[int]) -> None:
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _failure(clang: str, status: int, said: str) -> ToolchainError:
    """The error for a failure of clang."""
    # A wrapper reports a signal as exit status 128 plus its number.
    number = -status if status < 0 else status - 128
    if number == signal.SIGKILL:
        return ToolchainError(
            f"{clang} was killed (SIGKILL)",
            "most likely memory ran out: free some, or raise the container's limit, and try again",
        )
    if number in {signal.SIGTERM, signal.SIGHUP, signal.SIGINT}:
        return ToolchainError(
            f"{clang} was terminated by {signal.Signals(number).name}", "try again"
        )
    if number > 0:
        known = {each.value: each.name for each in signal.Signals}
        return ToolchainError(
            _with(f"{clang} crashed ({known.get(number, f'exit status {status}')})", said),
            "try another version: set CLANG to its path",
        )
    if "No space left on device" in said:
        return ToolchainError(
            f"{clang} has no space in the temporary folder",
            "set TMPDIR to a folder with free space",
        )
    if missing := re.search(r"'(bpf/[\w.]+)' file not found", said):
        return ToolchainError(f"{clang} cannot find libbpf's header {missing[1]}", HEADERS)
    version = version_of(clang)
    if version is None:
        return ToolchainError(_with(f"{clang} failed and is not clang", said), INSTALL)
    if version < OLDEST:
        return ToolchainError(f"{clang} is clang {version}, which is too old", INSTALL)
    return ToolchainError(
        _with(f"{clang} could not compile the generated scheduler", said),
        "this is a defect of gthulhuc; please report it with the policy",
    )


def _with(message: str, said: str) -> str:
    """A message, with clang's output, if any."""
    return f"{message}:\n{said}" if said else message


def version_of(clang: str) -> int | None:
    """Returns clang's major version; None if the program is not clang."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        result = subprocess.run(
            [clang, "--version"], stdin=subprocess.DEVNULL, capture_output=True,
            timeout=10, check=False,
        )  # fmt: skip
        if found := re.search(rb"clang version (\d+)", result.stdout):
            return int(found[1])
    return None


def _object(clang: str, path: Path) -> bytes:
    """The object that clang wrote. Raises ToolchainError if it is not a BPF object."""
    data = path.read_bytes() if path.exists() else b""
    if data[:4] == b"\x7fELF" and int.from_bytes(data[18:20], sys.byteorder) == _EM_BPF:
        return data
    what = "a file that is not a BPF object" if data else "no object"
    raise ToolchainError(f"{clang} reported success but wrote {what}", INSTALL)
