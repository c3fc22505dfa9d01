# SPDX-License-Identifier: Apache-2.0
"""Generates C from the IR, and compiles it to a BPF object."""

from gthulhuc.codegen.clang import ToolchainError, compile_object
from gthulhuc.codegen.render import render, render_classifier

__all__ = ["ToolchainError", "compile_object", "render", "render_classifier"]
