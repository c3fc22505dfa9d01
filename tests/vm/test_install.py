# SPDX-License-Identifier: Apache-2.0
"""The lab outside a checkout: a wheel, in a Debian 12 that has nothing of ours."""

from __future__ import annotations

import re
import subprocess

import pytest

import clean_root
import wheels
from gthulhu_lab import kernels
from gthulhu_lab.paths import cache_dir

# To make a root takes minutes.
pytestmark = [pytest.mark.vm, pytest.mark.soak]

CACHE = "/home/user/cache"
POLICY = """\
policy small {}
rule ran { match process == "ran"  priority urgent }
expect waker as ran { p99(wakeup ran) < 10ms }
"""
SCRIPT = f"""
export XDG_CACHE_HOME={CACHE}
python3 -m venv /venv
/venv/bin/pip install --quiet --no-index --find-links /wheel --find-links /wheels 'gthulhuc[lab]'
cd /policy
/venv/bin/gthulhu verify --seeds 1 small.gpl
ls {CACHE}/gthulhu
"""


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    folder = tmp_path_factory.mktemp("install")
    wheel = wheels.build(folder / "wheel")
    (folder / "policy").mkdir()
    (folder / "policy" / "small.gpl").write_text(POLICY)
    (folder / "work").mkdir()
    kernels.ensure()
    folders = {
        wheel.parent: "/wheel",
        wheels.dependencies(wheel, "lab"): "/wheels",
        folder / "policy": "/policy",
        # Of the cache only the kernels are there already.
        cache_dir() / "kernels": f"{CACHE}/gthulhu/kernels",
    }
    return clean_root.run(SCRIPT, folders, folder / "work")


def test_a_policy_is_verified(verified: subprocess.CompletedProcess[str]) -> None:
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert re.search(r"^  ok +p99\(wakeup ran\) < 10ms ", verified.stdout, re.MULTILINE)


def test_built_and_fetched_files_are_in_the_users_cache(
    verified: subprocess.CompletedProcess[str],
) -> None:
    assert {"build", "exact", "kernels", "results"} <= set(verified.stdout.split())
