# SPDX-License-Identifier: MIT
"""Few tags in folders of few and many kinds: is a suggestion right as often as its confidence states?

A folder has one, two, four or eight kinds with a tag on 3, 5 or 15 photos each, and 2, 10 or all other kinds of the
same world without a tag. Every kind has 8 to 25 untagged photos.

*Shown*: the confidence of the likeliest tag of an untagged photo is at least .5 (.8). *Right*, *stated*: share of the
shown tags that are right, and mean of their confidences. *Without*: photos of kinds without a tag that are shown at .5.
*Found*: photos of tagged kinds whose tag is shown at .5. ECE: likeliest tag of all untagged photos, by tenths.

Goals: stated and right differ by at most .1 among those shown at .5, and at most 2 % of the photos of kinds without a
tag are shown. The tagged kinds have odd numbers; constants can be chosen on the even ones.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.features.table import STANDARD, STANDARD_CODES
from tests.benchmarks.common.described_photos import Described
from tests.benchmarks.common.photo_sets import Ints
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.common.worlds import worlds
from tests.benchmarks.tagging.foreign_photos import ece, learn_rows, suggestions

WORLDS: Final = {"corel5k": "Corel-5k", "caltech101": "Caltech-101", "scene15": "scenes"}
KINDS: Final = (1, 2, 4, 8)
TAGGED: Final = (3, 5, 15)
OTHERS: Final = {2: "2", 10: "10", 99: "all"}
_SIZES: Final = (8, 25)
_PARITY: Final = 1  # kinds of even number are left to the choice of constants

Floats = NDArray[np.float64]


class Stated(NamedTuple):
    """The likeliest tags of the untagged photos of a folder."""

    sure: Floats
    right: NDArray[np.bool_]
    without: NDArray[np.bool_]
    """Whether the photo is of a kind without a tag."""


def folder(
    photos: Described, own: Ints, kinds: int, others: int, each: int, rng: np.random.Generator
) -> tuple[Ints, Ints, Floats]:
    """Return the rows of tagged and of untagged photos, and the tags of all photos (n, kinds)."""
    classes = np.unique(photos.classes[own])
    odd = classes[classes % 2 == _PARITY] if len(classes) > 2 * max(KINDS) else classes
    named = rng.permutation(odd)[:kinds]
    rest = rng.permutation(np.setdiff1d(classes, named))[:others]
    tagged, untagged = [], []
    for one in [*named, *rest]:
        rows = rng.permutation(own[photos.classes[own] == one])
        start = each if one in named else 0
        tagged.append(rows[:start])
        untagged.append(rows[start : start + rng.integers(_SIZES[0], _SIZES[1] + 1)])
    tags = (photos.classes[:, None] == named).astype(np.float64)
    return np.sort(np.concatenate(tagged)), np.sort(np.concatenate(untagged)), tags


def stated(photos: Described, tagged: Ints, untagged: Ints, tags: Floats) -> Stated:
    """Learn the tags of a folder and return the likeliest ones of its untagged photos."""
    learned = learn_rows(photos, tagged, untagged, tags)
    sure = suggestions(learned, True)
    best = sure.argmax(axis=1)
    right = np.asarray(learned.truth[np.arange(len(best)), best] > 0)
    return Stated(sure.max(axis=1), right, np.asarray(~learned.truth.any(axis=1)))


def row(folders: list[Stated]) -> list[str]:
    """Return the cells of a table; means and standard deviations are over folders."""
    every = Stated(*(np.concatenate(values) for values in zip(*folders, strict=True)))
    cells = []
    for least in (0.5, 0.8):
        shown = every.sure >= least
        shares = [f"{values[shown].mean():.2f}" if shown.any() else "-" for values in (every.sure, every.right)]
        cells += [str(int(shown.sum())), *shares]
    shown = every.sure >= 0.5
    found = (every.right & shown)[~every.without].mean()
    cells += [f"{100 * shown[every.without].mean():.1f}", f"{100 * found:.0f}"]
    return [*cells, mean_and_spread([ece(one.sure, one.right) for one in folders])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3)
    given = parser.parse_args()
    found = worlds(STANDARD, STANDARD_CODES)
    if found is None:
        return
    photos, rows = found
    done: dict[tuple[str, int, int, int], list[Stated]] = {}
    for seed in range(given.draws):
        for number, world in enumerate(WORLDS):
            for kinds, others, each in product(KINDS, OTHERS, TAGGED):
                rng = np.random.default_rng([seed, number, kinds, others, each])
                drawn = folder(photos, rows[world], kinds, others, each, rng)
                done.setdefault((world, kinds, others, each), []).append(stated(photos, *drawn))
            print(f"draw {seed}: {world}", flush=True)
    save(done, given.draws)


def save(done: dict[tuple[str, int, int, int], list[Stated]], draws: int) -> None:
    """Write the report."""
    report = Report("few-tags", "Few tags in folders of few and many kinds")
    report.text((__doc__ or "").partition("\n\n")[2].strip())
    report.text(f'{draws} draws of each folder. "All": 7 to 38 other kinds.')
    titles = ["shown", "stated", "right", "at .8", "stated", "right", "without, %", "found, %", "ECE"]

    def table(title: str, columns: list[str], places: tuple[int, ...]) -> None:
        groups: dict[tuple[str, ...], list[Stated]] = {}
        for key, folders in done.items():
            names = [WORLDS[key[0]], str(key[1]), OTHERS[key[2]], str(key[3])]
            groups.setdefault(tuple(names[place] for place in places), []).extend(folders)
        report.table(title, [*columns, *titles], [[*names, *row(some)] for names, some in groups.items()])

    table("All worlds and numbers of tagged photos", ["tags", "other kinds"], (1, 2))
    table("Tagged photos per kind", ["photos", "tagged each"], (0, 3))
    table("Worlds", ["photos", "tags", "other kinds"], (0, 1, 2))
    report.save()


if __name__ == "__main__":
    main()
