#!/usr/bin/env python3
"""Write the image's bill of materials (CycloneDX, JSON): its Python distributions, its Python, its Debian packages.

Runs while the image is built, by the Python that requirements.txt beside this file was installed for; it is not part
of the image. cyclonedx-py tells what the environment at PYTHON holds; the rest is taken from dpkg and os-release.
Nothing in it depends on the time, the machine or chance: the same packages make the same bytes.

    sbom.py PYTHON PYPROJECT OUT
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

LISTED = r"${binary:Package}\t${Version}\t${Architecture}\t${db:Status-Status}\n"
"""What dpkg-query is asked for, of each package."""


def release(text: str) -> dict[str, str]:
    """Read os-release: NAME=value lines, values with or without quotes."""
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line and not line.startswith("#"))
    return {key: value.strip("\"'") for key, _, value in pairs}


def debian(listed: str, about: Mapping[str, str]) -> list[dict[str, str]]:
    """Give a component for each installed package that dpkg-query listed, in order of their references."""
    system = about.get("ID", "debian")
    distro = f"{system}-{about['VERSION_ID']}" if "VERSION_ID" in about else system
    found = []
    for line in listed.splitlines():
        package, version, architecture, status = line.split("\t")
        if status != "installed":
            continue
        name = package.partition(":")[0]
        purl = f"pkg:deb/{system}/{quote(name, safe='')}@{quote(version, safe='')}?arch={architecture}&distro={distro}"
        found.append({"type": "library", "name": name, "version": version, "bom-ref": purl, "purl": purl})
    return sorted(found, key=lambda one: one["bom-ref"])


def python(version: str) -> dict[str, str]:
    """Give the component of the interpreter, under the name that advisories use for it."""
    return {
        "type": "application",
        "name": "python",
        "version": version,
        "bom-ref": f"pkg:generic/python@{version}",
        "purl": f"pkg:generic/python@{version}",
        "cpe": f"cpe:2.3:a:python:python:{version}:*:*:*:*:*:*:*",
    }


def join(bill: Mapping[str, Any], added: list[dict[str, str]]) -> dict[str, Any]:
    """Give the bill with components added, each with a line of its own among the dependencies."""
    lines = [*bill.get("dependencies", []), *({"ref": one["bom-ref"]} for one in added)]
    return {**bill, "components": [*bill.get("components", []), *added], "dependencies": lines}


def main(interpreter: str, project: str, out: str) -> None:
    """Gather all of it, check it against the published schema, and write it."""
    from cyclonedx.schema import OutputFormat, SchemaVersion  # noqa: PLC0415 - only the build has it
    from cyclonedx.validation import make_schemabased_validator  # noqa: PLC0415

    words = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--pyproject", project]
    bill = json.loads(subprocess.run([*words, interpreter], check=True, capture_output=True, text=True).stdout)
    listed = subprocess.run(["dpkg-query", "-W", "-f", LISTED], check=True, capture_output=True, text=True).stdout
    about = release(Path("/etc/os-release").read_text(encoding="utf-8"))
    text = json.dumps(join(bill, [python(platform.python_version()), *debian(listed, about)]), indent=1) + "\n"
    errors = make_schemabased_validator(OutputFormat.JSON, SchemaVersion.V1_6).validate_str(text)
    if errors is not None:
        sys.exit(f"The bill of materials does not fit CycloneDX 1.6: {errors!r}")
    Path(out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
