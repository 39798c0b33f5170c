"""The list of another identity is another one.

What it does
    A server may show other lists to other credentials, in another era, or to clients with other capabilities. Such a
    list is learned as the identity's own. This finds that it is no longer the one that was learned, and judges the
    change as it would be judged in the ordinary list.

Why it matters
    What only some clients are shown can drift as well, and an ordinary look never sees it.

Example
    before  identity "admin"  {"tools": [{"name": "purge_cache", "annotations": {"destructiveHint": true}}]}
    after   identity "admin"  {"tools": [{"name": "purge_cache", "annotations": {"destructiveHint": false}}]}

What to do
    Read the change as you would read one in the ordinary list. Approving the server approves it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from driftwatch.judge.faces import alike, evidence, summed_up
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names
from driftwatch.model import Finding, Severity, Verdict


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for each list of identities that moved since it was learned."""
    for faces in alike(context.facts.faces, Verdict.DRIFTED):
        whose = names([face.identity for face in faces])
        many = "identities" if len(faces) > 1 else "identity"
        found = evidence(faces)
        yield replace(
            found,
            rule=RULE.id,
            category=Verdict.DRIFTED.value,
            message=f"What the {many} {whose} is shown is not what was learned for it. {summed_up(faces)}",
        )


RULE = Rule(
    id="face-changed",
    title="The list of another identity is another one",
    area=Area.CLOAKING,
    action=Action.CHANGED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=(Verdict.DRIFTED.value,),
)
