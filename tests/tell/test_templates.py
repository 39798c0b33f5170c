"""Titles and texts by templates: what they may name, what hostile text becomes in them, and what they never cost."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from structlog.testing import capture_logs

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.sandbox import environment
from driftwatch.config.secret import Filled
from driftwatch.config.steps import LONGEST, STEPS
from driftwatch.config.template import NAMES
from driftwatch.judge.rules import RULES
from driftwatch.model import (
    Acknowledged,
    Alert,
    AlertKind,
    AlertState,
    Delivery,
    Event,
    EventKind,
    Finding,
    Json,
    Kind,
    Severity,
)
from driftwatch.tell.batch import batch
from driftwatch.tell.payload import body, encode
from driftwatch.tell.samples import drill, samples
from driftwatch.tell.telling import report_templates
from driftwatch.tell.templates import (
    TEXT_CHARS,
    TITLE_CHARS,
    check,
    names,
    rendered,
    templated,
    trouble_of,
    warnings_of,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
VALIDATOR = Draft202012Validator(
    json.loads((files("driftwatch.tell") / "webhook.schema.json").read_text(encoding="utf-8"))
)
DOCUMENT = (Path(__file__).parents[2] / "docs" / "channels.md").read_text(encoding="utf-8")
EVIL = "@here <!channel> [a](https://evil.example/x) {{ 7*7 }} {% raw %} `x` *b* \u202e\x1b[0m :bell: ${HOME}"
SIGNS = ("@", "<", "](", "://", "{{", "{%", "`", "*", "\u202e", "\x1b", ":bell:", "${")


def channel(title: str | None = None, body: str | None = None) -> ChannelConfig:
    return ChannelConfig(name="ops", title=title, body=body)


def finding(item: str = "read_file", **more: Any) -> Finding:
    made = Finding("hint-loosened", Severity.HIGH, Kind.TOOL, item, "/annotations", "a hint is looser")
    return replace(made, **more)


def alert(*findings: Finding, **more: Any) -> Alert:
    made = Alert(
        id="alr_1",
        server="files",
        kind=AlertKind.DRIFT,
        state=AlertState.OPEN,
        severity=Severity.HIGH,
        opened_at=NOW,
        updated_at=NOW,
        findings=findings,
        summary="files differs. Review it with: driftwatch diff files",
    )
    return replace(made, **more)


def payload(about: Alert | None = None, kind: EventKind = EventKind.OPENED, **more: Any) -> dict[str, Json]:
    about = about or alert(finding())
    url = more.pop("public_url", None)
    return body(Event(kind, about, about.findings, **more), now=NOW, public_url=url, labels={"team": "web"})


def gathered(*alerts: Alert) -> dict[str, Json]:
    members = [
        Delivery(f"msg_{one.id}", "ops", one.server, one.id, EventKind.OPENED, payload(one), route="fleet")
        for one in alerts
    ]
    return dict(batch(members, now=NOW, public_url=None).payload)


def made(template: str, given: dict[str, Json] | None = None) -> Any:
    """Give the text that a template makes, which must not fail, in a payload that fits the published schema."""
    done = rendered(given or payload(), channel(body=template))
    assert done.trouble == ""
    VALIDATOR.validate(json.loads(encode(done.payload)))
    return done.payload["data"]["text"]


def test_a_message_without_templates_stays_as_it_is() -> None:
    given = payload()

    assert templated(given, channel()) is given


def test_title_and_text_are_put_beside_what_the_message_holds() -> None:
    given = payload()
    before = json.dumps(given)

    done = templated(given, channel("[{{ severity|upper }}] {{ server }}", "{{ summary }}\nRun: {{ command }}"))

    assert json.dumps(given) == before, "the payload that came in is another one"
    assert done["data"] == {
        **given["data"],
        "title": "[HIGH] files",
        "text": "files differs. Review it with: driftwatch diff files\nRun: driftwatch diff files",
    }


def test_every_name_holds_something_in_every_kind_of_message() -> None:
    for about, given in samples():
        found = names(given)

        assert list(found) == list(NAMES), about
        absent = [name for name, value in found.items() if value is None]
        assert set(absent) <= {"acknowledged", "approved", "outcome"}, about


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ alert }} {{ event }} {{ state }} {{ timestamp }}", "alr_1 opened open 2026-03-01T12:00:00.000Z"),
        ("{{ labels.team }} {{ labels['team'] }} {{ labels.get('other', '-') }}", "web web -"),
        ("{{ counts.findings }} {{ counts.by_severity.high }} {{ omitted }}", "1 1 0"),
        ("{% for one in findings %}{{ loop.index }}. {{ one.item }}{% endfor %}", "1. read_file"),
        ("{{ findings|map(attribute='rule')|unique|join(', ') }}", "hint-loosened"),
        ("{{ findings|selectattr('severity', 'in', ['high', 'critical'])|list|length }} bad", "1 bad"),
        ("{% if drill %}DRILL {% endif %}{{ server }}", "files"),
        ("{{ reason }}|{{ link }}|{{ resolved_at }}|{{ alerts|length }}|{{ route }}|{{ channel }}", "|||0||"),
        ("{% set worst = findings[0] %}{{ worst.severity ~ ': ' ~ worst.message }}", "high: a hint is looser"),
        ("{{ findings[0].items|length }}", "0"),
    ],
)  # fmt: skip
def test_what_a_template_may_write(template: str, text: str) -> None:
    assert made(template) == text


def test_a_batch_has_its_alerts_row_by_row() -> None:
    given = gathered(alert(finding()), alert(finding(), id="alr_2", server="git"))

    text = made(
        "{{ counts.alerts }} by {{ route }}:{% for a in alerts %} {{ a.server }}/{{ a.events|join('+') }}{% endfor %}",
        given,
    )

    assert text == "2 by fleet: files/opened git/opened"
    assert made("{{ server }}{{ alert }}{{ findings|length }}{{ kind }}.{{ event }}", given) == "0.batch"


def test_who_acknowledged_can_be_named_with_the_time_as_it_is() -> None:
    known = alert(state=AlertState.ACKNOWLEDGED, acknowledged=Acknowledged("sam", NOW, "on it"))

    text = made(
        "{% if acknowledged %}{{ acknowledged.by }} {{ acknowledged.at }}{% endif %}",
        payload(known, EventKind.ACKNOWLEDGED),
    )

    assert text == "sam 2026-03-01T12:00:00.000Z"


def test_hostile_text_is_harmless_wherever_a_template_puts_it() -> None:
    one = finding(EVIL, message=EVIL, items=(EVIL, EVIL), before={EVIL: [EVIL]}, after=EVIL)
    everything = (
        "{{ summary }} {{ labels.values()|join }} {% for one in findings %}{{ one.item }} {{ one['items']|join }}"
        "{{ one.message }} {{ one.after }}{% for name, inner in one.before.items() %}{{ name }}{{ inner|join }}"
        "{% endfor %}{% endfor %}{% for row in alerts %}{{ row.summary }}{% endfor %}"
    )

    for given in (payload(alert(one, summary=EVIL)), gathered(alert(one, summary=EVIL))):
        text = made(everything, given)

        assert "evil" in text
        assert [sign for sign in SIGNS if sign in text] == []


def test_what_a_server_says_is_no_template() -> None:
    assert (
        made("{{ findings[0].message }}", payload(alert(finding(message="{{ command }} {{ 7 * 7 }}")))).count("49") == 0
    )


def test_our_own_command_and_link_stay_as_they_are() -> None:
    given = payload(public_url="https://watch.example.com")

    text = made("{{ link }} {{ command }} {{ summary }}", given)

    assert text == (
        "https://watch.example.com/alerts/alr_1 driftwatch diff files "
        "files differs. Review it with: driftwatch diff files"
    )


def test_a_title_is_one_line_and_a_text_is_cut_with_where_the_whole_is() -> None:
    long = "{% for a in range(200) %}{% for b in range(200) %}x{% endfor %}{% endfor %}"

    data: Any = templated(payload(), channel("\n\n  one\n two " + long, long))["data"]

    assert data["title"].startswith("one two xxx")
    assert (len(data["title"]), data["title"][-1]) == (TITLE_CHARS, "…")
    assert len(data["text"]) == TEXT_CHARS
    assert data["text"].endswith("x… (the whole: driftwatch diff files)")


def test_a_template_that_gives_nothing_leaves_our_own_words() -> None:
    done = rendered(payload(), channel("{% if drill %}x{% endif %}", "{{ reason }}\n"))

    assert (done.payload["data"]["title"], done.payload["data"]["text"], done.trouble) == (None, None, "")


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("a\n{{ findings[7].rule }}", "line 2: tuple object has no element 7"),
        ("{{ labels.nope }}", "has no attribute 'nope'"),
        ("{{ 1 / 0 }}", "line 1: ZeroDivisionError"),
        ("{{ findings }}", "a list is no text: name a part of it, or use join"),
        ("{% for a in range(999) %}{% for b in range(999) %}{% endfor %}{% endfor %}", "more than 50000 steps"),
        ("{{ 'x' * 1000000000 }}", "more than 40000 characters"),
        ("{% set n = namespace(s='x') %}{% for a in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}", "40000"),
        ("{{ labels.__class__ }}", "unsafe"),
    ],
)
def test_a_template_that_fails_costs_no_message_and_says_why(template: str, why: str) -> None:
    given = payload()

    done = rendered(given, channel("{{ server }}", template))

    assert done.payload["data"] == {**given["data"], "title": "files", "text": None, "template_trouble": done.trouble}
    assert done.trouble.startswith("body: ")
    assert trouble_of(done.payload) == done.trouble
    VALIDATOR.validate(json.loads(encode(done.payload)))
    assert why in done.trouble


def test_why_a_template_failed_stands_in_the_log() -> None:
    given = rendered(payload(), channel("{{ server }}", "\n{{ findings[7].rule }}")).payload
    row = Delivery("msg_1", "ops", "files", "alr_1", EventKind.OPENED, given)
    fine = replace(row, id="msg_2", payload=rendered(payload(), channel("{% if drill %}x{% endif %}")).payload)

    with capture_logs() as logs:
        report_templates([row, fine])

    (line,) = logs
    assert (line["channel"], line["delivery"]) == ("ops", "msg_1")
    assert line["reason"].startswith("body: line 2: ")


def test_why_a_template_failed_rings_nobody_and_shows_no_variable() -> None:
    given = payload(alert(finding(EVIL)))
    secret = Filled("{{ labels['hunter2'] }}", shown="${TEMPLATE}")

    loud = rendered(given, channel("{{ labels[findings[0].item] }}"))
    filled = rendered(given, channel(secret))

    assert [sign for sign in SIGNS if sign in loud.trouble] == []
    assert filled.trouble == "title: it cannot be rendered"


@pytest.mark.parametrize(
    ("template", "about"),
    [
        ("{{ findings[0].rule }}", "a server that cannot be looked at"),
        ("{{ findings and findings[0].spans[0].text }}", "an update"),
        ("{{ acknowledged.by }}", "a difference"),
        ("{% if alerts %}{{ alerts[0].rulez }}{% endif %}", "a message about several alerts"),
        ("{% if state == 'resolved' %}{{ 1 / 0 }}{% endif %}", "the end of an alert"),
        ("{% if kind == 'daemon' %}{{ counts.looks }}{% endif %}", "looks that do not work"),
        ("{% for f in findings %}{{ f.after }}{% endfor %}", "an item that was added"),
        ("{% for f in findings %}{{ f.before[:80] }}{% endfor %}", "an update"),
        ("{% for f in findings if f.before %}{{ f.before|replace('a', 'b') }}{% endfor %}", "a list that changed"),
        ("{% for f in findings if f.rule != 'item-added' %}{{ f.after }}{% endfor %}", "a list that"),
        ("{% for f in findings if f.before %}{{ f.before|length }}{% endfor %}", "a hint that changed"),
        ("{% for f in findings if f.rule == 'item-removed' %}{{ f.before ~ '' }}{% endfor %}", "an item that is gone"),
    ],
)
def test_a_check_tries_messages_of_every_kind(template: str, about: str) -> None:
    (fault,) = check(channel(title="{{ severity }}", body=template))

    assert fault.key == "body"
    assert fault.message.startswith(f"fails on {about}")
    assert ": line 1: " in fault.message


def test_a_template_that_asks_for_the_sort_of_a_value_passes_the_check() -> None:
    (shown,) = re.findall(r"^`(\{% if one\.before is string .*)`\.$", DOCUMENT, re.MULTILINE)

    assert list(check(channel(body="{% for one in findings %}" + shown + "{% endfor %}"))) == []


def test_the_rules_of_what_is_made_up_exist() -> None:
    first, _ = drill("ops", new_id=lambda: "alr_1", severity=Severity.LOW, now=NOW)
    named = {one["rule"] for _, given in samples() for one in given["data"].get("findings", ())}  # type: ignore[union-attr,call-overload,index]

    assert {*named, *(one.rule for one in first.alert.findings)} <= {rule.id for rule in RULES}
    assert len(named) > 3


def test_templates_that_work_on_everything_pass_the_check() -> None:
    title = "{% if drill %}DRILL {% endif %}[{{ severity|upper }}] {{ server or route or 'driftwatch' }}"

    assert list(check(channel())) == []
    assert list(check(channel(title, "{{ summary }}{% for f in findings %}\n{{ f.rule }}{% endfor %}"))) == []


def test_what_the_document_shows_and_names_is_so() -> None:
    (example,) = re.findall(r"^## Your own words\n.*?```toml\n(.*?)```", DOCUMENT, re.DOTALL | re.MULTILINE)
    written = tomllib.loads(example)["channels"]["team"]

    own = channel(written["title"], written["body"])

    assert list(check(own)) == []
    data: Any = templated(payload(), own)["data"]
    assert data["title"] == "HIGH: files, opened"
    assert "- high hint-loosened in read_file: a hint is looser" in data["text"]
    for word in (*NAMES, *environment().filters, "startswith", "removesuffix", "items", "get"):
        assert word.startswith("_") or word == "d" or f"`{word}`" in DOCUMENT, word
    assert (f"{STEPS:,} steps" in DOCUMENT, f"{LONGEST:,} characters" in DOCUMENT) == (True, True)


def test_what_is_wrong_is_said_with_its_place() -> None:
    assert list(warnings_of([channel(), channel(body="{{ findings[0].rule }}")])) == [
        (
            "channels.ops.body: fails on a server that cannot be looked at: line 1: tuple object has no element 0; "
            "such messages come in driftwatch's own words — see docs/channels.md"
        )
    ]


def test_the_samples_are_messages_as_they_are_sent() -> None:
    for _, given in samples():
        VALIDATOR.validate(json.loads(encode(given)))
