"""A real browser: Chromium as the system has it, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.web.web_site import Site, signed_in

CHROMIUM: Final = shutil.which("chromium")

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Give a browser. Until it is closed, a loop runs in this thread: make before it what runs one of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def context_of(browser: Browser, at: Site, name: str, **options: Any) -> Iterator[BrowserContext]:
    """Give a window, with cookies of its own, in which somebody is signed in."""
    with signed_in(at, name) as client:
        made = browser.new_context(base_url=at.url, **options)
        made.add_cookies([{"name": "driftwatch", "value": client.cookies["driftwatch"], "url": at.url}])
        yield made
        made.close()
