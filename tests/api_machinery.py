# SPDX-License-Identifier: Apache-2.0
"""Kubernetes' own API server for custom resources (k8s.io/apiextensions-apiserver), with an etcd.

It serves definitions and their resources, with schemas, CEL, subresources and watches. Pods, nodes
and Leases belong to other servers of Kubernetes; a Lease is served here as a custom resource.
Both programs are built once, into the cache, which takes Go and ten minutes.
"""

from __future__ import annotations

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

from gthulhu_lab.paths import cache_dir

_MODULE = "k8s.io/apiextensions-apiserver@v0.34.1"
_HERE = Path(__file__).parent
CRDS = sorted((_HERE.parent / "deploy" / "crds").glob("*.yaml"))
_PLUGINS = (
    "NamespaceLifecycle", "ValidatingAdmissionPolicy", "MutatingAdmissionPolicy",
    "ValidatingAdmissionWebhook", "MutatingAdmissionWebhook",
)  # fmt: skip
_PATIENCE_S = 60
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def programs() -> tuple[Path, Path]:
    """The API server and etcd. Builds them if they are not in the cache."""
    folder = cache_dir() / "apiserver"
    server, etcd = folder / "apiextensions-apiserver", folder / "etcd"
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "GOBIN": str(folder)}
    if not server.exists():
        subprocess.run(["go", "install", _MODULE], env=environment, check=True)
    if not etcd.exists():
        subprocess.run(
            ["go", "build", "-o", str(etcd), "."], cwd=_HERE / "etcd", env=environment, check=True
        )
    return server, etcd


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
        self._port, *self._etcd_ports = (free_port() for _ in range(3))
        self.url = f"https://127.0.0.1:{self._port}"
        self._certificates()
        self.kubeconfig = folder / "kubeconfig"
        self.kubeconfig.write_text(json.dumps(self._config()))
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
        elsewhere = str(self.kubeconfig)  # nothing is asked there
        log = (self.folder / "server.log").open("ab")
        self._server = subprocess.Popen(
            [
                self._programs[0], f"--etcd-servers=http://127.0.0.1:{self._etcd_ports[0]}",
                f"--secure-port={self._port}", "--bind-address=127.0.0.1",
                f"--client-ca-file={self.folder / 'ca.crt'}",
                f"--tls-cert-file={self.folder / 'server.crt'}",
                f"--tls-private-key-file={self.folder / 'server.key'}",
                f"--kubeconfig={elsewhere}", f"--authentication-kubeconfig={elsewhere}",
                f"--authorization-kubeconfig={elsewhere}", "--authentication-skip-lookup",
                "--authentication-tolerate-lookup-failure",
                f"--disable-admission-plugins={','.join(_PLUGINS)}",
            ],
            stderr=log, cwd=self.folder,
        )  # fmt: skip
        log.close()
        self._until(
            lambda: self.ask("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
        )

    def install(self) -> None:
        """Creates the definitions of the fleet's resources, and that of Leases."""
        for definition in [*map(_read, CRDS), _LEASES]:
            self.ask("POST", _DEFINITIONS, definition)
            spec = definition["spec"]
            version = spec["versions"][0]["name"]
            where = f"/apis/{spec['group']}/{version}/{spec['names']['plural']}"
            self._until(lambda path=where: self.ask("GET", path))

    def ask(
        self, method: str, path: str, body: Any = None, accept: str = "application/json"
    ) -> dict[str, Any]:
        """A request. Raises RefusedError and httpx's errors."""
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        with httpx.Client(verify=self._tls, timeout=60, trust_env=False) as client:
            headers = {"Content-Type": kind, "Accept": accept}
            content = None if body is None else json.dumps(body)
            answer = client.request(method, self.url + path, content=content, headers=headers)
        if answer.status_code >= 400:
            raise RefusedError(answer.status_code, answer.text)
        found: dict[str, Any] = answer.json()
        return found

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

    def _config(self) -> dict[str, Any]:
        cluster = {"server": self.url, "certificate-authority": str(self.folder / "ca.crt")}
        user = {
            "client-certificate": str(self.folder / "admin.crt"),
            "client-key": str(self.folder / "admin.key"),
        }
        return {
            "apiVersion": "v1", "kind": "Config", "current-context": "here",
            "clusters": [{"name": "lab", "cluster": cluster}],
            "users": [{"name": "admin", "user": user}],
            "contexts": [{"name": "here", "context": {"cluster": "lab", "user": "admin"}}],
        }  # fmt: skip

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

    def _sign(self, file: str, key: Any, whom: Any, authority: Any, issuer: Any) -> None:
        now = datetime.now(UTC)
        address = x509.IPAddress(ip_address("127.0.0.1"))
        certificate = (
            x509.CertificateBuilder().subject_name(whom).issuer_name(issuer)
            .public_key(key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(days=2))
            .add_extension(x509.SubjectAlternativeName([address]), critical=False)
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


_LEASES = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {
        "name": "leases.coordination.k8s.io",
        "annotations": {"api-approved.kubernetes.io": "unapproved, for tests"},
    },
    "spec": {
        "group": "coordination.k8s.io",
        "scope": "Namespaced",
        "names": {"kind": "Lease", "listKind": "LeaseList", "plural": "leases"},
        "versions": [
            {
                "name": "v1", "served": True, "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {
                                    "holderIdentity": {"type": "string"},
                                    "leaseDurationSeconds": {"type": "integer"},
                                    "acquireTime": {"type": "string"},
                                    "renewTime": {"type": "string"},
                                    "leaseTransitions": {"type": "integer"},
                                },
                            }
                        },
                    }
                },
            }
        ],
    },
}  # fmt: skip
