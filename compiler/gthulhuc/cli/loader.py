# SPDX-License-Identifier: Apache-2.0
"""`gthulhu run`: finds gthulhu-loader and becomes it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gthulhuc.cli.shared import CommandError

NAME = "gthulhu-loader"
_IN_CHECKOUT = Path(__file__).parents[3] / "runtime" / NAME


def run(path: str, options: Sequence[str]) -> int:
    """Replaces this process by the loader. Raises CommandError when that is impossible."""
    if not Path(path).is_file():
        raise CommandError(f"cannot read {path}: no such file", "`gthulhuc FILE` makes an object")
    loader = find_loader(os.environ)
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execv(loader, [NAME, *options, path])
    except OSError as error:
        raise CommandError(f"cannot run {loader}: {error.strerror}") from error


def find_loader(environ: Mapping[str, str], in_checkout: Path = _IN_CHECKOUT) -> str:
    """The path of the loader: GTHULHU_LOADER, the checkout's own build, then PATH.

    Raises CommandError when there is none.
    """
    if named := environ.get("GTHULHU_LOADER"):
        if not os.access(named, os.X_OK):
            raise CommandError(f"GTHULHU_LOADER names {named}, which cannot be executed")
        return named
    if os.access(in_checkout, os.X_OK):
        return str(in_checkout)
    if found := shutil.which(NAME, path=environ.get("PATH")):
        return found
    how = "build it with `make -C runtime`" if in_checkout.parent.is_dir() else "install it"
    raise CommandError(f"{NAME} is not there", f"{how}, or name it with GTHULHU_LOADER")
