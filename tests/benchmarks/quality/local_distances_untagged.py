# SPDX-License-Identifier: MIT
"""Local distances of photos without training data: precision@10 and average precision of untagged focal images.

In a library of some Caltech-101 classes, some photos of each class are tagged with it and others are not. Local
distances are learned, and each untagged photo is the focal image once. The window ranks by relatives; the paper ranks
by the probability that each photo assigns to the focal image, so it ranks only trained photos.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.local.focal_gallery import focal_image_gallery
from focal_photos.browser.operations.ranking.local.learner import LOCAL, SOURCES
from focal_photos.browser.operations.ranking.local.metric import LocalMetric, local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from focal_photos.features.table import STANDARD
from focal_photos.learners.local import calibration
from tests.benchmarks.common.photo_sets import photo_set, splits
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.papers.frome2006_caltech101 import subset

_FIRST = 10

Order = NDArray[np.int64]


def scores(order: Order, classes: dict[int, str], focal: int) -> tuple[float, float]:
    """Return the precision among the first photos and the average precision of a ranking."""
    hit = np.array([classes[i] == classes[focal] for i in order.tolist()])
    precision = np.cumsum(hit) / np.arange(1, len(hit) + 1)
    return float(hit[:_FIRST].mean()), float(precision[hit].mean())


def as_the_source(library: Library, local: LocalMetric, focal: int, ids: Order) -> Order:
    """Return the trained photos in the order of the probabilities that they assign to the focal image."""
    learned = focal_image_gallery(library, local, ids)
    (photo,) = library.photos.get([focal])
    exponents = learned.exponents(patches_of(library, local.keys, photo))
    order: Order = learned.ids[np.argsort(exponents, kind="stable")]
    others: Order = order[order != focal]
    return others


def euclidean(library: Library, focal: int) -> Order:
    """Return the ranking without learning."""
    return Ranker(library).rank(focal, "euclidean").photo_ids


def by_relatives(library: Library, focal: int) -> Order:
    """Return the ranking shown by the window."""
    return Ranker(library).rank(focal).photo_ids


def equal_weights(library: Library, focal: int) -> Order:
    """Return the ranking of a photo to which no other assigns a sufficient probability."""
    probable, calibration.PROBABLE = calibration.PROBABLE, 2.0  # type: ignore[misc]
    try:
        return Ranker(library).rank(focal).photo_ids
    finally:
        calibration.PROBABLE = probable  # type: ignore[misc]


WAYS: dict[str, Callable[[Library, int], Order]] = {
    "Euclidean": euclidean,
    "local, equal weights": equal_weights,
    "local, by relatives": by_relatives,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classes", type=int, default=33, help="number of evenly spaced classes")
    parser.add_argument("--tagged", type=int, default=10, help="tagged photos per class")
    parser.add_argument("--untagged", type=int, default=5, help="untagged photos per class")
    parser.add_argument("--splits", type=int, default=2)
    asked = parser.parse_args()
    whole = photo_set("caltech101")
    if whole is None:
        return
    photos = subset(whole, asked.classes)
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for train_rows, test_rows in splits(photos.classes, asked.tagged, asked.untagged, asked.splits):
        with tempfile.TemporaryDirectory() as place, Library.open(Path(place) / "library") as library:
            folder = Path(place) / "photos"
            for row in np.concatenate([train_rows, test_rows]).tolist():
                kind = folder / photos.names[photos.classes[row]]
                kind.mkdir(parents=True, exist_ok=True)
                shutil.copy(photos.files[row], kind / f"{'tagged' if row in train_rows else 'other'}-{row}.jpg")
            set_enabled(library, [*STANDARD, *SOURCES])
            finish(index(library, [folder]))
            for name in photos.names:
                library.tags.change(library.photos.ids(f"path:/{name}/tagged-").tolist(), [name])
            local = local_metric(library, finish(train(library, LOCAL)))
            ids, tagged = library.photos.ids(), library.photos.ids("tagged")
            classes = {photo.id: photo.path.parent.name for photo in library.photos.get(ids.tolist())}
            means: dict[tuple[str, str], list[tuple[float, float]]] = {}
            for focal in library.photos.ids("untagged").tolist():
                source = as_the_source(library, local, focal, ids)
                means.setdefault(("as the source", "tagged"), []).append(scores(source, classes, focal))
                for way, rank in WAYS.items():
                    order = rank(library, focal)
                    means.setdefault((way, "all"), []).append(scores(order, classes, focal))
                    means.setdefault((way, "tagged"), []).append(scores(order[np.isin(order, tagged)], classes, focal))
            for key, values in means.items():
                precision, average = np.mean(values, axis=0).tolist()
                found.setdefault(key, []).append((precision, average))
                print(f"  {key[0]:<22} {key[1]:<7} {precision:.3f} {average:.3f}", flush=True)
    report = Report("local-distances-untagged", "Local distances: focal images without training data")
    report.text(
        f"{len(photos.names)} classes of Caltech-101, {asked.tagged} photos of each tagged, {asked.untagged} not; each "
        f"untagged photo is the focal image once. Local distances are learned from the tags; {asked.splits} splits."
    )
    rows = [
        [way, among, *(mean_and_spread([one[column] for one in values]) for column in (0, 1))]
        for (way, among), values in sorted(found.items(), key=lambda item: (item[0][1], item[1][0]))
    ]
    report.table("Ranking the others", ["ranked by", "among", f"precision@{_FIRST}", "average precision"], rows)
    report.save()


if __name__ == "__main__":
    main()
