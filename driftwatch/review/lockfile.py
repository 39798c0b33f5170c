"""The lock file: what was approved of each server, as facts that read well in a diff. Pure.

`driftwatch.lock.json` holds one line per fact: digests, how a server is reached, dangers per tool. What the digests
are of lies beside it, one file for each server, in `driftwatch.lock.d/NAME.json`; the key `content` of a server has the
digest of that file, so that one which is taken out is missed. Both are ASCII: a character that
turns the direction of writing, or does not show, stands there as an escape, and cannot deceive who reads the diff.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from driftwatch.config.values import is_name
from driftwatch.config.words import Problem, safe
from driftwatch.errors import UnreadableInputError
from driftwatch.judge.hints import Danger, Reading, annotations_of, dangers
from driftwatch.judge.snapshot import LISTS, digest_of, document_of, oddities_of, snapshot_of, take
from driftwatch.model import Item, Json, Kind, Oddity, Snapshot
from driftwatch.report.shape import written

NAME: Final = "driftwatch.lock.json"
VERSION: Final = 1
"""Counts up when a key changes its meaning or goes away."""

CONTENT: Final = "content"
"""The key that has the digest of the file beside it, null where there is to be none."""

_FOLDER: Final = "driftwatch.lock.d"
_OF_THE_MACHINE: Final = ("executable", "script")
"""What of a launch says where programs lie on one machine."""
_SECTIONS: Final = {key: kind for key, (kind, _) in LISTS.items()}
_PATHS: Final = ("command", "cwd")
_TOLD: Final = 40

Read = Callable[[str], str | None]
"""Gives the text of a file by its name beside the lock file, None where there is none."""


@dataclass(frozen=True, slots=True)
class Locked:
    """One server of a lock file: its facts, and the list that they are of where that is there and fits."""

    name: str
    facts: Mapping[str, Json]
    content: Snapshot | None = None

    @property
    def is_older(self) -> bool:
        """Whether it was written by a version that did not say what lies beside it."""
        return CONTENT not in self.facts

    @property
    def digest(self) -> str:
        """The digest of the list, as it is on any machine (see `portable`)."""
        return str(self.facts["digest"])

    @property
    def version(self) -> str:
        """The version of the package that ran, or that is pinned; empty for none."""
        return str(self.facts["reached"].get("version", ""))

    @property
    def items(self) -> tuple[Item, ...]:
        """The items, without what they hold."""
        return tuple(_items(self.facts))


def portable(snapshot: Snapshot, base: Path | None = None) -> Snapshot:
    """Give a list as it is on any machine: without where programs lie, and with paths below `base` relative to it."""
    launches = snapshot.of(Kind.LAUNCH)
    if not launches or not isinstance(launches[0].raw, dict):
        return snapshot
    raw = {key: value for key, value in launches[0].raw.items() if key not in _OF_THE_MACHINE}
    raw |= {key: _relative(raw[key], base) for key in _PATHS if isinstance(raw.get(key), str)}
    if isinstance(args := raw.get("args"), list):
        raw["args"] = [_relative(word, base) if isinstance(word, str) else word for word in args]
    others = [item for item in snapshot.items if item.kind is not Kind.LAUNCH]
    return snapshot_of([*others, Item(Kind.LAUNCH, "", raw, digest_of(raw))], snapshot.sections)


def _relative(word: str, base: Path | None) -> str:
    if base is None or not PurePosixPath(word).is_relative_to(base.as_posix()):
        return word
    inner = PurePosixPath(word).relative_to(base.as_posix()).as_posix()
    return "." if inner == "." else f"./{inner}"


def facts_of(snapshot: Snapshot) -> dict[str, Json]:
    """Give the facts of one server, as they stand in the lock file."""
    facts: dict[str, Json] = {"digest": snapshot.digest, "body": snapshot.body}
    for item in snapshot.of(Kind.LAUNCH):
        facts["reached"] = _reached(item.raw)
        facts["launch"] = item.digest
    facts.setdefault("reached", {})
    for item in snapshot.of(Kind.SERVER):
        raw = item.raw if isinstance(item.raw, dict) else {}
        info = raw.get("serverInfo")
        facts["server"] = {
            "digest": item.digest,
            **_texts(info if isinstance(info, dict) else {}, "name", "version"),
            **({"protocol": raw["protocolVersion"]} if isinstance(raw.get("protocolVersion"), str) else {}),
            **({"instructions": digest_of(raw["instructions"])} if raw.get("instructions") else {}),
        }
    for key, kind in _SECTIONS.items():
        if kind in snapshot.sections:
            facts[key] = _section(snapshot.of(kind))
    return facts


def _reached(raw: Json) -> dict[str, Json]:
    """Say how a server is reached, in the form that may be shown."""
    launch = raw if isinstance(raw, dict) else {}
    found = _texts(launch, "transport", "url")
    if isinstance(launch.get("command"), str):
        args = launch.get("args")
        found["command"] = " ".join(
            [launch["command"], *(str(word) for word in (args if isinstance(args, list) else ()))]
        )
    package = launch.get("package")
    if isinstance(package, dict):
        named = ":".join(filter(None, (str(package.get("ecosystem", "")), str(package.get("name", "")))))
        found["package"] = named or str(package.get("asked", ""))
        found["pinned"] = package.get("pinned") is True
        found |= _texts(package, "version")
        found |= {"files": package["digest"]} if isinstance(package.get("digest"), str) else {}
    return found


def _texts(raw: Mapping[str, Json], *keys: str) -> dict[str, Json]:
    return {key: raw[key] for key in keys if isinstance(raw.get(key), str)}


def _section(items: tuple[Item, ...]) -> dict[str, Json]:
    """Give items by name; those that share one stand under the first of them, as its twins."""
    found: dict[str, Json] = {}
    for item in items:
        fact: dict[str, Json] = {"digest": item.digest}
        if item.kind is Kind.TOOL:
            said = annotations_of(item)
            fact["dangers"] = _words(dangers(said, Reading.SPEC))
            fact["dangers_said"] = _words(dangers(said, Reading.STATED))
        if item.key in found:
            found[item.key].setdefault("twins", []).append(fact)
        else:
            found[item.key] = fact
    return found


def _words(found: frozenset[Danger]) -> str:
    return ", ".join(danger.value for danger in Danger if danger in found) or "none"


def lock_text(servers: Mapping[str, Mapping[str, Json]]) -> str:
    """Write a lock file: sorted, in ASCII, ending in a line feed. The same facts give the same bytes."""
    return _text({"version": VERSION, "servers": dict(servers)})


def content_text(name: str, snapshot: Snapshot) -> str | None:
    """Write what a server showed as JSON in ASCII, None where JSON cannot hold it such that it reads the same."""
    shape: dict[str, Json] = {
        "version": VERSION,
        "server": name,
        "digest": snapshot.digest,
        "document": document_of(snapshot),
    }
    odd = [{"code": one.code, "pointer": one.pointer, "detail": one.detail} for one in oddities_of(snapshot)]
    try:
        text = _text({**shape, **({"oddities": odd} if odd else {})})
        return text if _content(json.loads(text)).digest == snapshot.digest else None
    except (ValueError, RecursionError):
        return None


def _text(value: Json) -> str:
    # Sorted here, not by the encoder: keys of any depth, which a server may have sent in any order.
    return written(json.loads(json.dumps(value, sort_keys=True, allow_nan=False)))


def content_digest(text: str) -> str:
    """Give the digest of what lies beside a lock file, however its JSON is laid out."""
    return digest_of(json.loads(text))


def content_name(name: str) -> str:
    """Name the file with what a server showed, relative to the folder of the lock file."""
    return f"{_FOLDER}/{name}.json"


def is_beside(name: str) -> bool:
    """Say whether a file, by its name relative to the folder of a lock file, is to hold what a server showed."""
    return PurePosixPath(name).parent == PurePosixPath(_FOLDER) and name.endswith(".json")


def read_lock(read: Read, path: str = NAME, *, there: Collection[str] = ()) -> dict[str, Locked] | None:
    """Read a lock file with what lies beside it; None where there is none. `read` gives a file by its name.

    `there` are the names of all files beside it (see `is_beside`), where none may lie that it does not know of.

    Raises:
        UnreadableInputError: it, or a file beside it, is not what it should be: every problem is named.

    """
    text = read(path)
    if text is None:
        return None
    shape = _decoded(text, path)
    if not isinstance(shape, dict) or not isinstance(shape.get("servers"), dict):
        raise UnreadableInputError(
            f"{safe(path)} is no lock file of driftwatch.", hint="Write one: driftwatch lock write"
        )
    version = shape.get("version")
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        message = (
            f"{safe(path)} was written by a newer driftwatch: its version is {version}, and {VERSION} is known here."
        )
        raise UnreadableInputError(message, hint="Use a newer driftwatch, or write the file anew with this one.")
    problems: list[Problem] = []
    if version != VERSION:
        problems.append(Problem("version", f"this is not {VERSION}", "write the file anew: driftwatch lock write"))
    found = {name: _locked(name, facts, read, problems) for name, facts in shape["servers"].items()}
    named = {content_name(name) for name in shape["servers"]}
    stray = "no server of the lock file has it, so that nothing says what it is: take it out"
    problems += [Problem(safe(name), "it does not belong there", stray) for name in sorted({*there} - named)]
    if problems:
        lines = [str(one) for one in problems[:_TOLD]]
        lines += [f"and {len(problems) - _TOLD} more"] if len(problems) > _TOLD else []
        raise UnreadableInputError("\n  ".join([f"{safe(path)} is not as it was written:", *lines]))
    return {name: one for name, one in sorted(found.items()) if one is not None}


def _decoded(text: str, path: str) -> Json:
    if "\n<<<<<<< " in f"\n{text}":
        message = f"{safe(path)} has conflicts that nobody resolved."
        raise UnreadableInputError(message, hint="Resolve them, or write it anew: driftwatch lock write")
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            where = f"line {error.lineno}: {error.msg}"
        else:
            where = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        message = f"{safe(path)} cannot be read: {where}."
        raise UnreadableInputError(message, hint="driftwatch lock write makes it anew.") from None


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Refuse an object that says something twice: a person may read the one, and a program the other."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return made


def _locked(name: str, facts: Json, read: Read, problems: list[Problem]) -> Locked | None:
    """Hold the facts of one server against themselves, and against what lies beside them."""
    anew = "write it anew: driftwatch lock write"
    wrong = "this cannot be the name of a server" if not is_name(name) else next(_wrong(facts), "")
    if wrong:
        problems.append(Problem(f"servers.{safe(name, limit=60)}", wrong, anew))
        return None
    beside = content_name(name)
    text, both = read(beside), "take both from the same commit, or write them anew"
    if text is None:
        if facts.get(CONTENT) is None:
            return Locked(name, facts)
        problems.append(Problem(beside, "it is not there, and the lock file has its digest", both))
        return None
    try:
        shape = _decoded(text, beside)
        content = _content(shape)
    except UnreadableInputError as error:
        problems.append(Problem(beside, error.message, anew))
        return None
    said, digest = facts_of(content), digest_of(shape)
    edited = [key for key in {**said, **facts} if key != CONTENT and said.get(key) != facts.get(key)]
    if not edited and facts.get(CONTENT) in {None, digest}:
        return Locked(name, facts, content)
    if edited and facts.get(CONTENT) == digest and content.digest == facts["digest"]:
        # What lies beside it is whole: the lock file itself is what somebody edited.
        what = f"{', '.join(safe(key, limit=40) for key in edited[:8])}: edited, since {beside} says otherwise"
        problems.append(Problem(f"servers.{name}", what, anew))
    else:
        problems.append(Problem(beside, "it is not what the lock file has the digests of", both))
    return None


def _content(shape: Json) -> Snapshot:
    """Read what a server showed.

    Raises:
        UnreadableInputError: it is none of ours.

    """
    try:
        odd = tuple(Oddity(one["code"], one["pointer"], one["detail"]) for one in shape.get("oddities", ()))
        return take(shape["document"], odd)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        raise UnreadableInputError("this is not what driftwatch lock write writes") from None


def _wrong(facts: Json) -> Iterator[str]:
    """Say what keeps facts from being read, the worst first."""
    yield from _misshapen(facts)
    alone = snapshot_of(_items(facts), _sections(facts))
    bodies = {alone.body, replace(alone, sections=alone.sections - {Kind.SERVER}).body}
    if alone.digest != facts["digest"] or facts["body"] not in bodies:
        yield "its digests do not fit together: it was edited, or merged by hand"


def _misshapen(facts: Json) -> Iterator[str]:
    if not isinstance(facts, dict):
        yield "this is not an object"
        return
    for key in ("digest", "body"):
        if not isinstance(facts.get(key), str):
            yield f"{key} is missing"
    if not isinstance(facts.get("reached"), dict):
        yield "reached is missing"
    if not isinstance(facts.get(CONTENT, ""), str | None):
        yield f"{CONTENT} is not what it should be"
    if not isinstance(facts.get("server", {"digest": ""}), dict) or not isinstance(facts.get("launch", ""), str):
        yield "server or launch is not what it should be"
    for key in _SECTIONS.keys() & facts.keys():
        held = facts[key]
        if not isinstance(held, dict) or not all(map(_is_fact, held.values())):
            yield f"{key} holds something that is no digest"


def _is_fact(fact: Json) -> bool:
    if not isinstance(fact, dict) or not isinstance(fact.get("digest"), str):
        return False
    twins = fact.get("twins", [])
    return isinstance(twins, list) and all(
        isinstance(one, dict) and isinstance(one.get("digest"), str) for one in twins
    )


def _items(facts: Mapping[str, Json]) -> Iterator[Item]:
    """Give the items that facts are of, as far as the digests of a list need them."""
    if isinstance(facts.get("launch"), str):
        yield Item(Kind.LAUNCH, "", None, facts["launch"])
    if "server" in facts:
        yield Item(Kind.SERVER, "", None, str(facts["server"].get("digest", "")))
    for key, kind in _SECTIONS.items():
        for name, fact in facts.get(key, {}).items():
            for number, one in enumerate((fact, *fact.get("twins", ()))):
                yield Item(kind, name, None, one["digest"], number)


def _sections(facts: Mapping[str, Json]) -> frozenset[Kind]:
    found = {kind for key, kind in _SECTIONS.items() if key in facts}
    found |= {Kind.LAUNCH} if "launch" in facts else set()
    return frozenset(found | ({Kind.SERVER} if "server" in facts else set()))
