# SPDX-License-Identifier: Apache-2.0
"""The shipped policies: which `expect` block proves which action."""

from __future__ import annotations

from pathlib import Path

from gthulhuc import checked, frontend
from gthulhuc.claims import Expectation
from gthulhuc.source import Source, Span

ROOT = Path(__file__).parents[1]
POLICIES = {path.stem: path for path in sorted((ROOT / "policies").glob("*.gpl"))}

SPEAKS_FOR: dict[str, dict[tuple[str, str], int]] = {
    "bpfland-2024": {
        ("priority-queue", "priority"): 0,
        ("default", "max-wait"): 1,
    },
    "build-farm": {
        ("builds", "priority"): 0,
        ("builds", "slice"): 1,
        ("default", "preempt"): 0,
    },
    "database": {
        ("database", "preempt"): 0,
        ("database", "priority"): 1,
        ("batch", "priority"): 1,
        ("batch", "slice"): 0,
    },
    "desktop": {
        ("audio", "priority"): 0,
        ("audio", "preempt"): 0,
        ("windows", "priority"): 1,
        ("windows", "preempt"): 1,
        ("play", "weight"): 1,
        ("background", "priority"): 2,
        ("background", "slice"): 3,
        ("default", "preempt"): 2,
    },
    "gthulhu-default": {
        ("default", "slice"): 0,
    },
    "interactive": {
        ("answers", "priority"): 0,
        ("answers", "preempt"): 0,
        ("answers", "slice"): 3,
    },
    "isolate": {
        ("pollers", "cpus"): 0,
    },
    "k8s-node": {
        ("node", "priority"): 0,
        ("node", "preempt"): 0,
        ("node", "share"): 4,
        ("latency", "priority"): 0,
        ("latency", "preempt"): 5,
        ("guaranteed", "priority"): 1,
        ("guaranteed", "preempt"): 1,
        ("best-effort", "priority"): 2,
        ("best-effort", "slice"): 3,
    },
    "microvm-boot": {
        ("microvms", "migrate"): 1,
        ("microvms", "slice"): 2,
        ("default", "migrate"): 3,
    },
    "tenants": {
        ("gold", "share"): 0,
        ("silver", "share"): 0,
        ("trial", "share"): 1,
        ("default", "share"): 2,
    },
    "upf-pinned": {
        ("ran", "cpus"): 1,
    },
    "upf-slices": {
        ("urllc", "priority"): 0,
        ("urllc", "preempt"): 0,
        ("embb", "priority"): 1,
    },
    "upf-traced": {
        ("user_plane", "priority"): 0,
        ("user_plane", "preempt"): 0,
    },
    "upf": {
        ("ran", "priority"): 5,
        ("ran", "preempt"): 0,
        ("default", "slice"): 4,
        ("ran", "slice"): 2,
        ("builders", "slice"): 3,
        ("builders", "priority"): 3,
    },
    "web": {
        ("servers", "priority"): 0,
        ("servers", "slice"): 1,
        ("servers", "preempt"): 0,
        ("batch", "priority"): 2,
        ("batch", "slice"): 2,
    },
}
"""For each policy, the number of the block that fails without an action."""

OF_THE_WHOLE = {"interactive": {1, 2}, "microvm-boot": {0}, "upf": {1}, "upf-pinned": {0}}
"""Blocks that test a policy's purpose in other situations, with any of its actions."""


TAKEN_APART = "gthulhu-default"
"""The policy that `make test` takes the actions from: it needs one guest, the fewest."""


def policy_of(text: str) -> checked.Policy:
    """Returns a valid policy."""
    policy = policy_if_right(text)
    assert policy is not None
    return policy


def policy_if_right(text: str) -> checked.Policy | None:
    """Some actions are invalid without another, and the compiler reports that."""
    return frontend.check(Source("policy.gpl", text))[0]


_CHEAPEST = {"tenants": 2}
"""A block of half the first one's time; test_shares.py and examples/6-tenants have the others."""


def block_of_gate(policy: checked.Policy) -> Expectation:
    """Returns the block that `make test` verifies: the first that needs no baseline's guest."""
    if (cheapest := _CHEAPEST.get(policy.name)) is not None:
        return policy.expectations[cheapest]
    alone = (
        block for block in policy.expectations if not any(claim.baseline for claim in block.claims)
    )
    return next(alone, policy.expectations[0])


def without_baselines(text: str) -> str:
    """Returns a policy whose block of `make test` has no claim with a baseline.

    Such claims take another scheduler's guests, and several seeds: under EEVDF a round trip by ping
    takes 3.6 ms to 9.5 ms.
    """
    for claim in reversed(block_of_gate(policy_of(text)).claims):
        if claim.baseline:
            text = without(text, claim.span)
    return text


def rules_apart(policy: checked.Policy) -> list[str]:
    """Returns the rules that have no tasks in the block of `make test`."""
    block = block_of_gate(policy)
    with_tasks = {block.rule, *(load.rule for load in block.loads)}
    return [rule.name for rule in policy.rules if rule.name not in with_tasks]


def line_of(block: Expectation) -> int:
    """The line that an `expect` block begins on, as `gthulhu verify --expect` takes it."""
    return block.span.source.position(block.span.start)[0]


def actions(policy: checked.Policy) -> dict[tuple[str, str], Span]:
    """The first word of each action that the policy states; each has a line of its own."""
    blocks = [(rule.name, rule.span, rule.actions) for rule in policy.rules]
    if policy.default_span is not None:
        blocks.append(("default", policy.default_span, policy.default))
    return {
        (name, action): at
        for name, whole, block in blocks
        for action, at in block.written
        if whole.start <= at.start < whole.end
    }


def without(text: str, at: Span) -> str:
    """Returns a policy without the rest of a line, from the action or claim on."""
    return text[: at.start] + text[text.index("\n", at.start) :]
