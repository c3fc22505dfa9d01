# SPDX-License-Identifier: Apache-2.0
"""Responds with inlay hints, and counts the processes of this machine for them.

The editor asks for hints when it shows a text. The processes are read and classified one by one, so
that no edit waits for them, and the next edit ends the count.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeAlias

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from gthulhuc import checked
from gthulhuc.cli.explain import known_ids
from gthulhuc.lsp.analysis import Analysis
from gthulhuc.lsp.checking import checks
from gthulhuc.lsp.inlays import Count, Hint, Wanted, count_by_rule, hints
from gthulhuc.lsp.protocol import range_of, server
from gthulhuc.reference import Task
from gthulhuc.source import Span

Machine: TypeAlias = Callable[[], Iterator[Task]]
"""Yields the known facts of each process of this machine."""

_FRESH_S = 5.0
"""How long a list of processes is used."""


class _State:
    """The settings and the processes, on which hints depend beside the text."""

    def __init__(self) -> None:
        self.machine: Machine | None = None
        self.wanted = Wanted()
        self.tasks: list[Task] = []
        self.read_at = -_FRESH_S
        self.count: tuple[checked.Policy, float, Count] | None = None


_state = _State()


def use_machine(machine: Machine | None) -> None:
    """Sets where the processes of this machine come from; None: they are not counted."""
    _state.machine = machine


@server.feature(types.INITIALIZE)
def on_initialize(_: LanguageServer, params: types.InitializeParams) -> None:
    """Takes the settings that the editor has at its start."""
    _state.wanted = _wanted(params.initialization_options)


@server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
def on_settings(_: LanguageServer, params: types.DidChangeConfigurationParams) -> None:
    """Takes changed settings."""
    _state.wanted = _wanted(params.settings)


def _wanted(settings: object) -> Wanted:
    """The hints that are switched on, as in `{"gthulhu": {"inlayHints": {"bounds": false}}}`."""
    chosen = _member(_member(settings, "gthulhu"), "inlayHints")
    switches = {each.name: _member(chosen, each.name) for each in fields(Wanted)}
    return Wanted(**{name: value is not False for name, value in switches.items()})


def _member(known: object, name: str) -> Any:
    """A member of an object of the protocol; None without it."""
    return known.get(name) if isinstance(known, Mapping) else getattr(known, name, None)


@server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
async def on_hints(_: LanguageServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Returns the hints of the rules in a range; none while the policy has errors."""
    uri = params.text_document.uri
    analysis = await checks.current(uri)
    if analysis is None or analysis.policy is None:
        return []
    count = await _count(uri, analysis.policy) if _state.wanted.processes else None
    latest = checks.latest(uri)
    if latest is None or latest.program is not analysis.program:
        return []  # it was edited meanwhile, and the editor asks again
    lines = range(params.range.start.line, params.range.end.line + 1)
    found = hints(analysis.program, analysis.policy, _state.wanted, count)
    shown = [(hint, _position(analysis, hint)) for hint in found]
    return [
        types.InlayHint(place, hint.text, tooltip=hint.more, padding_left=True)
        for hint, place in shown
        if place.line in lines
    ]


def _position(analysis: Analysis, hint: Hint) -> types.Position:
    return range_of(Span(analysis.source, hint.offset, hint.offset)).start


async def _count(uri: str, policy: checked.Policy) -> Count | None:
    """The processes of each rule, unless the text is edited meanwhile."""
    if _state.machine is None:
        return None
    latest = _state.count
    if latest is not None and latest[0] is policy and time.monotonic() < latest[1] + _FRESH_S:
        return latest[2]
    count = Count()
    ids = known_ids(policy)
    tasks = (replace(task, **ids) for task in await _tasks(_state.machine))
    for so_far in count_by_rule(policy, tasks):
        count = so_far
        await asyncio.sleep(0)
        found = checks.latest(uri)
        if found is None or found.policy is not policy:
            return None
    _state.count = policy, time.monotonic(), count
    return count


async def _tasks(machine: Machine) -> list[Task]:
    """The processes, read anew if it is long ago."""
    if time.monotonic() >= _state.read_at + _FRESH_S:
        found = []
        for task in machine():
            found.append(task)
            await asyncio.sleep(0)
        _state.tasks, _state.read_at = found, time.monotonic()
    return _state.tasks
