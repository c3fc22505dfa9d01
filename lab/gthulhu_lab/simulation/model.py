# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the host model of the kernel (`sim/`), and schedulers that run on it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from pathlib import Path

from gthulhu_lab.errors import LabError
from gthulhu_lab.paths import MODEL
from gthulhuc.codegen.render import TEMPLATES

CONTROLS = {
    "fifo": MODEL / "control" / "fifo.c",
    "eevdf": MODEL / "control" / "eevdf.c",
    "scx_simple": MODEL / "control" / "simple.c",
}
"""Schedulers to compare with."""
_LIBRARY = TEMPLATES / "lib"
_FLAGS = ("-std=gnu11", "-g", f"-I{MODEL}", f"-I{_LIBRARY}")
_CALLED = {
    "select_cpu", "enqueue", "dispatch", "tick", "runnable", "running", "stopping", "quiescent",
    "set_weight", "set_cpumask", "update_idle", "cpu_release", "init_task", "exit_task", "enable",
    "disable", "cgroup_init", "cgroup_exit", "cgroup_move", "cgroup_set_weight",
    "cgroup_set_bandwidth", "cgroup_set_idle", "init", "exit",
}  # fmt: skip
"""The callbacks of the model."""


Build = Callable[[Path], None]
"""Compiles something to a path."""


class ModelError(Exception):
    """A scenario or a scheduler needs something that the model does not support."""


class CompilerError(LabError):
    """The model or a scheduler does not compile; `errors` has the compiler's messages."""

    def __init__(self, compiler: str, errors: str) -> None:
        super().__init__(f"{compiler} cannot compile the model or the scheduler:\n{errors}")
        self.errors = errors


class Mode(Enum):
    """The checks while a scheduler runs; the value is the C compiler's flags."""

    CHECKED = (
        "-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize=null,alignment",
        "-fno-sanitize-recover=all", "-fno-omit-frame-pointer",
    )  # fmt: skip
    """The invariants after each event, and each access to memory.

    An access through NULL ends by a signal, which the first sanitizer reports as well. Checking
    pointers for it before each access takes 40 % of the time that a scheduler needs to compile.
    """
    FAST = ("-O2", "-DUNCHECKED")
    """Only what the kernel itself would refuse."""
    COSTED = ("-fsanitize=thread", "-DUNCHECKED", "-include", str(MODEL / "branch.h"))
    """The same, for a scheduler on a machine whose work has costs (`sim/cost.c`).

    It tells the model of each access to memory and of each branch. It is not optimised, so that all
    compilers see the same accesses.
    """


def find_compiler() -> str:
    """Returns the path of the C compiler: $CC, or the first of gcc, clang and cc.

    Raises LabError if no compiler is found.
    """
    wanted = os.environ.get("CC")
    for name in (wanted,) if wanted else ("gcc", "clang", "cc"):
        if found := shutil.which(name):
            return found
    raise LabError(
        f"CC is set to {wanted}, which is not a program" if wanted else "found no C compiler",
        "install gcc or clang (Debian: apt install gcc libc6-dev), or set CC to its path",
    )


@cache
def _in_order(compiler: str) -> tuple[str, ...]:
    """The flag that keeps variables in their order, which glue.c needs; clang always does."""
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return () if "clang" in said.stdout else ("-fno-toplevel-reorder",)


def build(target: Path, mode: Mode, extra: Sequence[str] = ()) -> None:
    """Compiles the model to the program `target`. `extra`: more flags.

    Raises ModelError if a scheduler may have a callback that the model lacks, and LabError if the
    compiler is missing or fails.
    """
    members = callbacks()
    if unknown := members - _CALLED:
        raise ModelError(f"the model does not call {', '.join(sorted(unknown))}")
    has = [f"-DHAS_{name}={int(name in members)}" for name in sorted(_CALLED)]
    files = sorted(path for path in MODEL.glob("*.c") if path.name != "glue.c")
    # The constants of kernel.bpf.h belong to the scheduler; the model's files define some, too.
    _compile(
        *mode.value, *extra, "-rdynamic", "-Wl,-z,muldefs", *has, "-o", target, *files, "-ldl",
    )  # fmt: skip


def build_scheduler(text: str, target: Path, mode: Mode, extra: Sequence[str] = ()) -> None:
    """Compiles a generated scheduler's C text to the shared object `target`.

    `extra`: more flags, after those that make compiling fast. The text is left beside it. Raises
    LabError if the compiler is missing or fails.
    """
    target.with_name("policy.bpf.c").write_text(text, encoding="utf-8")
    _shared(MODEL / "glue.c", target, mode, (f"-I{target.parent}", "-O0", *extra))


def build_control(source: Path, target: Path, mode: Mode, extra: Sequence[str] = ()) -> None:
    """Compiles a scheduler that is no policy's. `extra`: more flags. Raises LabError."""
    _shared(source, target, mode, extra)


def expand(source: Path, extra: Sequence[str] = ()) -> str:
    """Returns a C text with all that it includes. Raises LabError."""
    return _compile(*extra, "-E", "-P", source)


def _shared(source: Path, target: Path, mode: Mode, extra: Sequence[str] = ()) -> None:
    assembled = target.with_suffix(".o")
    _compile(
        *mode.value, "-fPIC", *_in_order(find_compiler()), *extra, "-c", "-o", assembled, source,
    )  # fmt: skip
    # The model has the functions that -fsanitize=thread calls, so that library is left out.
    flags = () if mode is Mode.COSTED else mode.value
    _compile(*flags, "-shared", "-Wl,-Bsymbolic", "-o", target, assembled)


def sources() -> list[Path]:
    """Returns the files that the model and every scheduler are compiled from."""
    return [*sorted(MODEL.rglob("*.[ch]")), *sorted(_LIBRARY.glob("*.h"))]


def callbacks() -> set[str]:
    """Returns the callbacks that a scheduler may have, by kernel.bpf.h."""
    text = (_LIBRARY / "kernel.bpf.h").read_text(encoding="utf-8")
    found = re.search(r"^struct sched_ext_ops \{(.*?)^\};", text, re.MULTILINE | re.DOTALL)
    assert found
    return set(re.findall(r"\(\*(\w+)\)", found[1]))


def _compile(*arguments: str | Path) -> str:
    """The compiler's output. Its messages are in English."""
    compiler = find_compiler()
    result = subprocess.run(
        [compiler, *_FLAGS, *arguments], capture_output=True, text=True, errors="replace",
        check=False, env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    if result.returncode:
        raise CompilerError(compiler, result.stderr)
    return result.stdout
