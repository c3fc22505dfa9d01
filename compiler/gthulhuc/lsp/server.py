# SPDX-License-Identifier: Apache-2.0
"""The server with all its responses, each registered by the module that gives it."""

from __future__ import annotations

from gthulhuc.lsp import answers, checking, hints, naming, structure
from gthulhuc.lsp.protocol import server

__all__ = ["RESPONSES", "server"]

RESPONSES = (answers, checking, hints, naming, structure)
