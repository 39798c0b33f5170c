"""The table of what agents were shown. A change here needs a migration, as in `tables`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, LargeBinary, Table, Text

from driftwatch.model import Era, Severity, TestimonyState
from driftwatch.store.columns import Moment, Wire, Word
from driftwatch.store.tables import SERIAL, metadata

# What witnesses handed in, as far as it is kept.
witnessed = Table(
    "witnessed",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("server", Wire, ForeignKey("servers.name"), nullable=False),
    Column("witness", Wire, nullable=False),
    Column("session", Wire, nullable=False),
    # The prompt whose body it is; empty for lists.
    Column("prompt", Wire, nullable=False),
    Column("digest", Text, nullable=False),
    Column("sections", Text, nullable=False),
    Column("state", Word(TestimonyState), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("calls", BigInteger, nullable=False),
    Column("tool", Wire, nullable=False),
    Column("client", Wire, nullable=False),
    Column("era", Word(Era)),
    Column("protocol_version", Wire, nullable=False),
    Column("noticed", Text, nullable=False),
    Column("gaps", BigInteger, nullable=False),
    Column("seen_at", Moment, nullable=False),
    Column("began", Moment, nullable=False),
    Column("received_at", Moment, nullable=False),
    Column("settled_at", Moment),
    Column("before", Text, nullable=False),
    Column("against", Text, nullable=False),
    Column("severity", Word(Severity)),
    Column("unseen", Boolean, nullable=False),
    Column("times", BigInteger, nullable=False),
    # What it showed, as packed JSON, until it is compared: then it is among the snapshots, or not worth keeping.
    Column("held", LargeBinary),
    # Of the kinds in `sections` those of which the agent asked for a part only.
    Column("partial", Text, nullable=False, server_default=""),
    # When driftwatch was last shown a list that is held.
    Column("shown_at", Moment),
    # How many of the gaps a person approved the server with.
    Column("heeded", BigInteger, nullable=False, server_default="0"),
    Index("uq_witnessed_look", "server", "witness", "session", "prompt", "digest", unique=True),
    Index(None, "server", "state"),
)
