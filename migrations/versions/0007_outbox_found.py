"""Outbox found: rows are found by state, channel and server without reading all that they say."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_index("ix_deliveries_state_seq_channel", "deliveries", ["state", "seq", "channel"])
    op.create_index("ix_deliveries_server", "deliveries", ["server"])
