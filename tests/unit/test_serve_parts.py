# SPDX-License-Identifier: Apache-2.0
"""The parts of `gthulhu serve` alone: its broker, its sandbox, its compilers, and merged rules."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

import command
from gthulhu import control
from gthulhu.loader import in_memory
from gthulhu.serve import broker, compiling, worker
from gthulhu.serve import recorder as recording
from gthulhu.serve.node import Node, NothingInForceError, RefusedError
from gthulhu.serve.recorder import Recorder
from gthulhuc.cli.frame import CommandError
from gthulhuc.importers import gthulhu as importer
from gthulhuc.importers.document import Document, Rule, to_text
from gthulhuc.importers.merging import merged
from serving import PATIENCE_S, Serving, until

# ---- the broker ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        "status", "stats", "tasks", "tasks 4711", "set quantum=2ms", "label 7", "label 7 a=b c-",
        "rollback", "rollback force", "swap - /x/p.gpl", "swap - p force dry-run",
        "swap - p trial=60000",
    ],
)  # fmt: skip
def test_the_broker_forwards(request_: str) -> None:
    assert broker.is_allowed(request_.split())


@pytest.mark.parametrize(
    "request_",
    [
        "", "stop", "cgroup / none", "condition power saver", "status x", "tasks x",
        "set", "set quantum", "label", "label x a=b", "label 7 a", "rollback now", "swap",
        "swap -", "swap /etc/evil.bpf.o p", "swap - p anything", "swap - p trial=x",
    ],
)  # fmt: skip
def test_the_broker_forwards_nothing_else(request_: str) -> None:
    assert not broker.is_allowed(request_.split() or [""])


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with closing(Serving(tmp_path_factory.mktemp("serve"), "--cgroups", "auto")) as made:
        yield made


def test_what_the_broker_refuses_reaches_no_loader(serving: Serving) -> None:
    folder = str(serving.folder / "broker")
    before = len(serving.loader.heard)
    for fields in (("stop",), ("swap", "/etc/passwd", "p"), ("swap", "-", "p"), ("object", "../x")):
        answer = control.ask(folder, *fields)
        assert (answer["ok"], bool(answer["error"])) == (False, True)
    assert len(serving.loader.heard) == before


def test_the_broker_records_with_its_own_arguments(serving: Serving) -> None:
    folder = str(serving.folder / "broker")
    for fields in (
        ("trace",),
        ("trace", "x"),
        ("trace", "0"),
        ("trace", "31"),
        ("trace", "5", "x"),
    ):
        answer = control.ask(folder, *fields)
        assert (answer["ok"], "seconds" in answer["error"]) == (False, True), fields


def test_one_trace_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow program instead of `gthulhu trace`, whose recording needs a kernel."""
    program = tmp_path / "python"
    program.write_text('#!/bin/sh\necho "$@"; sleep 1\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    recorder = Recorder("/run/x")
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(recorder.run, 5)
        until(recorder._busy.locked)
        with pytest.raises(compiling.BusyError):
            recorder.run(5)
        file = first.result()
    said = os.pread(file, 1000, 0).decode()
    os.close(file)
    assert said.split()[2:] == ["trace", "--output", "-", "--seconds", "5", "--state", "/run/x"]


def test_a_recorder_that_does_not_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\ntrap '' INT\nwhile :; do sleep 0.1; done\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(recording, "PATIENCE_S", -0.5)
    monkeypatch.setattr(recording, "_END_S", 0.2)
    recorder = Recorder("/run/x")
    with pytest.raises(compiling.LimitError):
        recorder.run(1)
    assert not recorder._busy.locked()


def test_another_user_may_not_ask(serving: Serving) -> None:
    """Root asks as the user 65534, and all others as themselves: the broker is for the user 1."""
    before = len(serving.loader.heard)
    script = (
        "import socket, sys\n"
        "with socket.socket(socket.AF_UNIX) as s:\n"
        "    s.connect(sys.argv[1]); print(s.makefile().read())\n"
    )
    nobody: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []}
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        made = broker.Broker(Path(folder), str(serving.state), 1)
        threading.Thread(target=made.run, daemon=True).start()
        Path(folder, "control").chmod(0o666)
        result = subprocess.run(
            ["/usr/bin/python3", "-c", script, f"{folder}/control"],
            capture_output=True, text=True, check=True, **({} if os.geteuid() else nobody),
        )  # fmt: skip
        made.close()
    assert json.loads(result.stdout)["error"] == "this user may not ask the broker"
    assert len(serving.loader.heard) == before


def test_objects_of_others_are_refused(serving: Serving) -> None:
    node = Node(str(serving.folder / "broker"))
    before = len(serving.loader.of("swap"))
    text = 'policy p {}\nrule a { match comm == "a" priority low }'
    try:
        with pytest.raises(broker.UnknownObjectError):
            node.ask("swap", "-", "p", content=b"an object")
        assert len(serving.loader.of("swap")) == before
        made = node.build({"do": "compile", "name": "p.gpl", "text": text, "stats": False})
        with pytest.raises(broker.UnknownObjectError):
            node.ask("swap", "-", "p", content=made.content + b"\0")
        assert node.ask("swap", "-", "p", content=made.content)["ok"] is True
        assert len(serving.loader.of("swap")) == before + 1
    finally:
        node.close()


@pytest.mark.parametrize(
    "job", [b"", b"{", b"[]", b'{"do": "check"}', b'{"do": "compile"}', b"[" * 90_000]
)
def test_the_broker_refuses_broken_jobs(serving: Serving, job: bytes) -> None:
    file = in_memory(job)
    answer = control.ask(str(serving.folder / "broker"), "compile", file=file)
    os.close(file)
    assert (answer["ok"], bool(answer["error"])) == (False, True)


def test_clients_that_send_nothing_hold_up_nobody(serving: Serving) -> None:
    folder = serving.folder / "broker"
    idle = []
    for text in (b"", b"sta", b"\xff\xfe\n", b"x" * 70_000):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(PATIENCE_S)
        client.connect(str(folder / "control"))
        with suppress(OSError):
            client.sendall(text)
        idle.append(client)
    assert control.ask(str(folder), "status")["ok"] is True
    for client in idle:
        with client, suppress(ConnectionResetError):
            assert b'"ok": true' not in client.recv(1 << 16)


def test_a_closed_broker_ends(serving: Serving) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        made = broker.Broker(Path(folder), str(serving.state), 1)
        made.close()
        made.run()


def test_the_broker_gives_kept_objects(serving: Serving) -> None:
    (serving.state / "generation-8.bpf.o").write_bytes(b"object 8")
    (serving.state / "generation-8.txt").write_text("/etc/shop.gpl\n")
    node = Node(str(serving.folder / "broker"))
    try:
        kept = node.ask("generations")["generations"]
        assert {"generation": 8, "object": "/etc/shop.gpl"} in kept
        node.fetch_object(8)
        assert Path(node.folder, "generation-8.bpf.o").read_bytes() == b"object 8"
        with pytest.raises(RefusedError, match="generation 99 is not kept"):
            node.fetch_object(99)
    finally:
        node.close()


def test_without_a_loader_and_without_a_broker(tmp_path: Path) -> None:
    made = broker.Broker(tmp_path / "b", str(tmp_path / "nowhere"), os.geteuid())
    with subprocess.Popen(
        [
            sys.executable, "-m", "gthulhuc.cli.gthulhu", "serve", "broker", "--user", "0",
            "--folder", str(tmp_path / "c"), "--state", str(tmp_path / "nowhere"),
        ],
        env=command.environment(), stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        node = Node(str(tmp_path / "c"))
        with pytest.raises(NothingInForceError):
            node.ask("status")
        process.terminate()
        process.wait(PATIENCE_S)
        with pytest.raises(CommandError, match="no broker responds"):
            node.ask("status")
        node.close()
    made.close()


def test_requests_at_work_hear_of_the_end_of_the_server(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    clang = tmp_path / "clang"
    clang.write_text("#!/bin/sh\nsleep 60\n")
    clang.chmod(0o755)
    with (
        closing(Serving(tmp_path, clang=clang)) as serving,
        ThreadPoolExecutor(1) as pool,
        serving.client() as client,
    ):
        asked = pool.submit(client.post, "/api/v2/swap", json={"text": "policy p {}", "name": "p"})
        until(lambda: subprocess.run(["pgrep", "-f", clang], check=False).returncode == 0)
        serving.end()
        assert asked.result().status_code == 503
        assert "the server ended meanwhile" in asked.result().json()["error"]
    assert "Traceback" not in capfd.readouterr().err


# ---- compiling ----------------------------------------------------------------------------------


def test_the_sandbox_takes_rights_away(tmp_path: Path) -> None:
    from gthulhu.serve import sandbox

    secret = tmp_path / "secret"
    secret.write_text("secret")
    inside = tmp_path / "inside"
    inside.mkdir()
    script = f"""
import json, os, resource, socket
from gthulhu.serve import sandbox
from gthulhu.serve.worker import readable
kept = sandbox.enter(readable(), {str(inside)!r})
open({str(inside / "file")!r}, "w").write("x")
def fails(act):
    try:
        act()
    except OSError as error:
        return error.errno
def connect():
    with socket.socket() as s:
        s.connect(("127.0.0.1", 9))
found = [fails(lambda: open({str(secret)!r})), fails(lambda: open("/etc/passwd")),
         fails(lambda: open({str(tmp_path / "new")!r}, "w")), fails(connect)]
try:
    bytearray(sandbox.MEMORY)
    memory = "free"
except MemoryError:
    memory = "limited"
print(json.dumps([kept, found, memory, resource.getrlimit(resource.RLIMIT_CPU)]))
"""
    result = subprocess.run(
        [sys.executable, "-c", script], env=command.environment(TMPDIR=str(inside)),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    has_landlock, failures, memory, cpu = json.loads(result.stdout)
    assert memory == "limited"
    assert cpu[1] <= sandbox.CPU_S
    if has_landlock:
        assert None not in failures[:3]
        assert failures[3] is not None


def job(text: str) -> dict[str, object]:
    return {"do": "check", "name": "p.gpl", "text": text}


def test_jobs_wait_for_their_turn_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "MOST_WAITING", 4)

    async def run() -> list[object]:
        compilers = compiling.Compilers(2)
        jobs = (compilers.run(job("policy p {}")) for _ in range(7))
        found = await asyncio.gather(*jobs, return_exceptions=True)
        await compilers.close()
        return list(found)

    found = asyncio.run(run())
    busy = [each for each in found if isinstance(each, compiling.BusyError)]
    done = [each for each in found if isinstance(each, compiling.Result)]
    assert (len(busy), len(done)) == (3, 4)


def test_a_job_that_takes_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "TIMEOUT_S", 0.01)

    async def run() -> None:
        compilers = compiling.Compilers(1)
        try:
            with pytest.raises(compiling.LimitError, match="took longer"):
                await compilers.run(job("policy p {}"))
        finally:
            await compilers.close()

    before = {path.name for path in Path("/proc").glob("[0-9]*")}
    asyncio.run(run())

    def workers() -> list[str]:
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if path.name not in before and b"serve.worker" in (path / "cmdline").read_bytes():
                    status = (path / "status").read_text()
                    found += [path.name] if f"PPid:\t{os.getpid()}" in status else []
        return found

    until(lambda: workers() == [])


# Modules that only this process knows, as those of a package.
ELSEWHERE = """
import asyncio, json, sys
sys.path[:0] = json.loads(sys.argv[1])
from gthulhu.serve.compiling import Compilers

async def run():
    compilers = Compilers()
    said = (await compilers.run({"do": "check", "name": "p.gpl", "text": "policy p {}"})).said
    await compilers.close()
    return said["ok"]

print(asyncio.run(run()))
"""


def test_children_find_the_modules_of_a_package() -> None:
    python = Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}")
    folders = [*command.SOURCES, sysconfig.get_path("purelib")]
    result = subprocess.run(
        [python, "-I", "-c", ELSEWHERE, json.dumps([str(folder) for folder in folders])],
        env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False,
        timeout=PATIENCE_S,
    )  # fmt: skip
    assert result.stdout == "True\n", result.stderr


# ---- rows of strategies -------------------------------------------------------------------------


def test_neighbours_with_one_name_each_are_one_strategy() -> None:
    def rows(*commands: str, priority: int = 5) -> list[dict[str, Any]]:
        return [{"priority": priority, "command_regex": command} for command in commands]

    given = rows("^a$", "^b$", "^c$", "^d.$", "e", "^f$") + rows("^g$", "^a$", priority=12)
    wanted = rows("^(a|b|c)$", "^d.$", "e", "^f$") + rows("^(g|a)$", priority=12)
    assert worker.joined([*given, {"pid": 7}]) == [*wanted, {"pid": 7}]


def test_of_joined_strategies_the_last_one_wins() -> None:
    rows = [
        {"execution_time": milliseconds * 1_000_000, "command_regex": f"^{name}$"}
        for milliseconds, names in ((1, "abc"), (2, "bd"))
        for name in names
    ]
    document, findings = importer.convert(
        "request", [{"strategies": worker.joined(rows)}], importer.Semantics.CURRENT
    )
    assert findings == []
    assert [(rule.match, rule.actions) for rule in document.rules] == [
        (('comm in ["b", "d"]',), (("slice", "2ms"),)),
        (('comm in ["a", "b", "c"]',), (("slice", "1ms"),)),
    ]


# ---- merging ------------------------------------------------------------------------------------


def rule(name: str, *match: str, slice_: str = "1ms") -> Rule:
    return Rule(name, match, (("slice", slice_),))


def test_neighbours_become_one_rule() -> None:
    rules = (
        rule("a", 'pod == "a"', 'comm == "x"'),
        rule("b", 'pod == "b"', 'comm == "x"'),
        rule("c", 'pod == "c\\"\\xff"', 'comm == "x"'),
        rule("d", 'pod == "d"', 'comm == "y"'),
        rule("e", 'pod == "e"', 'comm == "x"', slice_="2ms"),
        rule("f", 'label "app" == "1"'),
        rule("g", 'label "tier" == "2"'),
        rule("h", 'label "tier" == "3"'),
    )
    found = merged(Document("p", (), rules))
    assert [(each.name, each.match) for each in found.rules] == [
        ("a", ('pod in ["a", "b", "c\\"\\xff"]', 'comm == "x"')),
        ("d", ('pod == "d"', 'comm == "y"')),
        ("e", ('pod == "e"', 'comm == "x"')),
        ("f", ('label "app" == "1"',)),
        ("g", ('label "tier" in ["2", "3"]',)),
    ]


def test_a_rule_between_two_keeps_its_place() -> None:
    rules = (rule("a", 'pod == "a"'), rule("b", 'comm == "x"'), rule("c", 'pod == "c"'))
    assert merged(Document("p", (), rules)).rules == rules


def test_long_lists_are_sets() -> None:
    rules = tuple(rule(f"r{number}", f'pod == "web-{number}"') for number in range(20))
    text = to_text(merged(Document("p", (), rules)))
    assert text.count("rule ") == 1
    assert "pod in values-1" in text
