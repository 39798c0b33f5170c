"""What is asked once more before something grave is approved: a page of its own that names the worst.

A click is soon made, at three in the morning above all. So who approves what has a finding of high or critical is shown
just those again, and says that they were read. The same goes for a list that nobody looked at again with success, and
for what somebody rejected.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from fastapi import Request
from starlette.responses import Response

from driftwatch.model import Finding, Severity
from driftwatch.model.amounts import many
from driftwatch.report.asides import Rejected
from driftwatch.report.headline import counts
from driftwatch.web.pages.changes import Entry
from driftwatch.web.pages.summing import named
from driftwatch.web.pages.telling import Told, tell_all
from driftwatch.web.templates import page

READ: Final = "read"
"""The field of the tick that says that they were read; its value is the mark of what was shown."""

UNREAD: Final = "Nothing was approved yet. Read what stands here, then tick that you did."
MOVED: Final = "What is found in it changed since you read this. Nothing was approved. Read it again."

_WHOLE: Final = 10
"""Findings that are told whole; more are named in a line each."""
_LISTED: Final = 100
_NAMES: Final = 12


@dataclass(frozen=True, slots=True)
class Refusal:
    """One decision against what would be approved: of these items, of the list as a whole where none is named."""

    one: Rejected
    names: tuple[str, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Grave:
    """What is high or critical in what would be approved, the worst first. `names` are items that would be taken.

    `doubt` says why one look is all that it rests on, or that looks differed; empty where it was looked at again.
    `refused` is what stands rejected of it.
    """

    findings: tuple[Finding, ...]
    lesser: int
    names: tuple[str, ...] = ()
    more_names: int = 0
    doubt: str = ""
    refused: tuple[Rejected, ...] = ()

    def __bool__(self) -> bool:
        """Say whether there is anything to ask about."""
        return bool(self.findings or self.doubt or self.refused)

    @property
    def mark(self) -> str:
        """What stands for these very findings in the form: with others it is another one."""
        said = sorted([one.fingerprint, one.severity.value] for one in self.findings)
        said += [[self.doubt]] if self.doubt else []
        said += [[one.by, one.at.isoformat(), one.note, str(one.place)] for one in self.refused]
        return hashlib.sha256(json.dumps(said).encode("ascii")).hexdigest()[:32]

    @property
    def counted(self) -> str:
        """How many there are, in words."""
        return counts(self.findings)

    @property
    def refusals(self) -> list[Refusal]:
        """The decisions against it, the newest first."""
        told = []
        for _, some in groupby(self.refused, key=lambda one: (one.at, one.by, one.note)):
            about = list(some)
            names = [] if any(one.place is None for one in about) else [named(one.place) for one in about if one.place]
            told.append(Refusal(about[0], tuple(names[:_NAMES]), max(0, len(names) - _NAMES)))
        return told

    @property
    def many(self) -> str:
        """What is ticked."""
        if not self.findings:
            return "this"
        return "this finding" if len(self.findings) == 1 else f"these {many(len(self.findings), 'finding')}"

    @property
    def whole(self) -> list[Told]:
        """The worst, to be told with all that there is to see."""
        return tell_all(self.findings[:_WHOLE], values=True)

    @property
    def brief(self) -> list[Told]:
        """The next ones, to be told in a line each."""
        return tell_all(self.findings[_WHOLE:_LISTED], advised=False)

    @property
    def untold(self) -> int:
        """How many more there are than a page has room for."""
        return max(0, len(self.findings) - _LISTED)


def grave(
    findings: Iterable[Finding],
    entries: Sequence[Entry] | None = None,
    *,
    doubt: str = "",
    refused: Iterable[Rejected] = (),
) -> Grave:
    """Give what is grave in a list, or in items of it: then `findings` are not needed, and the items are named.

    `doubt` and what stands `refused` are asked about as well (see `Grave`).
    """
    found = list(findings) if entries is None else [one for entry in entries for one in entry.findings]
    ordered = sorted({one.fingerprint: one for one in found}.values(), key=lambda one: one.order)
    worst = tuple(one for one in ordered if one.severity >= Severity.HIGH)
    names = tuple(entry.name for entry in entries or ())
    said_no = tuple(sorted(refused, key=lambda one: (one.at, one.by, one.note), reverse=True))
    return Grave(worst, len(ordered) - len(worst), names[:_NAMES], max(0, len(names) - _NAMES), doubt, said_no)


def refusal(grave: Grave, read: Sequence[str]) -> str | None:
    """Say what is missing before it may be approved, None for nothing; empty where nobody was asked yet.

    `read` is what came of the field: nothing from a page that does not ask, one that is empty from one that does.
    """
    if not grave or grave.mark in read:
        return None
    return MOVED if any(read) else UNREAD if read else ""


def once_more(
    request: Request,
    found: Grave,
    *,
    server: str,
    digest: str,
    to: str,
    fields: Sequence[tuple[str, str]],
    note: str,
    approves: tuple[str, str],
    others: Sequence[tuple[str, str]],
    refused: str,
    ahead: str = "",
) -> Response:
    """Show the page. It sends the form `to` that page of the server, with these `fields`, once more.

    `approves` and `others` are buttons, each its words and the value of `act`: only the first takes the tick. `refused`
    says what was missing, empty at first. `ahead` is what an approval ahead is for.
    """
    return page(
        request,
        "once-more.html",
        {"": 200, UNREAD: 400}.get(refused, 409),
        notices=[("bad", refused)] if refused else (),
        found=found,
        server=server,
        digest=digest,
        to=to,
        fields=fields,
        note=note,
        approves=approves,
        others=others,
        ahead=ahead,
    )
