"""Takes a picture of every page of the town, to be looked at with one's own eyes:

    python -m tests.web.pictures FOLDER [NAME…]

Each is taken at the width of a desk and of a phone, light and dark, from top to bottom.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.web.browsers import chromium, context_of
from tests.web.places import whole_town

WIDTHS = {"desk": 1280, "phone": 375}
SCHEMES = ("light", "dark")
TALLEST = 6_000
"""Pixels of a picture's height; below that a page is more of the same."""


def main() -> None:
    """Take them."""
    folder, wanted = Path(sys.argv[1]), set(sys.argv[2:])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="town-") as home, whole_town(Path(home)) as (site, places):
        chosen = [one for one in places if not wanted or one.name in wanted]
        with chromium() as browser, context_of(browser, site, "ann") as context:
            page = context.new_page()
            for place in chosen:
                page.goto(place.address)
                for width, pixels in WIDTHS.items():
                    for scheme in SCHEMES:
                        page.emulate_media(color_scheme=scheme)
                        page.set_viewport_size({"width": pixels, "height": 900})
                        height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
                        page.set_viewport_size({"width": pixels, "height": height})
                        page.screenshot(path=folder / f"{place.name}-{width}-{scheme}.png")
                print(place.name)


if __name__ == "__main__":
    main()
