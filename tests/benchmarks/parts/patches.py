# SPDX-License-Identifier: MIT
"""Searches by a region under local distances: windows, the patches in the region, and both.

Objects are placed as in `parts`. The patches of a query are those inside its region, with equal weights; the distance
to a photo is the mean of their rescaled elementary distances. Takes three minutes on one core.
"""

from __future__ import annotations

import argparse
from typing import Final

import numpy as np

from focal_photos.browser.operations.ranking.local.learner import SOURCES
from focal_photos.browser.operations.ranking.local.rank_region import WEIGHT
from focal_photos.features.base import LocalDescriptor, LocalFeatures
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_windows import FisherWindows
from focal_photos.features.local.elementary_distances import elementary_distances
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.local.local_distance import rescaling
from tests.benchmarks.common.photo_sets import Ints, photo_set, ready
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.parts.regions import Composed, Scores, by_windows, composed, score

AREAS: Final = (0.1, 0.2)
EACH, PLAIN, QUERIES, SAMPLE = 8, 60, 24, 60
WINDOWS: Final = "windows"
INSIDE: Final = "patches in the region"
WHOLE: Final = "all patches of the photo"
BOTH: Final = "windows and patches in the region, as in the program"


def by_patches(found: Composed, queries: Ints, descriptors: list[LocalDescriptor]) -> tuple[Scores, Scores]:
    """Return similarities (q, n) by the patches in the region of each query, and by all patches of its photo."""
    images = [WorkingImage.from_array(photo) for photo in found.photos]
    described: list[list[LocalFeatures]] = [[one.extract(image) for one in descriptors] for image in images]
    packed = []
    for kind in range(len(descriptors)):
        of_kind = [features[kind].vectors.astype(np.float16) for features in described]
        packed.append((np.concatenate(of_kind), np.cumsum([0, *(len(vectors) for vectors in of_kind)])))
    by_inner, by_all = [], []
    for query in queries.tolist():
        photo, (left, top, right, bottom) = int(found.holders[query]), found.boxes[query]
        height, width = images[photo].rgb.shape[:2]
        own = described[photo]
        every = np.hstack(
            [elementary_distances(one.vectors.astype(np.float16), *part) for one, part in zip(own, packed, strict=True)]
        )
        x, y = ((np.concatenate([one.points for one in own]) + 0.5) / np.array([width, height])).T
        inner = (left <= x) & (x <= right) & (top <= y) & (y <= bottom)
        every = every * rescaling(every)
        by_inner.append(-every[:, inner].mean(axis=1) if inner.any() else np.zeros(len(every)))
        by_all.append(-every.mean(axis=1))
    return np.array(by_inner), np.array(by_all)


def standardised(near: Scores) -> Scores:
    """Return each row with mean 0 and deviation 1."""
    return np.asarray((near - near.mean(axis=1, keepdims=True)) / np.maximum(near.std(axis=1, keepdims=True), 1e-9))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3)
    draws = parser.parse_args().draws
    objects, scenes = photo_set("caltech101"), photo_set("corel5k")
    if objects is None or scenes is None:
        return
    reached: dict[tuple[str, float], list[float]] = {}
    with one_thread():
        for draw in range(draws):
            rng = np.random.default_rng(draw)
            places = rng.permutation(len(scenes.files))
            sample = [decode(scenes.files[row]) for row in places[-SAMPLE:].tolist()]
            fitted = ready(sample, [*SOURCES, FisherWindows.name])
            windows = fitted[FisherWindows.name]
            local = [one for name in SOURCES if isinstance(one := fitted[name], LocalDescriptor)]
            assert isinstance(windows, FisherWindows)
            for area in AREAS:
                number = [draw, round(100 * area)]
                found = composed(objects, scenes, area, places, np.random.default_rng(number), each=EACH, plain=PLAIN)
                queries = np.sort(rng.permutation(len(found.boxes))[:QUERIES])
                near = by_windows(found, queries, windows)[0]
                inner, every = by_patches(found, queries, local)
                both = standardised(near) + WEIGHT * standardised(inner)
                for name, similar in ((WINDOWS, near), (INSIDE, inner), (WHOLE, every), (BOTH, both)):
                    reached.setdefault((name, area), []).append(score(similar, queries, found))
                    print(draw, area, name, round(reached[name, area][-1], 3), flush=True)
    report = Report("parts-patches", "Searches by a region under local distances")
    report.text(
        f"{draws} draws of objects of Caltech-101 in photos of Corel-5k, as in [parts](parts.md), with {EACH} photos a "
        f"class beside {PLAIN} without an object. {QUERIES} queries per draw; mean average precision."
    )
    report.table(
        "Mean average precision",
        ["share of the area", *(f"{area:.0%}" for area in AREAS)],
        [[name, *(mean_and_spread(reached[name, area]) for area in AREAS)] for name in (WINDOWS, INSIDE, WHOLE, BOTH)],
    )
    report.save()


if __name__ == "__main__":
    main()
