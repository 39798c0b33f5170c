"""The exit codes of every command. People script against them: `docs/exit-codes.md` is compared with this file."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum

from driftwatch.model import Finding, Severity


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
    ExitCode.USAGE: "Usage error, or input that cannot be read.",
    ExitCode.CONFIG: "The configuration cannot be used.",
    ExitCode.DATABASE: "The database cannot be used.",
    ExitCode.UNSEEN: "Nothing found at or above `--fail-on`, but at least one server could not be looked at.",
    ExitCode.BUG: "An error in driftwatch itself.",
    ExitCode.INTERRUPTED: "Interrupted (Ctrl-C).",
    ExitCode.PIPE: "The reader of the output went away.",
    ExitCode.TERMINATED: "Told to end (SIGTERM); what was under way was wound up.",
}


class FailOn(StrEnum):
    """From which severity on a command ends with 1."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"
    NEVER = "never"

    def reached_by(self, findings: Iterable[Finding]) -> bool:
        """Whether any finding is at or above this severity; nothing ever reaches `never`."""
        return self is not FailOn.NEVER and any(finding.severity >= Severity(self.value) for finding in findings)


def code_for(fail_on: FailOn, findings: Iterable[Finding], *, unseen: bool = False) -> ExitCode:
    """Give the exit code for what was found; `unseen` says that something could not be looked at."""
    if fail_on.reached_by(findings):
        return ExitCode.FOUND
    return ExitCode.UNSEEN if unseen else ExitCode.OK
