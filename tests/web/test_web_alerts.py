"""Alerts on pages: the list, one alert with its life, a message about several, acknowledging and silencing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest
from reviewing import Reader, notices
from web_site import Site, form_of, signed_in

from driftwatch.model import Action, Actor, AlertKind, AlertState, DeliveryState, EventKind, Severity
from driftwatch.review import attend
from driftwatch.store.pages import AlertsWanted
from tests.web.reviewing import read_it, send
from tests.web.town import town_site

RITA = Actor("rita", "web 127.0.0.1")


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Site]:
    with town_site(tmp_path) as made:
        yield made


@pytest.fixture
def rita(town: Site) -> Iterator[httpx.Client]:
    with signed_in(town, "rita") as client:
        yield client


@pytest.fixture
def vic(town: Site) -> Iterator[httpx.Client]:
    with signed_in(town, "vic") as client:
        yield client


def standing(town: Site, server: str, kind: AlertKind = AlertKind.DRIFT, channel: str = "") -> str:
    alert = town.store.open_alert(server, kind, channel=channel)
    assert alert is not None
    return alert.id


def read(client: httpx.Client, path: str) -> Reader:
    answered = client.get(path)
    assert answered.status_code == 200, answered.text
    return Reader(answered.text)


def listed(page: Reader) -> list[str]:
    """Give the ids of the alerts of a list, in its order."""
    found = (re.fullmatch(r"/alerts/(alr_\w+)", link.get("href", "")) for link in page.all("a"))
    return list(dict.fromkeys(match[1] for match in found if match))


def post(client: httpx.Client, path: str, action: str, **typed: str) -> httpx.Response:
    return client.post(action, data={**form_of(client.get(path).text, action), **typed})


def batch_of(town: Site) -> str:
    return next(one.id for one in town.store.deliveries() if one.event is EventKind.BATCH)


# The list


def test_open_alerts_come_first_then_the_acknowledged_then_those_that_are_over(town: Site, vic: httpx.Client) -> None:
    known = standing(town, "notes")
    attend.acknowledge(town.store, town.desk.settings, known, by=RITA, now=town.clock())

    found = [town.store.alert(name) for name in listed(read(vic, "/alerts"))]

    order = [list(AlertState).index(one.state) for one in found]
    assert order == sorted(order)
    assert {one.state for one in found} == set(AlertState)
    opened = [one.opened_at for one in found if one.state is AlertState.OPEN]
    assert opened == sorted(opened, reverse=True)


def test_alerts_are_picked_by_state_kind_severity_and_server(town: Site, vic: httpx.Client) -> None:
    def names(query: str) -> set[str]:
        return {town.store.alert(one).server for one in listed(read(vic, f"/alerts?{query}"))}

    assert names("kind=health") == {"search"}
    assert names("severity=critical&state=open") == {"notes"}
    assert names("server=docs&state=&kind=") == {"docs"}
    assert names("state=resolved&severity=medium") == {"archive"}
    assert "No alert fits" in read(vic, "/alerts?server=docs&severity=critical").text


@pytest.mark.parametrize("query", ["state=solved", "severity=worst", "kind=x"])
def test_a_filter_that_there_is_not_is_refused_and_never_widens_a_list(vic: httpx.Client, query: str) -> None:
    assert vic.get(f"/alerts?{query}").status_code == 422


@pytest.mark.parametrize("path", ["/alerts", "/silences", "/deliveries", "/audit"])
def test_a_place_that_is_in_no_list_is_said_on_a_page(vic: httpx.Client, path: str) -> None:
    answered = vic.get(f"{path}?after=nonsense")

    assert (answered.status_code, "from the beginning" in answered.text) == (400, True)


def test_whoever_may_only_look_is_told_so_and_gets_no_form(town: Site, vic: httpx.Client) -> None:
    page = vic.get(f"/alerts/{standing(town, 'notes')}").text

    assert "it takes the role reviewer" in page
    assert 'action="/alerts/' not in page
    assert 'action="/silences' not in page


# One alert


def test_an_alert_says_what_happened_what_is_marked_who_was_told_and_where_to_go_from_there(
    town: Site, vic: httpx.Client
) -> None:
    page = read(vic, f"/alerts/{standing(town, 'notes')}")

    assert page.inside["h1"] == ["notes: a hint claims less danger than before (hint-loosened), and 10 more"]
    assert "driftwatch diff" not in page.text
    assert any("<IMPORTANT>" in one for one in page.inside["mark"])
    assert "on-call was told of it" in page.text
    assert "office was to be told of it" in page.text
    assert {"/servers/notes/review", "/servers/notes"} <= {link.get("href") for link in page.all("a")}


def test_an_alert_that_is_over_says_why_and_offers_no_answer(town: Site, rita: httpx.Client) -> None:
    over = town.store.alert_page(AlertsWanted((AlertState.RESOLVED,), server="billing"), limit=1).rows[0]

    page = rita.get(f"/alerts/{over.id}").text

    assert "approved by a person" in page
    assert f'action="/alerts/{over.id}' not in page
    assert f"/servers/billing/compare?from={over.baseline_digest}" in page


def test_what_a_hostile_server_and_hostile_people_wrote_is_text(town: Site, rita: httpx.Client) -> None:
    for path in ("/alerts", f"/alerts/{standing(town, 'bazaar')}", f"/alerts/{standing(town, 'bazaar')}?after=25"):
        page = rita.get(path).text
        assert "<script>" not in page
        assert "<img" not in page
        assert 'href="javascript:' not in page
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\x1b]", page)


def test_a_form_for_a_silence_begins_with_a_pattern_for_a_name_that_no_form_can_carry(
    town: Site, rita: httpx.Client
) -> None:
    alert = town.store.alert(standing(town, "bazaar"))
    odd = next(one for one in alert.findings if "\x1b" in one.item and not one.items)
    links = re.findall(r'href="(/silences\?[^"]*tool=[^"]*)#add"', rita.get(f"/alerts/{alert.id}").text)
    typed = [Reader(rita.get(unescape(link)).text) for link in links[:12]]
    tools = {one["value"] for page in typed for one in page.all("input") if one.get("name") == "tool"}

    assert any("?" in one and "\x1b" not in one for one in tools)
    assert odd.item not in tools


# Acknowledging


def test_a_reviewer_says_that_they_know_and_it_is_written_down_and_told(town: Site, rita: httpx.Client) -> None:
    alert = standing(town, "notes")
    path = f"/alerts/{alert}"

    done = post(rita, path, f"{path}/acknowledge", note="asked its <authors>")

    page = rita.get(done.headers["location"]).text
    now = town.store.alert(alert)
    entry = town.store.audit(limit=1)[0]
    assert done.status_code == 303
    assert now.acknowledged is not None
    assert (now.state, now.acknowledged.by, now.acknowledged.note) == (
        AlertState.ACKNOWLEDGED, "rita", "asked its <authors>",
    )  # fmt: skip
    assert (entry.action, entry.who, entry.origin) == (Action.ACKNOWLEDGED, "rita", "web 127.0.0.1")
    assert town.woken
    assert "“asked its &lt;authors&gt;”" in page
    assert f'action="{path}/acknowledge"' not in page


def test_whoever_comes_second_is_told_who_was_first(town: Site, rita: httpx.Client) -> None:
    path = f"/alerts/{standing(town, 'notes')}"
    form = form_of(rita.get(path).text, f"{path}/acknowledge")
    with signed_in(town, "ann") as ann:
        post(ann, path, f"{path}/acknowledge")

    late = rita.post(f"{path}/acknowledge", data={**form, "note": "me too"})

    assert (late.status_code, notices(late.text)) == (409, ["ann acknowledged it already. Nothing was changed."])


def test_a_form_that_is_sent_twice_or_made_elsewhere_changes_nothing_and_keeps_the_note(
    town: Site, rita: httpx.Client
) -> None:
    first, second = standing(town, "notes"), standing(town, "docs")
    form = form_of(rita.get(f"/alerts/{first}").text, f"/alerts/{first}/acknowledge")

    stolen = rita.post(f"/alerts/{second}/acknowledge", data={**form, "note": "kept words"})
    none = rita.post(f"/alerts/{second}/acknowledge", data={"note": "kept words"})

    assert [one.status_code for one in (stolen, none)] == [400, 400]
    assert all(">kept words</textarea>" in one.text for one in (stolen, none))
    assert town.store.alert(second).state is AlertState.OPEN


def test_nothing_is_said_of_an_alert_that_ended_meanwhile(town: Site, rita: httpx.Client) -> None:
    path = f"/alerts/{standing(town, 'notes')}"
    form = form_of(rita.get(path).text, f"{path}/acknowledge")
    with signed_in(town, "ann") as ann:
        page = ann.get("/servers/notes/review").text
        read_it(ann, send(ann, page, "approve-all"))

    late = rita.post(f"{path}/acknowledge", data=form)

    assert (late.status_code, "is over since" in notices(late.text)[0]) == (409, True)


def test_a_note_that_is_too_long_is_refused_and_kept(town: Site, rita: httpx.Client) -> None:
    path = f"/alerts/{standing(town, 'notes')}"

    refused = post(rita, path, f"{path}/acknowledge", note="x" * 2_001)

    assert (refused.status_code, "x" * 2_001 in refused.text) == (400, True)
    assert town.store.alert(path.rpartition("/")[2]).state is AlertState.OPEN


# Messages about several


def test_the_page_of_a_message_about_several_shows_how_they_stand_now_and_acknowledges_all(
    town: Site, rita: httpx.Client
) -> None:
    path = f"/batches/{batch_of(town)}"
    page = read(rita, path)

    done = post(rita, path, f"{path}/acknowledge", note="one roll-out")

    after = rita.get(done.headers["location"]).text
    assert "2 alerts on 2 servers" in page.text
    assert {town.store.alert(one).server for one in listed(page)} == {"billing", "docs"}
    assert notices(after) == ["You said that you know of 1 alert."]
    assert town.store.alert(standing(town, "docs")).state is AlertState.ACKNOWLEDGED
    assert town.woken


def test_the_address_of_a_message_about_one_alert_leads_to_that_alert(town: Site, vic: httpx.Client) -> None:
    one = next(one for one in town.store.deliveries() if one.alert_id)

    answered = vic.get(f"/batches/{one.id}")

    assert (answered.status_code, answered.headers["location"]) == (303, f"/alerts/{one.alert_id}")


# Silences


def test_a_silence_from_an_alert_says_what_it_keeps_back_and_ends_before_its_time(
    town: Site, rita: httpx.Client
) -> None:
    alert = standing(town, "docs")
    form = Reader(rita.get(f"/alerts/{alert}").text)
    begun = {one["name"]: one.get("value", "") for one in form.all("input") if one.get("name") in {"server", "lasts"}}
    made = post(
        rita, f"/alerts/{alert}", "/silences/add", **begun, severity="medium", reason="its roll-out", tool="", rule=""
    )

    said = notices(rita.get(made.headers["location"]).text)
    kept = rita.get(f"/alerts/{alert}").text
    silence = town.store.silences(at=town.clock())[0]
    ended = post(rita, "/silences", f"/silences/{silence.id}/end")

    assert begun == {"server": "docs", "lasts": "7d"}
    assert said == [
        "The silence keeps back what is found on docs, up to medium. Of what is open now that is 7 findings."
    ]
    assert (silence.by, silence.severity, silence.reason) == ("rita", Severity.MEDIUM, "its roll-out")
    assert "keeps all of it back until" in Reader(kept).text
    assert ended.status_code == 303
    assert town.store.silence(silence.id).ended_by == "rita"
    assert [one.action for one in town.store.audit(limit=2)] == [Action.UNSILENCED, Action.SILENCED]
    assert town.woken


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"server": "", "tool": ""}, "is not made by leaving everything out"),
        ({"rule": "hint-loosned"}, "hint-loosened"),
        ({"reason": " "}, "needs a reason"),
        ({"lasts": "soon"}, "for how long"),
        ({"lasts": "2000-01-01"}, "over before it begins"),
        ({"lasts": "9999d"}, "too long"),
        ({"severity": "worst"}, "up to which severity"),
    ],
)
def test_a_silence_that_cannot_be_made_is_said_and_what_was_typed_is_kept(
    town: Site, rita: httpx.Client, wrong: dict[str, str], words: str
) -> None:
    before = len(town.store.silences())
    typed = {"server": "docs", "tool": "a*", "rule": "", "severity": "low", "lasts": "2h", "reason": "busy", **wrong}

    refused = post(rita, "/silences", "/silences/add", **typed)

    kept = {one["name"]: one.get("value", "") for one in Reader(refused.text).all("input") if "id" in one}
    assert (refused.status_code, len(town.store.silences())) == (400, before)
    assert words in unescape(refused.text)
    assert {name: kept[name] for name in ("server", "tool", "rule")} == {
        name: typed[name] for name in ("server", "tool", "rule")
    }


def test_a_silence_for_a_server_that_there_is_not_says_so(town: Site, rita: httpx.Client) -> None:
    made = post(
        rita, "/silences", "/silences/add", server="dcos", tool="", rule="", severity="high", lasts="2h", reason="busy"
    )

    assert "No server is called dcos by now" in rita.get(made.headers["location"]).text


def test_a_silence_that_is_over_is_not_ended_again(town: Site, rita: httpx.Client) -> None:
    silence = town.store.silences(at=town.clock())[0]
    form = form_of(rita.get("/silences").text, f"/silences/{silence.id}/end")
    attend.unsilence(town.store, silence.id, by=RITA, now=town.clock())

    late = rita.post(f"/silences/{silence.id}/end", data=form)

    assert (late.status_code, "is over since" in notices(late.text)[0]) == (409, True)


def test_silences_that_are_over_are_listed_where_that_is_asked_for(town: Site, vic: httpx.Client) -> None:
    in_force, everything = read(vic, "/silences").text, read(vic, "/silences?all=1").text

    assert "its roll-out takes two weeks" in in_force
    assert "a test of the silence" not in in_force
    assert "a test of the silence" in everything
    assert "ended by bob" in everything


def test_messages_wait_while_an_alert_is_acknowledged_by_the_verbs_that_the_command_line_has(
    town: Site, rita: httpx.Client
) -> None:
    alert = standing(town, "metrics")
    path = f"/alerts/{alert}"

    post(rita, path, f"{path}/acknowledge", note="")

    queued = [one for one in town.store.deliveries() if one.alert_id == alert]
    assert {one.channel for one in queued if one.event is EventKind.ACKNOWLEDGED} == {"on-call", "office"}
    assert all(one.state is DeliveryState.PENDING for one in queued if one.event is EventKind.ACKNOWLEDGED)
