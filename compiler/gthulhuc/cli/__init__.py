# SPDX-License-Identifier: Apache-2.0
"""The command lines."""

import sys

TYPE_CHECKING = False  # typing's own would have to be imported
if TYPE_CHECKING:
    from types import TracebackType


def _without_interrupts(
    kind: type[BaseException], error: BaseException, trace: "TracebackType | None"
) -> None:
    """Prints no traceback for Ctrl-C before `frame.guarded` runs. Python still dies of it."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


# This is the first code of ours that runs, so that no later import shows a traceback.
sys.excepthook = _without_interrupts
