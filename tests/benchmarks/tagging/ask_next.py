# SPDX-License-Identifier: MIT
"""Gain from ten more tags: of photos chosen by Ask me next, of random photos, and of the first photos of a ranking.

Libraries of 500 photos of 10 kinds, Corel-5k by its CDs and Caltech-101 by its folders, are drawn three times. A user
tags 10, 20, 40 and 80 photos, ten at a time: those chosen by Ask me next; random ones; or a random focal image and the
first nine photos of its ranking. Reported are the share of the untagged photos whose best suggestion is correct, and
the number of kinds met.
"""

from __future__ import annotations

import focal_photos.browser.environment  # noqa: F401  isort: skip  (before numpy is loaded)

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.review.ask_next import ask_next
from tests.benchmarks.common.photo_sets import data_folder
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.tagging.annotate_by_keys import copy_shuffled

PHOTOS: Final = 500
KINDS: Final = 10
STEPS: Final = (10, 20, 40, 80)

Chooser = Callable[[Library, Ranker, np.random.Generator], list[int]]
"""Function that chooses the next ten untagged photos to tag."""


def asked(library: Library, ranker: Ranker, _rng: np.random.Generator) -> list[int]:
    """Return the photos chosen by Ask me next."""
    return finish(ask_next(library, ranker, 10))


def at_random(library: Library, _ranker: Ranker, rng: np.random.Generator) -> list[int]:
    found: list[int] = rng.choice(library.photos.ids("untagged"), 10, replace=False).tolist()
    return found


def by_ranking(library: Library, ranker: Ranker, rng: np.random.Generator) -> list[int]:
    """Return a random photo and the first nine untagged ones of its ranking."""
    untagged = library.photos.ids("untagged")
    focal = int(rng.choice(untagged))
    shown = ranker.rank(focal).photo_ids
    return [focal, *shown[np.isin(shown, untagged)][:9].tolist()]


CHOOSERS: Final[dict[str, Chooser]] = {"Ask me next": asked, "random": at_random, "rankings": by_ranking}


def right(library: Library, ranker: Ranker, truth: dict[int, str]) -> float:
    """Return the share of the untagged photos whose best suggestion is correct."""
    gallery = ranker.gallery()
    learned = finish(learn_tags(library, looks_for_tags(ranker, gallery), read_annotated(library, gallery, set())))
    untagged = library.photos.ids("untagged")
    best = learned.scores(untagged).tags.argmax(axis=1)
    return float(np.mean([learned.names[j] == truth[i] for i, j in zip(untagged.tolist(), best, strict=True)]))


def measure(folder: Path, seed: int) -> dict[str, list[tuple[float, int]]]:
    """Return, for each chooser and number of tags, the share correct and the number of kinds met."""
    found: dict[str, list[tuple[float, int]]] = {}
    with tempfile.TemporaryDirectory() as place:
        kinds = copy_shuffled(folder, Path(place) / "photos", KINDS, PHOTOS, seed)
        with Library.open(Path(place) / "library") as library:
            finish(index(library, [Path(place) / "photos"]))
            ids = library.photos.ids("").tolist()
            truth = {photo.id: kinds[photo.path.name] for photo in library.photos.get(ids)}
            for name, choose in CHOOSERS.items():
                rng, ranker, outcomes = np.random.default_rng(seed), Ranker(library), []
                for number in range(10, STEPS[-1] + 1, 10):
                    for photo_id in choose(library, ranker, rng):
                        library.tags.change([photo_id], [truth[photo_id]])
                    if number in STEPS:
                        met = {truth[i] for i in library.photos.ids("tagged").tolist()}
                        outcomes.append((right(library, ranker, truth), len(met)))
                found[name] = outcomes
                print(folder.name, seed, name, outcomes, flush=True)
                for kind in set(truth.values()):
                    library.tags.change(ids, remove=[kind])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--folders", nargs="*", type=Path, help="folders whose subfolders give the true tags")
    parser.add_argument("--save", action="store_true", help="write the table to the results")
    given = parser.parse_args()
    report = Report("ask-next", "Which photos to tag first?")
    report.text((__doc__ or "").split("\n\n")[1])
    rows = []
    for folder in given.folders or [data_folder() / name for name in ("corel5k", "caltech101")]:
        runs = [measure(folder, seed) for seed in range(given.seeds)]
        for way in CHOOSERS:
            shares = [mean_and_spread([run[way][step][0] for run in runs]) for step in range(len(STEPS))]
            met = [mean_and_spread([run[way][step][1] for run in runs], 1) for step in (0, 1)]
            rows.append([folder.name, way, *shares, *met])
    columns = ["photos", "tagged", *(f"right after {step} tags" for step in STEPS)]
    columns += [f"kinds met after {step}" for step in STEPS[:2]]
    report.table(f"{PHOTOS} photos of {KINDS} kinds, {given.seeds} draws", columns, rows)
    if given.save:
        report.save()


if __name__ == "__main__":
    main()
