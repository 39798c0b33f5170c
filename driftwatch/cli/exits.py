"""The exit codes of every command. People script against them: `docs/exit-codes.md` is compared with this file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from driftwatch.model import Axis, Finding, Severity

NEVER = "never"


class ExitCode(IntEnum):
    """What a command ends with."""

    OK = 0
    FOUND = 1
    USAGE = 2
    CONFIG = 3
    DATABASE = 4
    UNSEEN = 5
    BUG = 70
    INTERRUPTED = 130
    PIPE = 141
    TERMINATED = 143


MEANING = {
    ExitCode.OK: "Done; nothing found at or above `--fail-on`.",
    ExitCode.FOUND: "Something found at or above `--fail-on`, or the answer of a yes-or-no command is no.",
    ExitCode.USAGE: "Usage error, input that cannot be read, or output that cannot be written.",
    ExitCode.CONFIG: "The configuration cannot be used.",
    ExitCode.DATABASE: "The database cannot be used.",
    ExitCode.UNSEEN: "Nothing found at or above `--fail-on`, but at least one server could not be looked at.",
    ExitCode.BUG: "An error in driftwatch itself.",
    ExitCode.INTERRUPTED: "Interrupted (Ctrl-C).",
    ExitCode.PIPE: "The reader of the output went away.",
    ExitCode.TERMINATED: "Told to end (SIGTERM); what was under way was wound up.",
}


@dataclass(frozen=True, slots=True)
class FailOn:
    """From which severity on a command ends with 1 (None: never), and on which axis (None: any)."""

    severity: Severity | None
    axis: Axis | None = None

    def __str__(self) -> str:
        """Give it as it is written: `high`, `security:high`, `never`."""
        severity = self.severity.value if self.severity is not None else NEVER
        return f"{self.axis.value}:{severity}" if self.axis is not None else severity

    @classmethod
    def read(cls, text: str) -> FailOn:
        """Read what a person wrote.

        Raises:
            ValueError: it is not one.

        """
        axis, colon, severity = text.strip().lower().rpartition(":")
        if severity == NEVER and not colon:
            return cls(None)
        return cls(Severity(severity), Axis(axis) if colon else None)

    def reached_by(self, findings: Iterable[Finding]) -> bool:
        """Whether any finding of the axis is at or above this severity; nothing ever reaches `never`."""
        if self.severity is None:
            return False
        return any(one.severity >= self.severity for one in findings if self.axis in {None, one.axis})


HIGH = FailOn(Severity.HIGH)
"""The default: a high finding of any axis."""


def fails(fail_on: Sequence[FailOn]) -> Callable[[Finding], bool]:
    """Give what says of one finding whether any threshold is reached."""
    return lambda finding: any(bar.reached_by([finding]) for bar in fail_on)


def code_for(fail_on: Sequence[FailOn], findings: Iterable[Finding], *, unseen: bool = False) -> ExitCode:
    """Give the exit code for what was found: 1 when any threshold is reached.

    `findings` are those that count, without what the policy hides; `unseen` says that something could not be looked at.
    """
    found = tuple(findings)
    if any(bar.reached_by(found) for bar in fail_on):
        return ExitCode.FOUND
    return ExitCode.UNSEEN if unseen else ExitCode.OK
