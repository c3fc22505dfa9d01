# SPDX-License-Identifier: Apache-2.0
"""The page of a node: logins, roles, forms of other sites, and names that are markup."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from certificates import certificate
from gthulhu.serve.keys import Kind
from gthulhu.serve.native import MOST_STREAMS
from gthulhu.serve.page.rendering import FOLDER, HEADERS
from page_scene import ATTACKS, EVENT, LABEL, NAME, Page, Visitor
from serving import PATIENCE_S, Serving, quick_clang, until

PAGES = ("", "editor", "policies", "tasks?rule=web", "task?pid={pid}")
FORMS = (
    "check", "dry-run", "swap", "trial", "trial/end", "rollback", "tunables", "labels", "trace",
    "logout",
)  # fmt: skip
BAD = 'policy p {}\nrule a { match comm == "averyverylongname" }\n'
GOOD = "policy p {}\n"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("page")
    with closing(Page(folder, clang=quick_clang(folder / "clang"))) as made:
        (made.serving.state / "events").write_text(json.dumps(EVENT) + "\n")
        yield made


@pytest.fixture(scope="module")
def operator(page: Page) -> Iterator[Visitor]:
    with page.visitor("operate", name="ops@example") as visitor:
        yield visitor


@pytest.fixture
def stranger(page: Page) -> Iterator[Visitor]:
    """Someone who has not logged in."""
    with httpx.Client(base_url=page.serving.url, timeout=PATIENCE_S) as client:
        yield Visitor(client, page.serving.url)


def changes(page: Page) -> int:
    """How often the loader was asked to change something."""
    return sum(len(page.serving.loader.of(name)) for name in ("swap", "rollback", "set", "label"))


# ---- logins -------------------------------------------------------------------------------------


def test_pages_need_a_login(stranger: Visitor) -> None:
    assert stranger.client.get("/").headers["location"] == "/page/"
    for path in (*PAGES, "live"):
        answer = stranger.get(path.format(pid=1))
        assert (answer.status_code, answer.headers["location"]) == (303, "/page/login"), path
    for path in FORMS:
        assert stranger.post(path).status_code == 401


def test_a_wrong_token_is_no_login(page: Page, stranger: Visitor) -> None:
    revoked = page.serving.token(name="revoked@example")
    page.serving.keys.revoke("revoked@example")
    for token in ("", "x", "<script>alert(1)</script>", revoked):
        answer = stranger.post("login", token=token)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
        assert "<script>alert" not in answer.text


def test_the_cookie_is_for_the_page_alone(page: Page, stranger: Visitor) -> None:
    answer = stranger.post("login", token=page.serving.token())
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"gthulhu-{page.serving.port}=")
    assert {"HttpOnly", "Path=/page", "SameSite=strict"} <= set(re.split("; ?", cookie))
    assert "eyJ" not in cookie  # the token stays with the server
    assert stranger.client.get("/api/v2/status").status_code == 401


def test_an_enrolment_gives_a_session(page: Page, stranger: Visitor) -> None:
    token = page.serving.token(kind=Kind.ENROLMENT, name="new@example")
    assert stranger.post("login", token=f"-----BEGIN\nx\n{token}\n").status_code == 303
    assert "new@example" in stranger.get("policies").text


def test_a_session_ends_with_its_token(page: Page) -> None:
    with page.visitor(name="gone@example") as visitor:
        assert visitor.get("policies").status_code == 200
        page.serving.keys.revoke("gone@example")
        assert visitor.get("policies").headers["location"] == "/page/login"
        assert visitor.post("rollback").status_code == 401


def test_a_session_ends_with_its_logout(page: Page) -> None:
    with page.visitor() as visitor:
        cookies = dict(visitor.client.cookies)
        assert visitor.do("logout").headers["location"] == "/page/login"
        visitor.client.cookies.update(cookies)
        assert visitor.get("policies").status_code == 303
    assert page.serving.audit()[-1]["what"] == "logout"


def test_a_certificate_instead_of_a_token(tmp_path: Path) -> None:
    server, ours = (certificate(tmp_path, name) for name in ("server", "ours"))
    options = ("--tls-cert", server[0], "--tls-key", server[1], "--client-ca", ours[0])
    known = ssl.create_default_context(cafile=server[0])
    known.load_cert_chain(*ours)
    with (
        closing(Serving(tmp_path, *options, "--client-role", "ours=read")) as serving,
        httpx.Client(verify=known, base_url=serving.url, timeout=PATIENCE_S) as client,
    ):
        visitor = Visitor(client, serving.url)
        assert "that of <bdi>ours</bdi>" in visitor.get("login").text
        cookie = visitor.post("login").headers["set-cookie"]
        assert cookie.startswith(f"__Secure-gthulhu-{serving.port}=")
        assert "Secure" in re.split("; ?", cookie)
        assert visitor.get("policies").status_code == 200
        serving.keys.revoke("ours")
        assert visitor.get("policies").status_code == 303


# ---- changes ------------------------------------------------------------------------------------


def test_who_may_read_changes_nothing(page: Page) -> None:
    before = changes(page)
    with page.visitor("read") as visitor:
        for path in PAGES:
            text = visitor.get(path.format(pid=page.pid)).text
            assert "hx-post" not in text.replace('hx-post="/page/check"', "")
        assert visitor.do("check", text=GOOD, name="p").status_code == 200
        for path in set(FORMS) - {"check", "logout"}:
            assert visitor.do(path, text=GOOD, name="p").status_code == 403
    assert changes(page) == before
    assert page.serving.audit()[-1]["result"] == "forbidden"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site", "Origin": "https://eve.example"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://eve.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://[x"},
        {},
    ],
)
def test_forms_of_other_sites_do_nothing(
    page: Page, operator: Visitor, headers: dict[str, str]
) -> None:
    before = changes(page)
    fields = {"csrf": operator.csrf(), "token": page.serving.token()}
    for path in (*FORMS, "login"):
        answer = operator.client.post(f"/page/{path}", data=fields, headers=headers)
        assert answer.status_code in {400, 403}, path
    assert changes(page) == before


def test_forms_need_the_secret_of_their_session(page: Page, operator: Visitor) -> None:
    before = changes(page)
    with page.visitor() as other:
        others = other.csrf()
    for path in FORMS:
        for fields in ({}, {"csrf": ""}, {"csrf": others}, {"csrf": "\u00e9"}):
            assert operator.post(path, **fields).status_code == 403, path
    assert changes(page) == before


def test_a_policy_is_put_in_force_and_back(page: Page, operator: Visitor) -> None:
    loader = page.serving.loader
    generation = loader.status["generation"]
    answer = operator.do("swap", text="policy p {}\r\n", name="mine")
    assert (answer.status_code, answer.headers["hx-redirect"]) == (204, "/page/"), answer.text
    assert Path(loader.of("swap")[-1][2]).read_text() == GOOD
    assert loader.status["generation"] == generation + 1
    loader.status["since"] = page.serving.audit()[-1]["at"][:19] + "Z"
    shown = operator.get("").text
    assert re.search(r"By</dt><dd><bdi>ops@example</bdi> <small>swap", shown)
    assert "is in force" in operator.do("rollback").text
    (line,) = page.serving.audit()[-1:]
    assert (line["who"], line["what"], line["result"]) == ("ops@example", "rollback", "done")
    loader.status |= {"generation": 3, "object": str(page.policy)}


def test_tunables_and_labels_change(page: Page, operator: Visitor) -> None:
    loader = page.serving.loader
    assert "quantum is 2ms" in operator.do("tunables", name="quantum", value="2ms").text
    assert loader.of("set")[-1] == ["set", "quantum=2ms"]
    pid = str(page.pid)
    assert "for 1 process" in operator.do("labels", pid=pid, key="tier", value="<b>").text
    assert loader.of("label")[-1] == ["label", pid, "tier=<b>"]
    assert operator.do("labels", pid=pid, key="tier").status_code == 200
    assert loader.of("label")[-1] == ["label", pid, "tier-"]
    for fields in ({"name": "a b", "value": "1"}, {"name": "quantum", "value": "a\tb"}):
        assert operator.do("tunables", **fields).status_code == 422
    for fields in ({"pid": "x", "key": "a"}, {"pid": pid, "key": "a=b", "value": "c"}):
        assert operator.do("labels", **fields).status_code == 422


def test_errors_have_their_place_and_a_way_out(operator: Visitor) -> None:
    found = operator.do("check", text=BAD, name="p").text
    assert 'data-line="2" data-column="24"' in found
    assert "at most 15 bytes" in found
    answer = operator.do("dry-run", text=BAD, name="p")
    assert (answer.status_code, "at most 15 bytes" in answer.text) == (422, True)
    for fields in ({"name": "a b"}, {"time": "soon"}, {"time": "9 days"}):
        given = {"text": GOOD, "name": "p", "time": "1 min", **fields}
        assert operator.do("trial", **given).status_code == 422
    for path in (
        "task?pid=0",
        "task?pid=x",
        "tasks",
        "editor?from=x",
        "nothing",
        "task?pid=4194304",
    ):
        answer = operator.get(path)
        assert answer.status_code in {404, 409, 422}, path
        assert "That did not work" in answer.text


# ---- what reaches the browser -------------------------------------------------------------------


class _Reader(HTMLParser):
    """Collects what a page has that the policy of its content forbids, and all links."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "style" or name.startswith(("on", "hx-on")):
                self.wrong.append(f"{tag} {name}")
            if name in {"src", "href", "action"} and not str(value).startswith(("/page", "#")):
                self.wrong.append(f"{tag} {name}={value}")
            if name == "id":
                self.ids.append(str(value))
        if tag == "style" or (tag == "script" and not dict(attrs).get("src")):
            self.wrong.append(tag)


def read(text: str) -> _Reader:
    reader = _Reader()
    reader.feed(text)
    return reader


def test_names_are_text(page: Page, operator: Visitor) -> None:
    operator.do("labels", pid=str(page.pid), key="<script>alert(1)</script>", value="a\nb")
    until(lambda: "went-back" in operator.get("").text)
    shown = {path: operator.get(path.format(pid=page.pid)).text for path in PAGES}
    for path, text in shown.items():
        assert [attack for attack in ATTACKS if attack in text] == [], path
        reader = read(text)
        assert reader.wrong == [], path
        assert len(set(reader.ids)) == len(reader.ids), path
    assert "&lt;i&gt;\\u{202e}&#39;&#34;&amp;x" in shown["tasks?rule=web"]
    assert LABEL.replace("<", "&lt;").replace(">", "&gt;") in shown["task?pid={pid}"]
    assert "&lt;i&gt;policies" in shown[""]
    assert "&lt;b&gt;shop" in shown[""]
    assert "comm ~ &#34;&lt;i&gt;*&#34;" in shown["editor"]
    assert Path(f"/proc/{page.pid}/comm").read_text() == f"{NAME}\n"


@pytest.mark.parametrize("name", ["</textarea><script>alert(1)</script>", "\udcff", "\x00"])
def test_what_is_sent_comes_back_as_text(operator: Visitor, name: str) -> None:
    quoted = quote(name, errors="surrogateescape")
    for path in (f"tasks?rule={quoted}", f"editor?from={quoted}", f"task?pid={quoted}"):
        answer = operator.get(path)
        assert answer.status_code < 500
        assert "<script>alert" not in answer.text
    for field in ("text", "name", "time"):
        fields = {"text": GOOD, "name": "p", "time": "1 s", field: name.replace("\udcff", "\xff")}
        answer = operator.do("trial", **fields)
        assert answer.status_code == 422
        assert "<script>alert" not in answer.text


def test_every_response_has_the_headers(page: Page, operator: Visitor, stranger: Visitor) -> None:
    answers = [operator.get(path.format(pid=page.pid)) for path in PAGES]
    answers += [stranger.get(""), stranger.get("login"), stranger.post("login")]
    answers += [operator.post("rollback"), operator.get("nothing"), operator.do("check", text="x")]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (answer.url, name)
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for file in (FOLDER / "static").iterdir():
        answer = stranger.get(f"files/{file.name}")
        assert answer.status_code == 200
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_page_needs_no_other_server() -> None:
    for file in [*(FOLDER / "templates").rglob("*"), *(FOLDER / "static").glob("page.*")]:
        if file.is_file():
            assert not re.findall(r"(?:https?:)?//[a-z]\S*", file.read_text()), file
    assert '"allowEval": false' in (FOLDER / "templates/layout.html.j2").read_text()


# ---- what changes by itself ---------------------------------------------------------------------


def events(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in answer.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_parts_come_when_they_change(page: Page, operator: Visitor) -> None:
    loader = page.serving.loader
    with operator.client.stream("GET", "/page/live") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        parts = events(answer)
        first = {each["part"]: each["html"] for each in (next(parts) for _ in range(5))}
        assert set(first) == {"now", "said", "rules", "promises", "events"}
        loader.status["trial_ms"] = 65_000
        try:
            changed = next(each for each in parts if each["part"] == "now")
        finally:
            del loader.status["trial_ms"]
        assert "1 min 5 s" in changed["html"]
        for html in first.values():
            assert [attack for attack in ATTACKS if attack in html] == []
            assert read(html).wrong == []


def test_a_stream_ends_with_its_session(page: Page) -> None:
    with (
        page.visitor(name="brief@example") as visitor,
        visitor.client.stream("GET", "/page/live") as answer,
    ):
        parts = events(answer)
        next(parts)
        page.serving.keys.revoke("brief@example")
        for _ in parts:
            pass


def test_a_logout_ends_the_stream(page: Page) -> None:
    with page.visitor() as visitor, visitor.client.stream("GET", "/page/live") as answer:
        parts = events(answer)
        next(parts)
        visitor.do("logout")
        for _ in parts:
            pass


def test_when_too_many_watch_the_browser_asks_later(page: Page, operator: Visitor) -> None:
    streams: list[Iterator[bytes]] = []
    with ExitStack() as watching:
        for _ in range(MOST_STREAMS):
            answer = watching.enter_context(operator.client.stream("GET", "/page/live"))
            streams.append(answer.iter_raw())  # ends with its last reference
            next(streams[-1])
        full = operator.get("live")
        assert (full.status_code, full.text) == (200, "retry: 15000\n\n")


def test_a_trace_has_thirty_seconds_at_most(page: Page, operator: Visitor) -> None:
    answer = operator.do("trace", seconds="31")
    assert (answer.status_code, "seconds" in answer.text) == (422, True)
    assert operator.do("trace", seconds="x").status_code == 422
    assert operator.get("trace").status_code == 404


def test_without_a_loader_the_page_says_so(tmp_path: Path) -> None:
    with closing(Page(tmp_path)) as page, page.visitor() as visitor:
        page.serving.loader.close()
        for path in ("", "editor", "policies"):
            assert visitor.get(path).status_code == 200, path
        assert "No policy is in force" in visitor.get("").text
        assert visitor.get("tasks?rule=web").status_code == 409
