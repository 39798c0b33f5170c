"""Every string of an item that a model or a host may read: values and property names, at any depth."""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context, Heard, Look, Text
from driftwatch.judge.names import words
from driftwatch.judge.text import Signal, TextContext, examine
from driftwatch.model import Item, Json, Kind

_KNOWN_UP_TO = 65_536
"""How much approved text (code points) of an item is handed on as known."""


def texts(raw: Json) -> Iterator[Text]:
    """Give every string inside a value, property names included."""
    for place, value in at.walk(raw):
        if isinstance(value, str):
            yield Text(place, "value", value)
        elif isinstance(value, dict):
            yield from (Text(at.join(place, key), "key", key) for key in value)


def listen(context: Context) -> Iterator[Heard]:
    """Give every string that gained signals over the item's approved text.

    Text that only moved inside the item is not new; what a string says that the item said elsewhere before is not.
    """
    own = own_names(context)
    for look in context.looks():
        earlier = {text.said for text in texts(look.before.raw)} if look.before is not None else set()
        olds = {change.pointer: change.before for change in look.changes}
        known = "\n".join(sorted(earlier))[:_KNOWN_UP_TO]
        for text in texts(look.after.raw):
            if text.said in earlier or _plain(text):
                continue
            before = _before(look, olds, text)
            place = TextContext(
                own, look.after.key, look.after.kind, text.pointer, purpose(look), target=text.target, known=known
            )
            signals = tuple(
                signal for signal in examine(text.said, before, place) if not _moved(signal, text.said, known)
            )
            if signals:
                yield Heard(look.after, text, before, signals)


def own_names(context: Context) -> frozenset[str]:
    """Give the names of this server's own tools, prompts and their parameters."""
    found: set[str] = set()
    for item in context.live.items:
        if item.kind in (Kind.TOOL, Kind.PROMPT):
            found.add(item.key)
            found.update(parameters(item))
    return frozenset(found - {""})


def parameters(item: Item) -> tuple[str, ...]:
    """Give the names of a tool's or prompt's top-level parameters."""
    if not isinstance(item.raw, dict):
        return ()
    properties = at.follow(item.raw, ["inputSchema", "properties"])
    arguments = item.raw.get("arguments")
    named = [entry.get("name") for entry in arguments if isinstance(entry, dict)] if isinstance(arguments, list) else []
    return (*(properties if isinstance(properties, dict) else ()), *(name for name in named if isinstance(name, str)))


def purpose(look: Look) -> str:
    """Give what an item says it is for: its name and its approved description (its own where none was approved)."""
    source = look.before or look.after
    description = source.raw.get("description") if isinstance(source.raw, dict) else None
    return f"{source.key}: {description}" if isinstance(description, str) else source.key


def _before(look: Look, olds: dict[str, Json], text: Text) -> str:
    if text.target == "key" or look.before is None:
        return ""
    old = olds[text.pointer] if text.pointer in olds else at.get(look.before.raw, text.pointer, None)
    return old if isinstance(old, str) else ""


def _plain(text: Text) -> bool:
    """Say whether a property name is one or two ordinary words: the bulk of all names, with nothing to read."""
    return text.target == "key" and text.said.isascii() and text.said.isprintable() and len(words(text.said)) <= 2


def _moved(signal: Signal, said: str, known: str) -> bool:
    """Say whether all that a signal points at stood elsewhere in the item before."""
    return (
        bool(known)
        and bool(signal.spans)
        and all(span.end - span.start > 3 and said[span.start : span.end] in known for span in signal.spans)
    )
