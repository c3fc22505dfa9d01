# SPDX-License-Identifier: Apache-2.0
"""Generates the parsers from `grammar/Gpl.g4`, and stamps them so that a test can check them.

Run `python -m gthulhuc.syntax.regenerate` in a checkout after a change of the grammar. It needs
Java 11 or newer, and the ANTLR tool: the jar that ANTLR_JAR names; otherwise Maven downloads it.
For the editors' parser it needs Node.js and the program tree-sitter (`cargo install
tree-sitter-cli`, or the npm package of that name).
With the stamp, a test without Java recognises a stale or hand-edited parser.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from gthulhuc.syntax import derive, tree_sitter
from gthulhuc.syntax.grammar import read

ANTLR_VERSION = "4.13.2"
GENERATED = Path(__file__).parent / "generated"
ORACLE = Path(__file__).parents[3] / "tests" / "generated"
"""ANTLR's own parser, which tests compare with the derived one."""
GRAMMAR = Path(__file__).parents[3] / "grammar" / "Gpl.g4"
EDITORS = Path(__file__).parents[3] / "editors" / "tree-sitter-gpl"
STAMP = GENERATED / "stamp.json"
_FILES = ("GplLexer.py", "GplParser.py")
_DERIVED = ("QuickParser.py", "kinds.py")
_EDITORS = ("grammar.js", "src/parser.c")
_TREE_SITTER_ABI = "14"  # the newest that Neovim 0.9 and Helix 24 read


def expected_stamp() -> dict[str, object]:
    """Returns the stamp that fits the grammar and the generated files as they are now."""
    return {
        "antlr": ANTLR_VERSION,
        "grammar": _sha256(GRAMMAR),
        "generated": {
            path.name: _sha256(path)
            for path in (
                *(ORACLE / name for name in _FILES),
                *(GENERATED / name for name in _DERIVED),
                *(EDITORS / name for name in _EDITORS),
            )
        },
    }


def regenerate() -> None:
    """Replaces the generated parser and its stamp.

    Raises OSError or subprocess.CalledProcessError when Java, Maven or the tool fails.
    """
    with tempfile.TemporaryDirectory() as scratch:
        # The tool copies the grammar's path into the headers, so it gets a bare name.
        command = ["java", "-jar", str(_antlr_jar(Path(scratch)))]
        command += [
            "-Dlanguage=Python3",
            "-no-listener",
            "-no-visitor",
            "-o",
            scratch,
            GRAMMAR.name,
        ]
        subprocess.run(command, cwd=GRAMMAR.parent, check=True)
        ORACLE.mkdir(exist_ok=True)
        for name in _FILES:
            shutil.copyfile(Path(scratch) / name, ORACLE / name)
    derive_quick_parser()
    derive_editors_parser()
    STAMP.write_text(json.dumps(expected_stamp(), indent=2) + "\n", encoding="utf-8")


def derive_quick_parser() -> None:
    """Writes the derived parser; needs no Java."""
    grammar = read(GRAMMAR.read_text(encoding="utf-8"))
    (GENERATED / "kinds.py").write_text(derive.kinds_module(grammar), encoding="utf-8")
    (GENERATED / "QuickParser.py").write_text(derive.parser_module(grammar), encoding="utf-8")


def derive_editors_parser() -> None:
    """Writes the grammar for tree-sitter, and has tree-sitter make its parser in C.

    Raises OSError or subprocess.CalledProcessError when the tool is missing or fails.
    """
    grammar = read(GRAMMAR.read_text(encoding="utf-8"))
    (EDITORS / "grammar.js").write_text(tree_sitter.grammar_js(grammar), encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copyfile(EDITORS / "grammar.js", Path(scratch) / "grammar.js")
        command = ["tree-sitter", "generate", "--abi", _TREE_SITTER_ABI, "grammar.js"]
        subprocess.run(command, cwd=scratch, check=True)
        for name in ("parser.c", "tree_sitter/parser.h"):
            target = EDITORS / "src" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(scratch) / "src" / name, target)


def _antlr_jar(scratch: Path) -> Path:
    if jar := os.environ.get("ANTLR_JAR"):
        return Path(jar).resolve()
    artifact = f"org.antlr:antlr4:{ANTLR_VERSION}:jar:complete"
    command = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}"]
    subprocess.run([*command, f"-DoutputDirectory={scratch}"], check=True)
    return scratch / f"antlr4-{ANTLR_VERSION}-complete.jar"


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    try:
        regenerate()
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"regenerate: {error}")
