"""The whole site, made as `make site` does, and opened in a browser."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from bench.site.__main__ import make
from bench.site.pages import TOP
from codemod.base.files.atomic import locked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt-get install chromium"),
]
PAGES = (
    "index.html",
    "README.html",
    "survey.html",
    "families/index.html",
    "families/paddleocr-crnn.html",
    "ids/index.html",
    "ids/D-77.html",
    "ids/PaddleOCR/X-01.html",
    "ids/copy-after-hook.html",
    "docs/parity.html",
    "docs/paddle-issues/triu_abort.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site: it takes minutes, so the workers of a run share one."""
    run = tmp_path_factory.getbasetemp()
    shared = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run
    output, whole = shared / "site", shared / "site-is-whole"
    with locked(shared, wait=True):
        if not whole.exists():
            make(output, TOP / "docs/survey/survey.json.gz")
            whole.touch()
    return output


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without a window, and without a network."""
    with sync_playwright() as play:
        options = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND"]
        made = play.chromium.launch(executable_path=CHROMIUM, args=options)
        yield made
        made.close()


def opened(browser: Browser, address: str, width: int = 1280, theme: str = "light") -> Page:
    """A page that must make no error and ask for nothing that is not there."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.goto(address)
    assert faults == []
    return page


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_each_width_in_each_theme(
    site: Path, browser: Browser, language: str, path: str
) -> None:
    shades = set()
    for width in (1280, 390):
        for theme in ("light", "dark"):
            page = opened(browser, (site / language / path).as_uri(), width, theme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            shades.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            page.close()
    assert len(shades) == 2, "a light page and a dark one"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_link_of_the_site_leads_somewhere(
    site: Path, browser: Browser, language: str
) -> None:
    for path in PAGES:
        page = opened(browser, (site / language / path).as_uri())
        links = page.eval_on_selector_all("a[href]", "all => all.map(a => a.href.split('#')[0])")
        near = {link for link in links if link.startswith("file:")}
        assert [link for link in near if not _there(link)] == [], path
        page.close()


def _there(address: str) -> bool:
    from pathlib import Path
    from urllib.parse import unquote, urlparse

    return Path(unquote(urlparse(address).path)).is_file()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "detach"), ("zh", "梯度"), ("zh", "静态图训练"), ("zh", "detach")],
)
def test_the_search_finds_pages(site: Path, browser: Browser, language: str, words: str) -> None:
    page = opened(browser, (site / language / "index.html").as_uri())
    page.get_by_role("textbox").first.fill(words)
    page.keyboard.press("Enter")
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    # They come one after the other.
    page.wait_for_selector("ul.search li:nth-child(4) a")
    assert faults == []


def test_the_languages_lead_to_each_other(site: Path, browser: Browser) -> None:
    page = opened(browser, (site / "index.html").as_uri())
    page.get_by_text("English").click()
    page.get_by_role("link", name="The survey of all models").first.click()
    page.get_by_role("link", name="中文").click()
    assert "待支持动转静模型列表文档" in page.title()
    page.get_by_role("link", name="codemod").click()
    page.locator("p.twin a").click()
    assert page.locator("html").get_attribute("lang") == "en"


def test_the_survey_filters_and_opens_by_the_keyboard(site: Path, browser: Browser) -> None:
    page = opened(browser, (site / "en/survey.html").as_uri())
    rows = page.locator("table.models tbody tr:visible")
    every = rows.count()
    page.locator("#kit").focus()
    page.keyboard.type("PaddleOCR")
    page.locator("#key").select_option("no")
    page.locator("#column").select_option("sot@2.6.2")
    assert 0 < rows.count() < every
    signs = rows.first.locator("td").nth(4).inner_text()
    assert "✗" in signs
    cell = rows.first.locator("details.cell summary").nth(4)
    cell.focus()
    page.keyboard.press("Enter")
    told = rows.first.locator("details[open] .evidence")
    assert "SOT · Paddle 2.6.2" in told.inner_text() and "net alone" in told.inner_text()
    rows.first.locator("td.model a").click()
    assert "/families/paddleocr-" in page.url
