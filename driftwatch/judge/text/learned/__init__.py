"""A small learned opinion on gained text: does it describe the tool, or turn the model to other ends.

Pure, standard library only, the same on every machine. The weights are data beside the code; the training script in
`benchmarks/detection` makes them. It never speaks alone: what it says carries the words that it rests on.
"""

from __future__ import annotations

from driftwatch.judge.text.learned.opinion import Opinion, opinion
from driftwatch.judge.text.learned.windows import windows

__all__ = ["Opinion", "opinion", "windows"]
