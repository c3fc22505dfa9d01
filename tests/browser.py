# SPDX-License-Identifier: Apache-2.0
"""Debian's Chromium, driven as a person would, and axe-core, which looks for barriers."""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import alert_is_present
from selenium.webdriver.support.wait import WebDriverWait

from gthulhu_lab.paths import cache_dir

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
_AXE = "4.14.1"
_AXE_SHA512 = (
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe() -> str:
    """The script of axe-core, from its npm package, which the cache keeps."""
    kept = cache_dir() / f"axe-core-{_AXE}.js"
    if not kept.exists():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                ["npm", "pack", "--silent", f"axe-core@{_AXE}"],
                cwd=folder, check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
            content = Path(folder, f"axe-core-{_AXE}.tgz").read_bytes()
        assert hashlib.sha512(content).digest() == base64.b64decode(_AXE_SHA512)
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            script = archive.extractfile("package/axe.min.js")
            assert script is not None
            new = kept.with_suffix(".new")
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(script.read())
        new.rename(kept)
    return kept.read_text()


class Browser:
    """A browser with a window, which waits up to `patience_s` for what it looks for."""

    def __init__(self, driver: webdriver.Chrome, patience_s: float) -> None:
        self.driver = driver
        self._patience_s = patience_s

    def open(self, url: str) -> None:
        self.driver.get(url)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def find(self, selector: str) -> WebElement:
        """The first element, once it is there and visible."""
        found: WebElement = self.until(
            lambda: next((each for each in self.all(selector) if each.is_displayed()), None),
            selector,
        )
        return found

    def text(self, selector: str) -> str:
        return str(self.until(lambda: self.find(selector).text, selector))

    def shows(self, selector: str, words: str) -> str:
        """Waits until an element has these words."""
        return str(self.until(lambda: words in (text := self.find(selector).text) and text, words))

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Waits for a condition; parts of the page are replaced meanwhile."""
        wait = WebDriverWait(self.driver, self._patience_s, 0.1, [StaleElementReferenceException])
        try:
            return wait.until(lambda _: holds())
        except TimeoutException as error:
            seen = self.all("body")[0].text
            raise AssertionError(f"{what!r} never came; the page says: {seen}") from error

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def agree(self) -> None:
        """Accepts the question that the browser asks."""
        WebDriverWait(self.driver, self._patience_s).until(alert_is_present()).accept()

    def is_asked(self) -> bool:
        """Whether the browser shows a question or a message of a script."""
        return bool(alert_is_present()(self.driver))

    def press(self, *keys: str) -> None:
        """Presses keys where the focus is."""
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def focus_on(self, selector: str) -> None:
        """Moves the focus with the tabulator key."""
        wanted = self.find(selector)
        for _ in range(60):
            if self.driver.switch_to.active_element == wanted:
                return
            self.press(Keys.TAB)
        raise AssertionError(f"the keyboard does not reach {selector}")

    def barriers(self) -> list[str]:
        """The barriers that axe-core finds on the page."""
        self.driver.execute_script(axe())
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run({runOnly: arguments[0]}).then(done, (error) => done({error: String(error)}))",
            _RULES,
        )
        assert "error" not in found, found
        assert found["passes"]
        return [
            f"{each['id']}: {each['help']}: {node['html']}"
            for each in found["violations"]
            for node in each["nodes"]
        ]

    def complaints(self) -> list[str]:
        """Errors in the browser's log since the last call, such as of the content's policy."""
        entries = self.driver.execute("getLog", {"type": "browser"})["value"]
        return [each["message"] for each in entries]

    def is_wider_than_the_window(self) -> bool:
        return bool(
            self.driver.execute_script("return document.documentElement.scrollWidth > innerWidth")
        )


@contextmanager
def browser(width: int = 1280, *, dark: bool = False, patience_s: float = 60) -> Iterator[Browser]:
    """A browser with a window of this width, and a profile of its own."""
    for program in (CHROMIUM, DRIVER):
        assert program.exists(), f"{program} is missing: apt-get install chromium chromium-driver"
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    options.accept_insecure_certs = True
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options, webdriver.ChromeService(str(DRIVER)))
    try:
        driver.set_script_timeout(patience_s)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        yield Browser(driver, patience_s)
    finally:
        driver.quit()
