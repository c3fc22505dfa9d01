# SPDX-License-Identifier: Apache-2.0
"""Classes with `share`, as a whole: at least what is guaranteed, and at most what is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import group_guests
import guest_loader
import mutations
from extent import on_kernels
from gthulhu.loader import find_loader
from gthulhu_lab import subjects, vm
from gthulhu_lab.measure import Subject, policy_subject
from gthulhu_lab.request import Clock
from mutations import Mutation

pytestmark = pytest.mark.vm

POLICY = Path(__file__).parent / "policies" / "tenants.gpl"
KERNELS = on_kernels("6.16", "7.2")
CPUS = 4
MOST_APART = 0.02 * CPUS
SETTLE_MS, MEASURED_MS = 1500, 2000


@dataclass(frozen=True)
class Crowd:
    """Tasks of a class, and the share that they are to have together, in CPUs."""

    rule: str
    number: int
    fair: float
    bursts: str = "0 0"
    """How long each computes and sleeps, in us; `0 0`: it always computes."""
    cpus: str = "all"


SCENES: Mapping[str, Sequence[Crowd]] = {
    "two tenants beside many others": (
        Crowd("north", 2, 1.2), Crowd("south", 1, 1.0), Crowd("other", 16, 1.8),
    ),
    "the same with bursts": (
        Crowd("north", 6, 1.2, "20000 10000"), Crowd("south", 4, 1.2, "5000 2000"),
        Crowd("other", 16, 1.6),
    ),
    "one that wants little": (
        Crowd("north", 2, 0.2, "1000 9000"), Crowd("south", 3, 1.2), Crowd("other", 16, 2.6),
    ),
    "at most so much, though CPUs are idle": (Crowd("north", 8, 2.4), Crowd("capped", 3, 1.0)),
    "by weight where that is more": (
        Crowd("south", 8, 2.0), Crowd("north", 1, 1.0), Crowd("other", 4, 1.0),
    ),
    "two CPUs that others want, too": (
        Crowd("pair", 2, 1.0), Crowd("other", 10, 1.0, cpus="0,1"), Crowd("last", 6, 2.0),
    ),
}  # fmt: skip

Measured = Mapping[str, Mapping[str, float]]


def script(number: int, crowds: Sequence[Crowd]) -> str:
    """Lines of sh: a cgroup for each crowd, whose use $RESULTS/usage-N gets."""
    ms = SETTLE_MS + MEASURED_MS + 500
    lines = [f"TOP=/sys/fs/cgroup/scene-{number}", "make_group $TOP 100"]
    for crowd in crowds:
        command = f"crowd {crowd.rule} {crowd.number} {ms} {crowd.bursts} {crowd.cpus}"
        lines += [f"make_group $TOP/{crowd.rule} 100", f"in_group $TOP/{crowd.rule} {command}"]
        lines.append('running="$running $!"')
    folders = " ".join(f"$TOP/{crowd.rule}" for crowd in crowds)
    lines.append(f"usage {SETTLE_MS} {MEASURED_MS} $RESULTS/usage-{number} {folders}")
    lines += ["wait $running; running=", "remove_groups $TOP"]
    return "\n".join(lines)


def measure(subject: Subject, kernel: str, names: Sequence[str]) -> Measured:
    """Boots a guest, and returns the share of each crowd in each scene, in CPUs."""
    scripts = [script(number, SCENES[name]) for number, name in enumerate(names)]
    files = group_guests.run(subject, kernel, *scripts)
    return {
        name: shares(SCENES[name], files[f"usage-{number}"]) for number, name in enumerate(names)
    }


def shares(crowds: Sequence[Crowd], usage: bytes) -> dict[str, float]:
    length_us, *used_us = map(int, usage.split())
    return {crowd.rule: us / length_us for crowd, us in zip(crowds, used_us, strict=True)}


@pytest.fixture(scope="module", params=KERNELS)
def measured(request: pytest.FixtureRequest) -> Measured:
    """One guest per kernel goes through the scenes."""
    return measure(subjects.compiled("tenants", POLICY), request.param, [*SCENES])


@pytest.mark.parametrize("name", SCENES)
def test_classes_have_their_shares(measured: Measured, name: str) -> None:
    fair = {crowd.rule: crowd.fair for crowd in SCENES[name]}
    assert measured[name] == pytest.approx(fair, rel=0, abs=MOST_APART)


UNGUARANTEED = Mutation(
    "unguaranteed-shares", "lib/shares.bpf.h", "	s->low = s->part = s->used = low;",
    "	s->low = s->part = s->used = 0;",
)  # fmt: skip


def test_shares_without_guarantees_are_noticed(tmp_path: Path) -> None:
    broken = mutations.build(POLICY, tmp_path / "broken.bpf.o", UNGUARANTEED)
    subject = policy_subject("unguaranteed", broken, Path(find_loader({})))
    name = "two tenants beside many others"
    had = measure(subject, "7.2", [name])[name]
    assert had["north"] == pytest.approx(2 / 19 * CPUS, abs=MOST_APART)


GUARANTEED = POLICY.with_name("guaranteed.gpl")
CROWDED = GUARANTEED.with_name("crowded.gpl")
LOADS = """
limit() {
    mkdir -p "/sys/fs/cgroup$1"
    echo "$2" >"/sys/fs/cgroup$1/cpu.max"
}
echo +cpu >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/above
echo +cpu >/sys/fs/cgroup/above/cgroup.subtree_control
limit /tight "50000 100000"
limit /above "15000 50000"
limit /above/nested "200000 100000"
limit /pods "28000 100000"
limit /roomy "30000 100000"
limit /heirs "10000 100000"
for name in guaranteed unlimited crowded; do
    start $name $LAB/$name.bpf.o
    await_line $name enabled
    kill -TERM $LOADER
    finish $name
done
"""


def test_the_loader_warns_of_guarantees_that_cannot_hold(tmp_path: Path) -> None:
    unlimited = tmp_path / "guaranteed.gpl"
    unlimited.write_text(GUARANTEED.read_text().replace("cgroups on", "cgroups weight"))
    guest = vm.run(
        vm.GuestRequest(
            script=f"{guest_loader.FUNCTIONS}{LOADS}",
            clock=Clock.TCG_TURNS,
            files={
                **guest_loader.FILES,
                "guaranteed.bpf.o": mutations.build(GUARANTEED, tmp_path / "limited.bpf.o"),
                "unlimited.bpf.o": mutations.build(unlimited, tmp_path / "unlimited.bpf.o"),
                "crowded.bpf.o": mutations.build(CROWDED, tmp_path / "crowded.bpf.o"),
            },
            cpus=CPUS,
        )
    ).check()
    said = guest.files["guaranteed.out"].decode().splitlines()
    # Of three CPUs, as one is exclusive, but for `nested`, which may use two.
    assert [line.removeprefix("guaranteed: ") for line in said if "cpu.max" in line] == [
        f"{rule} guarantees its tasks {least} CPUs, but they have at most {most} by the cpu.max of "
        f"{cgroup}: raise that limit, or lower the `share`"
        for rule, least, most, cgroup in (
            ("rule `tight` (guaranteed.gpl:5)", 0.9, 0.5, "/tight"),
            ("rule `nested` (guaranteed.gpl:6)", 0.4, 0.3, "/above"),
            ("rule `pods` (guaranteed.gpl:7)", 0.3, 0.28, "/pods"),
        )
    ]
    # Limits that do not count are below nothing.
    assert b"cpu.max" not in guest.files["unlimited.out"] + guest.files["unlimited.err"]
    assert guest.files["unlimited.status"] == b"0\n"
    # A node is known only on the machine.
    assert b"on this machine" not in guest.files["guaranteed.out"]
    crowded = guest.files["crowded.out"].decode()
    assert crowded.count("on this machine") == 1
    assert (
        "crowded: rule `north` (crowded.gpl:4), rule `south` (crowded.gpl:5), rule `pair` "
        "(crowded.gpl:6) are guaranteed 5 CPUs, but on this machine they have only 4 (0-3): "
        "lower a `share`, or change `cpus`\n"
    ) in crowded
