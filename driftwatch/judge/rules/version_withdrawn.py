"""The version in use was taken back.

What it does
    Tells that the registry holds back the version that a server is started from: deprecated or yanked by its maker, no
    longer listed, or the whole package under quarantine. It needs the supply watch (`[supply]`), which is off unless it
    is switched on.

Why it matters
    Makers take back what is broken, registries take down what is dangerous. A version that is gone is often one that
    was found to be malicious.

Example
    before  {"launch": {"transport": "stdio", "command": "uvx", "package": {"ecosystem": "pypi", "name": "notes-mcp"}}}
    after   the same list, and version 1.4.2 of notes-mcp is yanked

What to do
    Find out why it was taken back, and start another version.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.beside import Supplied
from driftwatch.judge.packages import called, supplied
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Severity, Withdrawn

_WORDS = {
    Withdrawn.DEPRECATED: ("its maker calls it deprecated", Severity.LOW),
    Withdrawn.YANKED: ("its maker took it back", Severity.MEDIUM),
    Withdrawn.GONE: ("the registry no longer lists it", Severity.MEDIUM),
    Withdrawn.QUARANTINED: ("the registry has put the package under quarantine", Severity.HIGH),
}


def check(context: Context) -> Iterator[Finding]:
    """Give every version in use that was taken back."""
    for known, item, pointer in supplied(context):
        how = known.news.withdrawn
        if how is not None:
            yield RULE.finding(
                item,
                pointer,
                _message(known, how),
                severity=_WORDS[how][1],
                after=[how.value, known.news.package.version],
                category=how.value,
            )


def _message(known: Supplied, how: Withdrawn) -> str:
    why = f" ({show(known.news.reason, 160)})" if known.news.reason else ""
    newer = f" The newest release is {show(known.news.latest, 40)}." if known.news.latest else ""
    return f"{called(known)} is in use, and {_WORDS[how][0]}{why}.{newer}"


RULE = Rule(
    id="version-withdrawn",
    title="The version in use was taken back",
    area=Area.SUPPLY,
    action=Action.WITHDRAWN,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=tuple(how.value for how in Withdrawn),
)
