# SPDX-License-Identifier: Apache-2.0
"""The format of records: what is written is read, and what is damaged is said."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import gtr
from gthulhu.record import columns, framing
from gthulhu.record import events as ev
from gthulhu.record.columns import Row
from gthulhu.record.events import Code
from gthulhu.record.framing import BLOCK_BYTES, FILE_BYTES, Block, Header, Kind, RecordError
from gthulhu.record.reader import IoRequest, Record

AT = gtr.BEGIN_NS


def read(path: Path) -> tuple[list[ev.Event], str | None]:
    with Record.open(path) as record:
        return list(record), record.damage


def refusal(path: Path) -> str:
    """Reads all of a record; returns the error, or an empty text."""
    try:
        with Record.open(path) as record:
            list(record)
            record.counts()
            assert record.tasks is not None
    except RecordError as error:
        return str(error)
    return ""


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2**32 - 1),
            st.integers(1, 255),
            *[st.integers(0, 2**32 - 1)] * 3,
            st.lists(st.binary(min_size=8, max_size=8), max_size=5).map(b"".join),
        ),
        max_size=30,
    )
)  # fmt: skip
def test_rows_are_read_as_they_were_written(
    raw: list[tuple[int, int, int, int, int, bytes]],
) -> None:
    at_ns, rows = AT, []
    for number, (delta, code, task, other, argument, words) in enumerate(raw):
        at_ns += delta if number else 0
        rows.append(Row(at_ns, code, task, other, argument, words))
    block = gtr.events(3, rows)
    assert list(columns.rows(block.header, block.content)) == rows


def test_events_of_all_cpus_are_in_the_order_of_time(tmp_path: Path) -> None:
    events, damage = read(gtr.write(tmp_path / "a.gtr", gtr.small()))
    assert damage is None
    assert [event.at_ns - AT for event in events] == [
        0, 1, 2, 5, 10, 20, 30, 35, 45, 60, 70, 170
    ]  # fmt: skip
    assert events[4] == ev.Waking(AT + 10, 0, 7, 0, ev.Context.TIMER, 99)
    assert events[6] == ev.Waking(AT + 30, 0, 8, 7, ev.Context.TASK, 0)
    assert events[8] == ev.Switch(
        AT + 45, 1, 8, 0, state=1, preempted=False, iowait=False, syscall=202, kernel=False
    )


def test_record_knows_tasks_groups_programs_and_requests(tmp_path: Path) -> None:
    with Record.open(gtr.write(tmp_path / "a.gtr", gtr.small())) as record:
        (web,) = record.tasks[7]
        assert (web.name, web.facts[0].affinity, web.begin_ns) == (
            b"web",
            frozenset({0, 3}),
            None,
        )
        assert record.task_at(8, AT + 40) is record.tasks[8][0]
        assert record.task_at(9, AT) is None
        assert record.cgroups == {2: b"/system.slice/web.service"}
        assert record.programs[7].arguments == (b"web", b"--secret")
        assert list(record.requests()) == [IoRequest(AT + 70, 100, 7, 8, 3, 1, 4096)]
        switches = [each for each in record if isinstance(each, ev.Switch) and each.sleeps]
        assert [record.reason(each) for each in switches] == ["futex", "page fault"]
        assert (record.begin_ns, record.end_ns) == (AT + 50, AT + 200)


def test_numbers_of_tasks_are_used_again(tmp_path: Path) -> None:
    rows = [
        gtr.task(AT, 7, b"old", start_ns=1),
        Row(AT + 1, Code.EXIT, 7, 0, 256, b""),
        Row(AT + 2, Code.FORK, 7, 3, 0, b""),
        gtr.task(AT + 2, 7, b"new", start_ns=2),
        gtr.text(AT + 3, Code.RENAME, 7, b"newer".ljust(16, b"\0")),
        gtr.task(AT + 9, 7, b"after a loss", start_ns=3),
    ]
    with Record.open(
        gtr.write(tmp_path / "a.gtr", [gtr.events(0, rows), gtr.round_at(AT + 9)])
    ) as r:
        old, new, last = r.tasks[7]
        assert (old.name, old.end_ns) == (b"old", AT + 1)
        assert (new.names, new.parent) == ([(AT + 2, b"new"), (AT + 3, b"newer")], 3)
        assert last.name == b"after a loss"
        assert r.task_at(7, AT + 5) is new


def test_every_kind_of_event_has_a_type(tmp_path: Path) -> None:
    rows = [
        Row(AT, Code.FORK, 9, 7, 1, b""),
        Row(AT, Code.ATTACH, 9, 0, 1, struct.pack("<Q", 77)),
        Row(AT, Code.TIMER, 9, 0, 2 | 1 << 4 | 5 << 8, struct.pack("<qQ", -4, 1000)),
        Row(AT, Code.LOST, 0, 0, 12, b""),
        gtr.switch(AT, 2, 0, 0x402, gtr.KERNEL),
        gtr.switch(AT, 9, 0, 0x80, 60),
    ]
    events, _ = read(gtr.write(tmp_path / "a.gtr", [gtr.events(4, rows), gtr.round_at(AT + 1)]))
    assert events[:4] == [
        ev.Fork(AT, 4, 9, 7, thread=True),
        ev.Attach(AT, 4, 9, process=True, cgroup=77),
        ev.Timer(AT, 4, 9, ev.TimerKind.TIMERFD, 5, -4, 1000, absolute=True),
        ev.Lost(AT, 4, 12),
    ]
    kernel, dead = events[4:]
    assert isinstance(kernel, ev.Switch)
    assert isinstance(dead, ev.Switch)
    assert (kernel.kernel, kernel.sleeps) == (True, True)
    assert (dead.ends, dead.sleeps) == (True, False)


def test_file_is_readable_up_to_where_it_was_cut(tmp_path: Path) -> None:
    whole = gtr.write(tmp_path / "a.gtr", gtr.small()).read_bytes()
    events, _ = read(tmp_path / "a.gtr")
    file = tmp_path / "cut.gtr"
    lengths = set()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        if said := refusal(file):
            assert str(file) in said
            assert length < FILE_BYTES + BLOCK_BYTES + 200
            continue
        found, damage = read(file)
        assert damage is not None
        assert "cut off" in damage
        assert found == events[: len(found)]
        lengths.add(len(found))
    assert lengths == {0, 9, 12}  # whole rounds


def test_changed_bit_is_found(tmp_path: Path) -> None:
    whole = gtr.write(tmp_path / "a.gtr", gtr.small()).read_bytes()
    events, _ = read(tmp_path / "a.gtr")
    file = tmp_path / "flipped.gtr"
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        file.write_bytes(changed)
        if said := refusal(file):
            assert str(file) in said
            continue
        found, damage = read(file)
        assert damage is not None, place
        assert found == events[: len(found)], place


def test_content_that_nobody_wrote_is_refused_in_words(tmp_path: Path) -> None:
    random_ = random.Random(4)
    for number in range(300):
        size, events = random_.randrange(400), random_.randrange(20)
        content = random_.randbytes(size)
        if number % 2:  # columns that fit, of any kinds
            words = bytes(random_.randrange(3) for _ in range(events))
            kinds = bytes(random_.randrange(16) for _ in range(events))
            content = kinds + words + random_.randbytes(events * 16 + sum(words) * 8)
        header = Header(Kind.EVENTS, 0, 0, len(content), len(content), 0, events, AT)
        file = gtr.write(tmp_path / "a.gtr", [Block(header, content), gtr.round_at(AT)])
        said = refusal(file)
        assert not said or "damaged" in said


@pytest.mark.parametrize("content", [b"", b"ELF", bytes(100), b"\x89GTR"])
def test_other_files_are_no_records(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.gtr"
    file.write_bytes(content)
    with pytest.raises(RecordError, match=r"is not a record|cut off"):
        Record.open(file)


def test_record_of_a_later_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(framing, "MAJOR", 2)
        gtr.write(tmp_path / "a.gtr", gtr.small())
    with pytest.raises(RecordError, match="version 2 of the format, and this gthulhu reads") as e:
        Record.open(tmp_path / "a.gtr")
    assert e.value.hint == "update gthulhuc"


def test_additions_of_later_versions_are_ignored(tmp_path: Path) -> None:
    rows = [Row(AT, 99, 1, 2, 3, bytes(16)), gtr.switch(AT + 1, 0, 7)]
    block = Block(Header(77, 0, 0, 3, 3, 0, 0, AT), b"new")
    path = gtr.write(tmp_path / "a.gtr", [gtr.events(0, rows), block, gtr.round_at(AT + 5)])
    events, damage = read(path)
    assert (len(events), damage) == (1, None)
    with Record.open(path) as record:
        assert record.counts() == {"switch": 1, "kind 99": 1}


def test_block_does_not_unpack_to_more_than_it_says() -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(1 << 28))
    header = Header(Kind.EVENTS, 1, 0, len(bomb), 100, 0, 1, AT)
    with pytest.raises(ValueError, match="cannot be unpacked"):
        framing.unpack(header, bomb)
    with pytest.raises(ValueError, match="cannot be unpacked"):
        framing.unpack(header, b"no zstd")
    with pytest.raises(ValueError, match="compression 9 is not known"):
        framing.unpack(header._replace(packing=9), bomb)


def test_two_cpus_have_events_at_one_time(tmp_path: Path) -> None:
    rows = [gtr.switch(AT, 0, 7), Row(AT, Code.FORK, 9, 7, 1, b""), gtr.task(AT, 9, b"x")]
    blocks = [gtr.events(0, rows), gtr.events(1, rows[::-1]), gtr.round_at(AT)]
    events, damage = read(gtr.write(tmp_path / "a.gtr", blocks))
    assert (len(events), damage) == (6, None)


def test_an_event_takes_few_bytes(tmp_path: Path) -> None:
    random_, at_ns, rows = random.Random(1), AT, []
    for _ in range(4000):
        at_ns += random_.randrange(2_000, 200_000)
        rows += [
            gtr.waking(at_ns, 7, 0, 4, 99),
            gtr.switch(at_ns + random_.randrange(900, 1900), 0, 7),
        ]
        at_ns += random_.randrange(20_000, 90_000)
        rows.append(gtr.switch(at_ns, 7, 0, gtr.SLEEPS, 202))
    path = gtr.write(tmp_path / "a.gtr", [gtr.events(0, rows[:8000]), gtr.round_at(at_ns)])
    assert path.stat().st_size < 4.2 * 8000
