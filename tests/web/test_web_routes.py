"""Every endpoint says who it is for, and holds to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

import httpx
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from web_site import Site, browser, signed_in, site

from driftwatch.model import Role
from driftwatch.web.access import Needs, Open, sent
from driftwatch.web.app import ROUTERS
from driftwatch.web.problems import API

UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}


def routes(of: Iterable[object]) -> Iterator[APIRoute]:
    """Give every endpoint, also of routers within routers."""
    for one in of:
        inner = getattr(one, "original_router", one)
        if isinstance(one, APIRoute):
            yield one
        else:
            assert hasattr(inner, "routes"), f"what is {one}?"
            yield from routes(inner.routes)


def calls(dependant: Dependant) -> Iterator[object]:
    for one in dependant.dependencies:
        yield one.call
        yield from calls(one)


ALL = sorted(routes(ROUTERS), key=lambda route: (route.path, sorted(route.methods)))
CASES = [(route, method) for route in ALL for method in sorted(route.methods)]


def named(value: object) -> str:
    return value.path if isinstance(value, APIRoute) else str(value)


def needs(route: APIRoute) -> Role | None:
    """Give the role that a route asks for, None for one that is open."""
    (found,) = {call for call in calls(route.dependant) if isinstance(call, Needs | Open)}
    return found.role if isinstance(found, Needs) else None


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("web")) as made:
        for role in Role:
            made.add(role.value, role)
        yield made


@pytest.fixture(scope="module")
def people(here: Site) -> Iterator[dict[Role | None, httpx.Client]]:
    """A browser of somebody of each role, and of nobody."""
    with ExitStack() as stack:
        browsers: dict[Role | None, httpx.Client] = {None: stack.enter_context(browser(here))}
        for role in Role:
            browsers[role] = stack.enter_context(signed_in(here, role.value))
        yield browsers


def test_there_are_endpoints() -> None:
    assert {"/sign-in", "/people", "/tokens"} <= {route.path for route in ALL}


@pytest.mark.parametrize("route", ALL, ids=named)
def test_every_endpoint_says_who_it_is_for(route: APIRoute) -> None:
    found = {call for call in calls(route.dependant) if isinstance(call, Needs | Open)}

    assert len(found) == 1, "declare Viewer, Reviewer, Admin or open_to_all, and only one of them"


@pytest.mark.parametrize("route", ALL, ids=named)
def test_every_page_that_changes_something_takes_a_form_that_works_once(route: APIRoute) -> None:
    changes = bool(route.methods & UNSAFE) and not route.path.startswith(API)

    assert (sent in set(calls(route.dependant))) == changes


@pytest.mark.parametrize("route", ALL, ids=named)
def test_what_only_looks_is_asked_for_by_get_alone(route: APIRoute) -> None:
    assert not (route.methods & UNSAFE and route.methods - UNSAFE)


def ask(client: httpx.Client, method: str, path: str) -> httpx.Response:
    """Ask with names that there are not, and without a form: who may come in is told so, and nothing is changed."""
    headers = {}
    if path.startswith(API) and method in UNSAFE:
        headers["X-Form-Token"] = client.get("/api/v1/me/form-token").json().get("token", "")
    with client.stream(method, re.sub(r"\{[^}]*\}", "nothing", path), headers=headers) as answered:  # news have no end
        return answered


@pytest.mark.parametrize(("route", "method"), CASES, ids=named)
@pytest.mark.parametrize("role", [None, *Role], ids=lambda role: role.value if role else "nobody")
def test_each_role_comes_in_where_it_may_and_nowhere_else(
    people: dict[Role | None, httpx.Client], route: APIRoute, method: str, role: Role | None
) -> None:
    needed = needs(route)
    may = needed is None or (role is not None and role.includes(needed))
    answered = ask(people[role], method, route.path)

    sent_away = answered.status_code == 303 and answered.headers["location"].startswith("/sign-in?")
    if may:
        assert answered.status_code not in {401, 403, 500}
        assert not sent_away
    elif role is not None:
        assert answered.status_code == 403
    else:
        assert answered.status_code == 401 if route.path.startswith(API) else sent_away
