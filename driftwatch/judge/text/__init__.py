"""Reading hostile text: what a text gained, what that asks of a model, and how it was hidden.

Pure and total: any `str` goes in, no I/O, no clock, bounded work. `examined` is the one call that rules need.
"""

from __future__ import annotations

from driftwatch.judge.text.base import Hidden, Signal, TextContext
from driftwatch.judge.text.examine import Examined, examined, says_nothing, size
from driftwatch.judge.text.hidden import hidden
from driftwatch.judge.text.together import Part, Together, across, together
from driftwatch.judge.text.visible import visible

__all__ = [
    "Examined",
    "Hidden",
    "Part",
    "Signal",
    "TextContext",
    "Together",
    "across",
    "examined",
    "hidden",
    "says_nothing",
    "size",
    "together",
    "visible",
]
