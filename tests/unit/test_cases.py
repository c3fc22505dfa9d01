# SPDX-License-Identifier: Apache-2.0
"""tests/cases: policies with their diagnostics and checked policies.

A case may have libraries that it includes, and a `target.json` that it is checked against.

`diagnostics.txt` is what it says, `checked.json` the checked policy; either is absent where there
is nothing. `pytest --renew` writes both anew: read the difference before you commit it.
"""

from __future__ import annotations

import dataclasses
import json
import re
from enum import Enum
from pathlib import Path

import pytest

from gthulhuc.diagnostics import codes
from gthulhuc.diagnostics.human import render
from gthulhuc.frontend import check, decode
from gthulhuc.source import Span
from gthulhuc.target import read_target

CASES = sorted(path.parent for path in Path(__file__).parents[1].glob("cases/*/policy.gpl"))


def _plain(value: object) -> object:
    match value:
        case Span():
            return value.line
        case Enum():
            return value.name.lower()
        case bytes():
            return value.decode("latin-1")
        case tuple():
            return [_plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        kind = {"node": type(value).__name__} if "span" in fields else {}
        return kind | {name: _plain(item) for name, item in fields.items()}
    return value


def _compare(path: Path, text: str, *, renew: bool) -> None:
    if renew:
        path.unlink(missing_ok=True)
        if text:
            path.write_text(text, encoding="utf-8")
        return
    assert text == (path.read_text(encoding="utf-8") if path.exists() else "")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, pytestconfig: pytest.Config) -> None:
    renew = bool(pytestconfig.getoption("--renew"))
    source, found = decode("policy.gpl", (case / "policy.gpl").read_bytes())
    target = case / "target.json"
    policy, problems = check(
        source,
        load=lambda name: (case / name).read_bytes(),
        target=read_target(str(target)) if target.exists() else None,
    )
    text = render([*found, *problems]).replace(str(target), "target.json")
    _compare(case / "diagnostics.txt", text, renew=renew)
    has_errors = any(problem.is_error for problem in problems)
    assert (policy is None) == has_errors
    dumped = "" if policy is None else json.dumps(_plain(policy), indent=1, ensure_ascii=False)
    _compare(case / "checked.json", dumped and dumped + "\n", renew=renew)
    assert policy is not None or not case.name.startswith("good-")


def test_every_code_has_a_case() -> None:
    said = "".join(path.read_text() for path in Path(__file__).parents[1].glob("cases/*/*.txt"))
    # Policies of that size are in test_check_is_compile.
    of_budgets = {codes.TOO_MANY_STEPS.id, codes.TOO_MUCH_TABLE.id, codes.TOO_MUCH_STACK.id}
    assert {code.id for code in codes.ALL} - of_budgets == set(re.findall(r"\[(GPL\d+)\]", said))


def test_a_code_has_one_id_and_one_name() -> None:
    assert len({code.id for code in codes.ALL}) == len(codes.ALL)
    assert len({code.name for code in codes.ALL}) == len(codes.ALL)
