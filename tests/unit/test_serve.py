# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve`: its own API, over real sockets."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gthulhu.serve.app import MAX_BODY
from serving import PATIENCE_S, Serving, forged, until

GOOD = 'policy shop {}\nrule web { match comm == "nginx" priority high }\n'
BAD = 'policy shop {}\nrule web { match comm == "averyverylongname" }\n'


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with closing(Serving(tmp_path_factory.mktemp("serve"))) as made:
        yield made


@pytest.fixture(scope="module")
def api(serving: Serving) -> Iterator[httpx.Client]:
    with serving.client() as client:
        yield client


@pytest.fixture(scope="module")
def anyone(serving: Serving) -> Iterator[httpx.Client]:
    """A client without a token."""
    with httpx.Client(base_url=serving.url, timeout=PATIENCE_S) as client:
        yield client


# ---- tokens -------------------------------------------------------------------------------------


def number(serving: Serving) -> str:
    return (serving.folder / "keys" / "signing.pem").read_text().partition("\n")[0]


def own_key(serving: Serving) -> Any:
    content = (serving.folder / "keys" / "signing.pem").read_bytes().partition(b"\n")[2]
    return serialization.load_pem_private_key(content, None)


def wrong_tokens(serving: Serving) -> dict[str, str]:
    key, kid = own_key(serving), {"kid": number(serving)}
    public = (serving.folder / "keys" / "trusted" / f"{number(serving)}.pem").read_bytes()
    now = int(time.time())

    def changed(**changes: Any) -> str:
        return forged(key, "EdDSA", kid, **changes)

    return {
        "nothing": "x",
        "three parts": "a.b.c",
        "expired": changed(exp=now - 1),
        "not yet": changed(iat=now + 3600),
        "without expiry": changed(exp=None),
        "another issuer": changed(iss="bss-api-server"),
        "another audience": changed(aud="another"),
        "no audience": changed(aud=None),
        "enrolment": changed(typ="enrolment"),
        "a type of Gthulhu's": changed(typ="refresh"),
        "no type": changed(typ=None),
        "no role": changed(role=None),
        "another role": changed(role="root"),
        "no algorithm": forged(None, "none", kid),
        "a secret": forged(public.hex(), "HS256", kid),
        "another key": forged(Ed25519PrivateKey.generate(), "EdDSA", kid),
        "an unknown key": forged(key, "EdDSA", {"kid": "0" * 16}),
        "a key by path": forged(key, "EdDSA", {"kid": "../signing"}),
        "without a key": forged(key, "EdDSA", {}),
        "long": "a" * 10_000,
    }


@pytest.fixture(scope="module")
def wrong(serving: Serving) -> dict[str, str]:
    return wrong_tokens(serving)


def test_wrong_tokens_count_for_nothing(
    serving: Serving, anyone: httpx.Client, wrong: dict[str, str]
) -> None:
    before = len(serving.loader.heard)
    for kind, token in wrong.items():
        headers = {"Authorization": f"Bearer {token}"}
        answer = anyone.get("/api/v2/status", headers=headers)
        assert answer.status_code == 401, kind
        assert answer.headers["www-authenticate"] == "Bearer"
        assert anyone.post("/api/v2/rollback", headers=headers).status_code == 401
    assert len(serving.loader.heard) == before


def test_the_right_claims_count(serving: Serving, anyone: httpx.Client) -> None:
    token = forged(own_key(serving), "EdDSA", {"kid": number(serving)})
    headers = {"Authorization": f"Bearer {token}"}
    assert anyone.get("/api/v2/status", headers=headers).status_code == 200


def test_a_token_is_needed(anyone: httpx.Client) -> None:
    described = anyone.get("/openapi.json").json()
    public = {"/health", "/version", "/api/v1/health", "/api/v1/version", "/api/v1/auth/token"}
    for path, methods in described["paths"].items():
        for method in set(methods) & {"get", "post", "patch", "delete"}:
            url = path.replace("{task}", "1")
            answer = anyone.request(method, url, json={} if method != "get" else None)
            assert (answer.status_code == 401) == (path not in public), path


def test_who_may_read_changes_nothing(serving: Serving) -> None:
    before = len(serving.loader.of("rollback"))
    with serving.client("read") as client:
        assert client.get("/api/v2/status").status_code == 200
        answer = client.post("/api/v2/rollback", json={})
    assert answer.status_code == 403
    assert "operate" in answer.json()["error"]
    assert len(serving.loader.of("rollback")) == before
    line = serving.audit()[-1]
    assert (line["result"], line["what"]) == ("forbidden", "POST /api/v2/rollback")


def test_revoked_tokens_end_at_once(serving: Serving, anyone: httpx.Client) -> None:
    headers = {"Authorization": f"Bearer {serving.token(name='eve@example')}"}
    assert anyone.get("/api/v2/status", headers=headers).status_code == 200
    serving.keys.revoke("eve@example")
    answer = anyone.get("/api/v2/status", headers=headers)
    assert (answer.status_code, "revoked" in answer.json()["error"]) == (401, True)


def test_a_key_that_is_removed_ends_its_tokens(
    tmp_path: Path, serving: Serving, anyone: httpx.Client
) -> None:
    from gthulhu.serve import keys

    folder = serving.folder / "keys"
    old = {"Authorization": f"Bearer {serving.token()}"}
    first = number(serving)
    keys.make(folder, rotate=True)
    new = {"Authorization": f"Bearer {serving.token()}"}
    assert number(serving) != first
    url = "/api/v2/status"
    assert [anyone.get(url, headers=each).status_code for each in (old, new)] == [200, 200]
    away = tmp_path / "old.pem"
    (folder / "trusted" / f"{first}.pem").rename(away)
    assert [anyone.get(url, headers=each).status_code for each in (old, new)] == [401, 200]
    away.rename(folder / "trusted" / f"{first}.pem")


# ---- the policy in force ------------------------------------------------------------------------


def test_status_on_both_sockets(serving: Serving, api: httpx.Client) -> None:
    transport = httpx.HTTPTransport(uds=str(serving.folder / "api"))
    with serving.client("read", transport=transport) as there:
        for client in (api, there):
            found = client.get("/api/v2/status").json()
            assert (found["policy"], found["in_force"]) == ("shop", True)


def test_what_is_read(api: httpx.Client) -> None:
    assert api.get("/api/v2/counters").json()["classes"][0]["name"] == "web"
    assert api.get("/api/v2/promises").json()["promises"][0]["rule"] == "web"
    assert api.get("/api/v2/tunables").json()["tunables"][0]["name"] == "quantum"


def test_check_reports_problems_with_their_places(api: httpx.Client) -> None:
    found = api.post("/api/v2/check", json={"text": BAD, "name": "web"}).json()
    assert found["ok"] is False
    (problem,) = found["diagnostics"]
    assert (problem["code"], problem["file"], problem["line"]) == ("GPL0206", "web.gpl", 2)
    assert api.post("/api/v2/check", json={"text": GOOD}).json()["ok"] is True


def test_swap_puts_a_policy_in_force(serving: Serving, api: httpx.Client) -> None:
    answer = api.post("/api/v2/swap", json={"text": GOOD, "name": "web"})
    assert answer.status_code == 200
    found = answer.json()
    path = Path(serving.loader.of("swap")[-1][2])
    assert path.read_text() == GOOD
    assert (path.name, path.parent.name) == ("web.gpl", found["sha256"])
    assert api.get("/api/v2/status").json()["generation"] == found["generation"]
    line = serving.audit()[-1]
    assert line["who"] == "tests@example"
    assert line["from"].startswith("127.0.0.1:")
    assert (line["what"], line["result"], line["sha256"]) == ("swap", "done", found["sha256"])
    assert line["generation"] == found["generation"]
    assert api.get(f"/api/v2/policies/{found['sha256']}").text == GOOD
    again = api.post("/api/v2/swap", json={"sha256": found["sha256"], "force": True})
    assert again.json()["generation"] == found["generation"] + 1
    assert serving.loader.of("swap")[-1][3:] == ["force"]


def test_a_policy_with_errors_reaches_no_loader(serving: Serving, api: httpx.Client) -> None:
    before = len(serving.loader.of("swap"))
    for route in ("swap", "dry-run", "policies"):
        answer = api.post(f"/api/v2/{route}", json={"text": BAD})
        assert answer.status_code == 422
        assert answer.json()["diagnostics"][0]["code"] == "GPL0206"
    assert len(serving.loader.of("swap")) == before
    assert serving.audit()[-1]["result"] == "refused"


def test_a_policy_reads_no_files(serving: Serving, api: httpx.Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.gpl"
    secret.write_text("policy secret-words {}")
    answer = api.post("/api/v2/check", json={"text": f'include "{secret}"\npolicy p {{}}'})
    assert answer.json()["ok"] is False
    assert "secret-words" not in answer.text


def test_dry_run_says_what_would_change(serving: Serving, api: httpx.Client) -> None:
    generation = serving.loader.status["generation"]
    (serving.state / f"generation-{generation}.bpf.o").write_bytes(b"of another release")
    answer = api.post("/api/v2/dry-run", json={"text": GOOD, "name": "web"})
    assert answer.status_code == 200
    first, *rest = answer.json()["changes"]
    assert first == "shop: the kernel accepts it; nothing was changed"
    assert "  tasks     0 of 0 change class" in rest
    assert serving.loader.of("swap")[-1][3:] == ["dry-run"]
    assert api.get("/api/v2/status").json()["generation"] == generation


def test_rollback_tunables_and_labels(serving: Serving, api: httpx.Client) -> None:
    assert api.post("/api/v2/rollback", json={}).json()["generation"] > 3
    changed = api.patch("/api/v2/tunables", json={"quantum": "2ms"}).json()["changed"]
    assert changed[0]["value"] == "2ms"
    assert serving.loader.of("set")[-1] == ["set", "quantum=2ms"]
    body = {"set": {"tier": "wéb = 1"}, "remove": ["old"]}
    assert api.patch("/api/v2/tasks/4711/labels", json=body).json() == {"processes": 1}
    assert serving.loader.of("label")[-1] == ["label", "4711", "tier=wéb = 1", "old-"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tasks/4711/labels", {"set": {"a\tb": "c"}}),
        ("/tasks/4711/labels", {"set": {"a": "c\nstop"}}),
        ("/tasks/4711/labels", {"set": {"a=b": "c"}}),
        ("/tasks/4711/labels", {"remove": ["a\x00"]}),
        ("/tasks/4711/labels", {}),
        ("/tasks/0/labels", {"set": {"a": "b"}}),
        ("/tasks/99999999999/labels", {"set": {"a": "b"}}),
        ("/tunables", {"a\tb": "c"}),
        ("/tunables", {"a": "\ud800"}),
        ("/tunables", {"a": "b\n"}),
    ],
)
def test_hostile_names_reach_no_loader(
    serving: Serving, api: httpx.Client, path: str, body: dict[str, Any]
) -> None:
    before = len(serving.loader.heard)
    content = json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    answer = api.patch(f"/api/v2{path}", content=content, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert len(serving.loader.heard) == before


@pytest.mark.parametrize("name", ["../../x", "a/b", "", "é", "a\nb", "a.gpl"])
def test_hostile_names_of_policies(serving: Serving, api: httpx.Client, name: str) -> None:
    answer = api.post("/api/v2/policies", json={"text": GOOD, "name": name})
    assert answer.status_code == 422
    assert {path.name for path in serving.folder.iterdir()} <= {
        "loader", "keys", "store", "broker", "audit", "api"
    }  # fmt: skip


def test_a_trial_ends_with_its_reason(serving: Serving, api: httpx.Client) -> None:
    answer = api.post("/api/v2/trial", json={"text": GOOD, "seconds": 60})
    assert answer.status_code == 202
    assert serving.loader.of("swap")[-1][3:] == ["trial=60000"]
    until(lambda: bool(api.get("/api/v2/trial").json()["state"] != "on trial"))
    ended = api.get("/api/v2/trial").json()
    assert (ended["state"], ended["reason"]) == ("failed", "promise `web` is broken")
    assert api.delete("/api/v2/trial").status_code == 409


def test_events_come_as_they_happen(serving: Serving, api: httpx.Client) -> None:
    log = serving.state / "events"
    log.write_text('{"event": "loaded", "policy": "shop"}\n')
    with api.stream("GET", "/api/v2/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()
        assert [next(lines) for _ in range(3)] == [
            "event: loaded", 'data: {"event": "loaded", "policy": "shop"}', ""
        ]  # fmt: skip
        with log.open("a") as file:
            file.write('{"event": "x\\u2028y"}\nno JSON\n')
        assert [next(lines) for _ in range(4)] == [
            'data: {"event": "x\\u2028y"}', "", "data: no JSON", ""
        ]  # fmt: skip
    whole = api.get("/api/v2/events", params={"follow": "no"}).text
    assert whole.count("data: ") == 3


# ---- limits -------------------------------------------------------------------------------------


def test_large_bodies_are_refused(serving: Serving, api: httpx.Client) -> None:
    large = b" " * (MAX_BODY + 1)
    assert api.post("/api/v2/check", content=large).status_code == 413
    pieces = (large[:65536] for _ in range(len(large) // 65536 + 2))
    assert api.post("/api/v2/check", content=pieces).status_code == 413
    long = api.post("/api/v2/check", json={"text": "#" * (1 << 20) + "x"})
    assert long.status_code == 422
    assert api.get("/api/v2/status").status_code == 200


def test_a_client_that_sends_all_of_a_large_body_reads_the_answer(serving: Serving) -> None:
    size = MAX_BODY + (2 << 20)
    head = f"POST /api/v2/check HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", serving.port), PATIENCE_S) as client:
        for _ in range(5):  # the next request on the same connection is one of its own
            client.sendall(head.encode() + b" " * size)
            assert client.recv(1 << 16).startswith(b"HTTP/1.1 413 ")


def send_pieces(client: socket.socket) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        client.sendall(b"400\r\n" + b" " * 0x400 + b"\r\n")
        time.sleep(0.0001)


def test_a_body_without_end_is_not_read_for_ever(serving: Serving) -> None:
    head = b"POST /api/v2/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", serving.port), PATIENCE_S) as client:
        client.sendall(head)
        with pytest.raises(ConnectionError):
            send_pieces(client)


def test_slow_clients_hold_up_nobody(serving: Serving, api: httpx.Client) -> None:
    head = b"POST /api/v2/check HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
    slow = [
        socket.create_connection(("127.0.0.1", serving.port))
        for _ in range(60)
    ]  # fmt: skip
    try:
        for index, each in enumerate(slow):
            each.settimeout(PATIENCE_S)
            each.sendall(head + b"\r\n{" if index % 2 else head)
        assert api.get("/api/v2/status").status_code == 200
        # The server hangs up on those without a head, and tells the others that they are late.
        assert slow[0].recv(100) == b""
        assert slow[1].recv(100).startswith(b"HTTP/1.1 408 ")
    finally:
        for each in slow:
            each.close()


def test_broken_requests(serving: Serving, api: httpx.Client) -> None:
    for text in (b"\x16\x03\x01garbage\r\n\r\n", b"POST\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", serving.port)) as client:
            client.settimeout(PATIENCE_S)
            client.sendall(text)
            assert client.recv(100).startswith(b"HTTP/1.1 400 ")
    for content in (b"{", b"[]", b"\xff", b"null", b"[" * 50_000):
        headers = {"Content-Type": "application/json"}
        answer = api.post("/api/v2/check", content=content, headers=headers)
        assert answer.status_code in {400, 422}, content[:10]
        assert answer.json()["error"]


def test_many_compiles_at_once(serving: Serving, api: httpx.Client) -> None:
    def check(number: int) -> bool:
        with serving.client("read") as client:
            text = f'policy p {{}}\nrule a {{ match comm == "a{number}" priority low }}'
            answer = client.post("/api/v2/check", json={"text": text})
        return bool(answer.json()["ok"])

    with ThreadPoolExecutor(8) as threads:
        found = [threads.submit(check, number) for number in range(8)]
        assert api.get("/api/v2/status").status_code == 200
        assert not all(each.done() for each in found), "the status waited for the compiler"
        assert all(each.result() for each in found)


def test_unknown_routes_answer_in_json(api: httpx.Client) -> None:
    for path in ("/nothing", "/api/v1/strategies/self", "/api/v2/nothing", "/static/x.js"):
        answer = api.get(path)
        assert answer.status_code == 404
        assert answer.json()["error"] == "Not Found"
    assert api.get("/api/v1/users").json()["success"] is False
    assert api.put("/api/v2/status").status_code == 405


def test_the_description_needs_no_internet(api: httpx.Client, anyone: httpx.Client) -> None:
    page = anyone.get("/docs").text
    assert "SwaggerUIBundle" in page
    assert "//" not in page.replace("window.location.origin", "").replace("<!--", "")
    files = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert len(files) == 3
    for path in files:
        assert anyone.get(path).status_code == 200
    for path in ("/docs-files/../openapi.json", "/docs-files/%2e%2e/core.py", "/docs-files/x"):
        assert anyone.get(path).status_code in {200, 404}
        assert "import" not in anyone.get(path).text
