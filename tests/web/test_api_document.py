"""The OpenAPI document: it tells of all that there is, says what everything means, and is the one that is committed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from web_site import Site, browser, program, signed_in, site

from driftwatch.model import Role
from driftwatch.web.api.document import written
from driftwatch.web.api.router import PARTS, document
from tests.desk import Desk
from tests.fakes import listed

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}

OPERATIONS = [
    (f"{method} {path}", operation) for path, one in document()["paths"].items() for method, operation in one.items()
]
OUR_OWN = [name for name in document()["components"]["schemas"] if not name.startswith("Report.")]


def named(value: object) -> str:
    return value if isinstance(value, str) else ""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("web")) as made:
        made.add("vic", Role.VIEWER)
        yield made


def test_the_committed_document_is_the_one_that_the_code_makes() -> None:
    committed = (ROOT / "docs" / "openapi.json").read_text(encoding="utf-8")

    assert committed == written(document()), "write it anew: make docs"


def test_it_tells_of_every_endpoint() -> None:
    told = {(method.upper(), path) for path, one in document()["paths"].items() for method in one}

    assert told == {(method, route.path) for part in PARTS for route in part.routes for method in route.methods}


def test_every_endpoint_has_a_name_of_its_own() -> None:
    names = [operation["operationId"] for _, operation in OPERATIONS]

    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=named)
def test_every_endpoint_says_what_it_does_for_whom_and_what_can_go_wrong(name: str, operation: dict[str, Any]) -> None:
    wrong = {status: one for status, one in operation["responses"].items() if status >= "400"}

    assert len(operation["tags"]) == 1
    assert operation["summary"]
    assert operation["description"].endswith(f"Role: {operation['x-role']}.")
    assert {"401", "403", "422", "500", "503"} <= set(wrong)
    assert {"404"} <= set(wrong) or "{" not in name
    assert all(one["content"] == PROBLEM for one in wrong.values())


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=named)
def test_what_changes_something_takes_a_form_token_and_what_only_looks_takes_entity_tags(
    name: str, operation: dict[str, Any]
) -> None:
    headers = {one["name"] for one in operation["parameters"] if one["in"] == "header"}
    answers = operation["responses"]

    assert ("X-Form-Token" in headers) == (not name.startswith("get "))
    assert ("If-None-Match" in headers) == ("304" in answers)
    assert ("If-Match" in headers) == ("412" in answers)


@pytest.mark.parametrize("name", OUR_OWN)
def test_every_shape_says_what_it_is(name: str) -> None:
    schema = document()["components"]["schemas"][name]

    assert schema.get("description"), "write a docstring"
    Draft202012Validator.check_schema(schema)


def test_findings_and_reports_are_those_of_the_one_schema_of_reports() -> None:
    schemas = document()["components"]["schemas"]
    one = json.loads((ROOT / "driftwatch" / "report" / "report.schema.json").read_text(encoding="utf-8"))["$defs"]

    assert {name.removeprefix("Report.") for name in schemas if name.startswith("Report.")} == set(one)
    assert schemas["Difference"]["properties"]["report"] == {"$ref": "#/components/schemas/Report.report"}
    assert set(schemas["Report.finding"]["properties"]) == set(one["finding"]["properties"])


def test_all_references_lead_somewhere() -> None:
    text = written(document())
    wanted = {part.split('"')[0] for part in text.split('"$ref": "#/components/schemas/')[1:]}

    assert wanted <= set(document()["components"]["schemas"])


def test_the_document_is_served_to_everybody(here: Site) -> None:
    with browser(here) as nobody:
        answered = nobody.get("/api/v1/openapi.json")

    assert answered.json() == document()
    assert answered.headers["content-type"] == "application/json"


def test_a_page_lists_every_endpoint_with_its_role(here: Site) -> None:
    with signed_in(here, "vic") as client:
        page = client.get("/api").text

    assert page.count("<code>") >= len(OPERATIONS)
    assert all(operation["operationId"] in page for _, operation in OPERATIONS)
    assert "<script>" not in page


async def test_the_item_that_is_explained_is_what_the_api_gives(tmp_path: Path) -> None:
    section = (ROOT / "docs" / "api.md").read_text("utf-8").partition("### An item")[2]
    asked = re.search(r'"\$API(/[^"]+)"', section)
    example = re.search(r"```json\n(.*?)```", section, re.DOTALL)
    assert asked
    assert example
    told = json.loads(example[1])
    desk = Desk(tmp_path)
    await desk.look(listed(told["raw"]))
    desk.store.close()
    with site(tmp_path) as there:
        _, secret = there.token()
        with program(there, secret) as client:
            item = client.get(f"/api/v1{asked[1]}").json()
            entries = client.get("/api/v1/servers/notes/snapshots/latest/items?kind=tool").json()["entries"]

    assert item == told
    assert entries == [told]
    assert [*item] == [*told]
    assert all(f"`{member}`" in section for member in item)
