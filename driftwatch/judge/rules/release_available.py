"""There is a newer release.

What it does
    Records that the registry has a newer release of the package that a server is started from. It needs the supply
    watch (`[supply]`), which is off unless it is switched on.

Why it matters
    It is for your planning: a server that is pinned stays what you approved, and one that is not pinned takes the new
    release at its next start.

Example
    before  {"launch": {"transport": "stdio", "command": "npx", "args": ["-y", "notes-mcp@1.2.0"]}}
    after   the same list, and notes-mcp has a release 1.3.0

What to do
    Nothing, or try the new release, read the difference, approve it ahead, and move the pin.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.packages import called, supplied
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Axis, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every package in use that has a newer release."""
    for known, item, pointer in supplied(context):
        news = known.news
        if news.newer:
            since = f" since {news.latest_at:%Y-%m-%d}" if news.latest_at is not None else ""
            message = f"{called(known)} is in use; {show(news.newer, 40)} is there{since}."
            yield RULE.finding(item, pointer, message, before=news.package.version, after=news.newer)


RULE = Rule(
    id="release-available",
    title="There is a newer release",
    area=Area.SUPPLY,
    action=Action.ADDED,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
    axis=Axis.CONTRACT,
)
