# SPDX-License-Identifier: Apache-2.0
"""Converts the kind of a layer, and the settings that it has, to actions."""

from __future__ import annotations

from typing import Any

from gthulhuc.importers.document import duration
from gthulhuc.importers.layered_layers import (
    FLAG,
    ID,
    INDEXES,
    NUMBER,
    NUMBERS,
    WHOLE,
    WHOLES,
    Layer,
    Shape,
    expect,
    one_of_words,
    optional,
)
from gthulhuc.importers.outcomes import Note, Outcome
from gthulhuc.records import dataclass

_Actions = tuple[tuple[str, str], ...]

_SLICE_US = (10, 1_000_000)
_DEFAULT_SLICE_US = 20_000
_MOST_GROUPS = 8
_GROWTH = (
    *("Sticky", "Linear", "Reverse", "Random", "Topo", "RoundRobin", "BigLittle", "LittleBig"),
    *("NodeSpread", "NodeSpreadReverse", "NodeSpreadRandom"),
    *("CpuSetSpread", "CpuSetSpreadReverse", "CpuSetSpreadRandom", "RandomTopo", "StickyDynamic"),
)
_FIRST_CPUS = {"BigLittle": "fast", "LittleBig": "slow"}
_NO_COUNTERPART = "the language has no counterpart"
_SIZE = "a rule does not reserve a number of CPUs; its tasks may use all that `cpus` allows"
_RANGE = f"{_SIZE}, and a `share` bounds how much of their time"
_DEPRECATED = "scx_layered itself ignores it"


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of a kind: its shape, its default, and why it is lost, if it is."""

    shape: Shape
    default: Any
    lost: str = ""


_SIZES = {
    "util_range": _Key(NUMBERS, None, _RANGE),
    "cpus_range": _Key(optional(WHOLES), None, _RANGE),
    "cpus_range_frac": _Key(optional(NUMBERS), None, _RANGE),
    "membw_gb": _Key(optional(NUMBER), None, "a policy does not limit the use of memory"),
    "protected": _Key(
        FLAG, False, "a rule has no CPUs of its own unless they are named: `cpus 2-5 exclusive`"
    ),
}
_GROUPED = {
    "util_includes_open_cputime": _Key(FLAG, False, _SIZE),
    "idle_confined": _Key(FLAG, False, _SIZE),
}
_COMMON = {
    "min_exec_us": _Key(WHOLE, 0, "a run is charged for the time that it took"),
    "yield_ignore": _Key(NUMBER, 0, _NO_COUNTERPART),
    "slice_us": _Key(WHOLE, 0),
    "fifo": _Key(FLAG, False, "tasks of a level take turns by the CPU time that they had"),
    "preempt": _Key(FLAG, False),
    "preempt_first": _Key(FLAG, False, "a task looks for an idle CPU before it preempts"),
    "exclusive": _Key(
        FLAG, False, "the other threads of a core are not kept idle; `exclusive` is for named CPUs"
    ),
    "allow_node_aligned": _Key(optional(FLAG), None, _DEPRECATED),
    "skip_remote_node": _Key(FLAG, False, "`migrate lazy` is the nearest"),
    "prev_over_idle_core": _Key(FLAG, False, _NO_COUNTERPART),
    "weight": _Key(ID, 0),
    "disallow_open_after_us": _Key(optional(WHOLE), None, _NO_COUNTERPART),
    "disallow_preempt_after_us": _Key(optional(WHOLE), None, _NO_COUNTERPART),
    "xllc_mig_min_us": _Key(NUMBER, 0, "`migrate lazy` is the nearest"),
    "idle_smt": _Key(optional(FLAG), None, _DEPRECATED),
    "growth_algo": _Key(one_of_words(*_GROWTH), "Sticky"),
    "util_peak_half_life_ms": _Key(WHOLE, 0, _SIZE),
    "perf": _Key(WHOLE, 0),
    "idle_resume_us": _Key(optional(ID), None, "a policy does not choose the CPUs' idle states"),
    "nodes": _Key(INDEXES, []),
    "llcs": _Key(INDEXES, []),
    "placement": _Key(one_of_words("Standard", "Sticky", "Floating"), "Standard"),
    "member_expire_ms": _Key(WHOLE, 0),
    "xnuma_threshold": _Key(NUMBERS, None, _NO_COUNTERPART),
    "xnuma_threshold_delta": _Key(NUMBERS, None, _NO_COUNTERPART),
}
_KEYS = {
    "Confined": {**_SIZES, **_COMMON},
    "Grouped": {**_SIZES, **_GROUPED, **_COMMON},
    "Open": _COMMON,
}
_KIND_SAID = {
    "Confined": "the tasks are not confined to CPUs that a layer grows and shrinks by",
    "Grouped": "the tasks have no CPUs of their own to begin with",
    "Open": "the tasks do not prefer the CPUs that other layers left",
}


def check_settings(layer: Layer) -> list[Note]:
    """Returns notes about the keys that have no action. Raises LayerError for an odd value."""
    known = _KEYS[layer.kind]
    notes = []
    for key, value in layer.settings.items():
        place = f"{layer.at}.{key}"
        if key not in known:
            said = f"{layer.kind} layers have no such key, and scx_layered ignores it"
            notes.append(Note(place, key, Outcome.LOST, said))
            continue
        row = known[key]
        expect(place, key, value, row.shape)
        if row.lost and value != row.default:
            notes.append(Note(place, key, Outcome.LOST, row.lost))
    if layer.kind != "Open" and "util_range" not in layer.settings:
        said = "scx_layered requires it, and would refuse the layer"
        notes.append(Note(layer.at, "util_range", Outcome.LOST, said))
    return notes


def to_actions(layer: Layer) -> tuple[_Actions, list[Note]]:
    """Returns the actions of a layer whose settings were checked, and notes about their keys."""
    notes = [Note(layer.at, layer.kind, Outcome.APPROXIMATED, _KIND_SAID[layer.kind])]
    actions = (
        *_level(layer, notes),
        *_weight(layer, notes),
        *_slice(layer, notes),
        *_cpus(layer, notes),
        *_migrate(layer, notes),
        *_perf(layer, notes),
    )
    return actions, notes


def _value(layer: Layer, key: str) -> Any:
    return layer.settings.get(key, _COMMON[key].default)


def _note(layer: Layer, key: str, outcome: Outcome, said: str = "") -> Note:
    return Note(f"{layer.at}.{key}", key, outcome, said)


def _level(layer: Layer, notes: list[Note]) -> _Actions:
    if not _value(layer, "preempt"):
        return ()
    said = (
        "`priority high` lets the tasks preempt those of other layers, and run before them; "
        "scx_layered did not limit it, here it has a budget of 10ms per 100ms"
    )
    notes.append(_note(layer, "preempt", Outcome.APPROXIMATED, said))
    return (("priority", "high"), ("preempt", "budget 10ms per 100ms"))


def _weight(layer: Layer, notes: list[Note]) -> _Actions:
    weight = _value(layer, "weight")
    used = min(weight or 100, 10_000)
    if weight:
        said = "the weight of the layer as a whole becomes that of each of its tasks"
        if used != weight:
            said += f"; {weight} is above 10000, which scx_layered uses, too"
        notes.append(_note(layer, "weight", Outcome.APPROXIMATED, said))
    # The level `high` would have another weight by itself.
    return (("weight", str(used)),) if weight or _value(layer, "preempt") else ()


def _slice(layer: Layer, notes: list[Note]) -> _Actions:
    asked = _value(layer, "slice_us")
    low, high = _SLICE_US
    used = min(max(asked or _DEFAULT_SLICE_US, low), high)
    text = duration(used * 1000)
    if not asked:
        said = f"left out, so {text}, scx_layered's default without its option `--slice-us`"
        notes.append(_note(layer, "slice_us", Outcome.KEPT, said))
    elif used == asked:
        notes.append(_note(layer, "slice_us", Outcome.KEPT))
    else:
        said = f"{asked} is out of range; imported as {text}"
        notes.append(_note(layer, "slice_us", Outcome.APPROXIMATED, said))
    return (("slice", text),)


def _cpus(layer: Layer, notes: list[Note]) -> _Actions:
    growth = _value(layer, "growth_algo")
    groups = {key: _value(layer, key) for key in ("nodes", "llcs")}
    terms = [f"{key[:-1]} {number}" for key in groups for number in dict.fromkeys(groups[key])]
    is_lost = len(terms) > _MOST_GROUPS
    is_first = growth in _FIRST_CPUS and (not terms or is_lost)
    notes += [_groups_note(layer, key, is_lost=is_lost) for key in groups if groups[key]]
    if is_first:
        said = f"`cpus {_FIRST_CPUS[growth]} prefer` prefers such CPUs while one is idle"
        notes.append(_note(layer, "growth_algo", Outcome.APPROXIMATED, said))
        return (("cpus", f"{_FIRST_CPUS[growth]} prefer"),)
    if growth != "Sticky":
        said = "the order in which a layer gets CPUs; a rule has none of its own"
        notes.append(_note(layer, "growth_algo", Outcome.LOST, said))
    if not terms or is_lost:
        return ()
    return (("cpus", ", ".join(terms) + " prefer" * (layer.kind != "Confined")),)


def _groups_note(layer: Layer, key: str, *, is_lost: bool) -> Note:
    if is_lost:
        said = f"`cpus` has at most {_MOST_GROUPS} groups"
        return _note(layer, key, Outcome.LOST, said)
    said = "the tasks may use all of these CPUs, and not only as many as the layer had"
    if layer.kind != "Confined":
        said = "the tasks prefer these CPUs while one is idle"
    if key == "llcs":
        said += "; check the numbers: here caches are counted from 0 by their first CPUs"
    return _note(layer, key, Outcome.APPROXIMATED, said)


def _migrate(layer: Layer, notes: list[Note]) -> _Actions:
    placement = _value(layer, "placement")
    if placement == "Standard":
        return ()
    if placement == "Floating":
        said = "tasks bound to one CPU are not placed differently"
        notes.append(_note(layer, "placement", Outcome.LOST, said))
        return ()
    said = "`migrate lazy` keeps a task on its CPU unless that makes it wait long"
    notes.append(_note(layer, "placement", Outcome.APPROXIMATED, said))
    return (("migrate", "lazy"),)


def _perf(layer: Layer, notes: list[Note]) -> _Actions:
    perf = _value(layer, "perf")
    if not perf:
        return ()
    percent = min(max(round(perf * 100 / 1024), 1), 100)
    said = "1 to 1024 becomes whole per cent, and the classes without `perf` have `perf auto`"
    notes.append(_note(layer, "perf", Outcome.APPROXIMATED, said))
    return (("perf", f"{percent}%"),)
