"""Every page for everybody, in a real browser: read by machine, on a phone, in the dark, and by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect
from web_site import PASSWORD, Site

from driftwatch.web import accounts
from tests.web.browsers import chromium, context_of, needs_chromium
from tests.web.places import Place, whole_town
from tests.web.town import ANN

pytestmark = needs_chromium

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
SEEN = {"runOnly": ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"]}
"""What depends on colours and widths; all else is the same in the dark and on a phone."""

DESK, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
LIKE_THOSE_BEFORE = [
    ["tbody tr:nth-child(n+5)"], [".timeline > li:nth-child(n+5)"], [".findings > li:nth-child(n+5)"],
    [".item:nth-of-type(n+3)"], ["main section:nth-of-type(n+5)"], ["main > .scroll:nth-of-type(n+4)"],
    ["main details:nth-of-type(n+4)"],
]  # fmt: skip
"""What is not looked at: parts that are made like others before them, where there are many; that takes seconds."""
AS_BEFORE = re.compile("-(all|bazaar|calendar|channels|docs|files|forge|hostile|identities|inline|over|routes|weather)")
"""Pages of templates that other places have as well."""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, list[Place]]]:
    with whole_town(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest.fixture(scope="module")
def browser(town: object) -> Iterator[Browser]:  # which is built before: see there
    with chromium() as made:
        yield made


def broken(page: Page, rules: dict[str, Any]) -> list[str]:
    """Give the rules that a page breaks, each with where."""
    options = {**rules, "resultTypes": ["violations"]}
    asked = [{"exclude": LIKE_THOSE_BEFORE}, options]
    # What is well is long, and stays in the page.
    found = page.evaluate("async ([where, options]) => (await axe.run(where, options)).violations", asked)
    return [f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}" for one in found]


def faults(page: Page) -> list[str]:
    """Give what is wrong with the page that is open, at a desk in the light and on a phone in the dark."""
    page.evaluate(AXE_SCRIPT)
    found = broken(page, RULES)
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    found += broken(page, SEEN)
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > PHONE["width"]:
        found.append(f"{width} pixels wide on a phone")
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light")
    return found


def test_every_page_is_read_by_everybody(browser: Browser, town: tuple[Site, list[Place]]) -> None:
    site, places = town
    wrong = []
    with context_of(browser, site, "ann", viewport=DESK, color_scheme="light") as context:
        page = context.new_page()
        for place in places:
            if not AS_BEFORE.search(place.name):
                page.goto(place.address)
                wrong += [f"{place.name}: {one}" for one in faults(page)]

    assert wrong == []


def test_who_is_not_in_yet_is_led_in(browser: Browser, town: tuple[Site, list[Place]]) -> None:
    site, _ = town
    key = accounts.add_link(site.store, site.desk.random, "vic", by=ANN, now=site.clock())
    context = browser.new_context(base_url=site.url, viewport=DESK, color_scheme="light")
    page = context.new_page()

    page.goto(f"/welcome?key={key}")
    assert faults(page) == []
    page.goto("/sign-in")
    page.get_by_label("Name").fill("vic")
    page.get_by_label("Password").fill("something else")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert faults(page) == []
    context.close()


def test_a_decision_is_made_by_keyboard_alone(browser: Browser, town: tuple[Site, list[Place]]) -> None:
    site, _ = town
    context = browser.new_context(base_url=site.url, viewport=DESK, color_scheme="light")
    page = context.new_page()
    page.goto("/servers/notes/review")
    assert faults(page) == []

    press_until(page, "Name")
    page.keyboard.type("rita")
    press_until(page, "Password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review of notes")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    page.keyboard.press("j")
    expect(page.get_by_role("article").first).to_be_focused()
    press_until(page, "Take this item: delete_note")
    page.keyboard.press("Space")
    press_until(page, "Note")
    page.keyboard.press("Enter")
    press_until(page, "Note")
    page.keyboard.type("we did not ask for that")
    press_until(page, "Reject ticked", backwards=True)
    page.keyboard.press("Enter")

    told = page.locator(".decided")
    expect(told).to_contain_text("tool delete_note, by rita")
    expect(told).to_contain_text("we did not ask for that")

    # What asks once more is a page that is read by everybody, too.
    page.get_by_role("button", name="Approve all").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Approve it all the same?")
    assert faults(page) == []
    context.close()


def press_until(page: Page, name: str, *, backwards: bool = False) -> None:
    """Go on with the tabulator until what is called so has the focus, and can be seen to have it."""
    for _ in range(60):
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
        if page.evaluate(_CALLED).startswith(name):
            style = "getComputedStyle(document.activeElement).outlineStyle"
            assert page.evaluate(style) != "none", f"it cannot be seen that {name} has the focus"
            return
    pytest.fail(f"the tabulator does not lead to {name}")


_CALLED = """() => {
  const one = document.activeElement;
  return ((one.labels ?? [])[0]?.textContent ?? one.getAttribute('aria-label') ?? one.textContent).trim();
}"""
