# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu replay`; its options are in gthulhu_lab.commands.replay."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gthulhu.record.reader import Record
from gthulhu_lab import subjects
from gthulhu_lab.progress import Progress
from gthulhu_lab.replay import machines, report, run, table, window
from gthulhu_lab.replay.report import Limits, PolicyReport, Report
from gthulhu_lab.replay.run import EEVDF, Run, Subject
from gthulhu_lab.simulation import machine, play, timeline
from gthulhu_lab.simulation.machine import Machine
from gthulhu_lab.subjects import PolicyError
from gthulhuc import checked
from gthulhuc.cli import files, shared
from gthulhuc.fields import LATE, Field
from gthulhuc.passes.reasoning.contents import field_of, leaves

SCHEMA = 1
REFUSED = 3
"""The exit status if no verdict is given."""
_RECORD = "record"
_MOST_DIFFERENCES = 10
_UNKNOWN_FACTS = {
    Field.EXE: "programs (`exe`)",
    Field.CMDLINE: "command lines (`cmdline`)",
    Field.CALLS: "calls of kernel functions",
}
"""Facts that the model lacks: comparisons with them are false."""


@dataclass(frozen=True, slots=True)
class _Policy:
    """A policy and its source."""

    file: str
    checked: checked.Policy
    source: bytes


def run_command(options: argparse.Namespace) -> int:
    """Replay a record and print the figures; the exit status. Raises LabError."""
    files.check_outputs((options.json, options.perfetto))
    window.parse(options.window)
    if options.perfetto is not None:
        timeline.check()
    policies = []
    for file in options.policies:
        try:
            policies.append(_Policy(file, *subjects.read_policy(file)))
        except PolicyError as error:
            shared.show(error.diagnostics, file, options.color)
            return error.status
    with run.opened(options.record) as record:
        found = _replay(options, record, policies)
    if options.json != files.STDIO:
        shared.out(table.render(found))
    if options.json is not None:
        files.write_file(options.json, json.dumps(found.as_json(), indent=1).encode() + b"\n")
    return REFUSED if found.is_refused else shared.OK


def _replay(options: argparse.Namespace, record: Record, policies: list[_Policy]) -> Report:
    length_s = (record.end_ns - record.begin_ns) / 1e9
    is_own = options.machine == _RECORD
    place = machines.recorded(record) if is_own else machine.read(options.machine)
    if options.no_costs:
        place = replace(place, costs={})
    with Progress(sys.stderr) as progress:
        progress.step("compiling")
        player = play.Player(costed=not options.no_costs)
        control = player.control(EEVDF)
        subject = run.prepare(
            record, place, player, is_fitted=is_own and not options.no_costs, tell=progress.step
        )
        limits = Limits(options.most_unknown / 100, options.open_loop)
        progress.step("replaying under eevdf")
        eevdf = subject.replay(player, control)
        reports = [
            _policy(options, subject, player, eevdf, each, limits, progress) for each in policies
        ]
    return Report(
        SCHEMA,
        record.name,
        str(record.info.get("scheduler", "?")),
        str(record.info.get("kernel", {}).get("release", "?")),
        list(record.info.get("imported", {}).get("lacks", [])),
        subject.machine.name,
        subject.machine.digest,
        subject.machine.summary,
        length_s,
        subject.scale,
        limits.most_unknown,
        report.parts_of(subject, limits),
        reports,
    )


def _policy(
    options: argparse.Namespace,
    subject: Subject,
    player: play.Player,
    eevdf: Run,
    policy: _Policy,
    limits: Limits,
    progress: Progress,
) -> PolicyReport:
    progress.step(f"replaying under {policy.file}")
    scheduler = play.classes_of(policy.checked, subject.machine)
    mine = subject.replay(player, player.policy(policy.checked, subject.machine))
    most = _MOST_DIFFERENCES if options.diff else 0
    if options.perfetto is not None and policy.file == options.policies[0]:
        _write_timelines(options, subject.machine, policy, eevdf, mine, subject)
    ran_ns = sum(each.ran_ns for each in mine.tasks.values())
    return PolicyReport(
        policy.file,
        hashlib.sha256(policy.source).hexdigest(),
        report.rules_of(subject, scheduler, eevdf, mine, limits),
        mine.repeated_ns / max(1, ran_ns),
        report.diff_of(subject, scheduler, eevdf, mine, most) if most else [],
        list(_notes(policy.checked, subject.record)),
    )


def _notes(policy: checked.Policy, record: Record) -> Iterator[str]:
    """Yields the facts of a policy that the model or the record lacks."""
    for rule in policy.rules:
        fields = dict.fromkeys(field_of(leaf) for leaf in leaves(rule.match))
        for each in fields:
            if each in _UNKNOWN_FACTS:
                yield (
                    f"rule `{rule.name}`: the model does not know {_UNKNOWN_FACTS[each]}: such a "
                    "comparison is false"
                )
        if LATE.intersection(fields) and not record.labels:
            yield (
                f"rule `{rule.name}`: the record has no labels, pods and containers: a comparison "
                "with one is neither true nor false"
            )


def _write_timelines(
    options: argparse.Namespace,
    place: Machine,
    policy: _Policy,
    eevdf: Run,
    mine: Run,
    subject: Subject,
) -> None:
    """Write the window under the policy, and under EEVDF into a second file."""
    wanted = window.within(
        window.parse(options.window), subject.replayable.length_ns / 1_000_000_000
    )
    scheduler = play.classes_of(policy.checked, place)
    own_path, eevdf_path = window.paths(options.perfetto)
    for path, name, one in (
        (own_path, policy.checked.name, mine), (eevdf_path, EEVDF, eevdf),
    ):  # fmt: skip
        files.write_file(path, window.write(one, name, scheduler, wanted))
        shared.err(f"{path}: {wanted.begin_s:g} s to {wanted.end_s:g} s under {name}\n")
