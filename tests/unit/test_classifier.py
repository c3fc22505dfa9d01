# SPDX-License-Identifier: Apache-2.0
"""The generated classifier, on the host and under sanitizers, agrees with the reference."""

from __future__ import annotations

import tempfile
from pathlib import Path
from unittest import mock

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gthulhuc import checked, reference
from gthulhuc.plan import decisions
from matching import HostClassifier
from random_policies import policies, tasks

POLICIES = 70
TASKS = 1500


@settings(
    max_examples=POLICIES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(policies(), st.integers(0, 1 << 32), st.booleans())
def test_the_classifier_agrees_with_the_reference(
    policy: checked.Policy, seed: int, is_graph: bool
) -> None:
    """As C and as a graph of steps."""
    most = 0 if is_graph else 1000
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.multiple(decisions, MOST_INLINE=most, MOST_INLINE_OF_ONE=most),
    ):
        classifier = HostClassifier(policy, Path(folder))
        some = tasks(seed, TASKS)
        expected = [verdict(policy, task) for task in some]
        for task, found, wanted in zip(some, classifier.verdicts(some), expected, strict=True):
            assert found == wanted, task


def verdict(policy: checked.Policy, task: reference.Task) -> tuple[str, list[str]]:
    found = reference.classify(policy, task)
    return found.name, [rule.name for rule in found.monitored]
