# SPDX-License-Identifier: Apache-2.0
"""Every word of the language: its meaning, its form and its default.

Hover, completion, the editors' grammar and the tables of the reference use this list.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from gthulhuc import actions, fields, peers
from gthulhuc.fields import Field
from gthulhuc.passes.reading.values import QUANTITIES, show
from gthulhuc.records import dataclass


class Kind(Enum):
    """The place where a word is valid."""

    ITEM = "item"  # at the top of a file
    SETTING = "setting"  # in `policy`
    ACTION = "action"  # in a rule or `default`; `match` too
    FIELD = "field"  # in a predicate
    OPERATOR = "operator"  # joins or compares predicates
    LEVEL = "level"  # after `priority`
    CPUS = "cpus"  # after `cpus`
    MIGRATION = "migration"  # after `migrate`
    DETAIL = "detail"  # in the middle of an action, a field or the head of `expect`
    STATISTIC = "statistic"  # begins a claim
    METRIC = "metric"  # in the parentheses of a claim
    PEER = "peer"  # after `of`
    OTHERWISE = "otherwise"  # after `else`
    CONDITION = "condition"  # in the head of `when`
    RESOURCE = "resource"  # after `pressure`


@dataclass(frozen=True, slots=True)
class Word:
    """One word; `form` shows how to write it, `default` what applies without it."""

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
    ("policy", "policy NAME { .. }", "Starts a policy; its braces hold the settings."),
    (
        "include",
        'include "lib.gpl"',
        "Adds the definitions of a library: a file without `policy`, relative to this one.",
    ),
    (
        "tunable",
        "tunable NAME = 2ms in 500us..20ms",
        "A named value; an operator can set it at load or at run time, within its range.",
    ),
    ("set", 'set NAME = ["a", "b"]', "Names a list or a predicate."),
    (
        "rule",
        "rule NAME { match .. }",
        (
            "A class of tasks and its actions. Rules are tried in file order; "
            "the first that matches takes the task."
        ),
    ),
    (
        "default",
        "default { .. }",
        "The actions for tasks that no rule takes, and for what a rule leaves out.",
    ),
    (
        "expect",
        "expect WORKLOAD [as RULE] [under LOAD 2x [as RULE], ..] { .. }",
        "An acceptance test of the policy, which `gthulhu verify` runs.",
    ),
    (
        "promise",
        "promise RULE over 10s { .. else rollback }",
        "Claims that the loader judges on the running machine, window by window.",
    ),
    (
        "test",
        'test "NAME" { comm "ffmpeg" uid 1000 -> RULE .. }',
        "Tasks and the rule that takes each, which the compiler checks.",
    ),
    (
        "when",
        "when CONDITION { rule RULE { priority low } .. }",
        "Actions that replace those of rules while something is so on the machine.",
    ),
)

SETTINGS = _words(
    Kind.SETTING,
    (
        "kernel",
        "kernel >= 6.16",
        "The oldest supported kernel; the policy does not load on an older one.",
    ),
    (
        "watchdog",
        "watchdog 5s",
        "How long a task may wait before the kernel ejects the scheduler; at most 30s.",
    ),
    (
        "cgroups",
        "cgroups weight",
        "`weight`: `cpu.weight` counts. `limit`: `cpu.max`. `on`, and `auto`, the default: both.",
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
    ("and", "A and B", "True if both are true. Mixed with `or`, it needs parentheses."),
    ("or", "A or B", "True if either is true. Mixed with `and`, it needs parentheses."),
    (
        "not",
        "not A",
        "The opposite. While a fact is unknown, neither a comparison nor its opposite is true.",
    ),
    (
        "in",
        'comm in ["a", "b"] | uid in 1000..1999',
        "True for a member of a list, or a number within a range.",
    ),
    (
        "under",
        'cgroup under "/a"',
        "True for the path and all paths below it, by whole components.",
    ),
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
    ("fast", "cpus fast", "The faster cores; all cores if they are equal."),
    ("slow", "cpus slow", "The slower cores; all cores if they are equal."),
    ("any", "cpus any 4", "N CPUs near each other, which the loader chooses."),
    (
        "irq",
        'cpus irq "eth0*" | cpus not irq "eth0*"',
        "The CPUs that serve interrupts with such names, even after these move; `not`: the others.",
    ),
    ("all", "cpus all", "Every CPU that is not exclusive."),
    ("core", "cpus 3 exclusive core", "Also keeps other tasks off the other threads of its cores."),
    ("exclusive", "cpus 3 exclusive", "The CPUs belong to this rule alone; its tasks share them."),
    ("prefer", "cpus 0-3 prefer", "Only a preference: tasks use other CPUs when these are busy."),
)

MIGRATIONS = _words(
    Kind.MIGRATION,
    (
        "never",
        "migrate never",
        "Places a task once, on an idle allowed CPU if there is one; then it stays.",
    ),
    ("lazy", "migrate lazy", "A task leaves its CPU only when it would wait long there."),
    ("balanced", "migrate balanced", "A task leaves a busy CPU for an idle one nearby."),
    ("eager", "migrate eager", "One queue for all such tasks: any idle CPU takes them."),
    (
        "return",
        "migrate lazy return",
        "A migrated task returns to its previous CPU when that is idle.",
    ),
)

DETAILS = _words(
    Kind.DETAIL,
    ("after", "preempt after 100us", "Preempts a task only after it has run this long."),
    (
        "budget",
        "preempt budget 10ms per 100ms",
        "Preempts for at most this long on each CPU, in each period.",
    ),
    ("per", "budget 10ms per 100ms", "The period of a budget."),
    ("within", 'calls "fn" within 1s', "How long a call counts; each call restarts the time."),
    ("via", 'calls "fn" within 1s via softirq', "Another way to reach the function."),
    (
        "softirq",
        'calls "fn" within 1s via softirq',
        "Also counts a soft interrupt that ran on the task.",
    ),
    ("as", "expect ping as ran", "The rule that takes these tasks; without it, `default`."),
    ("over", "promise RULE over 10s", "The window in which each claim is judged: 1s to 3600s."),
    ("else", "else rollback", "The reaction when three of five windows break the promise."),
    ("off", "preempt off", "In a `when` block: the rule does not preempt meanwhile."),
    ("for", "pressure cpu > 20% for 5s", "The time over which it is measured: 1s to 600s."),
    ("of", "< 20% of eevdf", "Compares with the same metric under another scheduler."),
)

STATISTICS = _words(
    Kind.STATISTIC,
    ("p50", "p50(wakeup RULE) < 1ms", "The median."),
    ("p90", "p90(wakeup RULE) < 1ms", "90 of 100 samples are below it."),
    ("p99", "p99(wakeup RULE) < 1ms", "99 of 100 samples are below it; needs 1,000 samples."),
    ("p999", "p999(wakeup RULE) < 1ms", "999 of 1,000 samples are below it; needs 10,000 samples."),
    ("max", "max(wakeup RULE) < 1ms", "The largest."),
    ("mean", "mean(wakeup RULE) < 1ms", "The arithmetic mean."),
    ("share", "share(RULE) >= 50%", "The part of all CPU time in the window, idle time included."),
    ("rate", "rate(WORKLOAD) > 1000", "The operations that the workload completed per second."),
    ("time", "time(WORKLOAD) < 2s", "How long the workload took."),
)

METRICS = _words(
    Kind.METRIC,
    ("wakeup", "p99(wakeup RULE)", "The time from a wake-up to running."),
    ("wait", "p99(wait RULE)", "The time from each moment of becoming runnable to running."),
    ("time", "p99(time WORKLOAD)", "The time of each operation of the workload."),
)

PEERS = _words(
    Kind.PEER,
    (peers.EEVDF, f"< 20% of {peers.EEVDF}", "The kernel's own scheduler."),
    *((name, f"< 80% of {name}", meaning) for name, meaning in peers.PEERS.items()),
)

OTHERWISE = _words(
    Kind.OTHERWISE,
    ("log", "else log", "The loader reports it and continues; so it does without `else`."),
    ("rollback", "else rollback", "The loader goes back to the generation before."),
    ("eevdf", "else eevdf", "The loader ends; the kernel's own scheduler runs the machine."),
)

CONDITIONS = _words(
    Kind.CONDITION,
    (
        "power",
        'power == "saver"',
        'The power profile in force: `"saver"`, `"balanced"` or `"performance"`.',
    ),
    ("battery", "battery < 20%", "The charge of the machine's batteries is below this."),
    ("on-battery", "on-battery", "The machine runs on battery."),
    (
        "pressure",
        "pressure cpu > 20% for 5s",
        "Some task was stalled for lack of the resource for more than this part of the time.",
    ),
    (
        "time",
        "time in 22:00..06:00",
        "The local time of day, from the first up to the second time; over midnight, too.",
    ),
)

RESOURCES = _words(
    Kind.RESOURCE,
    ("cpu", "pressure cpu > 20% for 5s", "Tasks that wait for a CPU."),
    ("memory", "pressure memory > 5% for 10s", "Tasks that wait for memory."),
    ("io", "pressure io > 20% for 10s", "Tasks that wait for I/O."),
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
    *OTHERWISE,
    *CONDITIONS,
    *RESOURCES,
)

UNITS = {
    "us": "microseconds",
    "ms": "milliseconds",
    "s": "seconds",
    "%": "per cent",
    "x": "times the number of CPUs",
}


def find(name: str, kinds: Iterable[Kind] = Kind) -> Word | None:
    """Returns the word with a name, of the first of the kinds that has one."""
    for kind in kinds:
        for word in ALL:
            if word.name == name and word.kind is kind:
                return word
    return None
