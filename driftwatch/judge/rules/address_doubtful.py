"""Sign-in metadata name an address that no browser should open.

What it does
    Finds addresses in a server's sign-in metadata that are no plain web address: another scheme than https (http on
    this machine aside), or characters that no address holds and a shell would act on.

Why it matters
    Clients open the authorization address for a person. A client that handed it to a shell ran what a server had
    written into it; driftwatch itself opens none of them.

Example
    before  {"launch": {"oauth": {"authorization_endpoint": "https://login.example/authorize"}}}
    after   {"launch": {"oauth": {"authorization_endpoint": "file:///c:/windows/system32/calc.exe"}}}

What to do
    Do not sign in to this server. Ask whoever runs it, and update the client that you use with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from driftwatch.judge.launches import STARTED, endpoints, origin
from driftwatch.judge.rules.base import Action, Area, Context, Look, Rule, show
from driftwatch.model import Finding, Severity

_PLAIN = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!&'()*+,;=%{}-]*")
"""What an address may hold (RFC 3986), `$` aside, and braces of a template besides."""

_HERE = re.compile(r"(?:localhost|127(?:\.\d+){3}|::1|.*\.localhost):\d+")


def check(context: Context) -> Iterator[Finding]:
    """Give every doubtful address that is new."""
    for look in context.looks(*STARTED):
        known = {url for _, url in endpoints(look.before.raw)} if look.before is not None else set()
        for pointer, url in endpoints(look.after.raw):
            if url not in known:
                yield from _judge(look, pointer, url)


def _judge(look: Look, pointer: str, url: str) -> Iterator[Finding]:
    scheme, host = origin(url)
    if not host or scheme not in {"http", "https"} or not _PLAIN.fullmatch(url):
        message = f"The server sends people who sign in to {show(url)}, which is no plain web address. Do not open it."
        yield RULE.finding(look.after, pointer, message, after=url)
    elif scheme == "http" and not _HERE.fullmatch(host):
        message = f"The server lets people sign in without encryption, at {show(url)}."
        yield RULE.finding(look.after, pointer, message, after=url, severity=Severity.MEDIUM)


RULE = Rule(
    id="address-doubtful",
    title="Sign-in metadata name an address that no browser should open",
    area=Area.LAUNCH,
    action=Action.ODD,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
)
