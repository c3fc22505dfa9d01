# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""A node that is recorded and traced at once: the import of the trace says what the record says."""

from __future__ import annotations

import io
import subprocess
from collections import Counter

import pytest

import guest_loader
import guest_python
import replay_scenes
from gthulhu.record import events as ev
from gthulhu.record.reader import Record
from gthulhu_lab import vm

pytestmark = [pytest.mark.vm, pytest.mark.soak]

SCENE = replay_scenes.SCENES["rpc"]
_EDGE_NS = 50_000_000
SCRIPT = """
start plain plain.bpf.o
await_line plain enabled || exit 1
set -- own
gthulhu record -o $RESULTS/own.gtr --for 0 --cost 50 &
STEP=$!
until [ -s $RESULTS/own.gtr ] || ! kill -0 $STEP; do
    usleep 50000
done
{workloads}
sleep 0.3
step trace gthulhu trace -o $RESULTS/trace.pftrace --seconds 1
sleep 1
PROGRAM=$(grep -l '^gthulhu-record$' /proc/[0-9]*/comm | cut -d / -f 3)
kill -TERM $(grep PPid /proc/$PROGRAM/status | cut -f 2)
wait $STEP
kill -TERM $STARTED
kill -TERM $LOADER
finish plain
exit 0
"""


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> vm.GuestResult:
    folder = tmp_path_factory.mktemp("foreign")
    policy = folder / "plain.gpl"
    policy.write_text(replay_scenes.policy_text("plain"))
    return replay_scenes.run_guest(
        SCENE,
        SCRIPT.format(workloads=replay_scenes.starts(SCENE, is_prepared=False)),
        {
            **guest_python.files(*replay_scenes.MODULES, "mmap", *guest_python.TRACER),
            **guest_loader.objects(folder, policy),
        },
    )


@pytest.fixture(scope="module")
def records(
    guest: vm.GuestResult, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Record, Record]:
    """The record, and the import of the trace."""
    source = tmp_path_factory.mktemp("imported") / "trace.pftrace"
    target = source.with_name("node.gtr")
    source.write_bytes(guest.files["trace.pftrace"])
    subprocess.run(["gthulhu", "record", "--from", source, "-o", target], check=True)
    return _record(guest.files["own.gtr"]), _record(target.read_bytes())


def _record(content: bytes) -> Record:
    return Record(io.BytesIO(content), "record")


def wakers(record: Record, within: Record) -> Counter[tuple[int, int | None]]:
    """Returns who woke whom in the middle of another record, and how often; None: an interrupt."""
    return Counter(
        (event.task, event.waker or None)
        for event in record
        if isinstance(event, ev.Waking)
        and within.begin_ns + _EDGE_NS < event.at_ns < within.end_ns - _EDGE_NS
    )


def test_wake_ups_have_the_same_causes(records: tuple[Record, Record]) -> None:
    own, imported = records
    assert imported.lost == {}
    recorded, told = wakers(own, imported), wakers(imported, imported)
    assert told.total() > 500
    assert any(waker is None for _, waker in told)
    assert any(waker is not None for _, waker in told)
    # An event at the edge may be on one side alone.
    assert (recorded - told).total() + (told - recorded).total() <= 4


def test_tasks_have_the_same_names_and_processes(records: tuple[Record, Record]) -> None:
    own, imported = records
    for number, (task, *_) in imported.tasks.items():
        known = own.tasks[number][-1]
        assert (task.name, task.process) == (known.name, known.process)
        assert task.facts[0].kthread == known.facts[0].kthread


def test_what_the_import_lacks_is_told(records: tuple[Record, Record]) -> None:
    _, imported = records
    assert imported.info["imported"]["tool"] == "Perfetto"
    assert imported.info["imported"]["lacks"] == [
        "timers and requests to devices",
        "cgroups, labels, users, sessions and allowed CPUs",
        "the system calls in which tasks sleep",
    ]
