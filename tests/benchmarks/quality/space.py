# SPDX-License-Identifier: MIT
"""Quality of the untrained space in which photos are ranked, and the contribution of each part.

Small libraries (Corel-5k in sets of 10 classes, Caltech-101 in sets of 20). All photos of a library are ranked for each
of them, without labels: precision at 10 and mean average precision by class. Compared are each standard descriptor
alone, with the distance of its source and in the space; the space without each descriptor; its processing steps; and
the salient families, under rankings by shared neighbours too.

``--make-grey DIR`` writes grey copies of the photo sets and ends. With FOCAL_DATA=DIR and a separate folder in
FOCAL_BENCH_CACHE, the same tables show the value of colour descriptors for grey photos.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.ranking.space import shows_foreground, unfitted_space
from focal_photos.features.decoding.decode import decode
from focal_photos.features.table import DESCRIPTORS, STANDARD
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.row_gallery import row_gallery
from tests.benchmarks.common.class_sets import CLASS_SETS, class_sets
from tests.benchmarks.common.described_photos import Described
from tests.benchmarks.common.photo_sets import Floats, distances, photo_set
from tests.benchmarks.common.report import Report

NEEDS_NO_COLOR: Final = tuple(name for name in STANDARD if not DESCRIPTORS[name].needs_color)
SALIENT: Final = ("dense_sift_salient", "dense_color_salient")

Score = tuple[float, float]
"""Precision at 10 and mean average precision."""


def score(D: NDArray[np.floating], photos: Described) -> Score:
    """Return how well distances (n, n) between all photos rank them by class."""
    D = np.array(D, dtype=np.float64)
    np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :-1]
    relevant = photos.classes[order] == photos.classes[:, None]
    precision = np.cumsum(relevant, axis=1) / np.arange(1, relevant.shape[1] + 1)
    return float(relevant[:, :10].mean()), float(((precision * relevant).sum(1) / relevant.sum(1)).mean())


def ranked(Z: Floats, photos: Described) -> Score:
    """Return how well the Euclidean distance between rows ranks photos by class."""
    points = Z.astype(np.float64)
    return score(sqd(points, points), photos)


def reranked(Z: Floats, photos: Described) -> Score:
    """Return how well shared neighbours rank photos by class."""
    gallery = row_gallery(None, np.ascontiguousarray(Z))
    return score(1 - build(gallery).similarities(gallery, np.arange(len(Z))).T, photos)


def space(photos: Described, names: tuple[str, ...], **changed: object) -> Floats:
    """Return the coordinates of all photos in a library's space, with changed parameters."""
    X, descriptors = photos.stacked(names), [DESCRIPTORS[name] for name in names]
    foreground = shows_foreground([DESCRIPTORS["color_moments"]], photos.vectors["color_moments"])
    made = unfitted_space(descriptors, names, foreground=foreground)
    Z: Floats = made.set_params(**changed).fit(X).transform(X)
    return Z


def before(photos: Described) -> Floats:
    """Return the coordinates in the space of earlier versions: 64 axes per family, without whitening."""
    X = photos.stacked(STANDARD)
    return FeatureSpace(photos.families(STANDARD)).fit(X).transform(X)


def unit(Z: Floats) -> Floats:
    """Return the rows scaled to length 1."""
    scaled: Floats = Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1e-12)
    return scaled


def alone(photos: Described) -> Iterator[tuple[str, Score]]:
    """Yield the scores of each descriptor alone."""
    for name in STANDARD:
        X = photos.vectors[name]
        yield f"{name}, as its source compares it", score(distances(X, X, DESCRIPTORS[name].distance), photos)
        yield f"{name}, in the space", ranked(space(photos, (name,)), photos)


def together(photos: Described) -> Iterator[tuple[str, Score]]:
    """Yield the scores of the space, with and without its steps and each descriptor."""
    plain = space(photos, STANDARD, unit_length=False)
    yield "before: 64 axes a family, Euclidean", ranked(before(photos), photos)
    yield "before, unit length", ranked(unit(before(photos)), photos)
    yield "half whitened", ranked(plain, photos)
    yield "half whitened, unit length", ranked(unit(plain), photos)
    yield "the space", ranked(space(photos, STANDARD), photos)
    yield "the space, not whitened", ranked(space(photos, STANDARD, whitening=0.0), photos)
    yield "the space, whitened in full", ranked(space(photos, STANDARD, whitening=1.0), photos)
    for left_out in STANDARD:
        rest = tuple(name for name in STANDARD if name != left_out)
        yield f"without {left_out}", ranked(space(photos, rest), photos)
    yield "without those that need colours", ranked(space(photos, NEEDS_NO_COLOR), photos)
    others = tuple(name for name in STANDARD if name not in SALIENT)
    yield "without salient points", ranked(space(photos, others), photos)
    yield "the space, re-ranked", reranked(space(photos, STANDARD), photos)
    yield "without salient points, re-ranked", reranked(space(photos, others), photos)
    for name in SALIENT:
        yield f"with {name} alone of them, re-ranked", reranked(space(photos, (*others, name)), photos)


def write_grey(folder: Path) -> None:
    """Write grey copies of the photo sets, as JPEG files in folders named after their classes."""
    for name, *_ in CLASS_SETS:
        photos = photo_set(name)
        if photos is None:
            continue
        for file in photos.files:
            to = folder / name / file.parent.name / f"{file.stem}.jpg"
            to.parent.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(to), cv2.cvtColor(decode(file).rgb, cv2.COLOR_RGB2GRAY), [cv2.IMWRITE_JPEG_QUALITY, 92])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make-grey", type=Path, metavar="DIR", help="write grey copies of the photo sets, and end")
    parser.add_argument("--grey", action="store_true", help="the photo sets of FOCAL_DATA are grey copies")
    arguments = parser.parse_args()
    if arguments.make_grey is not None:
        write_grey(arguments.make_grey)
        return
    titles: list[str] = []
    found: dict[str, dict[str, list[Score]]] = {"alone": {}, "together": {}}
    for one in class_sets(STANDARD):
        titles.append(one.name)
        print(f"{one.name}: {len(one.photos.classes)} photos", flush=True)
        for part, scores in (("alone", alone(one.photos)), ("together", together(one.photos))):
            for way, reached in scores:
                found[part].setdefault(way, []).append(reached)
    if not titles:
        return
    kind = "grey copies of the photos" if arguments.grey else "photos"
    report = Report("space-grey" if arguments.grey else "space", f"The untrained space: {kind}")
    report.text("Precision at 10 / mean average precision by class; all photos of a set are ranked for each of them.")
    for title, part in (("Each descriptor alone", "alone"), ("The space, and without each descriptor", "together")):
        rows = [
            [way, *(f"{p:.3f} / {a:.3f}" for p, a in scores), "{:.3f} / {:.3f}".format(*np.mean(scores, axis=0))]
            for way, scores in found[part].items()
        ]
        report.table(title, ["", *titles, "mean"], rows)
    report.save()


if __name__ == "__main__":
    main()
