"""Reading JSON Schema by meaning: what a change inside one does to what is accepted."""

from __future__ import annotations

from driftwatch.judge.schema.edits import Edit, edits, parameter_path, place
from driftwatch.judge.schema.judged import Judged, judged
from driftwatch.judge.schema.keywords import HEADER, INPUT, OUTPUT, WORDED
from driftwatch.judge.schema.meaning import Answer, Direction, Meaning, compare

__all__ = [
    "HEADER",
    "INPUT",
    "OUTPUT",
    "WORDED",
    "Answer",
    "Direction",
    "Edit",
    "Judged",
    "Meaning",
    "compare",
    "edits",
    "judged",
    "parameter_path",
    "place",
]
