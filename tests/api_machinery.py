# SPDX-License-Identifier: Apache-2.0
"""Kubernetes' own API server (kube-apiserver), with an etcd.

It authorizes by roles (RBAC), gives tokens to service accounts, and has its usual admission. There
is no kubelet and no controller of Kubernetes: a pod is an object that nothing starts. Both programs
are built once, into the cache, which takes Go and a quarter of an hour.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from gthulhu_lab import cache
from gthulhu_lab.paths import cache_dir
from gthulhu_lab.request import HOST

RELEASE = "1.34.1"
"""Of Kubernetes, as in `kube-apiserver/go.mod`."""
_HERE = Path(__file__).parent
CRDS = sorted((_HERE.parent / "deploy" / "crds").glob("*.yaml"))
_PATIENCE_S = 120
# All that the project's accounts ask for, and the decision of the roles.
_AUDIT = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [
        {"level": "Metadata", "userGroups": ["system:serviceaccounts:gthulhuc"]},
        {"level": "None"},
    ],
}


def programs() -> tuple[Path, Path]:
    """The API server and etcd. Builds them if they are not in the cache."""
    folder = cache_dir() / "apiserver"
    server = "k8s.io/kubernetes/cmd/kube-apiserver"
    return (
        _built(folder / f"kube-apiserver-{RELEASE}", "kube-apiserver", server),
        _built(folder / "etcd", "etcd", "."),
    )


def _built(program: Path, module: str, package: str) -> Path:
    """A program of a Go module of the tests."""
    with cache.locked(program):
        if not program.exists():
            subprocess.run(
                ["go", "build", "-ldflags", "-s -w", "-o", str(program), package],
                cwd=_HERE / module, check=True,
            )  # fmt: skip
    return program


class RefusedError(Exception):
    """The API server refused a request; `text` is its response."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status, self.text = status, text


class Machinery:
    """A running API server, and its etcd. Each can be ended and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._programs = programs()
        self.port, *self._etcd_ports = (free_port() for _ in range(3))
        self.url = f"https://127.0.0.1:{self.port}"
        self._certificates()
        (folder / "audit.json").write_text(json.dumps(_AUDIT))
        self.audit = folder / "audit.log"
        user = {
            "client-certificate": str(folder / "admin.crt"),
            "client-key": str(folder / "admin.key"),
        }
        self.kubeconfig = self.login("admin", user)
        self._tls_of_all = ssl.create_default_context(cafile=str(folder / "ca.crt"))
        self._tls = ssl.create_default_context(cafile=str(folder / "ca.crt"))
        self._tls.load_cert_chain(folder / "admin.crt", folder / "admin.key")
        self.start_etcd()
        self.start()

    def start_etcd(self) -> None:
        client, peer = (f"http://127.0.0.1:{port}" for port in self._etcd_ports)
        with (self.folder / "etcd.log").open("ab") as log:
            self._etcd = subprocess.Popen(
                [self._programs[1], self.folder / "etcd", client, peer], stderr=log
            )

    def start(self) -> None:
        """Starts the API server and waits until it serves."""
        log = (self.folder / "server.log").open("ab")
        self._server = subprocess.Popen(
            [
                self._programs[0], f"--etcd-servers=http://127.0.0.1:{self._etcd_ports[0]}",
                f"--secure-port={self.port}", "--bind-address=127.0.0.1",
                "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/24",
                f"--client-ca-file={self.folder / 'ca.crt'}",
                f"--tls-cert-file={self.folder / 'server.crt'}",
                f"--tls-private-key-file={self.folder / 'server.key'}",
                "--authorization-mode=Node,RBAC",
                "--service-account-issuer=https://kubernetes.default.svc",
                f"--service-account-signing-key-file={self.folder / 'accounts.key'}",
                f"--service-account-key-file={self.folder / 'accounts.crt'}",
                f"--audit-policy-file={self.folder / 'audit.json'}",
                f"--audit-log-path={self.audit}",
            ],
            stderr=log, cwd=self.folder,
        )  # fmt: skip
        log.close()
        self._until(self._is_ready)

    def _is_ready(self) -> None:
        with self.client() as client:
            if (answer := client.get("/readyz")).status_code != 200:
                raise RefusedError(answer.status_code, answer.text)

    def install(self) -> None:
        """Creates the definitions of the fleet's resources."""
        for path in CRDS:
            self.define(_read(path))

    def define(self, definition: dict[str, Any]) -> None:
        """Creates a definition, and waits until its resources are served."""
        self.apply(definition)
        spec = definition["spec"]
        version = spec["versions"][0]["name"]
        where = f"/apis/{spec['group']}/{version}/{spec['names']['plural']}"
        self._until(lambda: self.ask("GET", where))

    def apply(self, body: dict[str, Any]) -> dict[str, Any]:
        """Creates an object of any kind. Raises RefusedError."""
        version, meta = body["apiVersion"], body["metadata"]
        root = "/api/v1" if version == "v1" else f"/apis/{version}"
        (kind,) = (
            each
            for each in self.ask("GET", root)["resources"]
            if each["kind"] == body["kind"] and "/" not in each["name"]
        )
        place = f"/namespaces/{meta['namespace']}" if kind["namespaced"] else ""
        return self.ask("POST", f"{root}{place}/{kind['name']}", body)

    def ask(
        self, method: str, path: str, body: Any = None, accept: str = "application/json"
    ) -> dict[str, Any]:
        """A request. Raises RefusedError and httpx's errors."""
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        with self.client() as client:
            headers = {"Content-Type": kind, "Accept": accept}
            content = None if body is None else json.dumps(body)
            answer = client.request(method, path, content=content, headers=headers)
        if answer.status_code >= 400:
            raise RefusedError(answer.status_code, answer.text)
        found: dict[str, Any] = answer.json()
        return found

    def client(self, token: str | None = None) -> httpx.Client:
        """A client with a token, or with all rights."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        tls = self._tls if token is None else self._tls_of_all
        return httpx.Client(
            base_url=self.url, verify=tls, headers=headers, timeout=60, trust_env=False
        )  # fmt: skip

    def audited(self) -> list[dict[str, Any]]:
        """The server's record of what the project's accounts have asked for so far."""
        return [json.loads(line) for line in self.audit.read_text().splitlines()]

    def kill(self) -> None:
        """Ends the API server at once."""
        self._server.kill()
        self._server.wait()

    def kill_etcd(self) -> None:
        """Ends etcd at once."""
        self._etcd.kill()
        self._etcd.wait()

    def memory(self) -> int:
        """The API server's memory in bytes."""
        return memory_of(self._server.pid)

    def close(self) -> None:
        self.kill()
        self.kill_etcd()

    def _until(self, works: Any) -> None:
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                works()
            except (OSError, httpx.HTTPError, RefusedError):
                if time.monotonic() > end or self._server.poll() is not None:
                    print((self.folder / "server.log").read_text()[-3000:])
                    raise
                time.sleep(0.1)
            else:
                return

    def login(self, name: str, user: dict[str, Any], server: str | None = None) -> Path:
        """Writes a kubeconfig. `user`: its credentials; `server`: a URL instead of this host's."""
        authority = base64.b64encode((self.folder / "ca.crt").read_bytes()).decode()
        cluster = {"server": server or self.url, "certificate-authority-data": authority}
        file = self.folder / f"{name}.kubeconfig"
        file.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "here",
            "clusters": [{"name": "lab", "cluster": cluster}],
            "users": [{"name": name, "user": user}],
            "contexts": [{"name": "here", "context": {"cluster": "lab", "user": name}}],
        }))  # fmt: skip
        return file

    @property
    def guests_url(self) -> str:
        """The URL in a guest that reaches this server."""
        return f"https://{HOST}:{self.port}"

    def _certificates(self) -> None:
        authority = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
        self._sign("ca", authority, name, authority, name)
        for file, subject in (
            ("server", [(NameOID.COMMON_NAME, "server")]),
            ("admin", [(NameOID.COMMON_NAME, "a"), (NameOID.ORGANIZATION_NAME, "system:masters")]),
        ):
            whom = x509.Name([x509.NameAttribute(*each) for each in subject])
            self._sign(file, ec.generate_private_key(ec.SECP256R1()), whom, authority, name)
        self._sign("accounts", ec.generate_private_key(ec.SECP256R1()), name, authority, name)

    def _sign(self, file: str, key: Any, whom: Any, authority: Any, issuer: Any) -> None:
        now = datetime.now(UTC)
        addresses = [x509.IPAddress(ip_address(each)) for each in ("127.0.0.1", HOST)]
        certificate = (
            x509.CertificateBuilder().subject_name(whom).issuer_name(issuer)
            .public_key(key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(days=2))
            .add_extension(x509.SubjectAlternativeName(addresses), critical=False)
            .add_extension(x509.BasicConstraints(ca=file == "ca", path_length=None), critical=True)
            .sign(authority, hashes.SHA256())
        )  # fmt: skip
        pem = serialization.Encoding.PEM
        (self.folder / f"{file}.crt").write_bytes(certificate.public_bytes(pem))
        (self.folder / f"{file}.key").write_bytes(
            key.private_bytes(
                pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )  # fmt: skip


@contextmanager
def running() -> Iterator[Machinery]:
    """A context with a server that has the fleet's resources."""
    folder = Path(tempfile.mkdtemp(prefix="gthulhu-api-"))
    machinery = None
    try:
        machinery = Machinery(folder)
        machinery.install()
        yield machinery
    finally:
        if machinery is not None:
            machinery.close()
        shutil.rmtree(folder, ignore_errors=True)


def memory_of(pid: int) -> int:
    """The resident memory of a process in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def free_port() -> int:
    """A port that nothing listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
