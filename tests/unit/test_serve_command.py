# SPDX-License-Identifier: Apache-2.0
"""The command `gthulhu serve`: its options, its keys, its sockets with TLS."""

from __future__ import annotations

import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

import command
from certificates import certificate
from gthulhuc.cli import gthulhu
from serving import PATIENCE_S, Serving, until


def test_the_other_commands_load_no_framework() -> None:
    script = (
        "import sys\nfrom gthulhuc.cli import gthulhu\ngthulhu.make_parser()\n"
        "assert not {'fastapi', 'uvicorn', 'jwt', 'asyncio'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", script], env=command.environment(), check=True)


@pytest.mark.parametrize("package", ["fastapi", "uvicorn", "jwt", "httptools"])
def test_a_missing_package_is_named(tmp_path: Path, package: str) -> None:
    text = f"raise ModuleNotFoundError('none', name={package!r})"
    (tmp_path / f"{package}.py").write_text(text)
    result = subprocess.run(
        [sys.executable, "-m", "gthulhuc.cli.gthulhu", "serve"],
        env=command.environment(PYTHONPATH=f"{tmp_path}:{command.PYTHONPATH}"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 2
    assert f"the Python package {package} is missing" in result.stderr
    assert "pip install 'gthulhuc[serve]'" in result.stderr


@pytest.fixture
def serve(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """The command in this process: its exit status, and what it says to standard error."""

    def run(*arguments: str) -> tuple[int, str]:
        status = gthulhu.main(["serve", *arguments])
        return status, capfd.readouterr().err

    return run


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"])
def test_other_addresses_need_tls(
    serve: Callable[..., tuple[int, str]], address: str, tmp_path: Path
) -> None:
    status, said = serve("--listen", address, "--keys", str(tmp_path))
    assert status == 2
    assert "without TLS" in said
    assert "--tls-cert" in said


def test_mistakes_have_a_way_out(serve: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    keys = str(tmp_path / "keys")
    status, said = serve("--keys", keys)
    assert (status, f"gthulhu serve keys {keys}" in said) == (2, True)
    assert serve("keys", keys) == (0, "")
    assert (tmp_path / "keys" / "signing.pem").stat().st_mode & 0o77 == 0
    status, said = serve("keys", keys)
    assert (status, "--rotate" in said) == (2, True)
    status, said = serve("token", "--keys", keys, "--role", "read", "a\nb")
    assert (status, "no token can name" in said) == (2, True)
    status, said = serve("token", "--keys", keys, "--role", "read", "a", "--for", "400d")
    assert (status, "366 days" in said) == (2, True)
    status, said = serve("--listen", "localhost:1", "--keys", keys)
    assert (status, "is not an IP address" in said) == (2, True)
    status, said = serve("--tls-cert", "x", "--keys", keys)
    assert (status, "--tls-key" in said) == (2, True)
    (tmp_path / "keys" / "signing.pem").write_text("nothing")
    status, said = serve("--keys", keys)
    assert (status, "Traceback" in said) == (2, False)


def test_tls_with_certificates_of_clients(tmp_path: Path) -> None:
    server, client = (certificate(tmp_path, name) for name in ("server", "client"))
    options = ("--tls-cert", server[0], "--tls-key", server[1], "--client-ca", client[0])
    with closing(Serving(tmp_path, *options)) as serving:
        assert serving.url.startswith("https://")
        known = ssl.create_default_context(cafile=server[0])
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{serving.url}/health", verify=known)
        known.load_cert_chain(*client)
        url = f"{serving.url}/api/v2/status"
        assert httpx.get(url, verify=known).status_code == 401
        headers = {"Authorization": f"Bearer {serving.token('read')}"}
        assert httpx.get(url, verify=known, headers=headers).status_code == 200


def test_a_certificate_instead_of_a_token(tmp_path: Path) -> None:
    server, reads, operates, other = (
        certificate(tmp_path, name) for name in ("server", "reads", "operates", "other")
    )
    authority = tmp_path / "authority.pem"
    authority.write_text("".join(Path(each[0]).read_text() for each in (reads, operates, other)))
    roles = ("--client-role", "reads=read", "--client-role", "operates=operate")
    tls = ("--tls-cert", server[0], "--tls-key", server[1], "--client-ca", str(authority))
    with closing(Serving(tmp_path, *tls, *roles)) as serving:

        def asked(files: tuple[str, str], method: str, path: str) -> int:
            known = ssl.create_default_context(cafile=server[0])
            known.load_cert_chain(*files)
            with httpx.Client(verify=known, base_url=serving.url, timeout=PATIENCE_S) as client:
                body: dict[str, Any] | None = {} if method == "POST" else None
                return client.request(method, f"/api/v2/{path}", json=body).status_code

        answers = [asked(each, "GET", "status") for each in (reads, operates, other)]
        assert answers == [200, 200, 401]
        assert [asked(each, "GET", "counters") for each in (reads, other)] == [200, 401]
        answers = [asked(each, "POST", "rollback") for each in (reads, operates, other)]
        assert answers == [403, 200, 401]
        assert serving.audit()[-1]["who"] == "operates"
        serving.keys.revoke("operates")
        assert asked(operates, "GET", "status") == 401


def test_a_certificate_that_expires_on_a_connection(tmp_path: Path) -> None:
    from gthulhu.serve.keys import Claims, Keys, Role, TokenError, make

    make(tmp_path / "keys")
    keys = Keys(tmp_path / "keys")
    claims = Claims("web", Role.READ, "1f", int(time.time()) + 1)
    assert keys.admit(claims) == claims
    until(lambda: time.time() > claims.expires)
    with pytest.raises(TokenError, match="expired"):
        keys.admit(claims)


def test_the_name_of_a_certificate() -> None:
    from gthulhu.serve.protocol import certificate as read

    found: dict[str, Any] = {
        "subject": ((("organizationName", "x"),), (("commonName", "web"),)),
        "serialNumber": "0A", "notAfter": "Jan  5 09:34:43 2030 GMT",
    }  # fmt: skip
    named = read(found)
    assert named is not None
    assert (named.name, named.number, named.expires) == ("web", "0a", 1893836083)
    twice = (*found["subject"], (("commonName", "root"),))
    assert read({**found, "subject": twice}) is None
    assert read({}) is None


def test_roles_of_certificates_need_an_authority(
    serve: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    status, said = serve("--client-role", "a=read", "--keys", str(tmp_path))
    assert (status, "--client-ca" in said) == (2, True)
    status, said = serve("--client-role", "a=root")
    assert (status, "NAME=operate" in said) == (2, True)


def test_the_compilers_have_a_user_of_their_own(serve: Callable[..., tuple[int, str]]) -> None:
    status, said = serve("broker", "--user", "nobody")
    assert (status, "--compiler" in said) == (2, True)
