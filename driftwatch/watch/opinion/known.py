"""What is known of second opinions when a look is judged, and what is not known yet. Asks nobody."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from driftwatch.config.opinion import OpinionConfig
from driftwatch.judge.beside import Opinions
from driftwatch.judge.facts import Facts
from driftwatch.model import KeptOpinion, Opinion, Passage
from driftwatch.watch.opinion.base import Kept
from driftwatch.watch.opinion.question import WORDING, key_of


def opinions_of(kept: Kept, config: OpinionConfig) -> Opinions | None:
    """Give what the configured model said already; None while it is switched off."""
    if not config.enabled:
        return None

    def known(passages: Sequence[Passage]) -> Mapping[Passage, Opinion]:
        return {passage: one.opinion for passage, one in _found(kept, config, passages).items()}

    return Opinions(known, least=config.min_severity, gained=config.gained, room=config.characters)


def opinions_key(config: OpinionConfig) -> str:
    """Name what of this the configuration decides, in a word; empty while it is switched off."""
    if not config.enabled:
        return ""
    said = [WORDING, config.model, config.min_severity.value, config.gained, config.characters]
    return f"opinion-{hashlib.sha256(json.dumps(said).encode()).hexdigest()[:8]}"


@dataclass
class Wanted:
    """Collects, while a look is judged, the texts that the model was not asked about yet. For one look, asked once."""

    kept: Kept
    config: OpinionConfig
    clock: Callable[[], datetime]
    passages: dict[Passage, None] = field(default_factory=dict)
    asked: bool = False

    @property
    def waits(self) -> bool:
        """Whether there is something to ask, and nothing was asked yet."""
        return bool(self.passages) and not self.asked

    def noting(self, facts: Facts) -> Facts:
        """Give the facts such that what is not known of a text is noted here."""
        return facts if facts.opinions is None else replace(facts, opinions=self.heard_by(facts.opinions))

    def heard_by(self, opinions: Opinions) -> Opinions:
        """Give the same opinions such that what is not known of a text is noted here."""
        return replace(opinions, known=self._known)

    def _known(self, passages: Sequence[Passage]) -> Mapping[Passage, Opinion]:
        found, now = _found(self.kept, self.config, passages), self.clock()
        for passage in passages:
            if passage not in found or is_due(found[passage], now):
                self.passages.setdefault(passage)
        return {passage: one.opinion for passage, one in found.items()}


def is_due(kept: KeptOpinion, now: datetime) -> bool:
    """Say whether a question without an answer is to be asked again."""
    return kept.again_at is not None and kept.again_at <= now


def _found(kept: Kept, config: OpinionConfig, passages: Sequence[Passage]) -> dict[Passage, KeptOpinion]:
    keys = {passage: key_of(passage, config.model) for passage in passages}
    known = kept.opinions(list(keys.values())) if keys else {}
    return {passage: known[key] for passage, key in keys.items() if key in known}
