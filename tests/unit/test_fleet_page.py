# SPDX-License-Identifier: Apache-2.0
"""`gthulhu fleet page`: rollouts and nodes in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fleet_objects import HOSTILE, put_node, put_policy
from gthulhu.fleet import page
from gthulhuc.cli import gthulhu
from serving import until
from small_api import SmallApi, serving


@pytest.fixture
def api(tmp_path: Path) -> Iterator[SmallApi]:
    with serving(tmp_path) as found:
        yield found


@pytest.fixture
def app(api: SmallApi) -> FastAPI:
    return page.make(page.watching(str(api.kubeconfig)))


@pytest.fixture
def browser(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://127.0.0.1:8084") as client:
        until(lambda: "Reading from" not in client.get("/page/").text)
        yield client


def test_policies_and_nodes(api: SmallApi, browser: TestClient) -> None:
    assert "There is no SchedulingPolicy" in browser.get("/").text
    text = "policy shop {}\n# <b>\n"
    revision = {"revision": "0123-1", "sha256": "00", "text": text}
    put_policy(
        api, "shop", phase="Step", message="step 1 of 2, 1 released: in force on 1 of 2",
        revision="0123-1", candidate=revision, nodes={"total": 2, "inForce": 1},
    )  # fmt: skip
    put_node(api, "node-1", state="InForce", inForce={"revision": "0123-1"}, kernel="7.2.13")
    put_node(api, "node-2", state="Unable", message="kernel 6.12 has no sched_ext")
    put_node(api, "node-3", state="InForce", policy="other")
    until(lambda: "node-2" in browser.get("/page/policy?name=shop").text)
    shown = browser.get("/page/policy?name=shop").text
    for each in ("7.2.13", "kernel 6.12 has no sched_ext", "1 released", "# &lt;b&gt;"):
        assert each in shown
    assert "node-3" not in shown
    assert 'href="/page/policy?name=shop"' in browser.get("/page/").text
    assert browser.get("/page/policy?name=other").status_code == 404


def test_changes_arrive_by_themselves(api: SmallApi, app: FastAPI, browser: TestClient) -> None:
    fleet = app.state.fleet
    put_policy(api, "shop", phase="DryRun")
    until(lambda: fleet.has("shop"))

    async def parts() -> list[str]:
        stream = page._parts(fleet, "shop")
        first = await anext(stream)
        put_policy(api, "shop", phase="Complete")
        heard = (first, await anext(stream))
        return [json.loads(each.partition(b"data: ")[2])["html"] for each in heard]

    assert browser.portal is not None
    before, after = browser.portal.call(parts)
    assert "DryRun" in before
    assert "Complete" in after


def test_names_and_messages_are_escaped(api: SmallApi, browser: TestClient) -> None:
    put_policy(api, "shop", phase="Failed", message=HOSTILE)
    put_node(api, "node-1", state="Failed", message=HOSTILE, kernel=HOSTILE)
    until(lambda: "node-1" in browser.get("/page/policy?name=shop").text)
    for path in ("/page/", "/page/policy?name=shop"):
        answer = browser.get(path)
        assert "<script>alert" not in answer.text
        assert "\u202e" not in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_another_sites_name_for_this_address_is_refused(browser: TestClient) -> None:
    answer = browser.get("/page/", headers={"Host": "attacker.example:8084"})
    assert answer.status_code == 400


def test_an_api_that_goes_away_is_said(api: SmallApi, browser: TestClient) -> None:
    put_policy(api, "shop", phase="Complete")
    until(lambda: "shop" in browser.get("/page/").text)
    api.stop()
    until(lambda: "cannot be read" in browser.get("/page/").text)
    assert "shop" in browser.get("/page/").text


def test_errors_of_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gthulhu.main(["fleet", "page", "--kubernetes", str(tmp_path / "none")]) == 2
    assert "cannot use the Kubernetes API" in capsys.readouterr().err
    assert gthulhu.main(["fleet", "page", "--port", "http"]) == 2
    assert "expected a port, 0 to 65535, found `http`" in capsys.readouterr().err
