"""What the concepts are called in each language. One file a language; every one is plain data.

Adding a language is one file with `CONCEPTS` and one line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from driftwatch.judge.text.lexicon import en

LEXICONS: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "en": en.CONCEPTS,
}
"""Language code → concept → terms."""

OWN_SCRIPT: Final = frozenset({"zh", "ja", "ko", "hi", "ar"})
"""Languages whose script tells them: their terms cannot be met in a text of another language by chance."""
