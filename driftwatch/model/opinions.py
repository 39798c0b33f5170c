"""What is kept of the questions to a configured model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from driftwatch.model.judged import Opinion, Passage


@dataclass(frozen=True, slots=True)
class KeptOpinion:
    """One question and what came of it. `key` names the text, the model and the wording of the question.

    `again_at` says when to ask again, None once it was answered or given up. Until then the `passage` is kept, and
    `servers` are those that are judged anew when the answer comes; `tries` counts the questions without an answer.
    """

    key: str
    opinion: Opinion
    asked_at: datetime
    again_at: datetime | None = None
    passage: Passage | None = None
    servers: tuple[str, ...] = ()
    tries: int = 0
