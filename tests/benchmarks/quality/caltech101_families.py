# SPDX-License-Identifier: MIT
"""Recognition on Caltech-101 with global descriptors, with 15 or 30 tagged photos per class.

The space is fitted to the tagged photos alone. A photo gets the tag of its nearest tagged photo, with or without
re-ranking, or the tag with the highest score of a tag learner. Reported is the mean recognition over classes, with at
most 20 test photos per class.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import clone

from focal_photos.features.table import STANDARD, STANDARD_CODES
from focal_photos.learners import create
from focal_photos.learners.core.learner.base import EmbeddingMixin
from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.row_gallery import row_gallery
from focal_photos.learners.tags.tag_ridge import TagRidge
from focal_photos.learners.tags.tag_votes import TagVotes
from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.photo_sets import Floats, Ints, splits
from tests.benchmarks.common.report import Report, mean_and_spread
from tests.benchmarks.common.tagged_photos import GLOBAL

TAGGED: Final = (15, 30)
TESTED: Final = 20
METRICS: Final = ("tag-ratio-kernel", "lda", "kernel")
"""Names of learned metrics whose nearest photo is compared."""

EXACT: Final = 4000
"""Maximum number of tagged photos for exact ridge regression: at least all of them."""


def recognition(scores: NDArray[np.floating], truth: Ints) -> float:
    """Return the mean over classes of the correct share in %, from scores (q, classes)."""
    right = scores.argmax(axis=1) == truth
    return 100 * float(np.mean([right[truth == label].mean() for label in np.unique(truth)]))


def nearest(distances: NDArray[np.floating], classes: Ints, count: int) -> Floats:
    """Return scores (q, count): minus the distance to the nearest photo of each class, from distances (q, n)."""
    found = np.stack([-distances[:, classes == label].min(axis=1) for label in range(count)], axis=1)
    return np.asarray(found, np.float32)


def ways(
    photos: Described, train: Ints, test: Ints, names: Sequence[str]
) -> Iterator[tuple[str, NDArray[np.floating]]]:
    """Yield each method with its scores of the test photos (q, classes)."""
    count = int(photos.classes.max()) + 1
    known = photos.classes[train]
    tags = sp.csr_array(np.eye(count)[known])
    space, X = photos.space(train, names)
    yield "nearest photo", nearest(sqd(X[test].astype(np.float64), X[train].astype(np.float64)), known, count)
    both = np.concatenate([train, test])
    gallery = row_gallery(None, np.ascontiguousarray(X[both]))
    shares = build(gallery).similarities(gallery, np.arange(len(train)))[len(train) :]
    yield "nearest photo, re-ranked among all", nearest(1 - shares, known, count)
    yield "votes", TagVotes().fit(X[train], tags).scores(X[test]).tags
    ridge = TagRidge(neighbors=0.0, exact=EXACT)
    yield "ridge", ridge.fit(X[train], tags).scores(X[test]).tags
    weighed = clone(ridge).set_params(families=space.families_)
    yield "ridge, families weighed", weighed.fit(X[train], tags).scores(X[test]).tags
    wide, Z = photos.space(train, names, wide=True)
    yield "ridge, 128 axes a family", ridge.fit(Z[train], tags).scores(Z[test]).tags
    weighed.set_params(families=wide.families_)
    yield "ridge, 128 axes, families weighed", weighed.fit(Z[train], tags).scores(Z[test]).tags
    assert photos.codes is not None
    signs = clone(weighed).fit(Z[train], tags, codes=photos.codes[train])
    scores = signs.scores(Z[test], None, photos.codes[test]).tags
    yield "ridge, 128 axes, families weighed, signs of whole Fisher vectors (suggestions)", scores
    for name in METRICS:
        learner = create(name).fit(X[train], SideInformation(tags=tags))
        assert isinstance(learner, EmbeddingMixin)
        A, B = (learner.transform(X[rows]).astype(np.float64) for rows in (test, train))
        yield f"nearest photo under {name}", nearest(sqd(A, B), known, count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--every", action="store_true", help="every global descriptor, not only the standard ones")
    arguments = parser.parse_args()
    names = tuple(dict.fromkeys([*STANDARD, *(GLOBAL if arguments.every else ())]))
    photos = described("caltech101", names, STANDARD_CODES)
    if photos is None:
        return
    report = Report("caltech101-families", "Recognition on Caltech-101 by global descriptors")
    report.text((__doc__ or "").split("\n\n", 1)[1])
    table: dict[str, list[str]] = {}
    for tagged in TAGGED:
        found: dict[str, list[float]] = {}
        for train, test in splits(photos.classes, tagged, TESTED, arguments.splits):
            for way, scores in ways(photos, train, test, names):
                found.setdefault(way, []).append(recognition(scores, photos.classes[test]))
                print(f"{tagged}: {way} {found[way][-1]:.1f} ({time.process_time():.0f} s)", flush=True)
        for way, values in found.items():
            table.setdefault(way, []).append(mean_and_spread(values, digits=1))
    report.table(
        f"Mean recognition over 101 classes in %, {arguments.splits} splits, {len(names)} descriptors",
        ["way", *(f"{tagged} tagged" for tagged in TAGGED)],
        [[way, *cells] for way, cells in table.items()],
    )
    report.save()


if __name__ == "__main__":
    main()
