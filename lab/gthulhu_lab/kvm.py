# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Does KVM really work here? Only a guest that ran can tell.

Under nested or para-virtual hosts /dev/kvm opens, and a guest then hangs for ever. So a tiny one is
run with a hard deadline, once per boot of the host; the verdict is kept in the cache.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from gthulhu_lab import cache, kernels, qemu
from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import cache_dir
from gthulhu_lab.request import Clock, GuestRequest

PROBE_DEADLINE_S = 10.0
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class KvmCheck(BaseModel):
    """The result of the probe; valid for one boot of the host and one QEMU."""

    model_config = ConfigDict(frozen=True)

    boot_id: str
    qemu: str
    works: bool


def works() -> bool:
    """Whether a guest can run under KVM; probed at most once per boot."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    file = cache_dir() / "kvm.json"
    boot_id = _BOOT_ID.read_text().strip()
    known = cache.load(file, KvmCheck)
    if known and (known.boot_id, known.qemu) == (boot_id, qemu.version()):
        return known.works
    verdict = KvmCheck(boot_id=boot_id, qemu=qemu.version(), works=probe())
    cache.store(file, verdict)
    return verdict.works


def probe() -> bool:
    """Run a guest that does nothing; True if it finished in time."""
    request = GuestRequest(
        script="exit 0", cpus=1, memory_mib=256, clock=Clock.KVM, deadline_s=PROBE_DEADLINE_S
    )
    try:
        kernel = kernels.ensure(request.kernel)
    except LabError:
        return False
    with tempfile.TemporaryDirectory(prefix="gthulhu-kvm-") as folder:
        qemu.run(request, kernel, Path(folder))
        return (Path(folder) / "results" / ".status").exists()
