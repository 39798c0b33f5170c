"""One HTML file of reports: what happened first, then server by server and item by item, worst first. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from driftwatch import __version__
from driftwatch.model import Finding, Kind, Severity
from driftwatch.model.amounts import many
from driftwatch.report.advice import advice
from driftwatch.report.cut import clipped
from driftwatch.report.excerpt import sentence
from driftwatch.report.headline import counts, headline, in_order, place_words, verdict, worst_words
from driftwatch.report.html.build import Markup, joined, tag
from driftwatch.report.html.parts import (
    code,
    finding_blocks,
    hints_block,
    said,
    schema_block,
    severity_tag,
    signs,
    text_block,
)
from driftwatch.report.html.style import POLICY, STYLE
from driftwatch.report.itemdiff import ItemDiff, Part, item_diffs
from driftwatch.report.schematree import State
from driftwatch.report.shape import count
from driftwatch.report.subject import Fails, Judged, facts
from driftwatch.report.text import NOTHING, hidden_words

ITEMS = 200
"""Items of one server that are laid out; the rest is counted."""

OPEN = 12
"""Items that stand open at first: the worst ones."""

_KEYS = {"inputSchema": "what it takes", "outputSchema": "what it returns"}
_NAMES = 8
_TITLE = 600


def to_html(judged: Sequence[Judged], fails: Fails) -> str:
    """Write the file, in ASCII: everything else stands as a reference."""
    ranked = in_order(judged)
    title = clipped(sentence(headline(ranked)), _TITLE)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="referrer", content="no-referrer"),
        tag("title", f"driftwatch: {title}"),
        tag("style", Markup(STYLE)),
    )
    body = tag("body", _header(ranked, title, fails), tag("main", *_servers(ranked)), _footer())
    whole = f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"
    return whole.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _header(ranked: Sequence[Judged], title: str, fails: Fails) -> Markup:
    found = sorted((finding for one in ranked for finding in one.report.findings), key=lambda one: one.order)
    numbers = [
        tag("span", f"{number} {severity}", class_=f"tag {severity}")
        for severity, number in count(found).items()
        if number
    ]
    bad = sum(fails(finding) for finding in found)
    fail = f"{many(bad, 'finding')} {'reaches' if bad == 1 else 'reach'} the severity that fails the check."
    return tag(
        "header",
        tag("p", "driftwatch report", class_="quiet small"),
        tag("h1", signs(title)),
        tag("p", *numbers) if numbers else None,
        tag("p", "Worst: ", said(worst_words(found[0]))) if found else None,
        tag("p", fail, class_="quiet") if bad else None,
        tag("p", NOTHING) if ranked and not found and not any(one.trouble for one in ranked) else None,
    )


def _footer() -> Markup:
    words = "What driftwatch says of texts is a sign, not a proof. That something changed is certain."
    return tag("footer", tag("p", words), tag("p", f"Written by driftwatch {__version__}."))


def _servers(ranked: Sequence[Judged]) -> Iterator[Markup]:
    if len(ranked) > 1:
        rows = [
            tag(
                "tr",
                tag("th", tag("a", said(one.subject.name), href=f"#s{number}"), scope="row"),
                tag("td", _standing(one)),
                tag("td", counts(one.report.findings) if not one.trouble else "could not be looked at"),
            )
            for number, one in enumerate(ranked, 1)
        ]
        heads = tag("thead", tag("tr", *(tag("th", word, scope="col") for word in ("server", "worst", "found"))))
        yield tag("div", tag("table", heads, tag("tbody", *rows)), class_="scroll")
    opened = OPEN
    for number, one in enumerate(ranked, 1):
        yield tag("section", *_server(one, alone=len(ranked) == 1, opened=opened), id=f"s{number}")
        opened = max(opened - len(one.report.findings), 0)


def _standing(judged: Judged) -> Markup:
    if judged.trouble:
        return tag("span", "not seen", class_="tag medium")
    worst = judged.report.worst
    return tag("span", "clean", class_="tag good") if worst is None else severity_tag(worst)


def _server(judged: Judged, *, alone: bool, opened: int) -> Iterator[Markup]:
    """Give all of one server."""
    if not alone:
        yield tag("h2", said(judged.subject.name))
        yield tag("p", said(verdict(judged)))
    rows = [part for what, words in facts(judged) for part in (tag("dt", what), tag("dd", said(words)))]
    if rows:
        yield tag("dl", *rows)
    if judged.trouble:
        return
    yield from _to_do(judged)
    yield from _items(judged, opened=opened)
    if judged.report.hidden:
        blocks = finding_blocks(judged.report.hidden, values=True)
        yield tag("details", tag("summary", hidden_words(judged.report.hidden)), *blocks, class_="card")
    if judged.report.notes:
        yield tag("h3", "Notes")
        yield tag("ul", *(tag("li", said(note)) for note in judged.report.notes))


def _to_do(judged: Judged) -> Iterator[Markup]:
    """Give what to do, once for each rule of some weight, by its worst finding."""
    steps = dict.fromkeys(
        (finding.rule, text)
        for finding in judged.report.findings
        if finding.severity >= Severity.MEDIUM and (text := advice(finding))
    )
    commands = [tag("li", "Go on with ", code(command)) for command in judged.subject.commands]
    rows = [tag("li", tag("strong", rule), ": ", said(text)) for rule, text in steps]
    if rows or commands:
        summary = tag("summary", tag("h3", "What to do"))
        yield tag("details", summary, tag("ul", *rows, *commands), class_="card", open_="open")


def _items(judged: Judged, *, opened: int) -> Iterator[Markup]:
    """Give what several items have in common, then the items, then findings about what is not there to be shown."""
    report = judged.report
    shared = [finding for finding in report.findings if len(finding.items) > 1]
    for finding in shared:
        sort, names = place_words(finding)
        more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else None
        listed = joined((code(name, 100) for name in names[:_NAMES]), " ")
        title = tag("h3", f"{sort} ")
        blocks = finding_blocks([finding], values=True)
        yield tag("article", title, listed, more, *blocks, class_=f"card {finding.severity.value}")
    told = {id(finding) for finding in shared}
    if judged.live is not None:
        diffs = item_diffs(judged.baseline, judged.live, report.findings)
        for number, one in enumerate(islice(diffs, ITEMS)):
            own = [finding for finding in one.findings if id(finding) not in told]
            told |= {id(finding) for finding in own}
            yield _item(one, own, opened=number < opened)
        left = sum(1 for _ in diffs)
        if left:
            yield tag("p", f"{many(left, 'more item')} that changed or that something is found of: not laid out.")
    rest = [finding for finding in report.findings if id(finding) not in told]
    groups: dict[tuple[Kind, str], list[Finding]] = {}
    for finding in rest:
        groups.setdefault((finding.kind, finding.item), []).append(finding)
    for number, ((kind, name), found) in enumerate(groups.items()):
        blocks = finding_blocks(found, values=True)
        yield _card(kind, name, None, found, blocks, opened=number < opened)


def _item(one: ItemDiff, findings: Sequence[Finding], *, opened: bool) -> Markup:
    """Give one item: its findings, then its texts, hints and schemas side by side."""
    blocks = finding_blocks(findings, values=one.state is State.SAME)
    if one.renamed_from:
        blocks.append(tag("p", "It was called ", code(one.renamed_from), "."))
    blocks += [part for text in one.parts for part in _part(text)]
    came_or_went = one.state in (State.ADDED, State.REMOVED)
    if one.hints is not None and (came_or_went or one.hints.changed):
        blocks += [tag("h4", "hints"), hints_block(one.hints)]
    for key, tree in one.schemas:
        if tree.state is not State.SAME or any(fact.text for node in tree.walk() for fact in node.facts):
            blocks += [tag("h4", _KEYS[key]), schema_block(tree, returned=key == "outputSchema")]
    return _card(one.item.kind, one.item.key, one.state, findings, blocks, opened=opened)


def _part(part: Part) -> Iterator[Markup]:
    state = "" if part.state is State.CHANGED else f" ({part.state.value})"
    yield tag("h4", said(part.key or "as received"), state or None)
    yield text_block(part.diff)


def _card(
    kind: Kind, name: str, state: State | None, findings: Sequence[Finding], blocks: Sequence[Markup], *, opened: bool
) -> Markup:
    """Give an item as something that can be opened; what is bad stands open."""
    worst = max((finding.severity for finding in findings), default=Severity.INFO)
    summary = tag(
        "summary",
        severity_tag(worst) if findings else None,
        tag("h3", kind.noun, " ", code(name) if name else None),
        tag("span", f" {state.value}", class_="quiet") if state is not None else None,
    )
    stands = opened and worst >= Severity.MEDIUM
    return tag("details", summary, *blocks, class_=f"card {worst.value}", open_="open" if stands else "")
