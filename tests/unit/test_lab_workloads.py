# SPDX-License-Identifier: Apache-2.0
"""The workloads' programs: their task names, and that no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gthulhu_lab import catalogue, workloads

CATALOGUE = catalogue.load()
# Workloads that need kernel modules are in tests/vm/test_user_plane.py.
OURS = [name for name, each in CATALOGUE.items() if not each.tool and not each.modules]
# By pid, the names of processes and of their further threads.
Family = dict[int, tuple[str, set[str]]]
# Their main thread only waits for the others.
SLEEPERS = {"pipeline", "wakeup-tree"}


@pytest.fixture(scope="module")
def programs() -> Path:
    return workloads.program("periodic").parent


def start(
    programs: Path, command: tuple[str, ...], process: str = "", comm: str = ""
) -> subprocess.Popen[str]:
    environment = {**os.environ, "TASK_PROCESS": process, "TASK_COMM": comm}
    return subprocess.Popen(
        [programs / command[0], *command[1:]], env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def family(pid: int) -> Family:
    """Names of the processes that one has started, its own included, and of their threads."""
    found = {}
    todo = [pid]
    while todo:
        folder = Path("/proc") / str(todo.pop())
        names = {}
        try:
            for thread in (folder / "task").iterdir():
                names[thread.name] = (thread / "comm").read_text().strip()
                todo += map(int, (thread / "children").read_text().split())
        except (FileNotFoundError, ProcessLookupError):
            continue  # one of a storm, which ended as its folder or its name was read
        found[int(folder.name)] = (names.pop(folder.name, ""), set(names.values()))
    return found


def settled(pid: int, like: Callable[[Family], bool]) -> Family:
    """As above, once it is as it is to be, or when that has taken too long."""
    deadline = time.monotonic() + 10
    while not like(found := family(pid)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def gone(pid: int) -> bool:
    return not (Path("/proc") / str(pid)).exists()


@pytest.mark.parametrize("name", OURS)
def test_a_workload_is_named_as_asked_and_leaves_nothing(
    name: str, programs: Path, tmp_path: Path
) -> None:
    def at_work(tasks: Family) -> bool:
        if name in SLEEPERS:
            return tasks == {running.pid: ("the-process", {"the-thread"})}
        busy = [task for task in tasks.values() if task == ("the-process", {"the-thread"})]
        return tasks[running.pid] == ("the-process", set()) and len(busy) >= 2

    command = CATALOGUE[name].command(cpus=2, amount=2, seconds=100, results=str(tmp_path))
    with start(programs, command, "the-process", "the-thread") as running:
        tasks = settled(running.pid, at_work)
        running.terminate()
        _, errors = running.communicate(timeout=20)

    assert at_work(tasks), tasks
    assert (running.returncode, errors) == (0, "")
    assert all(gone(pid) for pid in tasks)


@pytest.mark.parametrize(
    ("process", "comm", "worker"),
    [("", "", "waker"), ("p", "", "p"), ("", "c", "c"), ("same", "same", "same")],
)
def test_a_task_of_one_name_has_one_thread(
    process: str, comm: str, worker: str, programs: Path
) -> None:
    with start(programs, ("periodic", "1", "2000", "0", "100"), process, comm) as running:
        tasks = settled(running.pid, lambda tasks: [*tasks.values()][1:] == [(worker, set())])
        running.terminate()

    assert [*tasks.values()][1:] == [(worker, set())]


def test_without_a_name_for_threads_they_have_the_programs(programs: Path) -> None:
    command = CATALOGUE["wakeup-tree"].command(cpus=2, seconds=100, results="-")
    with start(programs, command, "the-process") as running:
        wanted = {running.pid: ("the-process", {"wakeup-tree"})}
        tasks = settled(running.pid, lambda tasks: tasks == wanted)
        running.terminate()

    assert tasks == wanted


def test_each_workload_leaves_the_reports_of_the_catalogue(programs: Path, tmp_path: Path) -> None:
    """All at once: none has to be fast."""
    running = {}
    for name in OURS:
        if CATALOGUE[name].reports:
            (tmp_path / name).mkdir()
            command = CATALOGUE[name].command(cpus=1, seconds=1, results=str(tmp_path / name))
            running[name] = start(programs, command)
    for name, process in running.items():
        with process:
            assert process.communicate(timeout=60) == ("", ""), name
        assert process.returncode == 0

    for name in running:
        reports = {path.name: path.read_text().split() for path in (tmp_path / name).iterdir()}
        assert reports.keys() == set(CATALOGUE[name].reports), name
        assert all(float(value) > 0 for values in reports.values() for value in values), name
        assert len(reports.get("rate", ["one"])) == 1


def test_a_worker_that_fails_ends_the_workload(programs: Path) -> None:
    with start(programs, ("roundtrip", "pipe", "1", "100", "-")) as running:
        tasks = settled(running.pid, lambda tasks: len(tasks) == 3)
        os.kill(max(tasks), signal.SIGKILL)
        _, errors = running.communicate(timeout=20)

    assert running.returncode == 2
    assert "a worker has ended" in errors
    assert all(gone(pid) for pid in tasks)


class TestPublicTool:
    """Started by `repeat`; a script stands for it."""

    def test_every_copy_of_every_round_is_noted(self, programs: Path) -> None:
        with start(programs, ("repeat", "3", "1", "-", "/bin/sleep", "0.3")) as running:
            said, errors = running.communicate(timeout=20)

        assert (running.returncode, errors) == (0, "")
        times = [int(line) for line in said.split()]
        assert times
        assert len(times) % 3 == 0
        assert all(time_ns >= 300_000_000 for time_ns in times)

    def test_the_last_round_comes_to_its_end(self, programs: Path) -> None:
        with start(programs, ("repeat", "1", "1", "-", "/bin/sleep", "1.2")) as running:
            said, errors = running.communicate(timeout=20)

        assert (running.returncode, errors) == (0, "")
        assert [int(line) > 1_200_000_000 for line in said.split()] == [True]

    def test_repeated_command_has_the_wanted_name(self, programs: Path) -> None:
        wanted: list[tuple[str, set[str]]] = [("p", set()), ("c", set())]
        with start(programs, ("repeat", "1", "100", "-", "/bin/sleep", "100"), "p", "c") as running:
            tasks = settled(running.pid, lambda tasks: [*tasks.values()] == wanted)
            running.terminate()

        assert [*tasks.values()] == wanted

    def test_no_process_is_left_after_the_end(self, programs: Path, tmp_path: Path) -> None:
        tool = tmp_path / "tool"
        # A process in a session of its own, whose parent has ended.
        tool.write_text("#!/bin/sh\n(setsid sleep 100 &)\nsleep 100\n")
        tool.chmod(0o755)
        with start(programs, ("repeat", "1", "100", "-", str(tool))) as running:
            tasks = settled(
                running.pid, lambda tasks: [name for name, _ in tasks.values()].count("sleep") == 2
            )
            running.terminate()
            running.communicate(timeout=20)

        assert running.returncode == 0
        assert len(tasks) == 4
        assert all(gone(pid) for pid in tasks)

    def test_failing_command_gives_no_figure(self, programs: Path) -> None:
        with start(programs, ("repeat", "2", "9", "-", "/bin/false")) as running:
            said, errors = running.communicate(timeout=20)

        assert running.returncode == 2
        assert not said
        assert "the tool failed" in errors

    def test_copy_that_aborts_is_started_again(self, programs: Path, tmp_path: Path) -> None:
        tool = tmp_path / "tool"
        tool.write_text(
            f"#!/bin/sh\nmkdir {tmp_path}/aborted 2>/dev/null && kill -ABRT $$\nsleep 1.2\n"
        )
        tool.chmod(0o755)
        with start(programs, ("repeat", "2", "1", "-", str(tool))) as running:
            said, errors = running.communicate(timeout=20)

        assert running.returncode == 0
        assert errors == "repeat: the tool aborted, and is started again\n"
        assert [int(line) > 1_200_000_000 for line in said.split()] == [True, True]

    def test_command_that_always_aborts_gives_no_figure(
        self, programs: Path, tmp_path: Path
    ) -> None:
        tool = tmp_path / "tool"
        tool.write_text("#!/bin/sh\nkill -ABRT $$\n")
        tool.chmod(0o755)
        with start(programs, ("repeat", "2", "9", "-", str(tool))) as running:
            said, errors = running.communicate(timeout=20)

        assert running.returncode == 2
        assert not said
        assert "the tool failed with status 0x6" in errors
