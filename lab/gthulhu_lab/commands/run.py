# SPDX-License-Identifier: Apache-2.0
"""Runs a command of the lab: imports its function, and turns its errors into messages."""

from __future__ import annotations

import argparse
import importlib
import shlex
from collections.abc import Callable

from gthulhu_lab import paths
from gthulhuc.cli import frame
from gthulhuc.cli.frame import CommandError

GUEST_FAILED = 1


def in_lab(module: str, function: str) -> Callable[[argparse.Namespace], int]:
    """A command that a function of the lab carries out, imported when it is called."""

    def run(options: argparse.Namespace) -> int:
        if not paths.WORKLOADS.is_dir():
            raise CommandError(
                "the lab is not part of this installation",
                "it compiles workloads and boots what is built there, so it comes with a checkout "
                "of gthulhuc: `make setup` in it, then use its .venv/bin/gthulhu",
            )
        try:
            from gthulhu_lab import errors, processes

            carry_out: Callable[[argparse.Namespace], int]
            carry_out = getattr(importlib.import_module(module), function)
        except ModuleNotFoundError as error:
            raise CommandError(
                f"the Python package {(error.name or '').partition('.')[0]} is missing",
                frame.pip_install(f"-e {shlex.quote(f'{paths.REPOSITORY}[lab]')}"),
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
