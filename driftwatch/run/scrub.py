"""A last net under the log: no secret of the configuration is written, whoever writes it and however it is coded.

Our own lines hold none in the first place. This catches what a library says of a request, and what nobody thought of.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, quote_plus, urlsplit

from pydantic import BaseModel

from driftwatch.config.secret import MASK, Filled, MissingSecret, Secret

SHORTEST: Final = 6
"""Characters of the shortest secret that is looked for: shorter ones stand in words that mean something else."""

_ANCHOR: Final = SHORTEST
"""By so many first characters a secret is looked up, so that a line costs the same however many there are."""


class Scrub:
    """Takes secrets out of text, also percent-coded, in base64 at any offset, in hexadecimal and as JSON escapes."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Take the secrets as they are used."""
        self._forms: dict[str, tuple[str, ...]] = {}
        for form in sorted({form for secret in secrets for form in _forms_of(secret)}, key=len, reverse=True):
            self._forms[form[:_ANCHOR]] = (*self._forms.get(form[:_ANCHOR], ()), form)

    def __call__(self, text: str) -> str:
        """Give the text with `***` in the place of every secret."""
        out: list[str] = []
        start = 0
        # Nearly every text has no such place, so this is all that it costs.
        for at in [at for at in range(len(text) - _ANCHOR + 1) if text[at : at + _ANCHOR] in self._forms]:
            forms = self._forms[text[at : at + _ANCHOR]]
            found = next((form for form in forms if text.startswith(form, at)), "") if at >= start else ""
            if found:
                out += (text[start:at], MASK)
                start = at + len(found)
        return text if not out else "".join((*out, text[start:]))


def secrets_in(value: object) -> Iterator[str]:
    """Give every secret in a configuration, or in any part of one: what was filled in from the environment too."""
    if isinstance(value, Secret):
        if not isinstance(value, MissingSecret):
            yield from _parts(value.reveal())
    elif isinstance(value, Filled):
        yield from value.hidden
        yield from _parts(urlsplit(value).password or "") if "@" in value else ()
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from secrets_in(getattr(value, name))
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from secrets_in(part)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from secrets_in(part)


def _parts(secret: str) -> Iterator[str]:
    """Give a secret, without its scheme where it has one (`Bearer …`), and what is secret in one that is a URL."""
    yield secret
    scheme, _, rest = secret.partition(" ")
    if rest and scheme.isalpha():
        yield rest
    if "://" in secret:
        try:
            place = urlsplit(secret)
        except ValueError:
            return
        # Libraries name the request's path without its host.
        yield from (place.password or "", place.path.strip("/"), place.query)


def _forms_of(secret: str) -> Iterator[str]:
    if len(secret) < SHORTEST:
        return
    coded = secret.encode("utf-8", "surrogatepass")
    yield from (secret, repr(secret)[1:-1], json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    yield from (quote(coded, safe=""), quote(coded), quote_plus(coded), coded.hex(), coded.hex().upper())
    for shift in range(3):
        # The characters at both ends depend on what stands beside the secret.
        length = len(coded) + shift
        inner = slice((shift * 8 + 5) // 6, length * 8 // 6)
        for code in (base64.b64encode, base64.urlsafe_b64encode):
            form = code(b"\0" * shift + coded).decode()[inner]
            if len(form) >= SHORTEST:
                yield form


def known(*values: Any) -> Scrub:
    """Make the net for all secrets in these: configurations, or secrets as plain text."""
    plain = [value for value in values if type(value) is str]
    return Scrub((*plain, *(secret for value in values for secret in secrets_in(value))))
