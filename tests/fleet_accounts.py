# SPDX-License-Identifier: Apache-2.0
"""The project as it is installed in a cluster, and the tokens that its pods have there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from api_machinery import Machinery, RefusedError

NAMESPACE = "gthulhuc"
_WORKLOADS = {"DaemonSet": "node", "Deployment": "controller"}
_FOREIGN = {"ServiceMonitor"}  # defined by other projects


class Accounts:
    """Nodes and pods of a server on which the manifests are applied, with the pods' tokens.

    Nothing starts the pods: a test uses a token as the processes of its pod would.
    """

    def __init__(self, machinery: Machinery, manifests: Iterable[dict[str, Any]]) -> None:
        self._machinery = machinery
        self._pods: dict[str, Any] = {}
        self._logins: dict[str, Path] = {}
        for each in manifests:
            if each["kind"] in _FOREIGN:
                continue
            machinery.apply(each)
            if each["kind"] in _WORKLOADS:
                self._pods[_WORKLOADS[each["kind"]]] = each["spec"]["template"]

    def of(self, account: str, name: str, server: str | None = None) -> Path:
        """The kubeconfig of a pod: `node` on the node `name`, or the `controller` of that name.

        `server`: the server's URL, if it is not of this host.
        """
        if name not in self._logins:
            on = name if account == "node" else "node-of-controllers"
            token = self.token(account, self._pod(account, name, on))
            self._logins[name] = self._machinery.login(name, {"token": token}, server)
        return self._logins[name]

    def token(self, account: str, pod: str | None) -> str:
        """A token of an account. `pod`: to which it is bound, as the kubelet asks for it."""
        spec: dict[str, Any] = {"expirationSeconds": 24 * 3600}
        if pod is not None:
            spec["boundObjectRef"] = {"apiVersion": "v1", "kind": "Pod", "name": pod}
        asked = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}
        path = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/gthulhuc-{account}/token"
        token: str = self._machinery.ask("POST", path, asked)["status"]["token"]
        return token

    def add_node(self, name: str, labels: dict[str, str] | None = None) -> None:
        """Creates a Node, if it is not there."""
        meta = {"name": name, "labels": labels or {}}
        _unless_there(
            lambda: self._machinery.apply({"apiVersion": "v1", "kind": "Node", "metadata": meta})
        )

    def _pod(self, account: str, name: str, node: str) -> str:
        self.add_node(node)
        template = self._pods[account]
        meta = template["metadata"] | {"name": f"{account}-{name}", "namespace": NAMESPACE}
        body = {
            "apiVersion": "v1", "kind": "Pod", "metadata": meta,
            "spec": template["spec"] | {"nodeName": node},
        }  # fmt: skip
        _unless_there(lambda: self._machinery.apply(body))
        return str(meta["name"])


def is_allowed(audited: dict[str, Any]) -> bool:
    """Whether the roles have allowed a request, by the server's own record."""
    return bool(audited["annotations"]["authorization.k8s.io/decision"] == "allow")


def _unless_there(create: Callable[[], Any]) -> None:
    try:
        create()
    except RefusedError as error:
        if error.status != 409:
            raise
