# SPDX-License-Identifier: Apache-2.0
"""A scheduler's counters, compared with those of the kernel and of the tasks."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import guest_loader
import guest_programs
import guest_python
from fake_loader import FakeLoader
from gthulhu_lab import vm
from gthulhu_lab.request import Clock
from gthulhuc.cli import gthulhu

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "7.2")

SCRIPT = """
# schedstat NAME: how long the steady tasks have run and waited, by the kernel's account
schedstat() {
    for pid in $STEADY; do cat /proc/$pid/schedstat; done >$RESULTS/schedstat.$1
}

STEADY=
for _ in 1 2 3; do
    steady &
    STEADY="$STEADY $!"
done
schedstat watching.base
start watching watching.bpf.o
await_line watching enabled
cat /sys/kernel/sched_ext/switch_all >$RESULTS/switch_all
ask status >$RESULTS/watching.status.json
schedstat watching.begun
probe wakes fast 40 >/dev/null
schedstat watching.before
ask stats >$RESULTS/watching.json
schedstat watching.after
kill -TERM $LOADER
finish watching

schedstat raw.base
apart &
setsid apart &
start counted counted.bpf.o
await_line counted enabled
schedstat raw.begun
probe wakes fast 40 >/dev/null
probe tally lone 1 100 0 >/dev/null
probe tally late 2 300 >/dev/null
schedstat raw.before
ask stats >$RESULTS/raw.json
schedstat raw.after
ask stats >$RESULTS/again.json
ask tasks >$RESULTS/tasks.json
for fact in stat status comm cgroup schedstat; do
    grep -a '' /proc/[0-9]*/$fact
done >$RESULTS/proc 2>$RESULTS/proc.err
step table gthulhu stats
step json gthulhu stats --json
set -- $STEADY
echo $1 >$RESULTS/steady.pid
ask tasks $1 >$RESULTS/task.json
ask tasks 0 >$RESULTS/no-task.json
ask tasks 4194000 >$RESULTS/gone.json
kill -9 $STEADY
wait $STEADY
sleep 1 # the kernel lets go of a task later
ask stats >$RESULTS/ended.json
kill -TERM $LOADER
finish counted

start silent silent.bpf.o
await_line silent enabled
step silent-stats gthulhu stats
kill -TERM $LOADER
finish silent
step nothing gthulhu stats
"""


@pytest.fixture(scope="module", params=KERNELS)
def guest(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("counters")
    counted, silent, watching = (
        folder / f"{name}.bpf.o" for name in ("counted", "silent", "watching")
    )
    policies = HERE / "policies"
    subprocess.run(["gthulhuc", "--monitor", policies / "counted.gpl", "-o", watching], check=True)
    subprocess.run(["gthulhuc", "--stats", policies / "counted.gpl", "-o", counted], check=True)
    subprocess.run(["gthulhuc", policies / "blame.gpl", "-o", silent], check=True)
    return vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{SCRIPT}",
            kernel=request.param,
            clock=Clock.TCG_TURNS,
            files={
                **guest_loader.FILES,
                "bin/steady": b"#!/bin/sh\nwhile :; do :; done\n",
                "bin/apart": b"#!/bin/sh\nwhile :; do sleep 1; done\n",
                **guest_programs.build(folder, "ask", "probe"),
                counted.name: counted,
                silent.name: silent,
                watching.name: watching,
                **guest_python.files(),
            },
            deadline_s=300,
        )
    ).check()


def counted(guest: vm.GuestResult, name: str = "raw") -> dict[str, dict[str, Any]]:
    """The counters of each class, by whose it is, as the loader tells them."""
    answer = json.loads(guest.files[f"{name}.json"])
    assert answer["ok"], answer
    return {each["owner"].split("`")[1]: each for each in answer["classes"] if "`" in each["owner"]}


def schedstat(guest: vm.GuestResult, when: str) -> tuple[int, int]:
    """How long all steady tasks have run and waited."""
    rows = [line.split() for line in guest.files[f"schedstat.{when}"].decode().splitlines()]
    return sum(int(row[0]) for row in rows), sum(int(row[1]) for row in rows)


@pytest.mark.parametrize("name", ["raw", "watching"])
def test_running_and_waiting_is_what_the_kernel_says(guest: vm.GuestResult, name: str) -> None:
    steady = counted(guest, name)["steady"]
    times = {
        when: schedstat(guest, f"{name}.{when}") for when in ("base", "begun", "before", "after")
    }
    (ran, waited), (most_ran, most_waited) = (
        tuple(b - a for a, b in zip(times[begin], times[end], strict=True))
        for begin, end in (("begun", "before"), ("base", "after"))
    )
    # A run, and a wait, is counted when it ends: of three tasks one each may be missing.
    assert ran - 100e6 < steady["ran_ns"] < most_ran + 20e6
    assert waited - 100e6 < steady["woken_ns"] + steady["put_off_ns"] < most_waited + 20e6
    assert waited > 150e6
    assert sum(steady["put_off"]) > 10


def test_a_watcher_schedules_nothing(guest: vm.GuestResult) -> None:
    assert guest.files["switch_all"] == b"0\n"
    status = json.loads(guest.files["watching.status.json"])
    assert (status["in_force"], status["monitor"]) == (True, True)
    classes = counted(guest, "watching")
    assert classes["steady"]["entered"] == 3
    assert 35 <= sum(classes["fast"]["woken"]) <= 60
    for each in classes.values():
        assert (each["preemptions"], each["rescues"], each["cut_slices"]) == (0, 0, 0)


def test_tasks_come_and_go(guest: vm.GuestResult) -> None:
    steady, ended = counted(guest)["steady"], counted(guest, "ended")["steady"]
    assert (steady["entered"], steady["left"]) == (3, 0)
    assert (ended["entered"], ended["left"]) == (3, 3)
    assert ended["ran_ns"] >= steady["ran_ns"]


def test_a_monitor_counts_beside(guest: vm.GuestResult) -> None:
    watch, steady = counted(guest)["watch"], counted(guest)["steady"]
    assert (watch["entered"], watch["left"]) == (3, 0)
    assert watch["ran_ns"] == pytest.approx(steady["ran_ns"], abs=60e6)
    assert sum(watch["put_off"]) == 0


def test_waking_task_preempts(guest: vm.GuestResult) -> None:
    classes = counted(guest)
    fast, steady = classes["fast"], classes["steady"]
    assert 35 <= sum(fast["woken"]) <= 60
    assert 5 <= fast["preemptions"] <= 60
    assert steady["preempted"] > 0
    assert steady["cut_slices"] > 0
    # Each is of somebody. The loader reads class by class, and may itself be interrupted meanwhile.
    made, suffered, made_later, suffered_later = (
        sum(each[name] for each in json.loads(guest.files[f"{when}.json"])["classes"])
        for when in ("raw", "again")
        for name in ("preemptions", "preempted")
    )
    assert made <= suffered_later
    assert suffered <= made_later


def test_rescues_and_conflicts_are_counted(guest: vm.GuestResult) -> None:
    classes = counted(guest)
    assert classes["late"]["rescues"] > 0
    assert classes["lone"]["conflicts"] > 0
    assert classes["steady"]["conflicts"] == 0


def test_stats_command_shows_the_counters(guest: vm.GuestResult) -> None:
    files = {name: guest.files[name].decode() for name in ("table.out", "json.out")}
    assert guest.files["table.err"] == b""
    head, columns, *rows = files["table.out"].splitlines()
    assert head.startswith("counted, generation 2, since 20")
    assert columns.split()[:3] == ["rule", "tasks", "ran"]
    names = [row.split()[0] for row in rows]
    assert names[:5] == ["watch", "fast", "late", "lone", "steady"]
    document = json.loads(files["json.out"])
    steady = document["classes"][4]
    assert (steady["name"], steady["file"], steady["line"]) == ("steady", "counted.gpl", 8)
    assert steady["tasks"] == 3
    assert steady["waits"]["count"] == sum(each["count"] for each in steady["waits"]["buckets"])


def test_a_policy_that_does_not_count_says_so(guest: vm.GuestResult) -> None:
    assert guest.files["silent-stats.status"] == b"2\n"
    said = guest.files["silent-stats.err"].decode()
    assert said.startswith(
        "error: the policy in force has no counters\n"
        "  = help: `gthulhu swap --stats blame.gpl` adds counters\n"
    )
    assert guest.files["nothing.status"] == b"3\n"


def test_the_class_of_each_task_can_be_asked_for(guest: vm.GuestResult) -> None:
    tasks, task = (json.loads(guest.files[f"{name}.json"]) for name in ("tasks", "task"))
    classes = {each["tid"]: each["class"] for each in tasks["tasks"]}
    pid = int(guest.files["steady.pid"])
    assert tasks["classes"][classes[pid]]["owner"] == "rule `steady` (counted.gpl:8)"
    assert tasks["classes"][classes[2]]["owner"] == "kernel threads"  # kthreadd
    assert task["tasks"] == [{"tid": pid, "class": classes[pid]}]
    assert json.loads(guest.files["gone.json"])["tasks"] == []
    assert json.loads(guest.files["no-task.json"])["ok"] is False


@pytest.fixture
def replay(guest: vm.GuestResult, tmp_path: Path) -> Iterator[list[str]]:
    """Options by which a command finds a guest's loader, and its tasks as they were."""
    for line in guest.files["proc"].decode().splitlines():
        path, _, text = line.partition(":")
        file = tmp_path / path.removeprefix("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as stream:
            stream.write(f"{text}\n")
    answers = {name: json.loads(guest.files[f"{name}.json"]) for name in ("tasks", "raw")}

    def tasks(fields: list[str]) -> dict[str, Any]:
        chosen = [each for each in answers["tasks"]["tasks"] if str(each["tid"]) in fields]
        return {**answers["tasks"]} | ({"tasks": chosen} if fields[1:] else {})

    policy = HERE / "policies" / "counted.gpl"
    target = tmp_path / "generation-2.bpf.o"
    subprocess.run(["gthulhuc", "--stats", policy, "-o", target], check=True)
    loader = FakeLoader(tmp_path, {"tasks": tasks, "stats": answers["raw"]})
    yield [str(policy), "--proc", str(tmp_path / "proc"), "--state", str(tmp_path)]
    loader.close()


def test_the_kernel_and_the_reference_agree_about_all_tasks(
    guest: vm.GuestResult, replay: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert gthulhu.main(["explain", *replay, "--all", "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["compared"] is True
    tasks = answer["tasks"]
    assert len(tasks) > 30
    assert all(task["expected"] and not task["differs"] for task in tasks)
    names = {task["rule"]["name"] for task in tasks}
    assert names == {"steady", "apart", "default", "kernel threads"}
    # One began a session of its own.
    apart = [task["rule"]["name"] for task in tasks if task["comm"] == "apart"]
    assert sorted(apart) == ["apart", "default"]
    assert [task["comm"] for task in tasks if task["rule"]["name"] == "steady"] == ["steady"] * 3

    assert gthulhu.main(["explain", *replay, "--all"]) == 0
    assert "rule `steady` (counted.gpl:8): 3 tasks\n" in capfd.readouterr().out
    pid = guest.files["steady.pid"].decode().strip()
    assert gthulhu.main(["explain", *replay, "--pid", pid]) == 0
    said = capfd.readouterr().out
    assert said.startswith(f"task {pid} `steady`: rule `steady` (counted.gpl:8)\n")
    assert 'because  comm == "steady"' in said
    assert "  class    has 3 tasks now, ran " in said
