"""The parts of one item in HTML: findings, texts, hints, schemas. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from driftwatch.judge.pointer import ABSENT
from driftwatch.model import Finding, Json, Severity
from driftwatch.model.amounts import many
from driftwatch.report.cut import clipped, shown
from driftwatch.report.excerpt import excerpts, sentence, value_text
from driftwatch.report.finding import SURE
from driftwatch.report.headline import happened
from driftwatch.report.hinttable import DANGERS, READINGS, DangerRow, HintTable, HostRow
from driftwatch.report.hostwords import acts_of
from driftwatch.report.html.build import Markup, escaped, joined, tag
from driftwatch.report.laid import COARSE, cut_segment, sign_parts
from driftwatch.report.lines import Style
from driftwatch.report.opinion import opinion_words
from driftwatch.report.schematree import Fact, SchemaNode, State, meaning_words
from driftwatch.report.worddiff import Segment, TextDiff, Was

_SENTENCE = 2_000
"""Characters of one of our sentences, with what it quotes."""

_PLACES = 50
_HOSTS = 8
"""Hosts named of those that act otherwise in one way."""
_ACTS = 3
"""Ways to act otherwise that are told at once; the rest can be opened."""
_VALUE = 2_000


def severity_tag(severity: Severity) -> Markup:
    """Give a severity as a badge."""
    return tag("span", severity.value, class_=f"tag {severity.value}")


def code(text: str, limit: int = 300) -> Markup:
    """Give a server's own name or pointer."""
    return tag("code", signs(clipped(shown(text, limit), 2 * limit)))


def signs(safe: str) -> Markup:
    """Give text that is safe to show, with the escapes of hidden characters as signs; many of one are one."""
    return joined(tag("span", part, class_="hidden-sign") if hides else part for part, hides in sign_parts(safe))


def said(text: str, limit: int = _SENTENCE) -> Markup:
    """Give one of our sentences, with whatever of a server's it quotes."""
    return signs(clipped(sentence(text), limit))


def finding_blocks(findings: Sequence[Finding], *, values: bool) -> list[Markup]:
    """Give findings about one item, one below the other; below weightier ones those of little weight can be opened.

    What hosts do is told by the first that it is so of.
    """
    told: set[tuple[str, str, str]] = set()
    heavy = [_finding(one, told, values=values) for one in findings if one.severity >= Severity.MEDIUM]
    light = [_finding(one, told, values=values) for one in findings if one.severity < Severity.MEDIUM]
    if not heavy or not light:
        return heavy or light
    summary = tag("summary", f"{many(len(light), 'finding')} of less weight")
    return [*heavy, tag("details", summary, *light, class_="finding")]


def _finding(finding: Finding, told: set[tuple[str, str, str]], *, values: bool) -> Markup:
    """Give one finding: how bad, what, where, who acts otherwise; with `values` also before and after.

    `told` are the ways to act otherwise that stand above, and takes in those of this finding.
    """
    sure = f"{SURE[finding.confidence]}, " if SURE[finding.confidence] else ""
    return tag(
        "div",
        tag(
            "p",
            severity_tag(finding.severity),
            tag("strong", finding.rule),
            f" {sure.rstrip(', ')}" if sure else None,
            joined([" ", code(finding.pointer)]) if finding.pointer else None,
        ),
        tag("p", said(happened(finding))),
        tag("p", said(opinion_words(finding))) if finding.opinion is not None else None,
        tag("p", "Hidden by policy: ", said(finding.hidden), class_="quiet") if finding.hidden else None,
        _hosts_of(finding, told),
        _values(finding) if values else None,
        _places(finding),
        tag("p", "fingerprint ", finding.fingerprint, class_="quiet small"),
        class_="finding",
    )


def _hosts_of(finding: Finding, told: set[tuple[str, str, str]]) -> Markup | None:
    acts = acts_of(finding.hosts, named=_HOSTS)
    if not acts:
        return None
    if told.issuperset(acts):
        return tag("p", "Hosts that act otherwise: as above.", class_="quiet")
    told.update(acts)
    rows = [tag("li", tag("strong", hosts), f": {was} → {now}") for hosts, was, now in acts]
    left = len(rows) - _ACTS
    more = (
        tag("details", tag("summary", f"and {many(left, 'more way')}"), tag("ul", *rows[_ACTS:])) if left > 0 else None
    )
    return joined([tag("p", "Hosts that act otherwise:"), tag("ul", *rows[:_ACTS]), more])


def _values(finding: Finding) -> Markup | None:
    """Give before and after, as the terminal shows them."""
    style = {Style.REMOVED: "del", Style.ADDED: "ins", Style.MARK: "mark"}
    lines = [
        joined(
            tag(style[piece.style], signs(piece.text)) if piece.style in style else signs(piece.text) for piece in line
        )
        for line in excerpts(finding, colour=True)
    ]
    return tag("pre", joined(lines, "\n"), class_="text") if lines else None


def _places(finding: Finding) -> Markup | None:
    if len(finding.places) < 2:
        return None
    rows = [
        tag("li", code(item), " ", code(pointer) if pointer else None) for item, pointer in finding.places[:_PLACES]
    ]
    left = len(finding.places) - _PLACES
    more = tag("li", f"and {left} more") if left > 0 else None
    return tag("details", tag("summary", many(len(finding.places), "place")), tag("ul", *rows, more))


def text_block(diff: TextDiff) -> Markup:
    """Give a text with its differences and marks; long stretches that are the same are cut, and counted."""
    note = tag("p", COARSE[diff.level], class_="quiet small") if diff.level in COARSE else None
    last = len(diff.segments) - 1
    parts = [_segment(one, first=index == 0, last=index == last) for index, one in enumerate(diff.segments)]
    return joined([note, tag("div", *parts, class_="text")])


def _segment(segment: Segment, *, first: bool, last: bool) -> Markup:
    body = signs(cut_segment(segment, first=first, last=last))
    if segment.marked:
        body = tag("mark", body)
    if segment.was is Was.SAME:
        return body
    return tag("del" if segment.was is Was.REMOVED else "ins", body)


def hints_block(table: HintTable) -> Markup:
    """Give the hints as dangers under both readings, and the hosts that act otherwise."""
    rows = [
        tag("tr", tag("th", f"The tool {DANGERS[danger]}", scope="row"), *(_moved(row) for row in told))
        for danger, told in groupby(table.dangers, key=lambda row: row.danger)
    ]
    hints = [
        tag(
            "tr",
            tag("th", tag("code", row.hint), scope="row"),
            *(tag("td", signs(side)) for side in (row.was, row.now)),
        )
        for row in table.hints
    ]
    dangers = _table(("", *(f"if {words}" for words in READINGS.values())), rows)
    return joined([dangers, _table(("hint", "before", "now"), hints), _hosts(table.hosts)])


def _moved(row: DangerRow) -> Markup:
    """Say whether a danger is admitted, and what its move does to those who read it."""
    sides = ["yes" if side else "no" for side in (row.before, row.after) if side is not None]
    words = " → ".join(dict.fromkeys(sides))
    if row.loosened:
        return tag("td", words, " ", tag("strong", "less is asked", class_="high"))
    return tag("td", words, " ", tag("strong", "more danger", class_="medium") if row.widened else None)


def _hosts(hosts: tuple[HostRow, ...]) -> Markup | None:
    if not hosts:
        return None
    rows = [
        tag("tr", tag("th", row.host, scope="row"), *(tag("td", part) for part in (row.was, row.now, row.source)))
        for row in hosts
    ]
    table = _table(("host", "before", "now", "source"), rows)
    return tag("details", tag("summary", f"What hosts make of it ({len(hosts)})"), table)


def _table(heads: tuple[str, ...], rows: list[Markup]) -> Markup:
    head = tag("thead", tag("tr", *(tag("th", word, scope="col") for word in heads)))
    return tag("div", tag("table", head, tag("tbody", *rows)), class_="scroll")


def schema_block(tree: SchemaNode, *, returned: bool) -> Markup:
    """Give a schema as a tree: what changed with its way there, and what it means; the rest counted."""
    return tag("ul", _node(tree, returned=returned), class_="tree")


def _node(node: SchemaNode, *, returned: bool) -> Markup:
    changed = [child for child in node.children if child.state is not State.SAME]
    same = len(node.children) - len(changed)
    named = code(node.name) if node.name else None
    accepts = f"{node.was} → {node.now}" if node.was and node.now and node.was != node.now else node.now or node.was
    meant = meaning_words(node.meaning, returned=returned) if node.itself is State.CHANGED else ""
    came = node.itself in (State.ADDED, State.REMOVED)
    line = tag(
        "span",
        node.lead or None,
        named,
        " " if named or node.lead else None,
        signs(clipped(accepts, _VALUE)),
        class_="node",
    )
    facts = [_fact(fact) for fact in node.facts if came or fact.state is not State.SAME or fact.text is not None]
    return tag(
        "li",
        line,
        f" {node.itself.value}" if node.itself is not State.SAME else None,
        tag("p", "It ", signs(meant), ".", class_="quiet small") if meant else None,
        *facts,
        tag("ul", *(_node(child, returned=returned) for child in changed)) if changed else None,
        tag("p", f"{same} more, unchanged", class_="quiet small") if same and node.state is not State.SAME else None,
        tag("p", "What lies deeper is not laid out.", class_="quiet small") if node.deeper else None,
        class_=node.itself.value if node.itself is not State.SAME else "",
    )


def _fact(fact: Fact) -> Markup:
    label = tag("span", code(fact.keyword, 100) if fact.keyword else "as it is", " ")
    if fact.text is not None:
        return tag("div", label, text_block(fact.text))
    before, after = (_value(side) for side in (fact.before, fact.after))
    if fact.state is State.SAME:
        return tag("div", label, after)
    return tag("div", label, *_sides(before, after))


def _sides(before: Markup | None, after: Markup | None) -> Iterator[Markup]:
    if before is not None:
        yield tag("del", before)
    if before is not None and after is not None:
        yield escaped(" → ")
    if after is not None:
        yield tag("ins", after)


def _value(value: Json) -> Markup | None:
    return None if value is ABSENT else signs(shown(value_text(value), _VALUE))
