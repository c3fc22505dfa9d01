# SPDX-License-Identifier: Apache-2.0
"""In a guest: kills commands somewhere in their lives, and looks at the machine after each.

    kills.py SEED ROUNDS FOLDER MODULE...

prints a line for each kind: rounds, those still alive when killed, and the seconds of a life.
Commands are forked from a Python that has all modules: what is killed is the command, not the
start of Python, which takes most of a command's life in an emulated guest.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import pty
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gthulhu import control
from gthulhuc.cli import compile as compiler
from gthulhuc.cli import gthulhu

STATE = "/run/gthulhu"
PATIENCE_S = 240.0
LOADER = "gthulhu-loader"
ENDLESS_S = 1.0  # of a command that ends by a signal alone, this much
ATTEMPTS = 5  # to kill a command before it has ended
QUANTA = ("300us", "700us")
INSTANCES = Path("/sys/kernel/tracing/instances")


@dataclass(frozen=True)
class Kind:
    """A command. `share`: of the rounds, in %; `starts`: puts a policy in force where none is."""

    line: str
    share: int
    starts: bool = False
    ends: bool = True
    terminal: bool = False


KINDS = {
    "run": Kind("run first.gpl --stats", 5, starts=True, ends=False),
    "detach": Kind("run first.gpl --stats --detach", 5, starts=True),
    "swap": Kind("swap first.gpl --stats", 5),
    "swap-object": Kind("swap second.bpf.o", 20),
    "set": Kind(f"set quantum={QUANTA[1]}", 15),
    "label": Kind("label WORKER tier=front", 15),
    "agent": Kind("agent", 10, ends=False),
    "trace": Kind("trace -o FOLDER/t.pftrace --seconds 0.3", 10),
    "metrics": Kind("metrics --listen 127.0.0.1:0", 10, ends=False),
    "top": Kind("top", 5, ends=False, terminal=True),
}


def main() -> None:
    seed, rounds, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for module in sys.argv[4:]:
        importlib.import_module(module)
    assert compiler.main(["first.gpl", "--stats", "-o", f"{folder}/warm.bpf.o"]) == 0
    draw = random.Random(seed)
    machine = Machine(folder)
    order = draw.choices(list(KINDS), [kind.share for kind in KINDS.values()], k=rounds)
    lives = {}
    for name in sorted(set(order)):
        kind = KINDS[name]
        machine.prepare(kind)
        lives[name] = machine.live(kind)
        machine.check(kind)
        _tell(f"{name} takes {lives[name]:.2f} s")
    alive = dict.fromkeys(lives, 0)
    for number, name in enumerate(order):
        kind = KINDS[name]
        life_s = lives[name]
        for _ in range(ATTEMPTS):
            machine.prepare(kind)
            after_s = draw.uniform(0, life_s)
            _tell(f"round {number}: {name} is killed after {after_s:.3f} s of {life_s:.3f}")
            was_alive = machine.kill(kind, after_s)
            machine.check(kind)
            if was_alive:
                alive[name] += 1
                break
            # The machine has less to do than when the life was measured.
            life_s = after_s
    machine.end()
    for name, life_s in lives.items():
        print(name, order.count(name), alive[name], f"{life_s:.2f}")


class Machine:
    """State that must be unchanged, whichever process was killed."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._workers = [_fork(work) for work in (_run, _sleep, _sleep)]
        self._before: control.Answer | None = None

    def prepare(self, kind: Kind) -> None:
        """A policy in force, or none; and what is set and labelled."""
        if kind.starts == (self._status() is not None):
            self._must(["stop"] if kind.starts else ["run", "first.bpf.o", "--detach"])
        if not kind.starts:
            self._must(["set", f"quantum={QUANTA[0]}"])
            self._must(["label", str(self._workers[0]), "tier-"])
        self._before = self._status()

    def live(self, kind: Kind) -> float:
        """How long a command takes that is let alone."""
        began = time.monotonic()
        pid = self._begin(kind)
        if kind.ends:
            _, status = os.waitpid(pid, 0)
            assert status == 0, (kind, status, self._said())
        else:
            if kind.starts:
                _until("it is in force", lambda: self._status() is not None, self._said)
            time.sleep(ENDLESS_S)
            os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
        return time.monotonic() - began

    def kill(self, kind: Kind, after_s: float) -> bool:
        """Whether it was still there to be killed."""
        pid = self._begin(kind)
        time.sleep(after_s)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        return os.WIFSIGNALED(status)

    def check(self, kind: Kind) -> None:
        """All tasks live, the policy before or the one that was asked for is in force, no rest."""
        self._get_on()
        assert not list(Path("/sys/fs/bpf").iterdir())
        now = self._settled() if kind.starts else self._status()
        if kind.starts:
            state = Path("/sys/kernel/sched_ext/state").read_text()
            assert state == ("enabled\n" if now else "disabled\n")
        else:
            assert self._before is not None
            assert now is not None, self._said()
            assert now["in_force"] is True
            if "swap" not in kind.line:
                assert now["generation"] == self._before["generation"]
            (value,) = [each["value"] for each in now["tunables"]]
            assert value in QUANTA, now
            own = control.ask(STATE, "label", str(self._workers[0]))["own"]
            assert [each["fact"] for each in own] in ([], ["label:tier=front"]), own
        self._look_around(now)

    def end(self) -> None:
        """The next commands do what they are for."""
        if self._status() is None:
            self._must(["run", "first.gpl", "--stats", "--detach"])
        self._must(["swap", "second.bpf.o"])
        self._must(["rollback"])
        self._must(["trace", "-o", f"{self._folder}/t.pftrace", "--seconds", "0.1"])
        assert not list(INSTANCES.iterdir())
        self._must(["stop"])
        self._get_on()
        for worker in self._workers:
            os.kill(worker, signal.SIGKILL)

    # ---- commands -------------------------------------------------------------------------------

    def _begin(self, kind: Kind) -> int:
        words = {"WORKER": str(self._workers[0])}
        line = kind.line.replace("FOLDER", self._folder)
        arguments = [words.get(word, word) for word in line.split()]
        return self._start(arguments, terminal=kind.terminal)

    def _start(self, arguments: Sequence[str], *, terminal: bool = False) -> int:
        pid, screen = pty.fork() if terminal else (os.fork(), None)
        if pid:
            if screen is not None:
                self._screen = os.fdopen(screen)  # closed with the next one
            return pid
        code = 70
        try:
            if not terminal:
                said = os.open(f"{self._folder}/said", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
                for stream in (1, 2):
                    os.dup2(said, stream)
            code = gthulhu.main(list(arguments))
        except SystemExit as ending:
            code = int(ending.code or 0)
        finally:
            with contextlib.suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    def _must(self, arguments: Sequence[str]) -> None:
        _, status = os.waitpid(self._start(arguments), 0)
        assert status == 0, (arguments, status, self._said())

    def _said(self) -> str:
        return Path(self._folder, "said").read_text()

    # ---- the machine ----------------------------------------------------------------------------

    def _status(self) -> control.Answer | None:
        try:
            return control.ask(STATE, "status")
        except control.NotRunningError:
            return None

    def _settled(self) -> control.Answer | None:
        """When a loader has its policy in force, or none is there."""
        found = self._status()
        while found is None and _loaders():
            time.sleep(0.02)
            found = self._status()
        _until("none is in force", lambda: bool(found) or not _is_enabled())
        return found

    def _get_on(self) -> None:
        before = [_ran(worker) for worker in self._workers]
        _until(
            "all tasks get on",
            lambda: all(
                _ran(worker) > ran for worker, ran in zip(self._workers, before, strict=True)
            ),
        )

    def _look_around(self, status: control.Answer | None) -> None:
        if status is None and not Path(STATE).exists():
            return
        names = {file.name for file in Path(STATE).iterdir()}
        generations = sorted(name for name in names if name.startswith("generation-"))
        others = names - set(generations) - {"events", "lock", "log"}
        if status:
            assert others == {"control", "state.json"}, others
            numbers = {int(name.split("-")[1].split(".")[0]) for name in generations}
            assert len(numbers) <= 2, generations
            assert max(numbers) == status["generation"], (generations, status)
            # Each with its name, but for those that were written when their loader was killed.
            assert all(f"generation-{number}.txt" in names for number in numbers), generations
        else:  # of a loader that was killed; the next one takes it over
            assert others <= {"control", "state.json", "scratch"}, others


def _tell(text: str) -> None:
    print(f"{time.monotonic():.1f} {text}", file=sys.stderr, flush=True)


def _run() -> None:
    for _ in itertools.count():
        pass


def _sleep() -> None:
    while True:
        time.sleep(0.05)


def _fork(work: Callable[[], None]) -> int:
    pid = os.fork()
    if not pid:
        work()
    return pid


def _ran(pid: int) -> int:
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])


def _loaders() -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (folder / "comm").read_text().strip() == LOADER:
                found.append(folder.name)
    return found


def _is_enabled() -> bool:
    return Path("/sys/kernel/sched_ext/state").read_text() != "disabled\n"


def _until(what: str, is_so: Callable[[], bool], said: Callable[[], str] = str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, f"not within {PATIENCE_S} s: {what}: {said()}"
        time.sleep(0.01)


if __name__ == "__main__":
    main()
