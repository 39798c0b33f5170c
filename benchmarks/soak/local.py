"""A local server of a soak: `python local.py STATE`. What it shows stands in a file, since each look starts it anew."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from answers import answer


def main(state: Path) -> None:
    """Answer until the input ends; one that is to be away ends at once."""
    shown = json.loads(state.read_bytes())
    if shown["down"]:
        raise SystemExit(1)
    for line in sys.stdin.buffer:
        said = answer(
            json.loads(line),
            modern=shown["modern"],
            listens=False,
            tools=shown["tools"],
            ttl_ms=shown["ttl"],
            version=shown["version"],
            broken=False,
        )
        if said is not None:
            sys.stdout.buffer.write(said + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
