# SPDX-License-Identifier: Apache-2.0
"""`gthulhu trace` as a command: its errors, and its end."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fake_loader import FakeLoader
from gthulhuc.cli import gthulhu

TASKS = {"ok": True, "policy": "shop", "generation": 3, "classes": [], "tasks": []}

STATUS = {"ok": True, "policy": "shop", "generation": 3}


@pytest.fixture
def loader(tmp_path: Path) -> Iterator[FakeLoader]:
    loader = FakeLoader(tmp_path, {"status": STATUS, "tasks": TASKS})
    yield loader
    loader.close()


def refusal(capfd: pytest.CaptureFixture[str], folder: Path, *options: str) -> tuple[int, str]:
    output = ("-o", str(folder / "t.pftrace"))
    code = gthulhu.main(["trace", *output, "--state", str(folder), *options])
    assert not (folder / "t.pftrace").exists()
    return code, capfd.readouterr().err


def test_no_policy_is_in_force(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = refusal(capfd, tmp_path)
    assert (code, said.startswith("error: no policy is in force")) == (3, True)


def test_there_is_no_tracing(
    loader: FakeLoader, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, said = refusal(capfd, tmp_path, "--tracefs", str(tmp_path / "tracing"))
    assert code == 2
    assert said == (
        "error: the kernel's tracing is not mounted: "
        f"{tmp_path}/tracing/instances is not a folder\n"
        f"  = help: mount -t tracefs tracefs {tmp_path}/tracing\n"
    )


def test_a_kernel_that_refuses_leaves_nothing(
    loader: FakeLoader, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    instances = tmp_path / "tracing" / "instances"
    (instances / "gthulhu-99999999").mkdir(parents=True)  # of one that was killed
    (instances / "another").mkdir()
    code, said = refusal(capfd, tmp_path, "--tracefs", str(tmp_path / "tracing"))
    assert code == 2
    assert said.startswith("error: cannot use the kernel's tracing: ")
    assert not (instances / "gthulhu-99999999").exists()
    assert (instances / "another").exists()


def test_the_folder_of_the_file_is_searched_first(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for output, why in (("/nowhere/t.pftrace", "No such file"), (str(tmp_path), "Is a directory")):
        assert gthulhu.main(["trace", "-o", output, "--state", str(tmp_path)]) == 2
        assert capfd.readouterr().err.startswith(f"error: cannot write {output}: {why}")


def test_perfetto_may_be_missing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gthulhu.tracing.perfetto", None)
    monkeypatch.delattr("gthulhu.tracing.perfetto", raising=False)
    code, said = refusal(capfd, tmp_path)
    assert (code, " -m pip install perfetto\n" in said) == (2, True)


STOPPED = """
import os, signal, subprocess
from gthulhu.commands import trace
from gthulhuc.cli import frame

class Nothing:
    fetched_bytes = 0
    def start(self): subprocess.Popen(["sh", "-c", f"sleep 0.2; kill -{number} {os.getpid()}"])
    def fetch(self): pass
    def stop(self): print("stopped", flush=True)
    def ask(self): return 1000

# The program that runs the tests may ignore them, as nohup does.
signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

def command():
    trace._record(Nothing(), Nothing(), 0, trace.Progress())
    print("written", flush=True)
    signal.raise_signal(signal.SIGINT)  # a second one ends the writing, too
    return 0

raise SystemExit(frame.guarded(command))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_recording_and_a_second_one_the_writing(number: signal.Signals) -> None:
    script = f"number = {int(number)}\n{STOPPED}"
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stdout) == (130, "stopped\nwritten\n"), ended.stderr


@pytest.mark.parametrize("text", ["-1", "x", "nan", "1e9"])
def test_seconds_are_a_number(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["trace", "-o", "x", "--seconds", text]) == 2
    assert "expected seconds from 0 to 86400, found" in capfd.readouterr().err
