"""An authorization server on loopback: its metadata, and tokens for whoever proves to be a client."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from servers.http_parts import Reply, Request
from servers.over_http import HttpServer

Answer = tuple[int, dict[str, Any]]


@dataclass
class Issuer:
    """Answers as `HttpServer(fault=issuer.act)`. Each token is another one; `answers` says otherwise, one each time."""

    answers: list[Answer | bytes] = field(default_factory=list)
    metadata: Callable[[str], Any] = lambda origin: {"issuer": origin, "token_endpoint": f"{origin}/token"}
    life: Any = 3600
    asked: list[tuple[dict[str, str], dict[str, str]]] = field(default_factory=list)
    """The fields and the headers of every request for a token."""
    given: list[str] = field(default_factory=list)

    async def act(self, _: HttpServer, request: Request, reply: Reply) -> bool:
        """Answer one request for a token."""
        self.asked.append(({name: one for name, (one,) in parse_qs(request.body.decode()).items()}, request.headers))
        if self.answers:
            answer = self.answers.pop(0)
            status, said = (200, answer) if isinstance(answer, bytes) else (answer[0], json.dumps(answer[1]).encode())
            await reply.whole(status, said)
            return True
        self.given.append(f"token-{len(self.given) + 1}-of-ours")
        said = {"access_token": self.given[-1], "token_type": "Bearer", "expires_in": self.life}
        await reply.whole(200, json.dumps(said).encode())
        return True

    def announce(self, server: HttpServer) -> None:
        """Let its metadata stand where clients look for them."""
        said = json.dumps(self.metadata(server.origin)).encode()
        server.well_known["/.well-known/oauth-authorization-server"] = said


def wants(issuer: Issuer, *, also: int = 0) -> Callable[[HttpServer, Request, Reply], Any]:
    """Give the fault of a server that takes the newest token of an issuer, and refuses it the first `also` times."""
    left = [also]

    async def act(_: HttpServer, request: Request, reply: Reply) -> bool:
        said = request.headers.get("authorization", "")
        good = bool(issuer.given) and said == f"Bearer {issuer.given[-1]}"
        if good and not left[0]:
            return False
        left[0] -= good
        await reply.whole(401, b"{}", www_authenticate=f'Bearer error="invalid_token", said="{said}"')
        return True

    return act
