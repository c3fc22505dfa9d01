# SPDX-License-Identifier: Apache-2.0
"""Requests to a running loader, and the handling of its responses."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from command import run
from fake_loader import FakeLoader
from gthulhu import control
from gthulhu.options import STATE_FOLDER
from gthulhuc.cli import gthulhu


@contextmanager
def answering(folder: Path, answer: bytes, taken: int = 100) -> Iterator[Future[bytes]]:
    """Answers one request, of which it reads so many bytes."""
    with socket.socket(socket.AF_UNIX) as listening, ThreadPoolExecutor() as pool:
        listening.bind(str(folder / "control"))
        listening.listen()

        def serve() -> bytes:
            connection, _ = listening.accept()
            with connection:
                request = connection.recv(taken)
                connection.sendall(answer)
            return request

        yield pool.submit(serve)


@pytest.mark.parametrize(
    "line",
    ["stop", "rollback", "set a=1", "swap x.bpf.o", "label 7 a=b", "status", "status --json"],
)
def test_without_a_loader_nothing_is_in_force(line: str, tmp_path: Path) -> None:
    result = run("gthulhu", *line.split(), "--state", str(tmp_path))
    assert result.returncode == 3
    if line == "status --json":
        assert json.loads(result.stdout)["in_force"] is False
    elif line == "status":
        assert result.stdout == f"no policy is in force: no loader runs in {tmp_path}\n"
    else:
        assert result.stderr == (
            f"error: no policy is in force: no loader runs in {tmp_path}\n"
            "  = help: check `--state`, the loader's folder (default: /run/gthulhu)\n"
        )


def test_invalid_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    problems = {"none": "does not exist", "file": "is not a folder", "link": "is not a folder"}
    for name, problem in problems.items():
        path = tmp_path / name
        result = run("gthulhu", "stats", "--state", str(path))
        assert result.returncode == 3
        assert result.stderr.startswith(f"error: no policy is in force: {path} {problem}\n")
    usual = control.NotRunningError(STATE_FOLDER, " --stats")
    assert str(usual) == "no policy is in force"
    assert usual.hint == "`gthulhu run --stats policy.gpl` puts one in force"


def test_state_of_an_ended_loader_can_be_loaded_again(tmp_path: Path) -> None:
    old, new = (tmp_path / name for name in ("old.gpl", "a new.gpl"))
    new.touch()
    for number, called in ((9, old), (10, new)):
        (tmp_path / f"generation-{number}.bpf.o").touch()
        (tmp_path / f"generation-{number}.txt").write_text(f"{called}\nquantum=1ms\n")
    (tmp_path / "generation-x.txt").touch()
    state = f"gthulhu run --state {tmp_path}"
    recall = f"{state} {tmp_path}/generation-9.bpf.o"
    status = run("gthulhu", "status", "--state", str(tmp_path))
    assert (status.returncode, status.stdout.splitlines()[1:]) == (
        3,
        [
            f"  last generation: 10, {new}: `{state} '{new}'` loads it again",
            f"  previous generation: 9, {old}: `{recall}` loads it again",
        ],
    )
    back = run("gthulhu", "rollback", "--state", str(tmp_path))
    assert back.returncode == 3
    assert back.stderr.endswith(
        f"  = help: `{recall}` puts the previous generation, 9 ({old}), in force\n"
    )
    said = run("gthulhu", "set", "a=1", "--state", str(tmp_path)).stderr
    assert said.endswith(f"  = help: `{state} '{new}'` puts the last one in force again\n")
    said = run("gthulhu", "stats", "--state", str(tmp_path)).stderr
    again = f"gthulhu run --stats --state {tmp_path} '{new}'"
    assert said.endswith(f"  = help: `{again}` puts the last one in force again\n")
    new.unlink()
    said = run("gthulhu", "set", "a=1", "--state", str(tmp_path)).stderr
    assert f"`{state} {tmp_path}/generation-10.bpf.o`" in said
    said = run("gthulhu", "stats", "--state", str(tmp_path)).stderr
    assert said.endswith("  = help: `gthulhu run --stats policy.gpl` puts one in force\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("set", "quantum"), "expected NAME=VALUE, found `quantum`"),
        (("set", "=1"), "expected NAME=VALUE, found `=1`"),
        (("set", "a="), "expected NAME=VALUE, found `a=`"),
        (("run", "--set", "a", "x.gpl"), "expected NAME=VALUE, found `a`"),
        (("label", "foo"), "expected the number of a task, found `foo`"),
        (("label", "-1", "a=b"), "expected the number of a task, found `-1`"),
        (("label", "0"), "expected the number of a task, found `0`"),
        (("label", "\N{ARABIC-INDIC DIGIT THREE}"), "expected the number of a task, found "),
        (("label", "7", ""), "expected KEY=VALUE or KEY-, found ``"),
        (("label", "7", "foo"), "expected KEY=VALUE or KEY-, found `foo`"),
        (("label", "7", "-"), "expected KEY=VALUE or KEY-, found `-`"),
        (("label", "7", "=b"), "expected KEY=VALUE or KEY-, found `=b`"),
        (("label", "7", "a=\tb"), r"a=\x09b: remove tabs and newlines from the label"),
        (("label", "7", "\x1b[31m"), r"\x1b[31m`"),
        (("explain", "--pid", "x"), "expected the number of a task, found `x`"),
        (("status", "--state", ""), "expected a folder, found an empty text"),
    ],
)
def test_usage_needs_no_loader(
    arguments: tuple[str, ...], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(arguments) == 2
    assert said in capfd.readouterr().err


def test_a_folder_with_too_long_a_path(tmp_path: Path) -> None:
    result = run("gthulhu", "status", "--state", f"{tmp_path}/{'x' * 5000}")
    assert result.returncode == 2
    assert "xxx: path too long for a control socket\n  = help: give --state" in result.stderr
    assert len(result.stderr) < 200


def test_a_request_that_is_too_long_is_not_sent(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "runtime" / "control" / "control.h").read_text()
    assert f"CONTROL_LINE = {control.MAX_REQUEST}," in text
    longest = control.MAX_REQUEST - len("label\t7\ta=\n")
    loader = FakeLoader(tmp_path, {"label": {"ok": True, "processes": 1}})
    try:
        for length, status in ((longest, 0), (longest + 1, 2)):
            result = run("gthulhu", "label", "7", f"a={'x' * length}", "--state", str(tmp_path))
            assert result.returncode == status
        assert len(loader.requests) == 1
    finally:
        loader.close()
    assert "the request has 65,537 bytes, a loader accepts 65,536" in result.stderr


def test_an_answer_that_came_before_the_end_is_kept(tmp_path: Path) -> None:
    # The unread rest of the request resets the connection.
    with answering(tmp_path, b'{"ok": false, "error": "no"}\n', taken=10):
        result = run("gthulhu", "label", "7", f"a={'x' * 60000}", "--state", str(tmp_path))
    assert (result.returncode, result.stderr) == (1, "error: no\n")


@pytest.mark.parametrize("answer", [{}, {"ok": True}, {"ok": False}])
@pytest.mark.parametrize(
    "line",
    ["status", "set a=1", "label 7", "label 7 a=b", "rollback", "stop", "stats", "explain --all"],
)
def test_an_answer_of_another_release(
    line: str, answer: dict[str, bool], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = line.split()
    loader = FakeLoader(tmp_path, {"tasks" if words[0] == "explain" else words[0]: answer})
    try:
        assert gthulhu.main([*words, "--state", str(tmp_path)]) == 2
    finally:
        loader.close()
    said = capfd.readouterr().err
    assert said.startswith("error: response from a loader of another release: `")
    assert "use the loader of this release" in said


@pytest.mark.parametrize("waiting", [0, 8])
@pytest.mark.parametrize("line", ["status", "swap x", "rollback", "stop", "set a=1"])
def test_a_loader_that_does_not_answer(
    line: str,
    waiting: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(control, "TIMEOUT_S", 1)
    monkeypatch.setattr(control, "LOAD_TIMEOUT_S", 1)
    with socket.socket(socket.AF_UNIX) as listening, ExitStack() as others:
        listening.bind(str(tmp_path / "control"))
        listening.listen(1)
        for _ in range(waiting):  # more than may wait at once
            other = others.enter_context(socket.socket(socket.AF_UNIX))
            other.setblocking(False)
            other.connect_ex(str(tmp_path / "control"))
        assert gthulhu.main([*line.split(), "--state", str(tmp_path)]) == 2
    assert capfd.readouterr().err.startswith("error: the loader did not respond within 1 s\n")


def test_status_says_how_the_last_loader_ended(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"policy": "shop", "pid": 12}\n')
    (tmp_path / "log").write_text("shop: ejected by the kernel\n")
    listing = run("gthulhu", "status", "--state", str(tmp_path)).stdout
    assert "  the loader of shop (pid 12) was killed\n" in listing
    assert listing.endswith("  | shop: ejected by the kernel\n")


def test_swap_passes_on_the_object_itself(tmp_path: Path) -> None:
    """Nothing of it is in a folder: so nothing is left there, whatever ends the command."""
    policy = tmp_path / "shop.gpl"
    policy.write_text("policy shop {}")
    objects: list[bytes] = []

    def listen(listening: socket.socket) -> list[str]:
        requests = []
        for answer in (b'{"ok": true}', b'{"ok": false, "error": "no"}'):
            connection, _ = listening.accept()
            with connection:
                request, files, _, _ = socket.recv_fds(connection, 1000, 2)
                objects.extend(Path(f"/proc/self/fd/{file}").read_bytes() for file in files)
                connection.sendall(answer)
            requests.append(request.decode())
        return requests

    with socket.socket(socket.AF_UNIX) as listening, ThreadPoolExecutor() as pool:
        listening.bind(str(tmp_path / "control"))
        listening.listen()
        heard = pool.submit(listen, listening)
        assert run("gthulhu", "swap", str(policy), "--state", str(tmp_path)).returncode == 1
    assert heard.result() == ["status\n", f"swap\t-\t{policy}\n"]
    (content,) = objects
    assert content[:4] == b"\x7fELF"
    assert {file.name for file in tmp_path.iterdir()} == {"shop.gpl", "control"}


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (b"", 2, "error: the loader ended without a response\n"),
        (b"what?\n", 2, "error: invalid response from the loader\n"),
        (b"[]\n", 2, "error: invalid response from the loader\n"),
        (
            b'{"ok": false, "error": "no", "help": "yes", "log": "a\\nb", "then": "stays"}\n', 1,
            "error: no\n  = help: yes\n  | a\n  | b\n  = note: stays\n",
        ),
    ],
)  # fmt: skip
def test_loader_response_is_printed(tmp_path: Path, answer: bytes, status: int, said: str) -> None:
    with answering(tmp_path, answer) as request:
        result = run("gthulhu", "rollback", "--state", str(tmp_path))
    assert request.result() == b"rollback\n"
    assert (result.returncode, result.stdout) == (status, "")
    assert result.stderr.startswith(said)


def test_the_labels_of_a_process(tmp_path: Path) -> None:
    own = [{"fact": "label:batch=1", "from": 4711}, {"fact": "label:tier=web"}]
    answer = {
        "ok": True, "own": own, "cgroup": "/pods/api", "container": [{"fact": "pod=api-1"}],
        "complete": False,
    }  # fmt: skip
    loader = FakeLoader(tmp_path, {"label": answer})
    try:
        said = run("gthulhu", "label", "4712", "--state", str(tmp_path)).stdout
    finally:
        loader.close()
    assert said.splitlines() == [
        "its own: batch=1 (from 4711), tier=web",
        "of /pods/api: pod=api-1",
        "the container may have more labels",
    ]


def test_a_generation_is_run_again_by_its_name_where_that_can_be_read(tmp_path: Path) -> None:
    policy = tmp_path / "my policy.gpl"
    policy.write_text("")
    kept = [
        control.Kept(3, called, tmp_path / "generation-3.bpf.o")
        for called in (str(policy), "/" + "x" * 5000, "standard input")
    ]

    again = f"gthulhu run --state {tmp_path} {tmp_path}"
    assert kept[0].command() == f"gthulhu run --state {tmp_path} '{policy}'"
    assert [each.command() for each in kept[1:]] == [f"{again}/generation-3.bpf.o"] * 2


_LISTEN_AND_STOP = """
import os, signal, socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
os.kill(os.getpid(), signal.SIGSTOP)
"""


def test_a_stopped_loader_is_not_waited_for(tmp_path: Path) -> None:
    loader = subprocess.Popen([sys.executable, "-c", _LISTEN_AND_STOP, tmp_path / "control"])
    os.waitpid(loader.pid, os.WUNTRACED)
    result = run("gthulhu", "status", "--state", str(tmp_path))
    loader.kill()
    loader.wait()
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        f"error: the loader (pid {loader.pid}) is stopped, and its policy stays in force\n"
        f"  = help: `kill -CONT {loader.pid}` lets it go on\n"
    )
