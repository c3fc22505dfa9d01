# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The kernels that guests boot: a cache of Debian's with sched_ext, the host's own, any image.

A kernel goes by a name: a short version of the cache, `host`, or the path of an image. Those of the
cache are unpacked as Debian lays them out, below `kernels/RELEASE`; virtme-ng and depmod understand
that. Nothing is installed, nothing of the host's own kernels is touched.
"""

from __future__ import annotations

import lzma
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import apt, cache, own_kernel, vmlinux
from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import cache_dir

DEFAULT_KERNEL = "7.2"
HOST = "host"  # the name of the kernel that runs here
ALL = "all"  # of the series in which schedulers load

Progress = Callable[[str], None]


class Flavour(StrEnum):
    """Debian's builds of one version."""

    CLOUD = "cloud-amd64"  # small; all that an initramfs guest needs is built in
    GENERIC = "amd64"  # with 9P, which virtme-ng needs, and many more modules


@dataclass(frozen=True, slots=True)
class Choice:
    """A version that was tried, and the suite that had it."""

    suite: str
    version: str  # as in the package names: 7.2.13+deb14


@dataclass(frozen=True, slots=True)
class Series:
    """A kernel series: the tested versions, best first; then the newest that `suites` offer."""

    tried: tuple[Choice, ...]
    suites: tuple[str, ...]
    loads_schedulers: bool = True


# Suites move on: a tried version may be gone, then the newest of its series takes its place.
SERIES = {
    "6.16": Series((Choice("trixie-backports", "6.16.12+deb13"),), ("trixie-backports",)),
    "6.17": Series((Choice("trixie-backports", "6.17.13+deb13"),), ("trixie-backports",)),
    "6.18": Series((Choice("trixie-backports", "6.18.15+deb13"),), ("trixie-backports",)),
    "6.19": Series((Choice("trixie-backports", "6.19.14+deb13"),), ("trixie-backports",)),
    "7.0": Series((Choice("trixie-backports", "7.0.13+deb13"),), ("trixie-backports",)),
    # Its BTF is malformed (the kfuncs' hidden argument shows): no scheduler can load. A good test
    # of what the loader says about it.
    "7.1": Series(
        (Choice("trixie-backports", "7.1.13+deb13"),), ("trixie-backports",), loads_schedulers=False
    ),
    "7.2": Series((Choice("sid", "7.2.13+deb14"),), ("sid", "trixie-backports")),
}
# As 7.1.13: no scheduler loads. It never replaces a tested version.
MALFORMED_BTF = ("7.2.12+deb13",)

_VIRTME_MODULES = ("9p", "9pnet", "9pnet_virtio", "netfs", "overlay", "virtio_mmio")


class Kernel(BaseModel):
    """A kernel. In the cache paths are relative to `root`, which is not part of the record."""

    model_config = ConfigDict(frozen=True)

    series: str
    flavour: Flavour
    release: str  # what `uname -r` says in the guest
    suite: str
    packages: dict[str, str]  # name → file name with the full version
    image: str
    vmlinux: str | None  # the same, unpacked; not of the user's own
    config: str | None  # some versions are offered without
    modules: str | None

    @property
    def root(self) -> Path:
        return cache_dir() / "kernels" / self.release

    @property
    def image_path(self) -> Path:
        return self.root / self.image

    @property
    def boot_path(self) -> Path:
        """The kernel that QEMU starts."""
        return self.root / (self.vmlinux or self.image)

    @property
    def config_path(self) -> Path | None:
        return self.root / self.config if self.config else None

    @property
    def modules_path(self) -> Path | None:
        return self.root / self.modules if self.modules else None


def ensure(
    series: str = DEFAULT_KERNEL,
    flavour: Flavour = Flavour.CLOUD,
    progress: Progress = lambda _message: None,
) -> Kernel:
    """Return the kernel of a name; fetch one of the cache first if it is not there.

    Raises LabError for an unknown name, and when neither suite nor network has it.
    """
    if series == HOST or "/" in series:
        return _own(series, flavour)
    if series not in SERIES:
        raise LabError(f"no kernel {series} in the lab", f"There are: {', '.join(SERIES)}.")
    if kernel := cached(series, flavour):
        return kernel
    with cache.locked(cache_dir() / "kernels" / "all"):
        # Another process may have fetched it while this one waited.
        return cached(series, flavour) or _fetch(series, flavour, progress)


def choose(names: str | None = None, image: str | None = None) -> list[str]:
    """The names of what `--kernel A,B` and `--kernel-image FILE` ask for; by default one.

    Raises LabError for what cannot be booted. Nothing is fetched.
    """
    wanted = [name.strip() for name in names.split(",")] if names else []
    if wanted == [ALL]:
        wanted = [series for series, each in SERIES.items() if each.loads_schedulers]
    for name in wanted:
        if name == HOST:
            ensure(name)
        elif name not in SERIES:
            raise LabError(
                f"no kernel {name or 'without a name'} in the lab",
                f"There are: {', '.join([*SERIES, ALL, HOST])}; --kernel-image takes any other.",
            )
    if image is not None:
        wanted.append(str(Path(image).absolute()))
        ensure(wanted[-1])
    return list(dict.fromkeys(wanted)) or [DEFAULT_KERNEL]


def _own(name: str, flavour: Flavour) -> Kernel:
    """A kernel that is no part of the cache."""
    found = own_kernel.running() if name == HOST else own_kernel.read(Path(name))
    return Kernel(
        series=name,
        flavour=flavour,
        release=found.release,
        suite="",
        packages={},
        image=str(found.image),
        vmlinux=None,
        config=str(found.config) if found.config else None,
        modules=str(found.modules) if found.modules else None,
    )


def cached(series: str, flavour: Flavour) -> Kernel | None:
    """A kernel that is in the cache already, or None."""
    kernel = cache.load(_record(series, flavour), Kernel)
    return kernel if kernel and kernel.boot_path.exists() else None


def _record(series: str, flavour: Flavour) -> Path:
    return cache_dir() / "kernels" / f"{series}-{flavour}.json"


def _fetch(series: str, flavour: Flavour, progress: Progress) -> Kernel:
    choice, packages = _resolve(series, flavour, progress)
    release = f"{choice.version}-{flavour}"
    target = cache_dir() / "kernels" / release
    work = target.with_name(f".{release}.part")
    shutil.rmtree(work, ignore_errors=True)
    try:
        progress(f"kernel {series}: downloading {release}")
        files = _suite(choice.suite).download(sorted(packages), work / "debs")
        progress(f"kernel {series}: unpacking {release}")
        for file in files:
            apt.extract(file, work / "root")
        kernel = _describe(series, flavour, choice, files, work / "root")
        _index_modules(work / "root", kernel)
        shutil.rmtree(target, ignore_errors=True)
        (work / "root").rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    cache.store(_record(series, flavour), kernel)
    progress(f"kernel {series}: {release} is in the cache")
    return kernel


def _suite(name: str) -> apt.Suite:
    return apt.Suite(name, cache_dir() / "apt")


def _resolve(series: str, flavour: Flavour, progress: Progress) -> tuple[Choice, set[str]]:
    """The first tried version that its suite still has, else the newest of the series."""
    wanted = SERIES[series]
    offered: dict[str, set[str]] = {}
    for name in dict.fromkeys([*(choice.suite for choice in wanted.tried), *wanted.suites]):
        progress(f"kernel {series}: reading the package list of {name}")
        suite = _suite(name)
        suite.refresh()
        offered[name] = suite.packages(rf"^linux-(image|binary|modules|base)-{re.escape(series)}\.")
        for choice in wanted.tried:
            if choice.suite == name and (found := _packages(offered[name], choice, flavour)):
                return choice, found
    for name in wanted.suites:
        for version in newest_first(series, offered[name], flavour):
            choice = Choice(name, version)
            if found := _packages(offered[name], choice, flavour):
                return choice, found
    raise LabError(
        f"Debian no longer offers kernel {series} ({flavour})",
        "Its suites have moved on: take another series, or a cache that still has it.",
    )


def _packages(offered: set[str], choice: Choice, flavour: Flavour) -> set[str]:
    """Packages that make up a version: split since 6.19, one `linux-image` before."""
    release = f"{choice.version}-{flavour}"
    if f"linux-binary-{release}" in offered:
        return {
            name
            for part in ("binary", "modules", "base")
            if (name := f"linux-{part}-{release}") in offered
        }
    return {f"linux-image-{release}"} & offered


def newest_first(series: str, offered: set[str], flavour: Flavour) -> list[str]:
    """Versions of a series among package names, newest first, without those known as bad."""
    expression = re.compile(
        rf"linux-(?:image|binary)-({re.escape(series)}\.(\d+)\+\w+)-{re.escape(flavour)}"
    )
    matches = [match for name in offered if (match := expression.fullmatch(name))]
    versions = {match[1]: int(match[2]) for match in matches if match[1] not in MALFORMED_BTF}
    return sorted(versions, key=lambda version: versions[version], reverse=True)


def _describe(
    series: str, flavour: Flavour, choice: Choice, files: list[Path], root: Path
) -> Kernel:
    release = f"{choice.version}-{flavour}"
    modules, beside_vmlinuz, beside_config = (
        own_kernel.below(root, release, name) for name in ("kernel", "vmlinuz", "config")
    )
    folder = next((path.parent for path in modules if path.is_dir()), None)
    image = _first([root / f"boot/vmlinuz-{release}", *beside_vmlinuz], root)
    if image is None:
        raise LabError(f"Debian's packages of {release} have no kernel image where it should be")
    return Kernel(
        series=series,
        flavour=flavour,
        release=release,
        suite=choice.suite,
        packages={file.name.split("_")[0]: file.name for file in files},
        image=image,
        vmlinux=_unpack(root, image),
        config=_first([root / f"boot/config-{release}", *beside_config], root),
        modules=str(folder.relative_to(root)) if folder else None,
    )


def _first(paths: list[Path], root: Path) -> str | None:
    return next((str(path.relative_to(root)) for path in paths if path.exists()), None)


def _unpack(root: Path, image: str) -> str | None:
    """The path of the unpacked kernel; None if it is packed otherwise than Debian does it today."""
    try:
        kernel = vmlinux.unpack((root / image).read_bytes())
    except ValueError as error:
        raise LabError(f"Debian's {image}: {error}", "Try again: nothing was kept.") from error
    if kernel is None:
        return None
    unpacked = Path(image).with_name("vmlinux")
    (root / unpacked).write_bytes(kernel)
    return str(unpacked)


def _index_modules(root: Path, kernel: Kernel) -> None:
    """Let depmod index the modules. It looks below lib/, which may have to become a link."""
    if kernel.modules is None:
        return
    if not (root / "lib").exists():
        (root / "lib").symlink_to("usr/lib")
    depmod = shutil.which("depmod") or shutil.which("depmod", path="/usr/sbin:/sbin")
    if depmod is None:
        raise LabError("depmod is not on this machine", "apt, dnf, pacman: kmod")
    _decompress(root / kernel.modules)
    result = subprocess.run(
        [depmod, "-b", str(root), kernel.release], capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        raise LabError(f"depmod failed for {kernel.release}: {result.stderr.strip()}")


def _decompress(modules: Path) -> None:
    """Unpack what virtme-ng loads at boot: busybox's insmod cannot, and tries for seconds."""
    for file in modules.rglob("*.ko.xz"):
        if file.name.removesuffix(".ko.xz") in _VIRTME_MODULES:
            file.with_suffix("").write_bytes(lzma.decompress(file.read_bytes()))
            file.unlink()
