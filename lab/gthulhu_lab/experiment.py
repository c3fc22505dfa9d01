# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The one experiment runner: a list of trials becomes a list of figures or failures.

`bench`, `verify` and `lab user-plane` make the trials and judge what comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from gthulhu_lab import kernels, qemu, results, selftest, vm
from gthulhu_lab.errors import GuestError
from gthulhu_lab.progress import Countdown, Progress
from gthulhu_lab.request import Clock, GuestRequest, GuestResult

_FIRST_SEED = 7
_PHASE_STEP_US = 370

Figures = TypeVar("Figures", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Variation:
    """The difference between perturbed runs: the seed, and when the tasks begin."""

    seed: int
    phase_us: int

    @classmethod
    def number(cls, number: int) -> Variation:
        """The variation with this number, from 0; the same on every machine."""
        return cls(_FIRST_SEED + number, number * _PHASE_STEP_US)


def seeds(count: int) -> list[int]:
    """The seeds of the first `count` variations."""
    return [Variation.number(number).seed for number in range(count)]


@dataclass(frozen=True, slots=True)
class Trial(Generic[Figures]):
    """One guest to boot, and how its result becomes figures.

    `read` raises GuestError for a guest that failed or left incomplete figures. `names` are fields
    of the figures that the guest does not determine. `reading` identifies all that decides how the
    result is read and is not part of the guest. `again` returns the trial whose figures replace
    these, or None.
    """

    text: str  # for the progress line
    request: GuestRequest
    model: type[Figures]
    read: Callable[[GuestResult], Figures]
    names: Mapping[str, str | int]
    reading: str = ""
    again: Callable[[Figures], Trial[Figures] | None] = lambda _: None

    @property
    def is_exact(self) -> bool:
        """Whether the figures are a function of the guest."""
        return self.request.clock is Clock.ICOUNT


def run(
    trials: Sequence[Trial[Figures]], progress: Progress, *, jobs: int, use_cache: bool
) -> list[Figures | GuestError]:
    """The figures of each trial, or why its guest gave none, in the order of the trials.

    Exact trials run `jobs` at a time. The others run one at a time: a second guest would be noise.
    Raises LabError where the lab cannot run guests at all.
    """
    _prepare([trial.request for trial in trials], progress)
    runner = _Runner(Countdown(progress, "guest", len(trials)), use_cache)
    exact = iter(vm.side_by_side(runner.outcome, [t for t in trials if t.is_exact], jobs))
    timed = iter(vm.side_by_side(runner.outcome, [t for t in trials if not t.is_exact], 1))
    return [next(exact if trial.is_exact else timed) for trial in trials]


def _prepare(requests: Sequence[GuestRequest], progress: Progress) -> None:
    qemu.version()
    for kernel, flavour in dict.fromkeys((each.kernel, each.flavour) for each in requests):
        kernels.ensure(kernel, flavour, progress=progress.step)
    exact = [each for each in requests if each.clock is Clock.ICOUNT]
    if exact:
        progress.step("checking the clock of this QEMU (once)")
        selftest.ensure(exact[0].kernel)


class _Runner:
    """Trials that share a countdown."""

    def __init__(self, countdown: Countdown, use_cache: bool) -> None:
        self._countdown = countdown
        self._use_cache = use_cache

    def outcome(self, trial: Trial[Figures]) -> Figures | GuestError:
        try:
            figures = self._figures(trial)
            replacement = trial.again(figures)
            if replacement is None:
                return figures
            self._countdown.wants(1)
            return self._figures(replacement)
        except GuestError as error:
            return error

    def _figures(self, trial: Trial[Figures]) -> Figures:
        if not trial.is_exact:
            # Chance has a part in these, so earlier figures say nothing about this run.
            return self._boot(trial)
        key = results.key(trial.request) + (f"-{trial.reading}" if trial.reading else "")
        known = results.load(key, trial.model) if self._use_cache else None
        if known is not None:
            self._countdown.wants(-1)
            # The same guest may belong to a subject or a block of another name.
            return known.model_copy(update=dict(trial.names))
        figures = self._boot(trial)
        results.store(key, figures)
        return figures

    def _boot(self, trial: Trial[Figures]) -> Figures:
        with self._countdown.step(trial.text):
            return trial.read(vm.run(trial.request))
