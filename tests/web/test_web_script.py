"""The betterments of our own script, in a real browser: news on an open page, copying, filtering, keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from web_site import Site

from driftwatch.review.approve import approve
from tests.web.browsers import chromium, context_of, needs_chromium
from tests.web.town import ANN, town_site

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with town_site(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest.fixture(scope="module")
def browser(town: Site) -> Iterator[Browser]:  # which is built before: see there
    with chromium() as made:
        yield made


@pytest.fixture
def context(browser: Browser, town: Site) -> Iterator[BrowserContext]:
    with context_of(browser, town, "rita", permissions=["clipboard-read", "clipboard-write"]) as made:
        yield made


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    made = context.new_page()
    errors: list[object] = []
    made.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108 - it marks what it is given
    yield made
    assert errors == []


def open_and_listen(page: Page, path: str) -> None:
    """Open a page and wait until it hears news."""
    with page.expect_response("**/events"):
        page.goto(path)


def decide(town: Site, server: str) -> None:
    approve(town.store, town.desk.settings, server, digest=None, by=ANN, note="read it", now=town.clock())


def test_news_show_where_they_belong_are_said_politely_and_leave_the_focus_where_it_was(town: Site, page: Page) -> None:
    open_and_listen(page, "/")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="weather", exact=True))
    held = page.get_by_role("link", name="docs", exact=True)
    expect(row).to_contain_text("nothing approved yet")
    held.focus()

    decide(town, "weather")

    expect(row).to_contain_text("reviewed and quiet", timeout=15_000)
    expect(held).to_be_focused()
    expect(page.get_by_text("The page was updated.")).to_be_attached()


def test_who_types_is_only_told_that_there_is_news(town: Site, page: Page) -> None:
    open_and_listen(page, "/")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="docs", exact=True))
    search = page.get_by_role("searchbox")
    search.fill("doc")

    decide(town, "docs")

    show = page.get_by_role("button", name="show it")
    expect(show).to_be_visible(timeout=15_000)
    expect(row).to_contain_text("changed: review it")
    show.click()
    expect(row).to_contain_text("reviewed and quiet")
    expect(search).to_have_value("doc")
    expect(show).to_be_hidden()


def test_a_digest_is_copied_whole(town: Site, page: Page) -> None:
    page.goto("/servers/notes")
    digest = town.store.state("notes").last_digest
    page.get_by_role("button", name=f"Copy the whole digest {digest.removeprefix('sha256:')[:12]}").first.click()

    expect(page.get_by_text("copied").first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == digest


def test_tools_are_filtered_while_a_name_is_typed(page: Page) -> None:
    page.goto("/servers/forge/items?kind=tool")
    rows = page.locator("tbody tr:visible")
    expect(rows).to_have_count(100)

    page.get_by_role("searchbox").type("_004")
    expect(rows).to_have_count(10)
    page.get_by_role("searchbox").fill("")
    expect(rows).to_have_count(100)


def test_the_pages_work_without_javascript(town: Site, browser: Browser, context: BrowserContext) -> None:
    plain = browser.new_context(base_url=town.url, java_script_enabled=False, storage_state=context.storage_state())
    page = plain.new_page()
    page.goto("/")
    page.get_by_role("searchbox").fill("forge_0042")
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("link", name="forge", exact=True).click()
    page.get_by_role("button", name="Look now").click()

    expect(page.get_by_role("status")).to_contain_text("A look was asked for.")
    assert town.looked == ["forge"]
    plain.close()
