"""The page of the measurement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.detection.measured import worst
from benchmarks.detection.measured.cases import (
    DEVELOPMENT,
    FIRST_SIGHT,
    GAINED,
    HELD_OUT,
    HONEST,
    INJECTION,
    UNSEEN,
    WEAK,
    Outcome,
)
from benchmarks.detection.measured.curve import Point, points
from benchmarks.detection.measured.goals import DRIFT, goals
from benchmarks.detection.measured.sources import resembling
from benchmarks.detection.measured.tables import alarms, apart, by_kind, overview, pick, raising, table

PICTURE = "detection-curve.svg"

HEAD = """\
# Injected instructions: what is found, and what honest text is flagged

Written by `python benchmarks/detection/run.py` with rule set {ruleset}. Do not edit it by hand.

## What the figures mean, and what they do not

- *Gained*: a baseline exists, and the text arrives as a change of it. *First sight*: the same text in a first listing.
- An attack is found when a rule about what a model is told reaches a level: those about texts and names, and about
  parameters that take data in. "Every rule" also counts hints, gates, schemas and the rest, which have other subjects;
  honest releases often change those ([honest releases](honest-releases.md)).
- Attacks are split by the repository that published them, honest text by its server: half is for development, half is
  *held out*, by a fixed hash of the name. Work before this split looked at the whole of the shared corpus, so held out
  means: nothing is tuned to it from here on, and its texts are not listed below.
- {resembles}
- Published attacks share templates. A good figure on them says little about an attacker who writes anew.
- *Subtle pairs* are a small sample, of which all has been looked at. *Documents* were written for this project by
  writers who saw neither the detector nor published samples, to be as hard as they could make them; the detector is
  developed with them. Their twins are honest edits of the same tool, in the same words.
- {weak} published samples are weak: they only praise themselves, or only have an odd parameter. They are no injections
  to find and are counted apart.
- Honest text is real and of well-known servers, or chosen because it looks bad (hard negatives, drifts). Neither says
  how often your servers would be flagged. Averages over servers give a small server the weight of a large one.
- A span may be found for another reason than the one that makes the text bad: recall counts reports, not reasons.
- "95 %" is the interval that sampling alone explains. It does not cover attacks of another kind.
- Nothing found is no guarantee.

## What is demanded
"""

PAIRS = """\
Published attacks mostly come without the tool that was approved. How the baseline was made: *published with its
baseline*; *poison cut out*, where a mark bounds the poison or the text begins with a sentence that says what the tool
does; else as a *new tool beside an approved list*. The list is that of the honest server whose tools the text names.
"""

CURVE = """\
![Precision by recall](detection-curve.svg)

A ring marks the point from which on medium is an alarm, a disc that for high. Precision depends on how many injections
there are for each honest text; the curves keep the numbers of the material, and in the field there are far fewer.
"""

LISTS = """\
Texts of this project are shown, with everything that hides made visible. Texts of the shared corpus are named by their
row{quoted}. Of the held out part nothing is listed{held}.
"""


def page(outcomes: Sequence[Outcome], ruleset: str, *, quote: bool = False, held_out: bool = False) -> str:
    """Write the page. `quote` shows texts of the corpus where their licence lets it; `held_out` lists that part."""
    weak = {one.case for one in pick(outcomes, label=WEAK, set="poisoned")}
    head = HEAD.format(ruleset=ruleset, weak=len(weak), resembles=_resemblance(outcomes))
    return (
        "\n".join([head, goals(outcomes), "", *_figures(outcomes), *_lists(outcomes, quote, held_out)]).rstrip() + "\n"
    )


def curves(outcomes: Sequence[Outcome]) -> dict[str, list[Point]]:
    """Give the curves of the picture by their names, without those that nothing was measured for."""
    gained, seen = pick(outcomes, mode=GAINED), pick(outcomes, mode=FIRST_SIGHT)
    groups = {
        "gained, published": pick(gained, set=("poisoned", *DRIFT)),
        "first sight, published": pick(seen, set=("poisoned", "benign")),
        "gained, subtle pairs": pick(gained, set="subtle_pairs"),
        "gained, documents and their twins": pick(gained, set="documents"),
        "gained, unseen and their twins": pick(gained, part=UNSEEN),
    }
    counts = {name: Counter(one.label for one in found) for name, found in groups.items()}
    named = {f"{name} ({counts[name][INJECTION]} : {counts[name][HONEST]})": found for name, found in groups.items()}
    return {name: curve for name, found in named.items() if (curve := points(found))}


def _resemblance(outcomes: Sequence[Outcome]) -> str:
    texts = {
        part: [one.text for one in pick(outcomes, set="poisoned", mode=GAINED, part=part, label=INJECTION)]
        for part in (DEVELOPMENT, HELD_OUT)
    }
    alike = resembling(texts[HELD_OUT], texts[DEVELOPMENT])
    return (
        f"{alike} of the {len(texts[HELD_OUT])} held out attacks share half of their wording with one for development."
    )


def _figures(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield from _section("## All sets", overview(outcomes))
    yield from _section("## False alarms", alarms(outcomes))
    yield from _section("Which rules flag honest units at medium, of every kind:", raising(outcomes))
    yield from _section("## Precision and recall", CURVE.rstrip(), *_curve_tables(curves(outcomes)))
    found = pick(outcomes, set="poisoned", label=INJECTION)
    for part in (HELD_OUT, DEVELOPMENT):
        kinds = ("source", "pair", "attack", "position", "disguise")
        yield from _kinds(f"## Published attacks, {part}", pick(found, part=part), kinds, PAIRS)
    kinds = ("category", "tone", "language", "disguise", "position")
    yield from _kinds("## Subtle pairs", pick(outcomes, set="subtle_pairs"), kinds)
    yield from _kinds("## Documents", pick(outcomes, set="documents"), kinds, _twins(outcomes, "documents"))
    yield from _kinds("## Unseen", pick(outcomes, part=UNSEEN), kinds, _twins(outcomes, "unseen"))


def _section(title: str, *parts: str) -> Iterator[str]:
    for part in (title, *parts):
        yield part
        yield ""


def _kinds(title: str, outcomes: Sequence[Outcome], kinds: Sequence[str], words: str = "") -> Iterator[str]:
    if outcomes:
        yield from _section(title, *([words.rstrip()] if words else []), *(by_kind(outcomes, kind) for kind in kinds))


def _twins(outcomes: Sequence[Outcome], name: str) -> str:
    share = apart(pick(outcomes, set=name))
    return f"Of {share.total} twins {share} are told apart: the injection is flagged and the honest edit is not."


def _curve_tables(found: Mapping[str, Sequence[Point]]) -> list[str]:
    rows = [
        (name, f"{point.grade:.2f}", point.mark or "", f"{point.precision:.1%}", f"{point.recall:.1%}")
        for name, curve in found.items()
        for point in curve
        if point.grade
    ]
    return [table(("curve (injections : honest)", "grade", "begins", "precision", "recall"), rows, 1)]


def _lists(outcomes: Sequence[Outcome], quote: bool, held_out: bool) -> Iterator[str]:
    words = {
        "quoted": ", and shown where their licence lets them" if quote else "",
        "held": ", unless it was asked for" if held_out else "",
    }
    yield from _section("## Worst misses and false alarms", LISTS.format(**words).rstrip())
    for title, chosen in (("misses", worst.misses), ("false alarms", worst.alarms)):
        for whose, own in (("documents", True), ("shared corpus", False)):
            found = chosen(outcomes, own=own, held_out=held_out)
            yield from _section(f"### Worst {title}: {whose}", worst.listed(found, quote=quote))
