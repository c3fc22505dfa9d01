# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the actions of `gthulhu lab`; its options are in gthulhu_lab.commands.lab."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from gthulhu_lab import (
    catalogue,
    kernels,
    kvm,
    peer_builds,
    peers,
    qemu,
    subjects,
    tables,
    user_plane,
)
from gthulhu_lab import demo as upf_demo
from gthulhu_lab import selftest as self_test
from gthulhu_lab import user_plane_table as table
from gthulhu_lab.errors import LabError
from gthulhu_lab.kernels import Flavour
from gthulhu_lab.progress import Progress
from gthulhu_lab.request import Clock
from gthulhuc.cli import files, new


def list_kernels(_options: argparse.Namespace) -> int:
    """Print the fetched and the available kernels."""
    for series, wanted in kernels.SERIES.items():
        found = [
            kernel.release for flavour in Flavour if (kernel := kernels.cached(series, flavour))
        ]
        note = "" if wanted.loads_schedulers else "  (known bad: no scheduler loads)"
        default = "  (default)" if series == kernels.DEFAULT_KERNEL else ""
        print(f"{series:6}{', '.join(found) or 'not fetched'}{default}{note}")
    try:
        print(f"{kernels.HOST:6}{kernels.ensure(kernels.HOST).release}")
    except LabError as error:
        print(f"{kernels.HOST:6}no: {error.message}")
    return 0


def fetch_kernels(options: argparse.Namespace) -> int:
    """Fetch kernels into the cache."""
    wanted = options.series or [kernels.DEFAULT_KERNEL]
    with Progress(sys.stderr) as progress:
        for series in kernels.choose(",".join(wanted)):
            kernel = kernels.ensure(series, Flavour(options.flavour), progress.step)
            print(f"{series}: {kernel.image_path}")
    return 0


def list_workloads(_options: argparse.Namespace) -> int:
    """Print the workloads that `expect` can name in a policy of this folder."""
    for workload in catalogue.load(Path()).values():
        print(f"{workload.name:14}{workload.models}")
        details = [f"1x: {workload.unit} for each CPU"]
        if workload.reports:
            details.append(f"reports {' and '.join(workload.reports)}")
        if workload.exact:
            details.append(f"{' and '.join(workload.exact)} exact")
        if workload.clock is catalogue.Fit.WALL:
            details.append("wall clocks only")
        print(f"{'':14}({'; '.join(details)})")
        for name, parameter in workload.parameters.items():
            print(f"{'':16}{name} = {parameter.value}: {parameter.means}")
    return 0


def selftest(_options: argparse.Namespace) -> int:
    """Print how late this machine's QEMU wakes tasks up."""
    for cpu, lateness_ns in self_test.run().items():
        print(f"CPU {cpu}: at most {lateness_ns / 1000:.0f} µs late")
    kvm_verdict = "works" if kvm.works() else "does not work"
    print(f"deterministic clock: good (QEMU {qemu.version()}); KVM: {kvm_verdict} here")
    return 0


def demo(_options: argparse.Namespace) -> int:
    """Measure the shipped policy."""
    upf_demo.run()
    return 0


def build_peers(options: argparse.Namespace) -> int:
    """Build the peers."""
    wanted = peers.named(options.names)
    with Progress(sys.stderr) as progress:
        peer_builds.build(wanted, progress.step)
    for peer in wanted:
        print(peer.program)
    return 0


def _labels(given: list[str]) -> list[str]:
    for label in given:
        if not label.partition("=")[0] or "=" not in label:
            raise LabError(f"invalid label {label!r}", "Write KEY=VALUE, as for `gthulhu label`.")
    return given


def compare_user_planes(options: argparse.Namespace) -> int:
    """Measure the 5G user plane under each scheduler with each load; 1 if a guest failed."""
    if options.json is not None:
        files.check_output(options.json)
    policies = subjects.policy_files(options.policies or [new.shipped()["upf"]])
    (kernel,) = kernels.choose(options.kernel)
    found = user_plane.measure(
        user_plane.UserPlaneOptions(
            policies=policies,
            peers=peers.named(options.peers),
            loads=options.loads,
            labels=_labels(options.label),
            stress_ng=options.stress_ng,
            seeds=options.seeds,
            seconds=options.seconds,
            cpus=options.cpus,
            kernel=kernel,
            clock=Clock(options.clock),
            jobs=options.jobs or max(1, (os.cpu_count() or 1) // 2),
            use_cache=not options.no_cache,
        )
    )
    if options.json is not None:
        files.write_file(options.json, found.model_dump_json(indent=1).encode() + b"\n")
    if options.json != files.STDIO:
        table.show(found, tables.console_of_width(140), hops=options.hops)
    return 1 if found.failures else 0
