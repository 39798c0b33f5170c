"""The tables. A change here needs a migration in `migrations/versions/` and its name in `schema.REVISIONS`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

from driftwatch.model import (
    AlertKind,
    AlertState,
    AsClient,
    BaselineState,
    Decision,
    DeliveryState,
    Era,
    EventKind,
    Kind,
    Severity,
    Verdict,
)
from driftwatch.store.columns import Moment, Wire, Word

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

SERIAL = BigInteger().with_variant(Integer, "sqlite")
"""A counting key; SQLite only counts by itself in a column spelled INTEGER."""


def _index_where(name: str, where: ColumnElement[bool], *columns: Column[Any], unique: bool = False) -> None:
    """Index only the rows that `where` picks; both databases can, each under its own keyword."""
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


items = Table(
    "items",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("raw", LargeBinary, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("sections", Text, nullable=False),
    Column("first_seen", Moment, nullable=False),
    # What is equal in two snapshots that differ only in how the server is reached.
    Column("body", Text, nullable=False),
)

snapshot_items = Table(
    "snapshot_items",
    metadata,
    Column("snapshot", Text, ForeignKey("snapshots.digest"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("kind", Word(Kind), nullable=False),
    Column("key", Wire, nullable=False),
    Column("occurrence", Integer, nullable=False),
    Column("item", Text, ForeignKey("items.digest"), nullable=False),
    Column("oddities", LargeBinary),
    Index(None, "item"),
)

servers = Table(
    "servers",
    metadata,
    Column("name", Wire, primary_key=True),
    Column("era", Word(Era)),
    Column("last_look_at", Moment),
    Column("last_ok_at", Moment),
    Column("next_look_at", Moment),
    Column("failures", Integer, nullable=False),
    Column("last_outcome", Wire, nullable=False),
    Column("last_detail", Wire, nullable=False),
    Column("last_digest", Text, nullable=False),
    Column("judged", Wire, nullable=False),
    Column("looks", BigInteger, nullable=False),
    # Looks in the current sighting. Kept here so that an unchanged look writes one row of one table.
    Column("sighting_looks", BigInteger, nullable=False),
    # How the last complete look went, as packed JSON.
    Column("listing", LargeBinary),
    # While it goes to and fro: when it will have been calm for long enough.
    Column("calm_at", Moment),
)

faces = Table(
    "faces",
    metadata,
    Column("server", Wire, ForeignKey("servers.name"), primary_key=True),
    Column("identity", Wire, primary_key=True),
    Column("verdict", Word(Verdict), nullable=False),
    Column("cause", Text, nullable=False),
    Column("shown", Text, nullable=False),
    Column("ordinary", Text, nullable=False),
    Column("learned", Text, nullable=False),
    Column("accepted", Boolean, nullable=False),
    Column("looked_at", Moment),
    Column("ok_at", Moment),
    Column("since", Moment),
    Column("failures", Integer, nullable=False),
    Column("outcome", Wire, nullable=False),
    Column("detail", Wire, nullable=False),
    Column("suspect", Text, nullable=False),
    Column("beside", Text, nullable=False),
    Column("settled", Text, nullable=False),
    Column("strays", Integer, nullable=False),
    Column("calm", Integer, nullable=False),
    Column("unread", BigInteger, nullable=False, server_default="0"),
)

face_sightings = Table(
    "face_sightings",
    metadata,
    Column("server", Wire, ForeignKey("servers.name"), primary_key=True),
    Column("identity", Wire, primary_key=True),
    Column("digest", Text, ForeignKey("snapshots.digest"), primary_key=True),
    Column("first_seen", Moment, nullable=False),
    Column("last_seen", Moment, nullable=False),
    Column("looks", Integer, nullable=False),
)

# Lists that were looked at again before anybody decided on them.
rehearsed = Table(
    "rehearsed",
    metadata,
    Column("server", Wire, ForeignKey("servers.name"), primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("looks", Integer, nullable=False),
    Column("other", Text, nullable=False),
    Column("client", Wire, nullable=False),
    Column("as_client", Word(AsClient), nullable=False),
    Column("failures", Integer, nullable=False),
    Column("detail", Wire, nullable=False),
)

sightings = Table(
    "sightings",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("server", Wire, ForeignKey("servers.name"), nullable=False),
    Column("digest", Text, ForeignKey("snapshots.digest"), nullable=False),
    Column("first_seen", Moment, nullable=False),
    # Both are empty while this is the server's current sighting: the servers row then has them.
    Column("last_seen", Moment),
    Column("looks", BigInteger),
    # How it came to be shown instead of the one before, as packed JSON.
    Column("arrival", LargeBinary),
    Index(None, "server", "digest"),
    Index(None, "server", "id"),
)
_index_where("uq_sightings_current", sightings.c.last_seen.is_(None), sightings.c.server, unique=True)

baselines = Table(
    "baselines",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("server", Wire, ForeignKey("servers.name"), nullable=False),
    Column("digest", Text, ForeignKey("snapshots.digest"), nullable=False),
    Column("state", Word(BaselineState), nullable=False),
    Column("since", Moment, nullable=False),
    Column("by", Wire, nullable=False),
    Column("note", Wire, nullable=False),
    Column("superseded_at", Moment),
    Index(None, "server"),
)
_index_where("uq_baselines_current", baselines.c.superseded_at.is_(None), baselines.c.server, unique=True)

reviews = Table(
    "reviews",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("server", Wire, ForeignKey("servers.name"), nullable=False),
    Column("digest", Text, ForeignKey("snapshots.digest"), nullable=False),
    Column("decision", Word(Decision), nullable=False),
    Column("by", Wire, nullable=False),
    Column("at", Moment, nullable=False),
    Column("note", Wire, nullable=False),
    # From where it came; empty for one of a time when that was not kept.
    Column("origin", Wire, nullable=False, server_default=""),
    # The places that it is about, as packed JSON; empty for the whole snapshot.
    Column("items", LargeBinary),
    # What became the baseline, where that is not the snapshot; the approval ahead that it came from. Empty for none.
    Column("baseline", Text, nullable=False, server_default=""),
    Column("ahead", Wire, nullable=False, server_default=""),
    Index(None, "server"),
)

aheads = Table(
    "aheads",
    metadata,
    Column("id", Wire, primary_key=True),
    Column("server", Wire, ForeignKey("servers.name"), nullable=False),
    Column("digest", Text, ForeignKey("snapshots.digest"), nullable=False),
    Column("body", Text, nullable=False),
    Column("version", Wire, nullable=False),
    Column("by", Wire, nullable=False),
    Column("origin", Wire, nullable=False),
    Column("at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("note", Wire, nullable=False),
    Column("used_at", Moment),
    Column("ended_at", Moment),
    Column("ended_by", Wire, nullable=False),
)
_index_where("ix_aheads_waiting", aheads.c.used_at.is_(None) & aheads.c.ended_at.is_(None), aheads.c.server)

findings = Table(
    "findings",
    metadata,
    Column("server", Wire, ForeignKey("servers.name"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("rule", Wire, nullable=False),
    Column("severity", Word(Severity), nullable=False),
    Column("body", LargeBinary, nullable=False),
)

alerts = Table(
    "alerts",
    metadata,
    Column("id", Wire, primary_key=True),
    # Empty where it is about no server.
    Column("server", Wire, nullable=False),
    Column("channel", Wire, nullable=False),
    Column("kind", Word(AlertKind), nullable=False),
    Column("state", Word(AlertState), nullable=False),
    Column("severity", Word(Severity), nullable=False),
    Column("opened_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Column("resolved_at", Moment),
    Column("baseline_digest", Text, nullable=False),
    Column("snapshot_digest", Text, nullable=False),
    Column("reason", Wire, nullable=False),
    Column("summary", Wire, nullable=False),
    Column("reviewed", Wire, nullable=False),
    Column("findings", LargeBinary, nullable=False),
    Column("told", LargeBinary, nullable=False),
    # Who knows of it, as packed JSON.
    Column("acknowledged", LargeBinary),
    # What silences keep back, and which routes passed it on, as packed JSON; empty for none.
    Column("muted", LargeBinary),
    Column("escalated", LargeBinary),
    Column("told_at", Moment),
    Column("reminders", Integer, nullable=False),
    Column("waiting_since", Moment),
    # What a person said no to item by item, as packed JSON; empty for nothing.
    Column("refused", LargeBinary),
    Index(None, "opened_at"),
)
# A server has at most one alert of a kind that is not over: two looks at once cannot both open one.
_index_where(
    "uq_alerts_standing",
    alerts.c.state != AlertState.RESOLVED,
    alerts.c.server,
    alerts.c.channel,
    alerts.c.kind,
    unique=True,
)

silences = Table(
    "silences",
    metadata,
    Column("id", Wire, primary_key=True),
    Column("server", Wire, nullable=False),
    Column("tool", Wire, nullable=False),
    Column("rule", Wire, nullable=False),
    Column("severity", Word(Severity), nullable=False),
    Column("reason", Wire, nullable=False),
    Column("by", Wire, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("ended_by", Wire, nullable=False),
)

# How each channel has been doing.
channels = Table(
    "channels",
    metadata,
    Column("name", Wire, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("failing_since", Moment),
    Column("last_ok_at", Moment),
    Column("last_result", Wire, nullable=False),
    Column("dead", Integer, nullable=False),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("seq", SERIAL, primary_key=True),
    Column("id", Wire, nullable=False, unique=True),
    Column("channel", Wire, nullable=False),
    Column("server", Wire, nullable=False),
    # Empty for a message about several.
    Column("alert", Wire, ForeignKey("alerts.id")),
    Column("event", Word(EventKind), nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("state", Word(DeliveryState), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("next_attempt_at", Moment, nullable=False),
    Column("lease_until", Moment),
    Column("last_result", Wire, nullable=False),
    Column("route", Wire, nullable=False),
    # The message that tells of this one together with others; empty for none.
    Column("batch", Wire, nullable=False),
    Index(None, "alert"),
    # What a row says stands before most of its columns and is long, so rows are not found by reading them; with its
    # number between them, the newest of a state come first, and those of a channel are told from the index alone.
    Index(None, "state", "seq", "channel"),
    Index(None, "server"),
)
_index_where("ix_deliveries_undelivered", deliveries.c.state == DeliveryState.PENDING, deliveries.c.next_attempt_at)
_index_where("ix_deliveries_held", deliveries.c.state == DeliveryState.HELD, deliveries.c.channel, deliveries.c.route)
_index_where("ix_deliveries_batched", deliveries.c.batch != "", deliveries.c.batch)

supply = Table(
    "supply",
    metadata,
    Column("ecosystem", Wire, primary_key=True),
    Column("name", Wire, primary_key=True),
    Column("version", Wire, primary_key=True),
    Column("asked_at", Moment, nullable=False),
    # What was learned, as packed JSON.
    Column("body", LargeBinary, nullable=False),
)

opinions = Table(
    "opinions",
    metadata,
    # Names the text, the model and the wording of the question.
    Column("key", Text, primary_key=True),
    Column("asked_at", Moment, nullable=False),
    # When to ask again; empty once it was answered or given up.
    Column("again_at", Moment),
    # The answer, or why there is none and what to ask, as packed JSON.
    Column("body", LargeBinary, nullable=False),
)
_index_where("ix_opinions_owed", opinions.c.again_at.is_not(None), opinions.c.again_at)

# One row for each request to a model within the last day: what its limits are counted by.
opinion_requests = Table(
    "opinion_requests",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("at", Moment, nullable=False),
    Index(None, "at"),
)
