"""A text gained hidden characters.

What it does
    Finds characters that show nothing or deceive the eye in text that did not have them: zero-width characters,
    direction overrides, tag characters, terminal escapes. Honest uses, such as joined emoji and Arabic or Indic
    spelling, are left out.

Why it matters
    They hide words from the person who reviews and not from the model, or split words so that a search does not
    find them.

Example
    before  {"description": "List the open tickets."}
    after   the same with U+200B inside "the"

What to do
    Look at the escapes in the report. There is hardly an honest reason for them in a tool's description.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.text.signals.base import HIDDEN
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for each string that gained hidden characters."""
    for heard in context.heard:
        signals = [signal for signal in heard.signals if signal.category == HIDDEN]
        if not signals:
            continue
        spans = [span for signal in signals for span in signal.spans]
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


RULE = Rule(
    id="hidden-characters",
    title="A text gained hidden characters",
    area=Area.TEXT,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
)
