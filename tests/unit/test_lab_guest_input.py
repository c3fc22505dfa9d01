# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The inputs of a guest: images byte for byte, command lines, modules."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

import clones
from gthulhu_lab import (
    debian,
    modules,
    qemu,
    vng,
)
from gthulhu_lab.errors import LabError
from gthulhu_lab.experiment import Variation
from gthulhu_lab.initramfs import Image, shared_libraries
from gthulhu_lab.kernels import Flavour, Kernel
from gthulhu_lab.measure import EEVDF, Scenario, ScenarioExperiment
from gthulhu_lab.picture import PictureExperiment
from gthulhu_lab.request import Clock, GuestRequest
from gthulhu_lab.verify import scene
from gthulhu_lab.wall import Setup, WallExperiment, WorkloadOptions
from verified import upf_scene


@pytest.fixture
def kernel(cache: Path) -> Kernel:
    made = Kernel(
        series="7.2",
        flavour=Flavour.CLOUD,
        release="7.2.13+deb14-cloud-amd64",
        suite="sid",
        packages={},
        image="vmlinuz",
        vmlinux=None,
        config="config",
        modules="modules",
    )
    folder = cache / "kernels" / made.release
    (folder / "modules").mkdir(parents=True)
    (folder / "vmlinuz").touch()
    (folder / "config").write_text("CONFIG_SCHED_CLASS_EXT=y\n")
    (folder / "modules" / "modules.dep").write_text(
        "kernel/gtp.ko.xz: kernel/udp_tunnel.ko.xz kernel/ip6_udp_tunnel.ko.xz\n"
        "kernel/udp_tunnel.ko.xz: kernel/ip6_udp_tunnel.ko.xz\n"
        "kernel/ip6_udp_tunnel.ko.xz:\n"
    )
    (folder / "modules" / "modules.builtin").write_text("kernel/net/virtio-console.ko\n")
    return made


def image_of(folder: Path) -> bytes:
    image = Image()
    for file in folder.iterdir():
        image.add_host_file(f"lab/{file.name}", file)
    return image.to_bytes()


def test_an_image_does_not_depend_on_times_order_or_place(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for folder, names in ((first, "xyz"), (second, "zyx")):
        folder.mkdir()
        for name in names:
            (folder / name).write_text(f"content of {name}")
    os.utime(second / "x", (1, 1))

    assert image_of(first) == image_of(second)


def test_an_image_depends_on_content_and_mode(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("a")
    before = image_of(tmp_path)
    file.write_text("b")
    changed = image_of(tmp_path)
    file.chmod(0o755)

    assert len({before, changed, image_of(tmp_path)}) == 3


def test_cpio_reads_an_image(tmp_path: Path) -> None:
    image = Image()
    image.add_bytes("/lab/bin/tool", b"#!/bin/sh\n", executable=True)
    image.add_symlink("sbin", "bin")
    image.add_device("dev/console", 5, 1)
    listing = subprocess.run(
        ["busybox", "cpio", "-tv"], input=image.to_bytes(), capture_output=True, check=True
    ).stdout.decode()

    lines = [line.split() for line in listing.splitlines()]
    modes = {line[-1] if line[-2] != "->" else line[-3]: line[0] for line in lines}
    assert modes == {
        "dev": "drwxr-xr-x",
        "dev/console": "crw-------",
        "lab": "drwxr-xr-x",
        "lab/bin": "drwxr-xr-x",
        "lab/bin/tool": "-rwxr-xr-x",
        "sbin": "lrwxrwxrwx",
    }
    subprocess.run(
        ["busybox", "cpio", "-id", "lab/bin/tool"], input=image.to_bytes(), cwd=tmp_path, check=True
    )
    assert (tmp_path / "lab/bin/tool").read_bytes() == b"#!/bin/sh\n"


def test_a_tree_keeps_its_links_and_modes(tmp_path: Path) -> None:
    tool = tmp_path / "usr" / "bin" / "tool"
    tool.parent.mkdir(parents=True)
    tool.write_bytes(b"tool")
    tool.chmod(0o755)
    (tmp_path / "sbin").symlink_to("usr/bin")
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "conf").write_text("x")
    made, expected = Image(), Image()
    made.add_tree(tmp_path, lambda path: path.removeprefix("usr/"))
    expected.add_directory("usr")
    expected.add_bytes("bin/tool", b"tool", executable=True)
    expected.add_symlink("sbin", "usr/bin")
    expected.add_bytes("etc/conf", b"x")
    assert made.to_bytes() == expected.to_bytes()


def test_programs_bring_their_libraries() -> None:
    names = [path.name for path in shared_libraries(Path(shutil.which("bash") or "/bin/bash"))]

    assert any(name.startswith("libc.so") for name in names)
    assert any(name.startswith("ld-linux") for name in names)


def test_libraries_of_libraries_are_included(tmp_path: Path) -> None:
    program = Path(os.path.realpath("/bin/sh"))
    library = tmp_path / "module.so"
    library.write_bytes(program.read_bytes())
    library.chmod(0o644)
    image = Image()
    image.add_host_file("/lib/module.so", library)

    content = image.to_bytes()
    assert all(str(path).lstrip("/").encode() in content for path in shared_libraries(program))


def test_a_guest_image_is_reproducible_and_has_all_files(kernel: Kernel) -> None:
    request = GuestRequest(script="true", files={"bin/tool": b"tool", "/opt/data": b"data"})
    first = qemu.build_image(request, kernel)

    assert first == qemu.build_image(request, kernel)
    assert first != qemu.build_image(replace(request, script="false"), kernel)
    for name in (b"lab/bin/tool", b"opt/data", b"lab/config", b"lab/script", b"bin/busybox"):
        assert name + b"\0" in first


def test_a_guest_with_packages_begins_with_systemd(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root" / "lib" / "systemd").mkdir(parents=True)
    (tmp_path / "root" / "lib" / "systemd" / "systemd").write_bytes(b"systemd")
    monkeypatch.setattr(debian, "root", lambda _packages, _left_out: tmp_path / "root")
    request = GuestRequest(script="true", packages=("podman",))
    image = qemu.build_image(request, kernel)
    for name in (b"lib/systemd/systemd", b"lab/systemd-init.sh", b"etc/systemd/system/lab.service"):
        assert name + b"\0" in image
    parameters = qemu.command_line(request, kernel, tmp_path)
    assert "rdinit=/lab/systemd-init.sh" in " ".join(parameters)


def test_sourced_scripts_are_included() -> None:
    scenario, built, pipe = Scenario(cpus=2), upf_scene(), Setup.parse("pipe")
    requests = [
        ScenarioExperiment(EEVDF, scenario).request(),
        PictureExperiment(ScenarioExperiment(EEVDF, scenario), built.policy).request(),
        WallExperiment(EEVDF, pipe, 0, WorkloadOptions([pipe], Clock.TCG, cpus=2)).request(),
        *(
            scene.request(
                built, EEVDF, Variation.number(0), is_policy=False, kernel="7.2", cpus=2,
                clock=Clock.ICOUNT, window_s=window_s,
            )
            for window_s in (2, None)
        ),
    ]  # fmt: skip
    for request in requests:
        sourced = set(re.findall(r'^\. "\$LAB/(.*)"$', request.script, re.MULTILINE))
        assert "scheduler.sh" in sourced
        assert sourced <= request.files.keys()


def test_the_deterministic_clock_has_its_options_and_seed(kernel: Kernel) -> None:
    command = qemu.command_line(GuestRequest(script="", seed=42, cpus=4), kernel, Path("/job"))

    assert command[command.index("-icount") + 1] == "shift=4,sleep=off"
    assert command[command.index("-seed") + 1] == "42"
    assert command[command.index("-smp") + 1] == "4"
    parameters = command[command.index("-append") + 1]
    assert "cryptomgr.notests tsc=nowatchdog nokaslr random.trust_cpu=off" in parameters


def test_cores_have_as_many_threads_as_asked(kernel: Kernel) -> None:
    for nodes, expected in ((1, "8,threads=2"), (2, "8,sockets=2,threads=2")):
        request = GuestRequest(script="", cpus=8, nodes=nodes, threads=2)
        command = qemu.command_line(request, kernel, Path("/job"))
        assert command[command.index("-smp") + 1] == expected


def test_a_guest_reaches_nothing_but_the_ports_that_it_is_given(kernel: Kernel) -> None:
    def network(request: GuestRequest) -> list[str]:
        command = qemu.command_line(request, kernel, Path("/job"))
        return [option for option in command if option.startswith("user,")]

    assert network(GuestRequest(script="")) == []
    assert network(GuestRequest(script="", reaches={443: 6443})) == [
        "user,id=network,restrict=on,guestfwd=tcp:10.0.2.100:443-cmd:busybox nc 127.0.0.1 6443"
    ]
    assert network(GuestRequest(script="", ports={8080: 80})) == [
        "user,id=network,restrict=on,hostfwd=tcp:127.0.0.1:8080-:80"
    ]


@pytest.mark.parametrize(
    ("clock", "accelerator"),
    [(Clock.TCG, "tcg,thread=multi"), (Clock.TCG_TURNS, "tcg,thread=single"), (Clock.KVM, "kvm")],
)
def test_wall_clocks_do_not_count_instructions(
    kernel: Kernel, clock: Clock, accelerator: str
) -> None:
    command = qemu.command_line(GuestRequest(script="", clock=clock), kernel, Path("/job"))

    assert command[command.index("-accel") + 1] == accelerator
    assert "-icount" not in command
    # It can be asked what it is doing when it falls silent.
    assert "-qmp" in command
    assert "sysrq_always_enabled" in command[command.index("-append") + 1]


def test_virtme_ng_never_takes_kvm_unless_asked(kernel: Kernel) -> None:
    exact = vng.command_line(GuestRequest(script=""), kernel, [])
    kvm = vng.command_line(GuestRequest(script="", clock=Clock.KVM), kernel, [])

    assert "--disable-kvm" in exact
    assert "--disable-kvm" not in kvm
    assert any("-icount shift=4,sleep=off" in option for option in exact)
    assert "--rw" not in exact


KEYS = """
from gthulhu_lab import results
from gthulhu_lab.request import Backend, GuestRequest
for backend in (Backend.INITRAMFS, Backend.VIRTME_IMAGE):
    print(results.key(GuestRequest(script="true", backend=backend)))
"""


def test_another_place_gives_a_guest_nothing_else(kernel: Kernel, tmp_path: Path) -> None:
    (tmp_path / "kernels" / "7.2-cloud-amd64.json").write_text(kernel.model_dump_json())

    def keys(clone: clones.Clone, **environment: str) -> list[str]:
        cache = clone.folder / ".cache"
        shutil.copytree(tmp_path / "kernels", cache / "kernels")
        return clone.run("python", "-c", KEYS, GTHULHU_CACHE=str(cache), **environment).split()

    with tempfile.TemporaryDirectory() as folder:
        short = keys(clones.make(Path(folder, "a"), "one"))
        long = keys(
            clones.make(Path(folder, "a-longer", "way", "down"), "another-host"),
            HOME="/nowhere", USER="somebody", TERM="xterm", LANG="C.UTF-8",
        )  # fmt: skip

    assert len(set(short)) == 2
    assert short == long


def test_modules_come_after_their_dependencies(kernel: Kernel) -> None:
    files = [file.name for file in modules.module_files(kernel, ["gtp", "virtio-console"])]

    assert files == ["ip6_udp_tunnel.ko.xz", "udp_tunnel.ko.xz", "gtp.ko.xz"]


def test_a_module_that_is_not_there_is_named(kernel: Kernel) -> None:
    with pytest.raises(LabError, match="no module gpt"):
        modules.module_files(kernel, ["gpt"])
