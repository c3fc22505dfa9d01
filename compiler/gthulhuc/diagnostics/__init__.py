# SPDX-License-Identifier: Apache-2.0
"""Errors as data: codes, diagnostics, the collector; one renderer per module."""

from gthulhuc.diagnostics.codes import Code
from gthulhuc.diagnostics.model import Collector, Diagnostic, Edit, Fix, Help, Label, Severity

__all__ = ["Code", "Collector", "Diagnostic", "Edit", "Fix", "Help", "Label", "Severity"]
