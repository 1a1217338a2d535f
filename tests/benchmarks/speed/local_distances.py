# SPDX-License-Identifier: MIT
"""Cost of local distances in a library with patches: learning a focal image, and recognising a new photo.

Reports processor seconds, and wall-clock seconds with all cores. Focal images are learned from the tags of the library
(or, with --folders, from its folders), for several numbers of candidates. A new photo is compared with the relevant
patches of more and more focal images. These are a random share of the patches of each photo (--used), since only their
number matters. FOCAL_LIBRARY names the folder of the library; 15 photos of each class of Caltech-101 are 1,515 photos,
with 1,200 patches each.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.patches import Patches
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.focal_gallery import FocalImageGallery
from focal_photos.browser.operations.ranking.local.focal_image import learn_focal_image
from focal_photos.browser.operations.ranking.local.patches import PhotoPatches, patches_of, with_patches
from focal_photos.browser.operations.ranking.local.training_sets import MOST_PHOTOS, FocalTrainingSet
from focal_photos.browser.operations.training.local_train import learned_in_processes, patch_keys
from focal_photos.browser.operations.workers.threads import available_cores, thread_pool
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.local.local_distance import LocalDistance, relevance_to
from focal_photos.learners.local.local_distances import FocalImage, FocalImages
from tests.benchmarks.common.report import Report, mean_and_spread

T = TypeVar("T")

_SHARES: Final = (0.1, 0.25, 0.5, 1.0)
_PATCHES: Final = 400  # patches of each kind per photo
_AXES: Final = (34, 34, 26)  # dimensions of the patches of each kind, including the two of the position
_AT_ONCE: Final = 100  # photos whose generated patches are written at a time
_MANY: Final = 2000  # maximum number of focal images learned by processes


class Taken(NamedTuple):
    """Processor and wall-clock seconds."""

    processor: float
    wall: float


def timed(work: Callable[..., T], *arguments: Any, **options: Any) -> tuple[T, Taken]:
    """Return the result of `work` and its times over all threads."""
    processor, wall = time.process_time(), time.perf_counter()
    result = work(*arguments, **options)
    return result, Taken(time.process_time() - processor, time.perf_counter() - wall)


def classes_of(library: Library, ids: NDArray[np.int64], folders: bool) -> NDArray[np.intp]:
    """Return the class number of each photo, or -1 for no class."""
    if folders:
        names = [path.parent.name for path in library.photos.paths(ids)]
    else:
        tags = library.tags.of(ids)
        names = [tags[i][0] if tags.get(i) else "" for i in ids.tolist()]
    known, labels = np.unique(names, return_inverse=True)
    return np.where(known[labels] == "", -1, labels).astype(np.intp)


def learning(report: Report, library: Library, keys: tuple[str, ...], labels: NDArray[np.intp], count: int) -> None:
    """Learn some focal images among increasing numbers of candidates."""
    ids = with_patches(library, keys)
    like = FocalImages(sources=keys)
    rng = np.random.default_rng(0)
    rows = []
    for share in _SHARES:
        # Keep whole classes, so that a focal image has a constant number of similar photos.
        kept = np.isin(labels, rng.permutation(labels.max() + 1)[: max(2, round(share * (labels.max() + 1)))])
        candidates = Candidates(library, keys, ids[kept])
        side = SideInformation.from_labels(labels[kept])
        cells: list[list[float]] = [[], [], [], [], []]
        for row in rng.choice(len(candidates), min(count, len(candidates)), replace=False).tolist():
            (photo,) = library.photos.get([int(candidates.ids[row])])
            patches = patches_of(library, keys, photo)
            D, far = timed(candidates.distances, patches)
            with thread_pool() as executor:
                _, far_all = timed(candidates.distances, patches, executor=executor)
            others = np.arange(len(D)) != row
            relevance = relevance_to(row, side, len(D))[others]
            with one_thread():
                alone = D[others]
                fitted, fit = timed(LocalDistance(like.C, like.K).fit, alone, relevance)
            training_set = FocalTrainingSet(candidates.ids, row, side, bytes(8))
            _, whole = timed(learn_focal_image, training_set, patches, D, like)
            for cell, value in zip(
                cells,
                (far.processor, far_all.wall, fit.processor, whole.processor, fitted.n_triplets_),
                strict=True,
            ):
                cell.append(value)
        rows.append(
            [
                str(len(candidates)),
                mean_and_spread(cells[0], 2),
                mean_and_spread(cells[1], 2),
                mean_and_spread(cells[2], 0, 1000),
                mean_and_spread(cells[3], 0, 1000),
                mean_and_spread(cells[4], 0),
            ]
        )
    columns = [
        "photos",
        "distances, s of one core",
        "s, all cores",
        "learning, ms",
        "with its training set, ms",
        "triplets",
    ]
    report.table("Learning one focal image with all its patches", columns, rows)
    report.text("The paper: 1 to 2 s for learning alone, with 2,210 triplets on average.")


def belonging(report: Report, library: Library, keys: tuple[str, ...], used: float) -> None:
    """Compare a new photo with increasing numbers of focal images."""
    ids = with_patches(library, keys)
    rng = np.random.default_rng(0)
    candidates = Candidates(library, keys, ids)
    models: dict[int, FocalImage] = {}
    photos = library.photos.get(ids)
    for photo, row in zip(photos, range(len(ids)), strict=True):
        vectors = candidates.vectors(row)
        if any(map(len, vectors)):
            own = PhotoPatches(tuple(np.zeros((len(part), 2), np.float32) for part in vectors), tuple(vectors))
            weights = (rng.random(len(own)) < used).astype(np.float32)
            models[photo.id] = FocalImage(
                weights, np.ones_like(weights), 1.0, 0.0, 0.0, 1, own.fingerprint() + bytes(8)
            )
    rows = []
    for share in _SHARES:
        some = dict(list(models.items())[: max(1, round(share * len(models)))])
        ready, making = timed(FocalImageGallery, candidates, some)
        taken = [
            timed(ready.exponents, patches_of(library, keys, photo))[1]
            for photo in photos[:: max(1, len(photos) // 5)]
            if photo.id in models
        ]
        rows.append(
            [
                str(len(ready.ids)),
                str(ready.patches),
                f"{making.wall:.2f}",
                mean_and_spread([one.processor for one in taken], 3),
                mean_and_spread([one.wall for one in taken], 3),
            ]
        )
    columns = ["focal images", "patches that matter", "made ready once, s", "processor seconds", "s, all cores"]
    report.table(f"A new photo against all focal images, {100 * used:.0f} % of their patches", columns, rows)
    report.text("The paper: 300 s for 1,515 focal images.")


class Made:
    """A substitute for a library, with any number of photos with generated patches of realistic shape."""

    def __init__(self, folder: Path, count: int) -> None:
        self.path = folder
        self.patches = Patches(folder / "derived" / "patches")
        self.keys = tuple(f"kind-{number}" for number in range(len(_AXES)))
        rng = np.random.default_rng(0)
        points = 100 * rng.random((_PATCHES, 2))
        for key, axes in zip(self.keys, _AXES, strict=True):
            store = self.patches.store(key, axes)
            for start in range(0, count, _AT_ONCE):
                some = range(start, min(start + _AT_ONCE, count))
                store.append(some, [(points, rng.random((_PATCHES, axes), np.float32)) for _ in some])


def many(count: int, rounds: int) -> None:
    """Measure the cost of focal images in a library of many photos with generated patches."""
    most = min(count, MOST_PHOTOS)
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        made = Made(Path(folder), count)

        like = FocalImages(sources=made.keys)

        def material(focal: int) -> tuple[int, FocalTrainingSet, PhotoPatches]:
            ids = np.union1d(rng.choice(count, most - 1, replace=False), [focal])
            side = SideInformation.from_labels((np.arange(len(ids)) % 7 > 0).astype(np.intp))
            own = int(np.searchsorted(ids, focal))
            patches = Candidates(made, made.keys, np.array([focal])).patches(0)
            return focal, FocalTrainingSet(ids, own, side, bytes(8)), patches

        def learn(training_set: FocalTrainingSet, patches: PhotoPatches) -> None:
            candidates = Candidates(made, made.keys, training_set.ids)
            learn_focal_image(training_set, patches, candidates.distances(patches), like)

        def learn_now(training_set: FocalTrainingSet, patches: PhotoPatches) -> None:
            candidates = Candidates(made, made.keys, training_set.ids)
            with thread_pool() as executor:
                distances = candidates.distances(patches, executor=executor)
            learn_focal_image(training_set, patches, distances, like)

        one: list[Taken] = []
        at_once: list[Taken] = []
        products: list[float] = []
        for focal in range(rounds):
            asked = material(focal)[1:]
            with one_thread():
                one.append(timed(learn, *asked)[1])
                products.append(sum(_product(most, axes) for axes in _AXES))
            at_once.append(timed(learn_now, *asked)[1])
        todo = [material(focal) for focal in range(min(count, _MANY))]
        made.patches.close()
        _, together = timed(lambda: sum(map(len, learned_in_processes(made.path, todo, like))))
    cores = available_cores()
    median, bare = float(np.median([each.processor for each in one])), float(np.median(products))
    wall = together.wall * count / len(todo)
    report = Report("local-distances-large", f"Local distances of {count:,} focal images")
    shape = " + ".join(f"{_PATCHES} x {axes}" for axes in _AXES)
    report.text(
        f"Generated patches, stored as {shape} per photo. For one focal image among {count:,} photos, compared with a "
        f"choice of {most}, reading them, computing all distances and learning take {median:.2f} s of one core, the "
        f"matrix products alone {bare:.2f}. For {len(todo):,} focal images on {cores} cores, in processes as the "
        f"program uses, this took {together.wall:.1f} s including starting the processes: so all {count:,} take "
        f"{wall:.0f} s, and at least {count * bare / cores:.0f}. One on demand, with its comparisons shared by {cores} "
        f"threads: {float(np.median([each.wall for each in at_once])):.2f} s. The time grows with the number of "
        "learned focal images, not with that of other photos."
    )
    report.save()


def _product(photos: int, axes: int) -> float:
    """Return the processor seconds of the products of one photo's patch matrix with those of many photos."""
    patches = np.random.default_rng(0).random((_PATCHES, axes), dtype=np.float32)
    product = np.empty((_PATCHES, _PATCHES), np.float32)

    def multiply() -> None:
        for _ in range(photos):
            np.matmul(patches, patches.T, out=product)

    return timed(multiply)[1].processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folders", action="store_true", help="use folders instead of tags as classes")
    parser.add_argument("--focal", type=int, default=8, metavar="N", help="focal images to learn each time")
    parser.add_argument("--used", type=float, default=0.25, metavar="SHARE", help="share of relevant patches")
    parser.add_argument("--made", type=int, metavar="N", help="number of focal images, with generated patches")
    asked = parser.parse_args()
    if asked.made:
        many(asked.made, asked.focal)
        return
    place = os.environ.get("FOCAL_LIBRARY")
    if not place:
        print("skipped: FOCAL_LIBRARY names no library.")
        return
    report = Report("local-distances-time", "Local distances: time of learning and recognition")
    with Library.open(Path(place), read_only=True) as library:
        keys = patch_keys(library)
        if not keys:
            print("skipped: the library has no patches; focal train --learner local works them out.")
            return
        labels = classes_of(library, with_patches(library, keys), asked.folders)
        learning(report, library, keys, labels, asked.focal)
        belonging(report, library, keys, asked.used)
    report.save()


if __name__ == "__main__":
    main()
