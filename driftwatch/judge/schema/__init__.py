"""Reading JSON Schema by meaning: what a change inside one does to what is accepted."""

from __future__ import annotations

from driftwatch.judge.schema.edits import (
    COSMETIC,
    INPUT,
    OUTPUT,
    WORDED,
    Direction,
    Edit,
    edits,
    judged,
    parameter_path,
    place,
)

__all__ = [
    "COSMETIC",
    "INPUT",
    "OUTPUT",
    "WORDED",
    "Direction",
    "Edit",
    "edits",
    "judged",
    "parameter_path",
    "place",
]
