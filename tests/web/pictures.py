"""Takes a picture of every page of the town, to be looked at with one's own eyes:

    python -m tests.web.pictures FOLDER [NAME…]

Each is taken at the width of a desk and of a phone, light and dark, from top to bottom. Those of the README:

    python -m tests.web.pictures --readme docs/pictures
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

from tests.web.browsers import chromium, context_of
from tests.web.palette import with_palette
from tests.web.places import Place, whole_town
from tests.web.web_site import Site

WIDTHS = {"desk": 1280, "phone": 375}
SCHEMES = ("light", "dark")
TALLEST = 6_000
"""Pixels of a picture's height; below that a page is more of the same."""


@dataclass(frozen=True)
class Shot:
    """A picture for the README: of which place, how large, and what is done before it is taken."""

    place: str
    width: int
    height: int
    act: Callable[[Page], object] = lambda _: None
    scheme: str = "light"
    scale: float = 1


def _decide(page: Page) -> None:
    """Begin to decide, where the hints and the marked words are both in sight."""
    page.get_by_role("article").nth(1).get_by_role("checkbox").check()
    page.locator("details.note > summary").click()
    page.get_by_role("textbox", name="Note").fill("We never asked for that. Asked its authors.")
    _begin(page.get_by_role("article").first.get_by_role("heading", name="Hints"))


def _begin(at: Locator) -> None:
    """Scroll so that the picture begins there."""
    at.evaluate("one => scrollTo(0, scrollY + one.getBoundingClientRect().top - 12)")


def _found(page: Page) -> None:
    """Begin with what was found."""
    _begin(page.get_by_role("heading", name="What was found").first)


README: Mapping[str, Shot] = {
    "overview": Shot("overview", 1280, 792),
    "review": Shot("review-notes", 1120, 1320, _decide),
    "review-phone-dark": Shot("review-notes", 375, 780, _found, "dark", 2),
    "alert": Shot("alert-notes", 1120, 634, _found),
}


def main() -> None:
    """Take them."""
    readme, (folder, *wanted) = sys.argv[1] == "--readme", [one for one in sys.argv[1:] if one != "--readme"]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="town-") as home,
        whole_town(Path(home)) as (site, places),
        chromium() as browser,
    ):
        if readme:
            _for_readme(browser, site, places, Path(folder))
        else:
            _of_all(browser, site, [one for one in places if not wanted or one.name in wanted], Path(folder))


def _of_all(browser: Browser, site: Site, places: list[Place], folder: Path) -> None:
    with context_of(browser, site, "ann") as context:
        page = context.new_page()
        for place in places:
            page.goto(place.address)
            for width, pixels in WIDTHS.items():
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    page.set_viewport_size({"width": pixels, "height": 900})
                    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
                    page.set_viewport_size({"width": pixels, "height": height})
                    page.screenshot(path=folder / f"{place.name}-{width}-{scheme}.png")
            print(place.name)


def _for_readme(browser: Browser, site: Site, places: list[Place], folder: Path) -> None:
    at = {one.name: one.address for one in places}
    for name, shot in README.items():
        size = {"width": shot.width, "height": shot.height}
        given = {"viewport": size, "color_scheme": shot.scheme, "device_scale_factor": shot.scale}
        with context_of(browser, site, "rita", **given) as context:
            page = context.new_page()
            page.goto(at[shot.place])
            shot.act(page)
            page.mouse.move(0, 0)
            picture = with_palette(page.screenshot())
            (folder / f"{name}.png").write_bytes(picture)
            print(f"{name}: {len(picture) // 1024} KiB")


if __name__ == "__main__":
    main()
