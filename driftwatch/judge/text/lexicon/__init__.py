"""What the concepts are called in each language. One file a language; every one is plain data.

Adding a language is one file with `CONCEPTS` and one line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from driftwatch.judge.text.lexicon import ar, de, en, es, fr, hi, ind, ita, ja, ko, nl, pl, pt, ru, tr, uk, vi, zh

LEXICONS: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "ar": ar.CONCEPTS,
    "de": de.CONCEPTS,
    "en": en.CONCEPTS,
    "es": es.CONCEPTS,
    "fr": fr.CONCEPTS,
    "hi": hi.CONCEPTS,
    "id": ind.CONCEPTS,
    "it": ita.CONCEPTS,
    "ja": ja.CONCEPTS,
    "ko": ko.CONCEPTS,
    "nl": nl.CONCEPTS,
    "pl": pl.CONCEPTS,
    "pt": pt.CONCEPTS,
    "ru": ru.CONCEPTS,
    "tr": tr.CONCEPTS,
    "uk": uk.CONCEPTS,
    "vi": vi.CONCEPTS,
    "zh": zh.CONCEPTS,
}
"""Language code → concept → terms."""

OWN_SCRIPT: Final = frozenset({"zh", "ja", "ko", "hi", "ar"})
"""Languages whose script tells them: their terms cannot be met in a text of another language by chance."""

TONAL: Final = frozenset({"vi"})
"""Languages in which accents tell one word from another; their terms must be spelled with them, or all without."""

NOT_LAST: Final = frozenset({"de", "nl"})
"""Languages that put the "not" before or behind the verb."""

VERB_LAST: Final = frozenset({"ja", "ko", "hi", "tr"})
"""Languages that negate behind the verb."""

CANCELS: Final = frozenset({"en", "de", "nl", "ar"})
"""Languages in which any two "not" in a clause make a yes."""

ASIDE: Final = frozenset(
    {
        *("FABRICATE", "FAILED", "SUCCESS", "PASSOFF", "ASSUCCESS", "VALUES", "EVENIF", "IFASKED", "DENY", "UNTOLD"),
        *("SESSIONS", "MEMORYFILE", "SUBAGENT", "KEEP", "ASUSUAL", "UNTIL", "YES", "DIALOG", "ONBEHALF", "DEEMED"),
        *("WITHOUT", "SHOWN", "UNLESS", "ENTITLED", "ASK", "TRIVIA", "INDATA", "ASDATA", "SOURCED", "WANTED"),
        *("ASSENT", "OTP", "AUTOAPPROVE", "FORBID", "NOTHING", "OUTAGE", "BAN"),
    }
)
"""Concepts of many everyday words: that a text holds them is no sign that undoing a disguise was right."""
