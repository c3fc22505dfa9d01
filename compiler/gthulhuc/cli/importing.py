# SPDX-License-Identifier: Apache-2.0
"""`gthulhu import`: policies out of the configurations of others."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhuc.cli import shared
from gthulhuc.cli.commands import Commands, add_command
from gthulhuc.cli.shared import CommandError

if TYPE_CHECKING:
    from gthulhuc.importers.document import Document, Finding

_EPILOG = """\
examples:
  gthulhu import gthulhu config.json -o policy.gpl
  gthulhu import ananicy /etc/ananicy.d -o desktop.gpl

The policy goes to OUT or standard output, what got lost on the way to standard error. The same
input gives the same policy, and what is written compiles.
"""
_GTHULHU = """\
Takes Gthulhu's strategies in every shape: its configuration file, requests and answers of its
services, custom resources (YAML too), node policies, and lists of pids.

A pid is no part of a policy: such a rule matches a label instead, and the commands that give the
processes that label are printed.

examples:
  gthulhu import gthulhu config.json -o policy.gpl
  kubectl get ss -o yaml | gthulhu import gthulhu - -o policy.gpl

exit status: 0 done, 1 something was broken and is left out, 2 usage or an unreadable file
"""
_ANANICY = """\
Takes the .types, .cgroups and .rules files of a folder and all below. All names that get the same
become one list. A line that is broken is reported, and the rest is taken all the same.

examples:
  gthulhu import ananicy /etc/ananicy.d -o desktop.gpl

exit status: 0 done, 1 something was broken and is left out, 2 usage or an unreadable folder
"""


def add(commands: Commands) -> None:
    """Adds the command and its own commands."""
    parser = add_command(
        commands,
        "import",
        run,
        help="make a policy from Gthulhu's strategies or ananicy's rules",
        description="Make a policy from another tool's configuration.",
        epilog=_EPILOG,
    )
    formats = parser.add_subparsers(dest="format", metavar="FORMAT", required=True)
    gthulhu = add_command(
        formats,
        "gthulhu",
        run,
        help="Gthulhu's strategies, as JSON or YAML",
        description="Make a policy from Gthulhu's strategies.",
        epilog=_GTHULHU,
    )
    gthulhu.add_argument("file", metavar="FILE", help="JSON or YAML; - for standard input")
    gthulhu.add_argument(
        "--semantics",
        choices=("current", "kernel", "user"),
        default="current",
        help="which Gthulhu the priorities were written for: since August 2026 (current, where 0 "
        "asks for a slice alone), or v1.3.0 in kernel mode (0 goes before all) or user mode",
    )
    ananicy = add_command(
        formats,
        "ananicy",
        run,
        help="a folder of ananicy's rules",
        description="Make a policy from ananicy's rules.",
        epilog=_ANANICY,
    )
    ananicy.add_argument("folder", metavar="FOLDER", help="as /etc/ananicy.d")
    for part in (gthulhu, ananicy):
        part.add_argument(
            "-o", "--output", metavar="OUT", default=shared.STDIO, help="where to write"
        )


def run(options: argparse.Namespace) -> int:
    """Writes the policy and reports what got lost."""
    from gthulhuc.importers.document import Finding, settle, to_text

    name = options.file if options.format == "gthulhu" else options.folder
    document, findings = _gthulhu(options) if options.format == "gthulhu" else _ananicy(options)
    if not document.rules:
        _report([*findings, Finding(name, "there is nothing to import", is_error=True)], document)
        return shared.FOUND_ERRORS
    document, refused = settle(document)
    findings += refused
    shared.write_file(options.output, to_text(document).encode())
    _report(findings, document)
    return shared.FOUND_ERRORS if any(found.is_error for found in findings) else shared.OK


def _gthulhu(options: argparse.Namespace) -> tuple[Document, list[Finding]]:
    from gthulhuc.importers.gthulhu import Semantics, convert
    from gthulhuc.importers.reading import read_documents

    name, data = shared.read_file(options.file)
    documents, broken = read_documents(name, data)
    document, findings = convert(name, documents, Semantics(options.semantics))
    return document, [*broken, *findings]


def _ananicy(options: argparse.Namespace) -> tuple[Document, list[Finding]]:
    from gthulhuc.importers.ananicy import convert
    from gthulhuc.importers.ananicy_files import read_folder

    if not Path(options.folder).is_dir():
        raise CommandError(f"cannot read {options.folder}: not a folder")
    return convert(options.folder, read_folder(options.folder))


def _report(findings: list[Finding], document: Document) -> None:
    from gthulhuc.diagnostics.human import visible

    lines = [visible(line) for found in findings for line in str(found).split("\n")]
    names = sum(len(names.values) for names in document.sets)
    count = len(document.rules)
    said = f"{count} rule{'s' * (count != 1)}" + (f" for {names} names" if names else "")
    lines.append(f"imported: {said}")
    if document.commands:
        lines += ["while these processes run, give them their label:"]
        lines += [f"  {command}" for command in document.commands]
    shared.err("".join(line + "\n" for line in lines))
