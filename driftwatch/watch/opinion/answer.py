"""Reading an answer: exactly what was asked for, or it is none. Pure and total.

Nothing in an answer is believed for being well-formed: the words that it quotes must stand in the text, and what it
says of itself is kept as its claim, cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from driftwatch.model import Confidence, Json, Opinion, Passage
from driftwatch.watch.opinion.question import NONE, SCHEMA

_LARGEST: Final = 16_384
"""Characters of the text of an answer."""
_QUOTE: Final = 2_000
_WHY: Final = 2_000
"""Characters of what it quotes and says; an answer that rambles is none."""
_KEPT: Final = 300
"""Characters that are kept of either."""
_SHORTEST: Final = 4
"""Fewer characters stand in any text, so that they show nothing."""

_FENCE: Final = "```"
_FENCES: Final = frozenset({_FENCE, f"{_FENCE}json", f"{_FENCE}JSON"})

NOT_ASKED_FOR: Final = "the answer is not of the form that was asked for"


def read(reply: Json, passage: Passage, model: str) -> Opinion:
    """Give the opinion that a decoded reply of the endpoint holds; one with `trouble` where it holds none."""
    content = _content(reply)
    if content is None:
        return Opinion(model, trouble="the reply holds no whole answer")
    answer = _decoded(content)
    if answer is None:
        return Opinion(model, trouble=NOT_ASKED_FOR)
    quote = answer["quote"] if answer["injection"] and _stands_in(answer["quote"], passage) else ""
    return Opinion(
        model,
        answer["injection"],
        answer["category"],
        Confidence(answer["confidence"]),
        quote[:_KEPT],
        _sendable(answer["why"])[:_KEPT],
    )


def _content(reply: Json) -> str | None:
    """Give the text of the one choice, None where it was cut off, was filtered or is not there."""
    choices = reply.get("choices") if isinstance(reply, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or first.get("finish_reason") not in ("stop", None):
        return None
    message = first.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) and len(content) <= _LARGEST else None


def _decoded(content: str) -> dict[str, Json] | None:
    try:
        answer = json.loads(_unfenced(content), object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) and _fits(answer) else None


def _unfenced(content: str) -> str:
    """Take off the one code fence that many models put around all that they say."""
    said = content.strip()
    opening, _, rest = said.partition("\n")
    if opening.rstrip() in _FENCES and rest.endswith(_FENCE):
        return rest.removesuffix(_FENCE)
    return said


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Make an object of pairs; a key that stands twice could be read in two ways."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _refused(constant: str) -> Json:
    raise ValueError(constant)


def _fits(answer: dict[str, Json]) -> bool:
    if answer.keys() != SCHEMA["properties"].keys() or not isinstance(answer["injection"], bool):
        return False
    texts = [answer[key] for key in ("category", "confidence", "quote", "why")]
    if not all(isinstance(text, str) for text in texts):
        return False
    allowed = all(answer[key] in SCHEMA["properties"][key]["enum"] for key in ("category", "confidence"))
    agrees = (answer["category"] == NONE) is not answer["injection"]
    return allowed and agrees and len(answer["quote"]) <= _QUOTE and len(answer["why"]) <= _WHY


def _stands_in(quote: str, passage: Passage) -> bool:
    """Say whether quoted words stand in what was sent; white space apart, which models do not copy."""
    wanted = _squeezed(quote)
    return len(wanted) >= _SHORTEST and any(wanted in text for text in _all_squeezed(passage))


def _all_squeezed(passage: Passage) -> Iterable[str]:
    return (_squeezed(text) for text in (*passage.texts, *passage.undone))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _sendable(text: str) -> str:
    """Take out what a lone surrogate breaks: databases and receivers refuse it."""
    return text.encode("utf-8", "replace").decode("utf-8")
