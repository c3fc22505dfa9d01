# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The inputs of a guest: images byte for byte, command lines, kernels and modules."""

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
    apt,
    debian,
    kernels,
    modules,
    own_kernel,
    qemu,
    vng,
)
from gthulhu_lab.errors import LabError
from gthulhu_lab.experiment import Variation
from gthulhu_lab.initramfs import Image, shared_libraries
from gthulhu_lab.kernels import Flavour, Kernel
from gthulhu_lab.measure import EEVDF, Scenario, ScenarioTrial
from gthulhu_lab.picture import PictureTrial
from gthulhu_lab.request import Clock, GuestRequest
from gthulhu_lab.verify import scene
from gthulhu_lab.wall import Setup, WallTrial, WorkloadOptions
from verified import upf_scene


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def kernel(cache: Path) -> Kernel:
    made = Kernel(
        series="7.2",
        flavour=Flavour.CLOUD,
        release="7.2.13+deb14-cloud-amd64",
        suite="sid",
        packages={},
        image="vmlinuz",
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
        ScenarioTrial(EEVDF, scenario).request(),
        PictureTrial(ScenarioTrial(EEVDF, scenario), built.policy).request(),
        WallTrial(EEVDF, pipe, 0, WorkloadOptions([pipe], Clock.TCG, cpus=2)).request(),
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

    assert command[command.index("-icount") + 1] == "shift=1,sleep=off"
    assert command[command.index("-seed") + 1] == "42"
    assert command[command.index("-smp") + 1] == "4"
    parameters = command[command.index("-append") + 1]
    assert "cryptomgr.notests tsc=nowatchdog nokaslr random.trust_cpu=off" in parameters


def test_cores_have_as_many_threads_as_asked(kernel: Kernel) -> None:
    for nodes, expected in ((1, "8,threads=2"), (2, "8,sockets=2,threads=2")):
        request = GuestRequest(script="", cpus=8, nodes=nodes, threads=2)
        command = qemu.command_line(request, kernel, Path("/job"))
        assert command[command.index("-smp") + 1] == expected


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
    assert any("-icount shift=1,sleep=off" in option for option in exact)
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


def test_an_unknown_series_is_refused_with_those_there_are() -> None:
    series = r"6\.16, 6\.17, 6\.18, 6\.19, 7\.0, 7\.1, 7\.2"
    with pytest.raises(LabError, match=rf"no kernel 5\.4[\s\S]*{series}"):
        kernels.ensure("5.4")


def test_the_newest_of_a_series_is_taken_but_never_a_bad_one() -> None:
    offered = {
        f"linux-binary-{version}-cloud-amd64"
        for version in ("7.2.9+deb13", "7.2.11+deb13", "7.2.12+deb13", "7.20.1+deb13")
    } | {"linux-base-7.2.14+deb13-cloud-amd64", "linux-binary-7.2.15+deb13-amd64"}

    found = kernels.newest_first("7.2", offered, Flavour.CLOUD)

    assert found == ["7.2.11+deb13", "7.2.9+deb13"]


class FakeSuite:
    """A suite that offers a split kernel, and packs one with `dpkg-deb`'s result."""

    offered: tuple[str, ...] = ()
    downloads = 0

    def __init__(self, name: str, _state: Path) -> None:
        self.name = name

    def refresh(self) -> None:
        pass

    def packages(self, _pattern: str) -> set[str]:
        return set(self.offered) if self.name == "sid" else set()

    def download(self, packages: list[str], folder: Path) -> list[Path]:
        type(self).downloads += 1
        folder.mkdir(parents=True)
        files = [folder / f"{name}_1_amd64.deb" for name in packages]
        for file in files:
            file.touch()
        return files


def fake_extract(package: Path, folder: Path) -> None:
    release = "7.2.14+deb14-cloud-amd64"
    boot = folder / "usr/lib/modules" / release
    boot.mkdir(parents=True, exist_ok=True)
    (boot / ("vmlinuz" if "binary" in package.name else "config")).touch()


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[FakeSuite]:
    monkeypatch.setenv("GTHULHU_CACHE", str(tmp_path))
    monkeypatch.setattr(apt, "Suite", FakeSuite)
    monkeypatch.setattr(apt, "extract", fake_extract)
    monkeypatch.setattr(FakeSuite, "downloads", 0)
    monkeypatch.setattr(
        FakeSuite,
        "offered",
        ("linux-binary-7.2.14+deb14-cloud-amd64", "linux-base-7.2.14+deb14-cloud-amd64"),
    )
    return FakeSuite


def test_a_kernel_is_fetched_once_and_its_successor_is_good_enough(
    archive: type[FakeSuite],
) -> None:
    said: list[str] = []
    first = kernels.ensure("7.2", progress=said.append)
    second = kernels.ensure("7.2")

    assert first == second
    assert archive.downloads == 1
    assert first.release == "7.2.14+deb14-cloud-amd64"
    assert first.image_path.exists()
    assert first.config_path is not None
    assert first.config_path.exists()
    assert first.modules is None
    assert any("downloading 7.2.14" in message for message in said)


def test_a_fetch_that_breaks_leaves_nothing_that_looks_whole(
    archive: type[FakeSuite], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_package: Path, _folder: Path) -> None:
        raise LabError("disk full")

    monkeypatch.setattr(apt, "extract", broken)
    with pytest.raises(LabError, match="disk full"):
        kernels.ensure("7.2")

    assert archive.downloads == 1
    assert kernels.cached("7.2", Flavour.CLOUD) is None
    assert [path.name for path in (tmp_path / "kernels").iterdir()] == [".all.lock"]


def test_series_dropped_by_debian_is_reported(
    archive: type[FakeSuite], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "offered", ())
    with pytest.raises(LabError, match=r"no kernel 7\.2 \(cloud-amd64\) any more"):
        kernels.ensure("7.2")


def bzimage(release: str) -> bytes:
    """As much of one as says what it is."""
    image = bytearray(4096)
    image[0x202:0x206] = b"HdrS"
    image[0x20E:0x210] = (0x300).to_bytes(2, "little")
    version = f"{release} (me@here) #1 SMP\0".encode()
    image[0x500 : 0x500 + len(version)] = version
    return bytes(image)


def test_kernels_are_chosen_by_name(cache: Path) -> None:
    assert kernels.choose() == ["7.2"]
    assert kernels.choose("7.2, 6.18,7.2") == ["7.2", "6.18"]
    assert kernels.choose("all") == ["6.16", "6.17", "6.18", "6.19", "7.0", "7.2"]
    own = cache / "bzImage"
    own.write_bytes(bzimage("7.3.0-mine"))
    assert kernels.choose(None, str(own)) == [str(own)]
    assert kernels.choose("6.18", str(own)) == ["6.18", str(own)]

    with pytest.raises(LabError, match=r"no kernel 6\.15 in the lab\nThere are: 6\.16, .*, host"):
        kernels.choose("7.2,6.15")
    with pytest.raises(LabError, match="without a name"):
        kernels.choose("7.2,")


def test_the_release_of_a_users_image_is_read_from_it(tmp_path: Path) -> None:
    own = tmp_path / "boot" / "vmlinuz"
    own.parent.mkdir()
    own.write_bytes(bzimage("7.3.0-mine"))
    found = own_kernel.read(own, tmp_path)
    assert found == own_kernel.KernelImage(own, "7.3.0-mine", None, None)

    folder = tmp_path / "usr/lib/modules/7.3.0-mine"
    folder.mkdir(parents=True)
    (folder / "modules.dep").touch()
    (own.parent / "config-7.3.0-mine").touch()
    own_kernel.read.cache_clear()
    found = own_kernel.read(own, tmp_path)
    assert (found.modules, found.config) == (folder, own.parent / "config-7.3.0-mine")

    made = kernels.ensure(str(own))
    assert (made.release, made.image_path) == ("7.3.0-mine", own)
    assert str(own) in qemu.command_line(GuestRequest(script=""), made, tmp_path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\x7fELF", "is not a kernel image that QEMU can boot"),
        (b"\0" * 0x202 + b"HdrS" + b"\0" * 100, "has no version"),
        (None, "cannot read the kernel .*: No such file"),
    ],
)
def test_invalid_image_is_refused(content: bytes | None, complaint: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "image").write_bytes(content)
    with pytest.raises(LabError, match=complaint):
        kernels.choose(None, str(tmp_path / "image"))


def test_the_kernel_that_runs_here_is_taken_only_where_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.release", lambda: "7.3.0-mine")

    def running() -> own_kernel.KernelImage:
        own_kernel.running.cache_clear()
        own_kernel.read.cache_clear()
        return own_kernel.running(tmp_path)

    with pytest.raises(LabError, match=r"running kernel, 7\.3\.0-mine, has no sched_ext"):
        running()
    (tmp_path / "sys/kernel/sched_ext").mkdir(parents=True)
    with pytest.raises(
        LabError, match=r"no image of the running kernel, 7.3.0-mine\nLooked for: .*/boot/vmlinuz-7"
    ):
        running()
    folder = tmp_path / "lib/modules/7.3.0-mine"
    folder.mkdir(parents=True)
    (folder / "vmlinuz").write_bytes(bzimage("7.2.0-other"))
    with pytest.raises(LabError, match=r"vmlinuz is 7\.2\.0-other, but 7\.3\.0-mine is running"):
        running()
    (folder / "vmlinuz").write_bytes(bzimage("7.3.0-mine"))
    assert running().image == folder / "vmlinuz"
