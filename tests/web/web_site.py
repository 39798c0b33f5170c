"""A real application on a real port of loopback, a real database, and browsers and programs that ask it."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import APIRouter, FastAPI

from driftwatch.config.schema import DaemonConfig, Settings
from driftwatch.config.web import WebConfig
from driftwatch.model import Actor, Role, Session, Token, User
from driftwatch.run.serving import Protocol, Server
from driftwatch.store.store import Store
from driftwatch.web import accounts, passwords
from driftwatch.web.access import Admin, Reviewer, Viewer
from driftwatch.web.app import create, guarded
from driftwatch.web.desk import Desk
from driftwatch.web.keys import hashed, new_key
from driftwatch.web.welcome import Welcome
from tests.blank import blank
from tests.fakes import FrozenClock

PASSWORD = "correct horse battery staple"
BY = Actor("root", "cli root@here")
HASH = passwords.hash_password(PASSWORD)
SECRET_OF_A_FAULT = "not-for-eyes-4711"
PATIENCE = 60.0
"""Seconds: what a busy machine may take for one answer; none of these tests is about time."""

# What the API has is not the business of these tests: three endpoints of their own stand for it.
api = APIRouter(prefix="/api/v1")


@api.get("/desks")
def _desks(person: Viewer) -> dict[str, str]:
    return {"name": person.name, "role": person.role.value, "origin": person.origin}


@api.post("/desks")
def _decide(person: Reviewer) -> dict[str, str]:
    return {"name": person.name}


@api.get("/people")
def _people(person: Admin) -> dict[str, str]:
    return {"name": person.name}


@api.get("/faults")
def _fault(_: Viewer) -> None:
    raise RuntimeError(SECRET_OF_A_FAULT)


@dataclass
class Site:
    """One served application. `looked` holds the servers that somebody asked a look for, `woken` each waking."""

    url: str
    desk: Desk
    clock: FrozenClock
    key: str
    app: FastAPI
    looked: list[str] = field(default_factory=list)
    woken: list[str] = field(default_factory=list)

    @property
    def store(self) -> Store:
        return self.desk.store

    def add(self, name: str, role: Role = Role.VIEWER, password: str | None = PASSWORD) -> None:
        kept = None if password is None else HASH if password == PASSWORD else passwords.hash_password(password)
        self.store.add_user(User(name, role, self.clock(), kept), by=BY)

    def token(self, role: Role = Role.VIEWER, *, by: Actor = BY, **more: Any) -> tuple[Token, str]:
        given = {"lasts": None, **more}
        return accounts.add_token(self.store, secrets.token_bytes, "ci", role, by=by, now=self.clock(), **given)


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serve an application in a thread of its own, on a free port."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, http=Protocol)
    config.proxy_headers = config.server_header = False
    server = Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.005)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def site(folder: Path, *, public_url: str | None = None, **web: Any) -> Iterator[Site]:
    """Serve the application on a database in this folder; `web` is the table of that name."""
    clock, looked = FrozenClock(), list[str]()
    url = blank(folder / "driftwatch.db")
    settings = Settings(database_url=url, web=WebConfig(**web), daemon=DaemonConfig(public_url=public_url))
    with ExitStack() as stack:
        store = stack.enter_context(Store.open(url, clock=clock))
        desk = Desk(store, settings, clock, secrets.token_bytes, wake=lambda: None, look=looked.append)
        welcome, key = Welcome.with_key(secrets.token_bytes, clock())
        app = create(desk, welcome=welcome)
        app.include_router(api)
        yield Site(stack.enter_context(served(guarded(app))), desk, clock, key, app, looked)


def browser(at: Site | str, **headers: str) -> httpx.Client:
    """Give a browser on a page of the site itself: it says so with every request, as browsers do."""
    url = at if isinstance(at, str) else at.url
    return httpx.Client(
        base_url=url, timeout=PATIENCE, headers={"Sec-Fetch-Site": "same-origin", "Origin": url, **headers}
    )


def program(at: Site, secret: str) -> httpx.Client:
    return httpx.Client(base_url=at.url, timeout=PATIENCE, headers={"Authorization": f"Bearer {secret}"})


def form_of(page: str, action: str) -> dict[str, str]:
    """Give the hidden fields of the form on a page that goes to `action`, as a browser would send them."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.DOTALL)
    assert form, f"there is no form to {action}"
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1])
    return {name: unescape(value) for name, value in hidden}


def sign_in(client: httpx.Client, name: str, password: str = PASSWORD, *, onward: str = "/") -> httpx.Response:
    page = client.get("/sign-in", params={"next": onward}).text
    return client.post("/sign-in", data={**form_of(page, "/sign-in"), "name": name, "password": password})


@contextmanager
def signed_in(at: Site, name: str, **headers: str) -> Iterator[httpx.Client]:
    """Give a browser that somebody signed in with; that takes a while, so it was done behind the scene."""
    key, now = new_key(secrets.token_bytes), at.clock()
    end = now + timedelta(seconds=at.desk.settings.web.session_idle)
    session = Session(hashed(key), name, now, now, end, new_key(secrets.token_bytes), "127.0.0.1")
    at.store.open_session(session, origin="web 127.0.0.1", how="password")
    with browser(at, **headers) as client:
        client.cookies.set("driftwatch", key, domain="127.0.0.1")
        yield client
