"""The names that servers show are kept in memory, and are at any moment those that stand in the database."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from store_world import ACTOR, START, Clock, look, snapshot, tool

from driftwatch.errors import UsageError
from driftwatch.model import Item, Kind
from driftwatch.store import Store
from driftwatch.store.records import Retention
from tests.blank import blank

DAY = timedelta(days=1)
SERVERS = ("git", "mail", "Ladengesch\u00e4ft \ud800")
LISTS = (
    snapshot(),
    snapshot(tool("send")),
    snapshot(tool("send", description="Sends it."), tool("read")),
    snapshot(tool("read"), tool("key \udfff"), tool("")),
    snapshot(tool("twice"), Item(kind=Kind.TOOL, key="twice", raw={"a": 1}, digest="sha256:other", occurrence=1)),
    snapshot(Item(kind=Kind.PROMPT, key="send", raw={"name": "send"}, digest="sha256:prompt")),
)
WRITERS = st.integers(0, 1)
STEPS = st.one_of(
    st.tuples(st.just("look"), WRITERS, st.sampled_from(SERVERS), st.integers(0, len(LISTS) - 1)),
    st.tuples(st.just("rename"), WRITERS, st.sampled_from(SERVERS), st.sampled_from(("post", *SERVERS))),
    st.tuples(st.just("prune"), WRITERS, st.none(), st.none()),
)


def plain(store: Store, kind: Kind, at: datetime | None = None) -> dict[str, dict[str, str]]:
    """Read the same without anything that is kept: the newest sighting of each server, and the items of its list."""
    found = {}
    for server in store.states():
        seen = [one.digest for one in store.sightings(server) if at is None or one.first_seen <= at]
        shown = store.snapshot(seen[-1]) if seen else None
        if shown and (names := {item.key: item.digest for item in shown.of(kind) if item.key}):
            found[server] = names
    return found


def step(store: Store, clock: Clock, what: str, server: str, other: str | int) -> None:
    """Let one process do something; what may not be renamed stays as it is."""
    if what == "look" and isinstance(other, int):
        baseline = store.baseline(server)
        store.record_look(look(server, LISTS[other], baseline=baseline and baseline.digest, at=clock.now))
    elif what == "rename" and server in store.states():
        try:
            store.rename_server(server, str(other), by=ACTOR, at=clock.now)
        except UsageError:
            return
    elif what == "prune":
        store.prune(Retention(looks=DAY, looks_count=0), now=clock.now, by=ACTOR)


@given(st.lists(STEPS, max_size=12))
@settings(max_examples=20)
def test_what_is_kept_of_names_is_what_the_database_holds_whoever_wrote_it(
    steps: list[tuple[str, int, str, str | int]],
) -> None:
    clock = Clock()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        url = blank(Path(folder) / "watch.db")
        both = [stack.enter_context(Store.open(url, clock=clock)) for _ in range(2)]

        for what, writer, server, other in steps:
            clock.later(5 * DAY)
            step(both[writer], clock, what, server, other)

            for reader in both:
                assert reader.names_shown(Kind.TOOL) == plain(reader, Kind.TOOL)
                assert reader.names_shown(Kind.PROMPT) == plain(reader, Kind.PROMPT)
        for at in (START, START + 12 * DAY, clock.now):
            assert both[0].names_shown(Kind.TOOL, at=at) == plain(both[0], Kind.TOOL, at)
