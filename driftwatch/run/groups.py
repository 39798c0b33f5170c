"""What leaves a group of tasks: the one error that says what to do, instead of a group around it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from driftwatch.errors import DriftwatchError


@contextmanager
def plain_errors() -> Iterator[None]:
    """Raise the first of our own errors in an exception group by itself; a group without one passes as it is."""
    try:
        yield
    except BaseExceptionGroup as group:
        error = _first_of_ours(group)
        if error is None:
            raise
        raise error from group


def _first_of_ours(error: BaseException) -> DriftwatchError | None:
    if isinstance(error, BaseExceptionGroup):
        return next((found for inner in error.exceptions if (found := _first_of_ours(inner)) is not None), None)
    return error if isinstance(error, DriftwatchError) else None
