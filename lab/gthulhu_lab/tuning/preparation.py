# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Prepares a search: the policy, the machine, and what candidates run in."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import NoReturn

from gthulhu_lab import subjects
from gthulhu_lab.errors import LabError
from gthulhu_lab.progress import Progress
from gthulhu_lab.replay import machines
from gthulhu_lab.replay import run as replay
from gthulhu_lab.replay.report import Limits
from gthulhu_lab.replay.run import Subject
from gthulhu_lab.simulation import cli as simulation
from gthulhu_lab.simulation import machine, play
from gthulhu_lab.simulation.load import Load
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.tuning import evaluation, goals, knobs, scenes
from gthulhu_lab.tuning.evaluation import Evaluator, Seeds, Setting
from gthulhu_lab.tuning.goals import Outcome
from gthulhu_lab.tuning.knobs import Space
from gthulhu_lab.tuning.scenes import Scene
from gthulhuc import checked, frontend

_THIS = "this"


@contextmanager
def prepared(
    options: argparse.Namespace, words: Sequence[str], seeds: Seeds, progress: Progress
) -> Iterator[tuple[Evaluator, Outcome, tuple[str, ...]]]:
    """A context with an evaluator, the present figures, and the claims that are left open.

    `words`: the actions that vary. Raises LabError, PolicyError, RecordError.
    """
    policy, content = subjects.read_policy(options.file)
    source, _ = frontend.decode(options.file, content)
    _refuse_aimless(options, policy)
    _space(options, words, policy, frozenset(knobs.classes_of(policy)))  # before the long work
    progress.step("compiling")
    player = play.Player(costed=not options.no_costs)
    with _place(options, player, progress) as (place, records):
        made, left = _scenes(options, policy, player, place, records, progress)
    setting = Setting(options.file, policy, source, place, made)
    space = _space(options, words, policy, frozenset().union(*(each.running for each in made)))
    jobs = options.jobs or len(os.sched_getaffinity(0))
    with evaluation.evaluator(setting, space, player, jobs) as evaluator:
        left += evaluator.leave_open(seeds)
        if not evaluator.aims:
            raise LabError(
                f"no claim of {options.file} can be simulated:\n" + "\n".join(left),
                "record the node while these tasks run, or see --open-loop and --most-unknown"
                if options.record
                else "`gthulhu verify` measures them in guests",
            )
        yield evaluator, evaluator.outcome(space.now, seeds), left


def _refuse_aimless(options: argparse.Namespace, policy: checked.Policy) -> None:
    """Raises LabError for a policy that says nothing that could be judged."""
    if options.verify and not policy.expectations:
        raise LabError(
            f"--verify measures `expect` blocks, and {options.file} has none",
            "leave it out, and put the result on trial: `gthulhu swap --trial 10m`",
        )
    if options.record and not policy.promises:
        raise LabError(
            f"{options.file} has no `promise`, so a record has nothing to judge it by",
            "promise what its rules are for, as `gthulhu suggest` does: docs/operations.md",
        )
    if not options.record and not policy.expectations:
        raise LabError(
            f"{options.file} has no `expect` block, so there is nothing to tune it for",
            "say what the policy is for: docs/lab.md has the form of claims; or judge its promises "
            "by a record (--record)",
        )


@contextmanager
def _place(
    options: argparse.Namespace, player: play.Player, progress: Progress
) -> Iterator[tuple[Machine, list[Subject]]]:
    """A context with the machine, and the records as it replays them. Raises LabError."""
    with ExitStack() as stack:
        records = [stack.enter_context(replay.opened(each)) for each in options.record]
        is_own = bool(records) and options.machine is None
        place = machines.of_all(records) if is_own else machine.read(options.machine or _THIS)
        if options.no_costs:
            place = replace(place, costs={})
        replayed: list[Subject] = []
        for record in records:
            is_fitted = is_own and not options.no_costs and not replayed
            subject = replay.prepare(record, place, player, is_fitted=is_fitted, tell=progress.step)
            place = subject.machine
            replayed.append(subject)
        yield place, replayed


def _scenes(
    options: argparse.Namespace,
    policy: checked.Policy,
    player: play.Player,
    place: Machine,
    records: Sequence[Subject],
    progress: Progress,
) -> tuple[tuple[Scene, ...], tuple[str, ...]]:
    """The scenes of the search, and the claims that they cannot judge. Raises LabError."""
    loads = _loads(options, policy, place)
    program = player.policy(policy, place)
    progress.step("simulating the present policy")
    found = [
        scenes.simulated(
            load, place, options.seconds or scenes.window(player, program, place, load)
        )
        for load in loads
    ]
    left: list[str] = []
    limits = Limits(options.most_unknown / 100, options.open_loop)
    for record in records:
        progress.step(f"replaying {record.record.name} under the present policy")
        scene, unknown = scenes.recorded(record, policy, player, program, limits)
        found.append(scene)
        left += unknown
    return tuple(found), tuple(left)


def _loads(options: argparse.Namespace, policy: checked.Policy, place: Machine) -> list[Load]:
    """The loads of the policy's blocks, which are judged by its promises, too, without a record.

    Raises LabError if there is neither a load nor a record.
    """
    if not policy.expectations:
        return []
    cpus = place.cpus - len(place.offline)
    found = simulation.blocks(options.file, policy, options.expect, cpus)
    if options.record:
        return found
    if not found:
        raise LabError(
            f"no `expect` block of {options.file} can be simulated",
            "`gthulhu simulate` says what the model lacks",
        )
    return [goals.with_promises(each, policy) for each in found]


def _space(
    options: argparse.Namespace,
    words: Sequence[str],
    policy: checked.Policy,
    running: frozenset[str],
) -> Space:
    classes = knobs.classes_of(policy)
    named = classes
    if options.rules is not None:
        named = tuple(name.strip() for name in options.rules.split(","))
        for name in named:
            if name not in classes:
                raise LabError(
                    f"{options.file} has no rule `{name}` whose actions could vary",
                    f"it has {', '.join(classes)}",
                )
    space = knobs.find(policy, words, named, running)
    if not space.knobs:
        _refuse(options, policy, space)
    return space


def _refuse(options: argparse.Namespace, policy: checked.Policy, space: Space) -> NoReturn:
    """Raises LabError where nothing may vary."""
    reasons = "".join(f"\n  {line}" for line in space.left_out)
    if options.actions:
        raise LabError(
            f"{options.file} has nothing that could vary{reasons}",
            "name other actions or rules, or write what shall vary into this file",
        )
    possible = "\n".join(f"  {line}" for line in knobs.possible(policy))
    raise LabError(
        f"{options.file} has no tunable that could vary{reasons}",
        f"`--actions all` varies what its rules say, or name some of these words:\n{possible}",
    )
