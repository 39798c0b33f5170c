"""An advisory speaks of the package.

What it does
    Tells every published advisory about the package and version that a server is started from, as a database in the
    OSV format has it. It needs the supply watch (`[supply]`), which is off unless it is switched on. An advisory that
    calls the package malicious (`MAL-…`), or itself critical, weighs high. One that was taken back is not told.

Why it matters
    The list can be the same and the program behind it be known to be dangerous. A malicious package runs with all that
    you can do.

Example
    before  {"launch": {"transport": "stdio", "command": "npx", "package": {"ecosystem": "npm", "name": "notes-mcp"}}}
    after   the same list, and a new advisory about notes-mcp

What to do
    Malicious: stop the server, take the package out, and change every secret that it could read. Otherwise read the
    advisory, and start a version that it calls fixed.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.beside import Supplied
from driftwatch.judge.packages import called, supplied
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show
from driftwatch.model import Advisory, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every advisory about a package that a live item is started from."""
    for known, item, pointer in supplied(context):
        for advisory in known.news.advisories:
            yield RULE.finding(
                item,
                pointer,
                _message(known, advisory),
                severity=_weight(advisory),
                after=[advisory.id, known.news.package.version],
                category="malicious" if advisory.malicious else "",
            )


def _weight(advisory: Advisory) -> Severity:
    if advisory.malicious or advisory.severity is Severity.CRITICAL:
        return Severity.HIGH
    return Severity.LOW if advisory.severity is Severity.LOW else Severity.MEDIUM


def _message(known: Supplied, advisory: Advisory) -> str:
    what = "calls the package malicious" if advisory.malicious else "speaks of it"
    bad = f" ({advisory.severity.value})" if advisory.severity and not advisory.malicious else ""
    words = f": {show(advisory.summary, 160)}" if advisory.summary else ""
    parts = [f"{called(known)} is in use, and the advisory {show(advisory.id, 60)} {what}{bad}{words}."]
    if advisory.aliases:
        parts.append(f"Also known as {names(advisory.aliases)}.")
    if advisory.fixed and not advisory.malicious:
        parts.append(f"Fixed in {names(advisory.fixed)}.")
    if advisory.malicious:
        parts.append("Stop the server, and change every secret that it could read.")
    return " ".join(parts)


RULE = Rule(
    id="advisory-published",
    title="An advisory speaks of the package",
    area=Area.SUPPLY,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=("malicious",),
)
