# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of the lab itself, and failures of a guest."""

from __future__ import annotations


class LabError(Exception):
    """The lab itself cannot do its work: a tool, a kernel or a file is missing.

    `remedy` says what the user can do about it; empty if nothing helps.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(f"{message}\n{remedy}" if remedy else message)
        self.message = message
        self.remedy = remedy


class GuestError(Exception):
    """A guest ran, and failed: exit status, deadline, kernel splat or no result."""
