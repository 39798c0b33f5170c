"""The dead man's switch: a URL that is called while all is well, so that its owner notices when the calls stop."""

from __future__ import annotations

from driftwatch.config.secret import Secret
from driftwatch.model import SendResult
from driftwatch.tell.channels.post import Poster


class Heartbeat:
    """What calls the URL. It is no channel: nothing is told, and nothing is tried again."""

    def __init__(self, url: Secret, timeout: float) -> None:
        """Take the URL, and the seconds that one call may take."""
        self._url = url
        self._poster = Poster(timeout=timeout)

    def __repr__(self) -> str:
        """Show nothing that could be a secret."""
        return "<Heartbeat>"

    async def beat(self) -> SendResult:
        """Call once, by GET; any 2xx is `done`. Never raises for what the other side does; the words are our own."""
        return await self._poster.get(self._url.reveal())

    async def aclose(self) -> None:
        """Close the connections."""
        await self._poster.aclose()
