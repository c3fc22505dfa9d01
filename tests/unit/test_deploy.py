# SPDX-License-Identifier: Apache-2.0
"""The plain manifests and the chart's values: valid, and with no more rights than the page says."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

import pods
from gthulhuc.cli.gthulhu import make_parser

ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy" / "chart"
# The oldest release that the chart allows, and the newest that the package knows.
RELEASES = ("1.25", "1.37")
# The first that compares names with the node in a token; see the chart's `own-status.yaml`.
_POLICIES_SINCE = "1.30"
_POLICIES = {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
PODS = {
    each["metadata"]["name"]: each["spec"]["template"]["spec"]
    for kind in ("DaemonSet", "Deployment")
    for each in pods.of_kind(kind)
}
CONTAINERS = {
    name: container for pod in PODS.values() for name, container in pods.containers(pod).items()
}


@pytest.mark.parametrize("release", RELEASES)
def test_resources_are_valid(release: str) -> None:
    crds = [yaml.safe_load(file.read_text()) for file in (CHART / "crds").glob("*.yaml")]
    assert len(crds) >= 2
    for each in (*pods.resources(), *crds):
        since = _POLICIES_SINCE if each["kind"] in _POLICIES else release
        kubernetes_validate.validate(each, max(since, release), strict=True)


def test_the_policy_on_statuses_is_about_the_account_of_nodes() -> None:
    """`test_fleet_rights.py` has what Kubernetes makes of it."""
    (policy,) = pods.of_kind("ValidatingAdmissionPolicy")
    (binding,) = pods.of_kind("ValidatingAdmissionPolicyBinding")
    assert binding["spec"] == {
        "policyName": policy["metadata"]["name"], "validationActions": ["Deny"],
    }  # fmt: skip
    (daemon,) = pods.of_kind("DaemonSet")
    account = daemon["spec"]["template"]["spec"]["serviceAccountName"]
    user = f"system:serviceaccount:{daemon['metadata']['namespace']}:{account}"
    (condition,) = policy["spec"]["matchConditions"]
    assert condition["expression"] == f'request.userInfo.username == "{user}"'
    (rule,) = policy["spec"]["matchConstraints"]["resourceRules"]
    written = {
        (resource, "CREATE" if verb == "create" else "UPDATE")
        for name, _, resource, verb in _rules()
        if name == "node" and verb in {"create", "update", "patch"}
    }
    given = {(name, verb) for name in rule["resources"] for verb in rule["operations"]}
    assert written <= given


def test_a_mistake_would_be_found() -> None:
    pod = pods.of_kind("DaemonSet")[0]
    pod["spec"]["template"]["spec"]["containers"][0]["securityContext"]["capability"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(pod, RELEASES[-1], strict=True)


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_are_confined(name: str) -> None:
    pods.check_confined(CONTAINERS[name], is_free=name == "loader")


@pytest.mark.parametrize("pod", PODS.values(), ids=PODS)
def test_pods_have_nothing_of_the_node_but_what_they_need(pod: Mapping[str, Any]) -> None:
    assert not pod.get("hostNetwork")
    assert not pod.get("hostIPC")
    assert pod["automountServiceAccountToken"] is False
    places = {
        each["hostPath"]["path"]: each["name"] for each in pod["volumes"] if "hostPath" in each
    }
    assert set(places) <= {"/run/gthulhu", "/var/lib/gthulhu-fleet", "/sys/fs/cgroup"}
    for container in pods.containers(pod).values():
        for mount in container.get("volumeMounts", ()):
            assert mount.get("readOnly") or mount["name"] not in {"cgroup", "account"}


@pytest.mark.parametrize("name", [name for name in CONTAINERS if "args" in CONTAINERS[name]])
def test_commands_have_the_options_that_they_are_given(name: str) -> None:
    assert "command" not in CONTAINERS[name]
    given = make_parser().parse_args(CONTAINERS[name]["args"])
    assert not isinstance(given.run, str)


def test_only_those_that_ask_the_api_have_a_token() -> None:
    having = {
        name
        for name, container in CONTAINERS.items()
        if any(each["name"] == "account" for each in container.get("volumeMounts", ()))
    }
    assert having == {"fleet", "agent", "controller"}


def test_the_page_has_each_containers_rights() -> None:
    assert pods.rights_said("| container |") == {
        name: pods.rights(container) for name, container in CONTAINERS.items()
    }


def test_the_page_has_each_accounts_rights() -> None:
    said = {
        (row[0].partition(",")[0], row[1].strip("`"), resource, verb.partition(" of ")[0].strip())
        for row in pods.table("| account |")
        for resource in re.findall(r"`([^`]+)`", row[2])
        for verb in re.split(r",|;| and ", row[3])
    }
    assert said == set(_rules())


def test_no_account_may_do_everything() -> None:
    given = {part for rule in _rules() for part in rule}
    assert "*" not in given
    assert {"secrets", "delete", "pods/exec"}.isdisjoint(given)


def test_the_controller_looks_for_no_pods() -> None:
    """No pod gets policies or credentials from it because of its labels: nodes come to the API."""
    given = {resource for account, _, resource, _ in _rules() if account == "controller"}
    assert {"pods", "services", "endpoints", "endpointslices"}.isdisjoint(given)


def _rules() -> Iterator[tuple[str, str, str, str]]:
    """The rules of all roles: account, group, resource, verb."""
    for role in (*pods.of_kind("ClusterRole"), *pods.of_kind("Role")):
        account = role["metadata"]["name"].removeprefix("gthulhuc-")
        for rule in role["rules"]:
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    for verb in rule["verbs"]:
                        yield account, group or "core", resource, verb


def test_every_value_is_described_and_right() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(values, schema, cls=jsonschema.Draft7Validator)
    for path, of in _described(schema):
        assert of.get("description"), path


def _described(
    schema: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, of in schema.get("properties", {}).items():
        yield f"{path}.{name}", of
        if name not in {"type", "localhostProfile"}:
            yield from _described(of, f"{path}.{name}")


def test_versions_are_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (project, project)
    assert {each["image"] for each in CONTAINERS.values()} == {f"gthulhu:{project}"}


def test_an_upgrade_starts_the_next_pod_first() -> None:
    (daemon,) = pods.of_kind("DaemonSet")
    assert daemon["spec"]["updateStrategy"]["rollingUpdate"] == {
        "maxSurge": 1,
        "maxUnavailable": 0,
    }
    loader = CONTAINERS["loader"]
    assert "--take-over" in loader["command"]
    # It has to be ready before the loader before it ends.
    assert "readinessProbe" not in loader
    for container in CONTAINERS.values():
        assert all("hostPort" not in port for port in container.get("ports", ()))
