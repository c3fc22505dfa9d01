# SPDX-License-Identifier: Apache-2.0
"""The chart with Helm's own `lint` and `template`."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

import helm

pytestmark = pytest.mark.soak  # it builds Helm

# A value at a time that changes the templates' course.
VARIANTS = {
    "api": "api.enabled=true,api.tlsSecret=certificate,imagePullSecrets[0].name=registry",
    "alone": "metrics.enabled=false,node.agent.enabled=false,networkPolicy.enabled=false",
    "digest": f"image.digest=sha256:{'0' * 64}",
    "gthulhu": "controller.gthulhuNamespace=gthulhu-system,controller.replicas=1",
    "in-force": "basePolicy.monitor=false,namespace.create=false",
    "profile": "node.loader.seccompProfile.type=RuntimeDefault",
    "secret": "imagePullSecrets[0].name=registry",
    "monitored": "metrics.serviceMonitor.enabled=true,metrics.serviceMonitor.labels.release=p",
}
WRONG = {
    "replicas": "controller.replicas=0",
    "unknown": "controllers.replicas=2",
    "path": "node.stateDir=/run/a;reboot",
    "keys": "api.enabled=true,api.keysSecret=",
}
_OTHERS = {"ServiceMonitor"}
"""Kinds of other projects, whose schemas the package does not have."""


def test_lint_finds_nothing() -> None:
    result = helm.run("lint", "--strict", helm.CHART)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_plain_manifests_are_those_of_the_chart() -> None:
    assert helm.MANIFESTS.read_text() == helm.manifests(), "run `python tests/helm.py`"


@pytest.mark.parametrize("values", VARIANTS.values(), ids=VARIANTS)
def test_other_values_give_valid_resources(values: str) -> None:
    found = _resources(helm.rendered("--set", values))
    for each in found:
        if each["kind"] not in _OTHERS:
            kubernetes_validate.validate(each, "1.37", strict=True)


@pytest.mark.parametrize(("release", "count"), [("1.29", 0), ("1.30", 2)])
def test_older_releases_get_no_policies_on_statuses(release: str, count: int) -> None:
    found = _resources(helm.rendered("--kube-version", release))
    assert sum(each["kind"].startswith("ValidatingAdmission") for each in found) == count


def test_a_service_monitor_selects_the_service() -> None:
    found = _resources(helm.rendered("--set", VARIANTS["monitored"]))
    (monitor,) = (each for each in found if each["kind"] == "ServiceMonitor")
    (service,) = (each for each in found if each["kind"] == "Service")
    wanted = monitor["spec"]["selector"]["matchLabels"].items()
    assert wanted <= service["metadata"]["labels"].items()
    ports = {each["name"] for each in service["spec"]["ports"]}
    assert {each["port"] for each in monitor["spec"]["endpoints"]} <= ports
    assert monitor["metadata"]["labels"]["release"] == "p"


@pytest.mark.parametrize("values", WRONG.values(), ids=WRONG)
def test_wrong_values_are_refused(values: str) -> None:
    result = helm.run("template", "gthulhuc", helm.CHART, "--set", values)
    assert result.returncode != 0
    assert "values don't meet the specifications of the schema" in result.stderr


# Another value of those that have few, or a form of their own.
OTHERS = {
    "image.pullPolicy": "Always",
    "image.digest": f"sha256:{'1' * 64}",
    "node.stateDir": "/run/other",
    "node.storeDir": "/var/lib/other",
    "node.loader.seccompProfile.type": "RuntimeDefault",
    "metrics.serviceMonitor.interval": "9s",
    "node.updateStrategy.type": "OnDelete",
    "api.storeDir": "/var/lib/another",
}


def test_every_value_has_an_effect(tmp_path: Path) -> None:
    # Where a monitor and the API are made, their own values have one, too.
    base = {
        "metrics": {"serviceMonitor": {"enabled": True}},
        "api": {"enabled": True, "tlsSecret": "certificate"},
    }
    values = yaml.safe_load((helm.CHART / "values.yaml").read_text())
    values["metrics"]["serviceMonitor"]["enabled"] = True
    values["api"] |= base["api"]
    before = _with(base, tmp_path)
    for path in _leaves(values):
        given = _at(values, path)
        said = OTHERS.get(".".join(path), _another(given))
        changed: dict[str, Any] = copy.deepcopy(base)
        _put(changed, path, said)
        assert _with(changed, tmp_path) != before, ".".join(path)


def _with(values: dict[str, Any], folder: Path) -> str:
    file = folder / "values.yaml"
    file.write_text(yaml.safe_dump(values))
    return helm.rendered("--values", str(file))


def _leaves(values: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from ((key, *rest) for rest in _leaves(value))
        elif key != "create":  # given by `rendered`
            yield (key,)


def _at(values: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        values = values[key]
    return values


def _put(values: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        values = values.setdefault(key, {})
    values[path[-1]] = value


def _another(value: Any) -> Any:
    """A value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}x"
        case list():
            return [{"name": "other"}] if not value or isinstance(value[0], dict) else [1]
        case _:
            return {"other": "x"}


def _resources(text: str) -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all(text) if each]
