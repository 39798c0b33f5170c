"""How a server's command line is wrapped in the witness, and how a wrapped one is read back. Pure; nothing of ours.

    driftwatch witness SERVER [--host HOST] [--settings FILE] -- COMMAND [ARGS…]

The words before `witness` say how driftwatch is started: the path of its program, or `python -I -m driftwatch`. The
second form keeps what a host's entry sets for the server's own Python (`PYTHONPATH`, `PYTHONHOME`) away from ours.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

VERB = "witness"
PROGRAM = "driftwatch"

UNNAMED = "agent"
"""The name of a host that was not given one."""

_OPTIONS = {"--host": "host", "--settings": "settings"}
_LAUNCHERS = 8
"""How many words may stand before `witness`."""


class Wrapped:
    """A wrapped command line: which server it is, in which host, and what is really started. A value; not changed.

    `settings` is the path of the witness's settings, empty for the usual place. (No dataclass: they take longer to load
    than a session should wait.)
    """

    __slots__ = ("command", "host", "server", "settings")

    def __init__(self, server: str, command: Sequence[str], host: str = UNNAMED, settings: str = "") -> None:
        """Take the parts."""
        self.server = server
        self.command = tuple(command)
        self.host = host
        self.settings = settings

    def __eq__(self, other: object) -> bool:
        """Compare the parts."""
        return isinstance(other, Wrapped) and self._parts() == other._parts()

    def __hash__(self) -> int:
        """Hash the parts."""
        return hash(self._parts())

    def __repr__(self) -> str:
        """Give the parts."""
        return f"Wrapped{self._parts()!r}"

    def _parts(self) -> tuple[object, ...]:
        return (self.server, self.command, self.host, self.settings)


def spelled(wrapped: Wrapped, program: Sequence[str]) -> tuple[str, ...]:
    """Give the whole command line, its program first. `program` is what starts driftwatch."""
    host = () if wrapped.host == UNNAMED else ("--host", wrapped.host)
    settings = ("--settings", wrapped.settings) if wrapped.settings else ()
    return (*program, VERB, wrapped.server, *host, *settings, "--", *wrapped.command)


def read_back(line: Sequence[str]) -> Wrapped | None:
    """Read a command line as a host has it, its program first; None where it is not a wrapped one."""
    at = len(launcher(line))
    return parsed(line[at:]) if at else None


def launcher(line: Sequence[str]) -> tuple[str, ...]:
    """Give the words that start driftwatch in a wrapped command line; none where it is not one."""
    for at, word in enumerate(line[: _LAUNCHERS + 1]):
        if word == VERB and at and _is_ours(line[at - 1]):
            return tuple(line[:at]) if parsed(line[at:]) is not None else ()
    return ()


def parsed(arguments: Sequence[str]) -> Wrapped | None:
    """Read what stands behind the program's name; None for anything but a wrapped command spelled without a fault.

    What is left out here (`--help`, an unknown option, a verb such as `witness status`) is for the whole command line.
    """
    words = list(arguments)
    if words[:1] != [VERB] or "--" not in words:
        return None
    end = words.index("--")
    command, front = words[end + 1 :], words[1:end]
    given: dict[str, str] = {}
    names: list[str] = []
    while front:
        word = front.pop(0)
        option, equals, value = word.partition("=")
        if not word.startswith("-"):
            names.append(word)
        elif option not in _OPTIONS or (not equals and not front):
            return None
        else:
            given[_OPTIONS[option]] = value if equals else front.pop(0)
    if len(names) != 1 or not names[0] or not command or not all(given.values()):
        return None
    return Wrapped(names[0], command, given.get("host", UNNAMED), given.get("settings", ""))


def _is_ours(word: str) -> bool:
    """Say whether a word starts driftwatch: its name, or the path of a program of that name."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1].lower()
    return name.removesuffix(".exe").partition("==")[0].partition("@")[0] == PROGRAM
