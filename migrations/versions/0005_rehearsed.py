"""Rehearsed: lists that were looked at again before anybody decided on them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "rehearsed",
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("looks", sa.Integer, nullable=False),
        sa.Column("other", sa.Text, nullable=False),
        sa.Column("client", sa.Text, nullable=False),
        sa.Column("as_client", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("server", "digest", name="pk_rehearsed"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_rehearsed_server_servers"),
    )
