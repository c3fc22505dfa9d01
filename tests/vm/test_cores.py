# SPDX-License-Identifier: Apache-2.0
"""`exclusive core`: nobody else runs on the siblings of a rule's exclusive CPUs."""

from __future__ import annotations

from pathlib import Path

import pytest

import guest_loader
import guest_programs
from extent import on_kernels
from gthulhu_lab import vm
from guest_programs import ran_on

pytestmark = pytest.mark.vm

KERNELS = on_kernels("6.16", "7.2")
# Whose CPUs are exclusive, those of the others, and what each has of CPUs 0-3.
POLICIES = {
    "listed": ("1 exclusive core", "all", {1}, {2, 3}),
    "chosen": ("any 1 exclusive core", "all", {2}, {0, 1}),
    "both": ("2 of llc exclusive core", "all", {2, 3}, {0, 1}),
    "beside": ("any 1 exclusive core", "3 exclusive", {0}, {3}),
    "alone": ("1 exclusive", "all", {1}, {0, 2, 3}),
}
REFUSED = {
    "sibling": ("1 exclusive core", "0"),
    "taken": ("1 exclusive core", "0 exclusive"),
    "last": ("1, 2 exclusive core", "all"),
}

SCRIPT = """
for name in listed chosen both beside alone; do
    start $name -v $name.bpf.o
    await_line $name enabled
    probe tally other 6 1500 >$RESULTS/$name.other &
    usleep 100000
    probe tally own 2 1000 >$RESULTS/$name.own
    wait $!
    kill -TERM $LOADER
    finish $name
done
for name in sibling taken last; do
    attempt $name $name.bpf.o
done
"""


def written(folder: Path, name: str, own: str, other: str) -> Path:
    """A policy with the CPUs of two rules."""
    source = folder / f"{name}.gpl"
    source.write_text(
        f'policy p {{}}\nrule own {{ match comm == "own" cpus {own} }}\n'
        f'rule other {{ match comm == "other" cpus {other} }}\n'
    )
    return source


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path | bytes]:
    folder = tmp_path_factory.mktemp("cores")
    wanted = {**{name: row[:2] for name, row in POLICIES.items()}, **REFUSED}
    policies = [written(folder, name, *cpus) for name, cpus in wanted.items()]
    return {**guest_programs.build(folder, "probe"), **guest_loader.objects(folder, *policies)}


@pytest.fixture(scope="module", params=KERNELS)
def guest(request: pytest.FixtureRequest, files: dict[str, Path | bytes]) -> vm.GuestResult:
    """Two cores with two threads each, CPUs 0-1 and 2-3."""
    return guest_loader.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            cpus=4,
            threads=2,
            clock=vm.Clock.TCG_TURNS,
            files=files,
            deadline_s=600,
        )
    )


@pytest.mark.parametrize("name", POLICIES)
def test_others_never_run_on_the_core(guest: vm.GuestResult, name: str) -> None:
    _, _, own, other = POLICIES[name]
    for task, cpus in (("own", own), ("other", other)):
        assert ran_on(guest, f"{name}.{task}").keys() == cpus, task
    assert guest.files[f"{name}.status"] == b"0\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("sibling", "rule `other` (sibling.gpl:3) needs CPU 0, which rule `own` (line 2) keeps"),
        ("taken", "rule `other` (taken.gpl:3) needs CPU 0, which rule `own` (line 2) keeps"),
        ("last", "rule `own` (last.gpl:2) takes the last CPU that is online"),
    ],
)
def test_cores_that_others_need_are_refused(guest: vm.GuestResult, name: str, reason: str) -> None:
    assert reason in guest.files[f"{name}.err"].decode()
    assert "help: " in guest.files[f"{name}.err"].decode()
    assert guest.files[f"{name}.status"] == b"1\n"
