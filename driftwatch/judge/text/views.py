"""A view is one way to read a text: as it stands, or with a disguise undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from driftwatch.judge.text.normalise import Folded, fold


@dataclass(frozen=True)
class View:
    """A reading of the original: `text`, with the original offset of every character and of the end.

    `how` names the disguise that was undone (empty for the text as it stands). When `whole` is given, the text was
    decoded from that stretch as one piece, and every place in it means that stretch.
    """

    text: str
    offsets: Sequence[int]
    how: str = ""
    whole: tuple[int, int] | None = None
    depth: int = 0

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Give the stretch of the original that `start`..`end` of this view came from."""
        if self.whole is not None:
            return self.whole
        if end <= start:
            return self.offsets[start], self.offsets[start]
        return self.offsets[start], self.offsets[end - 1] + 1


def plain(text: str) -> View:
    """Give the text as it stands."""
    return View(text, range(len(text) + 1))


def folded(view: View) -> Folded:
    """Fold a view; offsets lead into the view's own text."""
    return fold(view.text)
