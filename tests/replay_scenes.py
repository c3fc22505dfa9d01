# SPDX-License-Identifier: Apache-2.0
"""Scenes that are recorded in guests, replayed under policies, and really run under these.

    python tests/replay_scenes.py

prints the tables of docs/replay.md. A guest records each scene under the kernel's own scheduler and
under each policy. The record under the kernel's own is replayed under each policy, and each other
record under the control `eevdf`. Figures of both sides come from the same code: a replay's switches
and wake-ups are counted as a record's. Guests that ran before are kept.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import guest_loader
import guest_python
import guests
from gthulhu.record.reader import Record
from gthulhu_lab import catalogue, vm
from gthulhu_lab.replay import machines, report, run
from gthulhu_lab.replay.report import Limits, RuleFigures, RuleReport, Verdict
from gthulhu_lab.replay.run import Run, Subject
from gthulhu_lab.request import Clock
from gthulhu_lab.simulation import play
from gthulhuc import checked
from library import policy_of
from simulated_scenes import guest_costs

RECORDER = Path(guest_loader.LOADER).with_name("gthulhu-record")
SECONDS = 2
MODULES = (
    "zstandard", "zstandard.backend_c", "heapq",
    "gthulhu.record.recorder", "gthulhu.record.summary",
)  # fmt: skip
"""The modules that record in a guest."""
EEVDF = "eevdf"

_HEAD = "policy {name} {{ kernel >= 6.16 }}\n"
_RULE = 'rule {name} {{ match process ~ "{name}*" or cgroup under "/{name}" {actions} }}\n'
_ACTIONS = {
    "quick": {
        "front": "priority high preempt", "middle": "priority high", "job": "priority low"
    },
    "plain": {"front": "slice 3ms", "middle": "slice 3ms", "job": "slice 3ms"},
    "batch": {"front": "priority low", "middle": "slice 2ms", "job": "slice 8ms"},
}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A workload of the catalogue, with the name that its processes have.

    `amount`: of its units. `cgroup`: in which it runs.
    """

    workload: str
    name: str
    amount: int
    cgroup: str = ""


@dataclass(frozen=True)
class Scene:
    """Workloads that run together in a guest.

    `seconds`: of the record; `policies`: those under which it really runs, too.
    """

    name: str
    cpus: int
    parts: tuple[Part, ...]
    seconds: int = SECONDS
    policies: tuple[str, ...] = ("quick", "plain", "batch")


SCENES = {
    scene.name: scene
    for scene in (
        Scene("waker", 1, (Part("waker", "front", 1), Part("hogs", "job", 2))),
        Scene("rpc", 2, (Part("rpc", "front", 2), Part("hogs", "job", 4))),
        Scene("udp", 2, (Part("rpc-udp", "front", 2), Part("hogs", "job", 4))),
        Scene("web-events", 2, (Part("web-events", "front", 2), Part("hogs", "job", 4))),
        Scene("web-threads", 2, (Part("web-threads", "front", 2), Part("hogs", "job", 4))),
        Scene("pgbench", 2, (Part("pgbench", "front", 2), Part("hogs", "job", 4))),
        Scene("messages", 2, (Part("messages", "middle", 1), Part("waker", "front", 2))),
        Scene("build", 2, (Part("forks", "job", 4), Part("waker", "front", 2))),
        Scene(
            "mixed", 2,
            (
                Part("waker", "front", 2), Part("rpc", "middle", 2), Part("pipeline", "job", 1),
                Part("hogs", "job", 2),
            ),
        ),
        Scene(
            "kubernetes", 2,
            (
                Part("rpc", "app", 2, "/front/pod1"), Part("waker", "app", 2, "/middle/pod2"),
                Part("hogs", "app", 2, "/job/pod3"), Part("forks", "app", 1, "/job/pod4"),
            ),
        ),
        Scene("gtp-ping", 2, (Part("gtp-ping", "front", 1), Part("hogs", "job", 4))),
        # Only recorded: it is replayed on more CPUs.
        Scene("boots", 2, (Part("boots", "front", 8),), seconds=10, policies=()),
    )
}  # fmt: skip

AWAIT_READY = """
await_ready() {
    i=0
    until [ -e "$1/ready" ] || [ $i = 600 ]; do usleep 50000; i=$((i + 1)); done
}
"""
_SCRIPT = """
recorders() {{
    grep -l '^gthulhu-record$' /proc/[0-9]*/comm 2>/dev/null | cut -d / -f 3
}}

# scene NAME: a record of its workloads. The recorder begins first: Python takes long beside hogs.
scene() {{
    STARTED=
{prepared}
    step $1 gthulhu record -o $RESULTS/$1.gtr --for 0 --cost 50 &
    STEP=$!
    until [ -s $RESULTS/$1.gtr ] || ! kill -0 $STEP; do
        usleep 50000
    done
    RECORDER=$(grep PPid /proc/$(recorders)/status | cut -f 2)
    sleep 0.3
{workloads}
    sleep {seconds}
    kill -TERM $RECORDER
    sleep 0.1
    kill -TERM $STARTED
    wait $STARTED
    wait $STEP
}}
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
{eevdf}
for policy in {policies}; do
    start $policy $policy.bpf.o
    await_line $policy enabled || exit 1
    scene replayed-$policy
    kill -TERM $LOADER
    finish $policy
done
exit 0
"""


def policy_text(name: str) -> str:
    """Returns one of the three policies: a rule for each name of a part."""
    rules = (_RULE.format(name=rule, actions=actions) for rule, actions in _ACTIONS[name].items())
    return _HEAD.format(name=name) + "".join(rules)


def starts(scene: Scene, *, is_prepared: bool) -> str:
    """Returns the lines that start a scene's workloads: those that prepare themselves, or others.

    Their folders are `$RESULTS/$1.work`; their processes are added to `$STARTED`.
    """
    return "\n".join(_starts(scene, is_prepared=is_prepared))


def _starts(scene: Scene, *, is_prepared: bool) -> Iterator[str]:
    for number, part in enumerate(scene.parts):
        if catalogue.find(part.workload).prepares == is_prepared:
            yield _start(part, number, scene.cpus)


def _start(part: Part, number: int, cpus: int) -> str:
    """The line that starts a part in the background."""
    workload = catalogue.find(part.workload)
    results = f"$RESULTS/$1.work/{number}"
    words = workload.command(cpus=cpus, seconds=600, results=results, amount=part.amount)
    move = ""
    if part.cgroup:
        folder = f"/sys/fs/cgroup{part.cgroup}"
        move = f"mkdir -p {folder}; echo 0 >{folder}/cgroup.procs; "
    named = f"TASK_PROCESS={part.name} TASK_COMM={part.name}"
    lines = [
        f"    mkdir -p {results}",
        f"    ({move}{named} exec {' '.join(words)}) >{results}/log 2>&1 &",
        '    STARTED="$STARTED $!"',
    ]
    if workload.prepares:
        lines.append(f"    await_ready {results}")
    return "\n".join(lines)


def boot(
    scene: Scene,
    policies: Mapping[str, str] | None = None,
    deadline_s: float = 1200,
    names: Sequence[str] = (EEVDF,),
) -> vm.GuestResult:
    """Records a scene under EEVDF, `eevdf.gtr`, and under each policy, `replayed-NAME.gtr`.

    `names`: of the records under EEVDF, each of which has the whole scene.

    `policies`: texts by name; None: those of the scene. Raises GuestError.
    """
    if policies is None:
        policies = {policy: policy_text(policy) for policy in scene.policies}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for policy, text in policies.items():
            (folder / f"{policy}.gpl").write_text(text)
        objects = {
            path: built
            for policy in policies
            for path, built in guest_loader.objects(folder, folder / f"{policy}.gpl").items()
        }
        script = _SCRIPT.format(
            prepared=starts(scene, is_prepared=True),
            workloads=starts(scene, is_prepared=False),
            seconds=scene.seconds,
            eevdf="\n".join(f"scene {each}" for each in names),
            policies=" ".join(policies),
        )
        return run_guest(
            scene, AWAIT_READY + script, {**guest_python.files(*MODULES), **objects}, deadline_s
        )


def run_guest(
    scene: Scene,
    script: str,
    files: Mapping[str, Path | str | bytes],
    deadline_s: float = 1200,
    memory_mib: int = 1024,
) -> vm.GuestResult:
    """Runs a script in a guest that has a scene's workloads, loader and recorder.

    `files`: more of them, such as Python's; all are in its memory. Raises GuestError.
    """
    workloads = [catalogue.find(part.workload) for part in scene.parts]
    return guests.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{guest_python.shell_functions()}{script}",
            clock=Clock.ICOUNT,
            cpus=scene.cpus,
            modules=catalogue.modules(workloads),
            memory_mib=memory_mib,
            files={
                **guest_loader.FILES,
                "bin/gthulhu-record": RECORDER,
                **catalogue.files(workloads),
                **files,
            },
            deadline_s=deadline_s,
        )
    ).check()


# ---- Comparison ----

_LIMITS = Limits(1.0, is_open_loop=True)
_WORDS = ("p50", "p99")
NEAR = 1.3
"""Figures that differ by a smaller factor are right."""
_FEWEST = {"p50": 20, "p99": 200}
"""Wake-ups in both runs; with fewer a figure is chance."""


@dataclass(frozen=True)
class Case:
    """A figure of a rule: in the record, predicted under another scheduler, and really there.

    Times are in ns. `control`: predicted under the scheduler of the record itself.
    """

    scene: str
    scheduler: str
    rule: str
    word: str
    recorded: int
    control: int
    predicted: int
    real: int

    @property
    def factor(self) -> float:
        """How many times as long as in truth, or the other way round; at least 1."""
        low, high = sorted((max(self.predicted, 1), max(self.real, 1)))
        return high / low

    @property
    def is_back(self) -> bool:
        """Whether it was recorded under the policy, and predicted under EEVDF."""
        return self.scheduler.endswith(f" to {EEVDF}")

    @property
    def is_near(self) -> bool:
        """Whether the prediction is right."""
        return self.factor <= NEAR

    @property
    def verdicts(self) -> tuple[Verdict, Verdict]:
        """Better, worse or the same: as predicted, and in truth."""
        predicted = report.compare_times(self.control, self.predicted)
        return predicted, report.compare_times(self.recorded, self.real)

    @property
    def is_sign_right(self) -> bool:
        """Whether "better", "worse" or "the same" was predicted rightly."""
        one, other = self.verdicts
        return one == other


def cases(scene: str, files: Mapping[str, bytes]) -> Iterator[Case]:
    """Yields what was predicted from the records of a scene's guest, and what was true."""
    player = play.Player()
    subjects = {}
    for name in (EEVDF, *_ACTIONS):
        file = name if name == EEVDF else f"replayed-{name}"
        record = Record(io.BytesIO(files[f"{file}.gtr"]), name)
        place = replace(machines.recorded(record), costs=guest_costs())
        subjects[name] = run.prepare(record, place, player, is_fitted=True)
    for name in _ACTIONS:
        yield from _cases(scene, name, subjects[EEVDF], subjects[name], player)


def _cases(
    scene: str, name: str, ours: Subject, theirs: Subject, player: play.Player
) -> Iterator[Case]:
    """From the record under EEVDF to the policy, and back."""
    policy = policy_of(policy_text(name))
    runs = {}
    for key, subject in (("there", ours), ("back", theirs)):
        eevdf = subject.replay(player, player.control(EEVDF))
        mine = subject.replay(player, player.policy(policy, subject.machine))
        runs[key] = _by_rule(subject, policy, eevdf, mine)
    for rule in sorted(runs["there"].keys() & runs["back"].keys() & _ACTIONS[name].keys()):
        there, back = runs["there"][rule], runs["back"][rule]
        for scheduler, parts in (
            (name, (there.recorded, there.eevdf, there.policy, back.recorded)),
            (f"{name} to {EEVDF}", (back.recorded, back.policy, back.eevdf, there.recorded)),
        ):
            yield from _of_words(scene, scheduler, rule, parts)


def _of_words(
    scene: str, scheduler: str, rule: str, parts: Sequence[RuleFigures]
) -> Iterator[Case]:
    for word in _WORDS:
        times = [part.wakeup[word] for part in parts]
        if min(part.wakeups for part in parts) >= _FEWEST[word] and None not in times:
            yield Case(scene, scheduler, rule, word, *(time or 0 for time in times))


def _by_rule(
    subject: Subject, policy: checked.Policy, eevdf: Run, mine: Run
) -> dict[str, RuleReport]:
    scheduler = play.classes_of(policy, subject.machine)
    found = report.rules_of(subject, scheduler, eevdf, mine, _LIMITS)
    return {each.name: each for each in found}


def _row(case: Case) -> str:
    times = (case.recorded, case.control, case.predicted, case.real)
    predicted, real = case.verdicts
    cells = (
        case.scene, case.scheduler, case.rule, case.word,
        *(f"{time / 1000:,.0f}" for time in times),
        f"{case.factor:.2f}" if case.is_near else f"**{case.factor:.2f}**",
        predicted.value if case.is_sign_right else f"**{predicted.value}**, is {real.value}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def counted(found: Sequence[Case]) -> Sequence[str]:
    """Returns the cells of a table: how many predictions are right."""
    opposite = sum(set(case.verdicts) == {Verdict.BETTER, Verdict.WORSE} for case in found)
    return (
        f"{len(found)}",
        *(
            f"{number} ({100 * number / max(1, len(found)):.0f} %)"
            for number in (
                sum(case.is_near for case in found),
                sum(case.factor <= 2 for case in found),
                sum(case.is_sign_right for case in found),
            )
        ),
        f"{opposite}",
    )


def summary(found: Sequence[Case]) -> Iterator[str]:
    """Yields the table of all scenes, then that of the misses."""
    yield "| figures | number | within 1.3 x | within 2 x | sign is right | sign is the opposite |"
    yield f"|{' -- |' * 6}"
    groups = {
        "all": found,
        "from EEVDF to a policy, p50": [
            case for case in found if not case.is_back and case.word == "p50"
        ],
        "from EEVDF to a policy, p99": [
            case for case in found if not case.is_back and case.word == "p99"
        ],
        "from a policy to EEVDF, p50": [
            case for case in found if case.is_back and case.word == "p50"
        ],
        "from a policy to EEVDF, p99": [
            case for case in found if case.is_back and case.word == "p99"
        ],
        **{
            f"`{scene}`": [case for case in found if case.scene == scene]
            for scene in dict.fromkeys(case.scene for case in found)
        },
    }
    yield from (f"| {name} | {' | '.join(counted(cases))} |" for name, cases in groups.items())
    head = (
        "scene", "scheduler", "rule", "wait", "recorded, µs", "replayed", "predicted", "real",
        "factor", "sign",
    )  # fmt: skip
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{' -- |' * len(head)}"
    yield from (_row(case) for case in found if case.factor > 2 or not case.is_sign_right)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Compare replays with guests.")
    parser.add_argument("scenes", metavar="SCENE", nargs="*", help=", ".join(SCENES))
    parser.add_argument("--all", action="store_true", help="show each figure first")
    options = parser.parse_args()
    found: list[Case] = []
    for name in options.scenes or [name for name, scene in SCENES.items() if scene.policies]:
        for case in cases(name, boot(SCENES[name]).files):
            found.append(case)
            if options.all:
                print(_row(case), flush=True)
    print("\n".join(summary(found)))


if __name__ == "__main__":
    main()
