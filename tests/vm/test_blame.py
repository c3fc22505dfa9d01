# SPDX-License-Identifier: Apache-2.0
"""I12: when a scheduler is ejected over a task, the loader names the rule that took it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import guest_loader
import mutations
from gthulhu_lab import vm
from mutations import Mutation
from promises import QUEUE

pytestmark = pytest.mark.vm

HERE = Path(__file__).parent
POLICY = HERE / "policies" / "blame.gpl"
RULE = "a task of rule `victim` (blame.gpl:5)"
# The class is that of the new name before the kernel writes it.
TASK = r"(?:victim|taskset)\[\d+\]"
LOCAL_ON = "3ULL << 62"  # SCX_DSQ_LOCAL_ON, which no policy uses
BROKEN = {
    # Its tasks are queued nowhere.
    "lost": (
        Mutation("lost", "place.j2", f"\t{QUEUE}", f"\tif (t->class != CLASS_VICTIM)\n\t\t{QUEUE}"),
        rf"runnable task stall \({TASK} failed to run for \d\.\d+s\)",
    ),
    # They are sent where they may not run.
    "astray": (
        Mutation(
            "astray",
            "place.j2",
            f"\t{QUEUE}",
            "\tif (t->class == CLASS_VICTIM)\n"
            f"\t\tdsq_insert(p, {LOCAL_ON} | 1, slice, enq_flags);\n"
            f"\telse\n\t\t{QUEUE}",
        ),
        rf"runtime error \(.* {TASK}.*\)",
    ),
}
SCRIPT = """
start {name} {name}.bpf.o
await_line {name} enabled
taskset -c 0 victim &
victim=$!
taskset -c 0 yes >/dev/null &
yes=$!
finish {name}
kill $victim $yes
"""


@pytest.mark.parametrize("kernel", ["6.16", "6.18", "7.0", "7.2"])
def test_the_reason_names_the_rule(kernel: str, tmp_path: Path) -> None:
    files: dict[str, Path | str | bytes] = {
        **guest_loader.FILES,
        # The name of a script is that of its task.
        "bin/victim": b"#!/bin/sh\nwhile :; do :; done\n",
    }
    for name, (mutation, _) in BROKEN.items():
        files[f"{name}.bpf.o"] = mutations.build(POLICY, tmp_path / f"{name}.bpf.o", mutation)
    guest = vm.run(
        vm.GuestRequest(
            script=guest_loader.FUNCTIONS + "".join(SCRIPT.format(name=name) for name in BROKEN),
            kernel=kernel,
            files=files,
            deadline_s=600,
            allow_splats=(r"disabled \((runnable task stall|runtime error)\)",),
        )
    )
    for name, (_, reason) in BROKEN.items():
        said = guest.files[f"{name}.err"].decode()
        assert re.search(f"ejected by the kernel: {reason}, {re.escape(RULE)}\n", said), said
        assert guest.files[f"{name}.status"] == b"3\n"
        assert guest.files[f"{name}.state"] == b"disabled\n"
