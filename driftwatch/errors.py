"""The errors that driftwatch raises on purpose.

Every error is a `DriftwatchError`: its class docstring is the default message, `hint` says what to do
next, and `exit_code` is what the command line ends with (the table is in `docs/exit-codes.md`).
What a watched server does wrong is never an error here: it is a value (see `driftwatch.model.Outcome`).
"""

from __future__ import annotations

import inspect
from enum import StrEnum


class DriftwatchError(Exception):
    """Something went wrong."""

    exit_code: int = 2
    hint: str = ""

    def __init__(self, message: str | None = None, *, hint: str | None = None) -> None:
        """Take a message (default: the class docstring's first line) and what to do about it."""
        self.message = message or (inspect.getdoc(type(self)) or "").split("\n", 1)[0]
        if hint is not None:
            self.hint = hint
        super().__init__(self.message)

    def __str__(self) -> str:
        """Give the message, and the hint on a line of its own when there is one."""
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


class UsageError(DriftwatchError):
    """The command was called in a way that cannot work."""


class UnreadableInputError(UsageError):
    """The input is not a listing that driftwatch can read."""


class UnwritableOutputError(DriftwatchError):
    """The output could not be written."""

    hint = "Nothing is known to be wrong with the input. Check where the output goes: a full disk, a closed terminal?"


class ConfigError(DriftwatchError):
    """The configuration cannot be used."""

    exit_code = 3


class StoreError(DriftwatchError):
    """The database cannot be used."""

    exit_code = 4


class SchemaError(StoreError):
    """The database is of an older or newer version of driftwatch."""


class NotOursError(StoreError):
    """The database belongs to another program."""


class HeldError(StoreError):
    """Another process holds the database."""


class BaselineMovedError(StoreError):
    """The baseline moved while the check ran."""

    hint = "Nothing was written. Look again."


class AlertMovedError(BaselineMovedError):
    """An alert changed while something was decided about it."""


class TooManyLooksError(DriftwatchError):
    """More looks of witnesses wait to be compared than are kept."""

    hint = "Hand it in again later. See that the server can be looked at: driftwatch status"


class UnknownWitnessError(UsageError):
    """Nothing is known of a witness of that name."""


class WitnessNeededError(UsageError):
    """What a witness handed in is not decided on yet."""


class UnknownServerError(UsageError):
    """No server of that name is configured."""


class UnknownIdError(UsageError):
    """No alert, message or silence has that id."""


class NothingToDoError(UsageError):
    """What was asked for is over already, or was never to be done."""


class UnknownDigestError(UsageError):
    """No snapshot with that digest was seen on this server."""


class UnknownItemError(UsageError):
    """Neither the baseline nor the list that was shown has that item."""


class LastAdminError(UsageError):
    """Nobody would be left who may let people in."""

    hint = (
        "Make somebody else an admin first. The command line does it all the same with --even-last-admin: there, "
        "another one can be let in at any time."
    )


class UnknownUserError(UsageError):
    """There is no such user."""


class Moved(StrEnum):
    """What is no longer as it was when a person read a difference."""

    SHOWN = "shown"
    """The server shows another list."""
    BASELINE = "baseline"
    """Another list was approved."""
    IDENTITIES = "identities"
    """Other identities are shown something else."""


class StaleReviewError(BaselineMovedError):
    """The server shows something else by now than what was reviewed, or another list was approved meanwhile."""

    exit_code = 1
    hint = "Nothing was written. Look at the difference again, then decide."

    def __init__(self, message: str | None = None, *, hint: str | None = None, moved: Moved = Moved.BASELINE) -> None:
        """Take besides what it was that moved."""
        super().__init__(message, hint=hint)
        self.moved = moved
