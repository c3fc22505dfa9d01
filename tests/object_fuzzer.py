# SPDX-License-Identifier: Apache-2.0
"""libFuzzer on the loader's reading of objects (tests/loader/fuzz).

`python tests/object_fuzzer.py 600` fuzzes for so many seconds, and renews the corpus.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import loader_objects
from gthulhu_lab import apt, debian
from gthulhu_lab.paths import cache_dir
from gthulhuc.codegen.clang import find_clang

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tests" / "loader" / "fuzz"
CORPUS = HERE / "corpus.tar.xz"  # mostly the same bytes: 150 objects of 46 kB in 15 kB
FUZZER = ROOT / "build" / "runtime-fuzz" / "object"
_LONGEST = 65536  # bytes of an input
_LARGEST_MIB = (
    8192  # of an allocation: libbpf believes a size of 32 bits, and touches nothing of it
)


@dataclass(frozen=True)
class Run:
    """How a run of the fuzzer ended."""

    inputs: int
    new: int
    """Inputs that reached code which no input before them did."""
    in_libbpf: int
    """How often libbpf crashed. The loader opens each object in a process that may crash."""
    complaint: str
    """Its output if it stopped at another input, kept next to the fuzzer; empty: it did not."""


def build() -> None:
    """Builds the fuzzer."""
    resources = _resources()
    subprocess.run(
        [
            "make", "-s", "-C", ROOT / "runtime", "fuzzer", "FUZZ=1", f"CC={find_clang()}",
            f"CFLAGS=-g -resource-dir={resources}",
        ],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def run(folder: Path, seconds: int, seed: int) -> Run:
    """Fuzzes for a time, from the corpus and from a new build of the seed."""
    found, known = folder / "found", folder / "corpus"
    found.mkdir()
    known.mkdir()
    with tarfile.open(CORPUS) as corpus:
        # Not by extractall(): in Debian 12's Python, 3.11.2, it cannot be told to be careful.
        for member in corpus:
            if data := corpus.extractfile(member):
                (known / Path(member.name).name).write_bytes(data.read())
    loader_objects.build(known / "seed.bpf.o", folder=HERE, source="seed")
    end = time.monotonic() + seconds
    inputs = new = in_libbpf = 0
    while True:
        left = max(1, round(end - time.monotonic()))
        result = _fuzzer(
            f"-max_total_time={left}", f"-seed={seed + in_libbpf}", "-print_final_stats=1",
            f"-artifact_prefix={FUZZER.parent}/", found, known,
        )  # fmt: skip
        inputs += _count(result, "number_of_executed_units")
        new += _count(result, "new_units_added")
        if result.returncode == 0:
            return Run(inputs, new, in_libbpf, "")
        if not _is_in_libbpf(result.stderr):
            return Run(inputs, new, in_libbpf, result.stderr[-4000:])
        in_libbpf += 1


def _count(result: subprocess.CompletedProcess[str], name: str) -> int:
    shown = re.search(rf"stat::{name}: +(\d+)", result.stderr)
    return int(shown[1]) if shown else 0


def _is_in_libbpf(report: str) -> bool:
    """Tells whether the innermost call in a crash's report is libbpf's, apart from the C library's.

    Those of the sanitizer, which stand for the C library's, have no source.
    """
    for module, source in re.findall(r"^ +#\d+ (\S+) .* (\S+)$", report, re.MULTILINE):
        if "/libbpf.so" in module:
            return True
        if Path(module) == FUZZER and not source.startswith("??"):
            return False
    return False


def _fuzzer(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "ASAN_OPTIONS": "stack_trace_format='    #%n %m %f %s:%l'",
        "ASAN_SYMBOLIZER_PATH": shutil.which("addr2line") or "",  # of the linker's package
    }
    return subprocess.run(
        [FUZZER, f"-max_len={_LONGEST}", f"-malloc_limit_mb={_LARGEST_MIB}", *arguments],
        capture_output=True, text=True, errors="replace", check=False, env=environment,
    )  # fmt: skip


def renew(seconds: int) -> Run:
    """Fuzzes, and writes the corpus anew: the fewest inputs that reach all that is reached."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = run(folder, seconds, seed=seconds)
        merged = folder / "merged"
        merged.mkdir()
        _fuzzer("-set_cover_merge=1", merged, folder / "corpus", folder / "found")
        with tarfile.open(CORPUS, "w:xz") as corpus:
            for each in sorted(merged.iterdir()):
                entry = tarfile.TarInfo(each.name)
                entry.size = each.stat().st_size
                with each.open("rb") as content:
                    corpus.addfile(entry, content)
    return made


def _resources() -> Path:
    """clang's folder of headers, with the libraries of its sanitizers from Debian's package."""
    clang = find_clang()
    (own,) = subprocess.run(
        [clang, "-print-resource-dir"], check=True, capture_output=True, text=True
    ).stdout.split()
    if (Path(own) / "lib" / "linux").exists():
        return Path(own)
    version = Path(own).name
    kept = cache_dir() / "debian" / f"clang-rt-{version}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as name:
            folder = Path(name)
            suite = apt.Suite(debian.SUITE, cache_dir() / "apt")
            suite.refresh()
            (package,) = suite.download([f"libclang-rt-{version}-dev"], folder)
            apt.extract(package, folder / "tree")
            made = folder / "made"
            made.mkdir()
            (made / "include").symlink_to(Path(own) / "include")
            libraries = Path("usr/lib", f"llvm-{version}/lib/clang/{version}/lib")
            shutil.move(folder / "tree" / libraries, made / "lib")
            made.rename(kept)
    return kept


if __name__ == "__main__":
    build()
    print(renew(int(sys.argv[1])))
