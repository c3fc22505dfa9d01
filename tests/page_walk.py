# SPDX-License-Identifier: Apache-2.0
"""The steps of a person on the page of a node, from the login to the logout."""

from __future__ import annotations

from dataclasses import dataclass

from selenium.webdriver.common.keys import Keys

from browser import Browser

WRONG = 'rule bad { match comm == "averyverylongname" }'


@dataclass(frozen=True, slots=True)
class Walk:
    """A person with a token, before a server's page. Each step leaves the page without barriers."""

    browser: Browser
    url: str

    def look(self) -> None:
        """Looks for barriers, errors and text that does not fit."""
        barriers = self.browser.barriers()
        assert not barriers, barriers
        # The editor ends a check when a newer one begins, and htmx logs that.
        complaints = [
            each
            for each in self.browser.complaints()
            if "htmx:sendAbort" not in each and "htmx:afterRequest" not in each
        ]
        assert not complaints, complaints
        assert not self.browser.is_wider_than_the_window()

    def log_in(self, token: str) -> None:
        """By keyboard alone."""
        browser = self.browser
        browser.open(self.url)
        browser.find("#token")
        self.look()
        browser.focus_on("#token")
        browser.press(token)
        browser.focus_on("button.main")
        browser.press(Keys.ENTER)
        browser.find("[data-part=now] h1")

    def see_the_node(self, policy: str) -> None:
        self.browser.shows("[data-part=now] h1", policy)
        self.browser.shows("[data-part=now]", "in force")
        self.look()

    def see_figures(self) -> None:
        """Waits until figures have come by themselves."""
        browser = self.browser
        browser.until(
            lambda: any(each.get_attribute("d") for each in browser.all(".plot path")), "a plot"
        )
        self.look()

    def ask_why(self, rule: str, reason: str) -> str:
        """Goes from a rule to its tasks and on to the busiest; returns what the page says."""
        browser = self.browser
        browser.find(f"a[href='/page/tasks?rule={rule}']").send_keys(Keys.ENTER)
        browser.find("a[href^='/page/task?pid=']")
        self.look()
        browser.click("a[href^='/page/task?pid=']")
        said = browser.shows(".why", reason)
        self.look()
        browser.click("nav a[href='/page/']")
        return said

    def write(self, name: str, text: str) -> None:
        """Writes a policy, with a mistake at first."""
        browser = self.browser
        browser.click("nav a[href='/page/editor']")
        browser.find("#name").send_keys(Keys.CONTROL, "a")
        browser.find("#name").send_keys(name)
        area = browser.find("#text")
        area.send_keys(Keys.CONTROL, "a")
        area.send_keys(text + WRONG)
        browser.shows("#diagnostics", "at most 15 bytes")
        self.look()
        browser.click("#diagnostics [data-line]")
        line = browser.driver.execute_script(
            "const t = document.activeElement;"
            "return t.value.slice(0, t.selectionStart).split('\\n').length"
        )
        assert line == text.count("\n") + 1
        area.send_keys(Keys.CONTROL, Keys.END)
        area.send_keys(Keys.BACKSPACE * len(WRONG))
        browser.shows("#diagnostics", "No problems")

    def dry_run(self) -> str:
        """Returns what would change."""
        self.browser.click("[hx-post='/page/dry-run']")
        said = self.browser.shows("#outcome", "change class")
        self.look()
        return said

    def put_in_force(self, policy: str, who: str) -> None:
        self.browser.click("[hx-post='/page/swap']")
        self.browser.agree()
        self.browser.shows("[data-part=now] h1", policy)
        self.browser.shows("[data-part=now]", who)
        self.look()

    def try_out(self, policy: str) -> None:
        """Puts it in force for an hour, sees the time run, and ends it."""
        browser = self.browser
        browser.find("#time").send_keys(Keys.CONTROL, "a")
        browser.find("#time").send_keys("1 h")
        browser.click("[hx-post='/page/trial']")
        browser.shows("[data-part=now]", "on trial")
        browser.shows("[data-part=now] h1", policy)
        first = browser.text("[role=timer]")
        browser.until(lambda: browser.text("[role=timer]") != first, "a later time")
        self.look()
        browser.click("[hx-post='/page/trial/end'] button")
        browser.until(lambda: not browser.all(".trial"), "the end of the trial")

    def roll_back(self, policy: str) -> None:
        self.browser.click("[hx-post='/page/rollback'] button")
        self.browser.agree()
        self.browser.shows("#outcome", "is in force")
        self.browser.shows("[data-part=now] h1", policy)
        self.look()

    def record(self, seconds: int) -> int:
        """Records a trace; returns the size of what is offered, in bytes."""
        browser = self.browser
        browser.click("nav a[href='/page/']")
        browser.find("#seconds").send_keys(Keys.CONTROL, "a")
        browser.find("#seconds").send_keys(str(seconds))
        browser.click("[hx-post='/page/trace'] button")
        browser.find("#trace a[download]")
        self.look()
        return int(
            browser.driver.execute_async_script(
                "const done = arguments[arguments.length - 1];"
                "fetch('/page/trace').then((answer) => answer.arrayBuffer())"
                ".then((content) => done(content.byteLength), (error) => done(-1))"
            )
        )

    def see_the_changes(self, *words: str) -> None:
        self.browser.click("nav a[href='/page/policies']")
        for each in words:
            self.browser.shows("main", each)
        self.look()

    def log_out(self) -> None:
        self.browser.click(".who button")
        self.browser.find("#token")
