# SPDX-License-Identifier: Apache-2.0
"""The reader of the kernel's trace buffers."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from gthulhu.tracing import ring

DATA = Path(__file__).parents[1] / "data"
KERNELS = ("6.16", "7.2")


def formats(kernel: str) -> dict[str, ring.Format]:
    """The events of a kernel, as it describes them."""
    text = (DATA / f"trace-formats-{kernel}.txt").read_text()
    parts = text.split("name: ")[1:]
    found = [ring.parse_format(part.partition("\n")[0], part) for part in parts]
    return {form.name: form for form in found}


def written(form: ring.Format, size: int, **fields: Any) -> bytes:
    """An event as the kernel has it."""
    values = [fields[name] for name in form.fields]
    content = bytearray(size)
    form.layout.pack_into(content, 0, *values)
    struct.pack_into("<H", content, 0, form.number)
    return bytes(content)


def short(delta: int, content: bytes) -> bytes:
    assert len(content) % 4 == 0
    return struct.pack("<I", len(content) // 4 | delta << 5) + content


def page(begin_ns: int, *entries: bytes, flags: int = 0) -> bytes:
    content = b"".join(entries)
    return struct.pack("<QQ", begin_ns, len(content) | flags) + content + bytes(64)


@pytest.mark.parametrize("kernel", KERNELS)
def test_events_are_read_as_the_kernel_describes_them(kernel: str) -> None:
    forms = formats(kernel)
    waking = forms["sched_waking"]
    event = written(
        waking, 36, common_pid=7, comm=b"a b=c\0xxxxxxxxxx", pid=8, prio=120, target_cpu=1
    )
    switch = written(
        forms["sched_switch"], 64, common_pid=7, prev_comm=b"one", prev_pid=7, prev_prio=120,
        prev_state=0x100, next_comm=b"two", next_pid=8, next_prio=-1,
    )  # fmt: skip
    free = forms["sched_process_free"]
    gone = written(free, 20, common_pid=7, comm=20 | 5 << 16, pid=9, prio=120) + b"gone\0\0\0\0"
    extend = struct.pack("<II", 30 | 5 << 5, 3)
    stamp = struct.pack("<II", 31 | 9 << 5, 1 << 10)
    discarded = struct.pack("<II", 29 | 1 << 5, 12) + bytes(8)
    long = struct.pack("<II", 0 | 2 << 5, 4 + len(event)) + event
    pages = [
        page(1000, short(0, event), short(10, switch), extend, short(1, event)),
        page(1 << 30, discarded, long, stamp, short(0, gone), struct.pack("<I", 29), flags=1 << 31),
    ]
    numbers = {form.number: form for form in forms.values()}
    events = list(ring.events(pages, 3, numbers))
    assert [each.name for each in events] == [
        "sched_waking", "sched_switch", "sched_waking", "sched_waking", "sched_process_free",
    ]  # fmt: skip
    assert [each.at_ns for each in events] == [
        1000, 1010, 1010 + 5 + (3 << 27) + 1, (1 << 30) + 3, 9 + (1 << 37)
    ]  # fmt: skip
    assert [each.lost for each in events] == [False, False, False, True, False]
    assert {each.cpu for each in events} == {3}
    assert events[0].fields == {"comm": "a b=c", "pid": 8, "prio": 120, "target_cpu": 1}
    assert (events[1].task, events[1].fields["next_prio"]) == (7, -1)
    assert events[1].fields["prev_state"] == 0x100
    assert events[4].fields == {"comm": "gone", "pid": 9, "prio": 120}


def test_an_event_of_another_kind_is_skipped() -> None:
    content = struct.pack("<Hxxi", 9999, 1)
    assert list(ring.events([page(1, short(1, content))], 0, {})) == []
    assert ring.used(page(1)) == 0
