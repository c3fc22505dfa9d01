# SPDX-License-Identifier: Apache-2.0
"""The page of a node in Debian's Chromium, with a loader of the tests."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from selenium.webdriver.common.keys import Keys

from browser import browser
from page_scene import NAME, Page
from page_walk import Walk

pytestmark = pytest.mark.soak

NEXT = 'policy next {}\nrule web { match comm ~ "<i>*" priority low }\n'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with closing(Page(tmp_path_factory.mktemp("page"))) as made:
        yield made


def test_from_login_to_rollback(page: Page) -> None:
    loader = page.serving.loader
    with browser() as found:
        walk = Walk(found, page.serving.url)
        walk.log_in(page.serving.token("operate", name="ops@example"))
        walk.see_the_node("shop")
        walk.see_figures()
        said = walk.ask_why("web", "shop.gpl:3")
        assert "waits at most" in said
        walk.write("next", NEXT)
        assert "web" in walk.dry_run()
        loader.status["since"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        walk.put_in_force("shop", "ops@example")
        assert loader.status["generation"] == 4
        walk.roll_back("shop")
        assert loader.status["generation"] == 5
        walk.see_the_changes("rollback", "swap", "dry-run", "login")
        walk.log_out()
    loader.status |= {"generation": 3, "object": str(page.policy)}


@pytest.mark.parametrize("width", [390, 1280])
def test_small_and_dark(page: Page, width: int) -> None:
    with browser(width, dark=True) as found:
        walk = Walk(found, page.serving.url)
        walk.log_in(page.serving.token("read"))
        walk.see_the_node("shop")
        walk.see_figures()
        for path in ("editor", "policies", "tasks?rule=web", f"task?pid={page.pid}", "nothing"):
            found.open(f"{page.serving.url}/page/{path}")
            found.find("h1")
            assert found.barriers() == [], path
            assert not found.is_wider_than_the_window(), path


def test_the_focus_stays_while_the_page_changes(page: Page) -> None:
    """A screen reader, or a keyboard, is not thrown back by a part that is replaced."""
    with browser() as found:
        walk = Walk(found, page.serving.url)
        walk.log_in(page.serving.token("read"))
        walk.see_the_node("shop")
        walk.see_figures()
        found.focus_on("#rule-1")
        before = found.find(".rules").id
        found.until(lambda: found.find(".rules").id != before, "a newer table")
        assert found.driver.switch_to.active_element.get_attribute("id") == "rule-1"
        found.focus_on("[data-pause]")
        found.press(Keys.SPACE)
        time.sleep(1.5)
        before = found.find(".rules").id
        time.sleep(3)
        assert found.find(".rules").id == before


def test_no_name_runs_a_script(page: Page) -> None:
    with browser() as found:
        walk = Walk(found, page.serving.url)
        walk.log_in(page.serving.token("operate"))
        for path in ("", "tasks?rule=web", f"task?pid={page.pid}", "tasks?rule=<script>alert(1)"):
            found.open(f"{page.serving.url}/page/{path}")
            found.find("h1")
            assert not found.all("i, img, bdi script"), path
            assert not found.is_asked()
        found.open(f"{page.serving.url}/page/task?pid={page.pid}")
        assert NAME[:3] in found.text("h1")
        # The content's policy holds even for a script that would get into the page.
        found.driver.execute_script(
            "const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
            "document.body.append(s)"
        )
        assert found.driver.execute_script("return window.ran") is None
        assert any("Content Security Policy" in each for each in found.complaints())
