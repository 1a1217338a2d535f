# SPDX-License-Identifier: MIT
"""Rankings of photos without an "up", and the measure that recognises them.

Photos of 40 classes of Corel-5k and Caltech-101, upright and rotated at random by multiples of 90 degrees. Fitted
parts are learned from the photos of each case. Compared are rankings by vectors of the photos and by means over their
four rotations, without labels: precision at 10 and mean average precision by class, by distance and by shared
neighbours; and suggestions, with five tagged photos per class. Takes 10 minutes on one core.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.operations.describing.orientation import upright_share
from focal_photos.browser.operations.ranking.space import shows_foreground, unfitted_space
from focal_photos.features.any_rotation import in_any_rotation
from focal_photos.features.base import CodeDescriptor, GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.description import DescriptionPlan, describe
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, STANDARD, STANDARD_CODES
from focal_photos.learners.core.linalg import one_thread, sqd
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.row_gallery import row_gallery
from tests.benchmarks.common.described_photos import CACHE, Described, described
from tests.benchmarks.common.photo_sets import Floats, Ints, PhotoSet, photo_set, ready
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.tagging.annotation import kinds

SETS: Final = (("corel5k", "Corel-5k"), ("caltech101", "Caltech-101"))
CLASSES, PHOTOS, DRAWN = 40, 25, 25
"""Classes per set, photos of each, and classes per draw."""

TAGGED = 5
"""Tagged photos per class."""

SAMPLE = 300
"""Photos to which descriptors are fitted."""

TIMED = 40
"""Photos of which the description is timed."""

Score = tuple[float, float, float, float]
"""Precision at 10 and mean average precision, by distance and by shared neighbours."""


@dataclass(frozen=True)
class Rotated:
    """Vectors of photos in their four rotations."""

    classes: Ints
    """Shape (n,)."""
    start: Ints
    """The rotation in which a photo is in the library; shape (n,)."""
    vectors: Mapping[str, Floats]
    """Shape (4, n, d)."""
    codes: NDArray[np.uint8]
    """Codes of the photos in the library, and of their four rotations together; shape (2, n, c)."""

    def plain(self, rows: Ints) -> dict[str, Floats]:
        """Return the vectors of the photos in the library."""
        return {name: some[self.start[rows], rows] for name, some in self.vectors.items()}

    def any_rotation(self, rows: Ints) -> dict[str, Floats]:
        """Return the means over the four rotations."""
        return {name: some[:, rows].mean(axis=0) for name, some in self.vectors.items()}


def chosen(photos: PhotoSet, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the rows of the photos, and their classes 0, 1, ..."""
    counts = np.bincount(photos.classes)
    labels = [label for label in rng.permutation(len(photos.names)) if counts[label] > PHOTOS + 5][:CLASSES]
    rows = [np.sort(rng.permutation(np.flatnonzero(photos.classes == label))[:PHOTOS]) for label in labels]
    return np.concatenate(rows), np.repeat(np.arange(len(labels)), PHOTOS)


def rotated(name: str, photos: PhotoSet, *, at_random: bool) -> Rotated:
    """Describe photos in four rotations, or load them from the cache."""
    rng = np.random.default_rng(7)
    rows, classes = chosen(photos, rng)
    start = rng.integers(0, 4, len(rows))
    sample = rng.permutation(len(rows))[:SAMPLE]
    start = start if at_random else np.zeros_like(start)
    CACHE.mkdir(parents=True, exist_ok=True)
    kind = "random" if at_random else "upright"
    files = {one: CACHE / f"rotations-{name}-{kind}-{one}-{DESCRIPTORS[one].version}.npy" for one in STANDARD}
    version = CODE_DESCRIPTORS[STANDARD_CODES[0]].version
    code_file = CACHE / f"rotations-{name}-{kind}-codes-{version}.npy"
    if not all(file.exists() for file in (*files.values(), code_file)):
        print(f"describing {len(rows)} photos of {name} in four rotations", flush=True)
        shown = [decode(photos.files[rows[i]]).rotations()[start[i]] for i in sample]
        fitted = ready(
            [WorkingImage.from_array(np.ascontiguousarray(one.rgb)) for one in shown], [*STANDARD, *STANDARD_CODES]
        )
        chosen_ones = [one for name in STANDARD if isinstance(one := fitted[name], GlobalDescriptor)]
        signs = [one for name in STANDARD_CODES if isinstance(one := fitted[name], CodeDescriptor)]
        found = {one.name: np.zeros((4, len(rows), one.dimension), np.float32) for one in chosen_ones}
        coded: list[list[NDArray[np.uint8]]] = [[], []]
        for place, row in enumerate(rows):
            images = decode(photos.files[row]).rotations()
            for one in chosen_ones:
                for number, image in enumerate(images):
                    found[one.name][number, place] = one.of(image)
            for codes, some in zip(coded, ((images[start[place]],), images), strict=True):
                codes.append(np.concatenate([one.of_several(some) for one in signs]))
        for name_of, file in files.items():
            np.save(file, found[name_of])
        np.save(code_file, np.array(coded))
    vectors = {one: np.load(file, mmap_mode="r") for one, file in files.items()}
    return Rotated(classes, start, vectors, np.load(code_file))


def score(D: NDArray[np.floating], classes: Ints) -> tuple[float, float]:
    """Return precision at 10 and mean average precision of distances (n, n) between all photos."""
    D = np.array(D, dtype=np.float64)
    np.fill_diagonal(D, np.inf)
    relevant = classes[np.argsort(D, axis=1, kind="stable")[:, :-1]] == classes[:, None]
    precision = np.cumsum(relevant, axis=1) / np.arange(1, relevant.shape[1] + 1)
    return float(relevant[:, :10].mean()), float(((precision * relevant).sum(1) / relevant.sum(1)).mean())


def ranked(vectors: Mapping[str, Floats], classes: Ints) -> Score:
    """Return how well the space of a library ranks photos."""
    descriptors = [DESCRIPTORS[name] for name in STANDARD]
    X = np.concatenate([vectors[name] for name in STANDARD], axis=1)
    space = unfitted_space(descriptors, STANDARD, foreground=shows_foreground(descriptors, X))
    Z = np.ascontiguousarray(space.fit(X).transform(X))
    gallery = row_gallery(None, Z)
    near = 1 - build(gallery).similarities(gallery, np.arange(len(Z))).T
    return *score(sqd(Z.astype(np.float64), Z.astype(np.float64)), classes), *score(near, classes)


def best_tags(found: Rotated, rows: Ints, seed: int) -> tuple[float, float]:
    """Return the shares of photos whose best suggested tag is right, plain and in any rotation."""
    photos = PhotoSet(Path(), [], found.classes[rows], [])
    rng = np.random.default_rng(seed)
    tagged = np.sort(
        np.concatenate([rng.permutation(np.flatnonzero(photos.classes == one))[:TAGGED] for one in set(photos.classes)])
    )
    others = np.setdiff1d(np.arange(len(rows)), tagged)
    right = []
    for vectors, codes in zip((found.plain, found.any_rotation), found.codes, strict=True):
        suggested = kinds(Described(photos, vectors(rows), None, [], None, codes[rows]), tagged, others)
        best = suggested.found.tags.argmax(axis=1)
        right.append(float(suggested.truth[np.arange(len(others)), best].mean()))
    return right[0], right[1]


def shares(vectors: Mapping[str, Floats]) -> dict[str, float]:
    """Return the measure of an up by descriptor; see `orientation.have_no_up`."""
    found = {}
    for name, some in vectors.items():
        flipped = DESCRIPTORS[name].upside_down(some)
        if flipped is not None:
            found[name] = upright_share(some, flipped)
    return found


def measured(draws: int) -> list[list[str]]:
    """Return the range of the measure in random libraries of up to 1,000 photos, and in whole sets."""
    rows = []
    for name, title in (*SETS, ("scene15", "scenes"), ("breast_ultrasound", "ultrasound")):
        found = described(name, ["gist", "color_moments"])
        if found is None:
            continue
        rng = np.random.default_rng(1)
        upright: list[float] = []
        mixed: list[float] = []
        for _ in range(draws):
            kinds_of = rng.permutation(len(found.photos.names))[: rng.integers(5, 20)]
            rows_of = rng.permutation(np.flatnonzero(np.isin(found.classes, kinds_of)))[:1000]
            vectors = {one: some[rows_of].copy() for one, some in found.vectors.items()}
            upright.append(max(shares(vectors).values()))
            half = rng.random(len(rows_of)) < 0.5
            for one, some in vectors.items():
                flipped = DESCRIPTORS[one].upside_down(some[half])
                assert flipped is not None
                some[half] = flipped
            mixed.append(max(shares(vectors).values()))
        for kind, values in (("upright", upright), ("half of them upside down", mixed)):
            rows.append([title, kind, f"{min(values):.3f}", f"{np.mean(values):.3f}", f"{max(values):.3f}"])
    return rows


def milliseconds(photos: PhotoSet) -> tuple[float, float]:
    """Return the processor time per photo of the standard descriptors and codes, plain and in any rotation."""
    sample = [decode(file) for file in photos.files[:: len(photos.files) // TIMED][:TIMED]]
    fitted = [
        one
        for one in ready(sample, [*STANDARD, *STANDARD_CODES]).values()
        if isinstance(one, GlobalDescriptor | CodeDescriptor) and one.name in (*STANDARD, *STANDARD_CODES)
    ]
    plans = [
        DescriptionPlan(tuple(some), thumbnail_side=None) for some in (fitted, [in_any_rotation(one) for one in fitted])
    ]
    taken: list[list[float]] = [[], []]
    for image in sample:
        for times, plan in zip(taken, plans, strict=True):  # in turn, as the speed of a processor changes
            start = time.thread_time()
            describe(image.rgb, plan)
            times.append(time.thread_time() - start)
    plain, averaged = (1000 * float(np.median(times)) for times in taken)
    return plain, averaged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--libraries", type=int, default=60)
    arguments = parser.parse_args()
    rows, costs = [], []
    with one_thread():
        for name, title in SETS:
            photos = photo_set(name)
            if photos is None:
                continue
            for at_random in (False, True):
                found = rotated(name, photos, at_random=at_random)
                scores: dict[str, list[Score]] = {"vectors of the photos": [], "means over rotations": []}
                tags: list[tuple[float, float]] = []
                for seed in range(arguments.draws):
                    labels = np.random.default_rng(seed).permutation(CLASSES)[:DRAWN]
                    chosen_rows = np.flatnonzero(np.isin(found.classes, labels))
                    tags.append(best_tags(found, chosen_rows, seed))
                    for way, vectors in zip(scores, (found.plain, found.any_rotation), strict=True):
                        scores[way].append(ranked(vectors(chosen_rows), found.classes[chosen_rows]))
                for number, (way, reached) in enumerate(scores.items()):
                    figures = [mean_and_spread(some) for some in np.transpose(reached)]
                    figures.append(mean_and_spread([some[number] for some in tags]))
                    rows.append([title, "rotated at random" if at_random else "upright", way, *figures])
                    print(rows[-1], flush=True)
            costs.append([title, *(f"{some:.1f}" for some in milliseconds(photos))])
    if not rows:
        return
    report = Report("any-rotation", "Photos without an up")
    report.text(
        f"{DRAWN} of {CLASSES} classes per draw, {PHOTOS} photos each; {arguments.draws} draws, standard descriptors. "
        "All photos of a draw are ranked for each of them, in the space of a library, without labels. Best tag: "
        f"with {TAGGED} tagged photos per class."
    )
    report.table(
        "Rankings",
        ["", "photos", "", "P@10", "mAP", "P@10, shared neighbours", "mAP, shared neighbours", "best tag right"],
        rows,
    )
    report.table(
        f"Share of photos whose nearest photo is upright, in {arguments.libraries} random libraries each",
        ["", "photos", "least", "mean", "largest"],
        measured(arguments.libraries),
    )
    report.table(
        f"Milliseconds of one core per photo: standard descriptors and codes, median of {TIMED} photos",
        ["", "plain", "in any rotation"],
        costs,
    )
    report.save()


if __name__ == "__main__":
    main()
