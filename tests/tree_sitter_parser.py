# SPDX-License-Identifier: Apache-2.0
"""The editors' parser, compiled from `editors/tree-sitter-gpl`, in Python."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

from tree_sitter import Language

from gthulhuc.syntax.regenerate import EDITORS


def build(folder: Path) -> Language:
    """Compiles the parser into a folder, and returns the language."""
    library = folder / "gpl.so"
    source = EDITORS / "src"
    command = ["gcc", "-shared", "-fPIC", "-I", str(source), str(source / "parser.c")]
    subprocess.run([*command, "-o", str(library)], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.tree_sitter_gpl.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype = ctypes.py_object
    capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return Language(capsule(loaded.tree_sitter_gpl(), b"tree_sitter.Language", None))
