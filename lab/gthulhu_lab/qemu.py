# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Back end: plain QEMU and an initramfs with busybox and the given files."""

from __future__ import annotations

import functools
import lzma
import re
import shutil
import subprocess
import tarfile
from pathlib import Path, PurePosixPath

from gthulhu_lab import clock, debian, exact, processes, silence
from gthulhu_lab.errors import LabError
from gthulhu_lab.initramfs import Image
from gthulhu_lab.kernels import Kernel
from gthulhu_lab.modules import module_files
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import HOST, Clock, GuestRequest

QEMU = "qemu-system-x86_64"
# Older ones deliver the timer interrupts of idle CPUs up to 475 ms late on the deterministic clock,
# and with one thread per CPU crash guests while a scheduler is enabled.
MINIMUM_VERSION = (10, 0)
IMAGE = "initramfs.cpio"
_TAR = "results.tar"


@functools.cache
def version() -> str:
    """QEMU's version. Raises LabError if QEMU is missing or too old."""
    if shutil.which(QEMU) is None:
        raise LabError(
            f"{QEMU} is not on this machine",
            "apt: qemu-system-x86 (on Debian 12 from bookworm-backports)    "
            "dnf: qemu-system-x86-core    pacman: qemu-system-x86",
        )
    output = subprocess.run([QEMU, "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"version ((\d+)\.(\d+)[.\d]*)", output)
    if match is None:
        raise LabError(f"cannot read the version of {QEMU}: {output.strip()}")
    if (int(match[2]), int(match[3])) < MINIMUM_VERSION:
        raise LabError(
            f"{QEMU} {match[1]} is too old: its deterministic clock is not exact before 10.0",
            "On Debian 12: apt-get install -t bookworm-backports qemu-system-x86",
        )
    return match[1]


def run(request: GuestRequest, kernel: Kernel, job: Path) -> processes.Exit:
    """Boot the guest; results go to `job`/results, kernel messages to `job`/console.log."""
    version()
    image = job / IMAGE
    image.write_bytes(build_image(request, kernel))
    with (job / "qemu.log").open("wb") as log:
        outcome = processes.run_with_deadline(
            command_line(request, kernel, job),
            request.deadline_s,
            log,
            env=exact.environment(request),
            cwd=job,
            past_deadline=lambda: log.write(silence.ask(job).encode()),
        )
    unpack_results(job)
    return outcome


def build_image(request: GuestRequest, kernel: Kernel) -> bytes:
    """The initramfs: depends on the request's content and the kernel alone."""
    image = Image()
    for folder in ("dev", "proc", "sys", "tmp", "run", "root", "boot", "results", "etc", "var"):
        image.add_directory(folder)
    image.add_device("dev/console", 5, 1)
    image.add_bytes("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n")
    image.add_bytes("etc/group", b"root:x:0:\n")
    _add_busybox(image)
    if request.packages:
        debian.add_system(image, request.packages)
    image.add_bytes("init", (GUEST_SCRIPTS / "init.sh").read_bytes(), executable=True)
    image.add_host_file("lab/prepare.sh", GUEST_SCRIPTS / "prepare.sh")
    image.add_bytes("lab/script", request.script.encode())
    if kernel.config_path is not None:
        image.add_host_file("lab/config", kernel.config_path)
    _add_modules(image, request, kernel)
    for path, source in sorted(request.files.items()):
        place = path if path.startswith("/") else f"lab/{path}"
        if isinstance(source, bytes):
            image.add_bytes(place, source, executable="/bin/" in f"/{path}")
        else:
            image.add_host_file(place, Path(source))
    return image.to_bytes()


def image_options(job: Path) -> list[str]:
    """Options that give a guest its initramfs, and a port that its results come through."""
    return [
        "-initrd", str(job / IMAGE),
        "-device", "virtio-serial,id=lab", "-chardev", f"file,id=results,path={job / _TAR}",
        "-device", "virtserialport,bus=lab.0,chardev=results,name=gthulhu.results",
    ]  # fmt: skip


def kernel_parameters(request: GuestRequest) -> list[str]:
    """The kernel's command line of a guest that boots from an image: nothing of the host's."""
    parameters = ["console=ttyS0", "loglevel=5", "panic=-1", "oops=panic"]
    parameters += clock.kernel_options(request)
    if request.packages:
        parameters.append(f"rdinit={debian.INIT}")
    return parameters + request.cmdline.split()


def command_line(request: GuestRequest, kernel: Kernel, job: Path) -> list[str]:
    """QEMU's command line for a request."""
    return [
        QEMU, "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
        "-machine", "q35",
        *clock.accelerator_options(request.clock), *clock.cpu_options(request.clock),
        *_machine_options(request),
        *clock.qemu_options(request.clock, request.seed),
        "-kernel", str(kernel.boot_path), "-append", " ".join(kernel_parameters(request)),
        *image_options(job), *_network_options(request), *_console_options(request, job),
    ]  # fmt: skip


def _console_options(request: GuestRequest, job: Path) -> list[str]:
    # On the deterministic clock a silent guest falls silent again, and can be examined then. Its
    # machine is part of its figures, so it gets no monitor.
    if request.clock is Clock.ICOUNT:
        return ["-serial", f"file:{job / 'console.log'}"]
    return silence.options(job)


def _network_options(request: GuestRequest) -> list[str]:
    if not request.ports and not request.reaches:
        return []
    forwarded = [f"hostfwd=tcp:127.0.0.1:{ours}-:{its}" for ours, its in request.ports.items()]
    # A command for each connection: QEMU's other form has one connection for all.
    forwarded += [
        f"guestfwd=tcp:{HOST}:{its}-cmd:busybox nc 127.0.0.1 {ours}"
        for its, ours in request.reaches.items()
    ]
    network = ",".join(["user", "id=network", "restrict=on", *forwarded])
    return ["-netdev", network, "-device", "virtio-net-pci,netdev=network"]


def _machine_options(request: GuestRequest) -> list[str]:
    memory_option = ["-m", f"{request.memory_mib}M"]
    threads = "" if request.threads == 1 else f",threads={request.threads}"
    if request.nodes == 1:
        return ["-smp", f"{request.cpus}{threads}", *memory_option]
    options = ["-smp", f"{request.cpus},sockets={request.nodes}{threads}", *memory_option]
    each = request.cpus // request.nodes
    memory = request.memory_mib // request.nodes
    for node in range(request.nodes):
        cpus = f"{node * each}-{(node + 1) * each - 1}"
        options += ["-object", f"memory-backend-ram,id=ram{node},size={memory}M"]
        options += ["-numa", f"node,nodeid={node},cpus={cpus},memdev=ram{node}"]
    return options


def _add_busybox(image: Image) -> None:
    busybox = shutil.which("busybox")
    listing = busybox and subprocess.run(
        [busybox, "--list"], capture_output=True, text=True, check=True
    )
    if not busybox or not listing:
        raise LabError(
            "busybox is not on this machine",
            "apt: busybox-static    dnf: busybox    pacman: busybox",
        )
    image.add_host_file("bin/busybox", Path(busybox))
    for applet in sorted({*listing.stdout.split()} - {"busybox"}):
        image.add_symlink(f"bin/{applet}", "busybox")
    image.add_symlink("sbin", "bin")
    image.add_symlink("usr", ".")


def _add_modules(image: Image, request: GuestRequest, kernel: Kernel) -> None:
    names = []
    for number, file in enumerate(module_files(kernel, request.modules)):
        names.append(f"/lab/ko/{number:02}-{file.name.removesuffix('.xz')}")
        image.add_bytes(names[-1], _decompressed(file))
    image.add_bytes("lab/modules", "".join(f"{name}\n" for name in names).encode())


def _decompressed(file: Path) -> bytes:
    if file.suffix == ".xz":
        return lzma.decompress(file.read_bytes())
    return file.read_bytes()


def unpack_results(job: Path) -> None:
    """Unpack the regular files that arrived into `job`/results, also after a guest died midway.

    A guest's archive is not trusted: nothing is written outside the folder, links and devices are
    left out.
    """
    tar, folder = job / _TAR, job / "results"
    folder.mkdir()
    if not tar.exists() or tar.stat().st_size == 0:
        return
    try:
        with tarfile.open(tar) as archive:
            for member in archive:
                _unpack(archive, member, folder)
    except (tarfile.TarError, EOFError):
        pass


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write one regular file. By hand: Debian 12's Python has no extraction filter yet."""
    target = folder.joinpath(*PurePosixPath(member.name).parts)
    if not member.isreg() or ".." in target.parts or not target.is_relative_to(folder):
        return
    source = archive.extractfile(member)
    assert source is not None, "a regular file has content"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        shutil.copyfileobj(source, file)
