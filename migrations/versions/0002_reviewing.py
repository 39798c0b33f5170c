"""Reviewing: decisions on single items, approvals ahead of a roll-out, the audit log, and who may come in."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    decisions()
    aheads()
    audit()
    people()
    credentials()


def decisions() -> None:
    # What was decided before has no origin and is about whole lists: nobody can say more of it now.
    op.add_column("reviews", sa.Column("origin", sa.Text, nullable=False, server_default=""))
    op.add_column("reviews", sa.Column("items", sa.LargeBinary))
    op.add_column("reviews", sa.Column("baseline", sa.Text, nullable=False, server_default=""))
    op.add_column("reviews", sa.Column("ahead", sa.Text, nullable=False, server_default=""))
    op.add_column("alerts", sa.Column("refused", sa.LargeBinary))


def aheads() -> None:
    op.create_table(
        "aheads",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("used_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("ended_by", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_aheads"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_aheads_server_servers"),
        sa.ForeignKeyConstraint(["digest"], ["snapshots.digest"], name="fk_aheads_digest_snapshots"),
    )
    waiting = sa.text("used_at IS NULL AND ended_at IS NULL")
    op.create_index("ix_aheads_waiting", "aheads", ["server"], sqlite_where=waiting, postgresql_where=waiting)


def audit() -> None:
    op.create_table(
        "audit",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("previous", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_audit"),
    )
    op.create_index("ix_audit_action", "audit", ["action"])


def people() -> None:
    op.create_table(
        "users",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("password", sa.Text),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_users"),
    )


def credentials() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False, unique=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger),
        sa.Column("last_used_at", sa.BigInteger),
        sa.Column("revoked_at", sa.BigInteger),
        sa.Column("revoked_by", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
    )
    op.create_table(
        "sessions",
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("last_seen_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("csrf", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_sessions"),
        sa.ForeignKeyConstraint(["user"], ["users.name"], name="fk_sessions_user_users", ondelete="CASCADE"),
    )
    op.create_index("ix_sessions_user", "sessions", ["user"])
    op.create_table(
        "links",
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("sha256", name="pk_links"),
        sa.ForeignKeyConstraint(["user"], ["users.name"], name="fk_links_user_users", ondelete="CASCADE"),
    )
