# SPDX-License-Identifier: Apache-2.0
"""Each mutant is caught by a test that `make test` runs, and not only by one of `make soak`."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from promises import PROMISES

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
HOST = "unit/test_host_scheduler.py"
CELLS = "unit/test_host_cells.py"
GROUPS = "unit/test_host_groups.py"
LIMITS = "unit/test_host_limits.py"
SHARES = "unit/test_host_shares.py"
SWEEPS = "unit/test_host_sweeps.py"
ALL_DEFECTS = "vm/test_classes.py::test_every_defect_is_noticed"
CAUGHT_BY = {
    "promises.py": [
        *(
            f"vm/test_invariants.py::test_mutation_violates_its_invariant[{promise.invariant}]"
            for promise in PROMISES
        ),
        "vm/test_storms.py::test_a_lost_task_is_noticed",
    ],
    "vm/test_blame.py": ["vm/test_blame.py::test_the_reason_names_the_rule[7.2]"] * 2,
    "vm/test_cgroup_auto.py": [
        "vm/test_cgroup_auto.py::test_a_policy_stays_if_the_kernel_refuses_to_count_cgroups"
    ],
    "vm/test_cgroup_events.py": [
        "vm/test_cgroup_events.py::test_holder_that_is_set_aside_is_noticed"
    ],
    "vm/test_cgroup_weights.py": [
        "vm/test_cgroup_weights.py::test_groups_without_weights_are_noticed"
    ],
    "vm/test_shares.py": ["vm/test_shares.py::test_shares_without_guarantees_are_noticed"],
    "vm/test_failing_forks.py": ["vm/test_failing_forks.py::test_task_without_storage_would_gain"],
    "vm/test_promises.py": ["vm/test_promises.py::test_a_trial_that_fails_goes_back[ejected]"],
    "vm/test_classes.py": [ALL_DEFECTS] * 27,
    # The names of their tables are the cases of their tests.
    HOST: [],
    CELLS: [],
    GROUPS: [],
    LIMITS: [],
    SHARES: [],
    SWEEPS: [],
}
"""For each file with mutants, the tests that catch them: one for each mutant, in its order."""


def made_in(tree: ast.Module) -> int:
    """Returns how many mutants a module makes."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    names = Counter(getattr(call, "attr", getattr(call, "id", "")) for call in calls)
    return names["Mutation"]


def named_in_table(tree: ast.Module) -> Iterator[str]:
    """The names in a module's table MUTANTS."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "MUTANTS":
            assert isinstance(node.value, ast.Dict)
            yield from (ast.literal_eval(key) for key in node.value.keys if key)


def test_make_test_runs_what_catches_each_mutant() -> None:
    files = {test.partition("::")[0] for tests in CAUGHT_BY.values() for test in tests} | {
        HOST,
        CELLS,
        GROUPS,
        LIMITS,
        SHARES,
        SWEEPS,
    }
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--color=no"]
    command += [f"tests/{file}" for file in sorted(files)]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    run = {line.removeprefix("tests/") for line in listed.splitlines()}

    for path in sorted(TESTS.rglob("*.py")):
        tree = ast.parse(path.read_text())
        name = str(path.relative_to(TESTS))
        caught_by = [*CAUGHT_BY.get(name, [])]
        caught_by += [f"{name}::test_a_mutant_is_caught[{case}]" for case in named_in_table(tree)]
        made = made_in(tree) if name != "unit/test_mutations.py" else 0
        assert made == len(CAUGHT_BY.get(name, [])), f"{name}: say in CAUGHT_BY what catches each"
        assert not set(caught_by) - run, f"{name}: only `make soak` catches these"
        if name == HOST:
            assert len(caught_by) > 10
