# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs of scenarios, with figures that a test chooses, and the benchmark that has them."""

from __future__ import annotations

from gthulhu_lab.benchmark import (
    CGROUPS_OFF,
    DEFAULT_ONLY,
    INTERACTIVE,
    Benchmark,
    rules_name,
)
from gthulhu_lab.measure import (
    EEVDF,
    SCHED_FIFO,
    Scenario,
    ScenarioRun,
    Size,
)
from gthulhu_lab.request import Backend, Clock, GuestEnvironment

SIZE = Size(
    programs=9, translated_bytes=9_000, verified_instructions=1_000, maps=6, map_bytes=64_000
)


def a_run(
    subject: str,
    one: float,
    two: float = 30_000.0,
    *,
    ping_us: int = 100,
    other_us: int = 1_000,
    message_ns: int = 10_000,
    hogs: int = 1_000,
    seed: int = 7,
    cpus: int = 4,
    samples: int = 2_000,
    enable_s: float = 0.65,
) -> ScenarioRun:
    """A run whose p99s are as given: all wake-ups of a task are equally late."""
    own = subject in (EEVDF.name, SCHED_FIFO.name)
    return ScenarioRun(
        subject=subject,
        scheduler="",
        scenario=Scenario(cpus=cpus, samples=samples),
        environment=GuestEnvironment(
            clock=Clock.ICOUNT,
            backend=Backend.INITRAMFS,
            kernel="7.2.13+deb14-cloud-amd64",
            cpus=cpus,
            memory_mib=1024,
            qemu="10.0.2",
            seed=seed,
        ),
        enable_ns=None if own else int(enable_s * 1e9),
        size=None if own else SIZE,
        wakeup_ns={
            "ping": [ping_us * 1000 + n % 10 for n in range(samples)],
            "other": [other_us * 1000 + n % 10 for n in range(samples)],
        },
        round_trip_ns=[one] * 3,
        round_trip_two_ns=[two] * 3,
        hog_turns=[hogs] if samples else [],
        hog_ns=1_000_000 if samples else 0,
        messages_per_s=1e9 / message_ns,
        splats=[],
        wall_s=60.0,
    )


GOOD = [
    a_run(EEVDF.name, 27_800, other_us=1_000, ping_us=2_000),
    a_run(SCHED_FIFO.name, 27_800, ping_us=100),
    a_run("scx_simple", 28_000, 35_000, ping_us=14_000),
    a_run("scx_bpfland", 35_600),
    a_run("scx_flash", 34_500),
    a_run("scx_layered", 44_700, ping_us=170),
    a_run(DEFAULT_ONLY, 29_400, 35_000, message_ns=10_490),
    a_run(CGROUPS_OFF, 29_110, samples=0),
    a_run("upf", 30_240, ping_us=140),
    a_run(INTERACTIVE, 30_800, samples=0, message_ns=10_490),
    a_run(rules_name(5), 29_000, samples=0),
    a_run(rules_name(1000), 29_145, samples=0),
    a_run(rules_name(5, counting=True), 29_870, samples=0),
    a_run("scx_bpfland", 36_000, cpus=8, samples=0),
    a_run("upf", 30_400, cpus=8, samples=0),
]


def a_benchmark(runs: list[ScenarioRun], **changes: object) -> Benchmark:
    return Benchmark(
        policy="upf",
        policy_source='rule a { match comm == "<b>&" }\n',
        cpus=[4, 8],
        seeds=[7],
        subjects=dict.fromkeys(dict.fromkeys(run.subject for run in runs), "what it is"),
        programs={},
        absent=[],
        runs=runs,
        failures=[],
    ).model_copy(update=changes)
