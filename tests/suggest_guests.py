# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Guests run the policies that `gthulhu suggest` writes for the scenes of tests/replay_scenes.py.

    python tests/suggest_guests.py

prints the second table of docs/know-before.md. For each scene one guest is recorded under the
kernel's own scheduler, `gthulhu suggest` reads the record, and a second guest runs the same scene
under the kernel's own scheduler and under the suggested policy. Both are recorded, and compared by
the thresholds of a suggestion. `--records FOLDER` has the first guest's records, and `--kept
FOLDER` keeps those of the second one. `--policy FILE` is run in place of the suggested policy, such
as one that was changed by hand.

    python tests/suggest_guests.py --spread kubernetes

runs a scene six times under the kernel's own scheduler, and prints how much these runs differ.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import replay_scenes
import suggest_scenes
from gthulhu.record.reader import Record
from gthulhu_lab.replay.figures import QUANTILES, Tally, TaskFigures, count, quantile
from gthulhu_lab.replay.report import RuleFigures
from gthulhu_lab.suggest import groups, thresholds
from gthulhu_lab.suggest.groups import Group, Key
from gthulhu_lab.suggest.trials import Change, stretch
from gthulhu_lab.suggest.words import title
from replay_scenes import EEVDF
from suggest_scenes import row, us

POLICY = "suggested"
WANTED = thresholds.WANTED_GAIN

_HEAD = ("scene", "group", "wake-ups", "p50, µs", "p99, µs", "work takes", "gain", "predicted")
_HEAD_OF_SPREAD = ("scene", "group", "CPU time", "its work takes", "most against least")
_RUNS = 6


@dataclass(frozen=True)
class Scene:
    """A suggestion, and what guests made of it.

    `found`: the command's output. `changes`: by group, between the guest's two records.
    """

    name: str
    found: Mapping[str, Any]
    changes: Mapping[Key, Change]

    @property
    def gains(self) -> dict[str, float]:
        """By what factor the p99 of each rule's tasks is shorter."""
        answering = {each["name"] for each in self.found["rules"] if each["kind"] == "answers"}
        rules = {each["group"]: each["rule"] for each in self.found["changes"]}
        return {
            rules[title(key)]: change.gain
            for key, change in self.changes.items()
            if rules.get(title(key)) in answering
        }

    @property
    def losses(self) -> list[Change]:
        """The groups that the policy slows by more than a tenth."""
        return [each for each in self.changes.values() if each.is_loss]


def confirmed(
    name: str, record: bytes, kept: Path | None = None, policy: str | None = None
) -> Scene:
    """Returns the suggestion for a scene's record, run in a guest. Raises GuestError.

    `policy`: runs in place of the suggested one, and has its name.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "eevdf.gtr")
        path.write_bytes(record)
        found = suggest_scenes.suggested(path)
    if found["policy"] is None:
        return Scene(name, found, {})
    files = replay_scenes.boot(
        replay_scenes.SCENES[name], {POLICY: policy or found["policy"]}
    ).files
    if kept is not None:
        (kept / name).mkdir(parents=True, exist_ok=True)
        for file in (path for path in files if path.endswith(".gtr")):
            (kept / name / file).write_bytes(files[file])
    return Scene(name, found, compared(files["eevdf.gtr"], files[f"replayed-{POLICY}.gtr"]))


def compared(before: bytes, after: bytes) -> Mapping[Key, Change]:
    """Returns how the groups of two records differ."""
    first, second = (
        _measured(Record(io.BytesIO(content), name))
        for content, name in ((before, "before"), (after, "after"))
    )
    found = {}
    for key in first.keys() & second.keys():
        (group, old, old_times), (_, new, new_times) = first[key], second[key]
        if not group.is_outside:
            found[key] = Change(group, old, new, old_times, new_times, 0.0)
    return found


def _measured(record: Record) -> Mapping[Key, tuple[Group, RuleFigures, float]]:
    tasks = [task for same in record.tasks.values() for task in same]
    tally = Tally()
    count(record, {(task.number, task.begin_ns): i for i, task in enumerate(tasks, 1)}, tally)
    mine: dict[Key, list[TaskFigures]] = defaultdict(list)
    for number, key in enumerate(groups.keys_of(record, tasks), 1):
        if number in tally.tasks:
            mine[key].append(tally.tasks[number])
    found = groups.of_record(record)
    whole_ns = (record.end_ns - record.begin_ns) * groups.cpus_of(record)
    return {
        key: (found[key], _figures(each, whole_ns), stretch(each)) for key, each in mine.items()
    }


def _figures(tasks: Sequence[TaskFigures], whole_ns: int) -> RuleFigures:
    woken = sorted(chain.from_iterable(each.woken for each in tasks))
    waits = sorted(chain.from_iterable(each.waits for each in tasks))
    return RuleFigures(
        len(woken),
        {name: quantile(woken, part) for name, part in QUANTILES.items()},
        len(waits),
        {name: quantile(waits, part) for name, part in QUANTILES.items()},
        sum(each.ran_ns for each in tasks) / whole_ns,
        sum(each.switches for each in tasks),
        sum(each.migrations for each in tasks),
    )


def rows(scene: Scene) -> Iterator[str]:
    """Yields a row for each rule, and for each other group that is judged."""
    if scene.found["policy"] is None:
        yield row(scene.name, "no suggestion", *[""] * (len(_HEAD) - 2))
        return
    predicted = {each["group"]: each["gain"] for each in scene.found["changes"]}
    order = sorted(scene.changes.items(), key=lambda each: (-each[1].gain, each[0]))
    for key, change in order:
        if not change.is_judged:
            continue
        before, after = change.eevdf, change.policy
        effect = f"{change.gain:.1f} x" if change.gain >= thresholds.LEAST_GAIN else "same"
        if change.is_loss:
            effect = f"**{change.loss:.2f} x slower**"
        told = predicted.get(title(key))
        yield row(
            scene.name,
            title(key),
            f"{before.wakeups:,} → {after.wakeups:,}",
            f"{us(before.wakeup['p50'])} → {us(after.wakeup['p50'])}",
            f"{us(before.wakeup['p99'])} → {us(after.wakeup['p99'])}",
            f"{100 * (change.policy_stretch / change.eevdf_stretch - 1):+.0f} %",
            effect,
            "-" if told is None else f"{told:.1f} x",
        )


def spread(name: str) -> Iterator[str]:
    """Yields a row for each group that is judged: its least and its most in runs under EEVDF."""
    names = [f"{EEVDF}-{number}" for number in range(1, _RUNS + 1)]
    files = replay_scenes.boot(replay_scenes.SCENES[name], {}, names=names).files
    runs = [_measured(Record(io.BytesIO(files[f"{each}.gtr"]), each)) for each in names]
    for key in sorted(set(runs[0]).intersection(*runs[1:])):
        shares = [run[key][1].share for run in runs]
        times = [run[key][2] for run in runs]
        if not runs[0][key][0].is_outside and min(shares) >= thresholds.LEAST_SHARE_TO_JUDGE:
            yield row(
                name,
                title(key),
                f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %",
                f"{min(times):.2f} to {max(times):.2f} x",
                f"{100 * (max(times) / min(times) - 1):+.0f} %",
            )


def _tried(name: str, options: argparse.Namespace) -> Iterator[str]:
    record = (
        replay_scenes.boot(replay_scenes.SCENES[name], {}).files["eevdf.gtr"]
        if options.records is None
        else (options.records / name / "eevdf.gtr").read_bytes()
    )
    policy = options.policy and options.policy.read_text()
    return rows(confirmed(name, record, options.kept, policy))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Run suggested policies in guests.")
    parser.add_argument("scenes", nargs="*", help=", ".join(replay_scenes.SCENES))
    parser.add_argument("--records", type=Path, help="a folder of records, SCENE/eevdf.gtr")
    parser.add_argument("--kept", type=Path, help="a folder for the records of these guests")
    parser.add_argument("--policy", type=Path, help="a policy in place of the suggested one")
    parser.add_argument("--spread", action="store_true", help="of runs under EEVDF alone")
    options = parser.parse_args()
    head = _HEAD_OF_SPREAD if options.spread else _HEAD
    print(row(*head))
    print(f"|{' -- |' * len(head)}", flush=True)
    for name in options.scenes or replay_scenes.SCENES:
        for each in spread(name) if options.spread else _tried(name, options):
            print(each, flush=True)


if __name__ == "__main__":
    main()
