"""Container images: which one a tag means here and now. Asks the container engine's own client, and pulls nothing."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence

from driftwatch.config.packages import asked

_PATIENCE = 5.0
_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


def image_digest(command: str, args: Sequence[str], environment: Mapping[str, str]) -> str:
    """Give `sha256:` and 64 hex digits of the image that a command runs, empty when the engine does not say.

    Blocks for as long as the client takes, some seconds at most.
    """
    image = next((one for one in asked(command, args) if one.ecosystem == "oci"), None)
    if image is None or image.spec.startswith("-"):
        return ""
    engine = image.runner.partition(" ")[0]
    try:
        done = subprocess.run(
            [engine, "image", "inspect", "--format", "{{.Id}}", image.spec],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    found = _DIGEST.fullmatch(done.stdout.decode("ascii", "replace").strip())
    return f"sha256:{found[1]}" if found is not None and done.returncode == 0 else ""
