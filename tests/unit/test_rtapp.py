# SPDX-License-Identifier: Apache-2.0
"""Workloads of rt-app in a simulation. The files have the shapes of its tutorial's examples."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation import machine, play, rtapp
from gthulhu_lab.simulation.play import Figures, Player
from gthulhuc.cli import gthulhu
from scenario import compiled
from simulation import Machine

POLICY = compiled('policy p {} rule second { match comm == "work-1" }')
MS = 1_000_000


@pytest.fixture(scope="module")
def player() -> Player:
    return Player(costed=False)


class Played:
    """The figures of a file, and what was left out; `seconds`: without a duration."""

    def __init__(
        self, player: Player, folder: Path, text: str, *, on: str = "4", seconds: float = 1.0
    ) -> None:
        (folder / "app.json").write_text(text)
        place = replace(machine.read(on), costs={})
        self.load, self.left_out = rtapp.read(str(folder / "app.json"), POLICY, place)
        length = self.load.seconds or seconds
        text = play.scenario(self.load, place, seed=1, seconds=length)
        self.figures: Figures = player.run(player.policy(POLICY, place), text)

    def ran_ms(self) -> dict[str, float]:
        """The CPU time by task."""
        found = Counter[str]()
        for group, figures in zip(self.load.groups, self.figures.groups, strict=True):
            found[group.name] += figures.ran_ns
        return {name: ns / MS for name, ns in found.items()}


def tasks(**content: Any) -> str:
    return json.dumps({"tasks": content})


def test_a_periodic_task_has_its_load(player: Player, tmp_path: Path) -> None:
    text = """
    {
        /* comments, and commas at the end, as json-c and workgen allow */
        "tasks": {
            "worker": {
                "instance": 3, // threads
                "loop": -1,
                "run": 10000, "sleep": 0,
                "timer": { "ref": "unique", "period": 100000 },
            },
        },
        "global": { "duration": 2, "default_policy": "SCHED_OTHER", "gnuplot": true },
    }
    """
    found = Played(player, tmp_path, text)
    assert (found.load.seconds, found.left_out) == (2, [])
    assert found.figures.groups[0].tasks == 3
    assert found.ran_ms()["worker"] == pytest.approx(3 * 20 * 10, rel=0.01)


def test_a_timer_that_threads_share_gives_each_a_part(player: Player, tmp_path: Path) -> None:
    work = {"instance": 2, "run": 1000, "timer": {"ref": "common", "period": 10000}}
    found = Played(player, tmp_path, tasks(work=work))
    # Each takes every second period.
    assert sum(found.ran_ms().values()) == pytest.approx(100, rel=0.02)


def test_a_timer_makes_up_for_lost_time_only_if_it_is_absolute(
    player: Player, tmp_path: Path
) -> None:
    # Three of the 40 periods are lost in the first phase.
    for mode, end_ms in (("absolute", 400), ("relative", 30 + 390)):
        timer = {"ref": "unique", "period": 10000, "mode": mode}
        phases = {
            "late": {"run": 30000, "timer": timer},
            "early": {"loop": 39, "run": 1000, "timer": timer},
            # Then `b` computes to the end.
            "end": {"resume": "b", "sleep": 10**9},
        }
        both = Played(
            player, tmp_path, tasks(a={"phases": phases}, b={"suspend": "", "run": 10**6})
        )
        assert 1000 - both.ran_ms()["b"] == pytest.approx(end_ms, abs=1)


def test_phases_repeat_and_tasks_end(player: Player, tmp_path: Path) -> None:
    phases = {
        "light": {"loop": 3, "run": 1000, "sleep": 1000},
        "heavy": {"loop": 2, "run0": 10000, "run1": 5000},
    }
    found = Played(player, tmp_path, tasks(work={"loop": 4, "phases": phases}))
    assert found.ran_ms()["work"] == pytest.approx(4 * (3 * 1 + 2 * 15), rel=0.01)
    once = Played(player, tmp_path, tasks(work={"loop": 5, "run": 2000, "sleep": 100}))
    assert once.ran_ms()["work"] == pytest.approx(10, rel=0.03)


def test_a_key_may_be_there_twice(player: Player, tmp_path: Path) -> None:
    text = '{"tasks": {"work": {"loop": 2, "run": 1000, "sleep": 10, "run": 3000, "yield"}}}'
    assert Played(player, tmp_path, text).ran_ms()["work"] == pytest.approx(8, rel=0.03)


def test_a_barrier_keeps_tasks_in_step(player: Player, tmp_path: Path) -> None:
    quick = {"runtime1": 1000, "barrier1": "one", "runtime2": 2000, "barrier2": "two"}
    slow = {"runtime1": 4000, "barrier1": "one", "runtime2": 1000, "barrier2": "two"}
    found = Played(player, tmp_path, tasks(quick=quick, slow={"instance": 2, **slow}))
    # A round takes 4 + 2 ms.
    assert found.ran_ms()["quick"] == pytest.approx(1000 * 3 / 6, rel=0.02)
    assert found.ran_ms()["slow"] == pytest.approx(2 * 1000 * 5 / 6, rel=0.02)


def test_a_mutex_lets_in_one_at_a_time(player: Player, tmp_path: Path) -> None:
    work = {"instance": 4, "lock": "m", "run": 1000, "unlock": "m"}
    found = Played(player, tmp_path, tasks(work=work))
    assert found.ran_ms()["work"] == pytest.approx(1000, rel=0.02)
    free = Played(player, tmp_path, tasks(work={"instance": 4, "run": 1000}))
    assert free.ran_ms()["work"] == pytest.approx(4000, rel=0.01)


def test_conditions_pass_work_on(player: Player, tmp_path: Path) -> None:
    caller = {"run": 1000, "lock": "m", "sync": {"ref": "c", "mutex": "m"}, "unlock": "m"}
    answer = {
        "lock": "m", "wait": {"ref": "c", "mutex": "m"}, "unlock": "m", "run": 3000,
        "lock2": "m", "signal": "c", "unlock2": "m",
    }  # fmt: skip
    found = Played(player, tmp_path, tasks(answer=answer, caller={"delay": 1000, **caller}))
    assert found.ran_ms()["caller"] == pytest.approx(250, rel=0.03)
    assert found.ran_ms()["answer"] == pytest.approx(750, rel=0.03)


def test_a_signal_wakes_one_and_a_broadcast_all(player: Player, tmp_path: Path) -> None:
    waiter = {
        "instance": 3, "loop": 1, "lock": "m", "wait": {"ref": "c", "mutex": "m"}, "unlock": "m",
        "run": 5000,
    }  # fmt: skip
    for event, number in (("signal", 1), ("broad", 3)):
        told = {"loop": 1, "sleep": 1000, "lock": "m", event: "c", "unlock": "m"}
        found = Played(player, tmp_path, tasks(waiter=waiter, told=told))
        assert found.ran_ms()["waiter"] == pytest.approx(5 * number, rel=0.02)


def test_suspended_tasks_are_resumed_by_name(player: Player, tmp_path: Path) -> None:
    ticks = {"resume": "work", "timer": {"ref": "tick", "period": 10000}}
    work = {"instance": 2, "suspend": "work", "run": 1000}
    found = Played(player, tmp_path, tasks(ticks=ticks, work=work))
    assert found.ran_ms()["work"] == pytest.approx(200, rel=0.02)
    # A task that runs hears nothing.
    long = Played(player, tmp_path, tasks(ticks=ticks, work={**work, "run": 15000}))
    assert long.ran_ms()["work"] == pytest.approx(2 * 750, rel=0.02)


def test_a_semaphore_keeps_what_is_posted(player: Player, tmp_path: Path) -> None:
    source = {"loop": 10, "sem_post": "s", "run": 10}
    sink = {"delay": 100000, "sem_wait": "s", "run": 1000}
    found = Played(player, tmp_path, tasks(source=source, sink=sink))
    assert found.ran_ms()["sink"] == pytest.approx(10, rel=0.02)


def test_work_takes_longer_on_slow_cpus_and_time_does_not(player: Player, tmp_path: Path) -> None:
    profile = tmp_path / "slow.toml"
    profile.write_text("cpus = 2\nspeeds = { '1' = 0.5 }\n")
    each = {"loop": 1, "cpus": [1], "priority": -5}
    text = tasks(work={**each, "run": 10000}, time={**each, "runtime": 10000})
    found = Played(player, tmp_path, text, on=str(profile)).ran_ms()
    assert found["work"] == pytest.approx(20, rel=0.01)
    assert found["time"] == pytest.approx(10, rel=0.01)


def test_phases_have_cpus_and_nice_values(player: Player, tmp_path: Path) -> None:
    phases = {
        "here": {"cpus": [0], "priority": 5, "run": 500000},
        "there": {"cpus": [1], "run": 10**9},
    }
    rival = {"cpus": [0], "run": 1000}
    found = Played(player, tmp_path, tasks(work={"phases": phases}, rival=rival), seconds=3)
    # 335 to 1024, the weights of nice 5 and 0; then each has a CPU of its own.
    shared_ms = 500 * (1 + 1024 / 335)
    assert found.ran_ms()["work"] == pytest.approx(3000 - shared_ms + 500, rel=0.02)
    assert found.ran_ms()["rival"] == pytest.approx(3000 - 500, rel=0.02)


def test_threads_have_their_own_rules_and_names(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        tasks(
            work={"instance": 3, "taskgroup": "/a/b", "run": 10},
            a_name_of_length={"run": 10},
        )
    )
    load, _ = rtapp.read(str(tmp_path / "a.json"), POLICY, machine.read("2"))
    found = [(group.name, group.class_name, group.threads) for group in load.groups]
    assert found == [
        ("work", "default", (b"work-0", b"work-2")),
        ("work", "second", (b"work-1",)),
        ("a_name_of_length", "default", (b"rt-app",)),
    ]
    assert load.groups[0].facts.cgroup == b"/a/b"
    text = play.scenario(load, machine.read("2"), seed=1, seconds=1)
    assert "\n0 task 2 1 0 .rt-app ./ " in text
    assert "\n0 task 3 2 65536 .work-0 ./a/b " in text


def test_names_may_have_any_characters(player: Player, tmp_path: Path) -> None:
    text = r'{"tasks": {"a\ud800 %\n\u0000": {"taskgroup": "/\udfff é", "run": 1000}}}'
    ran_ms = Played(player, tmp_path, text).ran_ms()
    # A terminal sees none of them.
    assert ran_ms == {r"a\u{d800} %\x0a\x00": pytest.approx(1000, rel=0.01)}


def test_each_omitted_key_is_named(player: Player, tmp_path: Path) -> None:
    text = json.dumps(
        {
            "tasks": {
                "a": {
                    "policy": "SCHED_FIFO", "priority": 10, "dl-runtime": 5, "colour": "red",
                    "phases": {"x": {"taskgroup": "/x", "mem": 5, "run": 10, "util_min": 3}},
                },
                "b": {"instance": 0, "run": 10},
                "c": {"fork": "b", "suspend": "a", "resume": "z", "sleep": 5},
            },
            "global": {"pi_enabled": True, "what": 1, "calibration": "CPU0"},
        }
    )  # fmt: skip
    assert Played(player, tmp_path, text).left_out == [
        "global.pi_enabled: the model's mutexes inherit no priority",
        "global.what: unknown key",
        "tasks.a.dl-runtime: the scheduler chooses slices",
        "tasks.a.colour: unknown key",
        "tasks.a.policy: SCHED_FIFO is simulated as SCHED_OTHER with nice 0",
        "tasks.a.phases.x.util_min: the model has no frequencies",
        "tasks.a.phases.x.taskgroup: a phase cannot change its cgroup",
        "tasks.a.phases.x.mem: the model has no work that depends on memory",
        "tasks.b.instance: 0 threads, and the model has no `fork` of them",
        "tasks.c.fork: the model's tasks start no others",
        "tasks.c.suspend: rt-app ignores `a`: the task is resumed as `c`",
        "tasks.c.resume: no task has the name `z`, so nobody is resumed",
    ]


def test_the_model_keeps_its_invariants_and_its_memory(tmp_path: Path) -> None:
    work = {"lock": "m", "run": 100, "wait": {"ref": "c", "mutex": "m"}, "unlock": "m"}
    phases = {
        "a": {"loop": 3, "cpus": [0], "priority": 3, "runtime": 50, "barrier": "b"},
        "b": {"sem_post": "s", "broad": "c", "resume": "held", "yield": ""},
        "c": {"loop": 2, "timer": {"ref": "unique", "period": 300}, "sleep": 20},
    }
    text = tasks(
        work={"instance": 3, **work},
        first={"phases": phases, "loop": 40},
        other={"phases": phases, "loop": 40},
        held={"suspend": "", "sem_wait": "s", "run": 30, "timer": {"ref": "t", "period": 100}},
    )
    (tmp_path / "app.json").write_text(text)
    place = replace(machine.read("2"), costs={})
    load, _ = rtapp.read(str(tmp_path / "app.json"), POLICY, place)
    checked = Machine(tmp_path)
    result = subprocess.run(
        [checked._program, checked.scheduler(POLICY)],
        input=play.scenario(load, place, seed=1, seconds=0.2).encode(),
        capture_output=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, (result.stdout, result.stderr)
    found = play.figures(result.stdout.decode())
    assert all(group.ran_ns > MS for group in found.groups)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"tasks": {\n"a": {"run" 5}}}', "app.json:2:13: not JSON: Expecting ':' delimiter"),
        ('{"tasks": {"a": {"run": ' + "[" * 100_000, "nested too deeply"),
        ("[]", "app.json: expected an object in braces, found []"),
        ("{}", "tasks: expected a task or more"),
        (tasks(a={}), "tasks.a: it does nothing: expected an event such as `run` or `sleep`"),
        (tasks(a={"run": 0}), "tasks.a: it does nothing"),
        (tasks(a={"run": "5"}), "tasks.a.run: expected a whole number, 0 to 1000000000000, found"),
        (tasks(a={"run": -1}), "tasks.a.run: expected a whole number"),
        (tasks(a={"run": 5, "loop": 0}), "tasks.a.loop: expected -1 (for ever) or a number"),
        (tasks(a={"phases": {"x": []}}), "tasks.a.phases.x: expected an object in braces"),
        (tasks(a={"run": 5, "cpus": [4]}), "tasks.a.cpus: expected a whole number, 0 to 3"),
        (tasks(a={"run": 5, "cpus": 1}), "tasks.a.cpus: expected a list of CPUs, found 1"),
        (tasks(a={"run": 5, "policy": "FIFO"}), "tasks.a.policy: expected one of SCHED_OTHER"),
        (tasks(a={"run": 5, "priority": 20}), "tasks.a.priority: expected a whole number, -20 to"),
        (tasks(a={"timer": {"period": 5, "mode": "x"}}), "tasks.a.timer.mode: expected relative"),
        (tasks(a={"wait": "c"}), 'tasks.a.wait: expected an object in braces, found "c"'),
        (tasks(a={"lock": 5}), "tasks.a.lock: expected a text, found 5"),
        (tasks(a={"run": 5, "instance": 10_001}), "tasks.a.instance: expected a whole"),
        (tasks(**{name: {"run": 5, "instance": 9_000} for name in "ab"}), "at most 10,000 threads"),
        (tasks(a={"run": 5, "instance": 0}), "tasks: no task begins by itself"),
        (tasks(a={"run": 5, "taskgroup": "x"}), "tasks.a.taskgroup: expected a path from /"),
        (tasks(a={"run": 5, "taskgroup": "/" * 501}), "tasks.a.taskgroup: expected a path from /"),
        (tasks(a={f"run{number}": 5 for number in range(4001)}), "tasks.a: expected at most 4,000"),
    ],
)  # fmt: skip
def test_a_malformed_file_is_refused_with_its_place(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "app.json").write_text(text)
    with pytest.raises(LabError) as caught:
        rtapp.read(str(tmp_path / "app.json"), POLICY, machine.read("4"))
    assert why in str(caught.value)


def test_the_command_takes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.gpl").write_text("policy p {}\n")
    (tmp_path / "app.json").write_text(
        '{"tasks": {"a": {"run": 1000, "iorun": 5, "sleep": 1000}}, "global": {"duration": 90}}'
    )
    words = ["simulate", str(tmp_path / "p.gpl"), "--machine=2", "--seeds=1"]
    file = f"--workload={tmp_path / 'app.json'}"
    assert gthulhu.main([*words, file, "--seconds=0.5", "--json=-"]) == 0
    said = capsys.readouterr()
    assert "left out: tasks.a.iorun: the model has no devices" in said.err
    found = json.loads(said.out)
    assert found["seconds"] == 0.5
    assert [each["name"] for each in found["loads"][0]["schedulers"][0]["groups"]] == ["a"]
    assert gthulhu.main([*words, file, "--no-costs", "--control=none"]) == 0
    said = capsys.readouterr()
    assert "left out: all after 60 of 90 s" in said.err
    assert "1 seed of 60 s" in said.out
    assert gthulhu.main([*words, "--workload=none.json"]) == 2
    assert "cannot read none.json: No such file" in capsys.readouterr().err
