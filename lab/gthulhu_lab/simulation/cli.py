# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu simulate`; its options are in gthulhu_lab.commands.simulate."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path

from gthulhu_lab import catalogue, subjects
from gthulhu_lab.commands.options import MOST_SECONDS
from gthulhu_lab.errors import LabError
from gthulhu_lab.progress import Progress
from gthulhu_lab.simulation import (
    calibration,
    controls,
    load,
    machine,
    play,
    report,
    rtapp,
    table,
    timeline,
)
from gthulhu_lab.simulation.load import STANDARD, Load
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.verify import check, suite
from gthulhuc import checked
from gthulhuc.cli import files, shared

SCHEMA = 2
_USUAL_SECONDS = 1.0


def run(options: argparse.Namespace) -> int:
    """Simulate the loads and print the figures; the exit status. Raises LabError."""
    if options.calibrate is not None:
        return calibration.run(options)
    if options.fine and options.no_costs:
        raise LabError("--fine needs costs: without them, no event takes time", "leave out one")
    if options.perfetto == files.STDIO:
        raise LabError("standard output takes no trace", "name a file for it")
    files.check_outputs((options.json, options.perfetto))
    if options.perfetto is not None:
        timeline.check()
    try:
        found = _simulate(options)
    except PolicyError as error:
        shared.show(error.diagnostics, options.file, options.color)
        return error.status
    if options.json != files.STDIO:
        shared.out(table.render(found))
    if options.json is not None:
        files.write_file(options.json, json.dumps(found.as_json(), indent=1).encode() + b"\n")
    return shared.OK


def _simulate(options: argparse.Namespace) -> report.Report:
    policy, source = subjects.read_policy(options.file)
    place = machine.read(options.machine)
    if options.no_costs:
        place = replace(place, costs={})
    loads = _loads(options, policy, place)
    seeds = list(range(1, options.seeds + 1))
    seconds = _seconds(options.seconds, loads[0])
    with Progress(sys.stderr) as progress:
        progress.step("compiling")
        player = play.Player(costed=not options.no_costs)
        schedulers = {options.file: player.policy(policy, place)}
        for label, name in controls.names(options.control).items():
            schedulers[label] = player.control(name)
        reports = []
        for wanted in loads:
            runs = {}
            baselines = {name: player.control(name) for name in controls.baselines(wanted)}
            for name, scheduler in (schedulers | baselines).items():
                progress.step(f"simulating {wanted.name} under {name}")
                fine = options.fine and controls.can_be_fine(name)
                runs[name] = [
                    player.run(
                        scheduler,
                        play.scenario(wanted, place, seed=seed, seconds=seconds, fine=fine),
                    )
                    for seed in seeds
                ]
            reports.append(report.of_load(wanted, place, runs))
        if options.perfetto is not None:
            progress.step(f"writing {options.perfetto}")
            _write_trace(
                options, player, schedulers[options.file], policy, place, loads[0], seconds
            )
    return report.Report(
        schema=SCHEMA,
        policy=options.file,
        sha256=hashlib.sha256(source).hexdigest(),
        machine=place.name,
        machine_digest=place.digest,
        machine_summary=place.summary,
        seconds=seconds,
        seeds=seeds,
        costs=dict(place.costs) or None,
        fine=options.fine,
        validated=False,
        loads=reports,
    )


def _write_trace(
    options: argparse.Namespace,
    player: play.Player,
    scheduler: Path,
    policy: checked.Policy,
    place: Machine,
    wanted: Load,
    seconds: float,
) -> None:
    """Write the timeline of the first seed of a load under the policy, and say what it has."""
    text = play.scenario(
        wanted, place, seed=1, seconds=seconds, timeline=timeline.MOST_EVENTS, fine=options.fine
    )
    begin_ns = play.EPOCH_NS + (0 if wanted.is_script else play.WARMUP_NS)
    trace = timeline.write(
        player.output(scheduler, text), policy.name, play.classes_of(policy, place),
        begin_ns, seconds,
    )  # fmt: skip
    files.write_file(options.perfetto, trace.content)
    said = f"{options.perfetto}: {wanted.name}, seed 1, {trace.length_s:.3g} s"
    if trace.is_cut:
        said += (
            f" of {seconds:g} s: a trace ends after {timeline.MOST_EVENTS:,} switches and wake-ups"
        )
    shared.err(f"{said}\n")


def _loads(options: argparse.Namespace, policy: checked.Policy, place: Machine) -> list[Load]:
    """The loads that were asked for: blocks of the policy, or standard ones."""
    wanted = options.workload
    cpus = place.cpus - len(place.offline)
    if wanted is not None and wanted.endswith(".json"):
        script, left_out = rtapp.read(wanted, policy, place)
        for each in left_out:
            shared.err(f"left out: {each}\n")
        return [script]
    if wanted == "standard" or (wanted is None and not policy.expectations):
        return [load.standard(name, policy, cpus) for name in STANDARD]
    if wanted in STANDARD:
        return [load.standard(wanted, policy, cpus)]
    found = blocks(options.file, policy, wanted, cpus)
    if not found:
        raise LabError(
            f"no `expect` block of {options.file} can be simulated",
            "`--workload standard` simulates standard loads; `gthulhu verify` runs the blocks",
        )
    return found


def blocks(file: str, policy: checked.Policy, only: str | None, cpus: int) -> list[Load]:
    """Returns the loads of the policy's blocks, or of the one on a line or of a workload.

    Says which are left out. Raises LabError if that one cannot be simulated.
    """
    chosen = suite.select(policy, only)
    found = []
    for scene in check.scenes(file, policy, chosen, catalogue.load(Path(file).parent)):
        try:
            found.append(load.of_scene(scene, cpus))
        except LabError as error:
            if only is not None:
                raise
            shared.err(f"left out: {error.message}\n")
    return found


def _seconds(asked: float | None, wanted: Load) -> float:
    """The simulated time: what was asked for, else the load's own, else the usual one."""
    if asked is not None or wanted.seconds is None:
        return asked or _USUAL_SECONDS
    if wanted.seconds > MOST_SECONDS:
        shared.err(f"left out: all after {MOST_SECONDS} of {wanted.seconds:g} s\n")
    return min(wanted.seconds, MOST_SECONDS)
