# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""QEMU's options for each clock.

The deterministic clock counts instructions, of 2 ns each. Its virtual CPUs take turns on one
thread, and a turn lasts until the next virtual timer. The metronome in exact.c is a timer that ends
every turn within 50 µs. Without it a turn is as long as a tick, and a wake-up on an idle CPU seems
to take milliseconds. While the kernel boots there is no metronome, and an instruction takes 16 ns.
"""

from __future__ import annotations

from gthulhu_lab import silence
from gthulhu_lab.request import Clock, GuestRequest

METRONOME_US = 50
# An instruction takes 1 << SHIFT ns, and 1 << BOOT_SHIFT in the first BOOT_US. No kernel has booted
# before that (`vm.run` checks it).
SHIFT, BOOT_SHIFT = 1, 4
BOOT_US = 12_000_000
# Without the string instructions that processors have made fast. QEMU takes a step for each byte of
# `rep stosb`, so a kernel that clears a page with it needs 4,096 steps, of 2 ns each on the
# deterministic clock; a kernel that finds it slow needs 512.
_EMULATED_CPU = "max,erms=off,fsrm=off,fsrs=off"
_ICOUNT = (
    "-icount", f"shift={BOOT_SHIFT},sleep=off",  # idle time is skipped, not slept
    "-rtc", "base=2026-01-01,clock=vm",  # the guest's date is part of the input
    # By default QEMU serves virtio queues from another thread, whenever the host runs that.
    "-global", "virtio-pci.ioeventfd=off",
)  # fmt: skip


def qemu_options(clock: Clock, seed: int) -> list[str]:
    """Options that set the clock and the seed of the guest's entropy; no accelerator."""
    options = ["-seed", str(seed)]
    return [*_ICOUNT, *options] if clock is Clock.ICOUNT else options


def accelerator_options(clock: Clock) -> list[str]:
    """Options that set the accelerator, for QEMU without virtme-ng."""
    if clock is Clock.KVM:
        return ["-accel", "kvm"]
    return ["-accel", f"tcg,thread={'multi' if clock is Clock.TCG else 'single'}"]


def cpu_options(clock: Clock) -> list[str]:
    """Options that set the model of the CPUs."""
    return ["-cpu", "host" if clock is Clock.KVM else _EMULATED_CPU]


def kernel_options(request: GuestRequest) -> list[str]:
    """Kernel parameters that keep chance out of a run."""
    parameters = [
        # Else the kernel tests its ciphers beside the script, each by a thread that takes a CPU for
        # up to some seconds.
        "cryptomgr.notests",
    ]
    if not request.clocksource_watchdog:
        # The watchdog of 7.2's clock sources may wait for another CPU with interrupts off, until
        # time is up by a clock that these very interrupts drive (as the kernel boots it is the
        # tick), and that CPU waits for the watchdog's lock: such a guest never boots.
        # `reliable` has none either. It is for guests with several sockets: the kernel takes their
        # TSCs to differ, and reads a slow timer instead.
        parameters.append("tsc=reliable" if request.nodes > 1 else "tsc=nowatchdog")
    if request.clock is Clock.ICOUNT:
        parameters += ["nokaslr", "random.trust_cpu=off"]
    else:
        parameters.append(silence.KERNEL_OPTION)
    return parameters
