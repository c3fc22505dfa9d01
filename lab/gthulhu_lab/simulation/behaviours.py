# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The work of the catalogue's workloads, as steps of the host model (`sim/script.c`).

Its times are the parameters of the catalogue. The times of the kernel's part are estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

US, MS = 1_000, 1_000_000
CLONE_THREAD = 0x10000
"""A flag of clone(2): the new task is a thread of its maker's process."""
MESSAGE_NS = 5 * US
"""To wake another task, or to answer."""
INSTRUCTION_NS = 0.43
"""The time of one of the kernel's instructions, on a machine (costs.toml)."""
# Instructions of `forks`, counted in a guest: to make a process; until exec() gives it a new name;
# until it has its own again; and until it has ended.
_FORK, _FORKED, _EXECUTED, _NAMED = 100_000, 100_000, 335_000, 95_000
_CONNECTION_NS = 20 * US  # to open a connection over the loopback device, and to close it
_LINK_NS = 100 * US  # how long the next process of a chain and the one before are there together
_ROOM = 200  # messages that fit into a socket

Values = Mapping[str, int]
"""The parameters of a workload, by name."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The work that the tasks of a unit repeat.

    Without steps a task computes for ever. `others`: the steps of each other task of the unit; two
    tasks are partners. `shared`: those of tasks that are there once for all units. `forked`: those
    of tasks that a step starts. In steps, `{own[0]}` and `{all[0]}` are semaphores of the unit and
    of all units, `{forked[0]}` is the first script of `forked`, and `{name}` the task's name.
    `period_ns`: the due times of the units are spread over it, and `{due}` is the unit's. `cpus`:
    the affinity, all CPUs if empty. `is_threaded`: all tasks are threads of one process, else
    processes.
    """

    steps: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()
    shared: tuple[tuple[str, ...], ...] = ()
    forked: tuple[tuple[str, ...], ...] = ()
    period_ns: int = 0
    cpus: frozenset[int] = frozenset()
    is_threaded: bool = False


@dataclass(frozen=True, slots=True)
class _Queue:
    """A bounded queue: a semaphore for what is in it, and one for the room that is left.

    `whose`: `own` for a queue of the unit, `all` for one of all units.
    """

    whose: str
    number: int

    def open(self, room: int) -> str:
        """The step that makes it."""
        return f"post:{self._room}:{room}"

    def put(self) -> tuple[str, ...]:
        """The steps of a producer."""
        return f"down:{self._room}", f"post:{self._items}"

    def take(self) -> tuple[str, ...]:
        """The steps of a consumer."""
        return f"down:{self._items}", f"post:{self._room}"

    @property
    def _items(self) -> str:
        return f"{{{self.whose}[{2 * self.number}]}}"

    @property
    def _room(self) -> str:
        return f"{{{self.whose}[{2 * self.number + 1}]}}"


def run(time_ns: int) -> str:
    """The step of a task that computes for that long."""
    return f"run:{time_ns}"


def sleeper(run_ns: int, sleep_ns: int) -> Behaviour:
    """Returns a task that computes and sleeps in turns, give or take a half."""
    return Behaviour((run(run_ns), f"sleep:{sleep_ns}"))


def pair(run_ns: int) -> Behaviour:
    """Returns two tasks that compute in turns."""
    return Behaviour((run(run_ns), "give", "take"), (("take", run(run_ns), "give"),))


# The half of a message that comes after the wake-up delays the task that was woken.
_SEND = (run(MESSAGE_NS // 2), "give", run(MESSAGE_NS // 2))


def _ping_pong(_values: Values) -> Behaviour:
    return Behaviour((*_SEND, "take"), (("take", *_SEND),))


def _waker(values: Values) -> Behaviour:
    period_ns = values["period_us"] * US
    return Behaviour((run(MESSAGE_NS), f"until:{period_ns}:{{due}}"), period_ns=period_ns)


def _rpc(values: Values) -> Behaviour:
    ask = (f"nap:{values['sleep_us'] * US}", *_SEND, "take")
    return Behaviour(ask, (("take", run(values["work_us"] * US), *_SEND),))


def _wakeup_tree(values: Values) -> Behaviour:
    own = (f"nap:{values['sleep_us'] * US}", run(values["work_us"] * US))
    hand_out = ("down:{all[0]}", "post:{all[1]}")
    return Behaviour(
        (*own, "post:{all[0]}", "down:{all[1]}"),
        shared=(hand_out,) * values["messengers"],
        is_threaded=True,
    )


def _messages(values: Values) -> Behaviour:
    work, sockets = run(MESSAGE_NS), [_Queue("own", peer) for peer in range(values["peers"])]
    receivers = [(each.open(_ROOM), *each.take(), work, "repeat:1:0") for each in sockets]
    sender = tuple(step for each in sockets for step in (work, *each.put()))
    first, *others = receivers
    return Behaviour(first, (*others, *(sender for _ in sockets)))


def forks(instruction_ns: float = INSTRUCTION_NS) -> Behaviour:
    """Returns a task that starts processes, each of which executes a program and ends."""
    make, begin, execute, end = (
        run(round(number * instruction_ns)) for number in (_FORK, _FORKED, _EXECUTED, _NAMED)
    )
    # The workload executes /proc/self/exe, and a program has its file's name at first.
    child = (begin, "exec:exe", execute, "name:{name}", end, "post:{own[0]}", "exit")
    return Behaviour((make, "fork:{forked[0]}:0", "down:{own[0]}"), forked=(child,))


def _fork_chain(_values: Values) -> Behaviour:
    link = (run(MS - _LINK_NS), "fork:{forked[0]}:0", run(_LINK_NS), "exit")
    return Behaviour(link, forked=(link,))


def _pipeline(values: Values) -> Behaviour:
    decode, filter_, encode = (
        run(values[f"{name}_us"] * US) for name in ("decode", "filter", "encode")
    )
    first, *others = queues = [_Queue("all", number) for number in range(values["filters"] + 1)]
    opened = [each.open(values["depth"]) for each in queues]
    decoder = (*opened, decode, *first.put(), f"repeat:{len(opened)}:0")
    filters = (
        (*before.take(), filter_, *after.put())
        for before, after in zip(queues, others, strict=False)
    )
    encoder = (*queues[-1].take(), encode)
    return Behaviour(encoder, shared=(decoder, *filters), is_threaded=True)


_CLIENT = (run(_CONNECTION_NS), "post:{all[0]}", "down:{all[1]}")


def _web_events(values: Values) -> Behaviour:
    server = ("down:{all[0]}", run(_CONNECTION_NS + values["work_us"] * US), "post:{all[1]}")
    return Behaviour(_CLIENT, shared=(server,))


def _web_threads(values: Values) -> Behaviour:
    server = ("down:{all[0]}", run(_CONNECTION_NS), f"fork:{{forked[0]}}:{CLONE_THREAD}")
    thread = (run(values["work_us"] * US), "post:{all[1]}", "exit")
    return Behaviour(_CLIENT, shared=(server,), forked=(thread,))


OF_WORKLOADS: Mapping[str, Callable[[Values], Behaviour]] = {
    "waker": _waker,
    "rpc": _rpc,
    "rpc-udp": _rpc,
    "hogs": lambda _: Behaviour(),
    "pinned-hogs": lambda values: Behaviour(cpus=frozenset((values["cpu"],))),
    "pipe": _ping_pong,
    "futex": _ping_pong,
    "wakeup-tree": _wakeup_tree,
    "messages": _messages,
    "forks": lambda _: forks(),
    "fork-chain": _fork_chain,
    "pipeline": _pipeline,
    "web-events": _web_events,
    "web-threads": _web_threads,
}
"""The workloads of the catalogue that need no kernel, by name."""
