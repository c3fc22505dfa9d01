# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The lab's commands. Exit status: 0 well, 1 a run failed, 2 the lab cannot do it."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence

from gthulhu_lab import bench_cli, catalogue, kernels, kvm, processes, qemu, selftest
from gthulhu_lab.errors import GuestError, LabError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command of the lab and return its exit status."""
    options = _parser().parse_args(arguments)
    # As Ctrl-C: the guests are ended on the way out.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status: int = options.run(options)
    except LabError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except GuestError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        processes.end_all()
        print("interrupted", file=sys.stderr)
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m gthulhu_lab", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    kernel = commands.add_parser("kernels", help="list the lab's kernels, or fetch some")
    kernel.set_defaults(run=_list_kernels)
    actions = kernel.add_subparsers(metavar="fetch")
    fetch = actions.add_parser("fetch", help="put kernels into the cache")
    fetch.add_argument("series", nargs="*", metavar="VERSION", help="6.18, 7.2, …; default 7.2")
    fetch.add_argument(
        "--flavour",
        type=kernels.Flavour,
        choices=list(kernels.Flavour),
        default=kernels.Flavour.CLOUD,
        help="cloud-amd64 (small, the default) or amd64 (for virtme-ng, with all modules)",
    )
    fetch.set_defaults(run=_fetch_kernels)

    check = commands.add_parser("selftest", help="is this machine's QEMU good for latencies?")
    check.set_defaults(run=_selftest)

    listing = commands.add_parser("workloads", help="list what `expect` can name")
    listing.set_defaults(run=_list_workloads)

    demo_parser = commands.add_parser("demo", help="policies/upf.gpl against EEVDF, in two VMs")
    demo_parser.set_defaults(run=_demo)
    bench_cli.add_commands(commands)
    return parser


def _selftest(_options: argparse.Namespace) -> int:
    for cpu, lateness_ns in selftest.run().items():
        print(f"CPU {cpu}: at most {lateness_ns / 1000:.0f} µs late")
    kvm_verdict = "works" if kvm.works() else "does not work"
    print(f"deterministic clock: good (QEMU {qemu.version()}); KVM: {kvm_verdict} here")
    return 0


def _demo(_options: argparse.Namespace) -> int:
    # Here, not above: the other commands shall work without the compiler's packages.
    from gthulhu_lab import demo  # noqa: PLC0415

    demo.run()
    return 0


def _list_workloads(_options: argparse.Namespace) -> int:
    for workload in catalogue.load().values():
        print(f"{workload.name:14}{workload.models}")
        details = [f"1x: {workload.unit} for each CPU"]
        if workload.reports:
            details.append(f"reports {' and '.join(workload.reports)}")
        if workload.clock is catalogue.Fit.WALL:
            details.append("wall clocks only")
        print(f"{'':14}({'; '.join(details)})")
        for name, parameter in workload.parameters.items():
            print(f"{'':16}{name} = {parameter.value}: {parameter.means}")
    return 0


def _list_kernels(_options: argparse.Namespace) -> int:
    for series, wanted in kernels.SERIES.items():
        found = [
            kernel.release
            for flavour in kernels.Flavour
            if (kernel := kernels.cached(series, flavour))
        ]
        note = "" if wanted.loads_schedulers else "  (known bad: no scheduler loads)"
        default = "  (default)" if series == kernels.DEFAULT_KERNEL else ""
        print(f"{series:6}{', '.join(found) or 'not in the cache'}{default}{note}")
    return 0


def _fetch_kernels(options: argparse.Namespace) -> int:
    for series in options.series or [kernels.DEFAULT_KERNEL]:
        kernel = kernels.ensure(series, options.flavour, progress=_say)
        print(f"{series}: {kernel.image_path}")
    return 0


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
