"""The table of the supply watch: which registries and advisories are asked about packages. Off unless switched on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from driftwatch.config.secret import shown
from driftwatch.config.table import Conflict, Table
from driftwatch.config.values import Seconds, Switch, UrlIfAny

_ASKED = ("npm", "pypi", "osv")


class SupplyConfig(Table):
    """Asking registries for newer releases, and a database for published advisories, about the packages of servers.

    Names and versions of packages leave the machine, nothing else. There is no address that is asked by default.
    """

    enabled: Switch = Field(
        default=False, description="Whether to ask. Names and versions of packages are then sent to these addresses."
    )
    npm: UrlIfAny = Field(
        default="",
        description="The npm registry, e.g. `${NPM_CONFIG_REGISTRY}`; without it npm packages are not asked.",
    )
    pypi: UrlIfAny = Field(
        default="",
        description="The index of Python packages that installers use (it ends in `/simple`), asked for JSON; or the "
        "JSON interface of one (it ends in `/pypi`).",
    )
    osv: UrlIfAny = Field(default="", description="A database of advisories in the OSV format; `/v1/query` is asked.")
    interval: Seconds = Field(default=86_400.0, description="Time between two questions about one package.")
    timeout: Seconds = Field(default=20.0, description="Until one question is answered.")

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold somebody to ask, where it is switched on."""
        if given.get("enabled") is True and not any(given.get(key) for key in _ASKED):
            yield Conflict(
                "enabled", "it is switched on and there is nobody to ask", 'write npm, pypi or osv = "https://…"'
            )

    @property
    def words(self) -> str:
        """Say in a few words whether and whom it asks."""
        asked = {"npm": self.npm, "pypi": self.pypi, "osv": self.osv}
        named = ", ".join(f"{key} at {shown(url)}" for key, url in asked.items() if url)
        return f"on ({named})" if self.enabled else "off"
