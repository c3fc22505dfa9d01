# SPDX-License-Identifier: Apache-2.0
"""Alerts and dashboards are about metrics that there are, and their expressions are valid."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

import promtool
from fake_loader import LIMITS, PROMISES, STATS, FakeLoader
from gthulhu.commands import metrics

CONTRIB = Path(__file__).parents[2] / "contrib"
RULES = CONTRIB / "prometheus" / "gthulhu.rules.yml"
BOARD: dict[str, Any] = json.loads((CONTRIB / "grafana" / "gthulhu.json").read_text())
STATUS = {
    "ok": True, "policy": "shop", "generation": 3, "since": STATS["since"], "in_force": True,
    "restarts": 2, **PROMISES,
}  # fmt: skip


def expressions() -> list[str]:
    """The expressions of the dashboard's panels and annotations."""
    targets = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
    return targets + [each["expr"] for each in BOARD["annotations"]["list"]]


def test_alerts_pass_their_tests() -> None:
    promtool.test_rules(RULES.with_name("gthulhu.test.yml"))


def test_names_are_those_of_metrics(tmp_path: Path) -> None:
    loader = FakeLoader(tmp_path, {"status": STATUS, "stats": STATS | LIMITS})
    families = list(metrics.collector(str(tmp_path)).collect())
    loader.close()
    names = {sample.name for family in families for sample in family.samples}
    asked = {
        name
        for text in (RULES.read_text(), *expressions())
        for name in re.findall(r"\bgthulhu_\w+", text)
    }
    assert asked - names == set()


def test_dashboard_expressions_are_valid(tmp_path: Path) -> None:
    values = {"$instance": ".*", "$__rate_interval": "5m", "$__range": "1h"}
    rules = []
    for number, shown in enumerate(expressions()):
        asked = re.sub(r"\$\w+", lambda found: values[found[0]], shown)
        rules.append({"record": f"panel_{number}", "expr": asked})
    file = tmp_path / "rules.yml"
    file.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
    promtool.check_rules(file)


def test_dashboard_fits_the_schema_of_grafana() -> None:
    """Grafana's own types, made from its schema, keep all of it."""
    register_default_plugins()
    read = json.loads(JSONEncoder(sort_keys=True).encode(Dashboard.from_json(BOARD)))
    # An annotation's title belongs to the data source, which the schema leaves out.
    assert list(lost(BOARD, read)) == ["annotations.list.0.titleFormat"]


def lost(given: Any, kept: Any, place: str = "") -> Iterator[str]:
    """The places of values that a dashboard has and its copy does not."""
    if isinstance(given, dict | list) and type(given) is type(kept):
        items = given.items() if isinstance(given, dict) else enumerate(given)
        for key, value in items:
            at = f"{place}.{key}".lstrip(".")
            if isinstance(kept, dict) and key not in kept:
                yield at
            else:
                yield from lost(value, kept[key], at)
    elif given != kept:
        yield place


def test_dashboard_layout() -> None:
    panels = BOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        assert panel["datasource"]["uid"] == "${datasource}"
    for one, other in combinations((panel["gridPos"] for panel in panels), 2):
        assert (
            one["x"] + one["w"] <= other["x"]
            or other["x"] + other["w"] <= one["x"]
            or one["y"] + one["h"] <= other["y"]
            or other["y"] + other["h"] <= one["y"]
        )


def test_the_policy_for_a_partition_is_valid(tmp_path: Path) -> None:
    recipe = (CONTRIB / "cpuset" / "README.md").read_text()
    (text,) = re.findall(r"```gpl\n(.*?)```", recipe, re.DOTALL)
    policy = tmp_path / "node.gpl"
    policy.write_text(text)
    said = subprocess.run(["gthulhu", "check", policy], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
