"""bumps: what a pull request changes of MCP servers, looked at in the sandbox before it is merged."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import HIGH, code_for, fails
from driftwatch.cli.ground import KNOWN
from driftwatch.cli.locked import put
from driftwatch.cli.options import Threshold, Written
from driftwatch.cli.terminal import progress, warn
from driftwatch.config.load import parse
from driftwatch.config.schema import Settings
from driftwatch.errors import ConfigError, UnreadableInputError, UsageError
from driftwatch.report.formats import Form, render
from driftwatch.report.subject import Judged
from driftwatch.review.bumps import Looking, judged_bumps
from driftwatch.review.changed import bumps as changed_of
from driftwatch.review.changed import side
from driftwatch.review.checkout import Checkout
from driftwatch.review.preview import LOOKS
from driftwatch.review.starts import OWN
from driftwatch.run import logs
from driftwatch.run.scratch import scratch

app = commands()

_HELP = """
Find the MCP servers that a pull request changes, look at the old and the new in the sandbox, and report.

Read are the commits, not the working tree: hosts' files (.mcp.json and others), driftwatch.toml, the lock file, compose
files, Dockerfiles, package.json and requirements. Policy and expectations are those of the base. Nothing is started
outside of a sandbox, and with none of anybody's secrets (docs/ci.md).
"""


Base = Annotated[str, typer.Option("--base", metavar="REF", help="The commit that is to be merged into.")]
Head = Annotated[str, typer.Option("--head", metavar="REF", help="The commit that is to be merged.")]
Repository = Annotated[Path, typer.Option("--repository", metavar="FOLDER", help="A checkout of both.")]
Once = Annotated[bool, typer.Option("--once", help="Look once; else twice, to see whether it shows the same again.")]
Network = Annotated[
    bool,
    typer.Option("--network", help="Leave the network on while a server is listed, for one that lists less without."),
]
IgnoreUnseen = Annotated[
    bool, typer.Option("--ignore-unseen", help="Do not end with 5 where something could not be looked at.")
]
Copies = Annotated[
    list[str] | None,
    typer.Option(
        "--write", metavar="FORMAT=FILE", help="Write the report into a file too. May be given more than once."
    ),
]


@app.command(help=_HELP)
def bumps(
    context: typer.Context,
    *,
    base: Base,
    head: Head = "HEAD",
    repository: Repository = Path(),
    once: Once = False,
    network: Network = False,
    ignore_unseen: IgnoreUnseen = False,
    fail_on: Threshold = [HIGH],  # noqa: B006 - typer reads it and never changes it
    output: Written = Form.TEXT,
    copies: Copies = None,
) -> None:
    """Look at what changed between two commits, and report it as one."""
    wanted, bad = [_copy(word) for word in copies or ()], fails(fail_on)
    checkout = Checkout.at(repository, os.environ)
    judged = _look(context, checkout, base, head, looks=1 if once else LOOKS, network=network)
    for form, file in wanted:
        put(file.absolute().parent, {file.name: render(form, judged, fails=bad)})
    terminal = call_of(context).terminal
    if not judged and output is Form.TEXT:
        terminal.say("No MCP server that this repository starts or locks was changed.")
    else:
        terminal.document(render(output, judged, fails=bad))
    unseen = any(one.trouble for one in judged) and not ignore_unseen
    raise typer.Exit(code_for(fail_on, [found for one in judged for found in one.report.findings], unseen=unseen))


def _look(
    context: typer.Context, checkout: Checkout, base: str, head: str, *, looks: int, network: bool
) -> list[Judged]:
    """Look at all that changed, with a bar on a terminal."""
    after = checkout.commit(head)
    before = checkout.fork(checkout.commit(base), after)
    settings = _settings(checkout, before)
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    old, new = side(checkout, before), side(checkout, after)
    names = [one.now.server for one in changed_of(old, new)]
    with (
        tempfile.TemporaryDirectory(prefix="driftwatch-") as folder,
        scratch(settings, clock=call_of(context).clock) as world,
        progress("Looking", names) as done,
    ):
        looking = Looking(world.store, settings, world.trial, folder, world.clock, looks=looks, network=network)
        return run_to_end(judged_bumps(old, new, looking, on_done=done))


def _settings(checkout: Checkout, commit: str) -> Settings:
    """Read the configuration of a commit for its policy and expectations; without one nothing is set.

    Raises:
        ConfigError: it has problems.

    """
    tree = checkout.tree(commit)
    places = [path for path in tree if path.rpartition("/")[2] == OWN]
    if not places:
        return Settings()
    path = min(places, key=lambda path: (path.count("/"), path))
    try:
        return parse(checkout.text(tree[path], path), {}, base=checkout.top, name=path, secrets=False, known=KNOWN)
    except (ConfigError, UnreadableInputError) as error:
        warn(f"The base has a {OWN} that cannot be used, so no policy applies: {error.message}")
        return Settings()


def _copy(word: str) -> tuple[Form, Path]:
    form, equals, file = word.partition("=")
    if not equals or not file or form not in {one.value for one in Form}:
        hint = f"Write it as FORMAT=FILE, with one of {', '.join(Form)}."
        raise UsageError(f"{word!r} does not say what to write where.", hint=hint)
    return Form(form), Path(file)
