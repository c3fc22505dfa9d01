# SPDX-License-Identifier: Apache-2.0
"""Policies near the limits of the language: what `gthulhu check` accepts, every kernel accepts.

`pytest tests/vm/test_limits.py --policies 1 --first-seed N` runs number N again.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import limits
from extent import Extent
from gthulhu_lab import vm
from gthulhu_lab.request import Clock
from gthulhuc import checked, codegen, plan
from gthulhuc.frontend import check
from gthulhuc.source import Source
from scenes import ROOT

pytestmark = pytest.mark.vm

KERNELS = ("6.16", "6.17", "6.18", "6.19", "7.0", "7.2")  # each has a verifier of its own
PER_GUEST = 50
_LOAD = """
for object in "$LAB"/*.bpf.o; do
	name=$(basename "$object" .bpf.o)
	gthulhu-loader --quiet "$object" >"$RESULTS/$name.out" 2>&1 &
	loader=$!
	i=0
	until [ "$(cat /sys/kernel/sched_ext/state)" = enabled ]; do
		i=$((i + 1))
		[ $i -lt 2400 ] && kill -0 $loader 2>/dev/null || break
		usleep 50000
	done
	cat /sys/kernel/sched_ext/state >"$RESULTS/$name.state"
	kill $loader 2>/dev/null
	wait $loader
done
"""


@pytest.fixture(scope="module")
def built(
    extent: Extent, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """The objects of some policies, by their names."""
    first = pytestconfig.getoption("--first-seed")
    folder = tmp_path_factory.mktemp("limits")
    seeds = range(first, first + extent.policies * (20 if extent.is_soak else 1))
    with ProcessPoolExecutor() as pool:
        made = list(pool.map(_build, seeds, [folder] * len(seeds)))
    for text in (limits.many_patterns(), limits.many_numbers(), limits.deepest()):
        policy, _ = check(Source("large.gpl", text))
        assert policy is not None
        made.append(_compiled(policy, folder / f"{policy.name}.bpf.o"))
    return {path.name: path for path in made}


def _build(seed: int, folder: Path) -> Path:
    text, policy = limits.draw(seed)
    (folder / f"l{seed}.gpl").write_text(text)
    return _compiled(policy, folder / f"l{seed}.bpf.o")


def _compiled(policy: checked.Policy, path: Path) -> Path:
    path.write_bytes(codegen.compile_object(codegen.render(plan.build(policy))))
    return path


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_kernel_accepts_all_that_check_accepts(built: dict[str, Path], kernel: str) -> None:
    names = list(built)
    for first in range(0, len(names), PER_GUEST):
        part = {name: built[name] for name in names[first : first + PER_GUEST]}
        request = vm.GuestRequest(
            script=_LOAD,
            kernel=kernel,
            files={"bin/gthulhu-loader": ROOT / "runtime" / "gthulhu-loader", **part},
            cpus=1,
            clock=Clock.TCG_TURNS,  # what the verifier says depends on no clock
            deadline_s=60 + 60 * len(part),
        )
        guest = vm.run(request).check()
        for name in part:
            policy = name.removesuffix(".bpf.o")
            said = guest.files[f"{policy}.out"].decode()
            assert guest.files[f"{policy}.state"].decode().strip() == "enabled", f"{policy}: {said}"
