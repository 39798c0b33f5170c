"""Serving an application inside the process's own event loop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol


class Server(uvicorn.Server):
    """A server that leaves signals alone: on Ctrl-C everything ends in its own order."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no handlers."""
        yield


class Protocol(H11Protocol):
    """Speaks HTTP. What breaks off in what cannot be read is no failure of whoever is answering it at that time."""

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, where nothing was answered yet, and close the connection."""
        if self.cycle is not None and not self.cycle.response_complete:
            # Nobody hears the rest of that answer.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.close()
