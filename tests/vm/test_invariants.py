# SPDX-License-Identifier: Apache-2.0
"""The invariants hold on each kernel, and each test notices a scheduler that breaks one."""

from __future__ import annotations

import pytest

import timeline_checks as checks
from gthulhu_lab import timeline
from promises import MIGRATION, PROMISES, Promise
from scenes import Recording, Take, record
from timeline_checks import named

pytestmark = pytest.mark.vm

KERNELS = ("6.16", "6.18", "7.0", "7.2")
SCENES = {promise.scene.name: promise.scene for promise in PROMISES}

Recordings = dict[str, Recording]


@pytest.fixture(scope="module", params=KERNELS)
def recordings(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Recordings:
    """On each kernel all scenes are gone through."""
    takes = [Take(scene) for scene in SCENES.values()]
    return record(takes, tmp_path_factory.mktemp("scenes"), request.param)


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.invariant)
def test_invariant_holds(recordings: Recordings, promise: Promise) -> None:
    assert not promise.violations(recordings[promise.scene.name])


def test_every_scheduler_stays_in_force(recordings: Recordings) -> None:
    states = {name: recording.state for name, recording in recordings.items()}
    assert set(states.values()) == {"enabled"}, states


def test_the_scenes_are_what_the_invariants_are_about(recordings: Recordings) -> None:
    # An invariant that nothing could have broken has not been tested.
    boundaries, shares = recordings["boundaries"].timeline, recordings["shares"].timeline
    idle_us = sum(run.length_us for run in checks.idle(boundaries, 3))
    assert idle_us > boundaries.span.length_us / 10
    kthreads = checks.waits_of(shares, lambda task: timeline.percpu_kthread(task) is not None)
    assert len(kthreads) > 50
    assert (
        len(checks.idle_while_waiting(recordings[MIGRATION.name].timeline, named("free"), range(4)))
        > 50
    )


def test_never_stays_where_it_was_placed(recordings: Recordings) -> None:
    assert len(checks.cpus_used(recordings[MIGRATION.name].timeline, named("stay"))) == 1


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """All broken schedulers are gone through."""
    takes = [Take(promise.scene, promise.mutation) for promise in PROMISES]
    return record(takes, tmp_path_factory.mktemp("mutants"), "7.2")


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.invariant)
def test_mutation_violates_its_invariant(broken: Recordings, promise: Promise) -> None:
    assert promise.violations(broken[promise.mutation.name])
