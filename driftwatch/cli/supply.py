"""supply: ask registries and advisories about the packages in use, now."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import settings_of
from driftwatch.cli.moments import iso
from driftwatch.cli.options import Format, Output
from driftwatch.cli.terminal import Terminal, progress
from driftwatch.config.schema import Settings
from driftwatch.errors import UsageError
from driftwatch.model import Advisory, Json, PackageNews
from driftwatch.model.amounts import many
from driftwatch.run import logs
from driftwatch.run.supplying import ask_once
from driftwatch.run.wiring import World

app = commands()

_OFF = "The supply watch is off: no registry and no database of advisories is asked."


@app.command()
def supply(context: typer.Context, output: Output = Format.TEXT) -> None:
    """Ask registries and advisories about the packages of all servers now. Off unless [supply] switches it on.

    Names and versions of packages are sent, nothing else. What was learned is told by the next look at each server.
    Ends with 1 when an advisory speaks of a package or its version was taken back, with 5 when something could not
    be learned.
    """
    settings = settings_of(context, secrets=True)
    if not settings.supply.enabled:
        raise UsageError(_OFF, hint="Switch it on: [supply] enabled = true, with the addresses to ask.")
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    found = _asked(context, settings)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "packages": [_json(news) for news in found]})
    else:
        _print(terminal, found)
    if any(news.advisories or news.withdrawn for news in found):
        raise typer.Exit(ExitCode.FOUND)
    raise typer.Exit(ExitCode.UNSEEN if any(news.trouble for news in found) else ExitCode.OK)


def _asked(context: typer.Context, settings: Settings) -> list[PackageNews]:
    with World.open(settings, clock=call_of(context).clock) as world, progress("Asking", ["packages"]) as done:
        found = run_to_end(ask_once(world))
        done("packages")
        return sorted(found, key=lambda news: str(news.package))


def _print(terminal: Terminal, found: Sequence[PackageNews]) -> None:
    """Print one line per package, then what was said about it."""
    if not found:
        terminal.say("No server that was looked at is started from a package that can be asked about.")
        terminal.say("Look first: driftwatch check")
        return
    rows = [
        (news.package.ecosystem, news.package.name, news.package.version or "-", news.latest or "-", _words(news))
        for news in found
    ]
    terminal.table(("registry", "package", "in use", "newest", "said"), rows)
    for news in found:
        for advisory in news.advisories:
            terminal.say()
            terminal.say(f"{news.package}: {_advisory_words(advisory)}")
    for news in found:
        if news.trouble:
            terminal.say()
            terminal.say(f"Not learned of {news.package}: {'; '.join(news.trouble)}.")


def _words(news: PackageNews) -> str:
    """Say in a few words what was learned."""
    said = [news.withdrawn.value] if news.withdrawn else []
    if any(advisory.malicious for advisory in news.advisories):
        said.append("MALICIOUS")
    if news.advisories:
        said.append(f"{many(len(news.advisories), 'advisory', 'advisories')}")
    said += ["newer release"] if news.newer else []
    return ", ".join(said) or ("not learned" if news.trouble else "nothing")


def _advisory_words(advisory: Advisory) -> str:
    names = ", ".join((advisory.id, *advisory.aliases))
    bad = "malicious" if advisory.malicious else advisory.severity.value if advisory.severity else "severity not said"
    fixed = f" Fixed in {', '.join(advisory.fixed)}." if advisory.fixed and not advisory.malicious else ""
    return f"{names} ({bad}): {advisory.summary or 'no summary'}{fixed}"


def _json(news: PackageNews) -> dict[str, Json]:
    """Give what was learned of one package for programs."""
    return {
        "ecosystem": news.package.ecosystem,
        "name": news.package.name,
        "version": news.package.version,
        "asked_at": iso(news.asked_at),
        "latest": news.latest,
        "latest_at": iso(news.latest_at),
        "newer": news.newer,
        "withdrawn": news.withdrawn.value if news.withdrawn else None,
        "reason": news.reason,
        "trouble": list(news.trouble),
        "advisories": [
            {
                "id": one.id,
                "aliases": list(one.aliases),
                "summary": one.summary,
                "severity": one.severity.value if one.severity else None,
                "malicious": one.malicious,
                "fixed": list(one.fixed),
            }
            for one in news.advisories
        ],
    }
