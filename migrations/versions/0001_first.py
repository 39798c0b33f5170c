"""The first schema: items, snapshots, servers and what they showed, reviews, findings, alerts, outbox, opinions."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SERIAL = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    content()
    servers()
    faces()
    seen()
    decisions()
    alerts()
    silences()
    channels()
    deliveries()
    supply()
    opinions()


def index_where(name: str, table: str, columns: list[str], where: str, *, unique: bool) -> None:
    op.create_index(name, table, columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def content() -> None:
    op.create_table(
        "items",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_items"),
    )
    op.create_table(
        "snapshots",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("sections", sa.Text, nullable=False),
        sa.Column("first_seen", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_snapshots"),
    )
    op.create_table(
        "snapshot_items",
        sa.Column("snapshot", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("occurrence", sa.Integer, nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("oddities", sa.LargeBinary),
        sa.PrimaryKeyConstraint("snapshot", "position", name="pk_snapshot_items"),
        sa.ForeignKeyConstraint(["snapshot"], ["snapshots.digest"], name="fk_snapshot_items_snapshot_snapshots"),
        sa.ForeignKeyConstraint(["item"], ["items.digest"], name="fk_snapshot_items_item_items"),
    )
    op.create_index("ix_snapshot_items_item", "snapshot_items", ["item"])


def servers() -> None:
    op.create_table(
        "servers",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("era", sa.Text),
        sa.Column("last_look_at", sa.BigInteger),
        sa.Column("last_ok_at", sa.BigInteger),
        sa.Column("next_look_at", sa.BigInteger),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last_outcome", sa.Text, nullable=False),
        sa.Column("last_detail", sa.Text, nullable=False),
        sa.Column("last_digest", sa.Text, nullable=False),
        sa.Column("judged", sa.Text, nullable=False),
        sa.Column("looks", sa.BigInteger, nullable=False),
        sa.Column("sighting_looks", sa.BigInteger, nullable=False),
        sa.Column("listing", sa.LargeBinary),
        sa.Column("calm_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("name", name="pk_servers"),
    )


def faces() -> None:
    op.create_table(
        "faces",
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("cause", sa.Text, nullable=False),
        sa.Column("shown", sa.Text, nullable=False),
        sa.Column("ordinary", sa.Text, nullable=False),
        sa.Column("learned", sa.Text, nullable=False),
        sa.Column("accepted", sa.Boolean, nullable=False),
        sa.Column("looked_at", sa.BigInteger),
        sa.Column("ok_at", sa.BigInteger),
        sa.Column("since", sa.BigInteger),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("suspect", sa.Text, nullable=False),
        sa.Column("beside", sa.Text, nullable=False),
        sa.Column("settled", sa.Text, nullable=False),
        sa.Column("strays", sa.Integer, nullable=False),
        sa.Column("calm", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("server", "identity", name="pk_faces"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_faces_server_servers"),
    )
    op.create_table(
        "face_sightings",
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("first_seen", sa.BigInteger, nullable=False),
        sa.Column("last_seen", sa.BigInteger, nullable=False),
        sa.Column("looks", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("server", "identity", "digest", name="pk_face_sightings"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_face_sightings_server_servers"),
        sa.ForeignKeyConstraint(["digest"], ["snapshots.digest"], name="fk_face_sightings_digest_snapshots"),
    )


def seen() -> None:
    op.create_table(
        "sightings",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("first_seen", sa.BigInteger, nullable=False),
        sa.Column("last_seen", sa.BigInteger),
        sa.Column("looks", sa.BigInteger),
        sa.Column("arrival", sa.LargeBinary),
        sa.PrimaryKeyConstraint("id", name="pk_sightings"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_sightings_server_servers"),
        sa.ForeignKeyConstraint(["digest"], ["snapshots.digest"], name="fk_sightings_digest_snapshots"),
    )
    op.create_index("ix_sightings_server_digest", "sightings", ["server", "digest"])
    op.create_index("ix_sightings_server_id", "sightings", ["server", "id"])
    index_where("uq_sightings_current", "sightings", ["server"], "last_seen IS NULL", unique=True)
    op.create_table(
        "findings",
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("severity", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("server", "position", name="pk_findings"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_findings_server_servers"),
    )


def decisions() -> None:
    op.create_table(
        "baselines",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("superseded_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_baselines"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_baselines_server_servers"),
        sa.ForeignKeyConstraint(["digest"], ["snapshots.digest"], name="fk_baselines_digest_snapshots"),
    )
    op.create_index("ix_baselines_server", "baselines", ["server"])
    index_where("uq_baselines_current", "baselines", ["server"], "superseded_at IS NULL", unique=True)
    op.create_table(
        "reviews",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("decision", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reviews"),
        sa.ForeignKeyConstraint(["server"], ["servers.name"], name="fk_reviews_server_servers"),
        sa.ForeignKeyConstraint(["digest"], ["snapshots.digest"], name="fk_reviews_digest_snapshots"),
    )
    op.create_index("ix_reviews_server", "reviews", ["server"])


def alerts() -> None:
    op.create_table(
        "alerts",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("severity", sa.Text, nullable=False),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("resolved_at", sa.BigInteger),
        sa.Column("baseline_digest", sa.Text, nullable=False),
        sa.Column("snapshot_digest", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("reviewed", sa.Text, nullable=False),
        sa.Column("findings", sa.LargeBinary, nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
        sa.Column("acknowledged", sa.LargeBinary),
        sa.Column("muted", sa.LargeBinary),
        sa.Column("escalated", sa.LargeBinary),
        sa.Column("told_at", sa.BigInteger),
        sa.Column("reminders", sa.Integer, nullable=False),
        sa.Column("waiting_since", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
    )
    op.create_index("ix_alerts_opened_at", "alerts", ["opened_at"])
    index_where("uq_alerts_standing", "alerts", ["server", "channel", "kind"], "state != 'resolved'", unique=True)


def silences() -> None:
    op.create_table(
        "silences",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("severity", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("ended_by", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_silences"),
    )


def channels() -> None:
    op.create_table(
        "channels",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("failing_since", sa.BigInteger),
        sa.Column("last_ok_at", sa.BigInteger),
        sa.Column("last_result", sa.Text, nullable=False),
        sa.Column("dead", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_channels"),
    )


def deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("seq", SERIAL, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("alert", sa.Text),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("next_attempt_at", sa.BigInteger, nullable=False),
        sa.Column("lease_until", sa.BigInteger),
        sa.Column("last_result", sa.Text, nullable=False),
        sa.Column("route", sa.Text, nullable=False),
        sa.Column("batch", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_deliveries"),
        sa.UniqueConstraint("id", name="uq_deliveries_id"),
        sa.ForeignKeyConstraint(["alert"], ["alerts.id"], name="fk_deliveries_alert_alerts"),
    )
    op.create_index("ix_deliveries_alert", "deliveries", ["alert"])
    index_where("ix_deliveries_undelivered", "deliveries", ["next_attempt_at"], "state = 'pending'", unique=False)
    index_where("ix_deliveries_held", "deliveries", ["channel", "route"], "state = 'held'", unique=False)
    index_where("ix_deliveries_batched", "deliveries", ["batch"], "batch != ''", unique=False)


def supply() -> None:
    op.create_table(
        "supply",
        sa.Column("ecosystem", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("asked_at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("ecosystem", "name", "version", name="pk_supply"),
    )


def opinions() -> None:
    op.create_table(
        "opinions",
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("asked_at", sa.BigInteger, nullable=False),
        sa.Column("again_at", sa.BigInteger),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_opinions"),
    )
    index_where("ix_opinions_owed", "opinions", ["again_at"], "again_at IS NOT NULL", unique=False)
    op.create_table(
        "opinion_requests",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_opinion_requests"),
    )
    op.create_index("ix_opinion_requests_at", "opinion_requests", ["at"])
