# SPDX-License-Identifier: Apache-2.0
"""`gthulhu explain --pid` and `--all`, with a loader and a /proc of the test's own."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import command
from fake_loader import Answer, FakeLoader
from gthulhu import processes
from gthulhuc import codegen, plan
from gthulhuc.cli.files import read_source
from gthulhuc.frontend import check
from gthulhuc.source import Source

POLICY = """\
policy shop {}
rule web   { match process == "nginx" and leader priority high }
rule calm  { match comm == "editor" and interactive }
rule build { match comm == "make" inherit }
rule child { match parent == "cron" and nice > 5 }
rule fs    { match kthread and comm ~ "jbd2*" }
"""
KTHREAD = 0x200000


class Machine:
    """Tasks, and the classes that the kernel has given them."""

    def __init__(self, folder: Path, text: str = POLICY) -> None:
        self.folder = folder
        self.rules = re.findall(r"^rule (\w+)", text, re.MULTILINE)
        self.classes: dict[int, int] = {}
        self.label_sets: dict[int, int] = {}  # of tasks
        self.labels: dict[str, Any] = {}  # what an answer has of them, beside
        self.called = str(folder / "shop.gpl")  # what was put in force
        self.generations: Iterator[int] = itertools.repeat(4)  # of one answer after the other
        self.loader: FakeLoader | None = None
        policy = folder / "shop.gpl"
        policy.write_text(text)
        checked, problems = check(Source("shop.gpl", text))
        assert checked is not None, problems
        made = codegen.compile_object(codegen.render(plan.build(checked)))
        (folder / "generation-4.bpf.o").write_bytes(made)

    def task(
        self, tid: int, comm: str, owner: str, *, pid: int = 0, parent: int = 0, nice: int = 0,
        kthread: bool = False, policy: int = 0,
    ) -> None:  # fmt: skip
        names = [*self.rules, "default", "kernel threads"]
        self.classes[tid] = names.index(owner)
        self.label_sets[tid] = 0
        folder = self.folder / "proc" / str(tid)
        folder.mkdir(parents=True)
        stat = ["0"] * 52
        stat[9 - 1], stat[19 - 1] = str(KTHREAD * kthread), str(nice)
        stat[41 - 1] = str(policy)
        (folder / "stat").write_text(f"{tid} ({comm}) S {' '.join(stat[3:])}\n")
        (folder / "comm").write_text(f"{comm}\n")
        (folder / "schedstat").write_text("1500000000 20000000 300\n")
        (folder / "cgroup").write_text("0::/system.slice/x.service\n")
        (folder / "status").write_text(
            f"Name:\t{comm}\nTgid:\t{pid or tid}\nPPid:\t{parent}\n"
            "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n"
        )

    def label(self, tid: int, cgroup: str, label_set: int = 0) -> None:
        """Puts a task into a cgroup, and gives it labels of its own."""
        (self.folder / "proc" / str(tid) / "cgroup").write_text(f"0::{cgroup}\n")
        self.label_sets[tid] = label_set

    def explain(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        if self.loader is None:
            answers: dict[str, Answer] = {
                "tasks": self._tasks,
                "stats": {"ok": False, "error": "it does not count"},
            }
            self.loader = FakeLoader(self.folder, answers)
        words = ["explain", "--proc", f"{self.folder}/proc", "--state", str(self.folder)]
        return command.shell(f"gthulhu {shlex.join([*words, *arguments])}", self.folder)

    def _tasks(self, fields: list[str]) -> dict[str, Any]:
        owners = [f"rule `{name}` (shop.gpl:{line})" for line, name in enumerate(self.rules, 2)]
        chosen = {tid: number for tid, number in self.classes.items() if str(tid) in fields}
        return {
            "ok": True, "policy": "shop", "generation": next(self.generations), "in_force": True,
            "object": self.called,
            "classes": [{"owner": owner} for owner in (*owners, "`default`", "kernel threads")],
            "tasks": [
                {"tid": tid, "class": number, "label_set": self.label_sets[tid]}
                for tid, number in (chosen if fields[1:] else self.classes).items()
            ],
            **self.labels,
        }  # fmt: skip


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path)
    yield machine
    if machine.loader is not None:
        machine.loader.close()


def test_one_task(machine: Machine) -> None:
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


LABELS = """\
policy shop {}
rule web   { match label "tier" == "front" }
rule api   { match namespace == "prod" and not label "canary" }
rule calm  { match comm == "nginx" }
"""
HELD: dict[str, Any] = {
    "label_sets": [
        {
            "number": 1,
            "facts": [{"fact": "label:tenant=x", "from": 5}, {"fact": "label:tier=front"}],
        },
        {"number": 2, "facts": [{"fact": "label:tier=b\N{REPLACEMENT CHARACTER}"}]},
    ],
    "containers": [
        {
            "cgroup": "/pods/api", "complete": True,
            "facts": [{"fact": "label:tier=back"}, {"fact": "namespace=prod"}],
        },
        {"cgroup": "/pods/api/new", "complete": False, "facts": [{"fact": "namespace=prod"}]},
    ],
}  # fmt: skip


@pytest.fixture
def labelled(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path, LABELS)
    machine.labels = HELD
    yield machine
    if machine.loader is not None:
        machine.loader.close()


def test_labels_are_among_what_was_matched(labelled: Machine) -> None:
    labelled.task(5, "sh", "default")
    labelled.task(7, "nginx", "web")
    labelled.label(7, "/pods/api/main", 1)
    labelled.task(8, "nginx", "api")
    labelled.label(8, "/pods/api")
    labelled.task(9, "nginx", "calm")
    labelled.task(10, "nginx", "calm")
    labelled.label(10, "/pods/api/new")
    said = {tid: labelled.explain("--pid", str(tid)) for tid in (7, 8, 9, 10)}
    assert all((each.returncode, each.stderr) == (0, "") for each in said.values())
    rows = {
        tid: each.stdout.replace(f"{labelled.folder}/", "").splitlines()[3:]
        for tid, each in said.items()
    }
    assert rows[7][:4] == [
        "  labels   tenant=x  (from process 5 `sh`, which started it)",
        "           tier=front  (its own)",
        "           namespace=prod  (of its container, /pods/api)",
        '  because  label "tier" == "front"  (shop.gpl:2:20)',
    ]
    assert rows[8][0] == "  labels   tier=back, namespace=prod  (of its container, /pods/api)"
    assert rows[8][1].startswith('  because  namespace == "prod"')
    assert rows[9][0] == (
        "  labels   unknown: the loader knows no container of it (run `gthulhu agent`)"
    )
    assert '  because  comm == "nginx"  (shop.gpl:4:20)' in rows[9]
    assert any(
        "`web` (shop.gpl:2:1) may take it once its labels are known" in row for row in rows[9]
    )
    assert rows[10][1] == (
        "           others are unknown yet: the loader does not know all of its container, "
        "/pods/api/new"
    )


def test_labels_for_programs(labelled: Machine) -> None:
    labelled.task(7, "nginx", "web")
    labelled.label(7, "/pods/api/main", 1)
    answer = json.loads(labelled.explain("--pid", "7", "--json").stdout)
    assert answer["labels"] == {
        "facts": [
            {"fact": "label:tenant=x", "of": "task", "from": 5},
            {"fact": "label:tier=front", "of": "task", "from": None},
            {"fact": "namespace=prod", "of": "container", "from": None},
        ],
        "cgroup": "/pods/api",
        "complete": True,
    }
    assert (answer["differs"], answer["expected"]) == (False, ["web"])
    assert [part["predicate"] for part in answer["explanation"]["decided"]] == [
        'label "tier" == "front"'
    ]


def test_a_difference_by_a_label_is_loud(labelled: Machine) -> None:
    labelled.task(7, "nginx", "calm")
    labelled.label(7, "/pods/api", 1)
    labelled.task(8, "nginx", "web")  # nothing is known of it
    labelled.task(9, "sh", "api")
    labelled.label(9, "/pods/api/new")  # whether it has `canary` is not
    labelled.task(10, "sh", "api")
    labelled.label(10, "/pods/api")
    result = labelled.explain("--all")
    assert result.returncode == 1
    assert re.findall(r"DIFFER: task (\d+) .* should be in (.*)", result.stderr) == [
        ("7", "`web`"), ("8", "`calm`"), ("9", "`default`"),
    ]  # fmt: skip


def test_facts_unknown_to_the_loader_are_no_difference(labelled: Machine) -> None:
    # A cgroup that was removed, a label that is no text, a set that came after the answer.
    labelled.task(7, "nginx", "web")
    labelled.label(7, "/pods/api (deleted)")
    labelled.task(8, "nginx", "web")
    labelled.label(8, "/", 2)
    labelled.task(9, "nginx", "web")
    labelled.label(9, "/", 3)
    result = labelled.explain("--all")
    assert (result.returncode, result.stderr) == (0, "")
    said = labelled.explain("--pid", "8").stdout
    assert said.splitlines()[-1] == "  because  probably of a label that only the scheduler knows"


def test_a_class_by_a_call(tmp_path: Path) -> None:
    policy = """\
policy shop {}
rule net  { match calls "udp_rcv" within 1s }
rule calm { match comm == "nginx" }
"""
    machine = Machine(tmp_path, policy)
    for tid, name in ((7, "net"), (8, "calm"), (9, "default")):
        machine.task(tid, "nginx", name)
    try:
        by_call, by_name, neither = (machine.explain("--pid", pid) for pid in ("7", "8", "9"))
    finally:
        assert machine.loader is not None
        machine.loader.close()
    assert by_call.stdout.splitlines()[-1] == (
        "  because  probably of a function that it has called"
    )
    assert '  because  comm == "nginx"' in by_name.stdout
    unless = f"  unless   `net` ({tmp_path}/shop.gpl:2:1) takes it if it calls the function\n"
    assert unless in by_name.stdout
    assert "  assumed  the kernel functions that it calls are unknown\n" in by_name.stdout
    assert [run.returncode for run in (by_call, by_name, neither)] == [0, 0, 1]


def test_labels_decide_whether_calls_matter(tmp_path: Path) -> None:
    policy = """\
policy shop {}
rule net  { match label "tier" == "front" and calls "udp_rcv" within 1s }
rule prod { match namespace == "prod" }
"""
    machine = Machine(tmp_path, policy)
    machine.labels = HELD
    machine.task(7, "front", "net")
    machine.label(7, "/pods/api", 1)
    machine.task(8, "back", "net")
    machine.label(8, "/pods/api")
    machine.task(9, "both", "prod")
    machine.label(9, "/pods/api", 1)
    machine.task(10, "removed", "net")
    machine.label(10, "/pods/api (deleted)")
    machine.task(11, "kworker", "net", kthread=True)
    machine.label(11, "/", 1)
    try:
        said = machine.explain("--all")
        front, removed = (machine.explain("--pid", pid).stdout for pid in ("7", "10"))
    finally:
        assert machine.loader is not None
        machine.loader.close()
    assert re.findall(r"DIFFER: task (\d+) .* should be in (.*)", said.stderr) == [
        ("8", "`prod`"), ("11", "`kernel threads`"),
    ]  # fmt: skip
    calls = "  because  probably of a function that it has called"
    assert front.splitlines()[-1] == calls
    assert removed.splitlines()[-1] == f"{calls} or a label that only the scheduler knows"


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


def test_nothing_in_force(tmp_path: Path) -> None:
    line = f"gthulhu explain --all --state {shlex.quote(str(tmp_path))}"
    assert command.shell(line, tmp_path).returncode == 3


def test_what_was_forked_has_the_arguments_of_its_server(tmp_path: Path) -> None:
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
