"""What people live through with alerts: silences, acknowledgements, reminders, escalation. Each by both ways to act."""

from __future__ import annotations

from contracts.channel import status
from stories import APPROVED, LONGER, LOOSENED, POISONED, REWORDED, Story

from driftwatch.model import DeliveryState

HOURLY = '[alerts]\nremind_every = "1h"'
FROM_LOW = f'{HOURLY}\nremind_from = "low"'


# Silences


def test_what_was_silenced_before_it_changed_is_told_once_when_the_silence_ends(story: Story) -> None:
    story.begin("ops", rest=HOURLY)
    story.hands.silence(server="files", severity="high", hours=2)

    story.drift(*LOOSENED)
    story.check(minutes=50)
    during = story.heard()
    kept_back = story.alert()
    story.check(hours=1.5)
    after = story.heard()
    story.check(minutes=5, times=2)

    assert during == []
    assert (kept_back.state, kept_back.silenced > 0) == ("open", True)
    assert after == ["opened high"]
    assert story.heard() == []
    assert story.alert().silenced == 0


def test_what_is_gone_before_its_silence_ends_is_never_told(story: Story) -> None:
    story.begin("ops")
    story.hands.silence(server="files", severity="high", hours=2)

    story.drift(*LOOSENED)
    story.show(*APPROVED)
    story.check(minutes=5)
    story.check(hours=3)

    assert story.heard() == []
    assert story.hands.alerts() == []


def test_a_silence_after_the_alert_stops_reminders_and_updates_of_what_fits_and_nothing_worse(story: Story) -> None:
    story.begin("ops", rest=FROM_LOW)
    story.drift(*REWORDED)
    told = story.heard()
    story.hands.silence(server="files", severity="low", hours=5)

    story.check(hours=2)
    story.show(*LONGER)
    story.check(minutes=5)
    fits = story.heard()
    story.show(*LOOSENED)
    story.check(minutes=5)
    worse = story.bodies()

    assert told == ["opened low"]
    assert fits == []
    assert [(event, data["severity"]) for event, data in worse] == [("updated", "high")]
    assert {one["severity"] for one in worse[0][1]["findings"]} == {"high"}


def test_what_was_told_before_it_was_silenced_is_told_again_when_the_silence_ends(story: Story) -> None:
    story.begin("ops")
    story.drift(*LOOSENED)
    first = story.heard()
    story.hands.silence(server="fil*", rule="hint-*", severity="critical", hours=1)

    story.check(minutes=30)
    during = story.heard()
    story.check(hours=1)
    again = story.bodies()
    story.check(minutes=5)

    assert (first, during) == (["opened high"], [])
    assert [(event, data["reason"]) for event, data in again] == [("updated", "silence-ended")]
    assert story.heard() == []


def test_the_end_of_an_alert_reaches_those_who_were_told_also_while_it_is_silenced(story: Story) -> None:
    story.begin("ops", "quiet")
    story.drift(*LOOSENED)
    story.heard()
    story.hands.silence(server="files", severity="critical", hours=5)
    story.check(minutes=5)

    story.show(*APPROVED)
    story.check(minutes=5)

    assert story.heard("ops") == ["resolved high"]


def test_a_silence_that_a_person_ends_early_tells_at_once(story: Story) -> None:
    story.begin("ops")
    silence = story.hands.silence(server="files", severity="high", hours=200)
    story.drift(*LOOSENED)
    during = story.heard()

    story.hands.unsilence(silence)
    story.check(minutes=1)

    assert during == []
    assert story.heard() == ["opened high"]


def test_a_silence_for_one_tool_lets_another_one_be_told_alone(story: Story) -> None:
    story.begin("ops")
    story.hands.silence(tool="list_files", severity="critical", hours=2)

    story.show(LOOSENED[0], {**LOOSENED[0], "name": "find_file"})
    story.check(minutes=5)

    (told,) = story.bodies()
    assert {one["item"] for one in told[1]["findings"]} <= {"find_file", ""}


# Acknowledging


def test_an_acknowledgement_goes_to_those_who_can_use_it_and_ends_the_reminders(story: Story) -> None:
    story.begin("ops", others=EVERY_KIND, rest=f'{HOURLY}\nchannel_after = "30d"')
    alert = story.drift(*LOOSENED)
    story.check(hours=1.1)
    before = story.heard()

    story.hands.acknowledge(alert, by="ana", note="it is the roll-out")
    story.check(hours=5)
    after = story.bodies()

    events = {name: [row.event.value for row in story.rows(name)] for name in ("pager", "chat", "am", "mail", "ntfy")}
    assert before == ["opened high", "reminded high"]
    assert [(event, data["acknowledged"]["by"], data["acknowledged"]["note"]) for event, data in after] == [
        ("acknowledged", "ana", "it is the roll-out")
    ]
    assert {name for name, told in events.items() if "acknowledged" in told} == {"pager", "chat"}
    assert all(told[0] == "opened" for told in events.values())
    assert (story.alert().state, story.alert().acknowledged_by) == ("acknowledged", "ana")


def test_a_difference_that_grows_after_it_was_acknowledged_is_open_again_and_waits_anew(story: Story) -> None:
    story.begin("ops", rest=HOURLY)
    alert = story.drift(*LOOSENED)
    story.hands.acknowledge(alert, by="ana", note="")
    story.check(hours=3)
    story.heard()

    story.show(*POISONED)
    story.check(minutes=5)
    grown = story.heard()
    again = story.alert()
    story.check(minutes=50)
    soon = story.heard()
    story.check(minutes=15)

    assert grown == ["updated high"]
    assert (again.id, again.state, again.acknowledged_by) == (alert, "open", None)
    assert (soon, story.heard()) == ([], ["reminded high"])


def test_acknowledging_twice_tells_once(story: Story) -> None:
    story.begin("ops")
    alert = story.drift(*LOOSENED)
    story.heard()

    story.hands.acknowledge(alert, by="ana", note="")
    story.hands.acknowledge(alert, by="bob", note="me too")
    story.check(minutes=1, times=2)

    assert story.heard() == ["acknowledged high"]
    assert story.alert().acknowledged_by == "ana"


def test_what_was_acknowledged_and_is_over_between_two_checks_is_told_in_order(story: Story) -> None:
    story.begin("ops")
    alert = story.drift(*LOOSENED)
    story.heard()

    story.hands.acknowledge(alert, by="ana", note="")
    story.show(*APPROVED)
    story.check(minutes=1)

    assert story.heard() == ["acknowledged high", "resolved high"]


# Reminders and escalation


def test_reminders_come_at_their_interval_until_the_alert_is_over(story: Story) -> None:
    story.begin("ops", rest=HOURLY)
    story.drift(*LOOSENED)
    story.check(minutes=20, times=6)
    during = story.heard()
    story.show(*APPROVED)
    story.check(minutes=5)
    end = story.heard()
    story.check(hours=3)

    assert during == ["opened high", "reminded high", "reminded high"]
    assert (end, story.heard()) == (["resolved high"], [])


def test_reminders_that_could_not_be_sent_do_not_come_together_or_after_an_answer(story: Story) -> None:
    story.begin("ops", rest=HOURLY)
    alert = story.drift(*LOOSENED)
    told = story.heard()
    story.receivers["ops"].usual = status(503)
    story.check(hours=1.1, times=5)
    waiting = [row.event for row in story.rows("ops") if row.state is DeliveryState.PENDING]
    story.heard()

    story.hands.acknowledge(alert, by="ana", note="on it")
    story.receivers["ops"].usual = status(204)
    story.check(hours=2, times=2)

    assert (told, waiting) == (["opened high"], ["reminded"])
    assert story.heard() == ["acknowledged high"]
    assert [row.last_result for row in story.rows("ops") if row.state is DeliveryState.CANCELLED] == [
        "somebody acknowledged the alert before this was sent"
    ]


def test_nobody_is_reminded_of_what_is_less_than_high_or_of_what_they_were_not_told(story: Story) -> None:
    picky = '[channels.picky]\nkind = "command"\ncommand = "true"\nmin_severity = "critical"'
    story.begin("ops", rest=f"{HOURLY}\n{picky}")
    story.drift(*REWORDED)
    story.check(hours=1.1, times=2)
    low = story.heard()
    story.show(*LOOSENED)
    story.check(minutes=5)
    story.check(hours=1.1)

    assert low == ["opened low"]
    assert story.heard() == ["updated high", "reminded high"]
    assert story.rows("picky") == []


def test_nobody_is_reminded_of_what_is_silenced(story: Story) -> None:
    story.begin("ops", rest=HOURLY)
    story.drift(*LOOSENED)
    story.hands.silence(server="files", severity="high", hours=4)
    story.check(hours=1.1, times=3)
    during = story.heard()
    story.check(hours=1.1)
    ended = story.heard()

    assert during == ["opened high"]
    assert ended == ["updated high"]


def test_a_clock_that_is_set_back_reminds_once_and_then_at_its_interval(story: Story) -> None:
    story.begin("ops", rest=HOURLY)
    story.drift(*LOOSENED)
    story.heard()

    story.clock.forward(-6 * 3600)
    story.check(minutes=10, times=5)
    first = story.heard()
    story.check(minutes=20)

    assert first == ["reminded high"]
    assert story.heard() == ["reminded high"]


def test_what_nobody_acknowledges_is_passed_on_once_and_those_hear_the_rest_of_it(story: Story) -> None:
    story.begin("ops", "boss", rest=PASSED_ON)
    story.drift(*LOOSENED)
    story.check(minutes=20)
    before = story.heard("boss")
    story.check(minutes=15, times=3)
    passed_on = story.bodies("boss")
    story.show(*POISONED)
    story.check(minutes=5)
    story.show(*APPROVED)
    story.check(minutes=5)

    assert before == []
    assert [(event, data["severity"]) for event, data in passed_on] == [("opened", "high")]
    assert "passed on" in passed_on[0][1]["summary"]
    assert story.heard("boss") == ["updated high", "resolved high"]
    assert story.heard("ops") == ["opened high", "updated high", "resolved high"]


def test_what_was_acknowledged_in_time_is_not_passed_on(story: Story) -> None:
    story.begin("ops", "boss", rest=PASSED_ON)
    alert = story.drift(*LOOSENED)
    story.hands.acknowledge(alert, by="ana", note="")
    story.check(hours=2)

    assert story.heard("boss") == []
    assert story.heard("ops") == ["opened high", "acknowledged high"]


NOBODY_THERE = """
[channels.pager]
kind = "pagerduty"
routing_key = "0123456789abcdef0123456789abcdef"
url = "http://127.0.0.1:9/"
[channels.chat]
kind = "slack"
url = "http://127.0.0.1:9/"
[channels.am]
kind = "alertmanager"
url = "http://127.0.0.1:9"
[channels.mail]
kind = "email"
host = "127.0.0.1"
port = 9
security = "none"
sender = "driftwatch@example.com"
to = ["ana@example.com"]
"""
"""Channels whose destinations take nothing and may take it later."""

EVERY_KIND = f"""{NOBODY_THERE}
[channels.ntfy]
kind = "apprise"
url = "json://127.0.0.1:9"
"""

PASSED_ON = """
[routes.default]
channels = ["ops"]
escalate_after = "30m"
escalate_to = ["boss"]
"""


def test_what_was_silenced_waits_for_an_answer_from_when_it_was_told(story: Story) -> None:
    story.begin("ops", "boss", rest=PASSED_ON)
    story.hands.silence(server="files", severity="high", hours=5)
    story.drift(*LOOSENED)
    story.check(hours=5)
    story.check(minutes=20)
    soon = (story.heard("ops"), story.heard("boss"))
    story.check(minutes=15)

    assert soon == (["opened high"], [])
    assert story.heard("boss") == ["opened high"]


def test_what_grows_until_it_is_told_waits_for_an_answer_from_then_on(story: Story) -> None:
    story.begin("ops", "boss", rest=PASSED_ON, hook='min_severity = "high"')
    story.drift(*REWORDED)
    story.check(hours=5)
    story.show(*LOOSENED)
    story.check(minutes=5)
    story.check(minutes=20)
    soon = (story.heard("ops"), story.heard("boss"))
    story.check(minutes=15)

    assert soon == (["opened high"], [])
    assert story.heard("boss") == ["opened high"]


def test_what_was_not_bad_enough_to_be_passed_on_is_once_it_grows(story: Story) -> None:
    bad = '\n[routes.bad]\nmin_severity = "high"\nchannels = ["ops"]\nescalate_after = "30m"\nescalate_to = ["boss"]'
    story.begin("ops", "boss", rest=f'[routes.default]\nchannels = ["ops"]{bad}')
    story.drift(*REWORDED)
    story.check(hours=1, times=2)
    story.show(*LOOSENED)
    story.check(minutes=5)
    story.check(minutes=35)

    assert story.heard("boss") == ["opened high"]


def test_a_channel_that_gave_up_keeps_nobody_else_from_being_reminded(story: Story) -> None:
    # A service of Apprise that is not there is one more to try again, and takes a second each time.
    story.begin("ops", others=NOBODY_THERE, rest=f'{HOURLY}\nchannel_after = "30d"\n[channels.gone]\n{GONE}')
    story.drift(*LOOSENED)
    story.check(minutes=20, times=4)

    assert [row.state.value for row in story.rows("gone")] == ["dead"]
    assert ("reminded", "drift") in [(event, data["kind"]) for event, data in story.bodies()]


GONE = """
kind = "command"
command = "sh"
args = ["-c", "exit 65"]
"""
