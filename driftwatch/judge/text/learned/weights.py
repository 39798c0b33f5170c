"""The weights: numbers that the training script found, shipped as data.

The file is zlib data: one line of JSON (a `Head`), then one signed byte per bucket for each family, then for each
category one signed byte per topic bucket.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

from driftwatch.judge.text.learned.features import BUCKETS, FAMILIES

TOPICS: Final = 1 << 12
"""How many weights a category has."""
_FILE: Final = "weights.z"
DIGEST: Final = hashlib.sha256(
    b"".join(Path(__file__).with_name(name).read_bytes() for name in (_FILE, "classes.txt.z"))
).hexdigest()
"""Of all that was learned: stored history is judged anew when it moves."""


@dataclass(frozen=True, slots=True)
class Weights:
    """`tables` hold a byte per bucket; what they say counts `steps` times as much; `bias` and `slope` make a logit.

    `topics` and `leanings` are the same for the categories: which one a text is about, once it is suspect.
    """

    tables: Mapping[str, Sequence[int]]
    steps: Mapping[str, float]
    bias: float
    slope: float
    topics: Mapping[str, Sequence[int]]
    leanings: Mapping[str, float]


def write(weights: Weights) -> bytes:
    """Give the file of the weights: the same weights give the same bytes."""
    head = asdict(weights) | {"tables": list(weights.tables), "topics": list(weights.topics)}
    body = b"".join(array("b", table).tobytes() for table in (*weights.tables.values(), *weights.topics.values()))
    return zlib.compress(json.dumps(head, sort_keys=True).encode() + b"\n" + body, 9)


def read(packed: bytes) -> Weights:
    """Read the file of the weights."""
    line, _, body = zlib.decompress(packed).partition(b"\n")
    head = json.loads(line)
    whole = array("b", body)
    families = {name: whole[at * BUCKETS : (at + 1) * BUCKETS] for at, name in enumerate(FAMILIES)}
    rest = len(FAMILIES) * BUCKETS
    topics = {name: whole[rest + at * TOPICS : rest + (at + 1) * TOPICS] for at, name in enumerate(head["topics"])}
    return Weights(families, head["steps"], head["bias"], head["slope"], topics, head["leanings"])


@cache
def weights() -> Weights:
    """Give the weights that are shipped, read once."""
    return read(Path(__file__).with_name(_FILE).read_bytes())
