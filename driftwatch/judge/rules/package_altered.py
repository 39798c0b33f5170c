"""The package's files changed, and its version did not.

What it does
    Finds that the files of the package that runs are others than those that were approved, under the same version.

Why it matters
    A released version does not change: registries give out the same files for ever. Other files under the same number
    mean that they were edited where they lie, or fetched from somewhere else.

Example
    before  {"launch": {"package": {"name": "tickets", "version": "1.2.0", "digest": "sha256:1f"}}}
    after   {"launch": {"package": {"name": "tickets", "version": "1.2.0", "digest": "sha256:9c"}}}

What to do
    Stop using the server. Remove the package and its cache, fetch it again, and compare. If you edited it yourself,
    approve.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.launches import moves, text
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every package whose files changed under one version."""
    for move in moves(context):
        was, now = move.tables("package")
        same = all(text(was, key) and was.get(key) == now.get(key) for key in ("ecosystem", "name", "version"))
        known = text(was, "digest") and text(now, "digest")
        if same and known and was.get("digest") != now.get("digest"):
            called = f"{show(now.get('name'))} {show(now.get('version'))}"
            message = f"{move.whose}The files of {called} are others than those approved, under the same version."
            yield RULE.finding(move.item, "/package/digest", message, before=was.get("digest"), after=now.get("digest"))


RULE = Rule(
    id="package-altered",
    title="The package's files changed, and its version did not",
    area=Area.SUPPLY,
    action=Action.CHANGED,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
    told=True,
)
