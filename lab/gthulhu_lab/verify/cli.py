# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `gthulhu verify`; its options are in gthulhu_lab.commands.verify."""

from __future__ import annotations

import argparse
import sys

from gthulhu_lab import kernels
from gthulhu_lab.errors import LabError
from gthulhu_lab.subjects import PolicyError
from gthulhu_lab.verify import junit, plots, suite, table
from gthulhu_lab.verify.experiments import VerifyOptions
from gthulhu_lab.verify.verdict import Verification
from gthulhuc.cli import files, shared
from gthulhuc.diagnostics.human import PLAIN, palette_for


def run(options: argparse.Namespace) -> int:
    """Run the blocks and print the verdict on each claim; the exit status."""
    files.check_outputs((options.json, options.junit, options.svg))
    try:
        found = suite.verify(options.file, _options(options))
    except PolicyError as error:
        shared.show(error.diagnostics, options.file, options.color)
        return error.status
    _write(found, options)
    return shared.OK if found.holds else shared.FOUND_ERRORS


def _options(options: argparse.Namespace) -> VerifyOptions:
    return VerifyOptions(
        seeds=options.seeds,
        turns=options.turns,
        cpus=options.cpus,
        nodes=_nodes(options),
        kernels=kernels.choose(options.kernel, options.kernel_image),
        jobs=options.jobs or 1,
        use_cache=not options.no_cache,
        only=options.expect,
        beside=[name.strip() for name in options.beside.split(",")] if options.beside else (),
    )


def _nodes(options: argparse.Namespace) -> int:
    """The nodes of each guest. Raises LabError."""
    nodes: int = options.nodes
    if options.cpus % nodes:
        raise LabError(
            f"{options.cpus} CPUs are not {nodes} nodes of equal size",
            f"Pass --cpus with a multiple of {nodes}.",
        )
    return nodes


def _write(found: Verification, options: argparse.Namespace) -> None:
    if files.STDIO not in (options.json, options.junit, options.svg):
        colour = palette_for(sys.stdout, options.color) is not PLAIN
        shared.out(table.render(found, colour=colour))
    if options.json is not None:
        files.write_file(options.json, found.model_dump_json(indent=1).encode() + b"\n")
    if options.junit is not None:
        files.write_file(options.junit, junit.render(found).encode())
    if options.svg is not None:
        files.write_file(options.svg, plots.render(found).encode())
