"""Whatever a server writes: it rings nobody, links nowhere, formats, hides and runs nothing at any destination."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from contracts.channel import CASES, Seen, opened
from contracts.hostile import HOSTILE, HUGE, formed_in
from contracts.told import NOW, PUBLIC_URL, alert, delivery, finding

from driftwatch.model import Acknowledged, Alert, AlertState, Delivery, Event, EventKind, Finding, Kind
from driftwatch.tell.alerts import quoted
from driftwatch.tell.batch import batch
from driftwatch.tell.payload import body

kinds = pytest.mark.parametrize("kind", sorted(CASES))
some = pytest.mark.parametrize("start", range(0, len(HOSTILE), 8))

PLAIN = "a-word-that-says-it-got-there"


def found(text: str, *, kind: Kind = Kind.TOOL) -> Finding:
    """Give a finding that a server has written into wherever it can."""
    return finding(text, item=text, kind=kind, message=f"The {kind.noun} {quoted(text)} says: {text}", before=text)


def about(texts: Sequence[str], **more: Any) -> Alert:
    """Give an alert about a server that writes these texts."""
    kinds = (Kind.TOOL, Kind.PROMPT, Kind.RESOURCE)
    findings = [found(text, kind=kinds[index % 3]) for index, text in enumerate((PLAIN, *texts))]
    wave = finding(texts[0], item="", items=tuple(texts), message=f"Many say {texts[0]}", rule="text-wave")
    summary = f"files no longer shows {PLAIN} {' '.join(texts)} Review it with: driftwatch diff files"
    return alert([*findings, wave], summary=summary, **more)


def message(kind: EventKind, one: Alert, text: str, number: int = 0) -> Delivery:
    labels = {text[:60] or "empty": text, "team": text}
    event = Event(kind=kind, alert=one, new=one.findings[:2])
    made = body(event, now=NOW, public_url=PUBLIC_URL, labels=labels)
    return delivery(made, id=f"msg_{number:032x}", event=kind, alert_id=one.id, route="everything")


def together(texts: Sequence[str]) -> Delivery:
    """Give one message about many such servers."""
    rows = [
        message(EventKind.OPENED, about([text], id=f"alr_{number:016x}", server=f"server-{number}"), text, number)
        for number, text in enumerate(texts)
    ]
    return batch(rows, now=NOW, public_url=PUBLIC_URL)


def messages(texts: Sequence[str]) -> list[Delivery]:
    known = Acknowledged(texts[0], NOW, texts[-1])
    return [
        message(EventKind.OPENED, about(texts), texts[0]),
        message(EventKind.UPDATED, about(texts), texts[-1]),
        message(EventKind.ACKNOWLEDGED, about(texts, state=AlertState.ACKNOWLEDGED, acknowledged=known), texts[0]),
        message(EventKind.RESOLVED, about(texts, state=AlertState.RESOLVED, resolved_at=NOW), texts[0]),
        together(texts),
    ]


async def seen_of(kind: str, sent: Sequence[Delivery]) -> list[tuple[Delivery, Seen]]:
    """Send messages to a destination, and give what a person sees of each."""
    case = CASES[kind]
    pairs = []
    async with case.speech.there() as there, opened(kind, there.url) as channel, asyncio.timeout(60):
        for one in sent:
            before = len(there.requests)
            result = await channel.send(one)
            assert result.verdict == "done", result
            pairs += [(one, case.accept(request)) for request in there.requests[before:]]
    return pairs


def check(pairs: Sequence[tuple[Delivery, Seen]]) -> None:
    for sent, seen in pairs:
        data = sent.payload["data"]
        own = {data["link"], *(row["link"] for row in data.get("alerts", ()))}
        assert set(seen.links) <= own
        assert seen.mentions == ()
        if seen.exact is not None:
            # A program or a receiver of one's own gets the evidence as it is, in ASCII; the kit has checked that.
            assert seen.exact == sent.payload
            continue
        shown = f"{seen.title}\n{seen.text}"
        for link in sorted((link for link in own if link), key=len, reverse=True):
            shown = shown.replace(link, "")
        assert formed_in(shown) == []


@kinds
@some
async def test_hostile_text_forms_nothing_anywhere(kind: str, start: int) -> None:
    pairs = await seen_of(kind, messages(HOSTILE[start : start + 8]))

    check(pairs)
    assert any(PLAIN in f"{seen.title}{seen.text}" for _, seen in pairs)


@kinds
async def test_hostile_text_that_is_huge_is_cut_and_forms_nothing_either(kind: str) -> None:
    pairs = await seen_of(kind, [*messages(HUGE), *messages([text * 3 for text in HUGE[-2:]])])

    check(pairs)
    assert pairs


def test_the_texts_would_form_something_if_they_were_let_through() -> None:
    # What breaks a mail's own format, or no format at all, forms nothing in words.
    innocent = [text for text in HOSTILE if not formed_in(text)]

    assert len(innocent) <= 4
