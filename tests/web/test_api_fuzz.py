"""Whatever is asked of the API is answered as its document says, by a real application on a town of servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import ignored_auth, positive_data_acceptance, unsupported_method
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.modes import GenerationMode

from driftwatch.model import Role
from driftwatch.web.api.router import document
from tests.web.town import town_site

CONFIG = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}, "stateful": {"enabled": False}}})

# The stream of news has no end; it has tests of its own.
SCHEMA = schemathesis.openapi.from_dict(document(), config=CONFIG).exclude(operation_id="listen")

NOT_HELD = [
    # A cursor is any text to the schema, and most texts are none: 400.
    positive_data_acceptance,
    # Who may come in is tested of every endpoint and every role; here it would be asked three times as much.
    ignored_auth,
    # Answered by the framework, and tested beside.
    unsupported_method,
]


@dataclass
class Served:
    """The served town, and names and ids that there are in it."""

    url: str
    session: requests.Session
    known: dict[str, list[str]]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with ExitStack() as stack:
        site = stack.enter_context(town_site(tmp_path_factory.mktemp("town")))
        _, secret = site.token(Role.ADMIN)
        session = stack.enter_context(requests.Session())
        session.headers["Authorization"] = f"Bearer {secret}"
        store = site.store
        known = {
            "server": ["notes", "bazaar", "docs"],
            "digest": ["latest", "baseline"],
            "alert": [one.id for one in store.alerts()],
            "delivery": [one.id for one in store.deliveries()],
            "batch": [one.id for one in store.deliveries() if one.event == "batch"],
            "silence": [one.id for one in store.silences()],
            "ahead": [one.id for one in store.aheads()],
            "channel": ["on-call"],
            "rule": ["hint-loosened"],
            "user": ["vic", "rita"],
        }
        yield Served(site.url, session, known)


@SCHEMA.parametrize()
@settings(
    max_examples=settings().max_examples // 4,  # each is a request, of every endpoint
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_the_document_says(town: Served, case: schemathesis.Case) -> None:
    is_right = case.meta is None or case.meta.generation.mode is GenerationMode.POSITIVE
    if is_right:
        for name in case.path_parameters or {}:
            # Names made up at random are of nothing that there is: every answer would be the same.
            there = town.known.get(name, [])
            if there:
                case.path_parameters[name] = there[len(str(case.path_parameters[name])) % len(there)]

    case.call_and_validate(base_url=town.url, session=town.session, excluded_checks=NOT_HELD, timeout=30)
