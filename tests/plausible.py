# SPDX-License-Identifier: Apache-2.0
"""Random plausible policies: most pass every check, and many become C."""

from __future__ import annotations

import random

_NAMES = ("cc1", "ld", "nr-gnb", "ping", "java", "sshd", "make", "redis", "a", "lcore-worker-1")
_NAME_GLOBS = (
    "nr-*",
    "cc1[a-z]*",
    "lcore-worker-?",
    "*-gnb",
    "[!a]b*",
    "x*y*",
    "??",
    "build-[0-9]",
)
_PATHS = ("/ci.slice", "/a/b", "/system.slice/cron.service", "/kubepods/burstable", "/a", "/user")
_PATH_GLOBS = ("/a/*", "*/build-*", "/user.slice/*.scope", "/kubepods*/pod?/*")
_UNITS = ("cron.service", "nginx.service", "run-1.scope")
_REGEXES = ("nr-(gnb|ue)", "a{1,3}b?", "[a-f]+x", "w[0-9]{2}", r"k\d+", "(a|b|cd)*e")
_LEVELS = ("urgent", "high", "normal", "low", "idle")
_DURATIONS = ("10us", "100us", "750us", "1ms", "2ms", "20ms", "0.5s", "1s")
_LATE = (
    'label "app" == "web"', 'label "k" in ["a", "b"]', 'label "batch"', 'namespace == "prod"',
    'pod ~ "api-*"', 'container != "sidecar"', 'calls "tcp_sendmsg" within 500ms', "interactive",
    'calls "gtp_encap_recv" within 1s via softirq', 'uid == "postgres"', 'gid in ["staff", 100]',
)  # fmt: skip
_LATE_ACTIONS = (
    "monitor", "inherit", "max-wait 20ms", "cpus node 1", "cpus fast", "cpus 1-3 prefer",
    "preempt after 100us budget 10ms per 100ms", "slice span",
)  # fmt: skip


class Plausible:
    """Generates policies; about half use only supported features."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._pick = chance.choice
        self._is_plain = True

    def policy(self) -> str:
        """Returns the text of a policy."""
        self._is_plain = self._chance.random() < 0.6
        settings = self._some("kernel >= 6.13", "watchdog 5s")
        items = [f"policy p {{ {settings} }}"]
        names = ", ".join(f'"{name}"' for name in self._chance.sample(_NAMES, 3))
        rules = [self._rule(f"r{i}") for i in range(self._chance.choice((1, 1, 2, 3)))]
        text = "\n".join(rules)
        if self._chance.random() < 0.25:
            text += f"\nrule listed {{ match process in names {self._actions()} }}"
            text += "\nrule named { match some priority low }"
            items += [f"set names = [{names}]", f"set some = {self._predicate(1)}"]
        if " span" in text:
            items.append("tunable span = 2ms in 500us..20ms")
        if self._chance.random() < 0.4:
            text += f"\ndefault {{ slice {self._pick(('2ms', '1ms..4ms', '500us'))} }}"
        if self._chance.random() < 0.2:
            text += "\nexpect load as r0 under hogs 2x { p99(wakeup r0) < 300us share(r0) >= 5% }"
            text += "\npromise r0 over 2s { p90(wait r0) <= 1ms share(default) > 1% else eevdf }"
        return "\n".join([*items, text, ""])

    def _some(self, *parts: str) -> str:
        return " ".join(part for part in parts if self._chance.random() < 0.3)

    def _rule(self, name: str) -> str:
        predicate = self._predicate(self._chance.randint(0, 2))
        return f"rule {name} {{ match {predicate} {self._actions()} }}"

    def _predicate(self, depth: int) -> str:
        if depth == 0 or self._chance.random() < 0.5:
            return self._comparison()
        word = self._pick((" and ", " or "))
        parts = [self._operand(depth - 1) for _ in range(self._chance.randint(2, 3))]
        return word.join(parts)

    def _operand(self, depth: int) -> str:
        negation = "not " * (self._chance.random() < 0.2)
        inner = self._predicate(depth)
        is_single = " and " not in inner and " or " not in inner
        return negation + (inner if is_single else f"({inner})")

    def _comparison(self) -> str:
        if not self._is_plain and self._chance.random() < 0.4:
            return self._pick(_LATE)
        name, field = self._name(), self._pick(("comm", "process", "parent", "ancestor"))
        number = self._chance.randint(0, 60000)
        return self._pick(
            (
                f'{field} == "{name}"',
                f'{field} != "{name}"',
                f'{field} in ["{name}", "{self._name()}"]',
                f'{field} ~ "{self._pick(_NAME_GLOBS)}"',
                f"{field} =~ '{self._pick(_REGEXES)}'",
                f'cgroup under "{self._pick(_PATHS)}"',
                f'cgroup == "{self._pick(_PATHS)}/{name}"',
                f'cgroup ~ "{self._pick(_PATH_GLOBS)}"',
                f'unit == "{self._pick(_UNITS)}"',
                f'qos in ["{self._pick(("guaranteed", "burstable", "best-effort"))}"]',
                f"uid {self._pick(('==', '>=', '<=', '!='))} {number}",
                f"gid in {number}..{number + self._chance.randint(0, 5000)}",
                f"nice {self._pick(('<', '>', 'in -3..'))} {self._chance.randint(1, 9)}",
                "leader",
                f'kthread and comm ~ "{name}*"' if self._chance.random() < 0.2 else "not leader",
            )
        )

    def _name(self) -> str:
        suffix = str(self._chance.randint(0, 99)) if self._chance.random() < 0.7 else ""
        return self._pick(_NAMES)[: 15 - len(suffix)] + suffix

    def _actions(self) -> str:
        if not self._is_plain and self._chance.random() < 0.4:
            return self._pick(_LATE_ACTIONS)
        level = self._pick(_LEVELS)
        slices = self._chance.sample(range(len(_DURATIONS)), 2)
        low, high = (_DURATIONS[i] for i in sorted(slices))
        cpu = self._chance.randint(0, 6)
        return self._some(
            f"priority {level}",
            f"weight {self._chance.randint(1, 10000)}",
            self._pick((f"slice {low}", f"slice {low}..{high}")),
            f"cpus {cpu}-{cpu + self._chance.randint(1, 9)}",
            f"migrate {self._pick(('lazy', 'balanced', 'eager', 'lazy return', 'never'))}",
        )
