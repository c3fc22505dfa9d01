# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Searches the candidates of a policy with optuna, alone or with other workers of one storage."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import optuna
import sqlalchemy.exc
from optuna.importance import PedAnovaImportanceEvaluator, get_param_importances
from optuna.samplers import BaseSampler, GridSampler, NSGAIISampler, TPESampler
from optuna.storages import BaseStorage, RDBStorage, RetryHeartbeatStaleTrialCallback
from optuna.study import Study
from optuna.trial import FrozenTrial, Trial, TrialState

from gthulhu_lab.errors import LabError
from gthulhu_lab.tuning import goals
from gthulhu_lab.tuning.evaluation import Evaluator, Seeds, Setting
from gthulhu_lab.tuning.goals import Outcome
from gthulhu_lab.tuning.knobs import Candidate, Space
from gthulhu_lab.tuning.stops import Deferred
from gthulhuc.cli import frame

MOST_FOR_TPE = 200
"""Up to so many trials the model of TPE pays off; beyond, NSGA-II covers the front better."""
_POPULATION = 50
_HEARTBEAT_S, _GRACE_S = 2, 10
_ATTEMPTS, _PAUSE_S = 5, 0.5  # to make a database's tables, which another worker may do, too
_OF_OTHERS = (
    sqlalchemy.exc.IntegrityError,
    sqlalchemy.exc.ProgrammingError,
    optuna.exceptions.StorageInternalError,
)
"""Errors where two workers make the same at the same time."""
_CANDIDATE = "candidate"
_REFUSED = "refused"
_DONE = (TrialState.COMPLETE,)


@dataclass(frozen=True, slots=True)
class Plan:
    """The extent of a search. `seed`: of the search itself; `storage`: empty for memory."""

    trials: int
    seeds: Seeds
    seed: int
    storage: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """A trial: its candidate, its objectives, and how far each claim is beyond its bound.

    The latter are at most 0 where the claim holds.
    """

    number: int
    candidate: Candidate
    values: tuple[float, ...]
    beyond: Mapping[str, float]

    @property
    def holds(self) -> bool:
        """Whether every claim holds."""
        return all(each <= 0 for each in self.beyond.values())

    @property
    def violation(self) -> float:
        """How far the claims that fail are beyond their bounds, in all."""
        return sum(max(each, 0) for each in self.beyond.values())


@dataclass(slots=True)
class Search:
    """A search for candidates. `now`: the present policy's figures; `names`: the objectives."""

    evaluator: Evaluator
    plan: Plan
    now: Outcome
    names: tuple[str, ...]
    study: Study

    @property
    def wanted(self) -> int:
        """The number of trials: all candidates, if they are fewer than was asked for."""
        return min(self.plan.trials, size(self.evaluator.space))

    def run(self, tell: Callable[[int, int], None]) -> None:
        """Tries candidates until there are enough. `tell`: takes the trials done, and wanted."""

        def told(study: Study, _: FrozenTrial) -> None:
            done = len(study.get_trials(deepcopy=False, states=_DONE))
            tell(done, self.wanted)
            if done >= self.wanted:
                study.stop()

        tell(done := len(self.tried()), self.wanted)
        if done < self.wanted:
            with Deferred() as stops:
                self.study.optimize(functools.partial(self._try, stops), callbacks=[told])

    def _try(self, stops: Deferred, trial: Trial) -> tuple[float, ...]:
        space = self.evaluator.space
        picked = tuple(
            trial.suggest_int(knob.name, 0, len(knob.values) - 1) for knob in space.knobs
        )
        candidate = space.settled(picked)
        with stops.interruptible():
            found = self.evaluator.outcome(candidate, self.plan.seeds)
        trial.set_user_attr(_CANDIDATE, list(candidate))
        if found.refused:
            trial.set_constraint(_REFUSED, 1.0)
        for claim in found.claims:
            trial.set_constraint(claim.aim.name, beyond(claim))
        return goals.values(found, self.now, self.names)

    def tried(self) -> list[Tried]:
        """Returns the trials that are done, in their order."""
        return [_tried(each) for each in self.study.get_trials(deepcopy=False, states=_DONE)]

    def front(self) -> list[Tried]:
        """Returns the trials that hold all claims and that none of them beats in everything.

        If several have the same objectives, the one with the fewest changes stands for them.
        """
        found: dict[tuple[float, ...], Tried] = {}
        for each in map(_tried, self.study.best_trials):
            before = found.get(each.values)
            if each.holds and (before is None or self._changes(each) < self._changes(before)):
                found[each.values] = each
        return [found[values] for values in sorted(found)]

    def _changes(self, tried: Tried) -> int:
        """How many knobs have other values than now."""
        present = self.evaluator.space.now
        return sum(one != other for one, other in zip(tried.candidate, present, strict=True))

    def importance(self) -> dict[str, float]:
        """Returns how much each knob matters, as parts of 1; empty if that cannot be told."""
        if len({each.candidate for each in self.tried()}) < 2 * len(self.evaluator.space.knobs):
            return {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return dict(
                get_param_importances(
                    self.study, evaluator=PedAnovaImportanceEvaluator(), target=self._badness
                )
            )

    def _badness(self, trial: FrozenTrial) -> float:
        found = _tried(trial)
        return math.log(goals.score(found.values, self.names, "")) + found.violation


def beyond(claim: goals.ClaimFigure) -> float:
    """Returns how far a claim is beyond its bound, as a part of it; at most 0 if it holds."""
    return min(claim.use - 1, 0.0) if claim.holds else max(claim.use - 1, 1e-6)


def size(space: Space) -> int:
    """Returns the number of all candidates."""
    return math.prod(len(knob.values) for knob in space.knobs)


def begin(evaluator: Evaluator, plan: Plan, now: Outcome) -> Search:
    """Returns a search that has begun, or one of the storage that it joins. Raises LabError."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    names = goals.objectives(now)
    space = evaluator.space
    name = f"{evaluator.setting.policy.name}-{digest(evaluator.setting, space, plan)}"
    study = _study(plan, name, sampler(space, plan), len(names))
    present = {knob.name: index for knob, index in zip(space.knobs, space.now, strict=True)}
    if size(space) > plan.trials:
        study.enqueue_trial(present, skip_if_exists=True)
    return Search(evaluator, plan, now, names, study)


def _study(plan: Plan, name: str, picks: BaseSampler, number: int) -> Study:
    """A study, or the one of that name in the storage. Raises LabError."""
    for attempt in range(_ATTEMPTS):
        try:
            return optuna.create_study(
                storage=_storage(plan.storage) if plan.storage else None,
                sampler=picks,
                study_name=name,
                directions=["minimize"] * number,
                load_if_exists=True,
            )
        except (sqlalchemy.exc.SQLAlchemyError, optuna.exceptions.StorageInternalError) as error:
            if attempt == _ATTEMPTS - 1 or not isinstance(error, _OF_OTHERS):
                raise refused(plan.storage, error) from error
        time.sleep(_PAUSE_S)
    raise AssertionError


def sampler(space: Space, plan: Plan) -> BaseSampler:
    """Returns the sampler that suits a search.

    Workers that share a storage differ in their seeds, else they would all try the same.
    """
    seed = None if plan.storage and not is_sqlite(plan.storage) else plan.seed
    if size(space) <= plan.trials:
        return GridSampler({knob.name: range(len(knob.values)) for knob in space.knobs}, seed)
    if plan.trials <= MOST_FOR_TPE:
        return TPESampler(multivariate=True, seed=seed)
    return NSGAIISampler(population_size=_POPULATION, seed=seed)


def digest(setting: Setting, space: Space, plan: Plan) -> str:
    """Returns a hash of all that trials of one study have to have in common."""
    parts = [
        setting.source.sha256,
        setting.place.digest,
        [(scene.digest, scene.seconds) for scene in setting.scenes],
        plan.seeds,
        [
            (knob.name, [knob.text(index) for index in range(len(knob.values))])
            for knob in space.knobs
        ],
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def is_sqlite(storage: str) -> bool:
    """Whether a storage is a file of SQLite."""
    return storage.startswith("sqlite:")


def url_of(storage: str) -> str:
    """Returns the address of a storage: a name without a scheme is a file of SQLite."""
    return storage if "://" in storage else f"sqlite:///{storage}"


def _storage(url: str) -> BaseStorage:
    """A storage in which a worker that was killed is noticed, and its trial tried again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # optuna calls this mechanism experimental
        return RDBStorage(
            url,
            engine_kwargs={} if is_sqlite(url) else {"pool_pre_ping": True},
            heartbeat_interval=None if is_sqlite(url) else _HEARTBEAT_S,
            grace_period=None if is_sqlite(url) else _GRACE_S,
            heartbeat_stale_trial_callback=RetryHeartbeatStaleTrialCallback(max_retry=3),
        )


def refused(url: str, error: Exception) -> LabError:
    """Returns an error that says what is wrong with a storage; its password is left out."""
    shown = sqlalchemy.engine.make_url(url).render_as_string() if "@" in url else url
    cause = error.__cause__ or error
    reason = str(getattr(cause, "orig", None) or cause).strip().splitlines()[0]
    return LabError(
        f"cannot use the storage {shown}: {reason}",
        "name a file, or a database such as postgresql+psycopg://user@host/name",
    )


def missing_driver(error: ImportError) -> LabError:
    """Returns the error for a database whose Python package is missing. optuna wraps the cause."""
    name = error.name or getattr(error.__cause__, "name", None) or "of its database"
    return LabError(
        f"the storage needs the Python package {name}",
        frame.pip_install("'gthulhuc[postgresql]'")
        if name == "psycopg"
        else "name a file, or a database of PostgreSQL: postgresql+psycopg://user@host/name",
    )


def _tried(trial: FrozenTrial) -> Tried:
    picked: Sequence[int] = trial.user_attrs[_CANDIDATE]
    return Tried(trial.number, tuple(picked), tuple(trial.values), trial.constraints)
