"""Routes and what becomes of alerts: what they refuse, what they lead to, and what is surely a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.policy import Known
from driftwatch.config.routes import DEFAULT
from driftwatch.config.schema import Settings
from driftwatch.config.words import InvalidConfigError
from driftwatch.model import AlertKind, Severity

BASE = """
[servers.pay-api]
url = "https://pay.example.com/mcp"
labels = {team = "payments"}
[servers.docs]
url = "https://docs.example.com/mcp"
labels = {team = "${TEAM}"}
[channels.team]
kind = "slack"
url = "https://chat.example.com/x"
[channels.pager]
kind = "pagerduty"
routing_key = "k"
axes = ["security"]
areas = ["text"]
"""
LOUD = """
[channels.phone]
kind = "pagerduty"
routing_key = "k"
min_severity = "high"
"""
LOUDER = LOUD.replace("phone", "siren").replace("high", "critical")


def settings(lines: str, base: Path, *, secrets: bool = True, **environ: str) -> Settings:
    known = Known(areas=["hints", "text"])
    given = {"TEAM": "web", **environ} if secrets else {}
    return parse(BASE + lines, given, base=base, secrets=secrets, known=known)


def route(lines: str, name: str = "some") -> str:
    return f"[routes.{name}]\n{lines}\n"


def problems(lines: str, base: Path, **environ: str) -> list[str]:
    with pytest.raises(InvalidConfigError) as caught:
        settings(lines, base, **environ)
    return [str(problem) for problem in caught.value.problems]


def warned(lines: str, base: Path) -> list[str]:
    """Give the warnings about routes, alerts and channels."""
    found = settings(lines, base).warnings
    return [line for line in found if line.startswith(("routes", "alerts", "channels"))]


def test_a_route_is_read_with_all_that_it_may_say(tmp_path: Path) -> None:
    lines = route(
        """
        servers = ["pay-*", "docs"]
        labels = {team = "pay*"}
        kinds = ["drift", "health"]
        min_severity = "high"
        axes = ["security"]
        areas = ["text"]
        channels = ["team"]
        window = "2m"
        escalate_after = "30m"
        escalate_to = ["pager"]
        """
    )

    (read,) = settings(lines, tmp_path).routes

    assert read.kinds == (AlertKind.DRIFT, AlertKind.HEALTH)
    assert (read.name, read.window, read.escalate_after, read.min_severity) == ("some", 120.0, 1800.0, Severity.HIGH)
    assert (read.channels, read.escalate_to) == (("team",), ("pager",))


@pytest.mark.parametrize("nothing", ["0", "0.0", "'0s'", "'0m'"])
def test_a_time_of_nothing_turns_a_window_and_an_escalation_off(nothing: str, tmp_path: Path) -> None:
    lines = route(f"channels = ['team']\nwindow = {nothing}\nescalate_after = {nothing}")

    read = settings(lines + f"[alerts]\nremind_every = {nothing}", tmp_path)

    assert (read.routes[0].window, read.routes[0].escalate_after, read.alerts.remind_every) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("channels = []", "channels: names nothing — name one at least"),
        ("servers = ['docs']", "channels: is missing — The channels that are told."),
        ("channels = 'team'", "channels: expected an array, found a string"),
        ("channels = [3]", "channels[0]: expected a string, found an integer"),
        ("channels = ['team', 'teem']", 'channels[1]: no channel is called "teem" — did you mean team?'),
        ("channels = ['zzz']", 'channels[0]: no channel is called "zzz" — known here: team, pager'),
        ("channels = ['a b']", 'channels[0]: "a b" cannot be a name — start with a letter or digit'),
        ("channels = ['${NONE}']", "channels[0]: the environment variable NONE is not set"),
        ("channels = ['${WORD}']", 'channels[0]: no channel is called "${WORD}"'),
        ("chanels = ['team']\nchannels = ['team']", 'chanels: unknown key "chanels" — did you mean channels?'),
        (
            "channels = ['team']\nescalate_after = '1h'\nescalate_to = ['pagr']",
            'escalate_to[0]: no channel is called "pagr" — did you mean pager?',
        ),
        ("channels = ['team']\nescalate_after = '1h'", "escalate_to: escalate_after and escalate_to go together"),
        ("channels = ['team']\nescalate_to = ['pager']", "escalate_after: escalate_after and escalate_to go together"),
        (
            "channels = ['team']\nescalate_after = '0s'\nescalate_to = ['pager']",
            "escalate_after: escalate_after and escalate_to go together — write both, or neither",
        ),
        ("channels = ['team']\nwindow = -1", "window: must be more than zero"),
        ("channels = ['team']\nwindow = '2 minutes'", 'window: "2 minutes" is not a duration'),
        ("channels = ['team']\nwindow = false", "window: a boolean that is not a duration"),
        ("channels = ['team']\nareas = ['txt']", 'areas[0]: no area of rules is called "txt" — did you mean text?'),
        ("channels = ['team']\nareas = ['${WORD}']", 'areas[0]: no area of rules is called "${WORD}"'),
        ("channels = ['team']\nareas = ['${NONE}']", "areas[0]: the environment variable NONE is not set"),
        ("channels = ['team']\naxes = ['safety']", "axes[0]: is not one of the words that are known here"),
        ("channels = ['team']\nkinds = ['drifts']", "kinds[0]: is not one of the words that are known here"),
        ("channels = ['team']\nmin_severity = 'bad'", "min_severity: is not one of the words"),
        ("channels = ['team']\nlabels = {team = 3}", "labels.team: expected a string, found an integer"),
        ("channels = ['team']\nname = 'x'", 'name: unknown key "name" — the name stands in the table\'s header'),
    ],
)
def test_what_a_route_refuses(lines: str, problem: str, tmp_path: Path) -> None:
    (said,) = problems(route(lines), tmp_path, WORD="w4711")

    assert said.startswith(f"routes.some.{problem}")
    assert "4711" not in said


@pytest.mark.parametrize(
    "line",
    ["servers = ['docs']", "labels = {team = 'x'}", "kinds = ['drift']", "min_severity = 'low'", "axes = ['security']",
     "areas = ['text']"],
)  # fmt: skip
def test_the_default_route_cannot_choose(line: str, tmp_path: Path) -> None:
    (said,) = problems(route(f"channels = ['team']\n{line}", DEFAULT), tmp_path)

    assert said == (
        f"routes.default.{line.split(maxsplit=1)[0]}: the default route takes what no other one does, so it cannot"
        " choose — take it out, or give the route another name"
    )


def test_the_default_route_may_say_that_it_takes_everything(tmp_path: Path) -> None:
    lines = route("channels = ['team']\nservers = []\nmin_severity = 'info'\nwindow = '1m'", DEFAULT)

    assert settings(lines, tmp_path).routes[0].window == 60.0


def test_without_a_default_route_what_no_other_takes_goes_to_every_channel(tmp_path: Path) -> None:
    ways = settings(route("channels = ['team']"), tmp_path).ways

    assert [(way.name, way.channels) for way in ways] == [("some", ("team",)), (DEFAULT, ("team", "pager"))]


def test_the_default_route_is_the_last_wherever_it_stands(tmp_path: Path) -> None:
    lines = route("channels = ['team']", DEFAULT) + route("channels = ['pager']")

    assert [way.name for way in settings(lines, tmp_path).ways] == ["some", DEFAULT]


def test_routes_are_read_where_the_secrets_are_not_to_be_had(tmp_path: Path) -> None:
    lines = route("channels = ['team']\nservers = ['${NONE}']\nlabels = {a = '${NONE}'}\nwindow = '${NONE}'")

    read = settings(
        lines + "[alerts]\nheartbeat_url = {env = 'NONE'}\nblind_after = '${NONE}'", tmp_path, secrets=False
    )

    assert (read.routes[0].window, read.alerts.blind_after) == (0.0, 3600.0)
    with pytest.raises(InvalidConfigError, match=r"routes\.some\.channels\[0\]: the environment variable NONE is not"):
        settings(route("channels = ['${NONE}']"), tmp_path, secrets=False)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("remind_from = 'bad'", "remind_from: is not one of the words"),
        ("remind_evry = 3", 'remind_evry: unknown key "remind_evry" — did you mean remind_every?'),
        ("channel_after = 0", "channel_after: must be more than zero"),
        ("blind_after = 0", "blind_after: must be more than zero"),
        ("heartbeat_every = 0", "heartbeat_every: must be more than zero"),
        ("heartbeat_url = 'ping.example.com/4711'", "heartbeat_url: a URL without a scheme"),
        ("heartbeat_url = {env = 'NONE'}", "heartbeat_url: the environment variable NONE is not set"),
    ],
)
def test_what_alerts_refuse(lines: str, problem: str, tmp_path: Path) -> None:
    (said,) = problems(f"[alerts]\n{lines}\n", tmp_path)

    assert said.startswith(f"alerts.{problem}")
    assert "4711" not in said


def test_the_address_of_the_heartbeat_is_never_shown(tmp_path: Path) -> None:
    read = settings("[alerts]\nheartbeat_url = 'http://ping.example.com/4711'", tmp_path)

    assert "4711" not in read.model_dump_json() + repr(read) + " ".join(read.warnings)
    assert read.alerts.heartbeat_url is not None
    assert read.alerts.heartbeat_url.reveal() == "http://ping.example.com/4711"


@pytest.mark.parametrize(
    ("lines", "warning"),
    [
        (
            route("channels = ['team']\nservers = ['pya-*']"),
            "routes.some.servers: no server fits the servers of this route — correct it, or take it out",
        ),
        (
            route("channels = ['team']\nlabels = {taem = 'payments'}"),
            "routes.some.labels: no server fits the labels of this route — correct it, or take it out",
        ),
        (
            route("channels = ['team']\nservers = ['pay-*']\nlabels = {team = 'web'}"),
            "routes.some.servers: no server fits the servers and labels of this route — correct it, or take it out",
        ),
        (
            route("channels = ['pager']\naxes = ['contract']"),
            "routes.some.axes: its channels ask for other axes, so they hear of no finding — change either",
        ),
        (
            route("channels = ['pager']\nareas = ['hints']"),
            "routes.some.areas: its channels ask for other areas, so they hear of no finding — change either",
        ),
        (
            route("channels = ['team']\nwindow = '10m'\nescalate_after = '5m'\nescalate_to = ['pager']"),
            "routes.some.escalate_after: it ends within the window of 10m, before anybody was told — make it longer",
        ),
        (
            LOUD + LOUDER + route("channels = ['phone', 'siren']\nservers = ['pay-*']"),
            (
                "routes.some.min_severity: it takes what is milder than high from the default route, and its channels"
                ' hear of none of that — write min_severity = "high"'
            ),
        ),
        (
            LOUDER + route("channels = ['siren']\nmin_severity = 'high'"),
            (
                "routes.some.min_severity: it takes what is milder than critical from the default route, and its"
                ' channels hear of none of that — write min_severity = "critical"'
            ),
        ),
        (
            route("channels = ['team']\nservers = ['[p]ay-api']"),
            "routes.some.servers: no server fits the servers of this route — correct it, or take it out",
        ),
        (
            route("channels = ['team']", DEFAULT),
            "channels.pager: no route leads to it, so it is told of nothing — name it in the channels of a route",
        ),
        (
            "[alerts]\nheartbeat_url = 'http://ping.example.com/x'",
            (
                "alerts.heartbeat_url: this is http, so anyone on the way can read it, and call it when"
                " driftwatch does not — use https"
            ),
        ),
    ],
)
def test_what_is_surely_a_mistake_is_warned_of(lines: str, warning: str, tmp_path: Path) -> None:
    assert warned(lines, tmp_path) == [warning]


@pytest.mark.parametrize(
    "lines",
    [
        "",
        route("channels = ['team']\nservers = ['pay-*']\nlabels = {team = 'pay*'}"),
        route("channels = ['team']\nlabels = {team = 'whatever-the-variable-holds'}"),
        route("channels = ['team', 'pager']\naxes = ['contract']\nareas = ['hints']"),
        route("channels = ['team']\nescalate_after = '5m'\nescalate_to = ['pager']", DEFAULT),
        route("channels = ['team']\nkinds = ['daemon']"),
        LOUD + route("channels = ['phone']\nmin_severity = 'high'"),
        LOUD + route("channels = ['phone', 'team']\nservers = ['pay-*']"),
        LOUD + route("channels = ['phone']\nescalate_after = '1h'\nescalate_to = ['team']"),
        LOUD + LOUDER + route("channels = ['siren', 'team', 'pager', 'phone']", DEFAULT),
        LOUD
        + LOUDER
        + route("channels = ['team', 'pager']\naxes = ['contract']")
        + route("channels = ['phone', 'siren']", DEFAULT),
        LOUD
        + route("channels = ['phone']\naxes = ['security']")
        + route("channels = ['phone', 'team', 'pager']", "b")
        + route("channels = ['phone']", DEFAULT),
        "[alerts]\nheartbeat_url = 'http://127.0.0.1:8000/x'",
    ],
)
def test_what_may_be_meant_is_not_warned_of(lines: str, tmp_path: Path) -> None:
    assert warned(lines, tmp_path) == []
