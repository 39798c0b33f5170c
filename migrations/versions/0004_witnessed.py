"""Witnessed: the lists that agents were shown, as witnesses hand them in."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "witnessed",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("witness", sa.Text, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("sections", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("calls", sa.BigInteger, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("client", sa.Text, nullable=False),
        sa.Column("era", sa.Text),
        sa.Column("protocol_version", sa.Text, nullable=False),
        sa.Column("noticed", sa.Text, nullable=False),
        sa.Column("gaps", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("received_at", sa.BigInteger, nullable=False),
        sa.Column("settled_at", sa.BigInteger),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("against", sa.Text, nullable=False),
        sa.Column("severity", sa.Text),
        sa.Column("unseen", sa.Boolean, nullable=False),
        sa.Column("times", sa.BigInteger, nullable=False),
        sa.Column("held", sa.LargeBinary),
        sa.PrimaryKeyConstraint("id", name="pk_witnessed"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_witnessed_server_servers"),
    )
    key = ["server", "witness", "session", "prompt", "digest"]
    op.create_index("uq_witnessed_look", "witnessed", key, unique=True)
    op.create_index("ix_witnessed_server_state", "witnessed", ["server", "state"])
