# SPDX-License-Identifier: Apache-2.0
"""The counters as OpenMetrics, read with a parser that is not ours."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import parser as text_parser
from prometheus_client.core import Metric
from prometheus_client.openmetrics import parser

from command import environment
from fake_loader import LIMITS, STATS, FakeLoader

STATUS = {
    "ok": True, "policy": "shop", "generation": 3, "since": STATS["since"], "in_force": True,
    "restarts": 2, "promises": [], "fallbacks": 0, "conditions": [],
}  # fmt: skip
OPENMETRICS = "application/openmetrics-text; version=1.0.0"
Values = dict[tuple[str, str | None, str | None], float]


def values(families: Iterable[Metric]) -> Values:
    """The values of the samples, by name, rule and bound."""
    return {
        (sample.name, sample.labels.get("rule"), sample.labels.get("le")): sample.value
        for family in families
        for sample in family.samples
    }


def openmetrics(text: str) -> Values:
    parse: Any = parser.text_string_to_metric_families
    return values(parse(text))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    loader = FakeLoader(tmp_path, {"status": STATUS, "stats": STATS})
    yield tmp_path
    loader.close()


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "metrics", *arguments],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def fetch(url: str, accept: str = "*/*") -> str:
    request = urllib.request.Request(url, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=30) as answer:
        text: bytes = answer.read()
    return text.decode()


def once(folder: Path, status: int = 0, said: str = "") -> str:
    process = start("--once", "--state", str(folder))
    out, err = process.communicate(timeout=30)
    assert process.returncode == status
    assert err.startswith(said) if said else not err
    return out


def test_openmetrics_parses(folder: Path) -> None:
    found = openmetrics(once(folder))
    assert states(found) == {"loader_up": 1, "in_force": 1, "counting": 1, "generation": 3}
    assert found["gthulhu_restarts_total", None, None] == 2
    assert found["gthulhu_tasks", "web", None] == 4
    assert found["gthulhu_run_seconds_total", "web", None] == 1.5
    assert found["gthulhu_preemptions_total", "web", None] == 2
    assert found["gthulhu_wait_seconds_count", "web", None] == 200
    assert found["gthulhu_wait_seconds_sum", "web", None] == 0.002
    assert found["gthulhu_wakeup_seconds_bucket", "web", "1.024e-06"] == 98
    assert found["gthulhu_wakeup_seconds_bucket", "web", "2.048e-06"] == 99
    assert found["gthulhu_wakeup_seconds_bucket", "web", "+Inf"] == 100
    # A rule with `monitor` has no other metrics.
    assert ("gthulhu_tasks", "count", None) in found
    assert ("gthulhu_rescues_total", "count", None) not in found


def test_cgroups_with_limits_have_metrics(tmp_path: Path) -> None:
    bare = {name: value for name, value in STATS.items() if name != "classes"}
    loader = FakeLoader(tmp_path, {"status": STATUS, "stats": bare | LIMITS})
    text = once(tmp_path)
    loader.close()
    parse: Any = parser.text_string_to_metric_families
    found = {
        (sample.name, sample.labels.get("cgroup")): sample.value
        for family in parse(text)
        for sample in family.samples
    }
    assert found["gthulhu_cgroup_periods_total", "/pods/web"] == 600
    assert found["gthulhu_cgroup_throttled_periods_total", "/pods/web"] == 90
    assert found["gthulhu_cgroup_throttled_seconds_total", "/pods/web"] == 2.5
    assert found["gthulhu_cgroup_bursts_total", "/pods/batch"] == 4
    assert found["gthulhu_cgroup_burst_seconds_total", "/pods/batch"] == 0.001
    assert found["gthulhu_cgroup_limits_left_out", None] == 2
    # Rules are counted with `--stats` only.
    assert found["gthulhu_counting", None] == 0


def test_names_are_quoted(tmp_path: Path) -> None:
    odd = 'a"b\\c\nd'
    classes = [{**STATS["classes"][0], "owner": f"rule `{odd}` (x.gpl:1)"}]
    loader = FakeLoader(tmp_path, {"status": STATUS, "stats": {**STATS, "classes": classes}})
    found = openmetrics(once(tmp_path))
    loader.close()
    assert found["gthulhu_tasks", odd, None] == 4


def test_metrics_are_served_only_locally(folder: Path) -> None:
    with start("--listen", "127.0.0.1:0", "--state", str(folder)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().split()[-1]
        assert url.startswith("http://127.0.0.1:")
        try:
            found = values(text_parser.text_string_to_metric_families(fetch(url)))
            assert found["gthulhu_tasks", "web", None] == 4
            assert openmetrics(fetch(url, OPENMETRICS))
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read() == ""


def states(found: Values) -> dict[str, float]:
    names = ("loader_up", "in_force", "counting", "generation")
    return {
        name: found[f"gthulhu_{name}", None, None]
        for name in names
        if (f"gthulhu_{name}", None, None) in found
    }


def test_metrics_without_a_policy_in_force_show_zeros(tmp_path: Path) -> None:
    found = openmetrics(once(tmp_path, 3, "error: no policy is in force"))
    assert states(found) == {"loader_up": 0, "in_force": 0, "counting": 0}
    assert found["gthulhu_ejections_total", None, None] == 0
    assert len(found) == 4
    # Also those of a loader that has ended.
    (tmp_path / "ejections").write_text("3\n")
    found = openmetrics(once(tmp_path, 3, "error: no policy is in force"))
    assert found["gthulhu_ejections_total", None, None] == 3


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (STATUS, {"loader_up": 1, "in_force": 1, "counting": 0, "generation": 3}),
        (
            {**STATUS, "in_force": False},
            {"loader_up": 1, "in_force": 0, "counting": 0, "generation": 3},
        ),
        ({"ok": True}, {"loader_up": 0, "counting": 0}),  # of another release
    ],
)
def test_no_policy_and_no_counters_differ(
    tmp_path: Path, status: dict[str, Any], expected: dict[str, float]
) -> None:
    loader = FakeLoader(
        tmp_path, {"status": status, "stats": {"ok": False, "error": "no counters"}}
    )
    with start("--listen", "127.0.0.1:0", "--state", str(tmp_path)) as process:
        assert process.stdout is not None
        try:
            found = openmetrics(fetch(process.stdout.readline().split()[-1], OPENMETRICS))
        finally:
            process.send_signal(signal.SIGINT)
    loader.close()
    assert states(found) == expected


def test_an_address_that_is_taken(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        where = f"127.0.0.1:{server.getsockname()[1]}"
        process = start("--listen", where, "--state", str(folder))
        said = process.communicate(timeout=30)[1]
    assert process.returncode == 2
    assert said.startswith(f"error: cannot listen on {where}: Address already in use\n  = help: ")
    assert "--listen ADDRESS:PORT" in said


def test_usage(tmp_path: Path) -> None:
    for text in (
        "9464",
        ":9464",
        "localhost:",
        "localhost:70000",
        "127.0.0.1:\N{ARABIC-INDIC DIGIT THREE}",
    ):
        process = start("--listen", text)
        assert "expected ADDRESS:PORT, found " in process.communicate(timeout=30)[1]
        assert process.returncode == 2
    (tmp_path / "prometheus_client.py").write_text("raise ImportError\n")
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    without = subprocess.run(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "metrics", "--once"],
        env=environment(PYTHONPATH=path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert without.returncode == 2
    assert f"{sys.executable} -m pip install prometheus_client\n" in without.stderr
