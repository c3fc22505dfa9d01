# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Turns the events of a record into what each task did: one pass over all CPUs, in order of time.

A wake-up by a task becomes an action of that task, after as much CPU time as it had taken. One by
an interrupt stays where it was. A timer, and a request to a device, become what was asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from gthulhu.record import events as ev
from gthulhu.record.reader import Record, Task
from gthulhu_lab.replay import loops
from gthulhu_lab.replay.actions import (
    Action,
    Cause,
    Course,
    Gift,
    Overhead,
    RealTime,
    Replayable,
    Request,
)
from gthulhu_lab.replay.endings import Endings
from gthulhu_lab.replay.merged import Merges
from gthulhu_lab.replay.places import Maybe, Place, State, waits_for_timer
from gthulhu_lab.simulation.behaviours import CLONE_THREAD
from gthulhu_lab.simulation.tasks import text

_BY_DEADLINE = {1, 2, 6}  # SCHED_FIFO, SCHED_RR, SCHED_DEADLINE: before all of sched_ext
_NET = {ev.SOFTIRQS.index("net tx"), ev.SOFTIRQS.index("net rx")}
_TICKS = ev.SOFTIRQS.index("timer")
_BLOCK = ev.SOFTIRQS.index("block")
_SLEEPING = {"nanosleep", "clock_nanosleep"}
_BY_ITSELF = {"poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2"}
"""Calls whose limits the kernel turns into times of the clock; programs use them as timers, too."""
_SYNC = _BY_ITSELF | {
    "read", "readv", "recvfrom", "recvmsg", "recvmmsg", "accept", "accept4", "connect",
    "wait4", "waitid",
}  # fmt: skip
"""Calls that wait for a pipe, a socket or a child: whoever wakes them tells that it sleeps soon."""


def extract(
    record: Record, overhead: Overhead, *, tell: Callable[[float], None] = lambda _: None
) -> Replayable:
    """Returns a record as the model replays it. `tell` is told how much is done, up to 1.

    Raises RecordError.
    """
    return _Extraction(record, overhead).run(tell)


class _Extraction:
    def __init__(self, record: Record, overhead: Overhead) -> None:
        self._record = record
        self._overhead = overhead
        self._begin_ns = record.begin_ns
        self._places: dict[int, Place] = {}
        self._courses: list[Course] = []
        self._maybes: list[Maybe] = []
        self._real_time: list[RealTime] = []
        self._endings = Endings(self._begin_ns)
        self._lost = 0
        self._merges = Merges()
        self._by_number: dict[int, Place] = {}
        self._ran: Counter[bytes] = Counter()

    def run(self, tell: Callable[[float], None]) -> Replayable:
        length_ns = self._record.end_ns - self._begin_ns
        self._introduce()
        for number, event in enumerate(self._record):
            if not number % 100_000:
                tell(max(0, event.at_ns - self._begin_ns) / max(length_ns, 1))
            self._take(event)
        for place in self._places.values():
            self._end(place, self._record.end_ns)
        whole_ns = length_ns * max(1, len(self._record.cpus))
        self._endings.decide_network(self._maybes, self._ran, whole_ns)
        merged = self._merges.insert()
        for place in self._by_number.values():
            loops.close(
                place.course,
                sleeps=place.state is State.SLEEPS,
                waits_for_timer=waits_for_timer(place),
            )
        return Replayable(
            length_ns,
            self._courses,
            self._endings.timers,
            sorted(self._endings.gifts, key=lambda gift: gift.at_ns),
            self._real_time,
            self._lost,
            merged,
        )

    # ---- Tasks ----

    def _introduce(self) -> None:
        """The tasks that were there before, parents and leaders of processes first."""
        for tasks in self._record.tasks.values():
            if tasks[0].begin_ns is None or tasks[0].begin_ns <= self._begin_ns:
                self._add(tasks[0])

    def _add(self, task: Task) -> Place:
        course = Course(len(self._courses) + 2, task)
        self._courses.append(course)
        place = Place(course)
        if task.facts:
            place.facts = task.facts[0]
            place.is_real_time = task.facts[0].policy in _BY_DEADLINE
        self._places[task.number] = self._by_number[course.number] = place
        return place

    def _place(self, number: int, at_ns: int) -> Place | None:
        """Of the task that has a number; None: the idle task."""
        if not number:
            return None
        if place := self._places.get(number):
            return place
        task = self._record.task_at(number, at_ns) or Task(number)
        return self._add(task)

    # ---- Events ----

    def _take(self, event: ev.Event) -> None:
        if event.at_ns < self._begin_ns:
            return
        match event:
            case ev.Switch():
                self._switch(event)
            case ev.Waking():
                self._waking(event)
            case ev.Fork():
                self._fork(event)
            case ev.Timer():
                self._timer(event)
            case ev.IoBegin():
                self._device(event)
            case ev.Lost():
                self._lost += event.events
            case _:
                self._change(event)

    def _switch(self, event: ev.Switch) -> None:
        if prev := self._place(event.prev, event.at_ns):
            self._leave(prev, event)
        if place := self._place(event.next, event.at_ns):
            if place.state is State.UNKNOWN:
                place.course.runs_first = True
            if place.state is State.SLEEPS and place.sleep is not None:
                # The wake-up was told before this sleep, which it ended.
                place.sleep.kind = ""
                place.sleep = None
            place.state = State.RUNS
            # The kernel's part of a switch is the model's.
            place.since_ns = event.at_ns + self._overhead.switch_ns
            place.entered_ns = event.at_ns

    def _leave(self, place: Place, event: ev.Switch) -> None:
        if place.state is State.UNKNOWN:
            place.course.runs_first = True
            place.since_ns = self._begin_ns
        if place.state is not State.SLEEPS:
            self._ran[place.course.task.name] += max(0, event.at_ns - place.since_ns)
        if place.is_real_time:
            since_ns = place.since_ns - self._overhead.switch_ns
            length_ns = event.at_ns - max(since_ns, self._begin_ns)
            at_ns = max(since_ns, self._begin_ns) - self._begin_ns
            self._real_time.append(RealTime(at_ns, event.cpu, max(1, length_ns)))
        self._compute(place, event.at_ns)
        if place.entered_ns is not None:
            place.course.entries += event.entries
            place.course.counted_ns += max(0, event.at_ns - place.entered_ns)
            place.entered_ns = None
        if event.ends:
            self._flush(place)
            place.course.actions.append(Action("q"))
            place.state = State.ENDED
        elif event.sleeps:
            self._sleep(place, event)
        else:
            place.state = State.WAITS

    def _sleep(self, place: Place, event: ev.Switch) -> None:
        self._flush(place)
        self._end_round(place, event.at_ns)
        place.state = State.SLEEPS
        place.sleep = Action("t")
        place.sleep_ns = event.at_ns
        place.call = self._record.reason(event)
        place.waits_for_device = event.iowait
        place.course.actions.append(place.sleep)

    def _compute(self, place: Place, at_ns: int) -> None:
        """Counts the CPU time up to now of a task that runs."""
        if place.state is State.UNKNOWN:
            place.state, place.since_ns = State.RUNS, self._begin_ns
            place.course.runs_first = True
        if place.state is State.RUNS:
            place.computed_ns += max(0, at_ns - place.since_ns)
            place.since_ns = max(at_ns, place.since_ns)

    def _flush(self, place: Place) -> None:
        if place.computed_ns:
            place.course.actions.append(Action("c", place.computed_ns))
            place.course.computed_ns += place.computed_ns
            self._merges.computes(place.course.number, place.computed_ns)
            place.computed_ns = 0

    def _count(self, place: Place, at_ns: int) -> None:
        """Counts what it has computed so far."""
        if place.state is State.RUNS:
            self._compute(place, at_ns)
        self._flush(place)

    def _end_round(self, place: Place, at_ns: int) -> None:
        """Notes tasks that were awake: a wake-up of them leaves no trace."""
        awake = {}
        for other in self._merges.others(place.course.number):
            state = self._by_number[other].state
            if state is State.ENDED:
                self._merges.drop(place.course.number, other)
            else:
                awake[other] = state is not State.SLEEPS
        for other, is_awake in awake.items():
            if is_awake:
                self._count(self._by_number[other], at_ns)
        self._merges.ends(place.course, awake)

    def _act(self, place: Place, at_ns: int, action: Action) -> Action:
        """The task does something after the CPU time that it has taken so far."""
        if place.state in {State.RUNS, State.UNKNOWN}:
            self._compute(place, at_ns)
        self._flush(place)
        place.course.actions.append(action)
        return action

    # ---- Wake-ups ----

    def _waking(self, event: ev.Waking) -> None:
        woken = self._place(event.task, event.at_ns)
        waker = self._place(event.current, event.at_ns)
        if woken is None or woken is waker or woken.state is State.ENDED:
            return
        if woken.state is State.UNKNOWN:
            # It slept since before the record.
            woken.state, woken.sleep, woken.sleep_ns = State.SLEEPS, Action("t"), self._begin_ns
            woken.course.actions.append(woken.sleep)
        elif woken.state is not State.SLEEPS:
            # It was about to sleep, and does not: the wake-up came before.
            woken.sleep = self._act(woken, event.at_ns, Action("t"))
            woken.sleep_ns = event.at_ns
        cause = self._cause(event, woken, waker)
        woken.course.causes[cause] += 1
        if woken.sleep is not None:
            woken.by_call[woken.call] = woken.sleep
        woken.sleep = woken.request = None
        woken.device = None
        if woken.state is State.SLEEPS:
            woken.state = State.WAITS
        self._merges.begins(woken.course, event.at_ns)

    def _cause(self, event: ev.Waking, woken: Place, waker: Place | None) -> Cause:
        assert woken.sleep is not None
        match event.context:
            case ev.Context.TASK:
                return self._by_task(event, woken, waker)
            case ev.Context.TIMER:
                return self._by_timer(event, woken)
            case ev.Context.SOFTIRQ if event.source in _NET:
                return self._by_network(event, woken, waker)
            case ev.Context.SOFTIRQ if event.source == _TICKS:
                self._for(woken, event.at_ns)
                return Cause.TIMER if woken.course.is_kernel else Cause.LIMIT
            case ev.Context.UNKNOWN:
                self._gift(event, woken)
                return Cause.UNTOLD
            case _ if woken.device and (
                woken.waits_for_device or event.source == _BLOCK or not self._is_soft(event)
            ):
                action, since_ns = woken.device
                action.kind, action.value = "b", event.at_ns - since_ns
                woken.sleep.kind = "u"
                return Cause.DEVICE
            case _:
                self._gift(event, woken)
                return Cause.INTERRUPT

    @staticmethod
    def _is_soft(event: ev.Waking) -> bool:
        return event.context is ev.Context.SOFTIRQ

    def _by_task(self, event: ev.Waking, woken: Place, waker: Place | None) -> Cause:
        if waker is None:
            self._gift(event, woken)
            return Cause.INTERRUPT
        if waker.is_real_time:
            self._gift(event, woken)
            return Cause.CUT
        self._give(event, woken, waker)
        return Cause.TASK

    def _give(self, event: ev.Waking, woken: Place, waker: Place) -> Action:
        kind = "s" if woken.call in _SYNC else "w"
        action = self._act(waker, event.at_ns, Action(kind, woken.course.number))
        self._merges.wakes(waker.course.number, woken.course.number)
        # The kernel's part of a wake-up is the model's.
        if waker.state is State.RUNS:
            waker.since_ns = event.at_ns + self._overhead.wake_ns
        return action

    def _gift(self, event: ev.Waking, woken: Place) -> None:
        at_ns = event.at_ns - self._begin_ns
        self._endings.gifts.append(Gift(at_ns, woken.course.number, event.cpu, woken.call in _SYNC))

    def _for(self, woken: Place, at_ns: int) -> None:
        """It sleeps as long as it did."""
        assert woken.sleep is not None
        woken.sleep.kind, woken.sleep.value = "z", max(1, at_ns - woken.sleep_ns)

    def _by_network(self, event: ev.Waking, woken: Place, waker: Place | None) -> Cause:
        """Through the loopback device, the sender's own CPU does the work of the network."""
        if waker is None or waker.is_real_time:
            self._gift(event, woken)
            return Cause.NETWORK
        gift = Gift(event.at_ns - self._begin_ns, woken.course.number, event.cpu, is_sync=True)
        self._maybes.append(Maybe(waker, self._give(event, woken, waker), woken, gift))
        return Cause.LOOPBACK

    def _by_timer(self, event: ev.Waking, woken: Place) -> Cause:
        assert woken.sleep is not None
        request = woken.request
        if request is not None and request.event.id == event.source:
            return self._by_request(event, woken, request)
        woken.by_timer[event.source].append((woken.sleep, event.at_ns, None))
        return Cause.TIMER

    def _by_request(self, event: ev.Waking, woken: Place, request: Request) -> Cause:
        assert woken.sleep is not None
        is_sleep = woken.call in _SLEEPING or woken.call in _BY_ITSELF
        if request.event.absolute and woken.call not in _BY_ITSELF and is_sleep:
            due_ns = request.event.at_ns + request.event.duration_ns
            # Without a period, the task has added a duration to what the clock said.
            woken.by_timer[-1].append((woken.sleep, event.at_ns, due_ns))
        request.action.value = event.at_ns - request.event.at_ns
        request.action.kind, woken.sleep.kind = "b", "u"
        return Cause.TIMER if is_sleep or woken.course.is_kernel else Cause.LIMIT

    # ---- Requests, forks, changes ----

    def _timer(self, event: ev.Timer) -> None:
        place = self._place(event.task, event.at_ns)
        if place is None or place.state is State.ENDED:
            return
        if event.period_ns:
            self._endings.periodic[event.id] = Request(event, Action(""))
        elif event.kind is ev.TimerKind.SLEEP:
            place.request = Request(event, self._act(place, event.at_ns, Action("")))

    def _device(self, event: ev.IoBegin) -> None:
        place = self._place(event.task, event.at_ns)
        if place is not None and place.state is State.RUNS:
            place.device = self._act(place, event.at_ns, Action("")), event.at_ns

    def _fork(self, event: ev.Fork) -> None:
        parent = self._place(event.parent, event.at_ns)
        early = self._places.pop(event.task, None)
        task = self._record.task_at(event.task, event.at_ns) or Task(event.task, event.at_ns)
        child = self._add(task)
        child.state = State.WAITS
        if early is not None and early.state is State.RUNS:
            # The clocks of CPUs differ: it began to run before its parent's CPU told of the fork.
            child.state, child.since_ns = State.RUNS, early.since_ns
        if parent is None or parent.is_real_time or parent.state is State.ENDED:
            child.course.runs_first = True
            return
        child.course.is_forked = True
        flags = CLONE_THREAD if event.thread else 0
        self._act(parent, event.at_ns, Action("f", child.course.number, flags))

    def _change(self, event: ev.Event) -> None:
        match event:
            case ev.Exit():
                self._apply(event.task, event.at_ns, Action("e"))
            case ev.Rename():
                self._apply(event.task, event.at_ns, Action("n", text(event.name)))
            case ev.Attach():
                self._attach(event)
            case ev.Described():
                self._describe(event)

    def _apply(self, number: int, at_ns: int, action: Action) -> None:
        place = self._place(number, at_ns)
        if place is not None and place.state is not State.ENDED:
            self._act(place, at_ns, action)

    def _attach(self, event: ev.Attach) -> None:
        path = self._record.cgroups.get(event.cgroup, b"/")
        leader = self._place(event.task, event.at_ns)
        if leader is None:
            return
        process = leader.course.task.process
        for place in list(self._places.values()):
            is_other = event.process and place.course.task.process == process
            if place is leader or is_other:
                self._apply(place.course.task.number, event.at_ns, Action("g", text(path)))

    def _describe(self, event: ev.Described) -> None:
        place = self._place(event.task, event.at_ns)
        if place is None:
            return
        before, place.facts = place.facts, event
        place.is_real_time = event.policy in _BY_DEADLINE
        if before is None:
            return
        if event.nice != before.nice:
            self._act(place, event.at_ns, Action("i", event.nice))
        if (event.uid, event.gid) != (before.uid, before.gid):
            self._act(place, event.at_ns, Action("o", event.uid, event.gid))
        if event.session != before.session:
            self._act(place, event.at_ns, Action("k", event.session))
        if event.affinity != before.affinity:
            self._act(place, event.at_ns, Action("m", _mask(event.affinity)))

    # ---- At the end of the record ----

    def _end(self, place: Place, end_ns: int) -> None:
        if place.state is State.RUNS:
            self._compute(place, end_ns)
        self._flush(place)
        for id_, sleeps in place.by_timer.items():
            self._endings.find_period(place, id_, sleeps)


def _mask(affinity: frozenset[int] | None) -> str:
    """As the model reads it; all CPUs of the largest machine for None."""
    if affinity is None:
        return "0x" + "f" * 256
    return f"{sum(1 << cpu for cpu in affinity):#x}"
