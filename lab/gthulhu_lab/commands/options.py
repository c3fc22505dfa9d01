# SPDX-License-Identifier: Apache-2.0
"""Options that commands of the lab share."""

from __future__ import annotations

import argparse

from gthulhuc.cli.commands import count

MOST_SECONDS = 60
"""The longest simulation."""
MOST_GUEST_CPUS = 255  # what QEMU's machine has room for


def guest_cpus(text: str) -> int:
    """A guest's number of CPUs, for argparse. Raises ArgumentTypeError."""
    if (number := count(text)) <= MOST_GUEST_CPUS:
        return number
    raise argparse.ArgumentTypeError(f"a guest has at most {MOST_GUEST_CPUS} CPUs, found {text}")


def simulated_seconds(text: str) -> float:
    """The time of a simulation in seconds, for argparse. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = 0
    if 0.01 <= value <= MOST_SECONDS:
        return value
    raise argparse.ArgumentTypeError(f"expected 0.01 to {MOST_SECONDS} seconds, found {text}")


def add_peers(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses peers; gthulhu_lab.peers.named() reads it."""
    parser.add_argument(
        "--peers",
        default="all",
        metavar="NAMES",
        help="peers that `gthulhu lab peers` has built, and folders that bring a scheduler "
        "(./mine), separated by commas; all (the default) or none",
    )


def add_seeds(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """Add the number of perturbed runs. Without a default, None says that it was not given."""
    text = "perturbed runs of each (default: 5)"
    parser.add_argument("--seeds", type=count, default=default, metavar="N", help=text)


def add_costs(parser: argparse.ArgumentParser) -> None:
    """Add the option that a simulation leaves costs out."""
    parser.add_argument(
        "--no-costs",
        action="store_true",
        help="let the work of the kernel and of the scheduler take no time, which is faster",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option that writes the figures."""
    parser.add_argument(
        "--json", metavar="OUT", help="write all figures as JSON; - for standard output"
    )


def add_running(parser: argparse.ArgumentParser, jobs: str) -> None:
    """Add the options for guests side by side, `jobs` being the help, and for kept results."""
    parser.add_argument("--jobs", type=count, metavar="N", help=jobs)
    parser.add_argument(
        "--no-cache", action="store_true", help="measure again instead of reusing kept results"
    )


def add_kernel_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose kernels; gthulhu_lab.kernels.choose() reads them."""
    group = parser.add_argument_group("kernels")
    group.add_argument(
        "--kernel",
        metavar="VERSION,..",
        help="kernels of the lab (6.16 to 6.19, 7.0, 7.2; all), or host for the running one "
        "(default: 7.2)",
    )
    group.add_argument(
        "--kernel-image",
        metavar="FILE",
        help="your own kernel: a bzImage with sched_ext, BTF, virtio and initramfs built in",
    )
