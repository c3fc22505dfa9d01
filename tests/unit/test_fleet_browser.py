# SPDX-License-Identifier: Apache-2.0
"""The page of a fleet in Debian's Chromium, with a small API server."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import browser
from command import environment
from fleet_objects import HOSTILE, put_node, put_policy
from small_api import SmallApi, serving

pytestmark = pytest.mark.soak


@pytest.fixture
def api(tmp_path: Path) -> Iterator[SmallApi]:
    with serving(tmp_path) as found:
        put_policy(
            found, "shop", phase="Step", message=HOSTILE, revision="0123-1",
            nodes={"total": 3, "inForce": 1, "unable": 1},
        )  # fmt: skip
        put_node(found, "node-1", state="InForce", inForce={"revision": "0123-1"}, promises="Kept")
        put_node(found, "node-2", state="Unable", message=HOSTILE)
        put_node(found, "node-3", state="Failed", message="p99(wakeup ran) 412us > 300us")
        yield found


@pytest.fixture
def url(api: SmallApi) -> Iterator[str]:
    """The page, as a process of its own, which ends by a signal."""
    command = (
        sys.executable, "-m", "gthulhuc.cli.gthulhu", "fleet", "page",
        "--kubernetes", str(api.kubeconfig), "--port", "0",
    )  # fmt: skip
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = re.fullmatch(r"serving (http://127\.0\.0\.1:\d+)\n", process.stdout.readline())
        assert found is not None
        yield found[1]
        process.terminate()
        _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (128 + signal.SIGTERM, "")


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_no_barriers_and_no_scripts(url: str, width: int, *, dark: bool) -> None:
    with browser(width, dark=dark) as found:
        for path in ("", "policy?name=shop", "policy?name=other"):
            found.open(f"{url}/page/{path}")
            found.find("h1")
            assert found.barriers() == [], path
            assert not found.is_wider_than_the_window(), path
            assert not found.is_asked(), path


def test_a_rollout_moves_on_the_page(api: SmallApi, url: str) -> None:
    with browser() as found:
        found.open(url)
        found.shows("h1", "shop")
        found.click("h1 a")
        found.shows("#nodes", "Nodes")
        put_node(api, "node-3", state="InForce", inForce={"revision": "0123-1"})
        put_policy(api, "shop", phase="Complete", message="in force on 3 of 3", revision="0123-1")
        found.shows(".headline", "Complete")
        found.until(lambda: "412us" not in found.text("table"), "node-3 without its failure")
