# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve` with keys as the kubelet mounts a Secret: in one folder, and none that signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from gthulhu.serve import keys
from gthulhu.serve.keys import Keys, Kind, Role
from gthulhuc.cli import gthulhu
from serving import PATIENCE_S, Serving


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """The folder of keys of an administrator."""
    keys.make(tmp_path / "ours")
    return tmp_path / "ours"


@pytest.fixture
def secret(tmp_path: Path, ours: Path) -> Path:
    publish(tmp_path / "secret", public(ours))
    return tmp_path / "secret"


@pytest.fixture
def node(tmp_path: Path, secret: Path) -> Iterator[httpx.Client]:
    (tmp_path / "node").mkdir()
    with (
        closing(Serving(tmp_path / "node", "--keys", str(secret))) as serving,
        httpx.Client(base_url=serving.url, timeout=PATIENCE_S) as client,
    ):
        yield client


def public(folder: Path) -> dict[str, bytes]:
    """The files of a Secret with the public keys, and with the names that are revoked."""
    files = [*(folder / "trusted").iterdir(), *folder.glob("revoked")]
    return {file.name: file.read_bytes() for file in files}


def publish(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes a Secret's files as the kubelet does: links to a folder, which a link replaces."""
    folder.mkdir(exist_ok=True)
    data = folder / f"..{len(list(folder.glob('..*')))}"
    data.mkdir()
    for name, content in files.items():
        (data / name).write_bytes(content)
    new = folder / "..data_tmp"
    new.symlink_to(data.name)
    new.rename(folder / "..data")
    for name in files:
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(f"..data/{name}")
    for each in folder.iterdir():
        if not each.name.startswith("..") and each.name not in files:
            each.unlink()


def status(client: httpx.Client, folder: Path, name: str = "me@example") -> int:
    """The status of a request with a token of these keys."""
    token = Keys(folder).mint(name, Role.READ, Kind.ACCESS, 600)
    headers = {"Authorization": f"Bearer {token}"}
    return client.get("/api/v2/status", headers=headers).status_code


def test_tokens_that_were_made_elsewhere_count(node: httpx.Client, ours: Path) -> None:
    assert status(node, ours) == 200


def test_the_node_gives_out_no_tokens(node: httpx.Client, ours: Path, secret: Path) -> None:
    enrolment = Keys(ours).mint("operator@example", Role.READ, Kind.ENROLMENT, 600)
    answer = node.post("/api/v1/auth/token", json={"public_key": enrolment})
    assert answer.status_code == 409
    assert answer.json()["error"] == f"{secret} has no key that signs tokens"


def test_another_secret_counts_at_once(node: httpx.Client, ours: Path, secret: Path) -> None:
    Keys(ours).revoke("eve@example")
    assert status(node, ours, "eve@example") == 200
    publish(secret, public(ours))
    assert status(node, ours, "eve@example") == 401
    before = set(public(ours))
    keys.make(ours, rotate=True)
    assert status(node, ours) == 401
    publish(secret, public(ours))
    assert status(node, ours) == 200
    publish(secret, {name: each for name, each in public(ours).items() if name in before})
    assert status(node, ours) == 401


def test_a_secret_without_keys_serves_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(tmp_path / "empty", {"revoked": b"eve@example\n", "notes.pem": b"no key"})
    assert gthulhu.main(["serve", "--keys", str(tmp_path / "empty")]) == 2
    assert "gthulhu serve keys" in capsys.readouterr().err
