# SPDX-License-Identifier: Apache-2.0
"""`gthulhu lab`: kernels, workloads and checks of the VM lab."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu_lab.commands.options import add_peers, add_running, add_seeds, guest_cpus
from gthulhu_lab.commands.run import in_lab
from gthulhuc.cli.commands import add_command, count

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

_EPILOG = """\
examples:
  gthulhu lab kernels                    lists fetched and available kernels
  gthulhu lab kernels fetch 6.18 7.2     fetches kernels into the lab's cache
  gthulhu lab workloads                  lists the workloads for `expect`
  gthulhu lab selftest                   checks this machine's QEMU for latencies
  gthulhu lab demo                       compares policies/upf.gpl with EEVDF, as `make demo`
  gthulhu lab user-plane                 measures a 5G user plane under load
  gthulhu lab peers                      builds the peers: other sched_ext schedulers

exit status: 0 success, 1 a guest failed, 2 usage or lab error
"""
_KERNELS = """\
The lab unpacks Debian's kernels below .cache or $GTHULHU_CACHE. It installs nothing.

examples:
  gthulhu lab kernels
  gthulhu lab kernels fetch all

exit status: 0 success, 2 usage, or a kernel is not available
"""
_FETCH = """\
examples:
  gthulhu lab kernels fetch              the default kernel
  gthulhu lab kernels fetch 6.18 7.2

exit status: 0 success, 2 usage, or a kernel is not available
"""
_WORKLOADS = """\
Lists the lab's own workloads, then those of ./workloads.toml (docs/lab.md).

examples:
  gthulhu lab workloads

exit status: 0 success, 2 usage
"""
_SELFTEST = """\
A real-time task on each CPU sleeps 7 ms a hundred times, beside two busy loops on the first CPU.
It wakes up late only if QEMU's clock is not exact. No latency measured here is valid then.

examples:
  gthulhu lab selftest

exit status: 0 the clock is exact, 1 the guest failed, 2 the clock is not exact, or QEMU is missing
"""
_DEMO = """\
Leaves build/demo/report.html and every sample in build/demo/result.json.

examples:
  gthulhu lab demo

exit status: 0 success, 1 a guest failed, 2 lab error
"""
_PEERS = """\
The lab builds them below .cache/peers. docs/benchmarks.md lists what the build needs.

examples:
  gthulhu lab peers                      builds all that are missing
  gthulhu lab peers scx_simple,scx_flash

exit status: 0 success, 2 usage, or a build failed
"""
_USER_PLANE = """\
UE, gNB, UPF and data network are network namespaces of one guest; the UPF is the kernel's GTP-U.
docs/lab.md describes the programs in it. The lab keeps runs on the deterministic clock, as `bench`
does.

examples:
  gthulhu lab user-plane                 policies/upf.gpl, EEVDF and the peers: hours of one core
  gthulhu lab user-plane --loads 4 --seeds 1 --peers none --hops
  gthulhu lab user-plane mine.gpl --clock tcg

exit status: 0 success, 1 a guest failed, 2 usage or lab error
"""


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "lab",
        in_lab("gthulhu_lab.cli", "list_kernels", boots=False),
        help="list the kernels, workloads and checks of the VM lab",
        description="Show and prepare the VM lab, in which `bench` and `verify` measure.",
        epilog=_EPILOG,
    )
    actions = parser.add_subparsers(metavar="WHAT", required=True)
    _add_kernels(actions)
    add_command(
        actions,
        "workloads",
        in_lab("gthulhu_lab.cli", "list_workloads", boots=False),
        help="list the workloads",
        description="List the workloads with what they model, their reports and parameters.",
        epilog=_WORKLOADS,
    )
    add_command(
        actions,
        "selftest",
        in_lab("gthulhu_lab.cli", "selftest"),
        help="check this machine's QEMU",
        description="Measure how late this machine's QEMU wakes tasks up, and try KVM.",
        epilog=_SELFTEST,
    )
    add_command(
        actions,
        "demo",
        in_lab("gthulhu_lab.cli", "demo"),
        help="compare policies/upf.gpl with EEVDF",
        description="Compare policies/upf.gpl with EEVDF, each in a VM.",
        epilog=_DEMO,
    )
    _add_user_plane(actions)
    peers = add_command(
        actions,
        "peers",
        in_lab("gthulhu_lab.cli", "build_peers"),
        help="build the peers: other sched_ext schedulers",
        description="Build the peers: released sched_ext schedulers to compare with.",
        epilog=_PEERS,
    )
    peers.add_argument(
        "names",
        nargs="?",
        default="all",
        metavar="NAMES",
        help="names separated by commas, or all (the default)",
    )


def _add_user_plane(actions: Commands) -> None:
    parser = add_command(
        actions,
        "user-plane",
        in_lab("gthulhu_lab.cli", "compare_user_planes"),
        help="measure a 5G user plane under load",
        description="Measure round trips, loss and throughput of a 5G user plane beside more and "
        "more busy loops, with policies, the kernel's own scheduler and others.",
        epilog=_USER_PLANE,
    )
    parser.add_argument(
        "policies", nargs="*", metavar="POLICY", help="files (default: policies/upf.gpl)"
    )
    add_peers(parser)
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a label of the user plane's processes, for policies that compare it; may be "
        "given again",
    )
    parser.add_argument(
        "--loads",
        type=_loads,
        default=(0, 1, 2, 4),
        metavar="N,..",
        help="busy loops, as multiples of the CPUs (default: 0,1,2,4)",
    )
    parser.add_argument(
        "--stress-ng", action="store_true", help="use stress-ng's busy loops, not the lab's own"
    )
    add_seeds(parser, 5)
    parser.add_argument(
        "--seconds", type=count, default=30, metavar="N", help="length of a run (default: 30)"
    )
    parser.add_argument(
        "--cpus", type=guest_cpus, default=4, metavar="N", help="CPUs of the guest (default: 4)"
    )
    parser.add_argument(
        "--kernel",
        metavar="VERSION",
        help="a kernel of the lab (6.16 to 6.19, 7.0, 7.2; default: 7.2)",
    )
    parser.add_argument(
        "--clock",
        choices=("icount", "kvm", "tcg"),
        default="icount",
        help="the deterministic clock (icount, the default), or a wall clock: KVM's or an "
        "emulated guest's",
    )
    parser.add_argument(
        "--hops", action="store_true", help="also show how long each thread waited for a CPU"
    )
    add_running(
        parser,
        "guests side by side on the deterministic clock (default: half of the machine's CPUs)",
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write every sample as JSON; - for standard output"
    )


def _loads(text: str) -> tuple[int, ...]:
    """Multiples of the CPUs, each once, ascending."""
    numbers = text.split(",")
    for number in numbers:
        if not (number.isascii() and number.isdecimal() and int(number) <= 100):
            raise argparse.ArgumentTypeError(
                f"invalid load {number!r}: expected a whole number from 0 to 100"
            )
    return tuple(sorted({int(number) for number in numbers}))


def _add_kernels(actions: Commands) -> None:
    kernels = add_command(
        actions,
        "kernels",
        in_lab("gthulhu_lab.cli", "list_kernels", boots=False),
        help="list the lab's kernels, or fetch some",
        description="List the kernels that guests of the lab can boot, or fetch some.",
        epilog=_KERNELS,
    )
    what = kernels.add_subparsers(metavar="fetch")
    fetch = add_command(
        what,
        "fetch",
        in_lab("gthulhu_lab.cli", "fetch_kernels"),
        help="put kernels into the cache",
        description="Put kernels into the lab's cache.",
        epilog=_FETCH,
    )
    fetch.add_argument(
        "series", nargs="*", metavar="VERSION", help="6.18, 7.2, ..; all; by default 7.2"
    )
    fetch.add_argument(
        "--flavour",
        choices=("cloud-amd64", "amd64"),
        default="cloud-amd64",
        help="cloud-amd64 (small, the default) or amd64 (for virtme-ng, with all modules)",
    )
