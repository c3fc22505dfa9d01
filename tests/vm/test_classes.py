# SPDX-License-Identifier: Apache-2.0
"""Each event gives a task its class in a real kernel."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from gthulhu_lab import vm
from gthulhuc import codegen, plan
from gthulhuc.frontend import check, decode

pytestmark = pytest.mark.vm

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).with_name("classes")

RULES = re.findall(r"^rule (\w+)", (FOLDER / "policy.gpl").read_text(), re.MULTILINE)
CLASSES = [*RULES, "default", "kernel threads"]
EXPECTED = {
    # There before the scheduler was: by the tree of processes as it is.
    "loaded-child": "child",
    "loaded-grandchild": "descendant",
    # Started by a task that a rule with `inherit` takes.
    "loaded-job": "job",
    "loaded-worker": "job",
    "loaded-worker-thread": "job",
    "loaded-heir": "job",
    "kthreadd": "kernel",
    "kthread": "kernel threads",
    "fork": "default",
    "rename": "named",
    "rename-glob": "pattern",
    "rename-no-glob": "default",
    "rename-regex": "pattern",
    "rename-away": "default",
    "exec": "pattern",
    "thread-before": "default",
    "main-renamed": "main",
    "thread-after": "thread",
    "thread-cgroup": "slice",
    "cgroup-slice": "slice",
    "cgroup-out": "default",
    "cgroup-unit": "service",
    "cgroup-other-unit": "default",
    "cgroup-pod": "pod",
    "cgroup-no-pod": "default",
    "cgroup-root": "default",
    "fork-in-cgroup": "slice",
    "clone-into-cgroup": "slice",
    "setegid": "group",
    "seteuid": "user",
    "seteuid-back": "default",
    "renice": "nice",
    "renice-back": "default",
    "parent": "default",
    "child": "child",
    "child-thread": "descendant",
    "grandchild": "descendant",
    "orphan": "descendant",
    "no-offspring": "default",
    "offspring": "offspring",
    # Kept for life, at the rule's place; what matched by itself is taken as long as it does.
    "job": "job",
    "job-heir": "job",
    "job-thread": "job",
    "job-heir-earlier-rule": "slice",
    "job-heir-back": "job",
    "job-grandchild-named": "named",
    "job-grandchild": "job",
    "job-exec": "job",
    "after-job": "default",
    "after-job-child": "default",
    "after-job-heir": "job",
    # Rules that only count leave a task to later rules.
    "watched": "default",
    "watched-named": "named",
    # More than 10 sleeps a second make interactive, less than 5 no longer.
    "lively-before": "default",
    "lively-reniced": "default",
    "lively-stays": "lively",
    "lively-not-yet": "default",
    "lively-child": "default",
    "lively-slept": "default",
}
# Tasks that came to a rule with `monitor`, and that left.
COUNTED = {
    "watch-before-entered": 0,
    "watch-before-left": 0,
    "watch-entered": 1,
    "watch-left": 0,
    "watch-child-entered": 2,
    "watch-child-left": 0,
    "watch-child-away-entered": 2,
    "watch-child-away-left": 1,
    "census-child-away-entered": 2,
    "census-child-away-left": 0,
    "watch-child-gone-entered": 3,
    "watch-child-gone-left": 2,
    "watch-after-entered": 3,
    "watch-after-left": 3,
    "behind-entered": 0,
    "behind-left": 0,
}
MEASURED = {
    "watch-ran-ms": (95, 110),
    "watch-after-ran-ms": (0, 0),
    # At 20 sleeps a second, 10 are due after half a second; that the mean decays makes it 0.7.
    "lively-in-ms": (500, 1000),
    # From 7 to 5.
    "lively-until-ms": (100, 700),
    # From 10 to 5, as it begins, though the thread that started it slept 100 times a second.
    "lively-thread-until-ms": (500, 900),
}
"""The least and the most."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The steps that provoke the events."""
    path = tmp_path_factory.mktemp("classes") / "classes"
    command: list[str | Path] = ["gcc", "-O1", "-Wall", "-Werror", f"-I{ROOT / 'templates/lib'}"]
    command += [f"-DCLASS_{name.upper()}={number}" for number, name in enumerate(RULES)]
    command += ["-o", path, *sorted(FOLDER.glob("*.c")), "-lbpf"]
    subprocess.run(command, check=True)
    return path


@pytest.fixture(scope="module")
def c_text() -> str:
    """The policy's scheduler in C."""
    source, _ = decode("policy.gpl", (FOLDER / "policy.gpl").read_bytes())
    policy, problems = check(source)
    assert policy is not None, problems
    return codegen.render(plan.build(policy))


@dataclass(frozen=True)
class Seen:
    """Classes by step, and numbers by name."""

    classes: dict[str, str]
    counts: dict[str, int]

    @classmethod
    def read(cls, output: bytes) -> Seen:
        rows = [line.split() for line in output.decode().splitlines()]
        return cls(
            {step: CLASSES[int(number)] for kind, step, number in rows if kind == "class"},
            {name: int(number) for kind, name, number in rows if kind == "count"},
        )


def run(kernel: str, program: Path, schedulers: dict[str, tuple[str, str]]) -> dict[str, Seen]:
    """Returns the results of each scheduler (in C), run in turn in one guest."""
    steps = "".join(
        f'classes {name}.bpf.o "$LAB/bin/gthulhu-loader" {kinds} >$RESULTS/{name} || exit 1\n'
        for name, (_, kinds) in schedulers.items()
    )
    files: dict[str, Path | str | bytes] = {
        "bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader",
        "bin/classes": program,
        "bin/vm-exec": Path("/bin/sleep"),
        "bin/vm-plain": Path("/bin/sleep"),
    }
    files |= {f"{name}.bpf.o": codegen.compile_object(c) for name, (c, _) in schedulers.items()}
    mount = "grep -q cgroup2 /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup\n"
    request = vm.GuestRequest(script=mount + steps, kernel=kernel, files=files, deadline_s=1200)
    guest = vm.run(request).check()
    return {name: Seen.read(guest.files[name]) for name in schedulers}


@pytest.mark.parametrize("kernel", ["6.16", "6.18", "7.0", "7.2"])
def test_every_event_classifies(kernel: str, program: Path, c_text: str) -> None:
    seen = run(kernel, program, {"policy": (c_text, "eims")})["policy"]
    assert seen.classes == EXPECTED
    assert {name: seen.counts[name] for name in COUNTED} == COUNTED
    assert set(seen.counts) == COUNTED.keys() | MEASURED.keys()
    for name, (least, most) in MEASURED.items():
        assert least <= seen.counts[name] <= most, name


def without_events(c_text: str) -> str:
    """A scheduler whose programs are never called, as if the kernel had dropped every event."""
    text, count = re.subn(r'SEC\("(?=(?:tp_btf|fexit)/)', 'SEC("?', c_text)
    assert count == 4
    return text


@pytest.mark.parametrize("kernel", ["6.16", "7.2"])
def test_a_task_that_runs_needs_no_event(kernel: str, program: Path, c_text: str) -> None:
    seen = run(kernel, program, {"policy": (without_events(c_text), "eir")})["policy"]
    # This one sleeps, so it is found only if something has interrupted it before.
    assert seen.classes.pop("exec") in {"default", EXPECTED["exec"]}
    assert seen.classes == {step: EXPECTED[step] for step in seen.classes}
    assert {"rename", "thread-cgroup", "offspring", "after-job-heir"} <= seen.classes.keys()


@dataclass(frozen=True)
class Mutation:
    """A defect of the scheduler: `old` in its C becomes `new`, and these steps have to notice."""

    kinds: str
    old: str
    new: str
    noticed_by: set[str]

    def apply(self, c_text: str) -> str:
        assert c_text.count(self.old) == 1, self.old
        if "r" in self.kinds:
            c_text = without_events(c_text)
        return c_text.replace(self.old, self.new)


MUTATIONS = {
    # Of the classifier itself.
    "the-second-of-an-or-is-forgotten": Mutation(
        "e", " || (comm.patterns[0] & NAME_4)", "", {"rename-regex"}
    ),
    "a-range-has-one-number": Mutation("e", "uid <= 1239", "uid <= 1230", {"seteuid"}),
    "less-is-more": Mutation("e", "nice <= -5", "nice >= -5", {"fork", "renice-back"}),
    # Of the events that it is called at.
    "renames-are-not-seen": Mutation(
        "e",
        'SEC("tp_btf/task_rename")',
        'SEC("?tp_btf/task_rename")',
        {"rename", "rename-glob", "main-renamed", "thread-after"},
    ),
    "the-old-name-is-taken": Mutation(
        "e",
        "read_name(&name, text);",
        "read_name(&name, p->comm);",
        {"rename", "rename-no-glob", "rename-away"},
    ),
    "a-process-is-its-main-thread": Mutation(
        "e",
        "if (p->pid == p->tgid) {\n\t\trename_process(p, &name);",
        "if (p->pid == p->tgid && t) {\n\t\treclassify(p, t);",
        {"thread-after"},
    ),
    "moves-are-not-seen": Mutation(
        "e",
        'SEC("tp_btf/cgroup_attach_task")',
        'SEC("?tp_btf/cgroup_attach_task")',
        {"cgroup-slice", "cgroup-unit", "cgroup-pod", "thread-cgroup"},
    ),
    "moves-are-of-the-main-thread": Mutation(
        "e",
        "if (threadgroup) {\n\t\treclassify_threads(p);\n\t\treturn 0;\n\t}",
        "",
        {"thread-cgroup"},
    ),
    "users-are-not-seen": Mutation(
        "e",
        'SEC("fexit/commit_creds")',
        'SEC("?fexit/commit_creds")',
        {"setegid", "seteuid"},
    ),
    "nice-is-not-seen": Mutation(
        "e",
        "gthulhu_set_weight, struct task_struct *p, u32 weight)\n{\n",
        "gthulhu_set_weight, struct task_struct *p, u32 weight)\n{\n\treturn;\n",
        {"renice"},
    ),
    # Of what makes up for an event that is lost. The first look at a process is no test: it
    # begins to sleep often, which is an event that is never lost.
    "lost-events-are-not-made-up-for": Mutation(
        "er",
        "if (!is_outdated(p, t))",
        "if (true)",
        {"rename", "thread-after", "cgroup-unit", "seteuid"},
    ),
    "lost-names-are-not-made-up-for": Mutation(
        "er",
        "if (!is_same_name(&t->facts.comm, name_of(p)))\n\t\treturn true;\n"
        "\tif (!is_same_name(&t->facts.process, name_of(p->group_leader)))\n\t\treturn true;",
        "",
        {"rename", "rename-glob", "rename-regex", "thread-after"},
    ),
    "lost-moves-are-not-made-up-for": Mutation(
        "er",
        "if (t->cgroups != p->cgroups)\n\t\treturn true;",
        "",
        {"cgroup-unit", "cgroup-pod"},
    ),
    "lost-ids-are-not-made-up-for": Mutation(
        "er",
        "if (t->uid != p->real_cred->euid.val)\n\t\treturn true;\n"
        "\tif (t->gid != p->real_cred->egid.val)\n\t\treturn true;",
        "",
        {"seteuid"},
    ),
    "ancestors-are-not-looked-for": Mutation(
        "e", "find_processes(&t->facts, p);", "", {"loaded-child", "loaded-grandchild"}
    ),
    "heirs-at-load-are-not-looked-for": Mutation(
        "i", "find_rules(t, p);", "", {"loaded-worker", "loaded-worker-thread", "loaded-heir"}
    ),
    "nothing-is-inherited": Mutation(
        "i",
        "\tinherit_rules(t, maker);\n\tinherit_processes",
        "\tinherit_processes",
        {"job-heir", "job-thread", "job-exec", "after-job-heir"},
    ),
    "heirs-have-no-heirs": Mutation(
        "i", "u64 rules = facts->inherited;", "u64 rules = 0;", {"job-grandchild"}
    ),
    "an-heir-comes-first": Mutation(
        "i",
        "/* rule watch */\n",
        "if (kept->inherited & INHERITED_JOB)\n\t\treturn CLASS_JOB;\n",
        {"job-heir-earlier-rule", "job-grandchild-named"},
    ),
    "a-monitor-takes": Mutation(
        "m", "*monitored |= MONITOR_WATCH;", "return CLASS_WATCH;", {"watched", "watch-entered"}
    ),
    "the-dead-are-counted": Mutation(
        "m",
        "struct scx_exit_task_args *args)\n{\n",
        "struct scx_exit_task_args *args)\n{\n\treturn;\n",
        {"watch-child-gone-left", "watch-after-left"},
    ),
    "runs-are-not-counted": Mutation("m", "stats->ran_ns += ran_ns;", ";", {"watch-ran-ms"}),
    "every-dequeue-is-a-sleep": Mutation(
        "s", " || !(deq_flags & SCX_DEQ_SLEEP)", "", {"lively-reniced"}
    ),
    "who-computes-is-not-looked-at": Mutation(
        "s",
        "gthulhu_tick, struct task_struct *p)\n{\n",
        "gthulhu_tick, struct task_struct *p)\n{\n\treturn;\n",
        {"lively-until-ms"},
    ),
    "new-threads-begin-at-0": Mutation(
        "s", "start_sleeps(&t->facts.sleeps, &from->facts.sleeps);", ";", {"lively-thread-until-ms"}
    ),
    "new-processes-begin-as-threads-do": Mutation(
        "s", "if (from && clone_flags & CLONE_THREAD)", "if (from)", {"lively-child"}
    ),
    "who-wakes-is-not-looked-at": Mutation(
        "s",
        "gthulhu_runnable, struct task_struct *p, u64 enq_flags)\n{\n",
        "gthulhu_runnable, struct task_struct *p, u64 enq_flags)\n{\n\treturn;\n",
        {"lively-slept"},
    ),
}


def _unexpected(seen: Seen) -> set[str]:
    """Steps that went another way than they should."""
    wrong = {step for step, name in seen.classes.items() if EXPECTED[step] != name}
    wrong |= {name for name, count in seen.counts.items() if COUNTED.get(name, count) != count}
    for name, (least, most) in MEASURED.items():
        if name in seen.counts and not least <= seen.counts[name] <= most:
            wrong.add(name)
    return wrong


def test_every_defect_is_noticed(program: Path, c_text: str) -> None:
    mutants = {name: (m.apply(c_text), m.kinds) for name, m in MUTATIONS.items()}
    unnoticed = {
        name: missing
        for name, seen in run("7.2", program, mutants).items()
        if (missing := MUTATIONS[name].noticed_by - _unexpected(seen))
    }
    assert not unnoticed
