"""Letters of other scripts that pass for Latin ones. Our own table, of the pairs that are used to deceive."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Final

_CYRILLIC: Final = {
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "ғ": "f", "ԍ": "g", "һ": "h", "і": "i", "ј": "j", "к": "k",
    "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p", "ԛ": "q", "г": "r", "ѕ": "s", "т": "t", "ц": "u", "ѵ": "v",
    "ԝ": "w", "х": "x", "у": "y", "н": "h", "ѡ": "w", "ь": "b", "я": "r", "ү": "y", "з": "3", "э": "e",
    "и": "n", "ш": "w", "ө": "o", "ҽ": "e", "ә": "e", "қ": "k", "ҙ": "3", "ч": "4", "б": "6",
}  # fmt: skip
_GREEK: Final = {
    "α": "a", "β": "b", "ϲ": "c", "δ": "d", "ε": "e", "γ": "y", "η": "n", "ι": "i", "κ": "k", "μ": "u", "ν": "v",
    "ο": "o", "ρ": "p", "σ": "o", "τ": "t", "υ": "u", "χ": "x", "ω": "w", "ζ": "z", "ϳ": "j", "λ": "a", "π": "n",
}  # fmt: skip
_ARMENIAN_AND_MORE: Final = {
    "ո": "n", "ս": "u", "ց": "g", "հ": "h", "օ": "o", "յ": "j", "զ": "q", "կ": "4", "ք": "p", "վ": "4", "ա": "w",
    "ѐ": "e", "ɑ": "a", "ɡ": "g", "ɩ": "i", "ı": "i", "ⅼ": "l", "ʟ": "l", "ᴀ": "a", "ʙ": "b", "ᴄ": "c", "ᴅ": "d",
    "ᴇ": "e", "ꜰ": "f", "ɢ": "g", "ʜ": "h", "ɪ": "i", "ᴊ": "j", "ᴋ": "k", "ᴍ": "m", "ɴ": "n", "ᴏ": "o", "ᴘ": "p",
    "ʀ": "r", "ꜱ": "s", "ᴛ": "t", "ᴜ": "u", "ᴠ": "v", "ᴡ": "w", "ʏ": "y", "ᴢ": "z", "ⲟ": "o", "ⲣ": "p", "ⲥ": "c",
    "ꓮ": "a", "ꓢ": "s", "ꓳ": "o", "ꓰ": "e", "ꭵ": "i", "ꭲ": "t", "ꭰ": "d", "ꮃ": "w", "ꭼ": "e", "ꮪ": "s", "ø": "o",
    "đ": "d", "ł": "l", "ħ": "h", "ŧ": "t", "ƒ": "f", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ŋ": "n", "ʂ": "s", "ȥ": "z",
}  # fmt: skip
_CHEROKEE_AND_LISU: Final = {
    "Ꭺ": "a", "Ᏼ": "b", "Ꮯ": "c", "Ꭰ": "d", "Ꭼ": "e", "Ᏻ": "g", "Ꮆ": "g", "Ꮋ": "h", "Ꭵ": "i", "Ꭻ": "j", "Ꮶ": "k",
    "Ꮮ": "l", "Ꮇ": "m", "Ꮲ": "p", "Ꭱ": "r", "Ꮪ": "s", "Ꮥ": "s", "Ꭲ": "t", "Ꮩ": "v", "Ꮃ": "w", "Ꭹ": "y", "Ꮍ": "y",
    "Ꮓ": "z", "Ꭴ": "o", "Ꮻ": "o", "Ꮎ": "o", "Ꮢ": "r", "Ꮟ": "b", "Ꮞ": "4", "Ꮗ": "w", "Ꮤ": "w", "Ꮖ": "i", "Ꮴ": "v",
    "ꓐ": "b", "ꓚ": "c", "ꓓ": "d", "ꓝ": "f", "ꓖ": "g", "ꓧ": "h", "ꓲ": "i", "ꓙ": "j", "ꓗ": "k", "ꓡ": "l", "ꓟ": "m",
    "ꓠ": "n", "ꓑ": "p", "ꓣ": "r", "ꓔ": "t", "ꓴ": "u", "ꓦ": "v", "ꓪ": "w", "ꓫ": "x", "ꓬ": "y", "ꓜ": "z", "ǫ": "q",
}  # fmt: skip
_ENCLOSED: Final = {
    **{chr(0x249C + n): chr(97 + n) for n in range(26)},
    **dict(zip("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", ascii_lowercase, strict=True)),
    **{chr(0x1F150 + n): chr(97 + n) for n in range(26)},
    **{chr(0x1F170 + n): chr(97 + n) for n in range(26)},
    **{chr(0x1F1E6 + n): chr(97 + n) for n in range(26)},
}

LOOKALIKES: Final[dict[str, str]] = {**_CYRILLIC, **_GREEK, **_ARMENIAN_AND_MORE, **_CHEROKEE_AND_LISU}
"""Folded (lower-case) letter of another script or letter-form → the Latin letter or digit that it passes for."""

ENCLOSED: Final[dict[str, str]] = _ENCLOSED
"""Circled, squared, parenthesised, regional-indicator and Braille letters → Latin: no compatibility form does it."""
