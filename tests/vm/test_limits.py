# SPDX-License-Identifier: Apache-2.0
"""Policies near the limits of the language: what `gthulhu check` accepts, every kernel accepts.

`make soak` draws 1,000. To have all kernels verify number N again:

    pytest --soak "tests/vm/test_limits.py::test_all_that_check_accepts[0]" --policies 1 \
        --first-seed N

The policies of a failure are in build/limits.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import limits
from extent import Extent, first_of
from gthulhu_lab import vm
from gthulhu_lab.request import Clock
from gthulhuc import checked, codegen, plan
from gthulhuc.frontend import check
from gthulhuc.source import Source
from scenes import ROOT

pytestmark = pytest.mark.vm

KEPT = ROOT / "build" / "limits"
KERNELS = ("6.16", "6.17", "6.18", "6.19", "7.0", "7.2")  # each has a verifier of its own
PARTS = 20
# The kernel verifies all programs of an object, and that is most of what loading it takes.
_VERIFY = """
for object in "$LAB"/*.bpf.o; do
	name=$(basename "$object" .bpf.o)
	gthulhu-loader --quiet --dry-run "$object" >"$RESULTS/$name.out" 2>&1
	echo $? >"$RESULTS/$name.status"
done
"""
_ENFORCE = """
for object in "$LAB"/*.bpf.o; do
	name=$(basename "$object" .bpf.o)
	gthulhu-loader --quiet "$object" >"$RESULTS/$name.out" 2>&1 &
	loader=$!
	until [ "$(cat /sys/kernel/sched_ext/state)" = enabled ]; do
		kill -0 $loader 2>/dev/null || break
		usleep 50000
	done
	kill $loader 2>/dev/null
	wait $loader
	echo $? >"$RESULTS/$name.status"
done
"""


@pytest.mark.parametrize("part", first_of(range(PARTS), 1))
def test_all_that_check_accepts(
    extent: Extent, pytestconfig: pytest.Config, tmp_path: Path, part: int
) -> None:
    first = pytestconfig.getoption("--first-seed") + part * extent.policies
    seeds = range(first, first + extent.policies)
    with ProcessPoolExecutor() as pool:
        built = dict(pool.map(_drawn, seeds, [tmp_path] * len(seeds)))
    found = {kernel: _refusals(kernel, _VERIFY, built) for kernel in _kernels(extent)}
    for name in {name for refused in found.values() for name in refused}:
        KEPT.mkdir(parents=True, exist_ok=True)
        shutil.copy(tmp_path / f"{name}.gpl", KEPT)
    assert not any(found.values()), found


def test_the_largest_in_force(extent: Extent, tmp_path: Path) -> None:
    built = {}
    for draw in (limits.many_patterns, limits.many_numbers, limits.many_cpus, limits.deepest):
        policy, _ = check(Source("large.gpl", draw()))
        assert policy is not None
        built[policy.name] = _compiled(policy, tmp_path)
    found = {kernel: _refusals(kernel, _ENFORCE, built) for kernel in _kernels(extent)}
    assert not any(found.values()), found


def _kernels(extent: Extent) -> tuple[str, ...]:
    return KERNELS if extent.is_soak else KERNELS[:1]


def _drawn(seed: int, folder: Path) -> tuple[str, Path]:
    text, policy = limits.draw(seed)
    (folder / f"{policy.name}.gpl").write_text(text)
    return policy.name, _compiled(policy, folder)


def _compiled(policy: checked.Policy, folder: Path) -> Path:
    path = folder / f"{policy.name}.bpf.o"
    path.write_bytes(codegen.compile_object(codegen.render(plan.build(policy))))
    return path


def _refusals(kernel: str, script: str, built: Mapping[str, Path]) -> dict[str, str]:
    """The objects that a kernel refuses, with the loader's messages."""
    request = vm.GuestRequest(
        script=script,
        kernel=kernel,
        files={
            "bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader",
            **{f"{name}.bpf.o": path for name, path in built.items()},
        },
        cpus=limits.CPUS,
        clock=Clock.TCG_TURNS,  # what the verifier says depends on no clock
        deadline_s=60 + 60 * len(built),
    )
    guest = vm.run(request).check()
    said = {name: guest.text(f"{name}.out") for name in built}
    return {name: said[name] for name in built if guest.text(f"{name}.status") != "0\n"}
