# SPDX-License-Identifier: Apache-2.0
"""Promises as `status` and `metrics` show them, and the log of events as it grows."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from command import environment, run
from fake_loader import PROMISES
from gthulhu import promises


def test_lines() -> None:
    assert list(promises.lines(PROMISES)) == [
        "web over 10s, else rollback: broken (shop.gpl:30); windows: 4 kept, 3 broken, 1 silent",
        "  p99(wakeup web) < 300us: 1.25ms of 4021 waits, broken",
        "  share(batch) >= 20%: 1.5%, which says nothing",
    ]
    (fallback,) = promises.fallback(PROMISES)
    assert fallback == (
        "from generation 2 to generation 1, 2026-11-21T12:00:00Z: "
        "promise `web` (shop.gpl:30) is broken: p99(wakeup web) < 300us: 1.25ms"
    )


def test_metrics() -> None:
    found = {
        (sample.name, *sample.labels.values()): sample.value
        for family in promises.families(PROMISES)
        for sample in family.samples
    }
    assert found["gthulhu_fallbacks_total",] == 1
    assert found["gthulhu_promise_broken", "web", "30"] == 1
    assert found["gthulhu_promise_windows_total", "web", "30", "kept"] == 4
    assert found["gthulhu_claim_value", "web", "30", "p99(wakeup web) < 300us"] == 0.00125
    assert found["gthulhu_claim_bound", "web", "30", "share(batch) >= 20%"] == 0.2
    # A window that says nothing has no value.
    assert ("gthulhu_claim_value", "web", "30", "share(batch) >= 20%") not in found


def event(number: int) -> str:
    return json.dumps({"event": "swapped", "generation": number}) + "\n"


def test_events(tmp_path: Path) -> None:
    command = ("gthulhu", "events", "--state", str(tmp_path))
    assert run(*command).stdout == ""
    (tmp_path / "events.1").write_text(event(1))
    (tmp_path / "events").write_text(event(2))
    assert run(*command).stdout == event(1) + event(2)


def test_events_follow_the_log_when_it_is_renamed(tmp_path: Path) -> None:
    log = tmp_path / "events"
    with subprocess.Popen(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "events", "--follow", "--state", tmp_path],
        env=environment(), stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        log.write_text(event(1))
        assert process.stdout.readline() == event(1)
        with log.open("a") as file:
            file.write(event(2))
        log.rename(tmp_path / "events.1")
        time.sleep(0.1)
        log.write_text(event(3))
        assert process.stdout.readline() == event(2)
        assert process.stdout.readline() == event(3)
        process.terminate()


def test_status_says_why_the_last_loader_gave_back(tmp_path: Path) -> None:
    def shown(*events: dict[str, str | int]) -> str:
        lines = [json.dumps({**each, "generation": 2}) + "\n" for each in events]
        (tmp_path / "events").write_text("".join(lines))
        return run("gthulhu", "status", "--state", str(tmp_path)).stdout

    back: dict[str, str | int] = {"event": "went-back", "reason": "promise `web` is broken"}
    said = "  the last loader gave the machine back to the kernel: promise `web` is broken\n"
    ended: dict[str, str | int] = {"event": "ended"}
    assert said in shown({"event": "loaded"}, back, ended)
    assert said in shown(back, {"event": "trial-failed"}, ended)
    assert said not in shown(back, ended, {"event": "loaded"}, ended)
    assert said not in shown({**back, "to": 1}, ended)
    (tmp_path / "events").write_text('{"event"\n{}\n')
    assert "gave the machine back" not in run("gthulhu", "status", "--state", str(tmp_path)).stdout
