# SPDX-License-Identifier: Apache-2.0
"""The API of the nodes in the chart: `api.enabled`, on loopback and with a certificate."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

import helm
import pods
from gthulhuc.cli.gthulhu import make_parser
from serving import Serving

pytestmark = pytest.mark.soak  # it builds Helm

ON = ("--set", "api.enabled=true")
TLS = (*ON, "--set", "api.tlsSecret=certificate")
FROM = ("--set", "networkPolicy.apiFrom[0].podSelector.matchLabels.app=operator")
BOTH = pytest.mark.parametrize("given", [ON, TLS], ids=["loopback", "certificate"])
API = {"app.kubernetes.io/component": "api"}


def resources(given: tuple[str, ...]) -> dict[tuple[str, str], dict[str, Any]]:
    """The resources by kind and name."""
    found = filter(None, yaml.safe_load_all(helm.rendered(*given)))
    return {(each["kind"], each["metadata"]["name"]): each for each in found}


def pod(given: tuple[str, ...]) -> dict[str, Any]:
    """The pod that serves the API."""
    found: dict[str, Any] = resources(given)["DaemonSet", "gthulhuc-api"]["spec"]["template"]
    assert found["metadata"]["labels"].items() >= API.items()
    return dict(found["spec"])


def test_nothing_of_it_is_there_by_default() -> None:
    assert not any("api" in name for _, name in resources(()))


@BOTH
def test_the_resources_are_valid(given: tuple[str, ...]) -> None:
    for each in resources((*given, *FROM)).values():
        kubernetes_validate.validate(each, "1.37", strict=True)


@BOTH
def test_turning_it_on_leaves_the_pods_of_the_loader_alone(given: tuple[str, ...]) -> None:
    before, after = resources(()), resources(given)
    assert {name: after[name] for name in before} == before


@BOTH
def test_containers_have_the_rights_that_the_page_lists(given: tuple[str, ...]) -> None:
    found = pods.containers(pod(given))
    for container in found.values():
        pods.check_confined(container)
    said = pods.rights_said("| container of the API |")
    assert said == {name: pods.rights(container) for name, container in found.items()}


@BOTH
def test_the_pod_has_nothing_else_of_the_node_or_the_cluster(given: tuple[str, ...]) -> None:
    found = pod(given)
    assert found["automountServiceAccountToken"] is False
    assert not any(found.get(name) for name in ("hostNetwork", "hostIPC", "serviceAccountName"))
    volumes = {each["name"]: each for each in found["volumes"]}
    of_node = {each["hostPath"]["path"] for each in volumes.values() if "hostPath" in each}
    assert of_node == {"/run/gthulhu", "/var/lib/gthulhu-serve"}
    server = pods.containers(found)["api"]
    mounted = {each["name"]: each for each in server["volumeMounts"]}
    # The loader's folder is the broker's alone, and the keys are the server's.
    assert "state" not in mounted
    secrets = {name for name, volume in volumes.items() if "secret" in volume}
    assert secrets == {name for name, each in mounted.items() if each.get("readOnly")}
    broker = pods.containers(found)["broker"]
    assert secrets.isdisjoint(each["name"] for each in broker["volumeMounts"])
    assert all("hostPort" not in port for port in server.get("ports", ()))


@BOTH
def test_no_user_is_one_of_the_other_pods(given: tuple[str, ...]) -> None:
    """They share the numbers of processes, and users may look into their own processes."""
    ours, others = (
        {
            *(pods.rights(each)[0] for each in pods.containers(found).values()),
            _option(found, "broker", "compiler"),
        }
        for found in (pod(given), pods.node_pod())
    )
    assert ours & others == {"root"}


def test_the_server_and_its_broker_find_each_other() -> None:
    found = pod(ON)
    server = pods.containers(found)["api"]
    assert _option(found, "broker", "user") == str(server["securityContext"]["runAsUser"])
    assert _option(found, "broker", "folder") == _option(found, "api", "broker")
    places = {each["name"]: each["mountPath"] for each in server["volumeMounts"]}
    assert _option(found, "api", "broker") == places["broker"]
    assert _option(found, "api", "keys") == places["keys"]
    assert _option(found, "api", "store") == places["store"]


def test_without_a_certificate_only_a_forwarded_port_reaches_it() -> None:
    found = pod(ON)
    assert _option(found, "api", "listen") == [("127.0.0.1", 8082)]
    assert "ports" not in pods.containers(found)["api"]
    assert ("Service", "gthulhuc-api") not in resources(ON)
    assert "ingress" not in resources(ON)["NetworkPolicy", "gthulhuc-api"]["spec"]


def test_with_a_certificate_its_clients_reach_it() -> None:
    found, made = pod(TLS), resources((*TLS, *FROM))
    ((host, port),) = _option(found, "api", "listen")
    assert (ip_address(host).is_unspecified, port) == (True, 8082)
    places = {
        each["name"]: each["mountPath"] for each in pods.containers(found)["api"]["volumeMounts"]
    }
    for option, file in (("tls_cert", "tls.crt"), ("tls_key", "tls.key")):
        assert _option(found, "api", option) == f"{places['tls']}/{file}"
    (rule,) = made["NetworkPolicy", "gthulhuc-api"]["spec"]["ingress"]
    assert rule == {
        "ports": [{"protocol": "TCP", "port": 8082}],
        "from": [{"podSelector": {"matchLabels": {"app": "operator"}}}],
    }
    service = made["Service", "gthulhuc-api"]["spec"]
    assert service["selector"].items() >= API.items()


@BOTH
def test_it_has_no_other_connections(given: tuple[str, ...]) -> None:
    made = resources(given)
    own = made["NetworkPolicy", "gthulhuc-api"]["spec"]
    assert own["podSelector"]["matchLabels"].items() >= API.items()
    assert set(own["policyTypes"]) == {"Ingress", "Egress"}
    assert "egress" not in own
    # A pod of two policies may do what one of them allows.
    (left_out,) = made["NetworkPolicy", "gthulhuc"]["spec"]["podSelector"]["matchExpressions"]
    assert left_out == {
        "key": "app.kubernetes.io/component",
        "operator": "NotIn",
        "values": ["api"],
    }


def test_the_probe_knows_whether_the_server_answers(tmp_path: Path) -> None:
    probe = pods.containers(pod(ON))["api"]["readinessProbe"]["exec"]["command"]
    assert probe[0] == "python3"
    with closing(Serving(tmp_path)) as serving:
        command = [sys.executable, *(each.replace("8082", str(serving.port)) for each in probe[1:])]
        assert subprocess.run(command, check=False).returncode == 0
    assert subprocess.run(command, check=False, capture_output=True).returncode != 0


def _option(found: Mapping[str, Any], name: str, option: str) -> Any:
    """An option of a container's command, as the command understands it."""
    return getattr(make_parser().parse_args(pods.containers(found)[name]["args"]), option)
