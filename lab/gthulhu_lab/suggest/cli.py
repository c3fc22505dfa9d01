# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu suggest`; its options are in gthulhu_lab.commands.suggest."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gthulhu.record.reader import Record
from gthulhu_lab.errors import LabError
from gthulhu_lab.progress import Progress
from gthulhu_lab.replay import machines, report, run
from gthulhu_lab.replay.report import Limits
from gthulhu_lab.simulation import play
from gthulhu_lab.suggest import decide, groups, policy, result, table, thresholds
from gthulhu_lab.suggest.groups import Group, Key
from gthulhu_lab.suggest.policy import LADDER, Named, Promised
from gthulhu_lab.suggest.result import Outcome, Suggestion
from gthulhu_lab.suggest.trials import Trial, Trials
from gthulhu_lab.suggest.words import per_cent, time, title
from gthulhuc.cli import files, shared

NOTHING, NO_VERDICT = 1, 3
STATUS = {
    Outcome.SUGGESTED: shared.OK,
    Outcome.NOT_REPLAYED: shared.OK,
    Outcome.NOTHING: NOTHING,
    Outcome.UNKNOWN: NO_VERDICT,
}
_WHY_NONE = {
    "few": "no task is woken {fewest} times, so there is no p99 to shorten; record for longer",
    "prompt": "no task that is woken often waits long against the work that it does",
    "late": "tasks wait, but for others of their own kind, which no rule of a policy can change",
}


@dataclass(frozen=True, slots=True)
class _Found:
    """The contents of a record, before a replay."""

    record: Record
    groups: Mapping[Key, Group]
    members: tuple[Named, ...]
    notes: Sequence[str]

    @property
    def seconds(self) -> float:
        return (self.record.end_ns - self.record.begin_ns) / 1e9


def run_command(options: argparse.Namespace) -> int:
    """Suggest a policy; the exit status. Raises LabError, CommandError, RecordError."""
    files.check_outputs((options.json, options.output))
    with run.opened(options.record) as record, Progress(sys.stderr) as progress:
        suggestion = _suggest(options, record, progress)
    _show(options, suggestion)
    return STATUS[suggestion.outcome]


def _show(options: argparse.Namespace, found: Suggestion) -> None:
    is_piped = files.STDIO in {options.json, options.output}
    say = shared.err if is_piped else shared.out
    if options.json != files.STDIO:
        say(table.render(found))
    if found.policy is not None:
        if options.output is not None:
            files.write_file(options.output, found.policy.encode())
        elif options.json is None:
            shared.out("\n" + found.policy)
    if options.json is not None:
        files.write_file(options.json, json.dumps(found.as_json(), indent=1).encode() + b"\n")


def _suggest(options: argparse.Namespace, record: Record, progress: Progress) -> Suggestion:
    progress.step(f"reading {record.name}")
    found = _find(record, options.name)
    if not any(each.waiter for each in found.members):
        why = _WHY_NONE[decide.reason_for_none(found.groups)]
        return _suggestion(found, Outcome.NOTHING, why.format(fewest=thresholds.FEWEST_WAKEUPS))
    if options.no_replay:
        text = policy.write(options.name, _head(found, None), found.members, LADDER[0])
        why = "read it, then say `gthulhu replay`"
        return _suggestion(found, Outcome.NOT_REPLAYED, why, kept=found.members, text=text)
    return _replayed(options, found, progress)


def _find(record: Record, name: str) -> _Found:
    """Groups and rules, without those that the compiler says something of."""
    by_key = groups.of_record(record)
    members = policy.named(decide.decide(by_key), by_key)
    notes = []
    while members:
        text = policy.write(name, (), members, LADDER[0])
        _, problems = policy.checked_policy(text)
        if not problems:
            break
        out = policy.refused(text, problems)
        if not out:
            raise LabError(
                f"the policy has an error: {problems[0].message}", "choose another --name"
            )
        notes += [
            f"No rule for {title(each.group.key)}: {problems[0].message}"
            for each in members
            if each.rule in out
        ]
        members = tuple(each for each in members if each.rule not in out)
    return _Found(record, by_key, members, notes)


def _replayed(options: argparse.Namespace, found: _Found, progress: Progress) -> Suggestion:
    record = found.record
    place = machines.recorded(record)
    if options.no_costs:
        place = replace(place, costs={})
    progress.step("compiling the model")
    player = play.Player(costed=not options.no_costs)
    subject = run.prepare(record, place, player, is_fitted=not options.no_costs, tell=progress.step)
    limits = Limits(options.most_unknown / 100, options.open_loop)
    trials = Trials(subject, player, found.groups, limits, progress.step)
    best = trials.best(found.members)
    progress.done()
    if best is None:
        return _suggestion(found, Outcome.NOTHING, _why_none(trials.done), trials=trials.done)
    kept = tuple(each for each in best.members if best.rung.takes(each))
    text = _text(options.name, found, best, kept)
    # A rule of which more is unknown has no verdict, whatever the others have.
    mine = [best.changes[each.group.key].unknown for each in kept if each.waiter]
    unknown = max(report.parts_of(subject, limits).unknown, *mine)
    outcome, why = Outcome.SUGGESTED, _why(best)
    if unknown > limits.most_unknown:
        outcome = Outcome.UNKNOWN
        why = (
            f"{per_cent(unknown)} of the wake-ups cannot be predicted (docs/replay.md). If no "
            "sender outside waits for answers, say --open-loop"
        )
    return _suggestion(found, outcome, why, unknown, kept, trials.done, best, text)


def _text(name: str, found: _Found, best: Trial, kept: Sequence[Named]) -> str:
    promises = {}
    for each in kept:
        recorded_ns = each.group.wait_ns("p99")
        times = best.changes[each.group.key].times
        if recorded_ns is not None and times is not None:
            promises[each.rule] = Promised(recorded_ns, times[1])
    head = _head(found, best)
    return policy.write(name, head, kept, best.rung, promises, found.seconds)


def _head(found: _Found, best: Trial | None) -> list[str]:
    record = found.record
    computing = [each.group for each in found.members if each.waiter is None]
    share = per_cent(sum(each.share for each in computing))
    scheduler = record.info.get("scheduler", "?")
    origin = (
        f"Suggested by `gthulhu suggest` from {found.seconds:.3g} s of a node under {scheduler}."
    )
    if computing:
        names = " and ".join(title(each.key) for each in computing)
        verb = "computes" if len(computing) == 1 else "compute"
        origin += f" {names} {verb} {share} of the CPU time."
    lines = [*policy.wrapped(origin)]
    if record.info.get("anonymised"):
        lines.append(
            "The names are the record's pseudonyms: put in the real ones before you run it."
        )
    if best is None:
        lines.append("It has not been replayed.")
    else:
        lines += [
            f"Replayed, `{each.rule}` waits {_arrow(best, each)} at p99."
            for each in best.members
            if each.waiter
        ]
        lines.append("A model predicts that, and no kernel has confirmed it.")
    return lines


def _arrow(best: Trial, member: Named) -> str:
    before, after = best.changes[member.group.key].times or (None, None)
    return f"{time(after)} instead of {time(before)}"


def _why(best: Trial) -> str:
    gains = ", ".join(f"`{rule}` waits {gain:.1f} x shorter" for rule, gain in best.gains.items())
    return f"{gains} in the replay, and nothing else loses more than 10 %"


def _why_none(done: Sequence[Trial]) -> str:
    losses = [trial for trial in done if trial.losses]
    if len(losses) < len(done):
        return "no policy that was replayed shortens the waits of these tasks"
    worst = max(losses[0].losses, key=lambda each: each.loss)
    return (
        f"each policy that was replayed slows something by more than 10 %, such as "
        f"{title(worst.group.key)} by {per_cent(worst.loss - 1)}"
    )


def _suggestion(
    found: _Found,
    outcome: Outcome,
    why: str,
    unknown: float | None = None,
    kept: Sequence[Named] = (),
    trials: Sequence[Trial] = (),
    best: Trial | None = None,
    text: str | None = None,
) -> Suggestion:
    return Suggestion(
        result.SCHEMA,
        found.record.name,
        found.seconds,
        groups.cpus_of(found.record),
        outcome,
        why,
        unknown,
        result.groups_of(found.groups),
        result.rules_of(found.members, kept),
        list(found.notes),
        result.trials_of(trials),
        list(result.changes_of(best, kept)) if best else [],
        text,
    )
