# SPDX-License-Identifier: Apache-2.0
"""The command lines."""

import sys


def _without_interrupts(kind: type[BaseException], error: BaseException, trace: object) -> None:
    """Ctrl-C before `frame.guarded` runs: Python dies of the signal all the same."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)  # type: ignore[arg-type]


# The first line of ours that a command runs: nothing that is imported later shows a traceback.
sys.excepthook = _without_interrupts
