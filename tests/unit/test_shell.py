# SPDX-License-Identifier: Apache-2.0
"""Completion in real shells, the manual page in groff, and fast help."""

from __future__ import annotations

import os
import pty
import re
import resource
import select
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import environment
from gthulhuc.cli import gthulhu
from gthulhuc.cli.completion import parser_of
from gthulhuc.cli.manual import commands_of, page

PROGRAMS = ("gthulhu", "gthulhuc")
ROOT = Path(__file__).parents[2]


def script(shell: str, folder: Path, program: str = "gthulhu") -> Path:
    path = folder / f"_{program}"
    command = [sys.executable, "-m", "gthulhuc.cli.gthulhu", "completion", shell, "--for", program]
    environ = environment()
    path.write_bytes(subprocess.run(command, env=environ, capture_output=True, check=True).stdout)
    return path


def needs(program: str) -> str:
    found = shutil.which(program)
    assert found, f"{program} is missing: `make setup` installs it"
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with something to complete; the program must be on PATH for some shells."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work/policy.gpl").write_text("")
    (tmp_path / "gthulhu").write_text("#!/bin/sh\n")
    (tmp_path / "gthulhu").chmod(0o755)
    return tmp_path


WANTED = [
    ("gthulhu exp", "explain"),
    ("gthulhu import an", "ananicy"),
    ("gthulhu explain --par", "--parent"),
    ("gthulhu import gthulhu --semantics ker", "kernel"),
    ("gthulhu fmt pol", "policy.gpl"),
]


@pytest.mark.parametrize(("line", "wanted"), WANTED)
def test_bash_completes(line: str, wanted: str, folder: Path) -> None:
    words = line.split()
    commands = (
        f"source {script('bash', folder)}\n"
        f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}\n"
        f"COMP_LINE='{line}'; COMP_POINT={len(line)}\n"
        "name=$(complete -p gthulhu | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n"
        f'"$name" gthulhu {words[-1]} {words[-2]} >/dev/null 2>&1\n'
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    result = subprocess.run(
        [needs("bash"), "--norc"],
        input=commands, cwd=folder / "work", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert wanted in [reply.strip() for reply in result.stdout.split("\n")], result


@pytest.mark.parametrize(("line", "wanted"), WANTED)
def test_fish_completes(line: str, wanted: str, folder: Path) -> None:
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "HOME": str(folder), "PATH": path}
    source = script("fish", folder)
    result = subprocess.run(
        [needs("fish"), "--no-config", "-c", f"source {source}; complete -C '{line}'"],
        env=environ, cwd=folder / "work", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert wanted in [reply.split("\t")[0] for reply in result.stdout.split("\n")], result


@pytest.mark.parametrize(("line", "wanted"), WANTED)
def test_zsh_completes(line: str, wanted: str, folder: Path) -> None:
    """zsh completes only on a terminal: here is one."""
    script("zsh", folder)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder / "work")
        environ = {**os.environ, "HOME": str(folder), "TERM": "xterm", "PS1": "> "}
        environ["PATH"] = f"{folder}{os.pathsep}{environ['PATH']}"
        os.execve(needs("zsh"), ["zsh", "-f", "-i"], environ)
    try:
        os.write(terminal, f"fpath=({folder} $fpath); autoload -U compinit\n".encode())
        os.write(terminal, b"compinit -u -D; echo rea''dy\n")
        assert "ready" in read_until(terminal, "\nready")
        os.write(terminal, line.encode() + b"\t")
        typed = line.rsplit(" ", 1)[0] + " " + wanted
        assert typed in read_until(terminal, typed)
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def read_until(terminal: int, wanted: str) -> str:
    """Returns the terminal's output until the wanted text, or 20 silent seconds."""
    seen = ""
    while wanted not in plain(seen):
        ready, _, _ = select.select([terminal], [], [], 20)
        if not ready:
            break
        seen += os.read(terminal, 4096).decode(errors="replace")
    return plain(seen)


def plain(shown: str) -> str:
    """The text without what moves the cursor; a character that is taken back is gone."""
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x07|\r", "", shown)
    while (shorter := re.sub(r"[^\x08]\x08", "", shown)) != shown:
        shown = shorter
    return shown


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_manual_page_is_well_formed_and_whole(program: str) -> None:
    text = "\n".join(page(parser_of(program))) + "\n"
    command = [needs("groff"), "-man", "-ww", "-Tutf8", "-P-c"]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    shown = re.sub(r".\x08", "", result.stdout)
    for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "SEE ALSO"):
        assert re.search(f"^{heading}$", shown, re.MULTILINE), heading
    help_text = parser_of(program).format_help()
    for option in re.findall(r"--[a-z-]+", help_text):
        assert option in shown or option == "--help"


@pytest.mark.parametrize("command", ["", *dict(commands_of(parser_of("gthulhu")))])
def test_help_teaches_by_examples(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main([*command.split(), "--help"]) == 0
    assert "examples:\n" in capfd.readouterr().out


def examples() -> list[str]:
    """Every command line of the commands' help, of README and the reference."""
    parsers = [parser_of(program) for program in PROGRAMS]
    parsers += dict(commands_of(parsers[0])).values()
    lines = [line for parser in parsers for line in (parser.epilog or "").split("\n")]
    for name in ("README.md", "docs/language.md", "docs/operations.md"):
        for block in re.findall(r"```sh\n(.*?)```", (ROOT / name).read_text(), re.DOTALL):
            lines += re.sub(r"\$\w+", "4711", block).split("\n")
    found = (re.search(r"(?:^ *|[|] |  |sudo )(gthulhuc? .*)", line) for line in lines)
    return sorted({re.split(r" {2,}|[|<>#]", each[1])[0].strip() for each in found if each})


@pytest.mark.parametrize("line", examples())
def test_every_example_is_a_command(line: str) -> None:
    program, *arguments = shlex.split(line)
    status: object = 0
    try:
        parser_of(program).parse_args(arguments)
    except SystemExit as ended:  # as `--explain CODE` ends
        status = ended.code
    assert status == 0


def test_help_costs_little_more_than_python_with_argparse() -> None:
    """A ratio of CPU times, each the best of a few: what the machine does besides counts less."""

    def best(code: str) -> float:
        times = []
        for _ in range(5):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)  # os.times() counts in 10 ms
            environ = environment()
            subprocess.run(
                [sys.executable, "-c", code], env=environ, check=False, capture_output=True
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            time.sleep(0.01)
        return min(times)

    base = best("import argparse, tempfile, pathlib; argparse.ArgumentParser().format_help()")
    ours = best("from gthulhuc.cli.gthulhu import main; main(['--help'])")
    assert ours < 3 * base + 0.02
