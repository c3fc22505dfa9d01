# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Back end: virtme-ng, on the host's own root file system (read-only) or on an initramfs."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from gthulhu_lab import clock, exact, processes, qemu
from gthulhu_lab.errors import LabError
from gthulhu_lab.kernels import Kernel
from gthulhu_lab.modules import module_files
from gthulhu_lab.paths import GUEST_SCRIPTS
from gthulhu_lab.request import Clock, GuestRequest

# Where the guest sees the job's folder. Every host has it, virtme-ng puts nothing over it, and it
# is the same in every run: the path is on the kernel's command line, and so part of the input.
_SHARED = "/mnt"


def run(request: GuestRequest, kernel: Kernel, job: Path) -> processes.Exit:
    """Boot on the host's root; results go to `job`/results, messages to `job`/console.log."""
    qemu.version()
    _lay_out(request, kernel, job)
    (job / "home").mkdir()
    command = command_line(request, kernel, [])
    # 9P, not virtio-fs: it needs no daemon beside QEMU, and no host has to offer one.
    command += ["--rwdir", f"{_SHARED}={job}"]
    command += ["--", "/bin/sh", f"{_SHARED}/lab/vng.sh", _SHARED]
    with (job / "console.log").open("wb") as log:
        return processes.run_with_deadline(
            command, request.deadline_s, log, env=_environment(job / "home"), cwd=Path("/")
        )


def run_image(request: GuestRequest, kernel: Kernel, job: Path) -> processes.Exit:
    """Boot virtme-ng's machine on an initramfs; on the clock icount this is exact.

    virtme-ng says what the machine is, and QEMU is run without it. The host's root is never
    mounted: there every run differs a little, as the host's disk takes its own time.
    """
    qemu.version()
    (job / qemu.IMAGE).write_bytes(qemu.build_image(request, kernel))
    with (job / "console.log").open("wb") as log:
        outcome = processes.run_with_deadline(
            [qemu.QEMU, *machine(request, kernel, job)],
            request.deadline_s,
            log,
            env=exact.environment(request),
        )
    qemu.unpack_results(job)
    return outcome


def machine(request: GuestRequest, kernel: Kernel, job: Path) -> list[str]:
    """QEMU's options for a guest that boots from an image in `job`, as virtme-ng prints them.

    But for the paths of `job` and `kernel` they are the same on every machine, for every user.
    Raises LabError.
    """
    # The kernel's command line is ours: virtme-ng's has the path of its own init, the user's name,
    # and limits of the host's kernel. No default devices: some have timers of the
    # host's clock. Modules are in the image.
    devices = ["-nodefaults", *qemu.image_options(job)]
    command = [*command_line(request, kernel, devices), "--skip-modules", "--dry-run", "true"]
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            command, env={**_environment(Path(folder)), "TMPDIR": folder}, cwd="/", input="",
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    if "-append" not in result.stdout:
        raise LabError(f"virtme-ng cannot say what its machine is:\n{result.stderr.strip()}")
    # virtme-ng has a file there for an exit status, which we do not ask for.
    status = rf"{re.escape(folder)}/virtme_ret\w+"
    options = shlex.split(re.sub(status, str(job / "status"), result.stdout))[1:]
    options[options.index("-kernel") + 1] = str(kernel.boot_path)
    options[options.index("-append") + 1] = " ".join(qemu.kernel_parameters(request))
    return options


def command_line(request: GuestRequest, kernel: Kernel, qemu_options: list[str]) -> list[str]:
    """virtme-ng's command line for a request, without what the guest is to run."""
    parameters = ["loglevel=5", "oops=panic", *clock.kernel_options(request)]
    parameters += request.cmdline.split()
    # The last model of a CPU counts.
    qemu_options = [
        *clock.cpu_options(request.clock),
        *clock.qemu_options(request.clock, request.seed),
        *qemu_options,
    ]
    if request.clock in (Clock.TCG, Clock.TCG_TURNS):
        qemu_options += clock.accelerator_options(request.clock)
    command = [
        str(_vng()), "--run", str(kernel.image_path), "--force-9p", "--verbose",
        "--cpus", str(request.cpus), "--memory", f"{request.memory_mib}M",
        f"--qemu-opts={shlex.join(qemu_options)}",
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


def _environment(home: Path) -> dict[str, str]:
    """Without the user's own settings: virtme-ng's configuration file overrides its options."""
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    # vng calls its siblings by name.
    path = f"{_vng().parent}:{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    return {**kept, "PATH": path, "HOME": str(home), "TERM": "dumb"}


def _vng() -> Path:
    # In an environment's folder of programs; in the Debian package, in one of its modules'.
    package = importlib.util.find_spec("virtme_ng")
    folders = [Path(sys.executable).parent]
    if package is not None and package.origin is not None:
        folders.append(Path(package.origin).parents[1] / "bin")
    for folder in folders:
        if (folder / "vng").exists():
            return folder / "vng"
    found = shutil.which("vng")
    if found is None:
        raise LabError("virtme-ng is not on this machine", "pip install virtme-ng==1.42")
    return Path(found)
