# SPDX-License-Identifier: Apache-2.0
"""`gthulhu import`: makes policies from the configurations of other tools."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhuc.cli import frame, shared
from gthulhuc.cli.commands import Commands, add_command
from gthulhuc.cli.shared import CommandError

if TYPE_CHECKING:
    from gthulhuc.importers.document import Document, Finding

_EPILOG = """\
examples:
  gthulhu import gthulhu config.json -o policy.gpl
  gthulhu import ananicy /etc/ananicy.d -o desktop.gpl
  gthulhu import layered layers.json -o policy.gpl
  gthulhu import systemd /etc/systemd/system -o policy.gpl
  gthulhu import system76 /usr/share/system76-scheduler -o desktop.gpl

Writes the policy to OUT or standard output, and reports what it could not translate to standard
error. The same input gives the same policy, and the policy always compiles.
"""
_GTHULHU = """\
Reads Gthulhu's strategies in all their forms: its configuration file, requests and responses of its
services, custom resources (YAML too), node policies, and lists of pids.

A policy cannot contain a pid: such a rule matches a label instead, and the import prints the
commands that label the processes.

examples:
  gthulhu import gthulhu config.json -o policy.gpl
  kubectl get ss -o yaml | gthulhu import gthulhu - -o policy.gpl

exit status: 0 done, 1 invalid parts were left out, 2 usage or an unreadable file
"""
_ANANICY = """\
Reads the .types, .cgroups and .rules files of a folder and its subfolders. Names with the same
settings become one list. An invalid line is reported and left out.

examples:
  gthulhu import ananicy /etc/ananicy.d -o desktop.gpl

exit status: 0 done, 1 invalid parts were left out, 2 usage or an unreadable folder
"""
_LAYERED = """\
Reads the layers of scx_layered's JSON. Each becomes a rule, in the order of the file, and the one
for all other tasks becomes `default`. The report says for each layer which keys are kept, which
are approximated, and which are lost, and why. A list of conditions with one that is lost takes no
task. Layers have no CPUs by load here: `util_range` and `cpus_range` are lost.

A policy cannot contain a pid: such a condition matches a label instead, and the import prints the
commands that label the processes.

examples:
  gthulhu import layered layers.json -o policy.gpl
  scx_layered --example layers.json && gthulhu import layered layers.json

exit status: 0 done, 1 invalid parts were left out, 2 usage or an unreadable file
"""
_SYSTEMD = """\
Reads CPUWeight=, CPUQuota=, Nice=, CPUAffinity= and AllowedCPUs= of the units in a folder, with the
drop-ins in it. CPUWeight= and CPUQuota= count through `cgroups`, and Nice= counts by itself.
CPUs become `cpus` in a rule for the unit.

examples:
  gthulhu import systemd /etc/systemd/system -o policy.gpl

exit status: 0 done, 1 invalid parts were left out, 2 usage or an unreadable folder
"""
_SYSTEM76 = """\
Reads system76-scheduler's KDL: config.kdl and process-scheduler/*.kdl of a folder, or files. The
programs of a profile become one list, and its conditions another rule. The profiles for the window
in front and for PipeWire's clients are lost. It needs the Python package kdl-py.

examples:
  gthulhu import system76 /usr/share/system76-scheduler -o desktop.gpl
  gthulhu import system76 /usr/share/system76-scheduler /etc/system76-scheduler

exit status: 0 done, 1 invalid parts were left out, 2 usage or an unreadable path
"""


def add(commands: Commands) -> None:
    """Adds the command and its subcommands."""
    parser = add_command(
        commands,
        "import",
        run,
        help="make a policy from the settings of another tool",
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
        help="the Gthulhu that the priorities were written for: since August 2026 (current; 0 "
        "sets a slice only), or v1.3.0 in kernel mode (0 runs before all) or user mode",
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
    layered = add_command(
        formats,
        "layered",
        run,
        help="scx_layered's layers, as JSON",
        description="Make a policy from scx_layered's layers.",
        epilog=_LAYERED,
    )
    layered.add_argument("file", metavar="FILE", help="JSON; - for standard input")
    systemd = add_command(
        formats,
        "systemd",
        run,
        help="a folder of systemd's unit files",
        description="Make a policy from what systemd's units say about the CPU.",
        epilog=_SYSTEMD,
    )
    systemd.add_argument("folder", metavar="FOLDER", help="as /etc/systemd/system")
    system76 = add_command(
        formats,
        "system76",
        run,
        help="system76-scheduler's profiles, as KDL",
        description="Make a policy from system76-scheduler's profiles.",
        epilog=_SYSTEM76,
    )
    system76.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a folder, as /etc/system76-scheduler, or a file; those of the system come last",
    )
    for part in (gthulhu, ananicy, layered, systemd, system76):
        part.add_argument(
            "-o", "--output", metavar="OUT", default=shared.STDIO, help="the output file"
        )


def run(options: argparse.Namespace) -> int:
    """Writes the policy and reports what could not be translated; returns the exit status.

    Raises CommandError.
    """
    from gthulhuc.importers.document import RefusedError

    try:
        return _import(options)
    except RefusedError as error:
        hint = "import a part of the settings"
        raise CommandError(f"the settings do not fit into a policy: {error}", hint) from error


def _import(options: argparse.Namespace) -> int:
    from gthulhuc.importers.document import Finding, settle, to_text

    importers = {
        "gthulhu": _gthulhu,
        "ananicy": _ananicy,
        "layered": _layered,
        "systemd": _systemd,
        "system76": _system76,
    }
    document, findings = importers[options.format](options)
    if document.is_empty:
        name = getattr(options, "folder", None) or getattr(options, "file", None)
        name = name or ", ".join(options.paths)
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

    _expect_folder(options.folder, "name a folder of rules, such as /etc/ananicy.d")
    return convert(options.folder, read_folder(options.folder))


def _layered(options: argparse.Namespace) -> tuple[Document, list[Finding]]:
    from gthulhuc.importers.layered import convert
    from gthulhuc.importers.reading import read_json

    name, data = shared.read_file(options.file)
    layers, broken = read_json(name, data)
    if broken:
        layers = []
    document, findings = convert(name, layers)
    return document, [*broken, *findings]


def _systemd(options: argparse.Namespace) -> tuple[Document, list[Finding]]:
    from gthulhuc.importers.systemd import convert
    from gthulhuc.importers.systemd_units import read_units

    _expect_folder(options.folder, "name a folder of units, such as /etc/systemd/system")
    try:
        units, broken = read_units(options.folder)
    except OSError as error:
        raise CommandError(f"cannot read {options.folder}: {error.strerror}") from error
    document, findings = convert(options.folder, units)
    return document, [*broken, *findings]


def _system76(options: argparse.Namespace) -> tuple[Document, list[Finding]]:
    try:
        from gthulhuc.importers.system76 import convert
        from gthulhuc.importers.system76_files import read_paths
    except ModuleNotFoundError as error:
        if error.name != "kdl":
            raise
        raise CommandError(
            "the Python package kdl-py is missing", frame.pip_install("'kdl-py>=1.2'")
        ) from error
    try:
        files = read_paths(options.paths)
    except OSError as error:
        raise CommandError(f"cannot read {error.filename}: {error.strerror}") from error
    return convert(options.paths[-1], files)


def _expect_folder(folder: str, hint: str) -> None:
    if not Path(folder).is_dir():
        raise CommandError(f"cannot read {folder}: it is not a folder", hint)


def _report(findings: list[Finding], document: Document) -> None:
    from gthulhuc.diagnostics.human import visible

    lines = [visible(line) for found in findings for line in str(found).split("\n")]
    names = sum(len(names.values) for names in document.sets)
    count = len(document.rules)
    said = f"{count} rule{'s' * (count != 1)}" + (f" for {names} names" if names else "")
    said += " and `default`" if document.default is not None else ""
    lines.append(f"imported: {said}")
    if document.commands:
        lines += ["label these processes while they run:"]
        lines += [f"  {command}" for command in document.commands]
    shared.err("".join(line + "\n" for line in lines))
