"""Of a log the line is shown that says what went wrong, not the advice that runners write below it."""

from __future__ import annotations

import pytest

from driftwatch.watch.fetch.lastline import last_line

NPM = """npm error code ETARGET
npm error notarget No matching version found for @notes/mcp@9.9.9.
npm error notarget In most cases you or one of your dependencies are requesting
npm error notarget a package version that doesn't exist.
npm error A complete log of this run can be found in: /home/x/.npm/_logs/1.log
"""
OLD_NPM = """npm ERR! code E404
npm ERR! 404 Not Found - GET https://registry.example/notes
npm ERR! 404
npm ERR! 404 Note that you can also install from a
npm ERR! 404 tarball, folder, http url, or git folder.

npm ERR! A complete log of this run can be found in: /home/x/.npm/_logs/1.log
"""
DOCKER = """docker: Error response from daemon: pull access denied for notes.

Run 'docker run --help' for more information
"""
UV = """  × No solution found when resolving tool dependencies:
  ╰─▶ Because notes was not found in the package registry, the requirements
      cannot be met.

      hint: Packages were not looked for, because there was no
      network when it was asked.
"""
NODE = """Error: Cannot find module 'notes'
    at Function.resolve (node:internal/modules:1:1) {
  code: 'MODULE_NOT_FOUND'
}

Node.js v20.1.0
"""


@pytest.mark.parametrize(
    ("log", "line"),
    [
        (NPM, "npm error notarget No matching version found for @notes/mcp@9.9.9."),
        (OLD_NPM, "npm ERR! 404 Not Found - GET https://registry.example/notes"),
        (DOCKER, "docker: Error response from daemon: pull access denied for notes."),
        (UV, "╰─▶ Because notes was not found in the package registry, the requirements"),
        (NODE, "Error: Cannot find module 'notes'"),
        ("ready\nno database\nhint: start it\n", "no database"),
        ("\x1b[31merror\x1b[0m: no key\nbye\n", "\x1b[31merror\x1b[0m: no key"),
        ("notes: bad option\nusage: notes [-h]\nTry 'notes --help' for help.\n", "notes: bad option"),
    ],
)
def test_the_line_that_says_what_went_wrong_is_shown_and_is_not_the_last(log: str, line: str) -> None:
    assert last_line(log) == (line, False)


@pytest.mark.parametrize(
    ("log", "line"),
    [("", ""), (" \n\n", ""), ("one\ntwo\n\n", "two"), ("hint: read the manual\n", "hint: read the manual")],
)
def test_where_nothing_says_more_it_is_the_last_line(log: str, line: str) -> None:
    assert last_line(log) == (line, True)
