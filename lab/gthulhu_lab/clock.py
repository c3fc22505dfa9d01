# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""QEMU's options for each clock.

The deterministic clock counts instructions, of 2 ns each unless a request says 1. Its virtual CPUs
take turns on one thread, and a turn lasts until the next virtual timer. The metronome in exact.c is
a timer that ends every turn within 50 µs. Without it a turn is as long as a tick, and a wake-up on
an idle CPU seems to take milliseconds. While the kernel boots there is no metronome, and an
instruction takes 16 ns.

All CPUs share the clock's instructions, so each of eight busy CPUs is half as fast as each of four,
and a round of their turns takes twice as long. Where instructions of eight take 1 ns each, and
turns 25 µs, both are as with four.
"""

from __future__ import annotations

from gthulhu_lab import silence
from gthulhu_lab.request import INSTRUCTION_NS, Clock, GuestRequest

METRONOME_US = 50
FEW_CPUS = 4
# An instruction takes 1 << BOOT_SHIFT ns in the first BOOT_US. No kernel has booted before that
# (`vm.run` checks it).
BOOT_SHIFT = 4
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


def instruction_ns(cpus: int) -> int:
    """Returns the time of an instruction with which eight busy CPUs are as fast as FEW_CPUS.

    Five to seven are faster. 1 is the shortest, so more than eight are slower.
    """
    return INSTRUCTION_NS if cpus <= FEW_CPUS else 1


def constants(instruction_ns: int) -> dict[str, int]:
    """Returns the constants of exact.c; instructions take a power of two of ns."""
    return {
        "METRONOME_US": METRONOME_US * instruction_ns // INSTRUCTION_NS,
        "SHIFT": instruction_ns.bit_length() - 1,
        "BOOT_SHIFT": BOOT_SHIFT,
        "BOOT_US": BOOT_US,
    }


def describe(clock: Clock, instruction_ns: int = INSTRUCTION_NS) -> str:
    """Returns what a clock counts, for a table's conditions."""
    match clock:
        case Clock.ICOUNT:
            return f"deterministic (instructions counted, {instruction_ns} ns each)"
        case Clock.TCG:
            return "wall clock of an emulated guest"
        case Clock.TCG_TURNS:
            return "wall clock of an emulated guest, CPUs taking turns"
        case Clock.KVM:
            return "wall clock under KVM"


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
