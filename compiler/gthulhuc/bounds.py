# SPDX-License-Identifier: Apache-2.0
"""The longest wait of a task of each class, and the rule that causes it.

The scheduler runs overdue tasks first. So a task waits for `max-wait`, then until the next sweep
finds it overdue, and then for the turns of the running task and of those overdue before it. At most
every second task that a CPU picks is overdue, so each of these turns takes two slices:
max-wait + 2 ms + 2 x (overdue ahead / CPUs + 1) x the longest slice that can delay it.
A sweep looks at a bounded number of tasks, and the next one goes on. So the more tasks wait, the
later an overdue one is found.
Tunables count at the worst value of their range, and other classes under any one condition.
"""

from __future__ import annotations

from gthulhuc.actions import LANGUAGE
from gthulhuc.checked import Actions, Cpus, Policy, Share
from gthulhuc.passes.reading.values import share_text
from gthulhuc.records import dataclass
from gthulhuc.source import Span
from gthulhuc.tunables import Value
from gthulhuc.variants import changed, of_rule

SWEEP_NS = 2_000_000
"""The period of the sweep that finds overdue tasks."""
SWEEP_TASK_NS = 8_000
"""Where many tasks wait, the period is this for each of them; it takes less than 5 % of that."""
SWEEP_MOST = 500
"""A sweep looks at this many tasks at most, and the next one goes on."""
SWEEP_MOVE = 2
"""A task that a sweep moves counts as this many more."""
SHORTEST_SLICE_NS = 100_000
"""A shorter slice lasts this long."""
FOUND_NS = (1 + SWEEP_MOVE) * SWEEP_TASK_NS
"""The part of a round of sweeps that one waiting task takes at most."""
FEW = SWEEP_NS // FOUND_NS
"""If no more tasks wait than this, each sweep finds all of them."""
KERNEL_THREADS = "kernel threads"


@dataclass(frozen=True, slots=True)
class Bound:
    """The bound of one class; `cpus` is their number, None for all CPUs that are not exclusive.

    `cause` is the class with the longest slice that can delay it (maybe the class itself),
    `cause_span` its place, if it has one, and `preempted_by` the rules that may preempt its tasks
    without a budget. `by_groups`: cgroups' weights decide when its turn comes; `by_shares`: the
    shares of classes do. `share`: that of the class, as a sentence or `""`.
    """

    name: str
    max_wait_ns: int
    slice_ns: int
    cause: str
    cause_span: Span | None
    cpus: int | None
    preempted_by: tuple[str, ...]
    span: Span | None
    by_groups: bool
    by_shares: bool
    share: str

    def wait_ns(self, overdue_ahead: int = 0, cpus: int = 1, waiting: int = 0) -> int:
        """Returns the longest wait in ns, with overdue tasks ahead and a number of usable CPUs.

        `waiting`: how many tasks wait on the whole machine.
        """
        usable = min(cpus, self.cpus or cpus)
        turns = -(-overdue_ahead // usable) + 1
        sweep_ns = SWEEP_NS + (waiting * FOUND_NS if waiting > FEW else 0)
        return self.max_wait_ns + sweep_ns + 2 * turns * self.slice_ns

    @property
    def formula(self) -> str:
        """The bound as a formula of the number of overdue tasks ahead."""
        share = "overdue ahead"
        if self.cpus != 1:
            share += f" / {self.cpus or 'CPUs'}"
        parts = [show_ns(self.max_wait_ns), show_ns(SWEEP_NS)]
        return f"{' + '.join(parts)} + 2 x ({share} + 1) x {show_ns(self.slice_ns)}"

    @property
    def explanation(self) -> str:
        """The bound in a sentence, with its cause."""
        whose = "its own slice" if self.cause == self.name else f"the slice of {quoted(self.cause)}"
        text = (
            f"waits at most {show_ns(self.wait_ns())} with no overdue task ahead of it: "
            f"max-wait {show_ns(self.max_wait_ns)}, a sweep of {show_ns(SWEEP_NS)}, and "
            f"twice {whose}, {show_ns(self.slice_ns)}; with more, {self.formula}; "
            f"where more than {FEW} tasks wait, up to {show_ns(FOUND_NS)} more for each"
        )
        if self.preempted_by:
            names = ", ".join(quoted(name) for name in self.preempted_by)
            text += f". {names} may preempt it without a budget"
        if self.by_groups:
            text += ". Longer where the `cpu.weight` of its cgroup gives it a small share"
        if self.by_shares:
            text += ". A task waits for its turn if the shares of classes leave it little"
        if self.share:
            text += f". {self.share}"
        return text


def bounds(policy: Policy) -> tuple[Bound, ...]:
    """Returns the bound of each rule that takes tasks, in file order, and of `default`."""
    classes = [_Class(rule.name, rule.actions, rule.span) for rule in policy.rules]
    classes = [item for item in classes if not item.actions.monitor]
    classes.append(_Class("default", policy.default, policy.default_span))
    others = classes + [
        _Class(item.name, changed(item.actions, [change]), item.span)
        for item in classes
        for _, change in of_rule(item.name, policy.whens)
    ]
    # Tasks delay each other only if their classes share a CPU, so it is enough to compare one
    # class of each set of CPUs.
    longest: dict[_Place, tuple[int, _Class]] = {}
    taken = _taken(classes)
    for item in others:
        slice_ns = _worst(item.actions.slice_max_ns)
        place = _place(item.actions.cpus, taken)
        if place not in longest or slice_ns > longest[place][0]:
            longest[place] = (slice_ns, item)
    unlimited = [
        item
        for item in others
        if item.actions.preempt is not None and item.actions.preempt.budget_ns is None
    ]
    by_groups = policy.cgroups.weighs
    by_shares = any(item.actions.share is not None for item in classes)
    return tuple(_bound(item, longest, unlimited, taken, by_groups, by_shares) for item in classes)


@dataclass(frozen=True, slots=True)
class _Class:
    name: str
    actions: Actions
    span: Span | None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a class can run: these CPUs (None: all that are not exclusive), alone or not."""

    cpus: frozenset[int] | None
    exclusive: bool


def _taken(classes: list[_Class]) -> frozenset[int]:
    """The CPUs that are exclusive to a class."""
    pins = [item.actions.cpus for item in classes]
    return frozenset(cpu for pin in pins if pin is not None and pin.exclusive for cpu in pin.cpus)


def _place(cpus: Cpus | None, taken: frozenset[int]) -> _Place:
    # The members of a group are known only on the machine; they may be any CPUs.
    if cpus is None or cpus.prefer:
        return _Place(None, exclusive=False)
    if cpus.groups:
        return _Place(None, cpus.exclusive)
    own = frozenset(cpus.cpus)
    return _Place(own if cpus.exclusive else own - taken, cpus.exclusive)


def _meet(one: _Place, other: _Place) -> bool:
    if one.exclusive or other.exclusive:
        return one == other and (one.cpus is not None or one.exclusive)
    return one.cpus is None or other.cpus is None or bool(one.cpus & other.cpus)


def _bound(
    item: _Class,
    longest: dict[_Place, tuple[int, _Class]],
    unlimited: list[_Class],
    taken: frozenset[int],
    by_groups: bool,
    by_shares: bool,
) -> Bound:
    place = _place(item.actions.cpus, taken)
    met = [found for other, found in longest.items() if _meet(place, other)]
    own = (_worst(item.actions.slice_max_ns), item)
    slice_ns, cause = max([own, *met], key=lambda found: found[0])
    name, span = cause.name, cause.span
    threads_ns = _worst(LANGUAGE.slice_max_ns)
    if not place.exclusive and slice_ns < threads_ns:
        slice_ns, name, span = threads_ns, KERNEL_THREADS, None
    return Bound(
        name=item.name,
        max_wait_ns=_worst(item.actions.max_wait_ns),
        slice_ns=max(slice_ns, SHORTEST_SLICE_NS),
        cause=name,
        cause_span=span,
        cpus=None if place.cpus is None else len(place.cpus),
        preempted_by=tuple(
            dict.fromkeys(
                other.name
                for other in unlimited
                if other.actions.priority < item.actions.priority
                and _meet(place, _place(other.actions.cpus, taken))
            )
        ),
        span=item.span,
        by_groups=by_groups and item.actions.share is None,
        by_shares=by_shares,
        share=_share(item.actions.share, None if place.cpus is None else len(place.cpus)),
    )


def _share(share: Share | None, cpus: int | None) -> str:
    """The bounds of a class as a whole in a sentence."""
    if share is None:
        return ""
    parts = []
    if share.low is not None:
        parts.append(f"at least {share_text(share.low, None)} while they want it")
    if share.high is not None:
        parts.append(
            f"at most {share_text(share.high, None)} even if CPUs are idle, and a task that is "
            "held back for this waits longer"
        )
    whole = "the CPUs" if cpus is None else f"{cpus} CPU{'s' * (cpus != 1)}"
    return f"Of {whole}, its tasks together have {' and '.join(parts)}"


def _worst(value: Value) -> int:
    return value if isinstance(value, int) else value.high


def quoted(name: str) -> str:
    """Returns a class's name for a reader."""
    return name if name == KERNEL_THREADS else f"`{name}`"


def show_ns(duration: int) -> str:
    """Returns a duration in ns as the language writes it."""
    for unit, scale in (("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)):
        if duration % scale == 0:
            return f"{duration // scale}{unit}"
    return f"{duration / 1000:.3f}us"
