"""What kind of body a request says that it has. One that says nothing, or something else, is not guessed at."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

JSON: Final = "application/json"

FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
"""How browsers send forms."""


class WrongContentTypeError(HTTPException):
    """The body of a request is of a kind that is not read there."""

    def __init__(self, given: str, wanted: tuple[str, ...]) -> None:
        """Take what the request says, empty for nothing, and what is read."""
        said = "has no Content-Type" if not given else "has another Content-Type"
        self.words = f"The request {said}; this is read here: {' or '.join(wanted)}."
        self.hint = f"Nothing was done. Send it with the header Content-Type: {wanted[0]}"
        super().__init__(415, headers={"accept": ", ".join(wanted)})


def require(request: Request, *wanted: str) -> None:
    """See that the body of a request is said to be of one of these kinds; parameters of a kind do not matter.

    Raises:
        WrongContentTypeError: it is said to be another one, or nothing is said.

    """
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip().lower() not in wanted:
        raise WrongContentTypeError(given, wanted)
