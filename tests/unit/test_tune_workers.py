# SPDX-License-Identifier: Apache-2.0
"""Workers of `gthulhu tune` that share a search in a database; one of them is killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

import postgres_server
from command import environment
from planted import PLANTED, SMALL

TRIALS = 60
WORDS = ("p.gpl", *SMALL, "--trials", str(TRIALS))
COMMAND = (sys.executable, "-m", "gthulhuc.cli.gthulhu", "tune", *WORDS)
GRACE_S = 10.0  # after that long without a sign of life, a worker's trial is another's


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres_server.running() as found:
        yield found


def states(url: str) -> Counter[str]:
    """How many trials of the search there are in each state."""
    with closing(psycopg.connect(url.replace("+psycopg", ""))) as connection:
        try:
            rows = connection.execute("SELECT state, count(*) FROM trials GROUP BY state")
        except psycopg.errors.UndefinedTable:  # no worker has begun
            return Counter()
        return Counter(dict(rows.fetchall()))


def silent(url: str) -> int:
    """How many trials run without a sign of life yet. Nobody takes one over whose worker ends."""
    with closing(psycopg.connect(url.replace("+psycopg", ""))) as connection:
        found = connection.execute(
            "SELECT count(*) FROM trials LEFT JOIN trial_heartbeats USING (trial_id) "
            "WHERE state = 'RUNNING' AND trial_heartbeat_id IS NULL"
        )
        return int(found.fetchall()[0][0])


def wait(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


def begin(folder: Path, words: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *words], cwd=folder, env=environment(), text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_workers_share_a_search_and_one_may_be_killed(url: str, tmp_path: Path) -> None:
    (tmp_path / "p.gpl").write_text(PLANTED)
    words = ("--storage", url, "--worker", "--jobs", "1")
    workers = [begin(tmp_path, words) for _ in range(4)]
    killed, *others = workers
    # It is killed in the middle of a trial, which then has no worker.
    wait(lambda: states(url)["COMPLETE"] >= 8, "no trial is done")
    killed.kill()
    killed.communicate()
    for worker in others:
        _, errors = worker.communicate(timeout=300)
        assert worker.returncode == 0, errors
        assert "trials are done" in errors
    found, lost = states(url), silent(url)
    assert TRIALS <= found["COMPLETE"] <= TRIALS + len(others)
    time.sleep(GRACE_S if found["RUNNING"] else 0)
    # The next one takes what the killed one left, and reports on all trials.
    done = subprocess.run(
        [*COMMAND[:-1], str(TRIALS + 10), "--storage", url, "--json", "-"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    whole = json.loads(done.stdout)
    assert whole["trials"] >= TRIALS + 10
    assert all(claim["holds"] for claim in whole["best"]["outcome"]["claims"])
    after = states(url)
    assert (after["RUNNING"], after["WAITING"]) == (lost, 0)
    assert after["FAIL"] == found["RUNNING"] - lost + found["FAIL"]


def test_a_search_in_a_file_goes_on_with_more_trials(tmp_path: Path) -> None:
    (tmp_path / "p.gpl").write_text(PLANTED)
    for trials in (5, 10):
        done = subprocess.run(
            [*COMMAND[:-1], str(trials), "--storage", "tune.db", "--json", "-"],
            cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert json.loads(done.stdout)["trials"] == trials
