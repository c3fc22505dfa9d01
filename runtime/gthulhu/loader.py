# SPDX-License-Identifier: Apache-2.0
"""`gthulhu run`: compiles a policy, finds gthulhu-loader and replaces this process with it."""

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
    """Replaces this process with the loader; returns an exit code only if the policy has errors.

    Raises CommandError if the loader cannot be run.
    """
    content = object_of(options.policy, options)
    if isinstance(content, int):
        return content
    loader = find_loader(os.environ)
    if options.dry_run:
        return _dry_run(loader, options, content)
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


def _dry_run(loader: str, options: argparse.Namespace, content: bytes | None) -> int:
    """Lets the kernel verify the policy, and shows what it would change."""
    import subprocess

    from gthulhu import preview
    from gthulhuc.cli import files

    if content is None:
        _, content = files.read_file(options.policy)
    file, name = in_memory(content), called(options.policy)
    command = [loader, *_arguments(options), "--dry-run", "--called", name, f"/proc/self/fd/{file}"]
    ended = subprocess.run(command, pass_fds=[file], stdout=subprocess.DEVNULL, check=False)
    if ended.returncode == 0:
        preview.show(options, content, name)
    return ended.returncode


def object_of(path: str, options: argparse.Namespace) -> bytes | int | None:
    """Compiles a policy; returns the object, or the exit code if the policy has errors.

    None: the file already is an object. Raises CommandError.
    """
    from gthulhuc.cli import files

    name, content = files.read_file(path)
    if path != STDIO and content.startswith(_ELF):
        for option in ("stats", "monitor"):
            if getattr(options, option):
                raise CommandError(
                    f"--{option}: expected a policy's source, found the object {name}",
                    f"compile the source with `gthulhuc --{option} {source_of(path, content)}`",
                )
        return None
    from gthulhuc.cli import compile as compiler
    from gthulhuc.frontend import decode

    return compiler.build(*decode(name, content), options)


def source_of(path: str, content: bytes) -> str:
    """The likely path of an object's source, beside the object, quoted for a shell."""
    from gthulhu.provenance import source_path
    from gthulhuc.cli.inspection import read_metadata

    try:
        found = source_path(called(path), read_metadata(path, content))
    except (CommandError, KeyError):
        found = None
    return "policy.gpl" if found is None else shlex.quote(str(found))


def called(path: str) -> str:
    """The name of a running policy: its absolute path, with links kept for the operator."""
    return "standard input" if path == STDIO else str(Path(path).absolute())


def find_loader(environ: Mapping[str, str], in_checkout: Path = _IN_CHECKOUT) -> str:
    """The path of the loader, as `find_program` finds it. Raises CommandError."""
    return find_program(NAME, "GTHULHU_LOADER", environ, in_checkout)


def find_program(name: str, variable: str, environ: Mapping[str, str], in_checkout: Path) -> str:
    """The path of one of our programs: from a variable, the checkout's build, a wheel's, or PATH.

    Raises CommandError if there is none.
    """
    if named := environ.get(variable):
        if not os.access(named, os.X_OK):
            raise CommandError(
                f"{variable}: cannot execute {named}", f"set it to the path of {name}"
            )
        return named
    for path in (in_checkout, Path(sys.prefix, "bin", name)):
        if os.access(path, os.X_OK):
            return str(path)
    if found := shutil.which(name, path=environ.get("PATH")):
        return found
    how = "build it with `make -C runtime`" if in_checkout.parent.is_dir() else "install it"
    raise CommandError(f"cannot find {name}", f"{how}, or set {variable} to its path")


def _arguments(options: argparse.Namespace) -> list[str]:
    arguments = ["--verbose"] * options.verbose + ["--quiet"] * options.quiet
    arguments += [f"--set={setting}" for setting in options.settings]
    arguments += ["--detach"] * options.detach + ["--force"] * options.force
    if options.restart is not None:
        arguments.append(f"--restart={options.restart}")
    return [*arguments, f"--state={options.state}"]


def in_memory(content: bytes) -> int:
    """A descriptor of an unnamed file with this content. It vanishes with the last process."""
    handle = os.memfd_create("gthulhu-policy", 0)
    with open(handle, "wb", closefd=False) as file:
        file.write(content)
    return handle
