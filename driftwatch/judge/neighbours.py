"""The tools of other watched servers: whose names they are, and where a text speaks of them. Pure.

A name of several words, written as one (`send_email`, `sendEmail`, `mail.send_email`), is the name of something; a
single word may be just that, so no text is taken to speak of a tool by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from driftwatch.judge import words as deeds
from driftwatch.judge.facts import Neighbour
from driftwatch.judge.names import loose, skeleton, word_set, words
from driftwatch.judge.recalled import of_same, of_short

_WRITTEN_AS_ONE = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]{0,60}(?:[-_./:]{1,2}[A-Za-z0-9]{1,60}){1,12}(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9_])[a-z]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,8}(?![A-Za-z0-9])"
)
_NAMESPACE = re.compile(r"__|[./:]")
_EVERYDAY = word_set("""
    file files directory directories dir folder folders path paths page pages url urls web text data item items
    document documents doc docs resource resources content contents list status info version time date code table
    tables query queries sql schema record records row rows image images screenshot log logs project projects note
    notes all by id ids name names details detail my me current new multiple the a and or to from in of for with many
    entity entities tool tools server thing result results
""")
"""Words of names that many honest servers share."""


class Namesake(NamedTuple):
    """A tool of another server that a name collides with. `exact`: the same but for case and separators."""

    server: str
    name: str
    digest: str
    exact: bool


class Elsewhere:
    """The names of other servers' tools, indexed."""

    def __init__(self, neighbours: Sequence[Neighbour], own: Iterable[str] = ()) -> None:
        """Take the other servers, which do not change, and names of one's own that no text has to be asked about."""
        self._index = _indexed(neighbours)
        self._loose = self._index.loose
        self._own = {_joined(name) for name in own}

    def __bool__(self) -> bool:
        """Say whether there is any name."""
        return bool(self._loose)

    def namesakes(self, name: str) -> list[Namesake]:
        """Give the tools that a name collides with, those that only look alike last."""
        same, alike = self._loose.get(_joined(name), []), self._index.alike.get(skeleton(name), [])
        return [*same, *(one._replace(exact=False) for one in alike if _joined(one.name) != _joined(name))]

    def mentioned(self, said: str) -> Iterator[tuple[int, int, Namesake]]:
        """Give where a text names a tool of another server, and which; in time linear in the text."""
        for match in _WRITTEN_AS_ONE.finditer(said) if self._loose else ():
            spelled = match.group()
            for part in dict.fromkeys((spelled, _NAMESPACE.split(spelled)[-1])):
                found = self._loose.get(_joined(part), [])
                if found and len(words(part)) > 1 and _joined(part) not in self._own:
                    yield match.start(), match.end(), found[0]
                    break


class _Index:
    """What several rules ask of the same neighbours, made once for all of them: a fleet has thousands of tools."""

    def __init__(self, neighbours: Sequence[Neighbour]) -> None:
        self.loose: dict[str, list[Namesake]] = {}
        for neighbour in neighbours:
            for name, digest in neighbour.tools.items():
                self.loose.setdefault(_joined(name), []).append(Namesake(neighbour.server, name, digest, exact=True))

    @cached_property
    def alike(self) -> dict[str, list[Namesake]]:
        """The same by what a name looks like."""
        found: dict[str, list[Namesake]] = {}
        for tools in self.loose.values():
            for one in tools:
                found.setdefault(skeleton(one.name), []).append(one)
        return found


_indexed = of_same(_Index)


def is_everyday(name: str) -> bool:
    """Say whether a name is one that honest servers share all the time: a single word, or only common ones."""
    parts = words(name)
    common = _EVERYDAY | deeds.READS | deeds.WRITES | deeds.DESTROYS | deeds.MAYBE_DESTROYS
    return len(parts) < 2 or all(part in common for part in parts)


@of_short
def _joined(name: str) -> str:
    """Give a name without its case and whatever parts its words."""
    return loose(name).replace("_", "")
