"""Titles and texts by the templates of a channel's configuration. Pure.

A template sees the names of `config.template.NAMES`. Whatever a server may have written is `defang`ed before, so that
a template can put it anywhere. A template that fails never costs a message: driftwatch's own words stand instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.secret import Filled
from driftwatch.config.template import NAMES
from driftwatch.config.words import path_of
from driftwatch.model import Json
from driftwatch.report.safe import defang
from driftwatch.tell.samples import samples
from driftwatch.tell.words import cut, event_of, own_phrases

TITLE_CHARS: Final = 300
"""Characters of a title, which is one line."""

TEXT_CHARS: Final = 20_000
"""Characters of a text."""

_ROOM: Final = 2 * TEXT_CHARS
"""Characters of what a template gives that are looked at: a title may begin with many empty lines."""

_TROUBLE_CHARS: Final = 200

_OWN: Final = frozenset(
    {"alert", "baseline", "batch", "channel", "command", "link", "opened_at", "resolved_at", "route", "server"}
    | {"snapshot"}
)
"""Keys of a payload's data whose values driftwatch or the configuration wrote."""

_EMPTY: Final[Mapping[str, Any]] = {
    **dict.fromkeys(NAMES, ""),
    **dict.fromkeys(("alerts", "findings"), ()),
    "acknowledged": None,
    "approved": None,
    "counts": {},
    "drill": False,
    "labels": {},
    "omitted": 0,
    "outcome": None,
}
"""What a name holds where a message has no such thing."""


class Made(NamedTuple):
    """A payload with title and text, as far as the templates gave them, and what went wrong, in words, if anything."""

    payload: Mapping[str, Json]
    trouble: str = ""


class Fault(NamedTuple):
    """What is wrong with one template: its key, and why, in words."""

    key: str
    message: str


def templated(payload: Mapping[str, Json], config: ChannelConfig) -> Mapping[str, Json]:
    """Give the payload with what the channel's templates make of it. What fails stays None, and says why beside."""
    return rendered(payload, config).payload


def rendered(payload: Mapping[str, Json], config: ChannelConfig) -> Made:
    """Give the payload with what the channel's templates make of it, and what went wrong, for a log."""
    if config.title is None and config.body is None:
        return Made(payload)
    given = names(payload)
    title, wrong_title = _render(config.title, given)
    text, wrong_text = _render(config.body, given)
    data: Any = payload["data"]
    own = {
        "title": cut(" ".join(title.split()), TITLE_CHARS) or None,
        "text": cut(text.strip("\n"), TEXT_CHARS, data["link"] or data["command"]) or None,
    }
    troubles = [f"{key}: {why}" for key, why in (("title", wrong_title), ("body", wrong_text)) if why]
    trouble = "; ".join(troubles)
    return Made({**payload, "data": {**data, **own, "template_trouble": trouble or None}}, trouble)


def trouble_of(payload: Mapping[str, Json]) -> str:
    """Give why a template failed on a stored message, in words; empty where none did, or nobody wrote it down."""
    data = payload.get("data")
    trouble = data.get("template_trouble") if isinstance(data, Mapping) else None
    return trouble if isinstance(trouble, str) else ""


def check(config: ChannelConfig) -> Iterator[Fault]:
    """Try a channel's templates on a message of every kind, and give what is wrong, once for each template."""
    for key, template in (("title", config.title), ("body", config.body)):
        for about, payload in samples() if template is not None else ():
            why = _render(template, names(payload))[1]
            if why:
                yield Fault(key, f"fails on {about}: {why}")
                break


def warnings_of(channels: Iterable[ChannelConfig]) -> Iterator[str]:
    """Give what is wrong with the templates of channels, each `path: what — what to do`."""
    for channel in channels:
        for fault in check(channel):
            place = path_of(("channels", channel.name, fault.key))
            yield f"{place}: {fault.message}; such messages come in driftwatch's own words — see docs/channels.md"


def names(payload: Mapping[str, Json]) -> dict[str, Any]:
    """Give what a template may name of a payload, safe to show; empty what the payload has not."""
    data: Mapping[str, Any] = payload["data"]
    made = _safe_parts(data)
    given = {**made, "event": event_of(payload), "timestamp": payload["timestamp"]}
    given["omitted"] = data["alerts_omitted"] if "alerts" in data else data["findings_omitted"]
    if "alerts" in data:
        given["alerts"] = tuple(_safe_parts(row) for row in data["alerts"])
    else:
        given["findings"] = tuple(given["findings"])
    return {name: given[name] if given.get(name) is not None else _EMPTY[name] for name in NAMES}


def _render(template: str | None, given: Mapping[str, Any]) -> tuple[str, str]:
    """Give what comes out, and what went wrong in words; one of them is empty."""
    if template is None:
        return "", ""
    # Few configurations hold a template, and Jinja takes a while to be imported.
    from driftwatch.config.sandbox import TroubleError, render  # noqa: PLC0415

    try:
        return render(template, given, _ROOM), ""
    except TroubleError as error:
        # What a variable of the environment holds, or a server said, is not repeated as it stands.
        return "", "it cannot be rendered" if isinstance(template, Filled) else cut(defang(str(error)), _TROUBLE_CHARS)


def _safe_parts(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give the parts of an alert, or of one row, with what a server may have written made harmless."""
    keep = (*own_phrases(data), *_moments(data))
    return {key: value if key in _OWN else _safe(value, keep) for key, value in data.items()}


def _moments(data: Mapping[str, Any]) -> Iterator[str]:
    """Give the times inside the parts, which stay as they are."""
    for part, key in (("acknowledged", "at"), ("approved", "at"), ("outcome", "since")):
        moment = (data.get(part) or {}).get(key)
        if isinstance(moment, str):
            yield moment


def _safe(value: Any, keep: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        return defang(value, keep=keep)
    if isinstance(value, Mapping):
        return {defang(key, keep=keep): _safe(inner, keep) for key, inner in value.items()}
    return [_safe(inner, keep) for inner in value] if isinstance(value, list) else value
