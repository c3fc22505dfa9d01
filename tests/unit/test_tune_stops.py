# SPDX-License-Identifier: Apache-2.0
"""Signals during a search wait while its storage is written."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING

import pytest
import sqlalchemy
import sqlalchemy.orm

from gthulhu_lab.tuning.stops import Deferred
from gthulhuc.cli import frame

if TYPE_CHECKING:
    from _typeshed import TraceFunction


@pytest.fixture(autouse=True)
def _as_in_a_command() -> Iterator[None]:
    before = [signal.getsignal(number) for number in frame.STOPPING]
    for number in frame.STOPPING:
        signal.signal(number, frame._stop)
    yield
    for number, handler in zip(frame.STOPPING, before, strict=True):
        signal.signal(number, handler)


def stop() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def parts(first: Callable[[], None], second: Callable[[], None], third: Callable[[], None]) -> None:
    """Only the second one may be interrupted."""
    with Deferred() as stops:
        first()
        with stops.interruptible():
            second()
        third()


def nothing() -> None:
    pass


def test_a_signal_waits_for_a_part_that_it_may_interrupt() -> None:
    with pytest.raises(frame.StoppedError) as stopped:
        parts(stop, lambda: pytest.fail("the part began"), nothing)
    assert stopped.value.status == 143


def test_a_signal_in_such_a_part_ends_it() -> None:
    with pytest.raises(frame.StoppedError):
        parts(nothing, stop, lambda: pytest.fail("it went on"))
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN


def test_a_signal_after_the_last_such_part_counts_in_the_end() -> None:
    done = []

    def third() -> None:
        stop()
        done.append(True)

    with pytest.raises(frame.StoppedError):
        parts(nothing, nothing, third)
    assert done


def test_without_a_signal_everything_is_as_before() -> None:
    parts(nothing, nothing, nothing)
    assert signal.getsignal(signal.SIGTERM) == frame._stop


def test_no_line_of_a_transaction_is_interrupted() -> None:
    """One in some hundred lines leaves SQLAlchemy with an error of its own."""
    engine = sqlalchemy.create_engine("sqlite://")
    lines = 0

    def interrupt(_frame: FrameType, event: str, _argument: object) -> TraceFunction:
        nonlocal lines
        lines += event == "line"
        if lines % 50 == 1:
            stop()
        return interrupt

    def transaction() -> None:
        sys.settrace(interrupt)
        try:
            with sqlalchemy.orm.Session(engine) as session:
                session.execute(sqlalchemy.text("SELECT 1"))
                session.commit()
        finally:
            sys.settrace(None)

    with pytest.raises(frame.StoppedError):
        parts(nothing, nothing, transaction)
    assert lines > 100
