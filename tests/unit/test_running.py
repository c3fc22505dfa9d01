# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain --pid` and `--all`, with a loader and a /proc of the test's own."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import command
from explained_machine import POLICY, Machine
from gthulhu import processes
from gthulhuc import codegen, plan
from gthulhuc.cli.files import read_source
from gthulhuc.frontend import check


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with closing(Machine(tmp_path)) as made:
        yield made


def test_explain_shows_the_rule_and_the_times_of_one_task(machine: Machine) -> None:
    machine.task(7, "nginx", "web")
    result = machine.explain("--pid", "7")
    assert (result.returncode, result.stderr) == (0, "")
    head, *rows = result.stdout.splitlines()
    assert head == "task 7 `nginx`: rule `web` (shop.gpl:2)"
    assert "  policy   shop, generation 4" in rows
    assert "  time     ran 1.5s, waited 20ms, in 300 turns" in rows
    assert any(row.startswith('  because  process == "nginx"') for row in rows)


def test_json(machine: Machine) -> None:
    machine.task(7, "nginx", "web")
    answer = json.loads(machine.explain("--pid", "7", "--json").stdout)
    assert answer["rule"] == {"name": "web", "file": "shop.gpl", "line": 2}
    assert (answer["differs"], answer["expected"], answer["compared"]) == (False, ["web"], True)
    assert answer["explanation"]["rule"]["name"] == "web"


def test_a_difference_is_loud(machine: Machine) -> None:
    machine.task(7, "nginx", "default")
    machine.task(8, "sh", "default")
    for which in (("--pid", "7"), ("--all",)):
        result = machine.explain(*which)
        assert result.returncode == 1
        assert (
            "error: THE KERNEL AND THE REFERENCE DIFFER: task 7 `nginx` is in default, and should "
            "be in `web`" in result.stderr
        )
    assert "!        7 nginx" in result.stdout
    assert "         8 sh" in result.stdout
    assert machine.loader is not None
    # Unexpected results are read again.
    assert machine.loader.requests.count("tasks\t7") >= 3


def test_classes_of_two_policies_are_not_mixed_up(machine: Machine) -> None:
    machine.task(7, "nginx", "default")
    machine.generations = itertools.chain([4], itertools.repeat(5))
    result = machine.explain("--all")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "error: another policy was put in force meanwhile\n  = help: run the command again\n"
    )


def test_many_differences_have_one_explanation(machine: Machine) -> None:
    for tid in (7, 8, 9):
        machine.task(tid, "nginx", "default")
    said = machine.explain("--all").stderr
    assert said.count("error: THE KERNEL AND THE REFERENCE DIFFER") == 3
    assert said.count("  = help: ") == 1
    assert said.splitlines()[-1].startswith("  = help: the scheduler knows the names of parents")


def test_facts_are_not_assumed_for_an_existing_task(machine: Machine) -> None:
    machine.task(7, "nginx", "web")
    for which in (("--pid", "7"), ("--all",)):
        for fact in (("--comm", "x"), ("--nice", "0"), ("--no-pod",), ("--label", "a=b")):
            result = machine.explain(*which, *fact)
            assert (result.returncode, result.stdout) == (2, "")
            assert result.stderr.startswith(f"error: {fact[0]} conflicts with {which[0]}: ")
    assert machine.explain("shop.gpl", "--pid", "7", "--json", "--color", "never").returncode == 0


def test_facts_known_only_to_the_scheduler_are_no_difference(machine: Machine) -> None:
    machine.task(1, "cron", "default")
    machine.task(10, "editor", "calm")
    machine.task(11, "editor", "default")
    machine.task(12, "cc1", "build")
    machine.task(13, "job", "child", parent=1, nice=10)
    machine.task(14, "jbd2/sda1-8", "fs", kthread=True)
    machine.task(15, "kswapd0", "kernel threads", kthread=True)
    machine.task(16, "worker", "default", pid=20)
    machine.task(20, "nginx", "web")
    result = machine.explain("--all")
    assert (result.returncode, result.stderr) == (0, "")
    heads = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
    assert heads == [
        "rule `web` (shop.gpl:2): 1 task", "rule `calm` (shop.gpl:3): 1 task",
        "rule `build` (shop.gpl:4): 1 task", "rule `child` (shop.gpl:5): 1 task",
        "rule `fs` (shop.gpl:6): 1 task", "default: 3 tasks", "kernel threads: 1 task",
    ]  # fmt: skip


def test_task_owned_by_no_queue_is_reported(machine: Machine) -> None:
    machine.task(7, "audio", "default", policy=1)
    said = machine.explain("--pid", "7").stdout
    assert "  apart    it is SCHED_FIFO: no policy schedules it\n" in said


def test_a_source_that_has_changed_is_not_compared(machine: Machine) -> None:
    machine.task(7, "nginx", "default")
    (machine.folder / "shop.gpl").write_text(POLICY + "\n")
    result = machine.explain("--pid", "7")
    assert result.returncode == 0
    assert "shop.gpl has changed since it was compiled" in result.stdout


def test_the_source_beside_an_object(machine: Machine) -> None:
    """As under the service, which runs objects."""
    machine.task(7, "nginx", "web")
    machine.called = f"{machine.folder}/other.bpf.o"  # it need not be there any more
    said = machine.explain("--pid", "7").stdout
    assert f'because  process == "nginx"  ({machine.folder}/shop.gpl:2:20)' in said
    (machine.folder / "shop.gpl").rename(machine.folder / "elsewhere.gpl")
    said = machine.explain("--pid", "7").stdout
    assert "  because  unknown: the policy's source is missing (" in said
    assert "`gthulhu explain PATH/shop.gpl --pid 7`\n" in said
    assert "`gthulhu explain PATH/shop.gpl --all`" in machine.explain("--all").stderr
    said = machine.explain("elsewhere.gpl", "--pid", "7").stdout
    assert "because  process ==" in said


def test_a_policy_from_standard_input(machine: Machine) -> None:
    machine.task(7, "nginx", "web")
    machine.called = "standard input"
    said = machine.explain("--pid", "7").stdout
    assert "unknown: the policy came from standard input, " in said
    assert "because  process ==" in machine.explain("shop.gpl", "--pid", "7").stdout


def test_an_object_that_says_nothing_of_its_source(machine: Machine) -> None:
    machine.task(7, "nginx", "web")
    target = machine.folder / "generation-4.bpf.o"
    made = target.read_bytes()
    target.write_bytes(made.replace(b'"sha256":', b'"sha257":'))
    assert target.read_bytes() != made
    said = machine.explain("--pid", "7").stdout
    assert "unknown: the object does not name its source\n" in said


def test_a_library_that_has_changed_is_not_compared(machine: Machine) -> None:
    machine.task(7, "nginx", "web")
    library = machine.folder / "lib.gpl"
    library.write_text("set nobody = []\n")
    text = POLICY.replace("policy shop {}\n", 'policy shop {}\ninclude "lib.gpl"\n')
    policy = machine.folder / "shop.gpl"
    policy.write_text(text)
    made, problems = check(read_source(str(policy))[0])
    assert made is not None, problems
    target = machine.folder / "generation-4.bpf.o"
    target.write_bytes(codegen.compile_object(codegen.render(plan.build(made))))
    said = machine.explain("--pid", "7").stdout
    assert 'because  process == "nginx"' in said
    library.write_text('set nobody = ["x"]\n')
    said = machine.explain("--pid", "7").stdout
    assert "shop.gpl has changed since it was compiled" in said


def test_no_such_task(machine: Machine) -> None:
    result = machine.explain("--pid", "7")
    assert result.returncode == 2
    assert result.stderr.startswith("error: task 7 does not exist\n")
    assert machine.explain("--pid", "x").returncode == 2


def test_explain_without_a_policy_in_force_exits_with_3(tmp_path: Path) -> None:
    line = f"gthulhu explain --all --state {shlex.quote(str(tmp_path))}"
    assert command.shell(line, tmp_path).returncode == 3


def test_a_forked_process_has_the_arguments_of_its_server(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.task(7, "postgres", "default")
    machine.task(8, "postgres", "default", parent=7)
    machine.task(9, "psql", "default", parent=7)
    for tid, exe, text in (
        (7, "/bin/postgres", "postgres\0-D\0/data\0"),
        (8, "/bin/postgres", "postgres: writer\0\0\0"),
        (9, "/bin/psql (deleted)", "psql\0"),
    ):
        folder = tmp_path / "proc" / str(tid)
        (folder / "cmdline").write_text(text)
        (folder / "exe").symlink_to(exe)
        stat = (folder / "stat").read_text().split(" ")
        stat[3], stat[8] = "0" if tid == 7 else "7", str(0x40)
        (folder / "stat").write_text(" ".join(stat))
    facts = [found.facts for tid in (7, 8, 9) if (found := processes.read(tid, tmp_path / "proc"))]
    assert [each.cmdline for each in facts] == [
        (b"postgres", b"-D", b"/data"), (b"postgres", b"-D", b"/data"), (b"psql",),
    ]  # fmt: skip
    assert [each.exe for each in facts] == [b"/bin/postgres", b"/bin/postgres", b"/bin/psql"]
