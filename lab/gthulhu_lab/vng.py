# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Back end: virtme-ng, on the host's own root file system (read-only) or on an initramfs."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from gthulhu_lab import clock, processes, qemu
from gthulhu_lab.errors import LabError
from gthulhu_lab.kernels import Kernel
from gthulhu_lab.modules import module_files
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import Clock, GuestRequest

# Where the guest sees the job's folder. Every host has it, virtme-ng puts nothing over it, and it
# is the same in every run: the path is on the kernel's command line, and so part of the input.
_SHARED = "/mnt"


def run(request: GuestRequest, kernel: Kernel, job: Path) -> processes.Outcome:
    """Boot on the host's root; results go to `job`/results, messages to `job`/console.log."""
    _lay_out(request, kernel, job)
    # 9P, not virtio-fs: it needs no daemon beside QEMU, and no host has to offer one.
    options = ["--rwdir", f"{_SHARED}={job}"]
    return _boot(request, kernel, job, options, [], ["/bin/sh", f"{_SHARED}/lab/vng.sh", _SHARED])


def run_image(request: GuestRequest, kernel: Kernel, job: Path) -> processes.Outcome:
    """Boot on an initramfs, whose own init ends the guest before the host's root is looked for.

    On the host's root every run differs a little, as the host's disk takes its own time.
    """
    (job / qemu.IMAGE).write_bytes(qemu.build_image(request, kernel))
    # Modules are in the image; a path of this machine does not belong on the command line.
    options = ["--skip-modules"]
    # No devices that nobody asked for: some have timers of the host's clock.
    devices = ["-nodefaults", *qemu.image_options(job)]
    outcome = _boot(request, kernel, job, options, devices, ["true"])
    qemu.unpack_results(job)
    return outcome


def _boot(
    request: GuestRequest,
    kernel: Kernel,
    job: Path,
    options: list[str],
    qemu_options: list[str],
    guest_command: list[str],
) -> processes.Outcome:
    qemu.version()
    (job / "home").mkdir()
    command = [*command_line(request, kernel, qemu_options), *options, "--", *guest_command]
    with (job / "console.log").open("wb") as log:
        return processes.run_with_deadline(
            command, request.deadline_s, log, env=_environment(job), cwd=Path("/")
        )


def command_line(request: GuestRequest, kernel: Kernel, qemu_options: list[str]) -> list[str]:
    """virtme-ng's command line for a request, without what the guest is to run."""
    parameters = ["loglevel=5", "oops=panic", *clock.kernel_options(request)]
    parameters += request.cmdline.split()
    qemu_options = [*clock.qemu_options(request.clock, request.seed), *qemu_options]
    if request.clock in (Clock.TCG, Clock.TCG_TURNS):
        qemu_options += clock.accelerator_options(request.clock)[:2]
    command = [
        str(_vng()), "--run", str(kernel.image_path), "--force-9p", "--verbose",
        "--cpus", str(request.cpus), "--memory", f"{request.memory_mib}M",
        "--qemu-opts", " ".join(qemu_options),
    ]  # fmt: skip
    if request.clock is not Clock.KVM:
        command.append("--disable-kvm")
    for parameter in parameters:
        command += ["--append", parameter]
    return command


def _lay_out(request: GuestRequest, kernel: Kernel, job: Path) -> None:
    lab = job / "lab"
    for folder in (lab / "bin", job / "results"):
        folder.mkdir(parents=True)
    for script in ("prepare.sh", "vng.sh"):
        shutil.copyfile(GUEST_SCRIPTS / script, lab / script)
    (lab / "script").write_text(request.script)
    if kernel.config_path is not None:
        shutil.copyfile(kernel.config_path, lab / "config")
    modules = module_files(kernel, request.modules)
    (lab / "modules").write_text("".join(f"{file}\n" for file in modules))
    for path, source in request.files.items():
        if path.startswith("/"):
            raise LabError(f"{path}: files of a virtme-ng guest need a relative path")
        target = lab / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, bytes):
            target.write_bytes(source)
            target.chmod(0o755)
        elif Path(source).is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)


def _environment(job: Path) -> dict[str, str]:
    """Without the user's own settings: virtme-ng's configuration file overrides its options."""
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    # vng calls its siblings by name.
    path = f"{_vng().parent}:{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    return {**kept, "PATH": path, "HOME": str(job / "home"), "TERM": "dumb"}


def _vng() -> Path:
    beside = Path(sys.executable).with_name("vng")
    if beside.exists():
        return beside
    found = shutil.which("vng")
    if found is None:
        raise LabError("virtme-ng is not on this machine", "pip install virtme-ng==1.42")
    return Path(found)
