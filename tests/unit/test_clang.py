# SPDX-License-Identifier: Apache-2.0
"""Messages when clang is missing, is not clang, fails, crashes, is killed or lies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gthulhuc import codegen
from gthulhuc.codegen.clang import find_clang

sys.path.insert(0, str(Path(__file__).parents[1]))
from command import shell

GOOD = 'policy p {}\nrule r { match comm == "a" priority high }\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.gpl").write_text(GOOD)
    (tmp_path / "tmp").mkdir()
    return tmp_path


def program(folder: Path, text: str | bytes, mode: int = 0o755) -> str:
    path = folder / "tool"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(mode)
    return str(path)


ODD_TEXT = "printf 'a \\377 \\033[31m\\n' >&2; exit 1\n"
INSTALL = "install clang 19 or newer"
TOOLS = [
    ("", 0o644, "CLANG is set to {}, which is not a program", INSTALL),
    ("#!/none/such\n", 0o755, "cannot run {}: No such file or directory", INSTALL),
    (b"\x7fELF\x02\x01junk", 0o755, "cannot run {}: Exec format error", INSTALL),
    ("#!/bin/sh\nexit 0\n", 0o755, "{} reported success but wrote no object", INSTALL),
    ("#!/bin/sh\n: > policy.bpf.o\n", 0o755, "{} reported success but wrote no object", INSTALL),
    (
        "#!/bin/sh\necho int x > policy.bpf.o\n", 0o755,
        "{} reported success but wrote a file that is not a BPF object", INSTALL,
    ),
    (
        "#!/bin/sh\ncp /proc/self/exe policy.bpf.o\n", 0o755,
        "{} reported success but wrote a file that is not a BPF object", INSTALL,
    ),
    ("#!/bin/sh\nkill -9 $$\n", 0o755, "{} was killed (SIGKILL)", "most likely memory ran out"),
    ("#!/bin/sh\nexit 137\n", 0o755, "{} was killed (SIGKILL)", "most likely memory ran out"),
    ("#!/bin/sh\nkill -TERM $$\n", 0o755, "{} was terminated by SIGTERM", "try again"),
    ("#!/bin/sh\necho oh >&2; kill -SEGV $$\n", 0o755, "{} crashed (SIGSEGV):\noh", "try another"),
    (
        "#!/bin/sh\necho 'error: x.o: No space left on device' >&2; exit 1\n", 0o755,
        "{} has no space in the temporary folder", "set TMPDIR",
    ),
    (
        "#!/bin/sh\n[ $1 != --version ] || { echo Debian clang version 14.0.6; exit; }\nexit 1\n",
        0o755, "{} is clang 14, which is too old", INSTALL,
    ),
    (
        "#!/bin/sh\n[ $1 = --version ] || : >$TMPDIR/left; exit 1\n", 0o755,
        "{} failed and is not clang\n", INSTALL,
    ),
    ("#!/bin/sh\necho bad: $1 >&2; exit 1\n", 0o755, "{} failed and is not clang:\nbad:", INSTALL),
    (
        "#!/bin/sh\n[ $1 = --version ] && exec echo clang version 19.1.7\n" + ODD_TEXT,
        0o755, "{} could not compile the generated scheduler:\na \\xff \\x1b[31m",
        "this is a defect of gthulhuc",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "mode", "said", "help"), TOOLS)
def test_clang_failures_are_explained(
    text: str | bytes, mode: int, said: str, help: str, folder: Path
) -> None:
    tool = program(folder, text, mode)
    env = {"CLANG": tool, "TMPDIR": str(folder / "tmp")}
    result = shell("gthulhuc good.gpl", folder, env=env)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {said.format(tool)}")
    assert f"\n  = help: {help}" in result.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["good.gpl", "tmp", "tool"]
    assert list((folder / "tmp").iterdir()) == []


@pytest.mark.parametrize("name", ["./tool", "tool"])
def test_clang_by_a_relative_path(name: str, folder: Path) -> None:
    program(folder, f'#!/bin/sh\nexec {find_clang()} "$@"\n')
    env = {"CLANG": name, "PATH": f".:{os.environ['PATH']}"}
    result = shell("gthulhuc good.gpl", folder, env=env)
    assert (result.returncode, result.stderr) == (0, "")
    assert (folder / "good.bpf.o").read_bytes()[:4] == b"\x7fELF"


def test_no_clang_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLANG", raising=False)
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(codegen.ToolchainError, match=r"^clang was not found$") as caught:
        codegen.compile_object("")
    assert caught.value.help.startswith(INSTALL)


def test_a_temporary_folder_without_room(folder: Path) -> None:
    """No disk is full, but a file must not grow beyond 512 bytes."""
    result = shell("ulimit -f 1; gthulhuc good.gpl", folder, env={"TMPDIR": str(folder / "tmp")})
    assert result.returncode == 2
    assert result.stderr.startswith("error: cannot work in the temporary folder: File too large\n")
    assert "set TMPDIR" in result.stderr
    assert list((folder / "tmp").iterdir()) == []
