# SPDX-License-Identifier: Apache-2.0
"""Input and output files: written completely or not at all, with helpful errors."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from command import environment, shell
from gthulhuc import formatter
from gthulhuc.cli import gthulhu, shared
from gthulhuc.formatter import format_source
from gthulhuc.source import Source

GOOD = 'policy p {}\nrule r { match comm == "a" priority high }\n'
NOBODY = 65534


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.gpl").write_text(GOOD)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ---- out ----------------------------------------------------------------------------------------

BAD_PLACES = [
    ("/", "/", "Is a directory", "name a file in it"),
    ("..", "..", "Is a directory", "name a file in it"),
    ("out/", "out/", "Is a directory", "name a file in it"),
    ("", "a file without a name", "Invalid argument", "name another place"),
    ("none/x.o", "none/x.o", "No such file or directory", "its folder does not exist"),
    ("good.gpl/x.o", "good.gpl/x.o", "Not a directory", "name another place"),
    ("x" * 256, "x" * 256, "File name too long", "name another place"),
    ("loop", "loop", "Too many levels of symbolic links", "name another place"),
    ("/dev/full", "/dev/full", "No space left on device", "its file system is full"),
]


@pytest.mark.parametrize(
    ("emit", "output", "shown", "why", "hint"),
    [*(("ast", *place) for place in BAD_PLACES), ("o", *BAD_PLACES[0]), ("ir", *BAD_PLACES[3])],
    ids=lambda text: text[:9],
)
def test_impossible_output_places_are_refused(
    emit: str, output: str, shown: str, why: str, hint: str, folder: Path
) -> None:
    (folder / "loop").symlink_to("loop")
    result = shell(f"gthulhuc good.gpl --emit {emit} -o '{output}'", folder)
    assert result.returncode == 2
    assert result.stderr.startswith(f"error: cannot write {shown}: {why}\n  = help: {hint}")
    assert names(folder) == ["good.gpl", "loop"]


@pytest.mark.parametrize("line", ["gthulhuc ''", "gthulhu check ''", "gthulhu inspect ''"])
def test_file_without_a_name_is_ignored(line: str, folder: Path) -> None:
    result = shell(line, folder)
    assert (result.returncode, result.stderr.split("\n")[0]) == (
        2,
        "error: expected a file name, found an empty text",
    )


def test_a_file_that_does_not_fit_is_not_left_half_written(folder: Path) -> None:
    (folder / "out").write_text("before")
    # No disk is full, but a file must not grow beyond 512 bytes.
    result = shell("ulimit -f 1; gthulhuc good.gpl --emit c -o out", folder)
    assert result.returncode == 2
    assert result.stderr.startswith("error: cannot write out: File too large\n")
    assert (folder / "out").read_text() == "before"
    assert names(folder) == ["good.gpl", "out"]


def test_a_folder_that_is_not_writable(folder: Path) -> None:
    (folder / "closed").mkdir(mode=0o555)
    (folder / "closed/out").write_text("before")
    folder.chmod(0o755)
    script = (
        "import os, sys; from gthulhuc.cli import frame, shared\n"
        "import tempfile, gthulhuc.diagnostics.human  # while the user is one who may read it\n"
        f"if os.geteuid() == 0: os.seteuid({NOBODY})  # root may write anywhere\n"
        "def write():\n    shared.write_file('closed/out', b'after')\n    return 0\n"
        "sys.exit(frame.guarded(write))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 2
    assert result.stderr.startswith("error: cannot write closed/out: Permission denied\n  = help: ")
    assert (folder / "closed/out").read_text() == "before"


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_the_mode_of_a_new_file_is_what_umask_says(mask: int, folder: Path) -> None:
    assert shell(f"umask {mask:o}; gthulhuc good.gpl --emit ast -o new", folder).returncode == 0
    assert stat.S_IMODE((folder / "new").stat().st_mode) == 0o666 & ~mask


def test_a_file_that_is_there_keeps_its_mode(folder: Path) -> None:
    (folder / "out").write_text("before")
    (folder / "out").chmod(0o640)
    shared.write_file(str(folder / "out"), b"after")
    assert (folder / "out").read_text() == "after"
    assert stat.S_IMODE((folder / "out").stat().st_mode) == 0o640


def test_a_link_goes_on_pointing_where_it_did(folder: Path) -> None:
    (folder / "there").mkdir()
    (folder / "there/real").write_text("before")
    (folder / "link").symlink_to("there/real")
    (folder / "dangling").symlink_to("there/new")
    for link, target in (("link", "real"), ("dangling", "new")):
        shared.write_file(str(folder / link), b"after")
        assert (folder / link).is_symlink()
        assert (folder / "there" / target).read_text() == "after"
    assert names(folder / "there") == ["new", "real"]


def test_readers_see_the_old_file_or_the_new_one(folder: Path) -> None:
    out = folder / "out"
    out.write_text("before")
    with out.open() as reader:
        shared.write_file(str(out), b"after")
        assert (reader.read(), out.read_text()) == ("before", "after")


def test_a_scratch_file_cannot_be_foreseen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anyone who can write to the folder could put a link in the place of a known name."""
    seen: list[str] = []
    replace = Path.replace

    def watched(self: Path, target: Path) -> Path:
        seen.append(self.name)
        assert self.parent == target.parent
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    shared.write_file(str(folder / "out"), b"1")
    shared.write_file(str(folder / "out"), b"2")
    assert len(set(seen)) == 2
    assert not any(str(os.getpid()) in name for name in seen)


def test_devices_and_pipes_are_written_to(folder: Path) -> None:
    result = shell("gthulhuc good.gpl --emit ast -o /dev/stdout | head -c 1", folder)
    assert (result.stdout, result.stderr) == ("{", "")
    shared.write_file("/dev/null", b"x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("name", ["good.gpl", "hard", "soft", "lib.gpl"])
@pytest.mark.parametrize("source", ["good.gpl", "- < good.gpl"])
def test_an_output_never_takes_the_place_of_a_source(name: str, source: str, folder: Path) -> None:
    (folder / "lib.gpl").write_text('set s = ["a"]\n')
    (folder / "good.gpl").write_text('include "lib.gpl"\n' + GOOD.replace('== "a"', "in s"))
    (folder / "hard").hardlink_to(folder / "good.gpl")
    (folder / "soft").symlink_to("good.gpl")
    before = (folder / name).read_text()
    result = shell(f"gthulhuc --emit c -o {name} {source}", folder)
    assert result.returncode == 2
    assert f"error: refusing to overwrite {name}, a source of this policy" in result.stderr
    assert (folder / name).read_text() == before


# ---- in -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["check - -", "fmt - good.gpl -"])
def test_standard_input_is_read_once(line: str, folder: Path) -> None:
    result = shell(f"gthulhu {line} < good.gpl", folder)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: cannot read standard input twice\n")


@pytest.mark.parametrize("line", ["check --format short", "fmt --check"])
def test_a_file_that_cannot_be_read_keeps_no_other_from_its_turn(line: str, folder: Path) -> None:
    (folder / "bad.gpl").write_text("policy p {}\nrule  r { match comm == 'a' slice 2 }\n")
    result = shell(f"gthulhu {line} gone.gpl bad.gpl", folder)
    assert result.returncode == 2
    assert "error: cannot read gone.gpl: No such file or directory\n" in result.stderr
    assert "bad.gpl" in result.stdout + result.stderr.replace("gone", "")


def test_fmt_does_not_undo_what_an_editor_saves(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "good.gpl"

    def slow(source: Source) -> object:
        path.write_text("policy saved {}\n")
        return format_source(source)

    monkeypatch.setattr(formatter, "format_source", slow)
    assert gthulhu.main(["fmt", str(path)]) == 2
    assert f"error: {path} changed while it was formatted\n" in capsys.readouterr().err
    assert path.read_text() == "policy saved {}\n"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("gthulhuc .", "cannot read .: Is a directory"),
        ("gthulhu check loop", "cannot read loop: Too many levels of symbolic links"),
        (f"gthulhu check {'x' * 256}", f"cannot read {'x' * 256}: File name too long"),
        ("gthulhu fmt good.gpl/x", "cannot read good.gpl/x: Not a directory"),
        ("gthulhu explain gone.gpl", "cannot read gone.gpl: No such file or directory"),
        ("gthulhu import ananicy gone", "cannot read gone: it is not a folder"),
        (f"gthulhu import ananicy {'x' * 256}", f"{'x' * 256}: File name too long"),
        (f"gthulhu run {'x' * 256}", f"cannot read {'x' * 256}: File name too long"),
        ("gthulhu check --target . good.gpl", "cannot read .: Is a directory"),
    ],
)
def test_unreadable_input_is_reported(line: str, why: str, folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    result = shell(line, folder)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.split("\n")[0] == f"error: {why}"


@pytest.mark.parametrize(
    ("include", "why"),
    [
        ("good.gpl", "a file includes itself"),
        ("same.gpl", "a file includes itself"),
        (".", "cannot include `.`: Is a directory"),
        ("gone.gpl", "cannot include `gone.gpl`: No such file or directory"),
        ("x" * 256, f"cannot include `{'x' * 256}`: File name too long"),
        ("loop", "cannot include `loop`: Too many levels of symbolic links"),
        ("good.gpl/x", "cannot include `good.gpl/x`: Not a directory"),
        ("/dev/full", "cannot include `/dev/full`: not a regular file"),
        ("pipe", "cannot include `pipe`: not a regular file"),
    ],
    ids=lambda text: text[:9],
)
def test_invalid_includes_are_refused(include: str, why: str, folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "same.gpl").symlink_to("good.gpl")
    os.mkfifo(folder / "pipe")
    (folder / "good.gpl").write_text(f'include "{include}"\n{GOOD}')
    result = shell("gthulhuc good.gpl", folder)
    assert result.returncode == 1
    assert f": {why}\n --> good.gpl:1:" in result.stderr
    assert names(folder) == ["good.gpl", "loop", "pipe", "same.gpl"]


def test_the_kernels_own_files_are_not_read(folder: Path) -> None:
    """The log of the kernel looks regular; reading it waits, and takes it from others."""
    (folder / "good.gpl").write_text(f'include "/proc/kmsg"\n{GOOD}')
    result = shell("gthulhuc good.gpl --emit ir", folder)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_parent_of_a_linked_folder_is_where_the_link_leads(folder: Path) -> None:
    (folder / "shared/inner").mkdir(parents=True)
    (folder / "here").symlink_to("shared/inner")
    (folder / "shared/lib.gpl").write_text('set right = comm == "right"\n')
    (folder / "lib.gpl").write_text('set wrong = comm == "wrong"\n')
    (folder / "good.gpl").write_text(
        'policy p {}\ninclude "here/../lib.gpl"\nrule r { match right priority high }\n'
    )
    result = shell("gthulhu check good.gpl", folder)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_file_that_goes_between_two_looks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source is gone when its place is compared with the output's: nothing is lost by that."""
    monkeypatch.chdir(folder)
    from gthulhuc import plan
    from gthulhuc.cli import compile as compiler

    build = plan.build

    def slow(*args: Any) -> object:
        (folder / "good.gpl").unlink()
        return build(*args)

    monkeypatch.setattr(plan, "build", slow)
    assert compiler.main(["good.gpl", "--emit", "c", "-o", "out.c"]) == 0
    assert names(folder) == ["out.c"]


# ---- names that are not text --------------------------------------------------------------------

ODD = b"od\xffd\x1b[31m.gpl"
SHOWN = r"od\xffd\x1b[31m.gpl"


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("gthulhuc {} --emit ast", 0), ("gthulhuc {} --emit ir", 0), ("gthulhuc {} --emit c", 0),
        ("gthulhuc {}", 0), ("gthulhuc {} -o {}.o", 0), ("gthulhu check {} bad", 1),
        ("gthulhu explain {}", 0), ("gthulhu explain {} --json", 0), ("gthulhu fmt --diff {}", 0),
        ("gthulhu fmt --check {}", 1), ("gthulhu fmt {}", 0),
        *((f"gthulhu check --format {each} {{}}", 1)
          for each in ("human", "short", "json", "sarif", "github")),
    ],
)  # fmt: skip
def test_a_name_that_is_not_text(line: str, status: int, folder: Path) -> None:
    path = os.fsencode(folder) + b"/" + ODD
    is_wrong = status == 1 and "fmt" not in line
    Path(os.fsdecode(path)).write_text(GOOD.replace("high", "hihg") if is_wrong else GOOD + " ")
    (folder / "bad").write_text("policy p {}")
    quoted = os.fsdecode(b"'" + ODD + b"'")
    result = shell(line.replace("{}.o", quoted[:-1] + ".o'").replace("{}", quoted), folder)
    assert (result.returncode, "internal error" in result.stderr) == (status, False)
    said = result.stdout + result.stderr
    assert "\x1b" not in said
    if is_wrong or "--diff" in line or "--check" in line:
        assert any(each in said for each in (SHOWN, r"od\\xffd\u001b", "od%FFd%1B"))
