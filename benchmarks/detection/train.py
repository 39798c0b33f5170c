"""Train the weights of the learned opinion, or measure it on writers it has not seen.

Run: python benchmarks/detection/train.py [--measure] [--out FILE]
Reads injected and honest texts from `tests/data/detection/texts/*.jsonl` (fields label, category, language, text; a
writer a file), and honest releases from the shared corpus (../shared or DRIFTWATCH_SHARED), rows with an open licence
only.
Needs numpy. The same data gives the same file. Rows that measure are never trained on: `subtle_pairs` is not read.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from learn import Floats, Rows, calibrate, logistic, quantise

ROOT = Path(os.environ.get("DRIFTWATCH_ROOT", Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(ROOT))

from benchmarks.detection.measured.sources import DEVELOPMENT, part_of, publisher, rows  # noqa: E402
from driftwatch.judge.text.added import gained  # noqa: E402
from driftwatch.judge.text.learned.features import BUCKETS, FAMILIES, Features, features  # noqa: E402
from driftwatch.judge.text.learned.opinion import topics  # noqa: E402
from driftwatch.judge.text.learned.weights import TOPICS, Weights, write  # noqa: E402
from driftwatch.judge.text.learned.windows import windows  # noqa: E402
from driftwatch.judge.text.normalise import fold  # noqa: E402
from driftwatch.judge.text.sentences import sentences  # noqa: E402
from driftwatch.judge.text.signals import base  # noqa: E402

DATA = ROOT / "tests" / "data" / "detection" / "texts"
SHARED = Path(os.environ.get("DRIFTWATCH_SHARED", ROOT.parent / "shared"))
WEIGHTS = ROOT / "driftwatch" / "judge" / "text" / "learned" / "weights.z"

FOLDS = 4
STRENGTH = {"words": 3.0, "parts": 3.0, "narrow": 1.0, "wide": 1.0, "topics": 2.0}
RELEASES = 0.10
"""How much one stretch of a real release counts, against one written text."""
PARTS = 0.50
"""How much one stretch of an honest written text counts: the product weighs stretches, not whole texts."""
LEAST = 20
"""Shorter strings of a release say nothing."""
LONGEST = 600
"""Longer descriptions of published attacks are honest for the greater part."""
OPEN = ("MIT", "Apache", "ISC", "BSD", "FSL")
"""How licences start whose rows may be trained on."""
PUBLIC = {
    "override": base.OVERRIDE,
    "secrecy": base.SECRECY,
    "credentials": base.CREDENTIALS,
    "files": base.CREDENTIALS,
    "exfiltration": base.EXFILTRATION,
    "tools": base.STEERING,
    "context": base.CONTEXT,
    "role": base.ROLE,
    "authority": base.AUTHORITY,
    "execution": base.EXECUTION,
    "confirmation": base.CONFIRMATION,
    "trigger": base.TRIGGERS,
    "persistence": base.PERSISTENCE,
    "reporting": base.REPORTING,
}
"""The category of a written text → the one that a finding carries."""


@dataclass(frozen=True)
class Sample:
    """One text with what it is; `source` is its writer or a server. What is plain and honest has no language here.

    `parts` are the stretches that the product would weigh, where these are more than one: the worst of them counts.
    """

    features: Features
    injected: bool
    category: str
    source: str
    language: str = ""
    parts: tuple[Features, ...] = ()

    @property
    def fold(self) -> int:
        """Which part of the data it is in; a source is never split."""
        return crc32(self.source.encode()) % FOLDS


def main() -> None:
    """Train, or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="only measure on writers and servers left out")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    chosen = parser.parse_args()
    samples = [*written(chosen.data), *attacks(), *releases()]
    logits = unseen(samples)
    slope, bias = fit_scale(samples, logits)
    tell(samples, slope * logits + bias)
    if not chosen.measure:
        chosen.out.write_bytes(write(train(samples, slope, bias)))


def written(folder: Path) -> Iterator[Sample]:
    """Give the written texts, a writer a file, and the approved descriptions; copies of earlier ones are left out."""
    seen: set[str] = set()
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["text"] in seen:
                continue
            seen.add(row["text"])
            injected = row["label"] == "injection"
            category = PUBLIC.get(row["category"].split(" ")[0], "") if injected else ""
            yield Sample(read(row["text"]), injected, category, path.stem, row["language"], parts(row["text"]))
            if len(row["was"]) >= LEAST and row["was"] not in seen:
                seen.add(row["was"])
                yield Sample(read(row["was"]), injected=False, category="", source=path.stem)


def attacks() -> Iterator[Sample]:
    """Give published attacks of the sources that are for development, as far as their licence is open."""
    for row in rows("poisoned"):
        text = str(row["tool"].get("description", ""))
        fit = row["license"].startswith(OPEN) and part_of(publisher(row)) == DEVELOPMENT
        if fit and row["strength"] == "injection" and LEAST <= len(text) <= LONGEST:
            yield Sample(read(text), injected=True, category="", source=publisher(row), language="en")


def releases() -> Iterator[Sample]:
    """Give what honest releases gained, and honest tools, stretch by stretch."""
    for name in ("histories", "hard_negative_drifts", "hard_negatives", "benign"):
        path = SHARED / "corpus" / f"{name}.jsonl"
        seen: set[str] = set()
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            row = json.loads(line)
            if not row["license"].startswith(OPEN):
                continue
            for before, after in versions(row):
                for text in stretches(before, after):
                    if text not in seen:
                        seen.add(text)
                        yield Sample(read(text), injected=False, category="", source=f"server {row['server']}")


def versions(row: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Give what a tool was and became, for each change; nothing before for a tool alone."""
    if "versions" in row:
        yield from pairwise(version["tool"] for version in row["versions"])
    elif "after" in row:
        yield row["before"], row["after"]
    else:
        yield None, row["tool"]


def stretches(before: Any, after: Any) -> Iterator[str]:
    """Give the stretches that the strings of a value gained."""
    old = dict(strings(before, ""))
    for pointer, text in strings(after, ""):
        was = old.get(pointer, "")
        if text != was and len(text) >= LEAST:
            for start, end in windows((part.start, part.end) for part in gained(was, text)):
                yield text[start:end]


def strings(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Give every string of a value with its place."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for key, held in value.items():
            yield from strings(held, f"{pointer}/{key}")
    elif isinstance(value, list):
        for at, held in enumerate(value):
            yield from strings(held, f"{pointer}/{at}")


def read(text: str) -> Features:
    """Give the features of a text."""
    return features(fold(text).text)


def parts(text: str) -> tuple[Features, ...]:
    """Give the features of the stretches of a text, where it has several."""
    found = tuple(text[start:end] for start, end in windows(sentences(text)))
    return tuple(read(part) for part in found) if len(found) > 1 else ()


def fit(samples: Sequence[Sample]) -> dict[str, tuple[Floats, float]]:
    """Fit the weights and the bias of each family: on whole texts, and on every stretch of an honest one."""
    honest = [part for sample in samples if not sample.injected for part in sample.parts]
    wanted = np.array([float(sample.injected) for sample in samples] + [0.0] * len(honest))
    counts = np.array([1.0 if sample.language else RELEASES for sample in samples] + [PARTS] * len(honest))
    texts = [at for at, sample in enumerate(samples) if sample.language]
    found = {}
    for name in FAMILIES:
        columns = [getattr(one, name) for one in (*(sample.features for sample in samples), *honest)]
        rarity = Rows.of([columns[at] for at in texts], BUCKETS).rarity()
        found[name] = logistic(Rows.of(columns, BUCKETS), wanted, counts, STRENGTH[name], rarity)
    return found


def score(found: dict[str, tuple[Floats, float]], samples: Sequence[Sample]) -> Floats:
    """Add up what the families say of each sample; of its stretches the worst counts."""
    read = [sample.parts or (sample.features,) for sample in samples]
    flat = [part for some in read for part in some]
    total = np.zeros(len(flat))
    for name, (weights, bias) in found.items():
        total += Rows.of([getattr(part, name) for part in flat], BUCKETS).times(weights) + bias
    return np.maximum.reduceat(total, np.cumsum([0, *map(len, read[:-1])])) if flat else total


def unseen(samples: Sequence[Sample]) -> Floats:
    """Score every sample by what was learned from other writers and servers."""
    scores = np.zeros(len(samples))
    for fold_left in range(FOLDS):
        left = [at for at, sample in enumerate(samples) if sample.fold == fold_left]
        found = fit([sample for sample in samples if sample.fold != fold_left])
        scores[left] = score(found, [samples[at] for at in left])
    return scores


def fit_scale(samples: Sequence[Sample], scores: Floats) -> tuple[float, float]:
    """Make chances of scores: on the written texts, of which half are injected."""
    texts = [at for at, sample in enumerate(samples) if sample.language]
    wanted = np.array([float(samples[at].injected) for at in texts])
    return calibrate(scores[texts], wanted, np.ones(len(texts)))


def train(samples: Sequence[Sample], slope: float, bias: float) -> Weights:
    """Train on everything."""
    tables: dict[str, list[int]] = {}
    steps: dict[str, float] = {}
    offset = 0.0
    for name, (weights, alone) in fit(samples).items():
        tables[name], steps[name] = quantise(weights)
        offset += alone
    known = [sample for sample in samples if sample.category]
    rows = Rows.of([topics(sample.features) for sample in known], TOPICS)
    rarity = np.where(rows.rarity() > 0, 1.0, 0.0)
    names = sorted({sample.category for sample in known})
    fitted = {name: leaning(known, name, rows, rarity) for name in names}
    steps["topics"] = max(float(np.abs(weights).max()) for weights, _ in fitted.values()) / 127
    held = {name: [int(number) for number in np.rint(found / steps["topics"])] for name, (found, _) in fitted.items()}
    leanings = {name: alone for name, (_, alone) in fitted.items()}
    return Weights(tables, steps, bias + slope * offset, slope, held, leanings)


def leaning(known: Sequence[Sample], name: str, rows: Rows, rarity: Floats) -> tuple[Floats, float]:
    """Fit what tells one category from the others; each side counts the same, so that no category is likelier."""
    wanted = np.array([float(one.category == name) for one in known])
    counts = np.where(wanted > 0, len(known) / (2 * wanted.sum()), len(known) / (2 * (len(known) - wanted.sum())))
    return logistic(rows, wanted, counts, STRENGTH["topics"], rarity)


def tell(samples: Sequence[Sample], logits: Floats) -> None:
    """Print how well writers and servers that were left out are told apart."""
    texts = np.array([bool(sample.language) for sample in samples])
    wanted = np.array([sample.injected for sample in samples])
    print(f"{int(texts.sum())} written texts, {int((~texts).sum())} stretches of honest releases")
    for name, level in (("5 % of honest twins", 0.95), ("2 % of honest twins", 0.98)):
        least = float(np.quantile(logits[texts & ~wanted], level))
        row(f"at {name}", logits, samples, least, lambda _: True)
    for share in (0.99, 0.995, 0.999):
        least = float(np.quantile(logits[~texts], share))
        row(f"at {1 - share:.1%} of honest stretches", logits, samples, least, lambda _: True)
    least = float(np.quantile(logits[texts & ~wanted], 0.95))
    for language in sorted({sample.language for sample in samples} - {""}):
        row(f"  language {language}", logits, samples, least, lambda one, said=language: one.language == said)
    for category in sorted({sample.category for sample in samples} - {""}):
        caught = [logit > least for logit, one in zip(logits, samples, strict=True) if one.category == category]
        print(f"  category {category:24} n={len(caught):5} recall {np.mean(caught):.2f}")


def row(title: str, logits: Floats, samples: Sequence[Sample], least: float, pick: Any) -> None:
    """Print one line."""
    some = [(logit, one.injected) for logit, one in zip(logits, samples, strict=True) if one.language and pick(one)]
    bad = np.array([logit for logit, injected in some if injected])
    good = np.array([logit for logit, injected in some if not injected])
    order = np.argsort(np.argsort(np.concatenate([bad, good])))[: len(bad)] + 1
    area = (order.sum() - len(bad) * (len(bad) + 1) / 2) / max(1, len(bad) * len(good))
    print(
        f"{title:32} n={len(some):5} area {area:.3f} recall {np.mean(bad > least):.2f} "
        f"twins {np.mean(good > least):.3f} (chance {1 / (1 + np.exp(-least)):.3f})"
    )


if __name__ == "__main__":
    main()
