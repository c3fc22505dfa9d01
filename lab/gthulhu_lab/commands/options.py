# SPDX-License-Identifier: Apache-2.0
"""Options that commands of the lab share."""

from __future__ import annotations

import argparse

from gthulhuc.cli.commands import count

MOST_GUEST_CPUS = 255  # what QEMU's machine has room for


def guest_cpus(text: str) -> int:
    """A guest's number of CPUs, for argparse."""
    if (number := count(text)) <= MOST_GUEST_CPUS:
        return number
    raise argparse.ArgumentTypeError(f"a guest has at most {MOST_GUEST_CPUS} CPUs, found {text}")


def add_kernel_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose kernels; gthulhu_lab.kernels.choose() reads them."""
    group = parser.add_argument_group("kernels")
    group.add_argument(
        "--kernel",
        metavar="VERSION,..",
        help="kernels of the lab (6.16, 6.18, 7.0, 7.2; all), or host for the running one "
        "(default: 7.2)",
    )
    group.add_argument(
        "--kernel-image",
        metavar="FILE",
        help="your own kernel: a bzImage with sched_ext, BTF, virtio and initramfs built in",
    )
