# SPDX-License-Identifier: Apache-2.0
"""`gthulhu run`: compiles what is no object yet, finds gthulhu-loader and becomes it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gthulhuc.cli.shared import STDIO, CommandError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

NAME = "gthulhu-loader"
_IN_CHECKOUT = Path(__file__).parents[2] / "runtime" / NAME
_ELF = b"\x7fELF"


def run(options: argparse.Namespace) -> int:
    """Replaces this process by the loader. Raises CommandError when that is impossible."""
    content = object_of(options.policy, options)
    if isinstance(content, int):
        return content
    loader = find_loader(os.environ)
    arguments = [NAME, *_arguments(options)]
    if content is not None:
        arguments += ["--called", called(options.policy), f"/proc/self/fd/{in_memory(content)}"]
    else:
        arguments += ["--", options.policy]
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execv(loader, arguments)
    except OSError as error:
        raise CommandError(f"cannot run {loader}: {error.strerror}") from error


def object_of(path: str, options: argparse.Namespace) -> bytes | int | None:
    """What a policy is compiled to, None where it is an object; the exit code where it is wrong.

    Raises CommandError.
    """
    from gthulhuc.cli import files

    name, content = files.read_file(path)
    if path != STDIO and content.startswith(_ELF):
        for option in ("stats", "monitor"):
            if getattr(options, option):
                raise CommandError(
                    f"--{option}: {name} is an object, and needs to be a source",
                    f"compile it with `gthulhuc --{option} {source_of(path, content)}`",
                )
        return None
    from gthulhuc.cli import compile as compiler
    from gthulhuc.frontend import decode

    return compiler.build(*decode(name, content), options)


def source_of(path: str, content: bytes) -> str:
    """Where the source of an object most likely is: beside it."""
    from gthulhu.provenance import source_path
    from gthulhuc.cli.inspection import read_metadata

    try:
        found = source_path(called(path), read_metadata(path, content))
    except (CommandError, KeyError):
        found = None
    return "policy.gpl" if found is None else shlex.quote(str(found))


def called(path: str) -> str:
    """What a policy is called while it runs. A link stays one: it is what the operator changes."""
    return "standard input" if path == STDIO else str(Path(path).absolute())


def find_loader(environ: Mapping[str, str], in_checkout: Path = _IN_CHECKOUT) -> str:
    """The path of the loader: GTHULHU_LOADER, the checkout's own build, that of a wheel, then PATH.

    Raises CommandError when there is none.
    """
    if named := environ.get("GTHULHU_LOADER"):
        if not os.access(named, os.X_OK):
            raise CommandError(f"GTHULHU_LOADER names {named}, which cannot be executed")
        return named
    for path in (in_checkout, Path(sys.prefix, "bin", NAME)):
        if os.access(path, os.X_OK):
            return str(path)
    if found := shutil.which(NAME, path=environ.get("PATH")):
        return found
    how = "build it with `make -C runtime`" if in_checkout.parent.is_dir() else "install it"
    raise CommandError(f"{NAME} is not there", f"{how}, or name it with GTHULHU_LOADER")


def _arguments(options: argparse.Namespace) -> list[str]:
    arguments = ["--verbose"] * options.verbose + ["--quiet"] * options.quiet
    arguments += [f"--set={setting}" for setting in options.settings]
    arguments += ["--detach"] * options.detach
    if options.restart is not None:
        arguments.append(f"--restart={options.restart}")
    return [*arguments, f"--state={options.state}"]


def in_memory(content: bytes) -> int:
    """A file without a name, for a loader: nothing is left of it, whatever ends us."""
    handle = os.memfd_create("gthulhu-policy", 0)
    with open(handle, "wb", closefd=False) as file:
        file.write(content)
    return handle
