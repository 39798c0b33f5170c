"""The lock verbs: what the store has approved goes into a lock file, and what servers show is held against one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Final

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.urls import mask_url
from driftwatch.judge.behaviour import DIFFERS
from driftwatch.judge.composite import differing
from driftwatch.judge.facts import Facts
from driftwatch.judge.judge import scan_snapshot
from driftwatch.judge.landing import running
from driftwatch.judge.snapshot import LAUNCH, snapshot_of, take
from driftwatch.judge.text.visible import visible
from driftwatch.model import (
    Baseline,
    BaselineState,
    Finding,
    Json,
    Kind,
    Place,
    Report,
    Severity,
    Snapshot,
    hidden_of,
    shown_of,
)
from driftwatch.model.commands import command
from driftwatch.report.subject import NOTHING, Judged, Subject
from driftwatch.review.lockfile import (
    CONTENT,
    NAME,
    Locked,
    Read,
    content_digest,
    content_name,
    content_text,
    facts_of,
    lock_text,
    portable,
)
from driftwatch.store.store import Store
from driftwatch.watch.judging import reported, ruled
from driftwatch.watch.policy import policy_of
from driftwatch.watch.supply.launch import configured

IN_THE_LOCK: Final = "what the lock file has"

_NAMED = 3
_PLACES = 100


@dataclass(frozen=True, slots=True)
class Files:
    """What a lock file and those beside it are to be, by name: None for one that is to go. `bare` have no content."""

    texts: dict[str, str | None]
    bare: tuple[str, ...] = ()

    def changed(self, read: Read) -> tuple[str, ...]:
        """Name the files that are not so already."""
        return tuple(name for name, text in self.texts.items() if read(name) != text)


def approved(store: Store, name: str, base: Path | None) -> Snapshot | None:
    """Give what a person approved of a server, as it is on any machine; None where nobody approved anything.

    Raises:
        StoreError: the database could not be read.

    """
    baseline = store.baseline(name)
    if baseline is None or baseline.state is not BaselineState.APPROVED:
        return None
    kept = store.snapshot(baseline.digest)
    return None if kept is None else portable(kept, base)


def files_of(
    lists: dict[str, Snapshot], before: dict[str, Locked], *, read: Read, content: bool = True, path: str = NAME
) -> Files:
    """Make the lock file of these lists; servers of `before` that are not among them stay as they are.

    A file with the same content stays as it is, however it is written. With `content` off there is none.
    """
    texts: dict[str, str | None] = {}
    facts: dict[str, dict[str, Json]] = {name: dict(one.facts) for name, one in before.items()}
    bare = []
    for name, shown in lists.items():
        known, kept = before.get(name), read(content_name(name))
        is_same = known is not None and known.content is not None and known.digest == shown.digest
        text = (kept if is_same else content_text(name, shown)) if content else None
        facts[name] = {**facts_of(shown), CONTENT: None if text is None else content_digest(text)}
        bare += [name] if text is None and content else []
        if text != kept:
            texts[content_name(name)] = text
    return Files({path: lock_text(facts), **texts}, tuple(bare))


def without(before: dict[str, Locked], names: Sequence[str], read: Read) -> dict[str, str | None]:
    """Give the files that are to go with servers that a lock file is to hold no longer."""
    return {content_name(name): None for name in names if name in before and read(content_name(name)) is not None}


def compared(
    locked: Locked,
    live: Snapshot,
    *,
    settings: Settings,
    now: datetime,
    subject: Callable[[Subject], Subject] = lambda subject: subject,
) -> Judged:
    """Judge what a server shows, as it is on any machine, beside what a lock file has of it.

    Without the content of the lock file nobody can tell how an item changed: then it is said which did, and each is
    read by itself.
    """
    server = settings.find(locked.name)
    policy = policy_of(settings, server)
    facts = Facts(server=locked.name, expectations=policy.expect)
    if locked.content is not None:
        baseline = Baseline(locked.name, locked.digest, BaselineState.APPROVED, since=now)
        report = reported(locked.content, baseline, live, facts, policy=policy, now=now)
    else:
        before = Snapshot(locked.items, locked.digest, live.sections)
        places = differing(before, live)
        found = ruled((*_blind(places, locked), *_read_alone(live, places, facts)), (), policy, now)
        report = Report(
            shown_of(found), locked.digest, live.digest, notes=tuple(_notes(places)), hidden=hidden_of(found)
        )
    about = Subject(
        server=locked.name,
        before=IN_THE_LOCK,
        after="what it shows",
        before_version=locked.version or _called(locked),
        after_version=running(live),
        reached=reached(server),
        looked_at=now,
        commands=(command("lock", "write", "--from-look", locked.name),) if live.digest != locked.digest else (),
    )
    return Judged(subject(about), report, locked.content, live)


def outdated(locked: Locked, server: ServerConfig, base: Path | None) -> str:
    """Say in what a server is reached otherwise than a lock file has it; empty where it is not. Looks at nothing.

    With digests alone only its command and URL can be told. Values of variables and headers are in no lock file.
    """
    shown = portable(take({LAUNCH: configured(server)}), base)
    stated, known = facts_of(shown)["reached"], locked.facts["reached"]
    for key in ("command", "url"):
        if stated.get(key, "") != known.get(key, ""):
            return f"its {key} is not the one that the lock file has"
    before = [item.raw for item in locked.content.of(Kind.LAUNCH)] if locked.content is not None else []
    now = shown.of(Kind.LAUNCH)[0].raw
    return "; ".join(_outdated(before[0], now)) if before and isinstance(before[0], dict) else ""


def _outdated(was: dict[str, Json], now: dict[str, Json]) -> Iterator[str]:
    """Say what of a launch, beside its command and URL, is not as a lock file has it."""
    for key, what in (("env", "variables"), ("headers", "headers")):
        if key not in was:
            continue
        new, gone = (
            sorted({*one} - {*other}) for one, other in ((now.get(key, []), was[key]), (was[key], now.get(key, [])))
        )
        said = [f"{_some(names)} {word}" for names, word in ((new, "not in it"), (gone, "gone")) if names]
        if said:
            yield f"its {what} are not those that the lock file has: {', '.join(said)}"
    for key, what in (("transport", "transport"), ("cwd", "folder"), ("tls", "pinned keys")):
        if was.get(key) != now.get(key) and (key != "transport" or key in was):
            yield f"its {what} {'are' if key == 'tls' else 'is'} not what the lock file has"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(visible(name) for name in names[:_NAMED]) + more


def unseen(name: str, trouble: str, *, settings: Settings, now: datetime) -> Judged:
    """Give what could not be held against a lock file, and why."""
    about = Subject(server=name, before=IN_THE_LOCK, reached=reached(settings.find(name)), looked_at=now)
    return Judged(about, NOTHING, trouble=trouble)


def reached(server: ServerConfig | None) -> str:
    """Say how a server is reached, as it may be shown; empty for one that is not configured."""
    if server is None:
        return ""
    return server.shown_command if server.command else mask_url(server.shown_url)


def _called(locked: Locked) -> str:
    said = locked.facts.get("server")
    return str(said.get("version", "")) if isinstance(said, dict) else ""


def _blind(places: Sequence[Place], locked: Locked) -> Iterator[Finding]:
    """Say that a list is another one, where only digests tell."""
    if not places:
        return
    yield Finding(
        rule=DIFFERS,
        severity=Severity.HIGH,
        kind=Kind.SERVER,
        item="",
        pointer="",
        message=f"This is not the list that the lock file has. It differs from that one in {_what(places)}.",
        before=locked.digest,
        after=[[kind.value, key, number] for kind, key, number in places[:_PLACES]],
    )


def _what(places: Sequence[Place]) -> str:
    said = []
    for kind, group in groupby(places, key=lambda place: place[0]):
        keys = list(dict.fromkeys(visible(key) for _, key, _ in group))
        more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
        named = ", ".join(f"“{key}”" for key in keys[:_NAMED] if key)
        ours = {Kind.SERVER: "what it says of itself", Kind.LAUNCH: "how it is started or reached"}
        said.append(ours.get(kind) or f"the {kind.noun if len(keys) == 1 else kind.nouns} {named}{more}")
    return " and ".join(said)


def _read_alone(live: Snapshot, places: Sequence[Place], facts: Facts) -> Iterator[Finding]:
    """Read the items that changed by themselves, since what they were is not known."""
    wanted = frozenset(places)
    changed = snapshot_of([item for item in live.items if item.place in wanted], live.sections)
    if changed.items:
        yield from scan_snapshot(changed, facts, gathered=False).findings


def _notes(places: Sequence[Place]) -> Iterator[str]:
    if places:
        yield (
            "The lock file has digests alone of this server, so nobody can tell how these changed. "
            "With the files beside it (driftwatch lock write) it could be said."
        )


def differs(judged: Judged) -> bool:
    """Say whether what a server showed is not what the lock file has, in anything that was looked at."""
    if judged.trouble or judged.live is None:
        return False
    if judged.baseline is not None:
        return bool(differing(judged.baseline, judged.live))
    return judged.report.live_digest != judged.report.baseline_digest


def placed(judged: Judged, file: str, line: int) -> Judged:
    """Say where in a file of the repository a report belongs."""
    return replace(judged, subject=replace(judged.subject, file=file, line=line))
