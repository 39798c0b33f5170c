"""Alembic's entry: migrates on the connection that the store hands over, inside the store's transaction.

Logging is left alone: the process that opens the store has set up its own.
"""

from alembic import context

from driftwatch.store.schema import VERSION_TABLE
from driftwatch.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    # SQLite cannot alter a column in place; Alembic then copies the table.
    render_as_batch=True,
)
context.run_migrations()
