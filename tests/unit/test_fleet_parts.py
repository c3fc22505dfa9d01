# SPDX-License-Identifier: Apache-2.0
"""The parts of the fleet: watches, the Lease, and where texts come from."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic.alias_generators import to_camel

from api_machinery import CRDS
from gthulhu import kubernetes as watching
from gthulhu.fleet import lease as leasing
from gthulhu.fleet.lease import NAME, Lease
from gthulhu.fleet.loading import BrokerLoader
from gthulhu.fleet.resources import (
    POLICIES,
    ConfigMapRef,
    GthulhuRef,
    Meta,
    NodeStatus,
    Policy,
    PolicySpec,
    PolicyStatus,
    Revision,
    Text,
    digest,
)
from gthulhu.fleet.stopping import run_until_stopped
from gthulhu.fleet.texts import Texts
from gthulhu.kubernetes import Api, ApiError, Watched
from gthulhuc.cli.frame import CommandError
from small_api import SmallApi, serving

THINGS = "/api/v1/things"
FIRST, SECOND = "first", "second"
_GTHULHU = "/apis/gthulhu.io/v1alpha1/namespaces/gthulhu-system"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallApi]:
    for name, seconds in (("_FIRST_DELAY_S", 0.02), ("_MAX_DELAY_S", 0.1), ("_PAUSE_S", 0.02)):
        monkeypatch.setattr(watching, name, seconds)
    with serving(tmp_path, token=FIRST) as made:
        yield made


def thing(name: str, value: int) -> dict[str, Any]:
    return {"metadata": {"name": name}, "spec": {"value": value}}


def watch(
    server: SmallApi, scene: Callable[[Watched, list[str]], Awaitable[None]], **how: Any
) -> None:
    """Plays a scene with a watched collection, and with what was said meanwhile."""

    async def main() -> None:
        said: list[str] = []
        api = Api(str(server.kubeconfig))
        watched = Watched(api, THINGS, lambda: None, said.append, **how)
        task = asyncio.create_task(watched.run())
        try:
            await scene(watched, said)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await api.close()

    asyncio.run(main())


async def has(watched: Watched, **wanted: int) -> None:
    """Waits until exactly these things are known."""
    end = time.monotonic() + 20
    while {name: each["spec"]["value"] for name, each in watched.items.items()} != wanted:
        assert time.monotonic() < end, watched.items
        await asyncio.sleep(0.02)


def test_changes_are_followed(server: SmallApi) -> None:
    server.put(f"{THINGS}/a", thing("a", 1))

    async def scene(watched: Watched, said: list[str]) -> None:
        await has(watched, a=1)
        server.put(f"{THINGS}/b", thing("b", 2))
        server.put(f"{THINGS}/a", thing("a", 3))
        await has(watched, a=3, b=2)
        server.delete(f"{THINGS}/a")
        await has(watched, b=2)
        assert watched.version == str(server.version)
        assert said == []

    watch(server, scene)


def test_one_object_alone(server: SmallApi) -> None:
    for name in ("a", "b"):
        server.put(f"{THINGS}/{name}", thing(name, 1))

    async def scene(watched: Watched, _: list[str]) -> None:
        await has(watched, b=1)
        server.put(f"{THINGS}/a", thing("a", 2))
        server.put(f"{THINGS}/b", thing("b", 2))
        await has(watched, b=2)

    watch(server, scene, query={"fieldSelector": "metadata.name=b"})


def test_a_version_that_is_gone(server: SmallApi) -> None:
    server.put(f"{THINGS}/a", thing("a", 1))

    async def scene(watched: Watched, said: list[str]) -> None:
        await has(watched, a=1)
        await asyncio.to_thread(server.stop)
        server.delete(f"{THINGS}/a")  # no watch will ever tell
        server.put(f"{THINGS}/b", thing("b", 1))
        server.forget()
        await asyncio.to_thread(server.start)
        await has(watched, b=1)

    watch(server, scene)


def test_an_expired_token_is_read_again(server: SmallApi) -> None:
    server.put(f"{THINGS}/a", thing("a", 1))

    async def scene(watched: Watched, said: list[str]) -> None:
        await has(watched, a=1)
        server.token = SECOND
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        while not watched.problem:
            await asyncio.sleep(0.02)
        assert watched.items, "what was known stays known"
        assert "Unauthorized" in said[-1] or "connect" in said[-1]
        server.put(f"{THINGS}/a", thing("a", 2))
        server.token_file.write_text(SECOND)
        await has(watched, a=2)
        while watched.problem:
            await asyncio.sleep(0.02)
        assert said[-1].endswith("it answers again")
        assert len(said) == 2, "each trouble is said once"

    watch(server, scene)


def test_a_dead_connection_is_noticed(server: SmallApi) -> None:
    server.put(f"{THINGS}/a", thing("a", 1))

    async def scene(watched: Watched, said: list[str]) -> None:
        await has(watched, a=1)
        server.is_cut = True  # not even bookmarks arrive, and the connection stays
        while not watched.problem:
            await asyncio.sleep(0.05)
        server.is_cut = False
        server.put(f"{THINGS}/a", thing("a", 2))
        await has(watched, a=2)

    watch(server, scene, silence_s=1.2)


# ---- the Lease ----------------------------------------------------------------------------------


def test_one_controller_leads_and_another_takes_over(
    server: SmallApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("TERM_S", 1.0), ("_RENEW_S", 0.2), ("_RETRY_S", 0.1)):
        monkeypatch.setattr(leasing, name, seconds)

    async def main() -> None:
        api = Api(str(server.kubeconfig))
        first, second = (Lease(api, "here", name) for name in ("one", "two"))
        tasks = []
        for each in (first, second):
            tasks.append(asyncio.create_task(each.run()))
            await asyncio.sleep(0.3)
        for _ in range(8):
            assert (first.is_held, second.is_held) == (True, False)
            await asyncio.sleep(0.2)
        # It ends in order, so another one leads at once.
        tasks[0].cancel()
        await asyncio.gather(tasks[0], return_exceptions=True)
        await asyncio.sleep(0.5)
        assert (first.is_held, second.is_held) == (False, True)
        # It is killed, so its time has to pass.
        third = Lease(api, "here", "three")
        monkeypatch.setattr(Lease, "_give_back", _nothing)
        tasks[1].cancel()
        tasks.append(asyncio.create_task(third.run()))
        await asyncio.sleep(0.4)
        assert not third.is_held
        await asyncio.sleep(1.4)
        assert third.is_held
        lease = server.objects[f"/apis/coordination.k8s.io/v1/namespaces/here/leases/{NAME}"]
        assert lease["spec"]["holderIdentity"] == "three"
        assert lease["spec"]["leaseTransitions"] == 3
        # Without the API it leads no longer than its time.
        await asyncio.to_thread(server.stop)
        await asyncio.sleep(1.5)
        assert not third.is_held
        await asyncio.to_thread(server.start)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await api.close()

    asyncio.run(main())


async def _nothing(_: Lease) -> None:
    pass


# ---- texts --------------------------------------------------------------------------------------


def texts_of(server: SmallApi, spec: PolicySpec, until: Callable[[Text], bool]) -> Text:
    """The text of a policy, once it is as wanted."""

    async def main() -> Text:
        api = Api(str(server.kubeconfig))
        texts = Texts(api, "fleet", lambda: None, lambda _: None)
        policy = Policy(metadata=Meta(name="shop"), spec=spec)
        try:
            end = time.monotonic() + 30
            while not until(found := await texts.of(policy)):
                assert time.monotonic() < end, found
                await asyncio.sleep(0.05)
            return found
        finally:
            await texts.close()
            await api.close()

    return asyncio.run(main())


def test_the_text_of_a_config_map(server: SmallApi) -> None:
    spec = PolicySpec(config_map=ConfigMapRef(name="shop"))
    maps = "/api/v1/namespaces/fleet/configmaps"
    found = texts_of(server, spec, lambda text: "does not exist" in text.problem)
    assert found == Text(None, "ConfigMap fleet/shop does not exist")
    server.put(f"{maps}/shop", {"metadata": {"name": "shop"}, "data": {"other": "x"}})
    found = texts_of(server, spec, lambda text: "no key" in text.problem)
    assert found.problem == "ConfigMap fleet/shop has no key policy.gpl"
    data = {"policy.gpl": "policy shop {}\n"}
    server.put(f"{maps}/shop", {"metadata": {"name": "shop"}, "data": data})
    assert texts_of(server, spec, lambda text: text.text is not None).text == "policy shop {}\n"
    data = {"policy.gpl": 'policy shop {}\ninclude "/etc/shadow"\n'}
    server.put(f"{maps}/shop", {"metadata": {"name": "shop"}, "data": data})
    found = texts_of(server, spec, lambda text: text.is_wrong)
    assert found.problem.startswith("shop.gpl:2: ")
    assert "root:" not in found.problem


def test_the_strategies_of_gthulhu(server: SmallApi) -> None:
    spec = PolicySpec(gthulhu=GthulhuRef())
    found = texts_of(server, spec, lambda text: "no strategies" in text.problem)
    assert found.problem == "namespace gthulhu-system has no strategies of Gthulhu"
    rows = Path(__file__).parents[1] / "data" / "import" / "gthulhu" / "resources.yaml"
    strategy = next(iter(yaml.safe_load_all(rows.read_text())))
    server.put(f"{_GTHULHU}/schedulingstrategies/66b0c1d2", strategy)
    derived = {
        "strategyID": "66b0c1d2", "podName": "front-1", "podID": "u1", "nodeID": "node-1",
        "k8sNamespace": "prod", "commandRegex": "^nginx$", "priority": 8, "executionTime": 2000000,
    }  # fmt: skip
    own = derived | {"strategyID": "gone", "podName": "batch-1", "commandRegex": "sort"}
    for name, each in (("i1", derived), ("i2", own)):
        body = {"kind": "SchedulingIntent", "metadata": {"name": name}, "spec": each}
        server.put(f"{_GTHULHU}/schedulingintents/{name}", body)
    text = texts_of(server, spec, lambda text: text.text is not None).text
    assert text is not None
    assert 'label "app" == "frontend"' in text
    assert 'pod == "batch-1"' in text
    assert "front-1" not in text, "it is derived from the strategy"
    bad = {**strategy, "metadata": {"name": "bad"}, "spec": {"commandRegex": "x", "priority": 99}}
    server.put(f"{_GTHULHU}/schedulingstrategies/bad", bad)
    found = texts_of(server, spec, lambda text: text.is_wrong)
    assert "outside 0..20" in found.problem


# ---- schemas ------------------------------------------------------------------------------------


def _schema(number: int) -> dict[str, Any]:
    found = yaml.safe_load(CRDS[number].read_text())
    properties: dict[str, Any] = found["spec"]["versions"][0]["schema"]["openAPIV3Schema"][
        "properties"
    ]
    return properties


def _compared(model: Any, schema: dict[str, Any], where: str) -> None:
    """The server drops what a schema does not name, so each member of a model needs its place."""
    properties = schema.get("properties", {})
    for name, field in model.model_fields.items():
        key = to_camel(name)
        assert key in properties, f"{where}.{key} is not in the schema"
        inner = [
            each
            for each in (field.annotation, *getattr(field.annotation, "__args__", ()))
            if hasattr(each, "model_fields")
        ]
        for each in inner:
            below = properties[key]
            _compared(each, below.get("items", below), f"{where}.{key}")
    extra = properties.keys() - {to_camel(name) for name in model.model_fields}
    assert not extra, f"{where} has {extra} in the schema alone"


def test_schemas_and_models_agree() -> None:
    node, policy = _schema(0), _schema(1)
    _compared(NodeStatus, node["status"], "status")
    _compared(PolicySpec, policy["spec"], "spec")
    _compared(PolicyStatus, policy["status"], "status")


def test_errors_of_requests(server: SmallApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_REQUEST_S", 0.2)

    async def main() -> None:
        api = Api(str(server.kubeconfig))
        with pytest.raises(ApiError) as missing:
            await api.get(f"{POLICIES}/none")
        assert missing.value.status == 404
        await asyncio.to_thread(server.stop)
        with pytest.raises(ApiError) as away:
            await api.get(f"{POLICIES}/none")
        assert away.value.status == 0
        await asyncio.to_thread(server.start)
        await api.close()

    asyncio.run(main())


# ---- errors -------------------------------------------------------------------------------------


def test_an_error_in_a_task_is_that_of_the_command() -> None:
    async def fail() -> None:
        raise CommandError("cannot write fleet.json: No space left on device")

    async def work() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(fail())

    with pytest.raises(CommandError, match="No space left"):
        run_until_stopped(work())


def test_a_text_that_cannot_be_kept_is_an_error_of_the_node(tmp_path: Path) -> None:
    sha256 = digest("policy p {}\n")
    (tmp_path / sha256).write_text("in the way")
    loader = BrokerLoader(str(tmp_path), tmp_path)
    try:
        with pytest.raises(CommandError, match="cannot keep the text"):
            loader.dry_run("p", Revision(revision="1", sha256=sha256, text="policy p {}\n"))
    finally:
        loader.close()
