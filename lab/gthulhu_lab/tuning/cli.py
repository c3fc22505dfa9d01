# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu tune`; its options are in gthulhu_lab.commands.tune."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import sqlalchemy.exc

from gthulhu_lab import kernels, tables
from gthulhu_lab.commands.run import refuse_missing_packages
from gthulhu_lab.errors import LabError
from gthulhu_lab.progress import Progress
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.tuning import (
    conflicts,
    evaluation,
    finals,
    knobs,
    preparation,
    report,
    search,
    table,
)
from gthulhu_lab.tuning.finals import Judgement
from gthulhu_lab.tuning.report import Result
from gthulhu_lab.tuning.search import Plan, Search
from gthulhu_lab.verify import suite
from gthulhu_lab.verify.experiments import VerifyOptions
from gthulhu_lab.verify.verdict import Verification
from gthulhuc import frontend
from gthulhuc.cli import files, shared

_STEPS = 10  # of the trials, each with a line of progress
_WIDTH = 160  # of the tables


def run(options: argparse.Namespace) -> int:
    """Search and show what was found; the exit status. Raises LabError."""
    _check(options)
    try:
        return _tuned(options)
    except PolicyError as error:
        shared.show(error.diagnostics, options.file, options.color)
        return error.status
    except ImportError as error:
        raise search.missing_driver(error) from error
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise search.refused(options.storage or "", error) from error


def _check(options: argparse.Namespace) -> None:
    """Refuses options that do not go together."""
    files.check_outputs((options.json, options.svg, options.output))
    if options.worker and not options.storage:
        raise LabError("--worker needs the --storage that the workers share", "name it")
    if options.file == shared.STDIO:
        raise LabError("a policy to tune is a file", "save it, and name the file")
    if options.verify:
        refuse_missing_packages()
        kernels.choose(options.kernel, options.kernel_image)
    _words(options.actions)


def _tuned(options: argparse.Namespace) -> int:
    plan = Plan(options.trials, _seeds(options), options.search_seed, _storage(options.storage))
    wanted = _words(options.actions)
    with (
        Progress(sys.stderr) as progress,
        preparation.prepared(options, wanted, plan.seeds, progress) as (evaluator, now, left),
    ):
        found = search.begin(evaluator, plan, now)
        stopped = _searched(found, progress)
        if options.worker:
            progress.done()
            shared.err(f"{len(found.tried())} trials are done\n")
            return shared.OK if stopped is None else stopped
        result = _judged(found, left, options.prefer, progress, is_stopped=stopped is not None)
        progress.done()
        if options.verify and result.judgement is not None:
            result = replace(result, verified=tuple(_verified(result.judgement, options)))
        _write(result, options)
    if stopped is not None:
        return stopped
    return shared.OK if result.holds else shared.FOUND_ERRORS


def _words(actions: str | None) -> tuple[str, ...]:
    """The actions to vary."""
    if actions is None:
        return ()
    if actions == "all":
        return knobs.WORDS
    wanted = tuple(word.strip() for word in actions.split(","))
    for word in wanted:
        if word not in knobs.WORDS:
            raise LabError(
                f"--actions cannot vary `{word}`", f"it varies {', '.join(knobs.WORDS)}, or all"
            )
    return tuple(word for word in knobs.WORDS if word in wanted)


def _seeds(options: argparse.Namespace) -> evaluation.Seeds:
    return tuple(range(1, options.seeds + 1))


def _storage(named: str | None) -> str:
    return search.url_of(named) if named else ""


# ---- Search ----


def _searched(found: Search, progress: Progress) -> int | None:
    """Searches; the exit status of a signal that stopped it, else None."""
    shown = -1

    def tell(done: int, wanted: int) -> None:
        nonlocal shown
        step = done * _STEPS // wanted
        if step > shown and done < wanted:
            shown = step
            good = sum(each.holds for each in found.tried())
            progress.step(f"trial {done + 1} of {wanted}: {good} hold all claims")

    try:
        found.run(tell)
    except KeyboardInterrupt as stopped:
        return int(getattr(stopped, "status", shared.INTERRUPTED))
    return None


def _judged(
    found: Search, left: tuple[str, ...], prefer: str, progress: Progress, *, is_stopped: bool
) -> Result:
    judgement = conflict = None
    if not found.front():
        conflict = conflicts.find(found.evaluator.aims, found.tried())
    if not is_stopped and conflict is None:
        judgement = finals.judge(found, prefer, progress.step)
    return Result(found, left, prefer, judgement, conflict, is_stopped)


def _verified(judgement: Judgement, options: argparse.Namespace) -> Iterator[Verification]:
    """The best finals in guests, each as a file beside the policy, as its names are relative."""
    wanted = VerifyOptions(kernels=kernels.choose(options.kernel, options.kernel_image))
    place = Path(options.file)
    for final in report.shippable(judgement):
        with tempfile.NamedTemporaryFile(
            "w", prefix=f".{place.stem}-", suffix=".gpl", dir=place.parent, encoding="utf-8"
        ) as file:
            file.write(final.source.text)
            file.flush()
            yield suite.verify(file.name, wanted)


# ---- Output ----


def _write(result: Result, options: argparse.Namespace) -> None:
    is_free = shared.STDIO not in (options.json, options.svg, options.output)
    console = tables.console_of_width(_WIDTH, stderr=not is_free)
    for each in table.tables(result):
        tables.show(each, console)
    console.print()
    for line in table.lines(result):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if options.json is not None:
        text = json.dumps(report.as_json(result), indent=1)
        files.write_file(options.json, text.encode() + b"\n")
    if options.svg is not None:
        files.write_file(options.svg, report.plot(result).encode())
    _write_policy(result, options)


def _write_policy(result: Result, options: argparse.Namespace) -> None:
    """Writes the changed policy where that was asked for. Raises LabError."""
    out = options.file if options.write else options.output
    if out is None:
        return
    if result.best is None:
        shared.err(f"{out} is not written: there is no better policy\n")
        return
    now = shared.read_file(options.file)[1]
    source, _ = frontend.decode(options.file, now)
    if options.write and source.text != result.search.evaluator.setting.source.text:
        raise LabError(
            f"{options.file} changed during the search, so it is not written",
            "apply the diff above, or tune it again",
        )
    files.write_file(out, result.best.source.text.encode())
    shared.err(f"wrote {out}\n")
