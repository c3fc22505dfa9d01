# SPDX-License-Identifier: Apache-2.0
"""The command lines as processes and as functions: exit codes, outputs, no traceback."""

from __future__ import annotations

import json
import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from command import environment, run
from gthulhu.loader import find_loader
from gthulhuc import checked, codegen, plan
from gthulhuc.cli import gthulhu, shared
from gthulhuc.cli.inspection import describe, read_metadata
from gthulhuc.frontend import check
from gthulhuc.source import Source

GOOD = 'policy p {}\nrule r { match comm == "a" priority high }\n'
BAD = 'policy p {}\nrule r { match comm == "a" slice 2 }\n'


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.gpl"
    path.write_text(GOOD)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.gpl"
    path.write_text(BAD)
    return path


def test_check_says_nothing_about_a_good_policy(good: Path) -> None:
    result = run("gthulhu", "check", str(good))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_check_reports_errors_and_exits_1(good: Path, bad: Path) -> None:
    result = run("gthulhu", "check", str(bad), str(good))
    assert result.returncode == 1
    assert f"error[GPL0201]: `2` has no unit\n --> {bad}:2:34\n" in result.stderr
    assert result.stderr.endswith(f"error: {bad} has 1 error\n")
    assert result.stdout == ""


def test_check_reads_standard_input() -> None:
    result = run("gthulhu", "check", "-", stdin=BAD)
    assert result.returncode == 1
    assert "--> <stdin>:2:34" in result.stderr


@pytest.mark.parametrize("args", [["gthulhu"], ["gthulhu", "frob"], ["compile"], ["compile", "-x"]])
def test_wrong_usage_exits_2(args: list[str]) -> None:
    result = run(*args)
    assert result.returncode == 2
    assert "usage:" in result.stderr


def test_an_unknown_option_shows_the_usage_of_its_command() -> None:
    result = run("gthulhu", "check", "x.gpl", "--nope")
    assert result.returncode == 2
    assert result.stderr.startswith("usage: gthulhu check ")
    assert result.stderr.endswith("gthulhu check: error: unrecognized arguments: --nope\n")


@pytest.mark.parametrize("args", [["gthulhu", "check"], ["compile"], ["gthulhu", "inspect"]])
def test_an_unreadable_file_exits_2(args: list[str], tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    result = run(*args, str(missing))
    assert result.returncode == 2
    assert result.stderr == f"error: cannot read {missing}: No such file or directory\n"
    folder = run(*args, str(tmp_path))
    assert (folder.returncode, "Is a directory" in folder.stderr) == (2, True)


@pytest.mark.parametrize("module", ["compile", "gthulhu"])
def test_help_teaches_and_loads_nothing_heavy(module: str) -> None:
    script = (
        f"import sys; from gthulhuc.cli.{module} import main\n"
        "main(['--help'])\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} "
        "& {'antlr4', 'pydantic', 'jinja2', 'elftools'}))"
    )
    environ = environment()
    output = subprocess.run(
        [sys.executable, "-c", script], env=environ, capture_output=True, text=True, check=True
    ).stdout
    assert "examples:" in output
    assert output.endswith("[]\n")


def test_emit_ast_is_json(good: Path, bad: Path) -> None:
    result = run("compile", str(good), "--emit", "ast")
    assert result.returncode == 0
    assert json.loads(result.stdout)["items"][1]["name"]["text"] == "r"
    # A missing unit is no matter of form.
    assert run("compile", str(bad), "--emit", "ast").returncode == 0


def test_errors_leave_the_output_as_it_was(bad: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    output.write_text("before")
    result = run("compile", str(bad), "--emit", "ir", "-o", str(output))
    assert result.returncode == 1
    assert output.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.gpl", "out.json"]


def test_an_object_from_standard_input_needs_a_name() -> None:
    result = run("compile", "-", stdin=GOOD)
    assert result.returncode == 2
    assert "-o OUT" in result.stderr


@pytest.mark.parametrize("emit", ["ast", "ir", "c", "o"])
def test_an_output_never_takes_the_place_of_a_source(good: Path, emit: str) -> None:
    before = good.read_text()
    result = run("compile", str(good), "--emit", emit, "-o", str(good))
    assert result.returncode == 2
    assert f"error: refusing to overwrite {good}, a source of this policy" in result.stderr
    assert good.read_text() == before


def test_a_file_without_an_end_is_refused() -> None:
    result = run("gthulhu", "check", "/dev/zero")
    assert result.returncode == 2
    assert result.stderr.startswith("error: cannot read /dev/zero: it is larger than 64 MB")


def test_a_bug_is_a_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> int:
        raise RecursionError("too deep")

    monkeypatch.delenv("GTHULHU_DEBUG", raising=False)
    assert shared.guarded(broken) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: internal error: RecursionError: too deep\n")
    assert "Traceback" not in said
    monkeypatch.setenv("GTHULHU_DEBUG", "1")
    with pytest.raises(RecursionError):
        shared.guarded(broken)


def test_colour_is_given_when_asked_for(bad: Path) -> None:
    assert "\x1b[1;31merror" in run("gthulhu", "check", "--color", "always", str(bad)).stderr
    assert "\x1b" not in run("gthulhu", "check", "--color", "never", str(bad)).stderr


# ---- inspect ------------------------------------------------------------------------------------


def elf_with(section: bytes, content: bytes) -> bytes:
    """A 64-bit ELF object with one section besides the table of names."""
    names = b"\0" + section + b"\0.shstrtab\0"
    header_size, entry = 64, 64
    at_names = header_size + len(content)
    at_table = at_names + len(names)
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    header = ident + struct.pack(
        "<HHIQQQIHHHHHH", 1, 247, 1, 0, 0, at_table, 0, header_size, 0, 0, entry, 3, 2
    )

    def row(name: int, kind: int, start: int, size: int) -> bytes:
        return struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, start, size, 0, 0, 1, 0)

    table = row(0, 0, 0, 0) + row(1, 1, header_size, len(content))
    table += row(len(section) + 2, 3, at_names, len(names))
    return header + content + names + table


def test_inspect_prints_what_the_object_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metadata = {
        "policy": "upf",
        "versions": {"gthulhuc": "0.1.0"},
        "rules": [{"name": "ran", "line": 14, "level": "urgent"}, {"name": "x", "line": None}],
    }
    path = tmp_path / "upf.bpf.o"
    path.write_bytes(elf_with(b".gthulhu", json.dumps(metadata).encode() + b"\0"))
    assert gthulhu.main(["inspect", str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "policy    upf",
        "versions  gthulhuc 0.1.0",
        "",
        "rules:",
        "  name  line  level",
        "  ran   14    urgent",
        "  x     -     -",
    ]
    assert gthulhu.main(["inspect", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == metadata


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not an ELF object"),
        (b"\x7fELF", "not an ELF object"),
        (elf_with(b".text", b"x")[:100], "not an ELF object"),
        (elf_with(b".text", b"x"), "no section .gthulhu"),
        (elf_with(b".gthulhu", b"{"), "corrupt"),
        (elf_with(b".gthulhu", b"[1]"), "corrupt"),
        (elf_with(b".gthulhu", b"\xff"), "corrupt"),
        (elf_with(b".gthulhu", b'{"a":' * 100_000), "corrupt"),
    ],
)
def test_inspect_refuses_files_without_metadata(data: bytes, reason: str) -> None:
    with pytest.raises(shared.CommandError, match=reason):
        read_metadata("x.o", data)


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_inspect_of_metadata_that_is_too_deep(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = b'{"a":' + b"[" * 980 + b"]" * 980 + b"}"
    (tmp_path / "x.o").write_bytes(elf_with(b".gthulhu", deep))
    status = gthulhu.main(["inspect", *option, str(tmp_path / "x.o")])
    said = capsys.readouterr().err
    assert (status, said) == (0, "") or (status == 2 and "is corrupt\n" in said)


def test_inspect_of_damaged_objects(tmp_path: Path) -> None:
    """A real object with bytes that are not its own, most of them where its structure is said."""
    data = codegen.compile_object(codegen.render(plan.build(policy_of(GOOD))))
    table = int.from_bytes(data[40:48], "little")
    chance = random.Random(1)
    results = set()
    for _ in range(2000):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 8)):
            start, end = chance.choice([(0, 64), (table, len(data)), (0, len(data))])
            at = chance.randrange(start, end)
            damaged[at : at + 8] = chance.choice(
                [chance.randbytes(1) + damaged[at + 1 : at + 8], bytes(8), b"\xff" * 8]
            )
        if chance.random() < 0.1:
            del damaged[chance.randrange(len(damaged)) :]
        try:
            describe(read_metadata("x.o", bytes(damaged)))
            results.add("")
        except shared.CommandError as error:
            results.add(str(error).partition(":")[0])
    assert results == {
        "",
        "x.o is not an ELF object",
        "x.o was not compiled by gthulhuc",
        "the metadata in x.o is corrupt",
    }


def policy_of(text: str) -> checked.Policy:
    policy, _ = check(Source("good.gpl", text))
    assert policy is not None
    return policy


def test_inspect_prints_no_control_characters() -> None:
    assert "\x1b" not in describe({"policy": "\x1b[31m"})


# ---- run ----------------------------------------------------------------------------------------


def executable(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_the_loader_is_searched_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    on_path = executable(folder / "gthulhu-loader")
    in_checkout = tmp_path / "runtime" / "gthulhu-loader"
    environ = {"PATH": str(folder)}
    assert find_loader(environ, in_checkout) == str(on_path)
    in_checkout.parent.mkdir()
    executable(in_checkout)
    assert find_loader(environ, in_checkout) == str(in_checkout)
    named = executable(tmp_path / "mine")
    assert find_loader({**environ, "GTHULHU_LOADER": str(named)}, in_checkout) == str(named)


def test_missing_loader_is_reported(tmp_path: Path) -> None:
    with pytest.raises(shared.CommandError) as caught:
        find_loader({"PATH": str(tmp_path)}, tmp_path / "gthulhu-loader")
    assert caught.value.hint.startswith("build it with `make -C runtime`")
    with pytest.raises(shared.CommandError, match="cannot execute"):
        find_loader({"GTHULHU_LOADER": str(tmp_path / "none")})


def test_run_becomes_the_loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = executable(tmp_path / "loader", '#!/bin/sh\necho "$@"\nexit 3\n')
    monkeypatch.setenv("GTHULHU_LOADER", str(loader))
    target = tmp_path / "x.o"
    target.write_bytes(b"\x7fELF")
    result = run("gthulhu", "run", str(target), "--verbose")
    said = f"--verbose --state=/run/gthulhu -- {target}\n"
    assert (result.returncode, result.stdout) == (3, said)
    options = [
        "--set",
        "a=1",
        "--set=b=2",
        "--detach",
        "--restart",
        "on-failure:5",
        "--state",
        "/x",
    ]
    result = run("gthulhu", "run", "-q", *options, str(target))
    assert result.stdout == (
        f"--quiet --set=a=1 --set=b=2 --detach --restart=on-failure:5 --state=/x -- {target}\n"
    )
    assert run("gthulhu", "run", "--restart", "always", str(target)).returncode == 2
    assert run("gthulhu", "run", str(tmp_path / "none.o")).returncode == 2


@pytest.mark.parametrize("option", ["--stats", "--monitor"])
def test_compiler_options_are_refused_for_an_object(option: str, tmp_path: Path) -> None:
    compiled = tmp_path / "shop.bpf.o"
    compiled.write_bytes(b"\x7fELF")
    result = run("gthulhu", "run", option, str(compiled))
    assert (result.returncode, result.stdout) == (2, "")
    assert f"{option}: expected a policy's source, found the object {compiled}" in result.stderr
    assert f"compile the source with `gthulhuc {option} policy.gpl`" in result.stderr


def test_run_compiles_a_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loader = executable(
        tmp_path / "loader",
        '#!/bin/sh\nfor last; do :; done\nhead -c 4 "$last" | od -An -c\necho "$@"\n',
    )
    monkeypatch.setenv("GTHULHU_LOADER", str(loader))
    source = tmp_path / "shop.gpl"
    source.write_text('policy shop {}\nrule a { match comm == "a" }\n')
    result = run("gthulhu", "run", str(source))
    magic, arguments = result.stdout.splitlines()
    assert magic.split() == ["177", "E", "L", "F"]
    assert arguments.startswith(f"--state=/run/gthulhu --called {source} /proc/self/fd/")
    source.write_text("policy shop {\n")
    result = run("gthulhu", "run", str(source))
    assert (result.returncode, result.stdout) == (1, "")
    assert "error[GPL" in result.stderr
