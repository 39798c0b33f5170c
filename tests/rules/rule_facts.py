"""What is known beside the lists in the examples of the rules that look beyond them: one entry a rule."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from entry_kit import supplied
from face_kit import ORDER, beside, faces, other_face, other_start, seen_by_agent

from driftwatch.judge.behaviour import Flapping
from driftwatch.judge.beside import Opinions
from driftwatch.judge.expectations import Expectations
from driftwatch.judge.facts import Facts, Reviewed, Varied
from driftwatch.judge.intake import read_document
from driftwatch.judge.snapshot import take
from driftwatch.model import Advisory, Arrival, Confidence, Kind, Opinion, Verdict, Withdrawn

ARRIVED = Arrival(
    previous="sha256:before",
    quiet=600.0,
    fresh=((Kind.TOOL, 7_200_000),),
    promised=(Kind.TOOL,),
    noticed=False,
)
FLAPS = Flapping(
    returns=3,
    lists=2,
    since=datetime(2026, 3, 1, 12, tzinfo=UTC),
    calm_at=datetime(2026, 3, 1, 16, tzinfo=UTC),
)
VARIES = (Kind.TOOL, "export_sheet", 0, "/inputSchema/properties/formats/default")

LISTS = [{"name": "list_tickets", "description": "List the open tickets.", "inputSchema": {"type": "object"}}]
ORDERS = [{**LISTS[0], "description": ORDER}]

SETTLED = "settle through the desk of the house"
DOUBTS = Opinion("a-model", True, "exfiltration", Confidence.HIGH, SETTLED, "It sends money elsewhere.")


def held(opinion: Opinion = DOUBTS, words: str = SETTLED, **options: Any) -> Facts:
    """Facts with a model that says this of every text that has these words."""
    asked = {"gained": True, **options}
    known = lambda passages: {one: opinion for one in passages if any(words in text for text in one.texts)}  # noqa: E731
    return Facts(opinions=Opinions(known, **asked))


def awaited(*tools: dict[str, Any], version: str = "", by: str = "ann", **fields: Any) -> Facts:
    """Facts with a list that a person approved ahead."""
    shown = take(read_document({"tools": list(tools), **fields}))
    return Facts(reviewed=(Reviewed(shown, by=by, at=datetime(2026, 2, 28, tzinfo=UTC), version=version),))


FACTS: dict[str, Facts] = {
    "differs-from-reviewed": awaited({**LISTS[0], "description": "List tickets, the newest first."}),
    "second-opinion": held(),
    "two-faces": faces(other_face(LISTS, ORDERS)),
    "other-start": other_start(LISTS, ORDERS),
    "witnessed-difference": seen_by_agent(LISTS, ORDERS),
    "face-changed": faces(other_face(LISTS, ORDERS, Verdict.DRIFTED, cause="credential")),
    "face-suspect": faces(other_face(LISTS, ORDERS, Verdict.LEARNED, cause="capabilities")),
    "name-shadowed": beside("send_invoice"),
    "mentions-other-server": beside("send_invoice"),
    "changed-inside-ttl": Facts(arrival=ARRIVED),
    "changed-without-notice": Facts(arrival=ARRIVED),
    "ttl-too-long": Facts(lasting=(("tools/list", 40_000_000_000),)),
    "oscillating": Facts(flapping=FLAPS),
    "expectation-broken": Facts(expectations=Expectations(read_only=True)),
    "value-varies": Facts(varied=(Varied(VARIES, changes=2, values=3, shape="order"),)),
    "release-available": supplied(latest="1.3.0", latest_at=datetime(2026, 2, 1, tzinfo=UTC), newer="1.3.0"),
    "version-withdrawn": supplied(withdrawn=Withdrawn.YANKED, reason="writes to the wrong folder", latest="1.2.1"),
    "advisory-published": supplied(advisories=(Advisory("GHSA-aaaa-bbbb-cccc", "Reads any file.", fixed=("1.2.1",)),)),
}
