"""The kinds of values in a configuration, each with its checks. No message repeats a value that may be secret."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator
from pydantic_core import PydanticUseDefault

from driftwatch.config import urls
from driftwatch.config.secret import Filled, MissingSecret, Secret, Unresolved, hidden, problem, shown
from driftwatch.config.table import OR_LEAVE_OUT, say_kind
from driftwatch.config.units import seconds, size
from driftwatch.config.words import quoted, safe

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
"""What a server or a channel may be called."""

DATABASES = frozenset({"sqlite"})
"""The schemes of the databases that the store can use. `postgresql` and `postgres` are ready here, not there."""

HOW_TO_NAME = "start with a letter or digit; then letters, digits, . _ - (64 at most)"

HOW_TO_MAKE_A_SIGNING_KEY = 'make one with `echo "whsec_$(openssl rand -base64 32)"`'

_ADDRESS = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}"
_MAILBOX = re.compile(rf"{_ADDRESS}|[^<>\"@,;:\\]{{1,128}} <{_ADDRESS}>")
_HOST = re.compile(r"[A-Za-z0-9._-]{1,255}|[0-9A-Fa-f:.]{2,45}", re.ASCII)
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}", re.ASCII)
OWN_HEADERS = frozenset(
    {"accept", "connection", "content-length", "content-type", "host", "last-event-id", "te", "transfer-encoding"}
    | {"mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id", "upgrade"}
    | {"webhook-id", "webhook-signature", "webhook-timestamp"}
)
"""Headers that the transports set themselves, in lower case."""
_LONGEST_DURATION = 366 * 86400.0
_LARGEST_SIZE = 2**32
_SAY_HOW_LONG = 'write seconds (30) or text such as "500ms", "30s", "5m", "1h"'
_SAY_HOW_LARGE = 'write bytes (65536) or text such as "512KiB", "8MiB"'


class Shape(NamedTuple):
    """What the reference calls a kind of value."""

    words: str


def is_name(text: str) -> bool:
    """Say whether a server or a channel may be called so."""
    return NAME.fullmatch(text) is not None


def _name(value: str) -> str:
    if not is_name(value):
        raise problem(f"{quoted(shown(value))} cannot be a name", HOW_TO_NAME)
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise problem(f"expected a string, found {say_kind(value)}", 'write it in quotes: "…"')
    if "\0" in value:
        raise problem("holds a NUL character", "take it out: neither a program nor a header can carry it")
    return value


def _full(value: str) -> str:
    if not value.strip():
        raise problem("is empty", f"write something{OR_LEAVE_OUT}")
    return value


def _seconds(value: object) -> float:
    if isinstance(value, Unresolved):
        raise PydanticUseDefault
    found = seconds(value)
    if found is None:
        written = f"{quoted(shown(value), limit=40)} is" if isinstance(value, str) else f"{say_kind(value)} that is"
        raise problem(f"{written} not a duration", _SAY_HOW_LONG)
    if not 0 < found <= _LONGEST_DURATION:
        raise problem("must be more than zero and at most a year", _SAY_HOW_LONG)
    return found


def _wait(value: object) -> float:
    return 0.0 if seconds(value) == 0 else _seconds(value)


def _size(value: object) -> int:
    if isinstance(value, Unresolved):
        raise PydanticUseDefault
    found = size(value)
    if found is None:
        written = f"{quoted(shown(value), limit=40)} is" if isinstance(value, str) else f"{say_kind(value)} that is"
        raise problem(f"{written} not a size", _SAY_HOW_LARGE)
    if not 0 < found <= _LARGEST_SIZE:
        raise problem("must be more than zero and at most 4GiB", _SAY_HOW_LARGE)
    return found


def _url(value: str) -> str:
    wrong = urls.wrong_with(value)
    if wrong is not None:
        raise problem(wrong.message, wrong.hint)
    return Filled(value, shown=urls.mask_url(value), hidden=(*hidden(value), *urls.query_values(value)))


def _database_url(value: str) -> str:
    scheme, colon, rest = value.partition("://")
    base, _, driver = scheme.partition("+")
    if base in {"postgresql", "postgres"} - DATABASES:
        raise problem("PostgreSQL does not work with driftwatch yet", "use a SQLite file: sqlite:///driftwatch.db")
    if not colon or base not in DATABASES or (base == "sqlite" and driver):
        raise problem("is not the URL of a database that driftwatch knows", "write sqlite:///file.db")
    if base == "sqlite" and not rest.startswith("/"):
        raise problem("needs three slashes before a file", "write sqlite:///file.db, or sqlite:////absolute/file.db")
    if base == "sqlite" and rest in {"/", "/:memory:"}:
        raise problem("a database in memory forgets every approval at the end", "name a file: sqlite:///driftwatch.db")
    # The extra installs psycopg 3; a bare postgresql:// would ask for psycopg2.
    full = value if base == "sqlite" or driver else f"postgresql+psycopg://{rest}"
    return Filled(full, shown=urls.mask_database_url(full if shown(value) == value else shown(value)))


def _header_name(name: str) -> str:
    if not _HEADER_NAME.fullmatch(name):
        raise problem(f"{quoted(name)} cannot be the name of a header", "letters, digits and - as in X-Api-Key")
    if name.casefold() in OWN_HEADERS:
        raise problem(f"the header {safe(name)} is set by driftwatch itself", "take it out")
    return name


def _header_value(value: Secret) -> Secret:
    text = value.reveal()
    if "\r" in text or "\n" in text:
        raise problem("the value of a header holds a line break", "a header is one line; look for one at its end")
    if not all(char == "\t" or " " <= char <= "~" for char in text):
        raise problem("the value of a header holds a character that is not plain ASCII", "encode it, or take it out")
    return value


def _user_agent(value: str) -> str:
    if not all(" " <= char <= "~" for char in _full(value)):
        raise problem("holds a character that a header cannot carry", "write plain ASCII on one line")
    return value


def _is_word(value: Secret) -> bool:
    text = _header_value(value).reveal()
    return bool(text) and not any(char.isspace() for char in text)


def _token(value: Secret) -> Secret:
    if not _is_word(value):
        raise problem("a bearer token is one word without spaces", "give the token alone, without the word Bearer")
    return value


def _key(value: Secret) -> Secret:
    if not _is_word(value):
        raise problem("a key is one word without spaces", "copy it from where it was made, and nothing around it")
    return value


def _env_name(name: str) -> str:
    if not name or "=" in name or "\0" in name:
        raise problem(f"{quoted(name)} cannot be the name of an environment variable", "leave = and NUL out")
    return name


def _env_value(value: Secret) -> Secret:
    _text(value.reveal())
    return value


def _webhook_secret(value: Secret) -> Secret:
    prefix, _, encoded = value.reveal().partition("_")
    if prefix != "whsec":
        raise problem("a webhook secret starts with whsec_", HOW_TO_MAKE_A_SIGNING_KEY)
    try:
        key = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise problem("what follows whsec_ is not base64", HOW_TO_MAKE_A_SIGNING_KEY) from None
    if not 24 <= len(key) <= 64:
        raise problem(f"a webhook secret has 24 to 64 bytes, this one {len(key)}", HOW_TO_MAKE_A_SIGNING_KEY)
    return value


def _secret_url(value: Secret) -> Secret:
    wrong = urls.wrong_with(value.reveal())
    if wrong is not None:
        raise problem(wrong.message, wrong.hint)
    return value


def _secret_line(value: Secret) -> Secret:
    text = _text(value.reveal())
    if not text.strip() or not text.isprintable():
        raise problem("is empty, or holds a character that does not print", "write it as one line")
    return value


def _mailbox(value: str) -> str:
    if not value.isprintable() or not _MAILBOX.fullmatch(value):
        raise problem("is not a mail address", "write name@example.com, or: Name <name@example.com>")
    return value


def _host(value: str) -> str:
    if not _HOST.fullmatch(value):
        raise problem("is not the name or the address of a machine", "write mail.example.com, without scheme and port")
    return value


def _some(values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        raise problem("names nothing", "name one at least")
    return values


def _as_it_stands(text: Unresolved) -> str:
    return text


def _masked(text: Unresolved) -> str:
    return text.show(urls.mask_url(text))


def _by_default(text: Unresolved) -> str:  # noqa: ARG001 - the default does not need it
    raise PydanticUseDefault


def _refused(text: Unresolved) -> str:
    raise problem(*text.words)


def filled(
    check: Callable[[str], str],
    *,
    words: str = "string",
    may_be_empty: bool = False,
    unresolved: Callable[[Unresolved], str] = _as_it_stands,
) -> tuple[object, ...]:
    """Give the parts of a string type whose values may be `Filled`; `unresolved` gives what stands for an absent one.

    A plain validator, because pydantic's own string would make a str of it that prints what was filled in.
    """

    def read(value: object) -> str:
        text = _text(value)
        if isinstance(text, Unresolved):
            return unresolved(text)
        return "" if may_be_empty and not text else check(text)

    return PlainValidator(read), PlainSerializer(shown), Shape(words)


def _known(check: Callable[[Secret], Secret]) -> AfterValidator:
    """Check a secret that is there."""
    return AfterValidator(lambda secret: secret if isinstance(secret, MissingSecret) else check(secret))


Text = Annotated[str, *filled(lambda text: text)]
Line = Annotated[str, *filled(_full)]
Name = Annotated[str, *filled(_name, words="name", unresolved=_refused)]
UserAgent = Annotated[str, *filled(_user_agent)]
Url = Annotated[str, *filled(_url, words="URL", unresolved=_masked)]
UrlIfAny = Annotated[str, *filled(_url, words="URL", may_be_empty=True, unresolved=_masked)]
PublicUrl = Annotated[str, *filled(lambda text: _url(text.rstrip("/")), words="URL", unresolved=_by_default)]
DatabaseUrl = Annotated[str, *filled(_database_url, words="URL", unresolved=_refused)]
Seconds = Annotated[float, PlainValidator(_seconds), Shape("duration")]
Wait = Annotated[float, PlainValidator(_wait), Shape("duration")]
Size = Annotated[int, PlainValidator(_size), Shape("size")]
Count = Annotated[int, Field(strict=True, ge=1, le=1_000_000), Shape("integer")]
Switch = Annotated[bool, Field(strict=True), Shape("boolean")]
Headers = dict[Annotated[str, AfterValidator(_header_name)], Annotated[Secret, _known(_header_value)]]
Variables = dict[Annotated[str, AfterValidator(_env_name)], Annotated[Secret, _known(_env_value)]]
Token = Annotated[Secret, _known(_token), Shape("secret")]
Key = Annotated[Secret, _known(_key), Shape("secret")]
SecretUrl = Annotated[Secret, _known(_secret_url), Shape("secret")]
SecretLine = Annotated[Secret, _known(_secret_line), Shape("secret")]
Mailbox = Annotated[str, *filled(_mailbox, words="mail address")]
Host = Annotated[str, *filled(_host, words="host name")]
# Not by pydantic's own length: it counts what is wrong as not there, and would say both.
Mailboxes = Annotated[tuple[Mailbox, ...], AfterValidator(_some)]
Names = Annotated[tuple[Name, ...], AfterValidator(_some)]
WebhookSecret = Annotated[Secret, _known(_webhook_secret), Shape("secret")]
