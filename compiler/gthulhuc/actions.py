# SPDX-License-Identifier: Apache-2.0
"""The actions and levels of the language, one row each.

Statements, bounds and defaults, error recovery, completion and hover, the editors' grammar and the
reference's table follow from it. An action that is one number per class needs no code of its own
before the templates: its value arrives there as a member of `struct class_params`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gthulhuc.checked import Actions, Level, Migrate
from gthulhuc.records import dataclass
from gthulhuc.syntax import ast

_US, _MS, _S = 1_000, 1_000_000, 1_000_000_000


def show_ns(duration_ns: int) -> str:
    """A duration in ms or s, as the table has it."""
    return f"{duration_ns // _MS}ms" if duration_ns % _S else f"{duration_ns // _S}s"


@dataclass(frozen=True, slots=True)
class LevelRow:
    """The effect of a level: the lead in virtual time, and the defaults that follow it."""

    lead_ns: int
    weight: int
    max_wait_ns: int


LEVELS = {
    Level.URGENT: LevelRow(lead_ns=40 * _MS, weight=400, max_wait_ns=5 * _MS),
    Level.HIGH: LevelRow(lead_ns=20 * _MS, weight=200, max_wait_ns=20 * _MS),
    Level.NORMAL: LevelRow(lead_ns=0, weight=100, max_wait_ns=100 * _MS),
    Level.LOW: LevelRow(lead_ns=-40 * _MS, weight=50, max_wait_ns=500 * _MS),
    Level.IDLE: LevelRow(lead_ns=-400 * _MS, weight=5, max_wait_ns=2 * _S),
}
"""The lead is bounded, so that no task starves."""

_FROM_NS, _TO_NS = 1 * _MS, 5 * _MS

LANGUAGE = Actions(
    priority=Level.NORMAL,
    weight=LEVELS[Level.NORMAL].weight,
    slice_min_ns=_FROM_NS,
    slice_max_ns=_TO_NS,
    max_wait_ns=LEVELS[Level.NORMAL].max_wait_ns,
    cpus=None,
    migrate=Migrate.BALANCED,
    migrate_return=False,
    preempt=None,
    inherit=False,
    monitor=False,
)
"""The defaults of `default`, and the actions of kernel threads that no rule takes."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action.

    `node`: its statement; an ast.Amount is one number. `wanted`: what has to follow the word.
    `default`: what holds without it. `unit` and `bounds`: of its values ("" is a plain number, "ns"
    a duration, "%" a percentage in thousandths); None: they are not numbers. `words`: words that
    stand for a number, which may be out of bounds. `not_in_default`: why it is refused there.
    `is_taken_over`: a rule has it from `default`. `comment`: the one in C at the number.
    """

    name: str
    node: type
    form: str
    meaning: str
    cost: str
    wanted: str = ""
    default: str = "no"
    unit: str | None = None
    bounds: tuple[int, int] = (0, 0)
    words: Mapping[str, int] = field(default_factory=dict)
    not_in_default: str = ""
    is_taken_over: bool = True
    comment: str = ""


_NONE = "none"

ACTIONS = (
    Action(
        name="match",
        node=ast.Match,
        form="match PREDICATE",
        meaning="Which tasks the rule takes; once in each rule.",
        cost="that of its fields",
        wanted='a predicate such as `comm == "sshd"`',
        default="",
        not_in_default="`default` applies to every task that no rule takes",
    ),
    Action(
        name="priority",
        node=ast.Priority,
        form="priority urgent|high|normal|low|idle",
        meaning="The level: tasks of a higher one run first, by a bounded lead.",
        cost=_NONE,
        wanted="a level: `urgent`, `high`, `normal`, `low` or `idle`",
        default="normal",
    ),
    Action(
        name="weight",
        node=ast.Amount,
        form="weight N",
        meaning="The CPU time of a task relative to others that want it, scaled by its nice.",
        cost=_NONE,
        wanted="a weight such as `200`",
        default="by level: " + ", ".join(str(row.weight) for row in LEVELS.values()),
        unit="",
        bounds=(1, 10_000),
        is_taken_over=False,
    ),
    Action(
        name="slice",
        node=ast.Slice,
        form="slice D | slice D..D",
        meaning=(
            "How long a task may run before others get a turn, at least 100us; in a range, the "
            "more tasks wait, the shorter."
        ),
        cost="below 20 ticks a timer for each run while others wait",
        wanted="a duration such as `2ms`",
        default=f"{show_ns(_FROM_NS)}..{show_ns(_TO_NS)}",
        unit="ns",
        # A timer every 10 us would use most of a CPU; over 1 s one task would hold a CPU for longer
        # than the longest wait that the language promises at level normal.
        bounds=(10 * _US, _S),
    ),
    Action(
        name="cpus",
        node=ast.Cpus,
        form="cpus LIST [exclusive [core]|prefer] | cpus all",
        meaning=(
            "The CPUs that the tasks may run on: `0-3,5`, `node 1`, `llc 0`, `fast`, `slow`, "
            '`any 4`, `4 of llc`, `irq "eth0*"`. With `exclusive` no other task runs there; with '
            "`prefer` they are only a preference."
        ),
        cost="a queue for each set of CPUs",
        wanted="CPUs such as `0-3,5`",
        default="all",
    ),
    Action(
        name="migrate",
        node=ast.Migrate,
        form="migrate never|lazy|balanced|eager [return]",
        meaning=(
            "How readily a task leaves a busy CPU for an idle one; with `return` it goes back."
        ),
        cost="for `never`, `lazy` and `return` the task's home is kept",
        wanted="`never`, `lazy`, `balanced` or `eager`",
        default="balanced",
    ),
    Action(
        name="preempt",
        node=ast.Preempt,
        form="preempt [after D] [budget D per D]",
        meaning="A waking or new task may preempt one of a lower level.",
        cost="each CPU keeps the level that runs there",
        wanted="a duration such as `100us`",
        is_taken_over=False,
    ),
    Action(
        name="max-wait",
        node=ast.Amount,
        form="max-wait D",
        meaning=(
            "A task that has waited this long runs before all others; of such tasks, the earliest "
            "due runs first."
        ),
        cost="a sweep every 2 ms while tasks wait",
        wanted="a duration such as `20ms`",
        default="by level: " + ", ".join(show_ns(row.max_wait_ns) for row in LEVELS.values()),
        unit="ns",
        # A wait of more than 10 s comes close to the kernel's longest watchdog (30 s).
        bounds=(_MS, 10 * _S),
        is_taken_over=False,
    ),
    Action(
        name="perf",
        node=ast.Amount,
        form="perf N%|auto",
        meaning=(
            "CPU performance to request while the task runs, as a part of its maximum; `auto`: by "
            "the load of the CPU."
        ),
        cost="where a rule has it, each CPU's load is measured",
        wanted="a percentage such as `50%`, or `auto`",
        default="auto",
        unit="%",
        bounds=(10, 1000),
        words={"auto": 0},
        comment="asked of the CPU, in thousandths; 0: by its load",
    ),
    Action(
        name="share",
        node=ast.Share,
        form="share A% | share A%..B% | share ..B%",
        meaning=(
            "The part of their CPUs that the tasks of the class have together: at least A% while "
            "they want it, at most B% even if CPUs are idle."
        ),
        cost="every 10 ms a timer finds the classes' parts; with B%, a lease for each run",
        wanted="a percentage or a range such as `20%..50%`",
        unit="%",
        bounds=(1, 1000),
        is_taken_over=False,
    ),
    Action(
        name="inherit",
        node=ast.Inherit,
        form="inherit",
        meaning="Also takes all threads and processes that its tasks start, and their children.",
        cost="a word for each task",
        not_in_default="tasks cannot inherit `default`: it applies to those that no rule takes",
        is_taken_over=False,
    ),
    Action(
        name="monitor",
        node=ast.Monitor,
        form="monitor",
        meaning="Only counts the tasks that match; later rules decide as if it were absent.",
        cost="a clock reading at each start and end of such a task's runs",
        not_in_default="`monitor` passes tasks on to later rules, and none comes after `default`",
        is_taken_over=False,
    ),
)
NAMES = tuple(action.name for action in ACTIONS)
BY_NAME = {action.name: action for action in ACTIONS}
AMOUNTS = {action.name: action for action in ACTIONS if action.node is ast.Amount}
_OWN_MEMBERS = {"weight", "max-wait"}  # whose defaults follow the level
NUMBERS = {name: action for name, action in AMOUNTS.items() if name not in _OWN_MEMBERS}
"""Actions that are one number per class and nothing else."""
CHANGEABLE = ("priority", "weight", "slice", "max-wait", "preempt", *NUMBERS)
"""Actions that a `when` block may replace."""

_NAME_OF = {action.node: action.name for action in ACTIONS if action.node is not ast.Amount}


def name_of(statement: ast.Statement) -> str:
    """Returns the word that a statement begins with."""
    return statement.word if isinstance(statement, ast.Amount) else _NAME_OF[type(statement)]
