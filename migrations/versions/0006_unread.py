"""Unread: parts of lists, lists that are held, and what nobody could read of what agents were shown."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("witnessed", sa.Column("partial", sa.Text, nullable=False, server_default=""))
    op.add_column("witnessed", sa.Column("shown_at", sa.BigInteger))
    op.add_column("witnessed", sa.Column("heeded", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("faces", sa.Column("unread", sa.BigInteger, nullable=False, server_default="0"))
