# SPDX-License-Identifier: Apache-2.0
"""Streams that are closed or full, odd encodings, signals: an exit status and no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from command import environment, shell
from gthulhuc.cli import frame

GOOD = 'policy p {}\nrule r { match comm == "ä" priority high }\n'
BAD = 'policy p {}\nrule r { match comm == "ä" slice 2 }\n'
OBJECT = "inspect x.o"  # is not there: a message to standard error


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.gpl").write_text(GOOD)
    (tmp_path / "bad.gpl").write_text(BAD)
    (tmp_path / "untidy.gpl").write_text("policy   p {}")
    return tmp_path


WRITING = [
    "gthulhuc good.gpl --emit ast", "gthulhuc good.gpl --emit ir", "gthulhuc good.gpl --emit c",
    "gthulhuc good.gpl -o -", "gthulhuc --explain GPL0403", "gthulhuc --help",
    "gthulhuc --version", "gthulhu --help", "gthulhu explain good.gpl --comm a",
    "gthulhu explain good.gpl --comm a --json", "gthulhu check --format json good.gpl",
    "gthulhu check --format sarif bad.gpl", "gthulhu fmt --diff untidy.gpl",
    "gthulhu fmt - < untidy.gpl", "gthulhu completion bash", "gthulhu manual",
]  # fmt: skip


FULL = ("> /dev/full", "No space left on device")
CLOSED = (">&-", "it is closed")


@pytest.mark.parametrize(
    ("line", "where", "why"),
    [*((line, *FULL) for line in WRITING), *((line, *CLOSED) for line in WRITING[::4])],
)
def test_unwritable_output_is_reported(line: str, where: str, why: str, folder: Path) -> None:
    result = shell(f"{line} {where}", folder)
    assert result.returncode == 2
    assert result.stderr == f"error: cannot write to standard output: {why}\n"


@pytest.mark.parametrize("where", ["2> /dev/full", "2>&-"])
@pytest.mark.parametrize(
    "line",
    [
        "gthulhuc bad.gpl", "gthulhuc none.gpl", "gthulhuc --frob", "gthulhuc --explain GPL9999",
        "gthulhu check bad.gpl", "gthulhu", f"gthulhu {OBJECT}", "gthulhu fmt --check untidy.gpl",
    ],
)  # fmt: skip
def test_undeliverable_diagnostics_are_dropped(line: str, where: str, folder: Path) -> None:
    result = shell(f"{line} {where}", folder)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", "")


@pytest.mark.parametrize("line", ["gthulhu check -", "gthulhu fmt -", "gthulhuc - -o x.o"])
def test_closed_input_is_reported(line: str, folder: Path) -> None:
    result = shell(f"{line} <&-", folder)
    assert result.returncode == 2
    assert result.stderr == "error: cannot read <stdin>: it is closed\n"


def test_closed_streams_hurt_nothing_else(folder: Path) -> None:
    """The first file that is opened must not get the number of a stream."""
    result = shell("gthulhuc good.gpl -o good.o <&- >&- 2>&-", folder)
    assert result.returncode == 0
    assert (folder / "good.o").read_bytes()[:4] == b"\x7fELF"
    assert shell("gthulhu check good.gpl <&- >&- 2>&-", folder).returncode == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_is_not_told(unbuffered: str, folder: Path) -> None:
    many = "".join(f'rule r{i} {{ match comm == "n{i}" slice 2 }}\n' for i in range(2000))
    (folder / "many.gpl").write_text("policy p {}\n" + many)
    result = shell(
        "{ gthulhu check --format json many.gpl; echo $? > status; } | head -1", folder,
        env={"PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    assert (result.stdout, result.stderr) == ("[\n", "")
    assert (folder / "status").read_text() == "2\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    "line",
    [
        "gthulhuc bad.gpl",
        "gthulhuc good.gpl --emit ast",
        "gthulhu explain good.gpl --comm ä",
        "gthulhu explain good.gpl --comm €uro-and-more-bytes --process ä",
        "gthulhu check --format short bad.gpl",
        "gthulhu fmt --diff good.gpl",
        "gthulhu --help",
        "gthulhuc bad.gpl -ö",
    ],
)
def test_streams_without_all_characters(line: str, encoding: str, folder: Path) -> None:
    result = shell(f"{line} > out", folder, env={"PYTHONIOENCODING": encoding})
    assert result.returncode == (2 if "-ö" in line else 1 if "bad" in line else 0)
    assert "internal error" not in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr or (folder / "out").stat().st_size


@pytest.mark.parametrize("code", ["GPL0001", "GPL0205", "GPL0414"])
def test_pages_lose_nothing_to_an_encoding(code: str, folder: Path) -> None:
    whole = shell(f"gthulhuc --explain {code}", folder).stdout
    ascii_only = shell(f"gthulhuc --explain {code}", folder, env={"PYTHONIOENCODING": "ascii"})
    assert ascii_only.stdout == whole.encode("ascii", "backslashreplace").decode()


# ---- signals ------------------------------------------------------------------------------------


def start(folder: Path, *args: str, clang: str = "") -> subprocess.Popen[str]:
    """Starts gthulhuc with a clang of ours and a temporary folder of its own."""
    (folder / "tmp").mkdir(exist_ok=True)
    env = environment(TMPDIR=str(folder / "tmp"))
    if clang:
        path = folder / "clang"
        path.write_text(clang)
        path.chmod(0o755)
        env["CLANG"] = str(path)
    # Under nohup the tests ignore SIGHUP, and what they start would, too.
    return subprocess.Popen(
        ["env", "--default-signal=HUP", sys.executable, "-m", "gthulhuc.cli.compile", *args],
        cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_clang_and_leaves_nothing(number: int, status: int, folder: Path) -> None:
    # As a wrapper does: the compiler proper is a child of the program that was started.
    process = start(
        folder, "good.gpl", clang="#!/bin/sh\nsleep 60 &\necho $! > ../../child\nwait\n"
    )
    child = wait_for(folder / "child")
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (status, "", "")
    assert list((folder / "tmp").iterdir()) == []
    assert not (folder / "good.bpf.o").exists()
    assert is_gone(child)


def wait_for(path: Path) -> int:
    """The number that a file holds, once it does."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if path.exists() and (text := path.read_text()).endswith("\n"):
            return int(text)
        time.sleep(0.01)
    raise AssertionError(f"{path.name} never came")


def is_gone(pid: int) -> bool:
    """Whether a process ends within some seconds; one that is only not waited for has ended."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    return False


# Python's actions before our first line are out of reach, so the signal comes while a module of
# the command is imported. Before the frame is set up, Python dies of it.
EARLY = ("gthulhuc.cli.compile", "gthulhuc.cli.frame")
MODULES = (
    *EARLY,
    "argparse",
    "gthulhuc.cli.reporting",
    "gthulhuc.frontend",
    "gthulhuc.plan",
    "jinja2",
)


@pytest.mark.parametrize("module", MODULES)
def test_an_interrupt_during_an_import_is_no_traceback(module: str, folder: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "sys.modules.pop('argparse', None)\n"
        "from gthulhuc.cli.compile import main\n"
        "sys.exit(main(['good.gpl', '--emit', 'c']))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    status = -signal.SIGINT if module in EARLY else 130
    assert (result.returncode, result.stdout, result.stderr) == (status, "", "")


def test_a_signal_in_a_destructor_is_not_lost(capfd: pytest.CaptureFixture[str]) -> None:
    """Python drops what is raised there, and would say so with a traceback."""

    class Odd:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)

    def command() -> int:
        Odd()
        time.sleep(20)
        return 0

    start = time.monotonic()
    assert frame.guarded(command) == 143
    assert time.monotonic() - start < 10
    assert capfd.readouterr().err == ""


def test_a_signal_in_the_making_of_a_class_is_no_bug(capfd: pytest.CaptureFixture[str]) -> None:
    """Python 3.11 makes another error of whatever `__set_name__` raises."""

    class Odd:
        def __set_name__(self, owner: type, name: str) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)

    def command() -> int:
        type("Owner", (), {"odd": Odd()})
        return 0

    assert frame.guarded(command) == 130
    assert capfd.readouterr().err == ""


def test_a_signal_that_is_ignored_stays_so(folder: Path) -> None:
    result = shell("trap '' HUP; exec 3>&1; (gthulhu check good.gpl; echo $?)", folder)
    assert result.stdout == "0\n"
