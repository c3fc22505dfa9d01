# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The files that the guest of a scene leaves: a trace of four groups, and the rule of each task."""

from __future__ import annotations

import json

from gthulhu_lab.request import GuestResult
from verified import ENVIRONMENT

HEAD = "# entries-in-buffer/entries-written: 1/1   #P:2\n"


def stat(
    pid: int, tid: int, session: int, state: str, parent: int = 1, *, ticks: int = 0, cpu: int = 0
) -> str:
    """A line of /proc/PID/task/TID/stat, as `grep` prints it, up to the field of the CPU."""
    return (
        f"/proc/{pid}/task/{tid}/stat:{tid} (x) {state} {parent} 1 {session} 0 -1 0 0 0 0 0"
        f" {ticks} 0{' 0' * 23} {cpu}\n"
    )


def event(us: int, cpu: int, text: str) -> str:
    return f"  task-1  [{cpu:03}] d..2.  1.{us:06}: {text}\n"


def switch(us: int, cpu: int, before: int, after: int, state: str = "S") -> str:
    return event(
        us, cpu,
        f"sched_switch: prev_comm=a prev_pid={before} prev_prio=120 prev_state={state} ==> "
        f"next_comm=b next_pid={after} next_prio=120",
    )  # fmt: skip


def wakeup(us: int, pid: int) -> str:
    return event(us, 0, f"sched_wakeup: comm=b pid={pid} prio=120 target_cpu=000")


# Task 10 is what is measured, of two threads; 20 to 22 are hogs, 20 only waits for them; 30 is the
# guest's shell.
TRACE = HEAD + "".join(
    [
        event(0, 0, "tracing_mark_write: begin"),
        switch(0, 0, 0, 21),
        switch(0, 1, 0, 22),
        wakeup(100, 11),
        switch(150, 0, 21, 11, "R"),
        switch(200, 0, 11, 21),
        event(300, 1, "sched_process_fork: comm=b pid=22 child_comm=b child_pid=23"),
        switch(400, 1, 22, 23),
        switch(600, 0, 21, 30, "R"),
        switch(1000, 0, 30, 0),
        event(1000, 0, "tracing_mark_write: end"),
    ]
)


def left(trace: str = TRACE, *, state: str = "S", hogs: int = 1) -> dict[str, bytes]:
    threads = [(10, 10, 10), (10, 11, 10), (20, 20, 20), (21, 21, 20), (22, 22, 20), (30, 30, 1)]
    stats = "".join(stat(pid, tid, session, state) for pid, tid, session in threads).encode()
    owners = ["rule `ran` (test.gpl:3)", "rule `builders` (test.gpl:4)", "`default`"]
    classes = {10: 0, 11: 0, 20: 1, 21: hogs, 22: 1, 30: 2}
    rules = json.dumps(
        {
            "ok": True,
            "classes": [{"owner": owner} for owner in owners],
            "tasks": [{"tid": tid, "class": number} for tid, number in classes.items()],
        }
    ).encode()
    return {
        "scheduler": b"gthulhu_t\n", "state": b"enabled\n", "pid-0": b"10\n", "pid-1": b"20\n",
        "stat-before": stats, "stat-after": stats, "rules-before": rules, "rules-after": rules,
        "scene.trace": trace.encode(),
    }  # fmt: skip


def guest_result(files: dict[str, bytes]) -> GuestResult:
    return GuestResult(
        status=0, files=files, stdout="", stderr="", console="", dmesg="", splats=(),
        timed_out=False, wall_s=1.0, environment=ENVIRONMENT.model_copy(update={"cpus": 2}),
    )  # fmt: skip
