# SPDX-License-Identifier: Apache-2.0
"""Converts a folder of ananicy's rules to a policy: one rule for all names with equal settings.

ananicy names a program by its file, of any length; the kernel truncates the name of a process to
15 bytes. The importer truncates names, too: they remain an exact list, which needs one lookup,
while globs would be tried one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gthulhuc.importers.ananicy_files import Entry, File
from gthulhuc.importers.document import Document, Finding, NameSet, Rule, unique, word
from gthulhuc.importers.niceness import REAL_TIME, to_actions

_COMM_MAX = 15
_KNOWN = frozenset({"name", "type", "nice", "sched", "latency_nice"})
_WHY_NOT = {
    "ioclass": "the block layer handles I/O classes",
    "ionice": "the block layer handles I/O priorities",
    "oom_score_adj": "a scheduler does not control the OOM killer",
    "cgroup": "a policy cannot move a task into a cgroup",
    "CPUQuota": "a rule sets no limit; `cgroups limit` honours those of cgroups",
    "rtprio": "the language has levels instead",
}
_Actions = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _State:
    """The entries read so far. `names` maps a process name to its group, actions and source."""

    findings: list[Finding] = field(default_factory=list)
    types: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: dict[bytes, tuple[str, _Actions, Entry]] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    cut: int = 0

    def warn(self, entry: Entry, message: str, *, is_error: bool = False) -> None:
        self.findings.append(Finding(entry.place, message, is_error=is_error))


def convert(name: str, files: Sequence[File]) -> tuple[Document, list[Finding]]:
    """Returns the policy for ananicy's files, and findings about what got lost."""
    state = _State()
    for file in files:
        state.findings += file.findings
    for entry in _entries(files, ".types"):
        _take_type(entry, state)
    for entry in _entries(files, ".cgroups"):
        _count_unknown(entry, state, known=frozenset({"cgroup"}))
    for entry in _entries(files, ".rules"):
        _take_rule(entry, state)
    sets, rules = _grouped(state)
    _summarize(name, state)
    title = name.rstrip("/").rsplit("/", 1)[-1]
    comment = f"Imported from {title} with `gthulhu import ananicy`."
    return Document("imported", (comment,), rules, sets), state.findings


def _entries(files: Iterable[File], suffix: str) -> Iterable[Entry]:
    for file in files:
        if file.name.endswith(suffix):
            yield from file.entries


def _take_type(entry: Entry, state: _State) -> None:
    name = entry.fields.get("type")
    if not isinstance(name, str) or not name:
        state.warn(entry, "a type without a name (`type`)", is_error=True)
        return
    if name in state.types and state.types[name] != entry.fields:
        state.warn(entry, f"type `{name}` is redefined; the last definition applies")
    state.types[name] = entry.fields


def _take_rule(entry: Entry, state: _State) -> None:
    name = entry.fields.get("name")
    if not isinstance(name, str) or not name or "\0" in name:
        state.warn(entry, "a rule without a name (`name`)", is_error=True)
        return
    type_name = entry.fields.get("type", "")
    if type_name and type_name not in state.types:
        message = f"skipped: `{name}` has type `{type_name}`, which no .types file defines"
        state.warn(entry, message, is_error=True)
        return
    merged = {**state.types.get(type_name, {}), **entry.fields}
    _count_unknown(entry, state, known=_KNOWN)
    actions = _actions(entry, merged, state)
    if actions is None:
        return
    has_own = bool({"nice", "sched", "latency_nice"} & entry.fields.keys())
    group = f"{type_name} own" if type_name and has_own else type_name or "other"
    _take_name(name, (group, actions, entry), state)


def _take_name(name: str, taken: tuple[str, _Actions, Entry], state: _State) -> None:
    full = name.encode("utf-8", errors="surrogateescape")
    short = full[:_COMM_MAX]
    state.cut += len(full) > _COMM_MAX
    before = state.names.get(short)
    if before is not None and before[1] != taken[1]:
        other = before[2]
        if other.fields.get("name") == name:
            message = f"`{name}` had other values at {other.place}; these replace them"
        else:
            shown = short.decode(errors="replace")
            message = (
                f"`{name}` and `{other.fields.get('name')}` ({other.place}) are both "
                f"`{shown}` to the kernel; these values apply to both"
            )
        state.warn(taken[2], message)
    state.names[short] = taken


def _actions(entry: Entry, fields: dict[str, Any], state: _State) -> _Actions | None:
    """The actions for a program; None if a value is malformed."""
    nice = fields.get("nice", 0)
    latency = fields.get("latency_nice", nice)
    for key, value in (("nice", nice), ("latency_nice", latency)):
        if isinstance(value, bool) or not isinstance(value, int) or not -20 <= value <= 19:
            state.warn(entry, f"{key} {value!r} is not a number from -20 to 19", is_error=True)
            return None
    sched = str(fields.get("sched", "normal")).lower()
    if sched in REAL_TIME:
        state.dropped[f"sched {sched}"] += 1
    return to_actions(nice, latency, sched)


def _count_unknown(entry: Entry, state: _State, *, known: frozenset[str]) -> None:
    state.dropped.update(key for key in entry.fields if key not in known)


# ---- the policy ---------------------------------------------------------------------------------


def _grouped(state: _State) -> tuple[tuple[NameSet, ...], tuple[Rule, ...]]:
    """A set and a rule for all names of one type with the same actions.

    Names without actions need no rule: `default` covers them.
    """
    groups: dict[tuple[str, _Actions], list[bytes]] = {}
    for short, (group, actions, _) in state.names.items():
        groups.setdefault((group, actions), []).append(short)
    order = sorted(key for key in groups if key[1])
    names = unique(word(group, "type") for group, _ in order)
    sets = tuple(
        NameSet(f"names-of-{name}", tuple(sorted(groups[key])))
        for name, key in zip(names, order, strict=True)
    )
    rules = tuple(
        Rule(name, (f"process in {named.name}",), key[1])
        for name, named, key in zip(names, sets, order, strict=True)
    )
    return sets, rules


def _summarize(name: str, state: _State) -> None:
    """Adds one finding for each problem that many entries share."""
    if state.cut:
        hint = "a rule also takes any other program with the same first 15 bytes"
        message = f"names truncated to the 15 bytes that the kernel keeps: {state.cut}"
        state.findings.append(Finding(name, message, hint))
    idle = [short for short, (_, actions, _) in state.names.items() if not actions]
    if idle:
        message = f"entries skipped because `default` already covers them: {len(idle)}"
        state.findings.append(Finding(name, message))
    for key, count in sorted(state.dropped.items()):
        if key.startswith("sched "):
            said = "sched_ext does not schedule real-time tasks; imported as `priority urgent`"
        else:
            said = f"skipped: {_WHY_NOT.get(key, 'it has no counterpart in the language')}"
        state.findings.append(Finding(name, f"`{key}` ({_times(count)}): {said}"))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
