from __future__ import annotations

from pathlib import Path

import pytest
from store_world import (
    MINUTE,
    START,
    Clock,
    alert,
    delivery,
    digest_of,
    dump,
    finding,
    look,
    review,
    row_counts,
    snapshot,
    told,
    tool,
)

from driftwatch.errors import BaselineMovedError, UnknownDigestError
from driftwatch.model import AlertKind, AlertState, Baseline, BaselineState, Decision, EventKind, Package, PackageNews
from driftwatch.store import Store

FIRST = snapshot(tool("read"), tool("write"))
SECOND = snapshot(tool("read", description="More."), tool("write"))
SHORT = snapshot(tool("write"))


def test_the_first_list_seen_stands_in_as_a_provisional_baseline(store: Store) -> None:
    store.record_look(look("git", FIRST))

    assert store.baseline("git") == Baseline("git", FIRST.digest, BaselineState.PROVISIONAL, START)


def test_a_look_that_does_not_ask_for_it_sets_no_baseline(store: Store) -> None:
    store.record_look(look("git", FIRST, become_provisional=False))

    assert store.baseline("git") is None


def test_looking_never_moves_a_baseline(store: Store) -> None:
    store.record_look(look("git", FIRST))
    before = store.baselines("git")

    store.record_look(look("git", SECOND, baseline=FIRST.digest, become_provisional=True))

    assert store.baselines("git") == before
    assert store.state("git").baseline == before[0]


def test_approving_the_stand_in_makes_it_approved_and_keeps_the_history(store: Store) -> None:
    store.record_look(look("git", FIRST))

    store.approve(review(FIRST.digest, note="read it all", at=START + MINUTE), expected_baseline=FIRST.digest)

    approved = Baseline("git", FIRST.digest, BaselineState.APPROVED, START + MINUTE, by="ana", note="read it all")
    assert store.baseline("git") == approved
    assert store.baselines("git") == [Baseline("git", FIRST.digest, BaselineState.PROVISIONAL, START), approved]
    assert store.reviews("git") == [review(FIRST.digest, note="read it all", at=START + MINUTE)]


def test_approving_another_snapshot_closes_the_old_baseline(store: Store) -> None:
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest))
    store.approve(review(FIRST.digest), expected_baseline=FIRST.digest)

    store.approve(review(SECOND.digest, at=START + MINUTE), expected_baseline=FIRST.digest)

    assert [each.digest for each in store.baselines("git")] == [FIRST.digest, FIRST.digest, SECOND.digest]
    assert store.state("git").baseline == store.baseline("git")
    with pytest.raises(BaselineMovedError):
        store.record_look(look("git", FIRST, baseline=FIRST.digest))


def test_approving_what_is_approved_keeps_the_review_and_leaves_the_baseline(store: Store) -> None:
    store.record_look(look("git", FIRST))
    store.approve(review(FIRST.digest), expected_baseline=FIRST.digest)
    before = store.baselines("git")

    store.approve(review(FIRST.digest, by="ben"), expected_baseline=FIRST.digest)

    assert store.baselines("git") == before
    assert [each.by for each in store.reviews("git")] == ["ana", "ben"]


def test_a_snapshot_of_another_server_cannot_be_approved_or_rejected(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST))
    store.record_look(look("other", SECOND))
    before = dump(file)

    for digest in (SECOND.digest, digest_of("never seen"), "", FIRST.digest[:20]):
        with pytest.raises(UnknownDigestError):
            store.approve(review(digest), expected_baseline=FIRST.digest)
        with pytest.raises(UnknownDigestError):
            store.reject(review(digest, decision=Decision.REJECTED))

    assert dump(file) == before


def test_an_approval_that_rests_on_an_old_view_writes_nothing(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest))
    before = dump(file)

    with pytest.raises(BaselineMovedError):
        store.approve(review(FIRST.digest), expected_baseline=SECOND.digest)
    with pytest.raises(BaselineMovedError):
        store.approve(review(FIRST.digest), expected_baseline=FIRST.digest, expected_digest=FIRST.digest)

    assert dump(file) == before


def test_an_approval_resolves_the_alert_and_tells_of_it_in_one_transaction(store: Store) -> None:
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest, alert=(told(alert(), delivery()),)))
    over = alert(state=AlertState.RESOLVED, resolved_at=START + MINUTE, reason="approved")

    new = store.approve(
        review(SECOND.digest),
        expected_baseline=FIRST.digest,
        alert=told(over, delivery("msg_2", event=EventKind.RESOLVED), event=EventKind.RESOLVED),
    )

    assert new == ("msg_2",)
    assert store.open_alert("git", AlertKind.DRIFT) is None
    assert store.alerts() == [over]


def test_an_approval_whose_alert_cannot_be_written_moves_no_baseline(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest, alert=(told(alert()),)))
    before = dump(file)

    with pytest.raises(BaselineMovedError):
        store.approve(review(SECOND.digest), expected_baseline=FIRST.digest, alert=told(alert("alr_other")))

    assert dump(file) == before


def test_an_alert_that_a_look_resolved_meanwhile_does_not_stop_an_approval(store: Store) -> None:
    ended = alert(state=AlertState.RESOLVED, resolved_at=START, reason="back-to-baseline")
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest, alert=(told(alert()),)))
    store.record_look(look("git", FIRST, baseline=FIRST.digest, alert=(told(ended),)))
    over = alert(state=AlertState.RESOLVED, resolved_at=START, reason="approved")

    new = store.approve(review(SECOND.digest), expected_baseline=FIRST.digest, alert=told(over, delivery()))

    assert new == ()
    assert store.alerts() == [ended]
    assert store.deliveries() == []


def test_an_approval_keeps_the_judgement_that_comes_with_it(store: Store) -> None:
    store.record_look(look("git", FIRST, findings=(finding("old"),)))
    store.record_look(look("git", SECOND, baseline=FIRST.digest, findings=(finding("old"),)))

    store.approve(
        review(FIRST.digest),
        expected_baseline=FIRST.digest,
        expected_digest=SECOND.digest,
        judged="anew",
        findings=(finding("new"),),
    )

    assert store.state("git").judged == "anew"
    assert store.findings("git") == (finding("new"),)


def test_an_approval_without_a_judgement_makes_the_next_look_judge_again(store: Store) -> None:
    store.record_look(look("git", FIRST, findings=(finding(),)))

    store.approve(review(FIRST.digest), expected_baseline=FIRST.digest)

    assert store.state("git").judged.startswith("news ")
    assert store.findings("git") == ()


def test_news_that_came_while_an_approval_was_judged_makes_the_next_look_judge_again(store: Store) -> None:
    store.record_look(look("git", FIRST))
    before = store.state("git")
    news = PackageNews(Package("npm", "git-mcp"), START, latest="2.0.0")
    store.record_package_news(news, used_by=["git"])

    store.approve(
        review(FIRST.digest), expected_baseline=FIRST.digest, expected_judged=before.judged, judged="before the news"
    )

    assert store.state("git").judged.startswith("news ")


def test_a_rejection_keeps_the_baseline_and_marks_the_open_alert_on_that_snapshot(store: Store) -> None:
    about = alert(snapshot_digest=SECOND.digest)
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest, alert=(told(about),)))
    no = review(SECOND.digest, decision=Decision.REJECTED, note="hides something")

    store.reject(review(FIRST.digest, decision=Decision.REJECTED))
    assert store.alerts() == [about]
    store.reject(no)

    assert [each.reviewed for each in store.alerts()] == ["rejected"]
    assert store.reviews("git")[-1] == no
    assert [each.digest for each in store.baselines("git")] == [FIRST.digest]


def test_a_baseline_survives_a_tools_removal_and_return_and_a_restart(store: Store, file: Path, clock: Clock) -> None:
    store.record_look(look("git", FIRST))
    store.approve(review(FIRST.digest, note="fine"), expected_baseline=FIRST.digest)
    approved = store.baseline("git")
    store.record_look(look("git", SHORT, baseline=FIRST.digest, at=clock.later()))
    store.record_look(look("git", FIRST, baseline=FIRST.digest, at=clock.later()))
    store.close()

    with Store.open(f"sqlite:///{file}", clock=clock) as again:
        assert again.baseline("git") == approved
        assert again.snapshot(FIRST.digest) == FIRST
        assert len(again.sightings("git")) == 3


def test_a_digest_is_found_by_its_beginning(store: Store) -> None:
    one, two, three = (snapshot(tool(name)) for name in ("a", "b", "c"))
    store.record_look(look("git", one))
    store.record_look(look("git", two, baseline=one.digest))
    store.record_look(look("git", one, baseline=one.digest))
    store.record_look(look("other", three))

    bare = one.digest.removeprefix("sha256:")
    for prefix in (one.digest, bare, bare[:8], f"sha256:{bare[:8]}"):
        assert store.resolve_digest("git", prefix) == one.digest
    for nobody in ("", "sha256:", "%", "f" * 64, three.digest, "xyz", "\ud800", bare + "0"):
        with pytest.raises(UnknownDigestError):
            store.resolve_digest("git", nobody)


def test_a_beginning_that_fits_two_digests_is_an_error(store: Store) -> None:
    one, two = ("sha256:" + "ab" + end * 62 for end in "01")
    first, second = (type(FIRST)(items=FIRST.items, digest=digest) for digest in (one, two))
    store.record_look(look("git", first))
    store.record_look(look("git", second, baseline=one))

    with pytest.raises(UnknownDigestError, match="More than one"):
        store.resolve_digest("git", "ab")
    assert store.resolve_digest("git", "ab0") == one


def test_an_approval_adds_no_snapshot_or_item(store: Store, file: Path) -> None:
    store.record_look(look("git", FIRST))
    before = row_counts(file)

    store.approve(review(FIRST.digest), expected_baseline=FIRST.digest)

    after = row_counts(file)
    grown = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    assert grown == {"baselines": 1, "reviews": 1, "audit": 1}
