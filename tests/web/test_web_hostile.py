"""Text that wants to be more than text, in a real browser: stored, reflected, and in every form of a report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from fastapi.routing import APIRoute
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect
from test_web_routes import ALL
from web_site import Site

from driftwatch.judge.judge import compare_snapshots
from driftwatch.judge.snapshot import take
from driftwatch.report.formats import Form, render
from driftwatch.report.subject import Judged, Subject
from driftwatch.review.approve import approve
from driftwatch.web.problems import API
from tests.web import town_lists as lists
from tests.web.browsers import chromium, context_of, needs_chromium
from tests.web.places import Place, whole_town
from tests.web.town import ANN

pytestmark = needs_chromium

PROBE = f"\"'></title></textarea><script>window.{lists.CANARY}=1</script>"
"""What a link from elsewhere carries; short enough for every field that has a longest."""

_WATCH = """
window.violations = [];
addEventListener('securitypolicyviolation', (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""
_RAN = "canary => (window[canary] === undefined ? [] : ['a script of theirs ran'])"
_AUDIT = """canary => {
  const wrong = [...window.violations];
  const bad = (which, list) => { for (const one of list) wrong.push(`${which}: ${one.outerHTML.slice(0, 120)}`); };
  const all = [...document.querySelectorAll('*')];
  if (window[canary] !== undefined) wrong.push('a script of theirs ran');
  bad('handler', all.filter((one) => [...one.attributes].some(({ name }) => /^on|^style$|^srcdoc$/.test(name))));
  const leads = (one, name) => new URL(one.getAttribute(name), location.href).origin !== location.origin;
  bad('foreign', all.filter((one) => ['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'poster']
    .some((name) => one.hasAttribute(name) && leads(one, name))));
  bad('element', document.querySelectorAll('iframe, object, embed, base, img, style, math, template, [http-equiv]'));
  bad('script', [...document.scripts].filter((one) => !(one.getAttribute('src') ?? '').startsWith('/static/app.js?')));
  for (const tag of ['title', 'h1', 'main', 'header', 'footer']) {
    const count = document.querySelectorAll(tag).length;
    if (count !== 1) wrong.push(`${count} times ${tag}`);
  }
  if (!document.title.endsWith(' · driftwatch')) wrong.push(`the title is ${document.title}`);
  const called = (one) => one.tagName + (one.className && `.${one.className}`);
  const parts = [...document.body.children].map(called).join(' ');
  if (!/^A.skip HEADER.top MAIN FOOTER( P.unseen)?$/.test(parts)) wrong.push(`the page is ${parts}`);
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) wrong.push(`it is ${wide} pixels wide on a screen of ${innerWidth}`);
  return wrong;
}"""

_DOES = """() => [...document.querySelectorAll('*')].filter((one) =>
  [...one.attributes].some(({ name, value }) => /^on|^srcdoc$/.test(name) || /^\\s*(javascript|data):/i.test(value))
  || one.matches('script, iframe, object, embed, base, img, form, meta[http-equiv=refresh]'))
  .map((one) => one.outerHTML.slice(0, 120))"""
_ENDINGS = {
    Form.TEXT: "txt", Form.JSON: "json", Form.SARIF: "sarif", Form.MARKDOWN: "md", Form.JUNIT: "xml", Form.HTML: "html",
}  # fmt: skip
_NO_PAGES = ("/audit/export", "/servers/{name}/export", "/events", "/healthz", "/readyz", "/metrics")
"""What a browser saves, what has no end, and what only programs ask for (`test_web_health.py`)."""
HONEST = re.compile(
    "-(notes|calendar|docs|forge|inline|newcomer|honest|nothing|office|over|search|weather)|settings-[^s]"
)
"""Places where nobody wrote anything of the kind, of templates that others have as well."""
PHONE = {"width": 360, "height": 740}
PAGES = [one for one in ALL if "GET" in one.methods and not one.path.startswith(API) and one.path not in _NO_PAGES]


@dataclass
class Watcher:
    """Writes down what no page may do."""

    home: str
    wrong: list[str] = field(default_factory=list)

    def follow(self, context: BrowserContext) -> None:
        context.add_init_script(_WATCH)
        context.on("request", lambda one: self._url(one.url))
        context.on("dialog", lambda one: self.wrong.append(f"dialog {one.message}"))
        context.on("weberror", lambda one: self.wrong.append(f"error {one.error}"))
        context.on("console", self._said)
        context.on("page", lambda _: self.wrong.append("another window opened") if len(context.pages) > 1 else None)

    def _url(self, url: str) -> None:
        if not url.startswith(self.home):
            self.wrong.append(f"request to {url}")

    def _said(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.wrong.append(f"said: {message.text}")

    def read(self, page: Page, address: str) -> list[str]:
        """Open an address and give what is wrong with what came; what is no page of ours may only not do anything."""
        answered = page.goto(address)
        ours = address.startswith("/") and answered is not None and "text/html" in answered.headers["content-type"]
        found = page.evaluate(_AUDIT if ours else _RAN, lists.CANARY)
        told, self.wrong = [*self.wrong, *found], []
        return [f"{address}: {one}" for one in told]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, list[Place]]]:
    with whole_town(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest.fixture(scope="module")
def browser(town: object) -> Iterator[Browser]:  # which is built before: see there
    with chromium() as made:
        yield made


@pytest.fixture
def watcher(town: tuple[Site, list[Place]]) -> Watcher:
    return Watcher(town[0].url)


@pytest.fixture
def page(browser: Browser, town: tuple[Site, list[Place]], watcher: Watcher) -> Iterator[Page]:
    with context_of(browser, town[0], "ann", viewport=PHONE) as context:
        watcher.follow(context)
        yield context.new_page()


def test_there_is_a_place_for_every_page(town: tuple[Site, list[Place]]) -> None:
    assert {one.route for one in town[1]} == {one.path for one in PAGES} - {"/sign-in", "/welcome"}
    assert {one.route for one in town[1] if not HONEST.search(one.name)} == {one.route for one in town[1]}


def test_what_servers_and_people_wrote_is_text_on_every_page_and_fits_a_phone(
    town: tuple[Site, list[Place]], page: Page, watcher: Watcher
) -> None:
    places = [place for place in town[1] if not HONEST.search(place.name)]

    wrong = [one for place in places for one in watcher.read(page, place.address)]

    assert wrong == []


def test_what_a_page_takes_anew_is_text_as_well(town: tuple[Site, list[Place]], page: Page, watcher: Watcher) -> None:
    site, _ = town
    with page.expect_response("**/events"):
        page.goto("/servers/bazaar/review")
    approve(site.store, site.desk.settings, "bazaar", digest=None, by=ANN, note=lists.EVERYTHING, now=site.clock())

    expect(page.get_by_text("There is nothing to decide")).to_be_visible(timeout=15_000)

    assert [*watcher.wrong, *page.evaluate(_AUDIT, lists.CANARY)] == []


def test_a_report_of_any_form_does_nothing_in_a_browser(browser: Browser, tmp_path: Path) -> None:
    honest, hostile = take(lists.NOTES.document), take(lists.hostile().document)
    report = compare_snapshots(honest, hostile)
    judged = [Judged(Subject("bazaar", before="what was approved"), report, honest, hostile)]
    watcher, context = Watcher(tmp_path.as_uri()), browser.new_context()
    watcher.follow(context)
    page = context.new_page()

    for form, ending in _ENDINGS.items():
        file = tmp_path / f"report.{ending}"
        file.write_text(render(form, judged), encoding="utf-8")
        assert watcher.read(page, file.as_uri()) == []
    assert page.evaluate(_DOES) == []
    assert page.locator("h1").count() == 1
    assert _ENDINGS.keys() == set(Form)
    context.close()


def test_what_a_link_carries_is_text_wherever_it_goes(page: Page, watcher: Watcher) -> None:
    addresses = [one for route in PAGES for one in _probing(route)]

    wrong = [one for address in addresses for one in watcher.read(page, address)]

    assert wrong == []


def _probing(route: APIRoute) -> Iterator[str]:
    """Give addresses of an endpoint, each with the probe in one place."""
    likely = {"name": "bazaar", "kind": "tool", "rule_id": "hint-loosened", "server": "bazaar"}
    names = re.findall(r"{(\w+)}", route.path)
    for probed in names:
        yield route.path.format(
            **{one: quote(PROBE, safe="") if one == probed else likely.get(one, "x") for one in names}
        )
    for one in (each for each in route.dependant.query_params if each.field_info.annotation is not int):
        yield f"{route.path.format(**{name: likely.get(name, 'x') for name in names})}?{urlencode({one.alias: PROBE})}"
