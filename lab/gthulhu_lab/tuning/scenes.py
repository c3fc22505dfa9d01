# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The scenes that candidates run in: loads of `expect` blocks, and records of nodes."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gthulhu_lab.replay import report as replays
from gthulhu_lab.replay import scenario
from gthulhu_lab.replay.report import Limits
from gthulhu_lab.replay.run import Subject
from gthulhu_lab.replay.scenario import Counted
from gthulhu_lab.simulation import controls, play, report
from gthulhu_lab.simulation.behaviours import Behaviour
from gthulhu_lab.simulation.load import Group, Load
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.simulation.play import Player
from gthulhu_lab.verify import claims
from gthulhu_lab.verify.claims import Claim
from gthulhu_lab.verify.facts import Facts
from gthulhuc import checked

FIRST_FRESH = 10_001
"""The first of the seeds that a search never has."""
_OTHERS = ""
"""The class of all tasks of a record that no claim is about."""
_PROBE_S = 0.25
_EVENTS = 50_000
"""A run with so many takes some 0.2 s, with costs."""
_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Scene:
    """Tasks that run under each candidate. `seconds`: those of a run that count.

    `running`: the classes that have tasks. `text`: of a run for the model, by its seed; it is the
    same for the same `digest`.
    """

    load: Load
    seconds: float
    running: frozenset[str]
    digest: str
    text: Callable[[int], str]
    is_recorded: bool = False


# ---- Loads of `expect` blocks ----


def simulated(load: Load, place: Machine, seconds: float) -> Scene:
    """Returns the scene of a load."""
    text = functools.cache(functools.partial(_of_load, load, place, seconds))
    running = frozenset(group.class_name for group in load.groups)
    return Scene(load, seconds, running, load.name, text)


def _of_load(load: Load, place: Machine, seconds: float, seed: int) -> str:
    """The text of a run. A short one has a short warm-up, too."""
    warmup_ns = min(play.WARMUP_NS, round(seconds * _S / 2))
    return play.scenario(load, place, seed=seed, seconds=seconds, warmup_ns=warmup_ns)


def window(player: Player, program: Path, place: Machine, load: Load) -> float:
    """Returns how long to simulate a load, in s: what its claims need, else by its events.

    The same load has the same time everywhere. Raises LabError.
    """
    first = player.run(program, _of_load(load, place, _PROBE_S, 1))
    lasts_s = _PROBE_S * 3 / 2  # with its warm-up
    most_s = _EVENTS * lasts_s / max(first.events, 1)
    found = max((each for each in _SECONDS if each <= most_s), default=_SECONDS[0])
    for seconds in (each for each in _SECONDS if each >= found):
        text = _of_load(load, place, seconds, 1)
        programs = {name: player.control(name) for name in controls.baselines(load)}
        runs = {name: [player.run(each, text)] for name, each in programs.items()}
        whole = {"policy": [player.run(program, text)], **runs}
        if not _lacking(load, place, whole):
            return seconds
    return found


def _lacking(load: Load, place: Machine, runs: dict[str, list[play.Figures]]) -> tuple[Claim, ...]:
    """The claims for which a run has too few samples."""
    found = report.of_load(load, place, runs).claims
    pairs = zip(load.claims, found, strict=True)
    return tuple(claim for claim, each in pairs if each.why.endswith(report.FEW))


# ---- Records ----


def recorded(
    subject: Subject, policy: checked.Policy, player: Player, program: Path, limits: Limits
) -> tuple[Scene, tuple[str, ...]]:
    """Returns the scene of a record, and the promises that it cannot judge, with the reasons.

    The first half of the record is for the search, and fresh seeds judge by the second one.
    `program`: the present policy. Raises LabError.
    """
    names = [each.name for each in play.classes_of(policy, subject.machine).classes]
    numbers = replays.classes(subject, subject.replay(player, program))
    class_of = {course: names[number] for course, number in numbers.items()}
    kept, open_claims = _predictable(subject, policy, class_of, limits)
    scene = _of_record(subject, kept, class_of)
    few: set[Claim] = set()
    for seed in (1, FIRST_FRESH):
        runs = {"policy": [player.run(program, scene.text(seed))]}
        few.update(_lacking(scene.load, subject.machine, runs))
    open_claims += [
        _open(claim, f"{report.FEW} in half of {scene.load.name}") for claim in kept if claim in few
    ]
    kept = [claim for claim in kept if claim not in few]
    return _of_record(subject, kept, class_of), tuple(open_claims)


def _predictable(
    subject: Subject, policy: checked.Policy, class_of: dict[int, str], limits: Limits
) -> tuple[list[Claim], list[str]]:
    """The promises' claims that a replay can judge, and the others, each with the reason."""
    name = subject.record.name
    courses = {each.number: each for each in subject.replayable.courses}
    whole = replays.parts_of(subject, limits).unknown
    kept, left = [], []
    for claim in _promised(policy):
        mine = [courses[course] for course, name in class_of.items() if name == claim.target]
        unknown = max(whole, replays.unknown_part(mine, limits))
        if not mine:
            left.append(_open(claim, f"{name} has no task of `{claim.target}`"))
        elif unknown > limits.most_unknown:
            part = f"{100 * unknown:.0f} % of the wake-ups"
            left.append(_open(claim, f"{part} in {name} cannot be predicted"))
        else:
            kept.append(claim)
    return kept, left


def _promised(policy: checked.Policy) -> Iterator[Claim]:
    for promise in policy.promises:
        yield from claims.read(promise)


def _open(claim: Claim, why: str) -> str:
    return f"`{claim.text}` (line {claims.line_of(claim.span)}): {why}"


def _of_record(subject: Subject, kept: Sequence[Claim], class_of: dict[int, str]) -> Scene:
    targets = {claim.target for claim in kept}
    names = {
        each.number: name if (name := class_of.get(each.number, "")) in targets else _OTHERS
        for each in subject.replayable.courses
    }
    groups = {name: number for number, name in enumerate(dict.fromkeys(names.values()))}
    members = {course: groups[name] for course, name in names.items()}
    length_ns = subject.replayable.length_ns
    middle_ns = length_ns // 2
    # All tasks begin at once, which the node's did not.
    warm_ns = min(play.WARMUP_NS, middle_ns // 4)
    halves = [
        subject.counting(Counted(members, begin_ns, end_ns))
        for begin_ns, end_ns in ((warm_ns, middle_ns), (middle_ns, length_ns))
    ]
    first_line = scenario.machine_line(subject.machine, 1)

    def text(seed: int) -> str:
        half = halves[seed >= FIRST_FRESH]
        return half.replace(first_line, scenario.machine_line(subject.machine, seed), 1)

    facts, behaviour = Facts(b"", b""), Behaviour()  # the courses have them
    load = Load(
        subject.record.name,
        0,
        tuple(Group(name, name, facts, behaviour, 1) for name in groups),
        tuple(kept),
    )
    digest = hashlib.sha256("".join(halves).encode()).hexdigest()
    running = frozenset(class_of.values())
    return Scene(load, middle_ns / _S, running, digest, text, is_recorded=True)
