"""The pages of one list do not agree on who may keep them.

What it does
    Finds a list whose pages state both cache scopes, private and public. The specification wants one for all pages.

Why it matters
    A cache that keeps some of the pages gives others a list that is put together from two.

Example
    before  {"cacheScopes": {"tools/list": "private"}}
    after   {"cacheScopes": {"tools/list": "private+public"}}

What to do
    Tell the maintainer. Take the list for private.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Kind, Severity

MIXED = "private+public"
"""How our document spells that pages of one list state both."""


def check(context: Context) -> Iterator[Finding]:
    """Give every mixed list: in a scan every one, in a comparison those that were not mixed before."""
    for look in context.looks(Kind.SERVER):
        before = _mixed(look.before.raw) if look.before is not None else set()
        for method in sorted(_mixed(look.after.raw) - before):
            message = f"The pages of {show(method)} do not agree on who may keep them: some private, some public."
            yield RULE.finding(look.after, at.join("/cacheScopes", method), message, after=MIXED)


def _mixed(raw: object) -> set[str]:
    scopes = raw.get("cacheScopes") if isinstance(raw, dict) else None
    return {method for method, scope in scopes.items() if scope == MIXED} if isinstance(scopes, dict) else set()


RULE = Rule(
    id="cache-scope-mixed",
    title="The pages of one list do not agree on who may keep them",
    area=Area.BEHAVIOUR,
    action=Action.ODD,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
