# SPDX-License-Identifier: Apache-2.0
"""The loader's counters, for people and for programs."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import command
from fake_loader import LIMITS, STATS, FakeLoader, counted
from gthulhu import counters
from gthulhu.commands import stats


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return command.shell(f"gthulhu {shlex.join(arguments)}", Path.cwd())


@pytest.fixture
def loader(tmp_path: Path) -> Iterator[Callable[[dict[str, Any]], Path]]:
    """A folder in which a loader answers this."""
    running = []

    def answer(text: dict[str, Any]) -> Path:
        running.append(FakeLoader(tmp_path, {"stats": text}))
        return tmp_path

    yield answer
    for each in running:
        each.close()


def test_owners() -> None:
    assert counters.owner("rule `a `b` (x)` (y.gpl:7)") == counters.Owner("a `b` (x)", "y.gpl", 7)
    assert counters.owner("`default` (y.gpl:9)") == counters.Owner("default", "y.gpl", 9)
    assert counters.owner("`default`").place == ""
    assert counters.owner("kernel threads").name == "kernel threads"


def test_histograms() -> None:
    web = counters.parse(STATS).classes[0]
    assert web.wakeups is not None
    assert web.waits is not None
    assert (web.wakeups.count, web.waits.count) == (100, 200)
    assert web.waits.sum_ns == 2_000_000
    assert web.wakeups.below(0.5) == 1024
    assert web.wakeups.below(0.99) == 2048
    assert web.wakeups.below(1) == float("inf")
    assert web.waits.below(0.5) == 16384
    assert (web.waits - web.wakeups).counts[4] == 100
    never = counters.parse(STATS).classes[1].waits
    assert never is not None
    assert never.below(0.5) is None


@pytest.mark.parametrize(
    ("ns", "shown"),
    [(0, "0ns"), (512, "512ns"), (1024, "1.02us"), (16_777_216, "16.8ms"), (2e9, "2s"),
     (123_456e9, "123456s"), (float("inf"), "longer"), (None, "-")],
)  # fmt: skip
def test_times_are_short(ns: float | None, shown: str) -> None:
    assert counters.show_ns(ns) == shown


def test_table_lists_the_rules_that_had_tasks() -> None:
    head, columns, *rows = stats.lines(counters.parse(STATS))
    assert head == "shop, generation 3, since 2026-11-21T12:00:00Z"
    assert [row.split()[0] for row in rows] == ["web", "count", "default"]
    assert rows[0].split()[1:] == [
        "4", "1.5s", "200", "16.4us", "16.4us", "100", "1.02us", "2.05us", "0", "2", "0", "0", "0",
        "1",
    ]  # fmt: skip
    assert rows[1].split()[1:] == ["0", "0ns", *["-"] * 12]
    assert len(columns.split()) == 15


def test_cgroups_with_limits_have_a_table_of_their_own() -> None:
    *_, columns, batch, web, rest = stats.lines(counters.parse(STATS | LIMITS))
    assert columns.split() == ["cgroup", "CPUs", "periods", "throttled", "for", "bursts", "by"]
    assert batch.split() == ["/pods/batch", "1.5", "12", "0", "0ns", "4", "1ms"]
    assert web.split() == ["/pods/web", "0.5", "600", "90", "2.5s", "0", "0ns"]
    assert rest == "and 2 further cgroups with a limit"


def test_cgroups_are_shown_without_counters_of_rules(
    loader: Callable[[dict[str, Any]], Path],
) -> None:
    bare = {name: value for name, value in STATS.items() if name != "classes"}
    folder = str(loader(bare | LIMITS))
    assert "rule" not in run("stats", "--state", folder).stdout
    document = json.loads(run("stats", "--json", "--state", folder).stdout)
    assert document["classes"] == []
    assert document["limits"] == sorted(LIMITS["limits"], key=lambda each: each["cgroup"])
    assert document["limits_left_out"] == 2


def test_json(loader: Callable[[dict[str, Any]], Path]) -> None:
    result = run("stats", "--json", "--state", str(loader(STATS)))
    assert (result.returncode, result.stderr) == (0, "")
    web, never, count, *_ = json.loads(result.stdout)["classes"]
    assert (web["name"], web["file"], web["line"], web["tasks"]) == ("web", "shop.gpl", 12, 4)
    assert web["wakeups"] == {
        "count": 100,
        "sum_ns": 500_000,
        "buckets": [
            {"below_ns": 1024, "count": 98},
            {"below_ns": 2048, "count": 1},
            {"below_ns": None, "count": 1},
        ],
    }
    assert never["waits"]["buckets"] == []
    assert "waits" not in count


def test_stats_shows_all_rules_of_a_large_import(loader: Callable[[dict[str, Any]], Path]) -> None:
    classes = [counted(f"rule `r{number}` (many.gpl:{number})") for number in range(15_000)]
    classes[9_999]["entered"] = 1
    folder = str(loader({**STATS, "classes": classes}))
    document = json.loads(run("stats", "--json", "--state", folder).stdout)
    assert len(document["classes"]) == 15_000
    assert document["classes"][9_999] == {
        **document["classes"][0],
        "name": "r9999",
        "line": 9_999,
    } | {"tasks": 1, "entered": 1}
    table = run("stats", "--state", folder).stdout
    assert "r9999" in table
    assert "r9998" not in table


def test_a_scheduler_that_does_not_count(loader: Callable[[dict[str, Any]], Path]) -> None:
    folder = loader({"ok": False, "error": "it does not count", "help": "run it with --stats"})
    result = run("stats", "--state", str(folder))
    assert result.returncode == 2
    assert result.stderr == "error: it does not count\n  = help: run it with --stats\n"


def test_stats_without_a_policy_in_force_exits_with_3(tmp_path: Path) -> None:
    assert run("stats", "--state", str(tmp_path)).returncode == 3


def test_an_object_cannot_be_made_to_count(tmp_path: Path) -> None:
    (tmp_path / "p.bpf.o").write_bytes(b"\x7fELF")
    result = run("run", "--stats", str(tmp_path / "p.bpf.o"))
    assert result.returncode == 2
    assert "compile the source with `gthulhuc --stats policy.gpl`" in result.stderr
