# SPDX-License-Identifier: Apache-2.0
"""Unusual input: a clean error or a correct policy, in bounded time.

`python tests/fuzz.py` tries many more; what it found stands in tests/corpus.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
import fuzz
from gthulhuc import checked
from gthulhuc.diagnostics.human import render
from gthulhuc.frontend import check, decode
from gthulhuc.source import Source

CORPUS = sorted(fuzz.CORPUS.glob("*.gpl"))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_known_fuzzer_findings_stay_fixed(path: Path) -> None:
    start = time.process_time()
    fuzz.attempt(path.read_bytes())
    assert time.process_time() - start < fuzz.SECONDS


def test_bounded_fuzzing_finds_nothing() -> None:
    command = [sys.executable, str(Path(fuzz.__file__)), "--inputs", "1500", "--seed", "5"]
    environ = {"PYTHONPATH": ":".join(sys.path)}
    result = subprocess.run(command, capture_output=True, text=True, env=environ, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    "text",
    [
        "policy p {}\n" + "# " + "x" * (10 << 20),
        "policy p {}\nset s = ["
        + '"abcdefgh", ' * (10 << 20 >> 4)
        + "]\nrule r { match comm in s }",
        "policy p {}\nrule r { match comm == '" + "x" * (10 << 20) + "' }",
        "x" * (10 << 20),
        "9" * (10 << 20),
    ],
    ids=["comment", "list", "string", "word", "number"],
)
def test_ten_megabytes_end(text: str) -> None:
    start = time.process_time()
    _, problems = check(Source("x.gpl", text))
    render(problems[:10])
    assert time.process_time() - start < 60


def test_strings_are_data(tmp_path: Path) -> None:
    odd = [b'"', b"'", b"*/", b"/*", b"%s%n", b"\\", b"\n", b"\t", b"\x7f", b"\xff", b"{{ x }}"]
    shown = ", ".join('"' + "".join(f"\\x{byte:02x}" for byte in text) + '"' for text in odd)
    source = Source("x.gpl", f"policy p {{}}\nrule r {{ match comm in [{shown}] }}\n")
    policy, problems = check(source)
    assert problems == []
    assert policy is not None
    match = policy.rules[0].match
    assert isinstance(match, checked.Equals)
    assert match.values == tuple(odd)


def test_nul_and_invalid_utf8_have_places() -> None:
    source, found = decode("x.gpl", b'policy p {}\nrule r { match comm == "\xff" }\n')
    assert [problem.code.name for problem in found] == ["invalid-utf8"]
    assert source.position(found[0].span.start) == (2, 25)
    _, problems = check(Source("x.gpl", "policy p {}\n\0"))
    assert [problem.code.name for problem in problems] == ["odd-character"]


def test_a_cycle_of_includes_ends() -> None:
    files = {f"f{i}.gpl": f'include "f{(i + 1) % 50}.gpl"\n'.encode() for i in range(50)}
    text = 'policy p {}\ninclude "f0.gpl"\n'
    _, problems = check(Source("main.gpl", text), load=files.__getitem__)
    assert [problem.code.name for problem in problems] == ["include-cycle"]


def test_a_long_chain_of_includes_is_an_error_and_no_crash() -> None:
    def load(name: str) -> bytes:
        number = int(name.removeprefix("f").removesuffix(".gpl"))
        return f'include "f{number + 1}.gpl"\n'.encode()

    _, problems = check(Source("main.gpl", 'policy p {}\ninclude "f0.gpl"\n'), load=load)
    assert {problem.code.name for problem in problems} == {"cannot-include"}
