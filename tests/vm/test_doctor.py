# SPDX-License-Identifier: Apache-2.0
"""The doctor's findings on real kernels, compared with the truth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import guest_loader
import guest_programs
import loader_objects
import mutations
from gthulhu_lab import vm
from gthulhu_lab.request import Clock

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
# doctor NAME ARGUMENT...: what the loader finds
DOCTOR = 'doctor() { look=$1; shift; step $look gthulhu-loader --doctor "$@"; }\n'


@dataclass(frozen=True)
class Findings:
    """The findings in a guest."""

    guest: vm.GuestResult
    name: str

    @property
    def status(self) -> int:
        return int(self.guest.files[f"{self.name}.status"])

    def __getitem__(self, check: str) -> list[str]:
        """Level, text and remedy of a finding."""
        lines = self.guest.files[f"{self.name}.out"].decode().splitlines()
        found = [line.split("\t") for line in lines]
        (finding,) = [finding for finding in found if finding[1] == check]
        return [finding[0], *finding[2:]]

    def errors(self) -> list[str]:
        lines = self.guest.files[f"{self.name}.out"].decode().splitlines()
        return [line.split("\t")[1] for line in lines if line.startswith("error")]


def run(
    folder: Path, script: str, *, kernel: str = "7.2", cmdline: str = "", cpus: int = 2
) -> vm.GuestResult:
    request = vm.GuestRequest(
        script=f"{guest_loader.FUNCTIONS}{DOCTOR}{script}",
        kernel=kernel,
        cmdline=cmdline,
        cpus=cpus,
        clock=Clock.TCG_TURNS,
        files={
            **guest_loader.FILES,
            "/etc/passwd": b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n",
            "fifo.bpf.o": loader_objects.build(folder / "fifo.bpf.o"),
            "ours.bpf.o": loader_objects.build(folder / "ours.bpf.o", "OURS"),
            "pin3.bpf.o": loader_objects.build(folder / "pin3.bpf.o", "PIN_CPU=3"),
            "limits.bpf.o": mutations.build(HERE / "policies" / "limits.gpl", folder / "l.bpf.o"),
            **guest_programs.build(folder, "without-member"),
            "new.bpf.o": loader_objects.build(folder / "new.bpf.o", "KERNEL_MIN=(99<<16)"),
        },
        deadline_s=300,
    )
    return vm.run(request).check()


SOUND = """
doctor sound fifo.bpf.o
doctor pin3 pin3.bpf.o
doctor new new.bpf.o
su nobody -s /bin/sh -c 'gthulhu-loader --doctor' >$RESULTS/nobody.out
echo $? >$RESULTS/nobody.status
for object in fifo ours; do
    start $object $object.bpf.o
    await_line $object enabled
    doctor beside-$object
    kill -TERM $LOADER
    finish $object
done
chmod 666 fifo.bpf.o
doctor open-object fifo.bpf.o
chmod 644 fifo.bpf.o
chmod 775 .
chgrp 7 .
doctor open-folder fifo.bpf.o
chmod 755 .
doctor limits limits.bpf.o
for member in cgroup_set_bandwidth cgroup_init; do
    without-member $member >/tmp/types
    mount --bind /tmp/types /sys/kernel/btf/vmlinux
    doctor without-$member limits.bpf.o
    doctor without-$member-fifo fifo.bpf.o
    umount /sys/kernel/btf/vmlinux
done
umount /sys/fs/cgroup
doctor old-cgroups
# Debian's kernel lets it be switched off; one that does not keeps its 1.
echo 0 >/proc/sys/net/core/bpf_jit_enable
doctor jit
attempt without-jit fifo.bpf.o
"""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> vm.GuestResult:
    return run(tmp_path_factory.mktemp("doctor"), SOUND)


def test_working_machine_passes(sound: vm.GuestResult) -> None:
    found = Findings(sound, "sound")
    assert (found.status, found.errors()) == (0, [])
    assert found["kernel"] == ["ok", f"{sound.environment.kernel}, with sched_ext"]
    assert found["types"] == ["ok", "the kernel's BTF describes sched_ext correctly"]
    assert found["cgroups"] == ["ok", "cgroup v2 is mounted on /sys/fs/cgroup"]
    assert found["object"][1] == "fifo.bpf.o: policy fifo of fifo.gpl fits this machine"


@pytest.mark.parametrize(
    ("name", "check", "text"),
    [
        ("pin3", "object", "needs CPU 3; this machine has 0-1 online"),
        ("new", "object", "needs kernel 99.0 or later"),
        ("nobody", "permission", "this process (uid 65534) may not use BPF"),
        ("beside-fifo", "scheduler", "another scheduler is active: fifo"),
        ("jit", "jit", "the kernel's BPF JIT compiler is disabled"),
    ],
)
def test_missing_requirement_is_an_error(
    sound: vm.GuestResult, name: str, check: str, text: str
) -> None:
    found = Findings(sound, name)
    assert found.status == 1
    assert found.errors() == [check]
    _, said, remedy = found[check]
    assert text in said
    assert remedy


def test_starting_the_policy_in_force_is_no_error(sound: vm.GuestResult) -> None:
    found = Findings(sound, "beside-ours")
    assert found.status == 0
    assert found["scheduler"][:2] == ["note", "gthulhu_fifo is in force"]


@pytest.mark.parametrize("name", ["open-object", "open-folder"])
def test_objects_writable_by_others_are_reported(sound: vm.GuestResult, name: str) -> None:
    with pytest.raises(ValueError, match="not enough values"):
        assert Findings(sound, "sound")["owner"]
    found = Findings(sound, name)
    assert found.status == 0
    assert found["owner"][0] == "warning"
    assert "fifo.bpf.o, or a folder above it: they control the machine" in found["owner"][1]


def limits(sound: vm.GuestResult, name: str) -> list[str]:
    lines = sound.files[f"{name}.out"].decode().splitlines()
    return [line.split("\t")[2] for line in lines if line.split("\t")[1] == "limits"]


def test_missing_reports_of_cgroups_are_found(sound: vm.GuestResult) -> None:
    counted = (
        "the policy keeps cpu.max itself: nr_throttled and throttled_usec in cpu.stat stay as "
        "they are"
    )
    late = "the kernel does not report changed limits; they apply within 100 ms"
    assert limits(sound, "limits") == [counted]
    assert limits(sound, "without-cgroup_set_bandwidth") == [late, counted]
    assert limits(sound, "without-cgroup_set_bandwidth-fifo") == []
    groupless = Findings(sound, "without-cgroup_init")
    assert groupless.errors() == ["object"]
    assert "does not report cgroups to schedulers" in groupless["object"][1]
    assert "CONFIG_EXT_GROUP_SCHED=y" in groupless["object"][2]
    assert Findings(sound, "without-cgroup_init-fifo").errors() == []


def test_without_cgroups_most_policies_can_run(sound: vm.GuestResult) -> None:
    found = Findings(sound, "old-cgroups")
    assert found.status == 0
    assert found["cgroups"][0] == "warning"


def test_without_the_compiler_nothing_can_be_loaded(sound: vm.GuestResult) -> None:
    assert sound.files["without-jit.status"] == b"1\n"


ISOLATED = "mount -t securityfs none /sys/kernel/security\ndoctor isolated\n"


def test_isolated_cpus_and_lockdown(tmp_path: Path) -> None:
    cmdline = "isolcpus=1 nohz_full=1 lockdown=confidentiality"
    found = Findings(run(tmp_path, ISOLATED, cmdline=cmdline), "isolated")
    assert found.status == 1
    assert found.errors() == ["permission", "cpus"]
    assert "locked down (confidentiality)" in found["permission"][1]
    assert found["cpus"][1].startswith("CPUs 1 are isolated")
    assert found["nohz"][1].startswith("CPUs 1 are nohz_full")


def test_malformed_types(tmp_path: Path) -> None:
    found = Findings(run(tmp_path, "doctor malformed", kernel="7.1"), "malformed")
    assert (found.status, found.errors()) == (1, ["types"])
    assert "exposes its hidden argument `aux`" in found["types"][1]
    assert found["types"][2].startswith("boot another kernel")


def test_an_older_kernel_is_sound(tmp_path: Path) -> None:
    found = Findings(run(tmp_path, "doctor sound fifo.bpf.o", kernel="6.16"), "sound")
    assert (found.status, found.errors()) == (0, [])
