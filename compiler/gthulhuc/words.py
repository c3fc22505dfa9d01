# SPDX-License-Identifier: Apache-2.0
"""Every word of the language: what it means, how it is written, what holds without it.

The one table behind hover and completion in editors, and behind the tests that hold
the TextMate grammar and the reference to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from gthulhuc import actions, fields, peers
from gthulhuc.fields import Field
from gthulhuc.passes.values import QUANTITIES, show
from gthulhuc.records import dataclass


class Kind(Enum):
    """Where a word stands."""

    ITEM = "item"  # at the top of a file
    SETTING = "setting"  # in `policy`
    ACTION = "action"  # in a rule or `default`; `match` too
    FIELD = "field"  # in a predicate
    OPERATOR = "operator"  # joins or compares predicates
    LEVEL = "level"  # behind `priority`
    CPUS = "cpus"  # behind `cpus`
    MIGRATION = "migration"  # behind `migrate`
    DETAIL = "detail"  # in the middle of an action, a field or the head of `expect`
    STATISTIC = "statistic"  # begins a claim
    METRIC = "metric"  # in the parentheses of a claim
    PEER = "peer"  # behind `of`


@dataclass(frozen=True, slots=True)
class Word:
    """One word; `form` is how it is written, `default` what holds where it is left out."""

    name: str
    kind: Kind
    form: str
    meaning: str
    default: str = ""


def _words(kind: Kind, *rows: tuple[str, str, str] | tuple[str, str, str, str]) -> tuple[Word, ...]:
    return tuple(Word(row[0], kind, *row[1:]) for row in rows)


def _bounds(action: actions.Action) -> str:
    """The bounds of an action that is a number, as a sentence."""
    if action.unit is None:
        return ""
    low, high = (show(bound, QUANTITIES[action.unit]) for bound in action.bounds)
    return f" {low} to {high}."


def _bounds_of(field: Field) -> str:
    return " {} to {}.".format(*field.row.bounds) * (field.row.kind is fields.Kind.NUMBER)


ITEMS = _words(
    Kind.ITEM,
    ("policy", "policy NAME { .. }", "Begins a policy; settings stand in its braces."),
    (
        "include",
        'include "lib.gpl"',
        "Takes the definitions of a library: a file without `policy`, named relative to this one.",
    ),
    (
        "tunable",
        "tunable NAME = 2ms in 500us..20ms",
        "A value that can be set at load and while running, within its range.",
    ),
    ("set", 'set NAME = ["a", "b"]', "Names a list or a predicate."),
    (
        "rule",
        "rule NAME { match .. }",
        (
            "A class of tasks and what holds for them. Rules are tried in file order; "
            "the first that matches takes the task."
        ),
    ),
    (
        "default",
        "default { .. }",
        "What holds for tasks that no rule takes, and for what a rule leaves out.",
    ),
    (
        "expect",
        "expect WORKLOAD [as RULE] [under LOAD 2x [as RULE], ..] { .. }",
        "An acceptance test of the policy, which `gthulhu verify` runs.",
    ),
)

SETTINGS = _words(
    Kind.SETTING,
    (
        "kernel",
        "kernel >= 6.16",
        "The oldest kernel that will do; loading on an older one is refused.",
    ),
    (
        "watchdog",
        "watchdog 5s",
        "How long a task may wait before the kernel takes the scheduler out; at most 30s.",
    ),
)

ACTIONS = tuple(
    Word(action.name, Kind.ACTION, action.form, action.meaning + _bounds(action), action.default)
    for action in actions.ACTIONS
)

FIELDS = tuple(
    Word(field.value, Kind.FIELD, field.row.example, field.row.meaning + _bounds_of(field))
    for field in Field
)

OPERATORS = _words(
    Kind.OPERATOR,
    ("and", "A and B", "Both hold. Beside `or` it needs parentheses."),
    ("or", "A or B", "One of both holds. Beside `and` it needs parentheses."),
    (
        "not",
        "not A",
        "The opposite. Of a fact that is not known yet neither it nor its opposite holds.",
    ),
    ("in", 'comm in ["a", "b"] | uid in 1000..1999', "One of a list, or within a range."),
    ("under", 'cgroup under "/a"', "The path or one below it, by whole components."),
)

_PLACES = ("first of the five levels", "second level", "middle level", "fourth level", "last level")
LEVELS = tuple(
    Word(
        level.name.lower(),
        Kind.LEVEL,
        f"priority {level.name.lower()}",
        f"The {place}; weight {row.weight}, max-wait {actions.show_ns(row.max_wait_ns)}.",
    )
    for (level, row), place in zip(actions.LEVELS.items(), _PLACES, strict=True)
)

CPU_WORDS = _words(
    Kind.CPUS,
    ("node", "cpus node 1", "The CPUs of a NUMA node."),
    ("llc", "cpus llc 0", "The CPUs that share a last-level cache."),
    ("fast", "cpus fast", "The faster cores; all, where they are equal."),
    ("slow", "cpus slow", "The slower cores; all, where they are equal."),
    ("all", "cpus all", "Every CPU that is not exclusive."),
    ("exclusive", "cpus 3 exclusive", "The CPUs belong to this rule alone; its tasks share them."),
    ("prefer", "cpus 0-3 prefer", "Only a preference: others are taken when these are busy."),
)

MIGRATIONS = _words(
    Kind.MIGRATION,
    (
        "never",
        "migrate never",
        "Placed once, on an idle allowed CPU if there is one; then it stays.",
    ),
    ("lazy", "migrate lazy", "Leaves its CPU only when it would wait long there."),
    ("balanced", "migrate balanced", "Leaves a busy CPU for an idle one near by."),
    ("eager", "migrate eager", "One queue for all such tasks: any idle CPU takes them."),
    (
        "return",
        "migrate lazy return",
        "Goes back to where it last ran before it was moved, when that is idle.",
    ),
)

DETAILS = _words(
    Kind.DETAIL,
    ("after", "preempt after 100us", "Interrupts a task only once that has run so long."),
    ("budget", "preempt budget 10ms per 100ms", "Interrupts for no longer than this on any CPU."),
    ("per", "budget 10ms per 100ms", "The time over which a budget is counted."),
    ("within", 'calls "fn" within 1s', "How long a call counts; each one renews it."),
    ("via", 'calls "fn" within 1s via softirq', "How else the function may be reached."),
    ("softirq", 'calls "fn" within 1s via softirq', "In a soft interrupt that ran on the task."),
    ("as", "expect ping as ran", "The rule whose tasks these shall be; without it `default`."),
    ("of", "< 20% of eevdf", "Compares with the same metric under another scheduler."),
)

STATISTICS = _words(
    Kind.STATISTIC,
    ("p50", "p50(wakeup RULE) < 1ms", "The median."),
    ("p90", "p90(wakeup RULE) < 1ms", "Nine of ten are below it."),
    ("p99", "p99(wakeup RULE) < 1ms", "Of a hundred, 99 are below it; needs 1,000 samples."),
    ("p999", "p999(wakeup RULE) < 1ms", "Of a thousand, 999 are below it; needs 10,000 samples."),
    ("max", "max(wakeup RULE) < 1ms", "The largest."),
    ("mean", "mean(wakeup RULE) < 1ms", "The arithmetic mean."),
    ("share", "share(RULE) >= 50%", "Of all CPU time in the window, idle included."),
    ("rate", "rate(WORKLOAD) > 1000", "What the workload got done in a second."),
    ("time", "time(WORKLOAD) < 2s", "How long the workload took."),
)

METRICS = _words(
    Kind.METRIC,
    ("wakeup", "p99(wakeup RULE)", "From being woken to the first run."),
    ("wait", "p99(wait RULE)", "From each time it could run to running."),
    ("time", "p99(time WORKLOAD)", "What each operation of the workload took."),
)

PEERS = _words(
    Kind.PEER,
    (peers.EEVDF, f"< 20% of {peers.EEVDF}", "The kernel's own scheduler."),
    *((name, f"< 80% of {name}", meaning) for name, meaning in peers.PEERS.items()),
)

ALL: tuple[Word, ...] = (
    *ITEMS,
    *SETTINGS,
    *ACTIONS,
    *FIELDS,
    *OPERATORS,
    *LEVELS,
    *CPU_WORDS,
    *MIGRATIONS,
    *DETAILS,
    *STATISTICS,
    *METRICS,
    *PEERS,
)

UNITS = {
    "us": "microseconds",
    "ms": "milliseconds",
    "s": "seconds",
    "%": "per cent",
    "x": "times the number of CPUs",
}


def find(name: str, kinds: Iterable[Kind] = Kind) -> Word | None:
    """The word of a name, of the first of the kinds that has it."""
    for kind in kinds:
        for word in ALL:
            if word.name == name and word.kind is kind:
                return word
    return None
