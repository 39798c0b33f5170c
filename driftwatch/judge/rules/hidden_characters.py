"""A text gained hidden characters.

What it does
    Finds characters that show nothing or deceive the eye in text that did not have them: zero-width characters,
    direction overrides, tag characters, terminal escapes. Honest uses, such as joined emoji and Arabic or Indic
    spelling, are left out. In a name, a line break or a tab counts too. How a server is started is looked at as well:
    command, arguments, address, names of variables.

Why it matters
    They hide words from the person who reviews and not from the model, or split words so that a search does not
    find them.

Example
    before  {"description": "List the open tickets."}
    after   the same with U+200B inside "the"

What to do
    Look at the escapes in the report. There is hardly an honest reason for them in a description, and none in a name, a
    command or an address.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.snapshot import LISTS
from driftwatch.judge.text.signals.base import HIDDEN
from driftwatch.model import Finding, Severity

_NAME_FIELDS = dict(LISTS.values())


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for each string that gained hidden characters, and for each name that is taken apart."""
    yield from _broken_names(context)
    for heard in context.heard:
        signals = [signal for signal in heard.signals if signal.category == HIDDEN]
        if not signals:
            continue
        spans = list(dict.fromkeys(span for signal in signals for span in signal.spans))
        said = [span.decoded for span in spans if span.decoded]
        reasons = " ".join(dict.fromkeys(signal.why for signal in signals[:3]))
        yield RULE.finding(
            heard.item,
            heard.text.pointer,
            f"The text gained characters that do not show. {reasons}"
            + (f" They spell {show(said[0])}." if said else ""),
            severity=max(signal.severity for signal in signals),
            before=heard.before,
            after=heard.text.said,
            spans=spans,
            category=HIDDEN,
        )


def _broken_names(context: Context) -> Iterator[Finding]:
    """Give one finding for each new name that a line break or a tab takes apart: it can pass for other lines."""
    known = frozenset() if context.baseline is None else frozenset(item.place for item in context.baseline.items)
    for item in context.live.items:
        field = _NAME_FIELDS.get(item.kind)
        if field is not None and item.place not in known and any(char in item.key for char in "\n\r\t"):
            message = f"The name {show(item.key)} holds line breaks or tabs, which no name needs."
            yield RULE.finding(item, f"/{field}", message, after=item.key, category=HIDDEN)


RULE = Rule(
    id="hidden-characters",
    title="A text gained hidden characters",
    area=Area.TEXT,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=(HIDDEN,),
)
