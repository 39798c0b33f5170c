"""lock: what is approved as a file of the repository; servers held against it; and a merged one as the approval."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import HIGH, ExitCode, code_for
from driftwatch.cli.ground import now, origin, settings_of
from driftwatch.cli.locked import print_compared, print_taken
from driftwatch.cli.locking import beside, captures, kept_lock, place_of_lock, unlooked, verified, write_lock
from driftwatch.cli.options import Format, Full, Output, Show, ShowHidden, Threshold, Written
from driftwatch.cli.stored import opened
from driftwatch.model import Severity
from driftwatch.report.formats import Form
from driftwatch.review.checkout import Checkout
from driftwatch.review.lock import differs
from driftwatch.review.lockapprove import committed, take_over
from driftwatch.review.lockfile import NAME

app = commands()
lock = commands()
app.add_typer(lock, name="lock", help="Keep what is approved as a file of a repository (docs/ci.md).")

Names: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="SERVER", help="Which servers; all that are switched on when none is named."),
]
LockFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--lock", metavar="FILE", help=f"The lock file. Default: {NAME} beside the configuration."),
]
Captured: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--file",
        metavar="SERVER=FILE",
        help="Take a captured list for this server, as compare does, instead of a look. May be given more than once.",
    ),
]
FromLook: TypeAlias = Annotated[
    bool, typer.Option("--from-look", help="Write what the servers show now, which nobody approved here.")
]
Content: TypeAlias = Annotated[
    bool,
    typer.Option("--content/--no-content", help="Write what was approved beside it, so that diffs can be read."),
]
Check: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Write nothing; end with 1 if anything would be written.")
]
Look: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--look/--no-look",
        help="With --no-look nothing is started: is the file whole, and does it fit the configuration? Ends with 1 "
        "if not.",
    ),
]
Exact: TypeAlias = Annotated[
    bool, typer.Option("--exact", help="End with 1 for any difference, however little it means.")
]
Branch: TypeAlias = Annotated[
    str,
    typer.Option(
        "--branch", metavar="REF", help="Where the commit must be merged. Default: origin/HEAD, if it is there."
    ),
]
Force: TypeAlias = Annotated[
    bool, typer.Option("--force", help="Take a lock file that is not committed as it is, or not merged.")
]


@lock.command()
def write(
    context: typer.Context,
    servers: Names = None,
    *,
    file: LockFile = None,
    from_look: FromLook = False,
    content: Content = True,
    check: Check = False,
) -> None:
    """Write what is approved of each server into the lock file, and what it showed then beside it.

    Without --from-look that is what people approved, from the database. Servers that are named are written, and all
    others in the file stay.
    """
    settings = settings_of(context, secrets=from_look)
    how = {"from_look": from_look, "content": content, "check": check}
    raise typer.Exit(write_lock(context, settings, place_of_lock(settings, file), servers or (), **how))


@lock.command()
def verify(
    context: typer.Context,
    servers: Names = None,
    *,
    file: LockFile = None,
    captured: Captured = None,
    look: Look = True,
    exact: Exact = False,
    fail_on: Threshold = [HIGH],  # noqa: B006 - typer reads it and never changes it
    output: Written = Form.TEXT,
    show: Show = Severity.INFO,
    full: Full = False,
    show_hidden: ShowHidden = False,
) -> None:
    """Look at the servers and hold what they show against the lock file. Needs no database, and keeps nothing.

    Ends as check does: with 1 for a finding at or above --fail-on, with 5 where a server could not be looked at or is
    not in the file.
    """
    files = captures(captured or ())
    settings = settings_of(context, secrets=look)
    path, names = place_of_lock(settings, file), servers or ()
    if not look:
        raise typer.Exit(unlooked(context, settings, path, names=names))
    judged = verified(context, settings, path, names=names, files=files)
    print_compared(call_of(context).terminal, judged, output, fail_on, show=show, full=full, hidden=show_hidden)
    findings = [finding for one in judged for finding in one.report.findings]
    code = code_for(fail_on, findings, unseen=any(one.trouble for one in judged))
    raise typer.Exit(ExitCode.FOUND if exact and any(map(differs, judged)) else code)


@lock.command()
def approve(
    context: typer.Context,
    *,
    file: LockFile = None,
    branch: Branch = "",
    force: Force = False,
    output: Output = Format.TEXT,
) -> None:
    """Take the committed lock file as the approval: who wrote the commit approves, and its subject says why.

    Baselines move to what the file holds. What a server does not show yet is approved ahead. Ends with 1 if anything
    in the file could not be approved.
    """
    settings = settings_of(context)
    path = place_of_lock(settings, file).resolve()
    checkout = Checkout.at(path.parent, os.environ)
    inside = path.relative_to(checkout.top.resolve()).as_posix()
    commit = committed(checkout, inside, branch=branch, force=force)
    locked, through = kept_lock(beside(path), path), origin().partition(" ")[2]
    with opened(context, settings) as store:
        taken = list(take_over(store, settings, locked, commit, now=now(context), through=through))
    print_taken(call_of(context).terminal, taken, commit, output)
    raise typer.Exit(ExitCode.OK if all(one.came.is_done for one in taken) else ExitCode.FOUND)
