# SPDX-License-Identifier: Apache-2.0
"""The rights of the manifests' accounts, as Kubernetes' own API server decides on them.

A rollout with everything that can ask the API gives the requests that are needed. Each right is one
of them, and without it the server refuses them. Everything else is refused anyway.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

import api_machinery
import fleet_stories
import helm
import pods
from api_machinery import Machinery
from fleet_accounts import NAMESPACE, Accounts, is_allowed
from fleet_scenes import GROUP, Fleet, hurry
from gthulhu import kubernetes as watching
from gthulhu.agent.pods import Pods
from gthulhu.fleet.resources import NODES, POLICIES

pytestmark = pytest.mark.soak

RBAC = "/apis/rbac.authorization.k8s.io/v1"
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/{}/leases"
CORE = "/api/v1/namespaces/{}/"
ROLES = {"ClusterRole", "Role"}
GTHULHU = "gthulhu-system"
TEXT = "policy shop {\n}\n"
PATIENCE_S = 60
KIND = {"apiVersion": GROUP, "kind": "NodeSchedulingStatus"}


@dataclass(frozen=True, slots=True)
class Right:
    """A verb of a rule of a role; `name`: the only object for which it counts."""

    account: str
    group: str
    resource: str
    verb: str
    namespace: str = ""
    name: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (self.account, self.verb, self.resource, self.name)))


def rights(roles: list[dict[str, Any]]) -> list[Right]:
    """The rights of all accounts that the roles give."""
    return [
        Right(
            role["metadata"]["name"].removeprefix("gthulhuc-").removesuffix("-gthulhu"),
            group, resource, verb, role["metadata"].get("namespace", ""), name,
        )
        for role in roles
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
        for name in rule.get("resourceNames", [""])
    ]  # fmt: skip


RIGHTS = rights(pods.of_kind("ClusterRole") + pods.of_kind("Role")) + [
    # With `controller.gthulhuNamespace`.
    Right("controller", "gthulhu.io", f"scheduling{kind}", verb, GTHULHU)
    for kind in ("strategies", "intents")
    for verb in ("list", "watch")
]


_INPUTS: tuple[dict[str, Any], ...] = (
    {"configMap": {"name": "texts"}}, {"gthulhu": {}, "configMap": None},
)  # fmt: skip


class Cluster:
    """A server with the chart's resources, and the requests of a rollout there."""

    def __init__(self, machinery: Machinery, folder: Path) -> None:
        self.machinery = machinery
        for name in (GTHULHU, "other"):
            machinery.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        for kind in ("Strategies", "Intents"):
            machinery.define(_gthulhus(kind))
        chart = helm.rendered("--set", f"controller.gthulhuNamespace={GTHULHU}")
        self.manifests = [each for each in yaml.safe_load_all(chart) if each]
        self.accounts = Accounts(machinery, self.manifests)
        for name in ("node-0", "node-1"):
            self.accounts.add_node(name)
        asyncio.run(self._roll_out(folder))
        self.asked = machinery.audited()

    async def _roll_out(self, folder: Path) -> None:
        """A text, one of a ConfigMap and one of Gthulhu's, each on both nodes; and labels of pods.

        A second controller takes the Lease over.
        """
        self._put_inputs()
        fleet = Fleet(self.machinery.kubeconfig, folder, accounts=self.accounts.of)
        labels = Pods(str(self.accounts.of("node", "node-0")), "node-0", fleet.said.append)
        try:
            for name in ("node-0", "node-1"):
                fleet.start_node(name)
            fleet.start_controller()
            await fleet_stories.rolled_out(fleet, TEXT)
            fleet.start_controller("other")
            await fleet.end("controller")
            for given in _INPUTS:
                texts = {loader.text for loader in fleet.loaders.values()}
                await fleet.apply(None, rollout={"hold": "0s"}, **given)
                await fleet.until(partial(_all_have_another, fleet, texts))
                await fleet.until_phase("Complete")
            uid = self._uid_of_a_pod()
            await fleet.until(lambda: labels.known(uid) is not None)
        finally:
            labels.close()
            await fleet.close()

    def _put_inputs(self) -> None:
        meta = {"name": "texts", "namespace": NAMESPACE}
        data = {"policy.gpl": "policy shop {\n  # of a ConfigMap\n}\n"}
        self.machinery.apply(
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data}
        )
        self.machinery.apply({
            "apiVersion": "gthulhu.io/v1alpha1", "kind": "SchedulingStrategy",
            "metadata": {"name": "calls", "namespace": GTHULHU},
            "spec": {"commandRegex": "nr-gnb", "priority": 5, "executionTime": 2_000_000},
        })  # fmt: skip

    def _uid_of_a_pod(self) -> str:
        path = f"/api/v1/namespaces/{NAMESPACE}/pods/node-node-0"
        return str(self.machinery.ask("GET", path)["metadata"]["uid"])

    def client(self, account: str, name: str) -> httpx.Client:
        """A client with the token of a pod."""
        config = yaml.safe_load(self.accounts.of(account, name).read_text())
        return self.machinery.client(config["users"][0]["user"]["token"])

    def may(self, right: Right) -> bool:
        """Whether the server's authorizer would allow a request."""
        resource, _, part = right.resource.partition("/")
        asked = {
            "group": right.group, "version": "*", "resource": resource, "subresource": part,
            "verb": right.verb, "namespace": right.namespace, "name": right.name,
        }  # fmt: skip
        user = f"system:serviceaccount:{NAMESPACE}:gthulhuc-{right.account}"
        spec = {
            "user": user, "resourceAttributes": asked,
            "groups": [
                "system:serviceaccounts", f"system:serviceaccounts:{NAMESPACE}",
                "system:authenticated",
            ],
        }  # fmt: skip
        body = {
            "apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
            "metadata": {}, "spec": spec,
        }  # fmt: skip
        status = self.machinery.apply(body)["status"]
        return bool(status["allowed"])

    @contextmanager
    def without(self, right: Right) -> Iterator[None]:
        """A context in which no role gives a right."""
        changed = []
        for role in self.manifests:
            if role["kind"] in ROLES and right in rights([role]):
                path = self._path_of(role)
                found = self.machinery.ask("GET", path)
                changed.append((path, found["rules"]))
                rules = [_less(rule, right) for rule in found["rules"]]
                self.machinery.ask("PATCH", path, {"rules": rules})
        assert changed, "no role gives this right"
        try:
            yield
        finally:
            for path, rules in changed:
                self.machinery.ask("PATCH", path, {"rules": rules})
            until(lambda: self.may(right))

    @staticmethod
    def _path_of(role: dict[str, Any]) -> str:
        meta = role["metadata"]
        place = f"/namespaces/{meta['namespace']}" if "namespace" in meta else ""
        return f"{RBAC}{place}/{role['kind'].lower()}s/{meta['name']}"


def _less(rule: dict[str, Any], right: Right) -> dict[str, Any]:
    """A rule without a verb, if it is the one that gives a right."""
    if right.resource not in rule["resources"] or right.group not in rule["apiGroups"]:
        return rule
    if right.name not in rule.get("resourceNames", [""]):
        return rule
    verbs = [verb for verb in rule["verbs"] if verb != right.verb]
    return rule | {"verbs": verbs or ["impossible"]}  # a rule must have one


def _gthulhus(kind: str) -> dict[str, Any]:
    """The definition of a resource of Gthulhu's."""
    one = "Strategy" if kind == "Strategies" else "Intent"
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1alpha1", "served": True, "storage": True}
    plural = f"scheduling{kind.lower()}"
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.gthulhu.io"},
        "spec": {
            "group": "gthulhu.io", "scope": "Namespaced",
            "names": {"kind": f"Scheduling{one}", "plural": plural},
            "versions": [version | {"schema": {"openAPIV3Schema": free}}],
        },
    }  # fmt: skip


def _all_have_another(fleet: Fleet, before: set[str]) -> bool:
    return all(loader.text not in before for loader in fleet.loaders.values())


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it never held"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with pytest.MonkeyPatch.context() as patch, api_machinery.running() as machinery:
        hurry(patch)
        patch.setattr(watching, "_MAX_DELAY_S", 1.0)
        yield Cluster(machinery, tmp_path_factory.mktemp("rights"))


# ---- rights of roles ----------------------------------------------------------------------------


def test_nothing_is_refused_in_a_rollout(cluster: Cluster) -> None:
    assert [each["requestURI"] for each in cluster.asked if not is_allowed(each)] == []


def test_the_roles_are_those_of_the_plain_manifests(cluster: Cluster) -> None:
    roles = [each for each in cluster.manifests if each["kind"] in ROLES]
    assert set(rights(roles)) == set(RIGHTS)


@pytest.mark.parametrize("right", RIGHTS, ids=str)
def test_each_right_is_needed(cluster: Cluster, right: Right) -> None:
    assert any(_uses(request, right) for request in cluster.asked), "nothing has used it"
    assert cluster.may(right)
    with cluster.without(right):
        until(lambda: not cluster.may(right))


def _uses(audited: dict[str, Any], right: Right) -> bool:
    """Whether the server has written down a request that it allowed because of a right."""
    what = audited["objectRef"]
    resource = "/".join(filter(None, (what["resource"], what.get("subresource"))))
    who = audited["user"]["username"].rpartition("-")[2]
    return (who, what.get("apiGroup", ""), resource, audited["verb"]) == (
        right.account, right.group, right.resource, right.verb,
    ) and (not right.name or right.name == what.get("name"))  # fmt: skip


REFUSED = {
    "node": [
        ("POST", POLICIES), ("PUT", f"{POLICIES}/shop"), ("PATCH", f"{POLICIES}/shop"),
        ("DELETE", f"{POLICIES}/shop"), ("PATCH", f"{POLICIES}/shop/status"),
        ("PUT", f"{POLICIES}/shop/status"), ("GET", NODES), ("DELETE", f"{NODES}/node-0"),
        ("PATCH", f"{NODES}/node-0"), ("PUT", f"{NODES}/node-0"),
        ("PUT", f"{NODES}/node-0/status"), ("DELETE", NODES),
        ("POST", LEASES.format(NAMESPACE)), ("GET", LEASES.format(NAMESPACE) + "/gthulhu-fleet"),
        ("PUT", LEASES.format(NAMESPACE) + "/gthulhu-fleet"),
        ("GET", CORE.format(NAMESPACE) + "configmaps"), ("PATCH", "/api/v1/nodes/node-0"),
        ("POST", CORE.format(NAMESPACE) + "pods/node-node-0/exec"),
    ],
    "controller": [
        ("POST", POLICIES), ("PUT", f"{POLICIES}/shop"), ("PATCH", f"{POLICIES}/shop"),
        ("DELETE", f"{POLICIES}/shop"), ("PATCH", f"{POLICIES}/shop/status"),
        ("POST", NODES), ("PUT", f"{NODES}/node-0"), ("PATCH", f"{NODES}/node-0"),
        ("PATCH", f"{NODES}/node-0/status"), ("PUT", f"{NODES}/node-0/status"),
        ("DELETE", f"{NODES}/node-0"), ("GET", "/api/v1/nodes"), ("GET", "/api/v1/pods"),
        ("GET", LEASES.format(NAMESPACE) + "/another"),
        ("PUT", LEASES.format(NAMESPACE) + "/another"),
        ("DELETE", LEASES.format(NAMESPACE) + "/gthulhu-fleet"),
        ("POST", LEASES.format("other")), ("GET", CORE.format("other") + "configmaps"),
        ("PATCH", CORE.format(NAMESPACE) + "configmaps/texts"),
        ("POST", CORE.format(NAMESPACE) + "configmaps"), ("GET", "/api/v1/configmaps"),
        ("GET", f"/apis/gthulhu.io/v1alpha1/namespaces/{NAMESPACE}/schedulingstrategies"),
    ],
}  # fmt: skip
REFUSED_TO_ALL = [
    ("GET", CORE.format(NAMESPACE) + "secrets"), ("GET", "/api/v1/secrets"),
    ("POST", CORE.format(NAMESPACE) + "secrets"), ("POST", CORE.format(NAMESPACE) + "pods"),
    ("POST", CORE.format(NAMESPACE) + "serviceaccounts/gthulhuc-controller/token"),
    ("POST", f"{RBAC}/clusterroles"), ("PATCH", f"{RBAC}/clusterroles/gthulhuc-node"),
    ("POST", f"{RBAC}/clusterrolebindings"),
    ("DELETE", f"{ADMISSION}/validatingadmissionpolicies/gthulhuc-own-status"),
    ("DELETE", f"{ADMISSION}/validatingadmissionpolicybindings/gthulhuc-own-status"),
    ("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"),
    ("PATCH", f"/apis/apps/v1/namespaces/{NAMESPACE}/daemonsets/gthulhuc-node"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("account", "method", "path"),
    [(account, *each) for account, own in REFUSED.items() for each in own + REFUSED_TO_ALL],
)
def test_all_else_is_refused(cluster: Cluster, account: str, method: str, path: str) -> None:
    with cluster.client(account, "node-0" if account == "node" else "other") as client:
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        answer = client.request(method, path, content="{}", headers={"Content-Type": kind})
    assert answer.status_code == 403, answer.text
    who = f'User "system:serviceaccount:{NAMESPACE}:gthulhuc-{account}" cannot'
    assert who in answer.json()["message"]


# ---- a node's own status ------------------------------------------------------------------------


def _patch_status(client: httpx.Client, name: str) -> httpx.Response:
    return client.patch(
        f"{NODES}/{name}/status", json={"status": {"message": "told"}},
        headers={"Content-Type": "application/merge-patch+json"},
    )  # fmt: skip


def test_a_node_writes_its_own_status_alone(cluster: Cluster) -> None:
    with cluster.client("node", "node-0") as client:
        assert _patch_status(client, "node-0").status_code == 200
        answer = _patch_status(client, "node-1")
    assert answer.status_code == 403
    assert "is of node node-0, which may write its own status alone" in answer.json()["message"]


@pytest.mark.parametrize("meta", [{"name": "node-9"}, {"generateName": "node-"}], ids=str)
def test_a_node_creates_its_own_object_alone(cluster: Cluster, meta: dict[str, str]) -> None:
    cluster.accounts.add_node("node-2")
    with cluster.client("node", "node-2") as client:
        answer = client.post(NODES, json=KIND | {"metadata": meta})
        assert (answer.status_code, "of node node-2" in answer.text) == (403, True)
        answer = client.post(NODES, json=KIND | {"metadata": {"name": "node-2"}})
        assert answer.status_code == 201, answer.text
    cluster.machinery.ask("DELETE", f"{NODES}/node-2")


def test_a_token_without_a_pod_writes_no_status(cluster: Cluster) -> None:
    with cluster.machinery.client(cluster.accounts.token("node", None)) as client:
        answer = _patch_status(client, "node-0")
    assert answer.status_code == 403
    assert "this token names no node" in answer.json()["message"]


def test_others_are_not_the_policys_business(cluster: Cluster) -> None:
    """People with the right may write statuses, as for repairs."""
    body = {"status": {"message": "repaired"}}
    cluster.machinery.ask("PATCH", f"{NODES}/node-1/status", body)


def test_without_the_policy_a_node_writes_any_status(cluster: Cluster) -> None:
    """The policy refuses, and not the roles, which cannot."""
    path = f"{ADMISSION}/validatingadmissionpolicybindings/gthulhuc-own-status"
    (binding,) = (
        each for each in cluster.manifests if each["kind"] == "ValidatingAdmissionPolicyBinding"
    )
    cluster.machinery.ask("DELETE", path)
    try:
        with cluster.client("node", "node-0") as client:
            until(lambda: _patch_status(client, "node-1").status_code == 200)
    finally:
        cluster.machinery.apply(binding)
    with cluster.client("node", "node-0") as client:
        until(lambda: _patch_status(client, "node-1").status_code == 403)
