# SPDX-License-Identifier: Apache-2.0
"""The fleet with Kubernetes' own API server, on which the manifests are applied.

Nodes and controllers have the tokens of their pods, and so the rights that the manifests give.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import api_machinery
import fleet_load
import fleet_stories
import pods
from api_machinery import Machinery, RefusedError
from fleet_accounts import Accounts, is_allowed
from fleet_scenes import GROUP, Fleet, hurry
from gthulhu import kubernetes as watching
from gthulhu.fleet.resources import NODES, POLICIES, Text
from gthulhu.fleet.texts import Texts

pytestmark = pytest.mark.soak

Story = Callable[[Fleet], Awaitable[None]]
Play = Callable[[int, Story], None]


@pytest.fixture(scope="module")
def machinery() -> Iterator[Machinery]:
    with api_machinery.running() as made:
        yield made


@pytest.fixture(scope="module")
def accounts(machinery: Machinery) -> Accounts:
    return Accounts(machinery, pods.resources())


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, machinery: Machinery) -> None:
    hurry(monkeypatch)
    monkeypatch.setattr(watching, "_MAX_DELAY_S", 1.0)

    async def checked(_self: Texts, _name: str, text: str) -> Text:
        return Text(text)

    monkeypatch.setattr(Texts, "_checked", checked)
    for path in (POLICIES, NODES):
        for each in machinery.ask("GET", path)["items"]:
            machinery.ask("DELETE", f"{path}/{each['metadata']['name']}")


@pytest.fixture
def play(machinery: Machinery, accounts: Accounts, tmp_path: Path) -> Iterator[Play]:
    """Plays a scene with a number of nodes. No account asks for anything that it may not have."""

    async def main(count: int, scene: Any) -> None:
        fleet = Fleet(machinery.kubeconfig, tmp_path, accounts=accounts.of)
        try:
            for number in range(count):
                accounts.add_node(fleet.name(number), {"odd": str(number % 2)})
                fleet.start_node(fleet.name(number))
            fleet.start_controller()
            await scene(fleet)
        finally:
            await fleet.close()

    before = len(machinery.audited())
    yield lambda count, scene: asyncio.run(main(count, scene))
    asked = machinery.audited()[before:]
    assert asked
    assert [each["requestURI"] for each in asked if not is_allowed(each)] == []


def policy(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": GROUP, "kind": "SchedulingPolicy", "metadata": {"name": "shop"}, "spec": spec,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({}, "give exactly one of policy, configMap and gthulhu"),
        ({"policy": "x", "gthulhu": {}}, "give exactly one of policy, configMap and gthulhu"),
        ({"policy": "x" * (1 << 18) + "x"}, "may not be more than 262144"),
        ({"policy": "x", "rollout": {"steps": ["100%"]}}, "a step is a number of nodes"),
        ({"policy": "x", "rollout": {"steps": [0]}}, "a step is a number of nodes"),
        ({"policy": "x", "rollout": {"steps": ["5"]}}, "a step is a number of nodes"),
        ({"policy": "x", "rollout": {"hold": "soon"}}, "expected a time such as 90s"),
        ({"policy": "x", "rollout": {"hold": ""}}, "expected a time such as 90s"),
        ({"policy": "x", "rollout": {"promises": "Never"}}, "supported values"),
        ({"policy": "x", "verified": "ab"}, "should match '^[0-9a-f]{64}$'"),
        ({"policy": "x", "attempt": 0}, "greater than or equal to 1"),
        ({"policy": "x", "rollout": {"canaryNodes": ["a", "a"]}}, "Duplicate value"),
    ],
)
def test_bad_objects_are_refused(machinery: Machinery, spec: dict[str, Any], why: str) -> None:
    with pytest.raises(RefusedError) as refused:
        machinery.ask("POST", POLICIES, policy(**spec))
    assert refused.value.status == 422
    assert why in json.loads(refused.value.text)["message"]


def test_good_objects_get_their_defaults(machinery: Machinery) -> None:
    spec = machinery.ask("POST", POLICIES, policy(policy="policy p {}"))["spec"]
    assert spec == {
        "policy": "policy p {}", "priority": 0, "attempt": 1, "paused": False,
        "rollout": {"steps": [1, "5%", "50%"], "hold": "10m", "promises": "NotBroken"},
    }  # fmt: skip


def test_the_definitions_have_no_complaints(machinery: Machinery) -> None:
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    for each in machinery.ask("GET", path)["items"]:
        found = {kind["type"]: kind["status"] for kind in each["status"]["conditions"]}
        assert found["Established"] == found["NamesAccepted"] == "True"
        assert found.get("NonStructuralSchema", "False") == "False"


def test_a_table_shows_columns(machinery: Machinery, play: Play) -> None:
    play(3, fleet_stories.one_kernel_refuses)
    table = machinery.ask("GET", POLICIES, accept="application/json;as=Table;v=v1;g=meta.k8s.io")
    cells = dict(zip([each["name"] for each in table["columnDefinitions"]],
                     table["rows"][0]["cells"], strict=True))  # fmt: skip
    assert (cells["Phase"], cells["In force"], cells["Nodes"]) == ("Failed", 3, 3)
    assert "R1 is not a pointer" in cells["Message"]


@pytest.mark.parametrize(
    ("story", "count"),
    [
        (fleet_stories.a_canary_breaks_its_promise, 40),
        (fleet_stories.the_first_policy_fails_at_half, 8),
        (fleet_stories.everyone_writes, 6),
    ],
)
def test_stories(play: Play, story: Story, count: int) -> None:
    play(count, story)


class Etcd:
    """An API whose etcd ends and comes back, as if the network between them were cut."""

    def __init__(self, machinery: Machinery) -> None:
        self.stop, self.start = machinery.kill_etcd, machinery.start_etcd


class Server:
    """An API server that is killed and started again; its watches expire (410 Gone) with it."""

    def __init__(self, machinery: Machinery) -> None:
        self.stop, self.start = machinery.kill, machinery.start


@pytest.mark.parametrize("part", [Server, Etcd])
@pytest.mark.parametrize(
    "story",
    [fleet_stories.the_api_is_away, fleet_stories.the_api_goes_away_in_the_middle],
)
def test_the_api_fails(machinery: Machinery, play: Play, part: Any, story: Any) -> None:
    play(8, lambda fleet: story(fleet, part(machinery)))


# asyncio forgets the socket of a connection that is cancelled in the middle. Here a cancelled task
# stands for a process, whose end closes it.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_processes_end_at_random(play: Play) -> None:
    play(5, lambda fleet: fleet_stories.processes_end_at_random(fleet, 7, 100))


def test_a_thousand_nodes(machinery: Machinery, tmp_path: Path) -> None:
    figures = fleet_load.measure(machinery, tmp_path, 1000)
    assert figures["reach_s"] < 30
    assert figures["controller_mb"] < 200
    assert figures["controller_cpu"] < 0.1
    assert figures["requests_per_minute"] < 6
