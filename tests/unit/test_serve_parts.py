# SPDX-License-Identifier: Apache-2.0
"""The parts of `gthulhu serve` alone: its broker, its sandbox, its compilers, its command."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

import command
from gthulhu import control
from gthulhu.loader import in_memory
from gthulhu.serve import broker, compiling
from gthulhu.serve.node import Node, NothingInForceError, RefusedError
from gthulhuc.cli import gthulhu
from gthulhuc.cli.frame import CommandError
from gthulhuc.importers.document import Document, Rule, to_text
from gthulhuc.importers.merging import merged
from serving import PATIENCE_S, Serving, until

# ---- the broker ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        "status", "stats", "tasks", "tasks 4711", "set quantum=2ms", "label 7", "label 7 a=b c-",
        "rollback", "rollback force", "swap - /x/p.gpl", "swap - p force dry-run",
        "swap - p trial=60000",
    ],
)  # fmt: skip
def test_the_broker_forwards(request_: str) -> None:
    assert broker.is_allowed(request_.split())


@pytest.mark.parametrize(
    "request_",
    [
        "", "stop", "cgroup / none", "condition power saver", "status x", "tasks x",
        "set", "set quantum", "label", "label x a=b", "label 7 a", "rollback now", "swap",
        "swap -", "swap /etc/evil.bpf.o p", "swap - p anything", "swap - p trial=x",
    ],
)  # fmt: skip
def test_the_broker_forwards_nothing_else(request_: str) -> None:
    assert not broker.is_allowed(request_.split() or [""])


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with closing(Serving(tmp_path_factory.mktemp("serve"), "--cgroups", "auto")) as made:
        yield made


def test_what_the_broker_refuses_reaches_no_loader(serving: Serving) -> None:
    folder = str(serving.folder / "broker")
    before = len(serving.loader.heard)
    for fields in (("stop",), ("swap", "/etc/passwd", "p"), ("swap", "-", "p"), ("object", "../x")):
        answer = control.ask(folder, *fields)
        assert (answer["ok"], bool(answer["error"])) == (False, True)
    assert len(serving.loader.heard) == before


def test_another_user_may_not_ask(serving: Serving) -> None:
    """Root asks as the user 65534, and all others as themselves: the broker is for the user 1."""
    before = len(serving.loader.heard)
    script = (
        "import socket, sys\n"
        "with socket.socket(socket.AF_UNIX) as s:\n"
        "    s.connect(sys.argv[1]); print(s.makefile().read())\n"
    )
    nobody: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []}
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        made = broker.Broker(Path(folder), str(serving.state), 1)
        threading.Thread(target=made.run, daemon=True).start()
        Path(folder, "control").chmod(0o666)
        result = subprocess.run(
            ["/usr/bin/python3", "-c", script, f"{folder}/control"],
            capture_output=True, text=True, check=True, **({} if os.geteuid() else nobody),
        )  # fmt: skip
        made.close()
    assert json.loads(result.stdout)["error"] == "this user may not ask the broker"
    assert len(serving.loader.heard) == before


def test_objects_of_others_are_refused(serving: Serving) -> None:
    node = Node(str(serving.folder / "broker"))
    before = len(serving.loader.of("swap"))
    text = 'policy p {}\nrule a { match comm == "a" priority low }'
    try:
        with pytest.raises(broker.UnknownObjectError):
            node.ask("swap", "-", "p", content=b"an object")
        assert len(serving.loader.of("swap")) == before
        made = node.build({"do": "compile", "name": "p.gpl", "text": text, "stats": False})
        with pytest.raises(broker.UnknownObjectError):
            node.ask("swap", "-", "p", content=made.content + b"\0")
        assert node.ask("swap", "-", "p", content=made.content)["ok"] is True
        assert len(serving.loader.of("swap")) == before + 1
    finally:
        node.close()


@pytest.mark.parametrize(
    "job", [b"", b"{", b"[]", b'{"do": "check"}', b'{"do": "compile"}', b"[" * 90_000]
)
def test_the_broker_refuses_broken_jobs(serving: Serving, job: bytes) -> None:
    file = in_memory(job)
    answer = control.ask(str(serving.folder / "broker"), "compile", file=file)
    os.close(file)
    assert (answer["ok"], bool(answer["error"])) == (False, True)


def test_clients_that_send_nothing_hold_up_nobody(serving: Serving) -> None:
    folder = serving.folder / "broker"
    idle = []
    for text in (b"", b"sta", b"\xff\xfe\n", b"x" * 70_000):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(PATIENCE_S)
        client.connect(str(folder / "control"))
        with suppress(OSError):
            client.sendall(text)
        idle.append(client)
    assert control.ask(str(folder), "status")["ok"] is True
    for client in idle:
        with client, suppress(ConnectionResetError):
            assert b'"ok": true' not in client.recv(1 << 16)


def test_the_broker_gives_kept_objects(serving: Serving) -> None:
    (serving.state / "generation-8.bpf.o").write_bytes(b"object 8")
    (serving.state / "generation-8.txt").write_text("/etc/shop.gpl\n")
    node = Node(str(serving.folder / "broker"))
    try:
        kept = node.ask("generations")["generations"]
        assert {"generation": 8, "object": "/etc/shop.gpl"} in kept
        node.fetch_object(8)
        assert Path(node.folder, "generation-8.bpf.o").read_bytes() == b"object 8"
        with pytest.raises(RefusedError, match="generation 99 is not kept"):
            node.fetch_object(99)
    finally:
        node.close()


def test_without_a_loader_and_without_a_broker(tmp_path: Path) -> None:
    made = broker.Broker(tmp_path / "b", str(tmp_path / "nowhere"), os.geteuid())
    with subprocess.Popen(
        [
            sys.executable, "-m", "gthulhuc.cli.gthulhu", "serve", "broker", "--user", "0",
            "--folder", str(tmp_path / "c"), "--state", str(tmp_path / "nowhere"),
        ],
        env=command.environment(), stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        node = Node(str(tmp_path / "c"))
        with pytest.raises(NothingInForceError):
            node.ask("status")
        process.terminate()
        process.wait(PATIENCE_S)
        with pytest.raises(CommandError, match="no broker responds"):
            node.ask("status")
        node.close()
    made.close()


# ---- compiling ----------------------------------------------------------------------------------


def test_the_sandbox_takes_rights_away(tmp_path: Path) -> None:
    from gthulhu.serve import sandbox

    secret = tmp_path / "secret"
    secret.write_text("secret")
    inside = tmp_path / "inside"
    inside.mkdir()
    script = f"""
import json, os, resource, socket
from gthulhu.serve import sandbox
from gthulhu.serve.worker import readable
kept = sandbox.enter(readable(), {str(inside)!r})
open({str(inside / "file")!r}, "w").write("x")
def fails(act):
    try:
        act()
    except OSError as error:
        return error.errno
def connect():
    with socket.socket() as s:
        s.connect(("127.0.0.1", 9))
found = [fails(lambda: open({str(secret)!r})), fails(lambda: open("/etc/passwd")),
         fails(lambda: open({str(tmp_path / "new")!r}, "w")), fails(connect)]
try:
    bytearray(sandbox.MEMORY)
    memory = "free"
except MemoryError:
    memory = "limited"
print(json.dumps([kept, found, memory, resource.getrlimit(resource.RLIMIT_CPU)]))
"""
    result = subprocess.run(
        [sys.executable, "-c", script], env=command.environment(TMPDIR=str(inside)),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    has_landlock, failures, memory, cpu = json.loads(result.stdout)
    assert memory == "limited"
    assert cpu[1] <= sandbox.CPU_S
    if has_landlock:
        assert None not in failures[:3]
        assert failures[3] is not None


def job(text: str) -> dict[str, object]:
    return {"do": "check", "name": "p.gpl", "text": text}


def test_jobs_wait_for_their_turn_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "MOST_WAITING", 4)

    async def run() -> list[object]:
        compilers = compiling.Compilers(2)
        jobs = (compilers.run(job("policy p {}")) for _ in range(7))
        found = await asyncio.gather(*jobs, return_exceptions=True)
        await compilers.close()
        return list(found)

    found = asyncio.run(run())
    busy = [each for each in found if isinstance(each, compiling.BusyError)]
    done = [each for each in found if isinstance(each, compiling.Result)]
    assert (len(busy), len(done)) == (3, 4)


def test_a_job_that_takes_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "TIMEOUT_S", 0.01)

    async def run() -> None:
        compilers = compiling.Compilers(1)
        try:
            with pytest.raises(compiling.LimitError, match="took longer"):
                await compilers.run(job("policy p {}"))
        finally:
            await compilers.close()

    before = {path.name for path in Path("/proc").glob("[0-9]*")}
    asyncio.run(run())

    def workers() -> list[str]:
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if path.name not in before and b"serve.worker" in (path / "cmdline").read_bytes():
                    status = (path / "status").read_text()
                    found += [path.name] if f"PPid:\t{os.getpid()}" in status else []
        return found

    until(lambda: workers() == [])


# ---- merging ------------------------------------------------------------------------------------


def rule(name: str, *match: str, slice_: str = "1ms") -> Rule:
    return Rule(name, match, (("slice", slice_),))


def test_neighbours_become_one_rule() -> None:
    rules = (
        rule("a", 'pod == "a"', 'comm == "x"'),
        rule("b", 'pod == "b"', 'comm == "x"'),
        rule("c", 'pod == "c\\"\\xff"', 'comm == "x"'),
        rule("d", 'pod == "d"', 'comm == "y"'),
        rule("e", 'pod == "e"', 'comm == "x"', slice_="2ms"),
        rule("f", 'label "app" == "1"'),
        rule("g", 'label "tier" == "2"'),
        rule("h", 'label "tier" == "3"'),
    )
    found = merged(Document("p", (), rules))
    assert [(each.name, each.match) for each in found.rules] == [
        ("a", ('pod in ["a", "b", "c\\"\\xff"]', 'comm == "x"')),
        ("d", ('pod == "d"', 'comm == "y"')),
        ("e", ('pod == "e"', 'comm == "x"')),
        ("f", ('label "app" == "1"',)),
        ("g", ('label "tier" in ["2", "3"]',)),
    ]


def test_a_rule_between_two_keeps_its_place() -> None:
    rules = (rule("a", 'pod == "a"'), rule("b", 'comm == "x"'), rule("c", 'pod == "c"'))
    assert merged(Document("p", (), rules)).rules == rules


def test_long_lists_are_sets() -> None:
    rules = tuple(rule(f"r{number}", f'pod == "web-{number}"') for number in range(20))
    text = to_text(merged(Document("p", (), rules)))
    assert text.count("rule ") == 1
    assert "pod in values-1" in text


# ---- the command --------------------------------------------------------------------------------


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


def certificate(folder: Path, name: str, lifetime_s: float = 86400) -> tuple[str, str]:
    """A self-signed certificate for 127.0.0.1, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(seconds=lifetime_s))
        .add_extension(here, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / f"{name}.pem", folder / f"{name}.key"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(files[0]), str(files[1])


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
