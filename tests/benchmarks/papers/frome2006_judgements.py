# SPDX-License-Identifier: MIT
"""Precision@20 on Corel-5k of local distances learned from judgements alone, with 50 judgements per focal image.

Uses one focal image of each of the 50 classes. All unjudged photos are ranked, so that the results before and after are
comparable. The user judges either the first 50 photos of a ranking by global Euclidean distance (standard descriptors),
similar if the class is the same, or 25 random photos of the class and 25 random others. The learner knows no classes or
tags. Patches are cached; takes about 15 minutes of one core.
"""

from __future__ import annotations

import argparse
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.local.elementary_distances import MISSING, elementary_distances
from focal_photos.features.table import STANDARD
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.local.local_distances import LocalDistances
from tests.benchmarks.common.described_photos import CACHE, described
from tests.benchmarks.common.photo_sets import Floats, Ints
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.papers.frome2006_caltech101 import LOCATION, Patches, kept

_JUDGED: Final = 50
_FIRST: Final = 20
_COMPONENTS: Final = {"large": 32, "small": 32, "color": 24}


class Judged(NamedTuple):
    """Rows of the photos judged similar and dissimilar to a focal image."""

    similar: Ints
    dissimilar: Ints

    def side(self, focal: int) -> SideInformation:
        pairs = (np.column_stack([np.full(len(rows), focal), rows]).astype(np.intp) for rows in self)
        return SideInformation(*pairs)


def first_shown(order: Ints, classes: Ints, focal: int) -> Judged:
    """Judge the first photos of a ranking."""
    shown = order[:_JUDGED]
    same = classes[shown] == classes[focal]
    return Judged(shown[same], shown[~same])


def drawn(classes: Ints, focal: int, seed: int) -> Judged:
    """Judge equal numbers of random photos of the class and random others."""
    rng = np.random.default_rng(seed)
    same = np.flatnonzero(classes == classes[focal])
    others = np.flatnonzero(classes != classes[focal])
    return Judged(
        rng.choice(same[same != focal], _JUDGED // 2, replace=False), rng.choice(others, _JUDGED // 2, replace=False)
    )


def precision(distances: NDArray[np.floating], judged: Judged, classes: Ints, focal: int) -> float:
    """Return the share of the class among the nearest unjudged photos."""
    left = np.array(distances, np.float64)
    left[[focal, *judged.similar, *judged.dissimilar]] = np.inf
    return float((classes[np.argsort(left, kind="stable")[:_FIRST]] == classes[focal]).mean())


def block(patches: dict[str, Patches], focal: int, weight: float) -> Floats:
    """Return the elementary distances of all photos from the patches of one photo, (n, M)."""
    missing = float(np.hypot(MISSING, weight * np.sqrt(2)))
    parts = [elementary_distances(one.of(focal), *one[:2], missing=missing) for one in patches.values()]
    found: Floats = np.hstack(parts)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--focal", type=int, default=50, help="number of focal images, of different classes")
    parser.add_argument(
        "--location", type=float, nargs="+", default=[0.0, LOCATION], help="weights of a patch's position"
    )
    parser.add_argument(
        "--shortlist", type=int, default=1000, help="number of photos preselected by the global distance"
    )
    asked = parser.parse_args()
    found = described("corel5k", STANDARD)
    if found is None:
        return
    cv2.setNumThreads(1)
    classes = found.classes
    n = len(classes)
    every = np.arange(n)
    whole = kept(CACHE / f"corel5k-patches-{n}.npz", found.photos, every, every[:0], _COMPONENTS)
    _, X = found.space(every)
    gallery = FloatGallery(X)
    rng = np.random.default_rng(0)
    focal_images = [int(rng.choice(np.flatnonzero(classes == label))) for label in range(asked.focal)]
    scores: dict[tuple[str, str], list[float]] = {}
    for weight in asked.location:
        patches = {name: one.located(weight) for name, one in whole.items()}
        for focal in focal_images:
            D = block(patches, focal, weight)
            rows, values = gallery.rank(X[focal])
            order = rows[rows != focal]
            far = np.empty(n)
            far[rows] = values
            for how, judged in (
                (f"the first {_JUDGED} of the ranking", first_shown(order, classes, focal)),
                (f"{_JUDGED // 2} + {_JUDGED // 2} at random", drawn(classes, focal, focal)),
            ):
                unweighted = LocalDistances().fit(lambda _, D=D: D, SideInformation(), n, focal=[focal])  # type: ignore[misc]
                taught = LocalDistances().fit(lambda _, D=D: D, judged.side(focal), n, focal=[focal])  # type: ignore[misc]
                after = taught.distances_from(focal, D)
                listed = np.full(n, np.inf)
                listed[order[: asked.shortlist]] = after[order[: asked.shortlist]]
                for what, distances in (
                    ("global Euclidean distance", far),
                    (f"local, before, location {weight:g}", unweighted.distances_from(focal, D)),
                    (f"local, after, location {weight:g}", after),
                    (f"local, after, in the global first {asked.shortlist:,}, location {weight:g}", listed),
                ):
                    scores.setdefault((what, how), []).append(precision(distances, judged, classes, focal))
            print(f"  location {weight:g}, {focal}: {scores[what, how][-1]:.2f}", flush=True)
    report = Report("frome2006-judgements", "Frome 2006: local distances from judgements alone, Corel-5k")
    report.text(
        f"Precision@{_FIRST} of {len(focal_images)} focal images of different classes among the unjudged photos, with "
        f"{_JUDGED} judgements each and without classes or tags. ± is the standard error over focal images."
    )
    ways = list(dict.fromkeys(how for _, how in scores))
    rows_of_table = []
    for what in dict.fromkeys(what for what, _ in scores):
        values_of = [np.array(scores[what, how][: len(focal_images)]) for how in ways]
        rows_of_table.append(
            [what, *(f"{mean_and_spread([v.mean()])} ± {v.std(ddof=1) / np.sqrt(len(v)):.3f}" for v in values_of)]
        )
    report.table("Precision@20, by choice of the judged photos", ["distance", *ways], rows_of_table)
    report.save()


if __name__ == "__main__":
    main()
