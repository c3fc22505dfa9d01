# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels of the lab: which there are, how they are fetched, and those of the user."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import zstandard

from gthulhu_lab import apt, kernels, own_kernel, qemu, vmlinux
from gthulhu_lab.errors import LabError
from gthulhu_lab.kernels import Flavour
from gthulhu_lab.request import GuestRequest


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
    if "binary" in package.name:
        (boot / "vmlinuz").write_bytes(packed(b"a kernel"))
    else:
        (boot / "config").touch()


def packed(kernel: bytes) -> bytes:
    """An image as Debian has them: one sector after the first, and a frame without its size."""
    writer = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    frame = writer.compress(kernel) + writer.flush() + struct.pack("<I", len(kernel))
    image = bytearray(1024)
    image[0x1F1] = 1
    struct.pack_into("<II", image, 0x248, 0, len(frame))
    return bytes(image) + frame + b"more"


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
    assert first.boot_path.read_bytes() == b"a kernel"
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
    with pytest.raises(LabError, match=r"no longer offers kernel 7\.2 \(cloud-amd64\)"):
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


def test_only_what_zstd_packed_is_unpacked() -> None:
    with pytest.raises(ValueError, match="no kernel image"):
        vmlinux.unpack(b"")
    assert vmlinux.unpack(bytes(2048)) is None
    damaged = bytearray(packed(b"a kernel" * 1000))
    struct.pack_into("<I", damaged, 0x24C, 8)
    with pytest.raises(ValueError, match="a damaged kernel: it has no end"):
        vmlinux.unpack(bytes(damaged))
    damaged[1028:] = bytes(len(damaged) - 1028)
    with pytest.raises(ValueError, match="a damaged kernel"):
        vmlinux.unpack(bytes(damaged))


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
