# SPDX-License-Identifier: Apache-2.0
"""`gthulhu doctor`: the loader's findings, its own, and their output."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command import shell
from gthulhu.commands.doctor import Finding, of_services
from gthulhuc.codegen.clang import find_clang

CLANG = f'#!/bin/sh\nexec {find_clang()} "$@"\n'


def program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    program(tmp_path / "clang", CLANG)
    return tmp_path


def doctor(
    folder: Path, said: str, status: int = 0, arguments: str = "--json"
) -> tuple[int, str, str]:
    """Runs doctor with a loader that prints this."""
    loader = program(
        folder / "loader",
        f"#!/bin/sh\nprintf '{said}'\necho \"$@\" >>{folder}/asked\nexit {status}\n",
    )
    env = {"GTHULHU_LOADER": str(loader), "CLANG": str(folder / "clang")}
    result = shell(f"gthulhu doctor {arguments}", folder, env=env)
    return result.returncode, result.stdout, result.stderr


def findings(shown: str) -> dict[str, dict[str, str]]:
    return {finding["check"]: finding for finding in json.loads(shown)["findings"]}


def test_working_machine_passes(folder: Path) -> None:
    status, shown, err = doctor(folder, "ok\\tkernel\\t7.2, with sched_ext\\n")
    assert (status, err) == (0, "")
    assert json.loads(shown)["can_run"] is True
    found = findings(shown)
    assert found["kernel"]["text"] == "7.2, with sched_ext"
    assert found["loader"]["text"] == str(folder / "loader")
    assert found["clang"]["level"] == "ok"
    assert re.fullmatch(rf"{folder}/clang, version \d+", found["clang"]["text"])
    assert (folder / "asked").read_text() == "--doctor\n"


def test_the_loader_is_asked_about_an_object(folder: Path) -> None:
    (folder / "-x.bpf.o").touch()
    doctor(folder, "", arguments="-- -x.bpf.o")
    assert (folder / "asked").read_text() == "--doctor -- -x.bpf.o\n"


def test_an_error_has_its_remedy(folder: Path) -> None:
    said = "warning\\tcgroups\\tthere are none\\tmount them\\nerror\\tcpus\\tno\\033[31m\\tboot\\n"
    status, shown, err = doctor(folder, said, 1, arguments="")
    assert (status, err) == (1, "")
    lines = shown.splitlines()
    assert lines[1:5] == [
        "warning  cgroups  there are none",
        "                  help: mount them",
        "error    cpus     no\\x1b[31m",
        "                  help: boot",
    ]
    assert lines[-1] == "this machine cannot run a policy: 1 error"


def test_an_unsuitable_object_is_not_blamed_on_the_machine(folder: Path) -> None:
    (folder / "x.bpf.o").touch()
    wrong = "error\\tobject\\tit names CPU 70\\tcompile it for this machine\\n"
    status, shown, _ = doctor(folder, wrong, 1, arguments="x.bpf.o")
    assert status == 1
    assert shown.splitlines()[-1] == "this machine can run a policy, but not this one"
    status, shown, _ = doctor(folder, wrong + "error\\tcpus\\tno\\n", 1, arguments="x.bpf.o")
    assert shown.splitlines()[-1] == "this machine cannot run a policy: 1 error"
    status, shown, _ = doctor(folder, wrong, 1, arguments="--json x.bpf.o")
    assert (status, json.loads(shown)["can_run"]) == (1, False)


def test_a_file_that_cannot_be_read(folder: Path) -> None:
    status, shown, err = doctor(folder, "", arguments="none.bpf.o")
    assert (status, shown, err) == (2, "", "error: none.bpf.o: No such file or directory\n")


@pytest.mark.parametrize(
    ("said", "status"),
    [("", 2), ("", 127), ("what?\\n", 0), ("fatal\\tkernel\\tx\\n", 0), ("ok\\tkernel\\n", 0)],
)
def test_another_loader_cannot_be_asked(folder: Path, said: str, status: int) -> None:
    code, shown, err = doctor(folder, said, status)
    assert (code, shown) == (2, "")
    assert f"{folder}/loader" in err.splitlines()[0]
    assert "use the gthulhu-loader of this release" in err


def test_without_a_loader_doctor_checks_the_rest(folder: Path) -> None:
    env = {"GTHULHU_LOADER": str(folder / "none"), "CLANG": str(folder / "clang")}
    result = shell("gthulhu doctor --json", folder, env=env)
    assert result.returncode == 1
    found = findings(result.stdout)
    assert found["loader"]["level"] == "error"
    assert {"clang", "service"} < set(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "CLANG is set to"),
        ("#!/bin/sh\necho gcc 12\n", "/clang is not clang"),
        ("#!/bin/sh\necho clang version 14.0.6\n", "/clang is clang 14, which is too old"),
    ],
)
def test_without_clang_a_policy_can_run(folder: Path, text: str | None, said: str) -> None:
    (folder / "clang").unlink()
    if text is not None:
        program(folder / "clang", text)
    status, shown, _ = doctor(folder, "")
    assert status == 0
    clang = findings(shown)["clang"]
    assert clang["level"] == "warning"
    assert said in clang["text"]
    assert clang["help"].startswith("install clang 19")


def test_without_libbpfs_headers_nothing_is_compiled(folder: Path) -> None:
    program(folder / "clang", f'#!/bin/sh\nexec {find_clang()} -nostdinc "$@"\n')
    _, shown, _ = doctor(folder, "")
    clang = findings(shown)["clang"]
    assert clang["level"] == "warning"
    assert re.search(r"cannot find libbpf's header bpf/\w+\.h", clang["text"])
    assert "libbpf-dev" in clang["help"]


def test_services_that_start_another_scheduler(tmp_path: Path) -> None:
    nothing = [Finding("ok", "service", "no service starts another scheduler")]
    assert list(of_services(tmp_path)) == nothing
    # One that is installed starts nothing, nor does one that is masked.
    units = tmp_path / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    (units / "scx.service").write_text("")
    wants = tmp_path / "etc/systemd/system/multi-user.target.wants"
    wants.mkdir(parents=True)
    (wants.parent / "scx_loader.service").symlink_to("/dev/null")
    (wants / "scx_loader.service").symlink_to("/usr/lib/systemd/system/scx_loader.service")
    assert list(of_services(tmp_path)) == nothing
    (wants / "scx.service").symlink_to("/usr/lib/systemd/system/scx.service")
    (found,) = of_services(tmp_path)
    assert (found.level, found.help) == ("warning", "systemctl disable --now scx.service")
    running = tmp_path / "sys/fs/cgroup/system.slice/scx_loader.service"
    running.mkdir(parents=True)
    (running / "cgroup.procs").write_text("7\n")
    _, found = of_services(tmp_path)
    assert found.text == "scx_loader.service starts another scheduler, and is running"
    assert found.help == "systemctl stop scx_loader.service"
