# SPDX-License-Identifier: Apache-2.0
"""Names that the machine resolves: groups of CPUs, preferred CPUs, users."""

from __future__ import annotations

from pathlib import Path

import pytest

import guest_loader
import guest_programs
from gthulhu_lab import vm
from guest_programs import ran_on, woke_on

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
KERNELS = ("6.16", "7.2")
REFUSED = {
    "node": "cpus node 7",
    "llc": "cpus 0, llc 9 prefer",
    "other": "cpus fast exclusive",
    "few": "cpus 3 of llc",
    "all": "cpus any 4 exclusive",
    "user": 'uid == "nobody-here"',
    "group": 'gid in [3, "none-here"]',
    # On this machine both are CPUs 2-3.
    "taken": 'cpus node 1 } rule owner { match comm == "y" cpus llc 1 exclusive',
    "twice": 'cpus node 1 exclusive } rule owner { match comm == "y" cpus llc 1 exclusive',
}

SCRIPT = """
start groups -v groups.bpf.o
await_line groups enabled
for name in on-node on-llc on-fast; do
    probe tally $name 3 200 >$RESULTS/$name
done
su worker -s /bin/sh -c 'probe tally of-crew 2 200' >$RESULTS/of-crew
probe tally of-crew 2 200 >$RESULTS/not-of-crew

probe wakes taker 40 >$RESULTS/while-idle
taskset -c 2 yes >/dev/null &
taskset -c 3 yes >/dev/null &
usleep 200000
probe wakes taker 40 >$RESULTS/while-taken
probe tally taker 1 800 >$RESULTS/once-free &
TALLY=$!
usleep 200000
killall yes
wait $TALLY
kill -TERM $LOADER
finish groups

for name in choices again; do
    start $name -v choices.bpf.o
    await_line $name enabled
    probe tally own 2 200 >$RESULTS/$name.own
    probe tally pair 3 200 >$RESULTS/$name.pair
    kill -TERM $LOADER
    finish $name
done

for object in node llc other few all user group taken twice; do
    attempt no-$object no-$object.bpf.o
done
"""


def refused(folder: Path, name: str, part: str) -> Path:
    actions = f'match comm == "x" {part}' if part.startswith("cpus") else f"match {part} weight 7"
    source = folder / f"no-{name}.gpl"
    source.write_text(f"policy p {{}}\nrule lost {{\n{actions}\n}}\n")
    return source


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path | bytes]:
    folder = tmp_path_factory.mktemp("groups")
    policies = [HERE / "policies" / f"{name}.gpl" for name in ("groups", "choices")]
    policies += [refused(folder, name, part) for name, part in REFUSED.items()]
    return {
        **guest_programs.build(folder, "probe"),
        "/etc/passwd": b"root:x:0:0::/root:/bin/sh\nworker:x:1234:77::/:/bin/sh\n",
        "/etc/group": b"root:x:0:\ncrew:x:77:\n",
        **guest_loader.objects(folder, *policies),
    }


@pytest.fixture(scope="module", params=KERNELS)
def guest(request: pytest.FixtureRequest, files: dict[str, Path | bytes]) -> vm.GuestResult:
    """Two sockets with two CPUs each, a memory node and a last-level cache to each socket."""
    return guest_loader.run(
        vm.GuestRequest(
            script=SCRIPT,
            kernel=request.param,
            cpus=4,
            nodes=2,
            files=files,
            deadline_s=600,
        )
    )


def test_groups_are_found_on_the_machine(guest: vm.GuestResult) -> None:
    assert ran_on(guest, "on-node").keys() == {2, 3}
    assert ran_on(guest, "on-llc").keys() == {0, 1}
    # All are equally fast.
    assert "rule `fast`: `fast` is CPU 0-3" in guest.files["groups.err"].decode()
    assert len(ran_on(guest, "on-fast")) >= 3


@pytest.mark.parametrize("name", ["choices", "again"])
def test_cpus_are_chosen_and_kept(guest: vm.GuestResult, name: str) -> None:
    """None is another rule's, as far as there are others; and each time the same."""
    said = guest.files[f"{name}.err"].decode()
    assert "rule `own`: `any 1` is CPU 3\n" in said
    assert "rule `pair`: `2 of node` is CPU 0-1\n" in said
    assert "rule `near`: `2 of llc` is CPU 0-1\n" in said
    assert ran_on(guest, f"{name}.own").keys() == {3}
    # All CPUs share one budget of instructions, so the probe may see gaps on one of them alone.
    assert set(ran_on(guest, f"{name}.pair")) in ({0}, {1}, {0, 1})


def test_users_and_groups_have_their_numbers(guest: vm.GuestResult) -> None:
    assert ran_on(guest, "of-crew").keys() == {1}
    assert ran_on(guest, "not-of-crew").keys() != {1}
    assert "user `worker` is 1234" in guest.files["groups.err"].decode()
    assert "group `crew` is 77" in guest.files["groups.err"].decode()


def test_preferred_cpus_while_one_is_idle_then_any(guest: vm.GuestResult) -> None:
    assert set(woke_on(guest, "while-idle")) <= {2, 3}
    # They are no boundary. How often it leaves them depends on whose turn it is there.
    assert {0, 1} & set(woke_on(guest, "while-taken"))


def test_a_task_that_runs_goes_to_a_preferred_cpu_that_falls_idle(guest: vm.GuestResult) -> None:
    runs = ran_on(guest, "once-free")
    on_preferred, elsewhere = (sum(runs.get(cpu, 0) for cpu in cpus) for cpus in ((2, 3), (0, 1)))
    assert on_preferred > elsewhere


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("node", "rule `lost` (no-node.gpl:3) names `node 7`; this machine has node 0-1"),
        ("llc", "rule `lost` (no-llc.gpl:2) names `llc 9`; this machine has llc 0-1"),
        ("other", "rule `lost` (no-other.gpl:3) takes the last CPU that is online"),
        (
            "few",
            "rule `lost` (no-few.gpl:3) asks for `3 of llc`; of the CPUs that are free, 0-3",
        ),
        ("all", "rule `lost` (no-all.gpl:3) takes the last CPU that is online"),
        ("user", "no-user.gpl:3: user `nobody-here` is not in /etc/passwd"),
        ("group", "no-group.gpl:3: group `none-here` is not in /etc/group"),
        ("taken", "rule `lost` (no-taken.gpl:3) needs CPU 2-3, which rule `owner` (line 3) has"),
        ("twice", "rule `lost` (no-twice.gpl:3) needs CPU 2-3, which rule `owner`"),
    ],
)
def test_missing_cpus_are_refused(guest: vm.GuestResult, name: str, reason: str) -> None:
    assert guest.files[f"no-{name}.status"] == b"1\n"
    assert reason in guest.files[f"no-{name}.err"].decode()
    assert "help: " in guest.files[f"no-{name}.err"].decode()
    assert guest.files[f"no-{name}.state"] == b"disabled\n"
