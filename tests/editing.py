# SPDX-License-Identifier: Apache-2.0
"""Measures what an edit of a large policy costs the language server: its CPU time, in ms.

python tests/editing.py

Times on the wall depend on what else the machine does, so these are of the process alone.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass

from gthulhuc.lsp.analysis import Analysis, steps
from gthulhuc.lsp.hover import hover
from gthulhuc.lsp.program import Cache, read
from gthulhuc.source import Source

LINES = 2200
_EDITS = 12


@dataclass(frozen=True)
class Cost:
    """The CPU time of one edit in ms.

    `first_ms`: to the diagnostics of the passes; `all_ms`: to those of the plan, too; `step_ms`:
    the longest step of the passes, which a request may have to wait for; `hover_ms`: of one hover.
    """

    first_ms: float
    all_ms: float
    step_ms: float
    hover_ms: float


def policy(lines: int = LINES) -> str:
    """Returns a policy with a rule in every six lines."""
    rules = [
        f'rule r{number} {{\n    match    comm == "app{number}" or cgroup under "/svc/{number}"\n'
        f"    priority {('high', 'normal', 'low')[number % 3]}\n"
        f"    slice    {1 + number % 4}ms\n}}\n\n"
        for number in range(lines // 6)
    ]
    return "policy large\n\n" + "".join(rules)


def edits(text: str, count: int = _EDITS) -> list[str]:
    """Returns texts, each the one before with another name or number somewhere."""
    texts = []
    for number in range(count):
        rule = 7 + 29 * number
        text = text.replace(f'"app{rule}"', f'"other{rule}"')
        if number % 2:
            text = text.replace("slice    4ms", f"slice    {5 + number}ms", 1)
        texts.append(text)
    return texts


def measure(text: str, *, mistakes: bool = False) -> list[Cost]:
    """Returns the cost of each edit of a text that was checked already.

    With `mistakes`, each edit also mends one mistake of syntax and makes another one.
    """
    cache = Cache()
    _check(text, cache)
    texts = edits(text)
    if mistakes:
        texts = [_with_mistake(each, 11 + 17 * number) for number, each in enumerate(texts)]
    return [_check(each, cache) for each in texts]


def _with_mistake(text: str, rule: int) -> str:
    """The text without what follows `priority` in a rule."""
    at = text.index("priority", text.index(f"rule r{rule} "))
    return text[:at] + "priority" + text[text.index("\n", at) :]


def _check(text: str, cache: Cache) -> Cost:
    source = Source("large.gpl", text)
    begin = last = time.process_time()
    found: list[tuple[float, Analysis]] = []
    longest = 0.0
    for step in steps(source, _load, cache.parse, cache.memo(source.name)):
        now = time.process_time()
        if not found:
            longest = max(longest, now - last)
        last = now
        if step is not None:
            found.append((now - begin, step))
    (first, _), (everything, analysis) = found[0], found[-1]
    begin = time.process_time()
    said = hover(read(source, _load, cache.parse), analysis.policy, text.index("r200 {"))
    hovered = time.process_time() - begin
    assert said is not None
    return Cost(first * 1e3, everything * 1e3, longest * 1e3, hovered * 1e3)


def _load(name: str) -> bytes:
    raise FileNotFoundError(name)


def main() -> None:
    """Prints the medians."""
    argparse.ArgumentParser(description="Measure edits of a large policy.").parse_args()
    text = policy()
    costs = measure(text)
    print(f"{text.count(chr(10))} lines, medians of {len(costs)} edits, CPU time")
    mistaken = measure(text, mistakes=True)
    for what, times in (
        ("edit to diagnostics", [cost.first_ms for cost in costs]),
        ("  of a mistake of syntax", [cost.first_ms for cost in mistaken]),
        ("edit to those of the plan", [cost.all_ms for cost in costs]),
        ("longest step before", [cost.step_ms for cost in costs]),
        ("hover", [cost.hover_ms for cost in costs]),
    ):
        print(f"{what:28} {statistics.median(times):5.1f} ms")


if __name__ == "__main__":
    main()
