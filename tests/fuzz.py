# SPDX-License-Identifier: Apache-2.0
"""Feeds texts to the compiler: policies, sentences of the grammar, and mutations of both.

    python tests/fuzz.py --inputs 200000

It reports how many inputs became an IR, and C. The exit status is 1 after a failure, or if fewer
than a fifth became an IR.

An input fails if the compiler raises, takes more than two seconds, or prints control characters.
It is then written into tests/corpus, which the tests read. Memory is
limited to 500 MB for the whole run.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import FrameType

from generator import Policies
from gthulhuc import codegen, ir, plan
from gthulhuc.diagnostics.human import render
from gthulhuc.frontend import check, decode
from sentences import NUMBERS, STRINGS, WORDS, Sentences
from vocabulary import ODD

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "corpus"
SECONDS = 2
MEMORY = 500 << 20
C_OF = 20
LEAST_SHARE = 0.2  # of valid inputs
ODD_BYTES = [
    b"\0",
    b"\xff",
    b"\r\n",
    b'"',
    b"'",
    b"*/",
    b"//",
    b"/*",
    b"(",
    b")",
    b"{",
    b"}",
    b"\xc2\xb5",
]


def mutated(seeds: list[bytes], chance: random.Random) -> bytes:
    """One of the seeds with some tokens dropped, repeated, swapped or replaced."""
    tokens = re.findall(rb"\w+|\s+|.", chance.choice(seeds)[:4000], re.DOTALL)
    for _ in range(chance.randint(1, 6)):
        if not tokens:
            break
        at = chance.randrange(len(tokens))
        match chance.randrange(5):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, chance.choice(tokens))
            case 2:
                tokens[at] = chance.choice([*ODD_BYTES, *(word.encode() for word in WORDS)])
            case 3:
                tokens[at] = chance.choice(NUMBERS + STRINGS).encode()
            case _:
                end = min(len(tokens), at + chance.randint(1, 20))
                tokens[at:end] = tokens[at:end] * chance.randint(0, 3)
    return b"".join(tokens)


def _sentence(sentences: Sentences, chance: random.Random) -> str:
    head = "policy p {}\n" if chance.random() < 0.9 else ""
    return head + " ".join(sentences.tokens())


def attempt(data: bytes, *, to_c: bool = True) -> str:
    """Returns how far an input got: to errors, an IR or C. Raises on any failure."""
    source, found = decode("fuzz.gpl", data)
    policy, problems = check(source, load=_load)
    # A file that is no text has its error from decode().
    has_errors = any(problem.is_error for problem in (problems if source.is_text else found))
    assert (policy is None) == has_errors
    text = render([*found, *problems][:20])
    assert all(line.isprintable() for line in text.split("\n"))
    if policy is None:
        return "errors"
    intermediate = plan.build(policy)
    assert ir.to_json(intermediate).isascii()
    if not to_c:
        return "an IR"
    assert codegen.render(intermediate).endswith("\n")
    return "C"


def _load(name: str) -> bytes:
    if name == "lib.gpl":
        return b'include "lib.gpl"\nset s = comm == "s"\n'
    raise FileNotFoundError(2, "no such file", name)


def run(inputs: int, seed: int) -> Counter[str]:
    """Tries a number of inputs; returns the counts. Failing ones go into the corpus."""
    chance = random.Random(seed)
    policies, sentences = Policies(chance, replace(ODD, sizes=(1, 1, 2, 3))), Sentences(chance)
    seeds = [path.read_bytes() for path in sorted(ROOT.glob("tests/cases/*/policy.gpl"))]
    seeds += [path.read_bytes() for path in sorted(ROOT.glob("policies/*.gpl"))]
    signal.signal(signal.SIGPROF, _too_slow)
    tally: Counter[str] = Counter()
    for number in range(inputs):
        kind = chance.random()
        if kind < 0.4:
            data = policies.text("p").encode()
        elif kind < 0.6:
            data = _sentence(sentences, chance).encode()
        else:
            own = [policies.text("p").encode()] if kind < 0.8 else seeds
            data = mutated(own, chance)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of CPU time: machines are busy
        try:
            # C is the same templates each time, and takes longer than all before it.
            tally[attempt(data, to_c=number % C_OF == 0)] += 1
        except Exception as error:
            tally[f"bad: {type(error).__name__}"] += 1
            CORPUS.mkdir(exist_ok=True)
            (CORPUS / f"{hashlib.sha256(data).hexdigest()[:12]}.gpl").write_bytes(data)
            traceback.print_exc()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return tally


def _too_slow(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def main() -> int:
    """Runs the command; returns its exit status."""
    parser = argparse.ArgumentParser(description="Fuzz the front end.")
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    start = time.monotonic()
    tally = run(options.inputs, options.seed)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{options.inputs} inputs, seed {options.seed}: {dict(tally)}")
    print(f"{time.monotonic() - start:.0f} s, at most {used} MB")
    is_shallow = tally["an IR"] + tally["C"] < LEAST_SHARE * options.inputs
    return int(is_shallow or any(what.startswith("bad") for what in tally))


if __name__ == "__main__":
    sys.exit(main())
