# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve` for Gthulhu's clients: the decision maker's routes, without its defects."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import serialization

from gthulhu.serve.keys import Kind
from gthulhu.serve.strategies import root_of
from gthulhuc.cli import gthulhu
from serving import PATIENCE_S, Serving, quick_clang, until

REQUESTS = Path(__file__).parents[1] / "data" / "gthulhu-requests.json"
INTENT: dict[str, Any] = {
    "podName": "web-1", "podID": "uid-1", "nodeID": "node-1", "k8sNamespace": "shop",
    "commandRegex": "^nginx$", "priority": 5, "executionTime": 5_000_000,
    "podLabels": {"app": "web", "tier": "front"},
}  # fmt: skip


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("serve")
    with closing(Serving(folder, clang=quick_clang(folder / "clang"))) as made:
        yield made


@pytest.fixture(scope="module")
def api(serving: Serving) -> Iterator[httpx.Client]:
    with serving.client() as client:
        client.base_url = client.base_url.join("/api/v1/")
        yield client


@pytest.fixture(autouse=True)
def nothing(api: httpx.Client) -> None:
    """Each test begins without strategies and intents."""
    api.post("scheduling/strategies", json={"strategies": []})
    api.request("DELETE", "intents", json={"all": True})


@pytest.fixture
def sleeper() -> Iterator[int]:
    with subprocess.Popen(["sleep", "1000"]) as process:
        yield process.pid
        process.kill()


def in_force(serving: Serving) -> str:
    """The text of the last policy that was put in force."""
    return Path(serving.loader.of("swap")[-1][2]).read_text()


def swaps(serving: Serving) -> int:
    return len(serving.loader.of("swap"))


def by_name(regex: str, **more: Any) -> dict[str, Any]:
    return {"priority": 5, "execution_time": 5_000_000, "command_regex": regex, **more}


# ---- tokens -------------------------------------------------------------------------------------


def test_a_token_in_both_shapes(serving: Serving, api: httpx.Client) -> None:
    given = serving.token(kind=Kind.ENROLMENT, name="operator@example")
    body = {"public_key": f"{given}\n", "client_id": "operator", "expired_at": 0}
    with httpx.Client(base_url=serving.url, timeout=PATIENCE_S) as client:
        answer = client.post("/api/v1/auth/token", json=body).json()
        assert answer["success"] is True
        assert answer["token"] == answer["data"]["token"]
        assert answer["data"]["expired_at"] <= time.time() + 600
        headers = {"Authorization": f"Bearer {answer['token']}"}
        got = client.get("/api/v1/scheduling/strategies", headers=headers)
        assert got.status_code == 200
        # The token that was given for it calls nothing, and an access token gets no other one.
        headers = {"Authorization": f"Bearer {given}"}
        assert client.get("/api/v1/intents/merkle", headers=headers).status_code == 401
        again = client.post("/api/v1/auth/token", json={"public_key": answer["token"]})
        assert again.status_code == 401


def test_no_public_key_is_a_credential(serving: Serving, api: httpx.Client) -> None:
    (path,) = (serving.folder / "keys" / "trusted").iterdir()
    for text in (path.read_text(), "", "-----BEGIN PUBLIC KEY-----\nMIIB\n"):
        answer = api.post("auth/token", json={"public_key": text})
        assert answer.status_code == 401
        assert answer.json()["success"] is False


def test_a_token_has_the_role_of_its_enrolment(serving: Serving, api: httpx.Client) -> None:
    given = serving.token("read", kind=Kind.ENROLMENT)
    token = api.post("auth/token", json={"public_key": given}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    answer = api.post("intents", json={"intents": [INTENT]}, headers=headers)
    assert (answer.status_code, answer.json()["success"]) == (403, False)


def test_a_token_ends_when_it_is_asked_to(serving: Serving, api: httpx.Client) -> None:
    given = serving.token(kind=Kind.ENROLMENT)
    until_s = int(time.time()) + 2
    body = {"public_key": given, "expired_at": until_s}
    token = api.post("auth/token", json=body).json()
    assert token["data"]["expired_at"] == until_s
    headers = {"Authorization": f"Bearer {token['token']}"}
    until(lambda: api.get("intents/merkle", headers=headers).status_code == 401)
    assert time.time() >= until_s


def of_clients() -> list[Any]:
    """Requests of Gthulhu's own programs, with the members of the response that they read."""
    requests: list[dict[str, Any]] = json.loads(REQUESTS.read_text())
    return [pytest.param(each, id=each["source"].rpartition("/")[2]) for each in requests]


@pytest.mark.parametrize("request_", of_clients())
def test_requests_of_gthulhus_programs(
    serving: Serving, api: httpx.Client, request_: dict[str, Any]
) -> None:
    api.post("scheduling/strategies", json={"strategies": [by_name("^a$", priority=True)]})
    enrolment = f"{serving.keys.public_pem()}{serving.token(kind=Kind.ENROLMENT)}\n"
    body = request_["body"].replace('"ENROLMENT"', json.dumps(enrolment))
    headers = {**request_["headers"], "authorization": f"Bearer {serving.token()}"}
    if request_["path"].endswith("auth/token"):
        del headers["authorization"]
    with httpx.Client(base_url=serving.url, headers=headers, timeout=PATIENCE_S) as client:
        answer = client.request(request_["method"], request_["path"], content=body)
    assert answer.status_code == 200, answer.text
    for path, kind in request_["needs"].items():
        found = answer.json()
        for name in path.split("."):
            found = found[int(name)] if name.isdigit() else found[name]
        assert type(found).__name__ == kind, path


def test_an_enrolment_is_a_file_that_gthulhus_scheduler_reads(
    serving: Serving, capfd: pytest.CaptureFixture[str]
) -> None:
    """It looks for the first block of PEM, parses the key in it, and sends the whole file."""
    folder = str(serving.folder / "keys")
    options = ["--keys", folder, "--role", "operate", "--enrolment", "operator@example"]
    assert gthulhu.main(["serve", "token", *options]) == 0
    text = capfd.readouterr().out
    assert text.startswith("-----BEGIN PUBLIC KEY-----\n")
    assert serialization.load_pem_public_key(text.encode())
    claims = serving.keys.check(text.strip().rpartition("\n")[2], Kind.ENROLMENT)
    assert claims.subject == "operator@example"


# ---- strategies ---------------------------------------------------------------------------------


def test_strategies_become_rules(serving: Serving, api: httpx.Client) -> None:
    selectors = [{"key": "app", "value": "ueransim"}]
    rows = [by_name("^nr-gnb$", selectors=selectors), by_name("^ping$", priority=15)]
    answer = api.post("scheduling/strategies", json={"strategies": rows})
    assert answer.json()["generation"] == serving.loader.status["generation"]
    text = in_force(serving)
    assert 'label "app" == "ueransim" and comm == "nr-gnb"' in text
    assert "cgroups  off" in text
    found = api.get("scheduling/strategies").json()["scheduling"]
    assert [row["command_regex"] for row in found] == ["^nr-gnb$", "^ping$"]
    assert found[0]["selectors"] == selectors


def test_no_strategies_are_a_list(api: httpx.Client) -> None:
    assert api.get("scheduling/strategies").json()["scheduling"] == []


def test_renewals_cost_no_swap(serving: Serving, api: httpx.Client, sleeper: int) -> None:
    body = {"strategies": [{"pid": sleeper, "priority": True, "execution_time": 20_000_000}]}
    api.post("scheduling/strategies", json=body)
    before = len(serving.loader.of("swap")), len(serving.loader.of("label"))
    lines = len(serving.audit())
    for _ in range(20):
        assert api.post("scheduling/strategies", json=body).json()["success"] is True
    assert (len(serving.loader.of("swap")), len(serving.loader.of("label"))) == before
    assert len(serving.audit()) == lines


def test_other_processes_cost_no_swap(serving: Serving, api: httpx.Client, sleeper: int) -> None:
    def post(*pids: int) -> None:
        rows = [{"pid": pid, "priority": True, "execution_time": 20_000_000} for pid in pids]
        api.post("scheduling/strategies", json={"strategies": rows})

    post(os.getpid())
    before = swaps(serving)
    post(sleeper, os.getpid())
    assert serving.loader.of("label")[-1] == ["label", str(sleeper), "imported=pids-1"]
    post(os.getpid(), (1 << 31) - 1)  # the last does not exist
    assert serving.loader.of("label")[-1] == ["label", str(sleeper), "imported-"]
    assert swaps(serving) == before


def test_many_changes_at_once_are_few_generations(serving: Serving, api: httpx.Client) -> None:
    before = swaps(serving)

    def post(number: int) -> int:
        rows = [{**INTENT, "podName": f"web-{number}", "podID": f"uid-{number}"}]
        with serving.client() as client:
            return client.post("/api/v1/intents", json={"intents": rows}).status_code

    with ThreadPoolExecutor(16) as threads:
        assert set(threads.map(post, range(16))) == {200}
    assert all(f'"web-{number}"' in in_force(serving) for number in range(16))
    assert swaps(serving) - before <= 4


def test_ten_thousand_intents_are_one_rule(serving: Serving, api: httpx.Client) -> None:
    before = swaps(serving)
    rows = [{**INTENT, "podName": f"web-{i}", "podID": f"uid-{i}"} for i in range(10_000)]
    answer = api.post("intents", json={"intents": rows})
    assert answer.status_code == 200
    assert swaps(serving) == before + 1
    assert in_force(serving).count("\nrule ") == 1
    more = api.post("intents", json={"intents": [{**INTENT, "podID": "one-more"}]})
    assert (more.status_code, more.json()["success"]) == (413, False)


def test_what_does_not_fit_changes_nothing(serving: Serving, api: httpx.Client) -> None:
    api.post("scheduling/strategies", json={"strategies": [by_name("^good$")]})
    before = swaps(serving)
    for rows, why in (
        ([by_name("^a$", priority=21)], "request: strategies[0]: skipped: Gthulhu ignores"),
        (
            [by_name(f"^{name}$") for name in "abc"] + [by_name("(?P<x>a)")],
            "request: strategies[3]: skipped: regular",
        ),
        (
            [
                by_name("^a$", selectors=[{"key": f"k{i}", "value": "v"}], priority=i % 15)
                for i in range(70)
            ],
            "the strategies do not fit",
        ),
    ):
        answer = api.post("scheduling/strategies", json={"strategies": rows})
        assert answer.status_code == 422
        assert answer.json()["error"].startswith(why)
    assert swaps(serving) == before
    found = api.get("scheduling/strategies").json()["scheduling"]
    assert [row["command_regex"] for row in found] == ["^good$"]


def test_a_new_loader_gets_everything_again(
    serving: Serving, api: httpx.Client, sleeper: int
) -> None:
    body = {"strategies": [{"pid": sleeper, "priority": True, "execution_time": 20_000_000}]}
    api.post("scheduling/strategies", json=body)
    before = len(serving.loader.of("swap")), len(serving.loader.of("label"))
    serving.loader.status |= {"pid": serving.loader.status["pid"] + 1, "generation": 1}
    until(lambda: len(serving.loader.of("label")) == before[1] + 1)
    assert len(serving.loader.of("swap")) == before[0] + 1


def test_strategies_outlive_the_server(serving: Serving, api: httpx.Client, sleeper: int) -> None:
    rows = [by_name("^kept$"), {"pid": sleeper, "priority": True, "execution_time": 20_000_000}]
    api.post("scheduling/strategies", json={"strategies": rows})
    api.post("intents", json={"intents": [INTENT]})
    root = api.get("intents/merkle").json()
    before = swaps(serving), len(serving.loader.of("label"))
    serving.serve_again()
    with serving.client() as client:
        client.base_url = api.base_url = client.base_url.join("/api/v1/")
        found = client.get("scheduling/strategies").json()["scheduling"]
        assert [row["command_regex"] for row in found] == ["^kept$", "", "^nginx$"]
        assert client.get("intents/merkle").json()["data"] == root["data"]
        # All that is in force already, and nobody has to send it again.
        assert client.post("scheduling/strategies", json={"strategies": rows}).status_code == 200
        assert (swaps(serving), len(serving.loader.of("label"))) == before
        serving.loader.status |= {"pid": serving.loader.status["pid"] + 1, "generation": 1}
        until(lambda: len(serving.loader.of("label")) == before[1] + 1)
        assert swaps(serving) == before[0] + 1
    assert (serving.store / "strategies.json").stat().st_mode & 0o77 == 0


def test_a_broken_copy_has_a_way_out(tmp_path: Path) -> None:
    from gthulhu.serve.wanted import load
    from gthulhuc.cli.frame import CommandError

    path = tmp_path / "strategies.json"
    assert load(path) is None
    for text in ("{", "[]", "{}", '{"strategies": 1}', "null"):
        path.write_text(text)
        with pytest.raises(CommandError, match="has no strategies of this server") as found:
            load(path)
        assert "remove it" in found.value.hint


# ---- intents ------------------------------------------------------------------------------------


def test_a_second_strategy_leaves_the_first(serving: Serving, api: httpx.Client) -> None:
    # Without a pod that matches now, which Gthulhu refuses, and in two requests.
    api.post("intents", json={"intents": [INTENT]})
    other = {**INTENT, "podName": "db-1", "podID": "uid-2", "commandRegex": "^postgres$"}
    api.post("intents", json={"intents": [other]})
    assert 'comm == "nginx"' in in_force(serving)
    assert 'comm == "postgres"' in in_force(serving)
    assert len(api.get("scheduling/strategies").json()["scheduling"]) == 2


def test_the_intents_of_one_pod_are_deleted(serving: Serving, api: httpx.Client) -> None:
    other = {**INTENT, "podName": "db-1", "podID": "uid-2", "commandRegex": "^postgres$"}
    api.post("intents", json={"intents": [INTENT, other]})
    assert api.request("DELETE", "intents", json={"podId": "uid-1"}).status_code == 200
    assert 'comm == "nginx"' not in in_force(serving)
    assert 'comm == "postgres"' in in_force(serving)
    assert api.request("DELETE", "intents", json={}).status_code == 422


def test_a_changed_intent_replaces_the_one_before(serving: Serving, api: httpx.Client) -> None:
    api.post("intents", json={"intents": [INTENT]})
    api.post("intents", json={"intents": [{**INTENT, "executionTime": 9_000_000}]})
    assert "9ms" in in_force(serving)
    assert len(api.get("scheduling/strategies").json()["scheduling"]) == 1


def digest(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def leaf(row: dict[str, Any]) -> bytes:
    labels = ",".join(f"{key}={row['podLabels'][key]}" for key in sorted(row["podLabels"]))
    return digest(
        f"podName={row['podName']}|podID={row['podID']}|nodeID={row['nodeID']}"
        f"|k8sNamespace={row['k8sNamespace']}|commandRegex={row['commandRegex']}"
        f"|priority={row['priority']}|executionTime={row['executionTime']}"
        f"|podLabels={labels}".encode()
    )


def test_the_merkle_root(api: httpx.Client) -> None:
    a, b, c = ({**INTENT, "podName": f"web-{number}", "podID": number} for number in "123")
    assert api.get("intents/merkle").json()["data"]["rootHash"] == digest().hex()
    api.post("intents", json={"intents": [c, a, b]})
    last = digest(leaf(c), leaf(c))
    wanted = digest(digest(leaf(a), leaf(b)), last).hex()
    assert api.get("intents/merkle").json()["data"]["rootHash"] == wanted
    assert root_of([b]) == leaf(b).hex()


# ---- the rest -----------------------------------------------------------------------------------


def test_health_version_metrics_and_pods(serving: Serving, api: httpx.Client) -> None:
    assert api.get("health").json()["success"] is True
    assert api.get("version").json()["data"]["version"]
    assert api.post("metrics", json={"nr_queued": 7, "unknown": 1}).status_code == 200
    assert api.get("metrics").json()["data"]["nr_queued"] == 7
    found = api.get("pods/pids").json()["data"]
    assert found["node_name"] == os.uname().nodename
    assert isinstance(found["pods"], list)


def test_an_operator_posts_what_it_found_each_second(
    serving: Serving, api: httpx.Client, sleeper: int
) -> None:
    """The loop of an operator that reads traces: a token, then all processes, over and over."""
    given = serving.token(kind=Kind.ENROLMENT, name="gtp5g-operator")
    found: set[int] = set()
    with httpx.Client(base_url=serving.url, timeout=PATIENCE_S) as client:
        body = {"public_key": given, "client_id": "gtp5g_operator", "expired_at": 0}
        token = client.post("/api/v1/auth/token", json=body).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        for pid in (sleeper, sleeper, os.getpid(), sleeper):
            found.add(pid)
            rows = [{"pid": each, "priority": True, "execution_time": 20_000_000} for each in found]
            answer = client.post(
                "/api/v1/scheduling/strategies", json={"strategies": rows}, headers=headers
            )
            assert answer.json()["success"] is True
    labelled = [fields[1] for fields in serving.loader.of("label")[-2:]]
    assert labelled == [str(sleeper), str(os.getpid())]
    assert "urgent" in in_force(serving)
