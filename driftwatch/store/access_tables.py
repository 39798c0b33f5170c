"""The tables of who may come in, and of what was done. A change here needs a migration, as in `tables`."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, LargeBinary, Table, Text

from driftwatch.model import Role
from driftwatch.store.columns import Moment, Wire, Word
from driftwatch.store.tables import SERIAL, metadata

# One row for each thing that somebody did, each chained to the one before it. Rows are only ever added.
audit = Table(
    "audit",
    metadata,
    Column("seq", SERIAL, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("who", Wire, nullable=False),
    Column("origin", Wire, nullable=False),
    Column("action", Wire, nullable=False),
    Column("server", Wire, nullable=False),
    Column("digest", Wire, nullable=False),
    Column("why", Wire, nullable=False),
    # Canonical JSON (RFC 8785), itself escaped like any text.
    Column("details", Wire, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Index(None, "action"),
)

users = Table(
    "users",
    metadata,
    Column("name", Wire, primary_key=True),
    # A slow hash; empty for one whom a trusted proxy names.
    Column("password", Wire),
    Column("role", Word(Role), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("disabled", Boolean, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Wire, primary_key=True),
    Column("name", Wire, nullable=False),
    Column("by", Wire, nullable=False),
    Column("role", Word(Role), nullable=False),
    Column("scopes", Wire, nullable=False),
    Column("sha256", Text, nullable=False, unique=True),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment),
    Column("last_used_at", Moment),
    Column("revoked_at", Moment),
    Column("revoked_by", Wire, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("user", Wire, ForeignKey("users.name", ondelete="CASCADE"), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("last_seen_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("csrf", Wire, nullable=False),
    Column("address", Wire, nullable=False),
    Index(None, "user"),
)

links = Table(
    "links",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("user", Wire, ForeignKey("users.name", ondelete="CASCADE"), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("used_at", Moment),
)

# What driftwatch signs with, so that it knows again after a restart what it gave out. None of them opens anything.
keys = Table(
    "keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
