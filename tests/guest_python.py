# SPDX-License-Identifier: Apache-2.0
"""The command lines in a guest: Python, and only the modules that they import."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from command import PYTHONPATH, SOURCES
from gthulhuc.codegen.clang import compile_object, find_clang
from gthulhuc.codegen.render import TEMPLATES

# The folder of all modules in a guest. The guest has its own /tmp, where a checkout may be.
FOLDER = Path("/opt/gthulhu")
_OTHERS = Path(sysconfig.get_path("purelib"))

# Imports of the commands for a running loader and of the tests' scripts.
_PROBE = """
import hashlib, importlib.machinery, importlib.util, json, runpy, socket, sys, tempfile, time
from encodings import ascii, latin_1, utf_8, utf_8_sig
from elftools.elf import elffile
from gthulhuc import frontend
from gthulhu.agent import agent
from gthulhu import conditions, control, counters, loader, promises, provenance
from gthulhu.commands import operations
from gthulhuc.cli import gthulhu, inspection
from gthulhuc.diagnostics import human
gthulhu.make_parser()
files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
print("\\n".join(sorted(file for file in files if file)))
"""

# Imports of commands that read a policy.
_READING = """
import grp, pwd
from gthulhuc import explanation
from gthulhu import running
from gthulhuc.source import Source
frontend.check(Source("p.gpl", "policy p {}"))
"""

# Imports of commands that compile a policy.
_COMPILING = """
from pathlib import Path
from gthulhuc.cli import compile
with tempfile.TemporaryDirectory() as folder:
    source = Path(folder, "p.gpl")
    source.write_text('policy p {} rule a { match comm ~ "a*" priority low }')
    assert compile.main([str(source)]) == 0
"""

TRACER = tuple(
    f"gthulhu.tracing.{each}"
    for each in ("perfetto", "probes", "recording", "rules", "runs", "steady")
)
"""The modules that `gthulhu trace` imports when it runs."""
LONGER = {
    "gthulhu/control.py": ("LOAD_TIMEOUT_S = 120", "LOAD_TIMEOUT_S = 600"),
    "gthulhu/serve/sandbox.py": ("CPU_S = 30\n", "CPU_S = 600\n"),
    "gthulhu/serve/compiling.py": ("TIMEOUT_S = 60\n", "TIMEOUT_S = 600\n"),
}
"""Limits of a node's compilers in these modules, and limits for emulated CPUs, which take longer"""

KNOWN = "/usr/lib/compiled"
"""The folder of objects in a guest, each named by the SHA-256 of its C text."""

_COMMAND = f"""#!/usr/bin/python3
import sys
sys.path.insert(0, "{FOLDER}")
from gthulhuc.cli.gthulhu import main
sys.exit(main())
"""


def files(
    *more: str, reading: bool = False, compiling: bool = False
) -> dict[str, Path | str | bytes]:
    """Returns Python and compiled modules for `GuestRequest.files`.

    `more`: modules that only some commands import. `reading`: policies are read there; `compiling`:
    and compiled, by the command `clang`, which knows the objects of `compiled`.
    """
    probe = "".join(f"import {each}\n" for each in more)
    others = _READING * (reading or compiling) + _COMPILING * compiling
    probe += _PROBE.replace("make_parser()\n", f"make_parser()\n{others}")
    listing = subprocess.run(
        [sys.executable, "-S", "-c", probe],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{PYTHONPATH}:{_OTHERS}",
            # A guest's templates are not compiled yet, which takes more modules.
            "PYTHONPYCACHEPREFIX": os.devnull,
        },
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    python = Path(os.path.realpath(sys.executable))
    found: dict[str, Path | str | bytes] = {str(python): python, **_registry()}
    for path in map(Path, listing.stdout.splitlines()):
        base = next((base for base in (*SOURCES, _OTHERS) if path.is_relative_to(base)), None)
        place = str(path if base is None else FOLDER / path.relative_to(base))
        found[place] = path
        if path.suffix == ".py":
            found[importlib.util.cache_from_source(place)] = _compiled(path)
    return found | (_toolchain() if compiling else {})


def _registry() -> dict[str, Path | str | bytes]:
    """Returns the packages' metadata, which registers their commands, or which they read."""
    found = (
        path
        for each in ("gthulhuc-*.dist-info/entry_points.txt", "http*2-*.dist-info/METADATA")
        for path in _OTHERS.glob(each)
    )
    return {str(FOLDER / path.relative_to(_OTHERS)): path for path in found}


def _toolchain() -> dict[str, Path | str | bytes]:
    """Returns clang and the headers of generated C."""
    return {
        "/usr/bin/clang": clang_that_keeps(f"{KNOWN}/clang"),
        f"{KNOWN}/clang": Path(find_clang()),
        "/usr/include/bpf": Path("/usr/include/bpf"),
        **templates(),
    }


def clang_that_keeps(clang: str) -> bytes:
    """Returns a command that runs `clang` once for each C text, and keeps its object in KNOWN.

    An emulated clang takes 6 s for a policy, and 15 s for one that counts.
    """
    return f"""#!/bin/sh
[ -e policy.bpf.c ] || exec {clang} "$@"
known={KNOWN}/$(sha256sum policy.bpf.c | cut -c 1-64)
if [ ! -e "$known" ]; then
    {clang} "$@" || exit
    cp policy.bpf.o "$known"
fi
cp "$known" policy.bpf.o
""".encode()


def templates() -> dict[str, Path]:
    """Returns the templates for `GuestRequest.files`, as an installed wheel has them."""
    folder = FOLDER / "gthulhuc" / "templates"
    return {
        str(folder / path.relative_to(TEMPLATES)): path
        for path in TEMPLATES.rglob("*")
        if path.suffix in (".h", ".j2")
    }


def compiled(folder: Path, *options: str) -> dict[str, bytes]:
    """Returns the objects of a folder's policies for `GuestRequest.files`, by their C text.

    `options`: of `gthulhuc`, as they are given there.
    """
    found = {}
    for policy in folder.glob("*.gpl"):
        command = ["gthulhuc", "-Wno-all", policy.name, "--emit", "c", "-o", "-", *options]
        text = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout
        found[f"{KNOWN}/{hashlib.sha256(text).hexdigest()}"] = compile_object(text.decode())
    return found


def installed(*more: str) -> dict[str, Path | str | bytes]:
    """Returns the installed command and `more` modules for a Debian guest with its own Python."""
    return on_debian(files(*more))


def on_debian(found: dict[str, Path | str | bytes]) -> dict[str, Path | str | bytes]:
    """Returns the installed command and what is not Python's own, for such a guest."""
    python = (os.path.realpath(sys.executable), sysconfig.get_path("stdlib"))
    ours = {
        place: file
        for place, file in found.items()
        if not any(map(Path(place).is_relative_to, python))
    }
    return {**ours, "/usr/local/bin/gthulhu": _COMMAND.encode()}


def patient(found: dict[str, Path | str | bytes]) -> dict[str, Path | str | bytes]:
    """Returns these files with limits of compilers for emulated CPUs."""
    files = dict(found)
    for module, (before, after) in LONGER.items():
        place = str(FOLDER / module)
        text = Path(str(files[place])).read_text()
        assert text.count(before) == 1, module
        files[place] = text.replace(before, after).encode()
        del files[importlib.util.cache_from_source(place)]
    return files


def _compiled(path: Path) -> bytes:
    """A compiled module. Python must not compare times: all files in a guest have the same."""
    code = compile(path.read_bytes(), path, "exec", dont_inherit=True)
    flags = 0b01  # its source is known by a hash, which is not compared
    return (
        importlib.util.MAGIC_NUMBER + flags.to_bytes(4, "little") + bytes(8) + marshal.dumps(code)
    )


def shell_functions() -> str:
    """Returns lines of sh that define the commands."""
    python = os.path.realpath(sys.executable)
    return (
        f"export PYTHONPATH={FOLDER}\n"
        f'python() {{ {python} -S "$@"; }}\n'
        'gthulhu() { python -m gthulhuc.cli.gthulhu "$@"; }\n'
    )
