"""What CI runs: the scripts in a real repository, against a `gh` and a GitLab that keep what they are told."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from driftwatch.cli.app import COMMANDS
from driftwatch.cli.reference import reference
from tests import zygote
from tests.review.git_world import commit, git

ROOT = Path(__file__).resolve().parent.parent
CI = ROOT / "deploy" / "ci"
MARK = "<!-- driftwatch bumps -->"

_DOCKER = """#!{python}
import json, sys
image = next((word for word in sys.argv if word.startswith("mcp/")), "")
if sys.argv[1] != "run" or not image:
    sys.exit(1)
safe = {{"readOnlyHint": image.endswith(":1.0"), "destructiveHint": False, "openWorldHint": False}}
TOOL = {{"name": "list_tickets", "inputSchema": {{"type": "object"}}, "annotations": safe}}
ANSWERS = {{
    "initialize": {{
        "protocolVersion": "2025-06-18",
        "capabilities": {{"tools": {{}}}},
        "serverInfo": {{"name": "tickets", "version": image.rpartition(":")[2]}},
    }},
    "tools/list": {{"tools": [TOOL]}},
}}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        found = ANSWERS.get(asked["method"])
        answer = {{"result": found}} if found else {{"error": {{"code": -32601, "message": "no"}}}}
        print(json.dumps({{"jsonrpc": "2.0", "id": asked["id"], **answer}}), flush=True)
"""

_GH = """#!{python}
import json, os, sys
if sys.argv[1:3] == ["api", "user"]:
    print(os.environ.get("GH_USER", ""))
    sys.exit("GH_USER" not in os.environ)
with open(os.environ["GH_LOG"], "a") as log:
    body = json.load(open(sys.argv[sys.argv.index("--input") + 1])) if "--input" in sys.argv else None
    log.write(json.dumps({{"args": sys.argv[1:], "body": body}}) + "\\n")
if "--paginate" in sys.argv:
    print(os.environ.get("GH_FOUND", ""))
if os.environ.get("GH_FAILS") and "--input" in sys.argv:
    sys.exit("gh: Resource not accessible by integration (HTTP 403)")
"""


def _program(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text.format(python=sys.executable))
    place.chmod(place.stat().st_mode | stat.S_IXUSR)


class Runner:
    """A runner of GitHub: a repository, a folder for temporary files, and programs on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.repo, self.temp = folder, folder / "repo", folder / "temp"
        _program(folder / "bin" / "docker", _DOCKER)
        _program(folder / "bin" / "gh", _GH)
        ours = f'#!/bin/sh\nexec {shlex.join(zygote.standing_for_driftwatch())} -m driftwatch "$@"\n'
        _program(self.temp / "driftwatch" / "venv" / "bin" / "driftwatch", ours)
        _program(folder / "bin" / "driftwatch", ours)
        self.env = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_WORKSPACE": str(self.repo),
            "GITHUB_ACTION_PATH": str(CI),
            "GITHUB_REPOSITORY": "acme/widgets",
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
            "GH_LOG": str(folder / "gh.log"),
            "IGNORE_UNSEEN": "false",
            "NETWORK": "false",
            "FAIL_ON": "high",
            "NUMBER": "7",
        }

    def bumped(self, base: str, head: str) -> str:
        """Run the step that looks; gives what it logged."""
        return self.script("bumps.sh", BASE=base, HEAD=head)

    def script(self, name: str, **env: str) -> str:
        done = subprocess.run(
            ["bash", str(CI / name)],
            cwd=self.repo,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    @property
    def output(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.folder / "output").read_text().splitlines())

    @property
    def told(self) -> list[dict[str, Any]]:
        """What `gh` was told."""
        log = self.folder / "gh.log"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def _compose(tag: str) -> dict[str, str | None]:
    return {"compose.yaml": f"services:\n  tickets:\n    image: mcp/tickets:{tag}\n"}


@pytest.mark.parametrize("script", sorted(CI.iterdir()), ids=lambda script: script.name)
def test_no_file_of_a_change_is_taken_for_a_module_of_a_script(script: Path) -> None:
    # A job stands in the checkout: without -I a `json.py` there is what Python imports, with the token at hand.
    called = re.findall(r"python3\b(?!\.)(.{0,4})(?= )", script.read_text())

    assert [options for options in called if options.strip() != "-I"] == []


def test_a_bump_is_looked_at_and_one_comment_tells_of_it(runner: Runner) -> None:
    base = commit(runner.repo, _compose("1.0"))
    # A policy of the change itself hides nothing.
    quiet = '[[policy.ignore]]\nrule = "*"\nreason = "all is well"\n'
    head = commit(runner.repo, {**_compose("2.0"), "driftwatch.toml": quiet})

    log = runner.bumped(base, head)
    runner.script("comment.sh", CHANGED=runner.output["changed"])

    assert runner.output == {"changed": "1", "written": "true", "exit-code": "1"}
    listed, posted = runner.told
    assert listed["args"][:3] == ["api", "--paginate", "repos/acme/widgets/issues/7/comments?per_page=100"]
    assert posted["args"][:4] == ["api", "--method", "POST", "repos/acme/widgets/issues/7/comments"]
    assert posted["body"]["body"].startswith(f"{MARK}\n**HIGH: ")
    assert "`1.0` → `2.0`" in posted["body"]["body"]
    assert len(posted["body"]["body"]) < 65_536
    assert (runner.folder / "summary").read_text() in posted["body"]["body"]
    sarif = json.loads((runner.temp / "driftwatch" / "bumps.sarif").read_text())
    assert (
        sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "compose.yaml"
    )
    assert "HIGH" not in log


def test_a_comment_that_is_there_is_kept_up_to_date_and_none_is_made_for_nothing(runner: Runner) -> None:
    base = commit(runner.repo, _compose("1.0"))
    head = commit(runner.repo, {"README.md": "x"})
    runner.bumped(base, head)

    runner.script("comment.sh", CHANGED=runner.output["changed"])
    without = len(runner.told)
    runner.script("comment.sh", CHANGED=runner.output["changed"], GH_FOUND="4711\n4712")

    assert runner.output["changed"] == "0"
    assert without == 1
    assert runner.told[-1]["args"][:4] == ["api", "--method", "PATCH", "repos/acme/widgets/issues/comments/4711"]

    runner.script("comment.sh", CHANGED="0", GH_USER="ann-bot")

    asked = [told["args"][-1] for told in runner.told if "--paginate" in told["args"]]
    assert f'.user.type == "Bot" and (.body | startswith("{MARK}"))' in asked[0]
    assert f'.user.login == "ann-bot" and (.body | startswith("{MARK}"))' in asked[-1]


def test_hostile_names_and_a_token_that_may_only_read_do_no_harm(runner: Runner) -> None:
    hostile = 'x"$(touch${IFS}owned)"`touch owned`\n::add-mask::a'
    base = commit(runner.repo, {"README.md": "x"})
    commit(runner.repo, {f"{hostile}/compose.yaml": _compose("2.0")["compose.yaml"]})
    branch = "x$(touch${IFS}owned);`id`"
    git(runner.repo, "branch", branch)

    log = runner.bumped(base, branch)
    log += runner.script("comment.sh", CHANGED=runner.output["changed"], GH_FAILS="1")

    assert runner.output["changed"] == "1"
    assert "this token may not comment" in log
    assert not [line for line in log.splitlines() if line.startswith("::")]
    assert not list(runner.folder.rglob("owned"))
    assert "\n::" not in runner.told[-1]["body"]["body"]


def test_a_commit_that_is_not_there_is_said_and_comments_nothing(runner: Runner) -> None:
    commit(runner.repo, _compose("1.0"))

    log = runner.bumped("0" * 40, "HEAD")
    log += runner.script("comment.sh", CHANGED=runner.output["changed"])

    assert runner.output == {"changed": "unknown", "written": "false", "exit-code": "2"}
    assert "driftwatch: error: There is no commit" in log
    assert runner.told == []


def _steps() -> list[dict[str, Any]]:
    action = yaml.safe_load((CI / "action.yml").read_text(encoding="utf-8"))
    steps: list[dict[str, Any]] = action["runs"]["steps"]
    return steps


def test_no_script_of_the_action_has_anything_put_into_its_text() -> None:
    scripts = [step["run"] for step in _steps() if "run" in step]

    assert scripts
    assert [script for script in scripts if "${{" in script] == []


def test_every_script_that_the_action_calls_is_there_and_gets_the_variables_that_it_reads() -> None:
    given = {"GITHUB_ACTION_PATH", "RUNNER_TEMP", "GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"}
    given |= {"GITHUB_REPOSITORY"}
    for step in _steps():
        for name in re.findall(r"\$GITHUB_ACTION_PATH/(\S+\.sh)", step.get("run", "")):
            text = (CI / name).read_text(encoding="utf-8")
            read = set(re.findall(r"\$\{?([A-Z_]{2,})\b", text))
            assert read <= given | set(step.get("env", {})), name


def _driftwatch_calls(text: str) -> list[list[str]]:
    joined = text.replace("\\\n", " ")
    found = re.findall(r"(?m)(?:^|[\s/\"])driftwatch\"? ((?:[a-z-]+ ?)+)([^>|\n]*)", joined)
    return [[*words.split(), *re.findall(r"--[a-z-]+", rest)] for words, rest in found if words.split()[0] in COMMANDS]


def test_every_command_and_option_that_ci_uses_exists() -> None:
    pages = reference()
    texts = [path.read_text(encoding="utf-8") for path in (*CI.glob("*.sh"), CI / "driftwatch.gitlab-ci.yml")]
    texts += [hook["entry"] for hook in _hooks()]

    calls = [call for text in texts for call in _driftwatch_calls(text)]

    assert {call[0] for call in calls} == {"bumps", "lock"}
    for call in calls:
        words = [word for word in call if not word.startswith("--")]
        page = pages.partition(f"\n## driftwatch {' '.join(words)}\n")[2].partition("\n## ")[0]
        assert page, words
        assert [option for option in call if option.startswith("--") and option not in page] == []


def _hooks() -> list[dict[str, Any]]:
    hooks: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return hooks


def test_a_hook_runs_for_the_files_that_it_reads() -> None:
    hook = next(hook for hook in _hooks() if hook["id"] == "driftwatch-lock")

    matched = [name for name in _NAMES if re.search(hook["files"], name)]

    assert matched == _NAMES[:4]


_NAMES = [
    "driftwatch.toml",
    "driftwatch.lock.json",
    "driftwatch.lock.d/notes.json",
    "ops/driftwatch.lock.json",
    "my-driftwatch.tomlx",
    "README.md",
]


class Notes(BaseHTTPRequestHandler):
    """A GitLab that has one note of ours on the second page of its notes, or none."""

    told: ClassVar[list[tuple[str, str, Any]]]
    has_note = False

    def _answer(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size)) if size else None
        self.told.append((self.command, self.path, body))
        notes = [{"id": 3, "body": f"{MARK}\nmine, says a stranger", "author": {"id": 2}}]
        if "page=2" in self.path.partition("per_page=100")[2] and self.has_note:
            notes = [{"id": 12, "body": f"{MARK}\nold", "author": {"id": 7}}]
        answer = json.dumps({"id": 7} if self.path == "/user" else notes).encode()
        self.send_response(200 if self.headers["PRIVATE-TOKEN"] == "glpat" else 401)
        self.send_header("X-Next-Page", "2" if self.path.endswith("page=1") else "")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = _answer  # noqa: N815 - the names that the library asks for

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def gitlab() -> Iterator[tuple[str, type[Notes]]]:
    class Here(Notes):
        told: ClassVar[list[tuple[str, str, Any]]] = []

    server = HTTPServer(("127.0.0.1", 0), Here)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", Here
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(("has_note", "method"), [(True, "PUT"), (False, "POST")])
def test_the_job_of_gitlab_writes_a_report_and_keeps_one_note(
    runner: Runner, gitlab: tuple[str, type[Notes]], has_note: bool, method: str
) -> None:
    url, here = gitlab
    here.has_note = has_note
    job = yaml.safe_load((CI / "driftwatch.gitlab-ci.yml").read_text(encoding="utf-8"))["driftwatch"]
    base = commit(runner.repo, _compose("1.0"))
    head = commit(runner.repo, _compose("2.0"))
    (runner.repo / ".driftwatch").mkdir()
    env = {
        **runner.env,
        **job["variables"],
        "CI_PROJECT_DIR": str(runner.repo),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
        "CI_COMMIT_SHA": head,
        "CI_API_V4_URL": url,
        "CI_PROJECT_ID": "5",
        "CI_MERGE_REQUEST_IID": "9",
        "DRIFTWATCH_GITLAB_TOKEN": "glpat",
    }

    (script,) = job["script"]
    done = subprocess.run(["bash", "-c", script], cwd=runner.repo, env=env, capture_output=True, text=True, check=False)

    assert done.returncode == 1, done.stderr
    assert (runner.repo / job["artifacts"]["reports"]["junit"]).read_text().startswith("<?xml")
    last = here.told[-1]
    assert last[0] == method
    assert last[1] == "/projects/5/merge_requests/9/notes" + ("/12" if has_note else "")
    assert last[2]["body"].startswith(f"{MARK}\n**HIGH: ")
