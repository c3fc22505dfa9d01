# SPDX-License-Identifier: Apache-2.0
"""The code that each feature adds to an object; a policy without the feature has none of it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from gthulhuc import codegen, plan
from gthulhuc.frontend import check
from gthulhuc.source import Source

GOLDEN = Path(__file__).parents[1] / "data" / "features.txt"
BASE = "default { slice 2ms }"
RULE = 'rule a { match comm == "a" weight 7 }'
PREDICATES = (
    'comm == "a"', 'comm ~ "a*"', 'process == "a"', 'parent == "a"', 'ancestor == "a"',
    'cgroup under "/a"', 'unit == "a.service"', 'qos == "burstable"', "uid == 7", 'gid == "a"',
    "nice > 0", "leader", "kthread", "interactive", 'label "a" == "b"', 'namespace == "a"',
    'pod ~ "a*"', "container =~ 'a+'", 'calls "f" within 1s',
)  # fmt: skip
ACTIONS = (
    "priority high", "weight 7", "slice 1ms..2ms", "max-wait 7ms", "cpus 0-1", "cpus fast",
    "cpus 0-1 prefer", "migrate never", "migrate lazy", "migrate eager", "migrate balanced return",
)  # fmt: skip
OF_RULES = (
    "cpus 1 exclusive", "priority high preempt", "priority high preempt after 1ms",
    "priority high preempt budget 1ms per 9ms", "inherit", "monitor",
)  # fmt: skip

KINDS = {"--stats": {"stats": True}, "--monitor": {"monitor": True}}
SETTINGS = {
    "watchdog": "cgroups off watchdog 5s",
    "cgroups weight": "cgroups weight",
    "cgroups auto": "",
    **dict.fromkeys(KINDS, ""),
}
OFF = "cgroups off"  # else all objects have it, and clang takes twice as long

Parts = set[str]


def parts(policy: str, **kind: bool) -> Parts:
    """The programs and maps of a policy's object; a callback is the program `struct_ops`."""
    checked, problems = check(Source("p.gpl", policy))
    assert checked is not None, problems
    elf: Any = ELFFile(BytesIO(codegen.compile_object(codegen.render(plan.build(checked), **kind))))
    found = {f"map {name}" for section in elf.iter_sections() if _is_data(name := section.name)}
    for symbol in elf.get_section_by_name(".symtab").iter_symbols():
        index = symbol["st_shndx"]
        if not isinstance(index, int) or symbol["st_info"]["type"] not in (
            "STT_FUNC",
            "STT_OBJECT",
        ):
            continue
        section = elf.get_section(index).name
        if section == ".maps":
            found.add(f"map {symbol.name}")
        elif symbol["st_info"]["type"] == "STT_FUNC" and section != ".text":
            found.add(f"program {section.split('/gthulhu')[0]} {symbol.name}")
    return found


def _is_data(section: str) -> bool:
    """Whether libbpf makes a map of it, but for clang's own: constants that may be merged."""
    return section.startswith((".data", ".bss", ".rodata")) and ".cst" not in section


def listing() -> str:
    base, rule = (parts(f"policy p {{ {OFF} }} {items}") for items in (BASE, RULE))
    texts = [f"{BASE}\n", *(f"    {part}\n" for part in sorted(base))]
    found = {f"match {p}": (base, f"rule a {{ match {p} weight 7 }}") for p in PREDICATES}
    found |= {f"default {{ {a} }}": (base, f"default {{ {a} }}") for a in ACTIONS}
    found |= {
        f"{a}, beside match": (rule, f'rule a {{ match comm == "a" weight 7 {a} }}')
        for a in OF_RULES
    }
    found["tunable"] = (base, "tunable t = 2ms in 1ms..3ms default { slice t }")
    found |= dict.fromkeys(SETTINGS, (base, BASE))
    found |= dict.fromkeys(KINDS, (parts(f"policy p {{}} {BASE}"), BASE))
    for title, (before, items) in found.items():
        settings = SETTINGS.get(title, OFF)
        now = parts(f"policy p {{ {settings} }} {items}", **KINDS.get(title, {}))
        texts += [f"\n{title}\n"]
        texts += [f"    + {part}\n" for part in sorted(now - before)]
        texts += [f"    - {part}\n" for part in sorted(before - now)]
    return "".join(texts)


def test_code_added_by_each_feature(request: pytest.FixtureRequest) -> None:
    text = listing()
    if request.config.getoption("--renew"):
        GOLDEN.write_text(text)
    assert text == GOLDEN.read_text()
