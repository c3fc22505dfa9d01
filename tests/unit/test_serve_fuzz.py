# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve` under requests that are made from its own description, valid or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok

from serving import PATIENCE_S, Serving, quick_clang

_SLOW = {"check", "dry-run", "swap", "trial", "policies", "strategies", "intents"}
"""The ends of routes that compile, which takes half a second each."""


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("serve")
    with closing(Serving(folder, clang=quick_clang(folder / "clang"))) as made:
        yield made


def test_no_request_is_an_internal_error(serving: Serving) -> None:
    headers = {"Authorization": f"Bearer {serving.token()}"}
    described = httpx.get(f"{serving.url}/openapi.json").json()
    schema = schemathesis.openapi.from_dict(described)
    seen: dict[int, int] = {}
    routes = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        # The first one does not end; the second gets its own test; the third records for seconds.
        if operation.path.endswith(("/events", "auth/token", "/trace")):
            continue
        routes += 1
        few = operation.path.rpartition("/")[2] in _SLOW and operation.method != "get"

        @settings(
            max_examples=2 if few else 6,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(
            case=st.one_of(
                operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE),
                operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE),
            )
        )
        def requests(case: schemathesis.Case[Any]) -> None:
            answer = case.call(base_url=serving.url, headers=headers, timeout=PATIENCE_S)
            said = f"{case.method} {case.formatted_path}: {answer.text[:500]}"
            assert answer.status_code < 500, said
            seen[answer.status_code] = seen.get(answer.status_code, 0) + 1

        requests()
    assert routes > 25
    assert {200, 422} <= seen.keys()
