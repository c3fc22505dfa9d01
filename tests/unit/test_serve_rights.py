# SPDX-License-Identifier: Apache-2.0
"""Rights of the tokens of `gthulhu serve` at each route, and where keys and tokens are."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from gthulhu.serve.keys import Kind
from gthulhuc.cli import gthulhu
from serving import Serving

ROOT = Path(__file__).parents[2]
# The role `read` may POST to these: they change nothing that is in force.
READING = {("POST", "/api/v2/check"), ("POST", "/api/v1/auth/token")}
PRIVATE = re.compile(rb"-----BEGIN (RSA |EC |OPENSSH )?PRIVATE KEY-----\s+[A-Za-z0-9+/=\s]{40}")


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    started = Serving(tmp_path_factory.mktemp("rights"))
    yield started
    started.close()


def changing(client: httpx.Client) -> Iterator[tuple[str, str]]:
    """The routes that change something: method and path."""
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method in methods:
            if method != "get" and (method.upper(), path) not in READING:
                yield method.upper(), path.replace("{task}", "1")


def test_the_role_read_changes_nothing_by_any_route(serving: Serving) -> None:
    before = [each for each in serving.loader.heard if each[0] not in {"status", "stats", "tasks"}]
    with serving.client("read") as client:
        routes = list(changing(client))
        assert len(routes) >= 10
        answers = {route: client.request(*route, json={}).status_code for route in routes}
    assert set(answers.values()) == {403}, answers
    after = [each for each in serving.loader.heard if each[0] not in {"status", "stats", "tasks"}]
    assert after == before


def test_a_token_of_one_node_is_none_of_another(serving: Serving, tmp_path: Path) -> None:
    other = Serving(tmp_path)
    try:
        headers = {"Authorization": f"Bearer {other.token()}"}
        with httpx.Client(base_url=serving.url, headers=headers) as client:
            assert client.get("/api/v2/status").status_code == 401
    finally:
        other.close()


def test_revoking_an_enrolment_ends_the_tokens_that_it_got(serving: Serving) -> None:
    given = serving.token(name="gone@example", kind=Kind.ENROLMENT)
    with httpx.Client(base_url=serving.url) as client:
        body = {"public_key": given}
        token = client.post("/api/v1/auth/token", json=body).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        assert client.get("/api/v1/intents/merkle", headers=headers).status_code == 200
        serving.keys.revoke("gone@example")
        assert client.get("/api/v1/intents/merkle", headers=headers).status_code == 401
        assert client.post("/api/v1/auth/token", json=body).status_code == 401


def test_a_token_is_kept_in_no_file(
    serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    keys = serving.folder / "keys"
    before = sorted(keys.rglob("*"))
    options = ["--keys", str(keys), "--role", "read", "me@example"]
    assert gthulhu.main(["serve", "token", *options]) == 0
    assert list(tmp_path.iterdir()) == []
    assert sorted(keys.rglob("*")) == before


def test_no_private_key_is_published() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    files = [ROOT / name for name in listed.split("\0") if name]
    found = [file for file in files if file.is_file() and PRIVATE.search(file.read_bytes())]
    assert found == []


def test_a_private_key_would_be_found(serving: Serving) -> None:
    assert PRIVATE.search((serving.folder / "keys" / "signing.pem").read_bytes())
