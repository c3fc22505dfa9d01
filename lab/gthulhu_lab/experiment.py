# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The one experiment runner: a list of experiments becomes a list of figures or failures.

`bench`, `verify`, `lab user-plane` and the demo make the experiments and judge what comes back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict

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


class Experiment(ABC, Generic[Figures]):
    """One guest to boot, and how its result becomes figures; its text is for the progress line."""

    __slots__ = ()

    @property
    @abstractmethod
    def model(self) -> type[Figures]:
        """The type of the figures."""

    @abstractmethod
    def request(self) -> GuestRequest:
        """The guest to boot."""

    @abstractmethod
    def read(self, result: GuestResult) -> Figures:
        """The figures of a guest that succeeded. Raises GuestError for incomplete ones."""

    @property
    @abstractmethod
    def names(self) -> Mapping[str, str | int]:
        """Fields of the figures that the guest does not determine."""

    @property
    def condition(self) -> str:
        """The load or the like that sets it apart, for the reason of a failure."""
        return ""

    @property
    def reading(self) -> str:
        """Identifies all that decides how the result is read and is not part of the guest."""
        return ""

    def again(self, _figures: Figures) -> Self | None:
        """The experiment whose figures replace these, or None."""
        return None


class FailedExperiment(BaseModel):
    """A guest that failed, and the reason."""

    model_config = ConfigDict(frozen=True)

    subject: str
    cpus: int
    seed: int
    reason: str

    @classmethod
    def of(cls, experiment: Experiment[Any], error: GuestError) -> Self:
        """The failure of an experiment's guest."""
        request = experiment.request()
        return cls(
            subject=str(experiment.names["subject"]),
            cpus=request.cpus,
            seed=request.seed,
            reason=": ".join(filter(None, (experiment.condition, str(error)))),
        )

    def __str__(self) -> str:
        return f"{self.subject}, {self.cpus} CPUs, seed {self.seed}: {self.first_line}"

    @property
    def first_line(self) -> str:
        """The first line of the reason, for a table."""
        return next(iter(self.reason.splitlines()), "no reason given")


def run(
    experiments: Sequence[Experiment[Figures]], progress: Progress, *, jobs: int, use_cache: bool
) -> list[Figures | GuestError]:
    """The figures of each experiment, or why its guest gave none, in the order of the experiments.

    Exact ones run `jobs` at a time. The others run one at a time: a second guest would be noise.
    Raises LabError where the lab cannot run guests at all.
    """
    booted = [(experiment, experiment.request()) for experiment in experiments]
    _prepare([request for _, request in booted], progress)
    runner = _Runner(Countdown(progress, "guest", len(experiments)), use_cache)
    exact = iter(vm.side_by_side(runner.outcome, [p for p in booted if _is_exact(p[1])], jobs))
    timed = iter(vm.side_by_side(runner.outcome, [p for p in booted if not _is_exact(p[1])], 1))
    return [next(exact if _is_exact(request) else timed) for _, request in booted]


def succeeded(outcomes: Iterable[Figures | GuestError]) -> list[Figures]:
    """The figures without the failures."""
    return [outcome for outcome in outcomes if not isinstance(outcome, GuestError)]


def failures(
    experiments: Iterable[Experiment[Any]], outcomes: Iterable[BaseModel | GuestError]
) -> list[FailedExperiment]:
    """The failures of the experiments that gave no figures."""
    pairs = zip(experiments, outcomes, strict=True)
    return [
        FailedExperiment.of(experiment, error)
        for experiment, error in pairs
        if isinstance(error, GuestError)
    ]


def _is_exact(request: GuestRequest) -> bool:
    """Whether the figures are a function of the guest."""
    return request.clock is Clock.ICOUNT


def _prepare(requests: Sequence[GuestRequest], progress: Progress) -> None:
    qemu.version()
    for kernel, flavour in dict.fromkeys((each.kernel, each.flavour) for each in requests):
        kernels.ensure(kernel, flavour, progress=progress.step)
    exact = [each for each in requests if _is_exact(each)]
    if exact:
        progress.step("checking the clock of this QEMU (once)")
        selftest.ensure(exact[0].kernel)


class _Runner:
    """Experiments that share a countdown."""

    def __init__(self, countdown: Countdown, use_cache: bool) -> None:
        self._countdown = countdown
        self._use_cache = use_cache

    def outcome(self, booted: tuple[Experiment[Figures], GuestRequest]) -> Figures | GuestError:
        experiment, request = booted
        try:
            figures = self._figures(experiment, request)
            replacement = experiment.again(figures)
            if replacement is None:
                return figures
            self._countdown.wants(1)
            return self._figures(replacement, replacement.request())
        except GuestError as error:
            return error

    def _figures(self, experiment: Experiment[Figures], request: GuestRequest) -> Figures:
        if not _is_exact(request):
            # Chance has a part in these, so earlier figures say nothing about this run.
            return self._boot(experiment, request)
        key = results.key(request) + (f"-{experiment.reading}" if experiment.reading else "")
        known = results.load(key, experiment.model) if self._use_cache else None
        if known is not None:
            self._countdown.wants(-1)
            # The same guest may belong to a subject or a block of another name.
            return known.model_copy(update=dict(experiment.names))
        figures = self._boot(experiment, request)
        results.store(key, figures)
        return figures

    def _boot(self, experiment: Experiment[Figures], request: GuestRequest) -> Figures:
        with self._countdown.step(str(experiment)):
            return experiment.read(vm.run(request).check())
