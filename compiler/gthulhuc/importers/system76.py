# SPDX-License-Identifier: Apache-2.0
"""Converts system76-scheduler's profiles to rules.

In its order: exceptions, then programs by their names, then the conditions of each profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from gthulhuc.importers.document import Document, Finding, NameSet, Rule, one_of, unique, word
from gthulhuc.importers.niceness import to_actions
from gthulhuc.importers.outcomes import Note, Outcome, explained, summarized
from gthulhuc.importers.system76_files import File, Node, Value
from gthulhuc.importers.system76_matches import (
    ALWAYS,
    NAME,
    Condition,
    ConditionError,
    any_of,
    is_condition,
    is_text,
    short,
    to_condition,
)

_FEW = 8
_SCHEDULERS = ("batch", "fifo", "idle", "other", "rr")
_Actions = tuple[tuple[str, str], ...]
_LOST_SETTINGS = {
    "cfs-profiles": "these are settings of the kernel's own scheduler",
    "autogroup-enabled": "it is a setting of the kernel's own scheduler",
}
_KEPT_SETTINGS = {
    "execsnoop": "the scheduler itself sees each start of a program",
    "refresh-rate": "a task is classified when it changes, and needs no refresh",
}
_WINDOWS = "a scheduler does not know which window is in front; these tasks are in `default`"
_CLIENTS = "a scheduler does not know PipeWire's clients; these tasks are in `default`"
_PATH = "the name of the program's file, without its folder, becomes that of the process"
_NICE = "it becomes a level and a weight"
_REAL_TIME = "sched_ext does not schedule real-time tasks; it becomes `priority urgent`"


@dataclass(frozen=True, slots=True)
class _Profile:
    """The settings of a profile that a scheduler could regard."""

    name: str
    nice: int = 0
    sched: str = "other"

    @property
    def actions(self) -> _Actions:
        return to_actions(self.nice, self.nice, self.sched)


@dataclass(slots=True)
class _Conditions:
    """The conditions of a profile, and the settings of the first, which count for all."""

    profile: _Profile
    included: list[Condition] = field(default_factory=list)
    excluded: list[Condition] = field(default_factory=list)


@dataclass(slots=True)
class _State:
    """The parts read so far. `names` maps the name of a process to its profile."""

    findings: list[Finding] = field(default_factory=list)
    notes: dict[str, list[Note]] = field(default_factory=dict)
    profiles: dict[str, _Profile] = field(default_factory=dict)
    names: dict[bytes, tuple[str, _Profile]] = field(default_factory=dict)
    paths: dict[bytes, tuple[str, _Profile]] = field(default_factory=dict)
    conditions: dict[str, _Conditions] = field(default_factory=dict)
    exceptions: list[Condition] = field(default_factory=list)
    excepted: set[bytes] = field(default_factory=set)

    def warn(self, place: str, message: str, *, is_error: bool = False) -> None:
        self.findings.append(Finding(place, message, is_error=is_error))


def convert(name: str, files: Sequence[File]) -> tuple[Document, list[Finding]]:
    """Returns the policy for a configuration, and findings about what becomes of each profile."""
    state = _State()
    for file in files:
        state.findings += file.findings
        for node in file.nodes:
            _take_top(node, state)
    rules, sets = _rules(state)
    notes = [note for row in state.notes.values() for note in row]
    findings = [
        *state.findings,
        *_summaries(name, state, rules),
        *explained(name, notes),
        *_general(name, state),
    ]
    title = name.rstrip("/").rsplit("/", 1)[-1]
    comment = f"Imported from {title} with `gthulhu import system76`."
    return Document("imported", (comment,), rules, sets), findings


# ---- reading ------------------------------------------------------------------------------------


def _take_top(node: Node, state: _State) -> None:
    if node.name == "process-scheduler":
        enabled = node.properties.get("enable")
        if enabled is not None and enabled.value is False:
            state.warn(node.place, "skipped: `enable=false`")
            return
        for child in node.children:
            _take_part(child, state)
    elif node.name in ("assignments", "exceptions"):
        _take_part(node, state)
    elif node.name in _LOST_SETTINGS:
        state.warn(node.place, f"`{node.name}` is lost: {_LOST_SETTINGS[node.name]}")
    elif node.name != "version":
        state.warn(node.place, f"skipped: system76-scheduler does not know `{node.name}`")


def _take_part(node: Node, state: _State) -> None:
    if node.name == "assignments":
        for child in node.children:
            _take_profile(child, state)
    elif node.name == "exceptions":
        for child in node.children:
            _take_exception(child, state)
    elif node.name in _KEPT_SETTINGS:
        message = f"`{node.name}` is kept: {_KEPT_SETTINGS[node.name]}"
        state.findings.append(Finding(node.place, message, is_note=True))
    else:
        state.warn(node.place, f"skipped: system76-scheduler does not know `{node.name}`")


def _take_profile(node: Node, state: _State) -> None:
    notes = state.notes.setdefault(node.name, [])
    # Later mentions of a profile have their own settings beside those of the first.
    profile = _settings(node, state.profiles.get(node.name, _Profile(node.name)), state)
    state.profiles.setdefault(node.name, profile)
    for child in node.children:
        if child.name in ("include", "exclude"):
            _take_condition(child, profile, state)
            continue
        own = _settings(child, profile, state)
        is_path = child.name.startswith("/")
        notes.append(_named(child))
        _take_name(child, own, state.paths if is_path else state.names, state)


def _take_name(
    node: Node, profile: _Profile, names: dict[bytes, tuple[str, _Profile]], state: _State
) -> None:
    if (key := _program(node, state)) is None:
        return
    before = names.get(key)
    if before is not None and before[1].actions != profile.actions:
        said = f"`{before[0]}` of `{before[1].name}` is `{key.decode(errors='replace')}` too"
        state.warn(node.place, f"{said}; the values of `{profile.name}` count for both")
    names[key] = (node.name, profile)


def _take_condition(node: Node, profile: _Profile, state: _State) -> None:
    own = _settings(node, profile, state, with_conditions=True)
    notes = state.notes[profile.name]
    try:
        condition = to_condition(node, notes)
    except ConditionError as error:
        state.warn(node.place, f"skipped: {error}")
        return
    row = state.conditions.setdefault(profile.name, _Conditions(own))
    if own.actions != row.profile.actions:
        message = f"the settings are lost: those of the first condition of `{profile.name}` count"
        state.warn(node.place, message)
    (row.included if node.name == "include" else row.excluded).append(condition)


def _take_exception(node: Node, state: _State) -> None:
    if node.name != "include":
        if (name := _program(node, state)) is not None:
            state.excepted.add(name)
            state.notes.setdefault("", []).append(_named(node))
        return
    notes: list[Note] = []
    try:
        state.exceptions.append(to_condition(node, notes, is_exception=True))
    except ConditionError as error:
        state.warn(node.place, f"skipped: {error}")
        return
    state.notes.setdefault("", []).extend(notes)


def _program(node: Node, state: _State) -> bytes | None:
    """The name that the kernel has for a program, given by its name or path."""
    name = node.name.rsplit("/", 1)[-1]
    if is_text(name) and name:
        return short(name)
    state.warn(node.place, "skipped: not the name of a program", is_error=True)
    return None


def _named(node: Node) -> Note:
    if node.name.startswith("/"):
        return Note(node.place, "path", Outcome.APPROXIMATED, _PATH)
    return Note(node.place, "process", Outcome.APPROXIMATED, NAME)


# ---- the settings of a profile ------------------------------------------------------------------


def _settings(
    node: Node,
    profile: _Profile,
    state: _State,
    *,
    with_conditions: bool = False,
) -> _Profile:
    """The profile with the properties of a node; notes what becomes of each."""
    notes = state.notes[profile.name]
    for key, value in node.properties.items():
        if key == "nice":
            profile = _with_nice(node, value, profile, state)
        elif key == "sched":
            profile = _with_sched(node, value, profile, state)
        elif key == "io":
            notes.append(Note(node.place, key, Outcome.LOST, "the block layer handles I/O"))
        elif not (with_conditions and is_condition(key)):
            state.warn(node.place, f"`{key}` is lost: system76-scheduler does not know it")
    return profile


def _with_nice(node: Node, value: Value, profile: _Profile, state: _State) -> _Profile:
    number = value.value
    if type(number) is not int or not -128 <= number <= 127:
        state.warn(node.place, f"`nice` expects -20 to 19, found {value}", is_error=True)
        return profile
    used = min(max(number, -20), 19)
    said = _NICE if used == number else f"{number} is out of range, and counts as {used}"
    state.notes[profile.name].append(Note(node.place, "nice", Outcome.APPROXIMATED, said))
    return replace(profile, nice=used)


def _with_sched(node: Node, value: Value, profile: _Profile, state: _State) -> _Profile:
    sched = value.tag or value.value
    if sched not in _SCHEDULERS:
        known = ", ".join(_SCHEDULERS)
        state.warn(node.place, f"`sched` expects one of {known}; found {value}", is_error=True)
        return profile
    notes = {
        "idle": (Outcome.APPROXIMATED, "`idle` becomes `priority idle`"),
        "batch": (Outcome.APPROXIMATED, "`batch` becomes `slice 10ms`"),
        "other": (Outcome.KEPT, ""),
    }
    outcome, said = notes.get(str(sched), (Outcome.APPROXIMATED, _REAL_TIME))
    state.notes[profile.name].append(Note(node.place, "sched", outcome, said))
    return replace(profile, sched=str(sched))


# ---- the policy ---------------------------------------------------------------------------------


def _rules(state: _State) -> tuple[tuple[Rule, ...], tuple[NameSet, ...]]:
    """The rules in the daemon's order, and the sets of names."""
    names = {**state.names, **state.paths}
    groups: dict[tuple[str, _Actions], list[bytes]] = {}
    for name, (_, profile) in names.items():
        if name not in state.excepted:
            groups.setdefault((profile.name, profile.actions), []).append(name)
    listed = [(title, sorted(group), actions) for (title, actions), group in groups.items()]
    rows = [(title, actions) for title, _, actions in listed]
    rows += [(title, row.profile.actions) for title, row in state.conditions.items()]
    titles = iter(unique(["exceptions", *(word(title, "profile") for title, _ in rows)]))
    sets: list[NameSet] = []
    rules = _exceptions(next(titles), state, sets)
    for title, group, actions in listed:
        rule = next(titles)
        text = _names(f"names-of-{rule}", group, sets)
        rules.append(Rule(rule, (text,), actions, (f"Profile {title!r}",), title))
    for title, row in state.conditions.items():
        rule = next(titles)
        if parts := _parts(row):
            comment = (f"Profile {title!r}, by conditions",)
            rules.append(Rule(rule, parts, row.profile.actions, comment, title))
    return tuple(rules), tuple(sets)


def _exceptions(title: str, state: _State, sets: list[NameSet]) -> list[Rule]:
    texts = [any_of(state.exceptions)] if state.exceptions else []
    if state.excepted:
        texts.insert(0, _names("names-of-exceptions", sorted(state.excepted), sets))
    if not texts:
        return []
    comment = "Left as they are: their nice values count"
    return [Rule(title, (" or ".join(texts),), (), (comment,))]


def _names(title: str, names: Sequence[bytes], sets: list[NameSet]) -> str:
    """A comparison with names, in a set if they are many."""
    if len(names) <= _FEW:
        return one_of("process", names)
    sets.append(NameSet(title, tuple(names)))
    return f"process in {title}"


def _parts(row: _Conditions) -> tuple[str, ...]:
    """The predicate of a profile's conditions; empty if it takes no task."""
    without = [condition.text for condition in row.excluded]
    if not row.included or ALWAYS in without:
        return ()
    some = any_of(row.included)
    return ("not kthread" if some == ALWAYS else some, *(f"not {text}" for text in without))


# ---- the report ---------------------------------------------------------------------------------


def _summaries(name: str, state: _State, rules: Iterable[Rule]) -> Iterable[Finding]:
    """A note on each profile: its rules, and which of its keys are kept, approximated and lost."""
    made: dict[str, list[str]] = {}
    for rule in rules:
        made.setdefault(rule.place, []).append(f"`{rule.name}`")
    for title, notes in state.notes.items():
        what = f"profile `{title}`" if title else "`exceptions`"
        found = made.get(title, [])
        plural = "s" * (len(found) > 1)
        message = f"{what} becomes rule{plural} {', '.join(found)}{summarized(notes)}"
        if not found:
            message = f"{what} has no rule, as no program or condition is left in it"
        yield Finding(name, message, is_note=True)


def _general(name: str, state: _State) -> Iterable[Finding]:
    """Findings about the whole configuration."""
    if {"foreground", "background"} <= state.profiles.keys():
        yield Finding(name, f"`foreground` and `background` are lost: {_WINDOWS}")
    if "pipewire" in state.profiles:
        yield Finding(name, f"`pipewire` is lost: {_CLIENTS}")
    if len(state.conditions) > 1:
        message = (
            "system76-scheduler tries the conditions of its profiles in an order that changes; "
            "here the order of the file counts"
        )
        yield Finding(name, message)
