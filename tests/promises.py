# SPDX-License-Identifier: Apache-2.0
"""The invariants of docs/invariants.md, each with a check of recordings and a mutant.

Bounds on time follow from the deterministic clock: its CPUs take turns of METRONOME_US.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import timeline_checks as checks
from gthulhu_lab.clock import METRONOME_US
from gthulhu_lab.timeline import CpuRun, percpu_kthread
from gthulhu_lab.trace import Task
from gthulhuc import bounds, frontend
from mutations import Mutation
from scenes import CPUS, FOLDER, Recording, Scene
from timeline_checks import named

# An interrupt reaches its CPU after the turns of all others, and what the CPU does then, a few
# microseconds, may be cut once by the end of its turn.
WAKE_UP_US = 2 * CPUS * METRONOME_US
# One CPU queues work on another, which wakes the thread, and is interrupted for it: three turns.
KTHREAD_WAKE_UP_US = 3 * CPUS * METRONOME_US

Violations = list[str]


@dataclass(frozen=True)
class Promise:
    """One invariant, the scene that could violate it, and a mutant that does."""

    invariant: str
    scene: Scene
    violations: Callable[[Recording], Violations]
    mutation: Mutation


BOUNDARIES = Scene(
    "boundaries",
    FOLDER / "cpus.gpl",
    """
    crowd owner      1 $1 1500 1500 &
    crowd pinned     3 $1 2000  700 &
    crowd pinned-mix 2 $1  500  500 1,2 &
    crowd pinned-out 1 $1  500  500 2 &
    crowd narrow     2 $1  500  500 1,2 &
    crowd left       1 $1  500 1500 3 &
    crowd stranger   4 $1 &
    crowd visitor    4 $1  500  700 &
    wait
    """,
    seconds=0.6,
)

ALLOWED = {
    "owner": {3},
    "pinned": {0, 1},
    "pinned-mix": {1},
    "pinned-out": {2},
    "narrow": {1, 2},
    "left": {3},
    "stranger": {0, 1, 2},
    "visitor": {0, 1, 2},
}


def stays_on_its_cpus(recording: Recording) -> Violations:
    used = {name: checks.cpus_used(recording.timeline, named(name)) for name in ALLOWED}
    # They use every CPU that they may use: a stuck task would violate no boundary.
    return [
        f"{name} ran on {sorted(used[name])} instead of {sorted(allowed)}"
        for name, allowed in ALLOWED.items()
        if used[name] != allowed
    ]


def exclusive_is_exclusive(recording: Recording) -> Violations:
    runs = checks.strangers(recording.timeline, {3}, named("owner", "left"))
    return [f"{run.task.name} ran on CPU 3 for {run.length_us} us" for run in runs]


SHARES = Scene(
    "shares",
    FOLDER / "shares.gpl",
    """
    for name in heavy urgent low plain; do crowd $name 1 $1 0 0 1 & done
    crowd nice  1 $1 0 0 1 5 &
    crowd even  4 $1 &
    crowd twice 2 $1 &
    crowd spare 2 $1 0 0 0 &
    # Work for a kernel thread of each CPU. Programs that end would make work for soft interrupts,
    # and no thread goes before those.
    for _ in 1 2 3; do
        timeout $(($1 / 1000)) sh -c 'while :; do read -r _ < /proc/sys/vm/stat_refresh; done' &
    done
    wait
    """,
    # A low task lags others by 80 ms of virtual time, and an urgent one by more: its share shows
    # only after most of a second.
    settle_s=1.5,
)

# On CPU 1. The kernel gives nice 5 a weight of 33 where nice 0 has 100.
WEIGHTS = {"heavy": 400, "urgent": 100, "low": 100, "plain": 100, "nice": 33}


def kernel_threads_go_first(recording: Recording) -> Violations:
    def who(task: Task) -> bool:
        return percpu_kthread(task) is not None

    def first(task: Task) -> bool:
        return who(task) or checks.is_realtime(task)

    return [
        f"{found.what.task.name} waited {found.us} us for CPU {found.cpu}"
        for found in checks.kept_waiting(recording.timeline, who, first)
        if found.us > KTHREAD_WAKE_UP_US
    ]


def shares_follow_weights(recording: Recording) -> Violations:
    used = {name: sum(_used(recording, name).values()) for name in (*WEIGHTS, "even", "twice")}
    all_us = sum(used[name] for name in WEIGHTS)
    expected = {name: all_us * weight / sum(WEIGHTS.values()) for name, weight in WEIGHTS.items()}
    # On CPUs 2 and 3: four tasks of weight 100, and two of 200.
    both_us = used["even"] + used["twice"]
    return _apart(used, expected | {"even": both_us / 2, "twice": both_us / 2})


def equals_are_equal(recording: Recording) -> Violations:
    violations = []
    for name in ("even", "twice", "spare"):
        used = {f"{name} {pid}": us for pid, us in _used(recording, name).items()}
        mean = sum(used.values()) / len(used)
        violations += _apart(used, dict.fromkeys(used, mean))
    return violations


def _used(recording: Recording, name: str) -> dict[int, int]:
    return checks.used_us(recording.timeline, named(name))


def _apart(used: Mapping[str, float], expected: Mapping[str, float]) -> Violations:
    """Returns shares that differ from the expected ones by more than 5 %."""
    return [
        f"{name} ran for {used[name]:.0f} us instead of {expected[name]:.0f}"
        for name in used
        if abs(used[name] - expected[name]) > 0.05 * expected[name]
    ]


MIGRATION = Scene(
    "migration",
    FOLDER / "eager.gpl",
    """
    crowd free   3 $1  900  600 &
    crowd pair   1 $1  700 1100 1,2 &
    crowd stay   1 $1  200 2500 &
    crowd lazy   1 $1  200 2700 &
    crowd goback 1 $1  200 2900 &
    crowd long   1 $1 &
    wait
    """,
    seconds=0.6,
)
LONGEST_BURST_US = 1100
LONGEST_SLICE_US = 2000 + WAKE_UP_US


def no_cpu_idles(recording: Recording) -> Violations:
    found = [
        *checks.idle_while_waiting(recording.timeline, named("free", "long"), range(CPUS)),
        *checks.idle_while_waiting(recording.timeline, named("pair"), {1, 2}),
    ]
    late = [item for item in found if item.us > WAKE_UP_US]
    # An idle CPU that was chosen for a task may take another before the task is there. As CPUs
    # take turns the chance is 100 times that of real ones; the task then waits for the other's
    # burst, or for the slice of one that never sleeps.
    runs = checks.runs_of(recording.timeline, named("long"))
    if len(late) <= len(found) // 100 and all(
        item.us < (LONGEST_SLICE_US if _is_held_by(item, runs) else LONGEST_BURST_US)
        for item in late
    ):
        return []
    return [
        f"CPU {item.cpu} was idle for {item.us} us while {item.what.task.name} waited"
        for item in late
    ]


def _is_held_by(item: checks.Found, runs: Iterable[CpuRun]) -> bool:
    """Whether one of the runs is on the CPU that the task waits for."""
    return any(run.cpu == item.what.cpu and run.common_us(item.what) for run in runs)


SLICES = Scene(
    "slices",
    FOLDER / "slices.gpl",
    """
    for slice in 100us 500us 3ms 10ms; do
        # Two that take their names in the same moment are what I6 is about.
        crowd pair$slice 1 $(($1 / 8)) 0 0 &
        usleep 20000
        crowd pair$slice 1 $(($1 / 8)) 0 0
        crowd guest 1 $(($1 / 8)) 300 7000 &
        crowd lone$slice 1 $(($1 / 8)) 0 0
    done
    wait
    """,
    settle_s=0,
    shows_s=2,
    spare_s=0.1,
    # Where CPUs take turns, a slice that ends in the turn of another CPU ends late.
    cpus=1,
)
SLICES_US = {"100us": 100, "500us": 500, "3ms": 3000, "10ms": 10000}
# Until then one of a pair may be owed many slices in a row: it was the second to start.
PAIR_SETTLES_US = 50_000
# The time of a tick and its deferred work at a slice's end.
TICK_WORK_US = 25


def slices_end_in_time(recording: Recording) -> Violations:
    violations = []
    for text, slice_us in SLICES_US.items():
        limit_us = slice_us + max(0.05 * slice_us, 25)
        # One of a pair is owed what others run late or the kernel's threads take: now
        # and then a second slice.
        for found, most_us in (
            (_turns_of_a_pair(recording, text), 2 * limit_us),
            (_turns_beside_a_guest(recording, text), limit_us + TICK_WORK_US),
        ):
            late = [item for item in found if item.us > limit_us]
            excused = len(late) <= max(1, len(found) // 100)
            if not found:
                violations.append(f"nobody ran with slices of {text} and others waiting")
            violations += [
                f"{item.what.task.name} ran for {item.us} us with others waiting"
                for item in late
                if not excused or item.us > most_us
            ]
    return violations


def _turns_of_a_pair(recording: Recording, text: str) -> list[checks.Found]:
    pair = named(f"pair{text}")
    found = checks.contested(recording.timeline, pair, pair)
    start_us = min((item.what.start_us for item in found), default=0) + PAIR_SETTLES_US
    return [item for item in found if item.what.start_us > start_us]


def _turns_beside_a_guest(recording: Recording, text: str) -> list[checks.Found]:
    """The guest has slept, and so goes before the task that runs when its slice ends."""
    lone = named(f"lone{text}")
    return checks.contested(recording.timeline, lone, named("guest"), woken_only=True)


WAITS = Scene(
    "waits",
    FOLDER / "waits.gpl",
    "for name in urgent high normal low idle; do crowd $name 4 $1 & done; wait",
    seconds=3,
    settle_s=0,  # the first waits are the longest: an idle task lags by 400 ms
    shows_s=3,
)


def waits_are_bounded(recording: Recording) -> Violations:
    policy, _ = frontend.check(frontend.decode("waits.gpl", WAITS.policy.read_bytes())[0])
    assert policy is not None
    # All the other 19 may be overdue; and what a CPU does next it learns by an interrupt.
    most_us = {
        bound.name: bound.wait_ns(19, CPUS) / 1000 + WAKE_UP_US for bound in bounds.bounds(policy)
    }
    # A task put aside during a rename has the new class, but the old name in the trace.
    most_us["crowd"] = max(most_us.values())
    longest_us = {name: checks.longest_wait_us(recording.timeline, named(name)) for name in most_us}
    return [
        f"{name} waited {longest_us[name]} us instead of {most_us[name]:.0f} at most"
        for name in most_us
        if longest_us[name] > most_us[name]
    ]


PULSES = Scene(
    "pulses",
    FOLDER / "pulses.gpl",
    """
    crowd hog 3 $1 0 0 0 &
    waker pulse 500 $(($1 * 2)) 0 /dev/null 0 0 fifo &
    wait
    """,
)
PULSE_EVERY_US, PULSED_SLICE_US = 500, 8000


def pulses_shorten_no_slice(recording: Recording) -> Violations:
    timeline = recording.timeline
    length_us = timeline.span.length_us
    pulses = len(checks.runs_of(timeline, named("pulse")))
    if pulses < length_us / PULSE_EVERY_US / 2:
        return [f"{pulses} pulses in {length_us} us"]
    runs = checks.runs_of(timeline, named("hog"))
    switches = sum(one.task.pid != other.task.pid for one, other in itertools.pairwise(runs))
    most = 1.1 * length_us / PULSED_SLICE_US
    return [f"{switches} switches instead of {most:.0f}"] if switches > most else []


PROMISES = (
    Promise(
        "I2",
        WAITS,
        waits_are_bounded,
        Mutation("never-overdue", "rescue.j2", "time_before(now_ns, t->due_ns)) {", "true) {"),
    ),
    Promise(
        "I3",
        BOUNDARIES,
        stays_on_its_cpus,
        Mutation("cpus-ignored", "state.j2", "return c->serves & 1ULL << domain;", "return true;"),
    ),
    Promise(
        "I4",
        BOUNDARIES,
        exclusive_is_exclusive,
        Mutation(
            "exclusive-shared",
            "ops.j2",
            "bool shared = {{ shared_condition }};",
            "bool shared = true;",
        ),
    ),
    Promise(
        "I5",
        SHARES,
        kernel_threads_go_first,
        Mutation(
            "kthread-waits",
            "place.j2",
            "t ? enq_flags | SCX_ENQ_PREEMPT : enq_flags);",
            "enq_flags);",
        ),
    ),
    Promise(
        "I7",
        MIGRATION,
        no_cpu_idles,
        Mutation(
            "idle-unseen",
            "idle_cpus.j2",
            "return idle ? cpu : -1;",
            "return idle && cpu < 0 ? cpu : -1;",
        ),
    ),
    Promise(
        "I8",
        SLICES,
        slices_end_in_time,
        Mutation(
            "no-timer",
            "slice.j2",
            "if (!c->interrupted)\n\t\tscx_bpf_kick_cpu(cpu, SCX_KICK_PREEMPT);",
            ";",
        ),
    ),
    Promise(
        "I9",
        SHARES,
        shares_follow_weights,
        Mutation("weightless", "groups.j2", "(u64)params_of(t)->weight * p", "(u64)WEIGHT_ONE * p"),
    ),
    Promise(
        "I10",
        SHARES,
        equals_are_equal,
        Mutation(
            "half-price",
            "order.j2",
            "vtime += fine_ns(ran_ns, weight_of(p, t));",
            "vtime += fine_ns(ran_ns >> (p->pid & 1), weight_of(p, t));",
        ),
    ),
    Promise(
        "I15",
        PULSES,
        pulses_shorten_no_slice,
        Mutation("slice-lost", "stop.j2", "if (t && ran_ns < c->slice_ns)", "if (false)"),
    ),
)

# I1 is tests/vm/test_storms.py: some tasks are in no queue at all.
QUEUE = "dsq_insert_vtime(p, queue, slice, key, enq_flags);"
LOST = Mutation("lost", "place.j2", f"\t{QUEUE}", f"\tif (p->pid & 7)\n\t\t{QUEUE}")
