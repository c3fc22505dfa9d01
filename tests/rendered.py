# SPDX-License-Identifier: Apache-2.0
"""Renders the generated C for the tools of `make lint`, which cannot read templates.

    python tests/rendered.py FOLDER

FOLDER then has each shipped policy and those of ALSO, plain, with counters and with --monitor;
RANDOM random policies, each as one of the three; and the compiler's flags for clang-tidy.
"""

from __future__ import annotations

import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import generator
from gthulhuc import checked, codegen, plan
from gthulhuc.codegen.clang import FLAGS
from gthulhuc.codegen.render import TEMPLATES
from gthulhuc.frontend import check
from gthulhuc.source import Source

ROOT = Path(__file__).parents[1]
RANDOM = 50
ALSO = ("programs", "limits", "tenants", "interrupts", "when")
"""Policies of the VM tests with parts of the language that no shipped policy uses."""
KINDS: dict[str, dict[str, Any]] = {
    "scheduler": {},
    "counters": {"stats": True},
    "monitor": {"monitor": True},
}


def fixed(folder: Path, path: Path) -> None:
    """Writes a policy of a file as each kind of program."""
    policy, problems = check(Source(path.name, path.read_text(encoding="utf-8")))
    assert policy is not None, problems
    for kind in KINDS:
        _write(folder, path.stem, policy, kind)


def random(folder: Path, seed: int) -> None:
    """Writes the random policy of this number as one kind of program."""
    _, policy = generator.draw(seed)
    _write(folder, generator.name(seed), policy, [*KINDS][seed % len(KINDS)])


def _write(folder: Path, name: str, policy: checked.Policy, kind: str) -> None:
    c_text = codegen.render(plan.build(policy), **KINDS[kind])
    (folder / f"{name}-{kind}.bpf.c").write_text(c_text, encoding="utf-8")


def main() -> None:
    """The command."""
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # .clang-tidy defines what counts as an error.
    flags = [flag for flag in FLAGS if flag != "-Werror"] + ["-I", str(TEMPLATES / "lib")]
    (folder / "compile_flags.txt").write_text("\n".join([*flags, ""]), encoding="utf-8")
    with ProcessPoolExecutor() as pool:
        paths = sorted(ROOT.glob("policies/*.gpl"))
        paths += [ROOT / f"tests/vm/policies/{name}.gpl" for name in ALSO]
        list(pool.map(partial(fixed, folder), paths))
        list(pool.map(partial(random, folder), range(RANDOM), chunksize=5))


if __name__ == "__main__":
    main()
