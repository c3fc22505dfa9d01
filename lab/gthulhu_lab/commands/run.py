# SPDX-License-Identifier: Apache-2.0
"""Runs a command of the lab: imports its function, and turns its errors into messages."""

from __future__ import annotations

import argparse
import importlib
import os
import shlex
from collections.abc import Callable

from gthulhu_lab import paths
from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError

GUEST_FAILED = 1


def in_lab(
    module: str, function: str, *, boots: bool = True, extras: str = "lab"
) -> Callable[[argparse.Namespace], int]:
    """A command that a function of the lab carries out, imported when it is called.

    One that `boots` guests is refused where a package of the system is missing. `extras`: of this
    package, the Python packages that it needs.
    """

    def run(options: argparse.Namespace) -> int:
        if boots:
            refuse_missing_packages()
        try:
            from gthulhu_lab import errors, processes

            carry_out: Callable[[argparse.Namespace], int]
            carry_out = getattr(importlib.import_module(module), function)
        except ModuleNotFoundError as error:
            package = f"-e {shlex.quote(f'{paths.CHECKOUT}[{extras}]')}"
            raise CommandError(
                f"the Python package {(error.name or '').partition('.')[0]} is missing",
                frame.pip_install(package if paths.CHECKOUT else f"'gthulhuc[{extras}]'"),
            ) from error
        try:
            return carry_out(options)
        except errors.LabError as error:
            raise CommandError(error.message, error.remedy) from error
        except errors.GuestError as error:
            frame.complain(f"a guest failed: {error}")
            return GUEST_FAILED
        finally:
            processes.end_all()  # on Ctrl-C some may still run

    return run


def refuse_missing_packages() -> None:
    """Raises CommandError if the system lacks a package that guests need."""
    if os.environ.get("GTHULHU_SKIP_PACKAGES"):
        return
    from gthulhu_lab import packages  # dataclasses and tomllib: --help of any command is quicker

    if missing := packages.missing_for_lab(paths.SYSTEM_PACKAGES):
        system = packages.read_system(packages.OS_RELEASE)
        table = packages.describe(missing, system) + packages.describe_backports(missing, system)
        raise CommandError(
            f"{system.name} lacks packages that the lab needs:\n\n{table}\n",
            "install them and try again, or set GTHULHU_SKIP_PACKAGES=1 if they are there in "
            "another form",
        )
