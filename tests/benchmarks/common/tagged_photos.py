"""The tagged photos of Corel-5k with all descriptors: of its 5,000 files one has no tags, and takes no part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners.evaluation.out_of_fold import HeldOut, Learn
from learners.galleries.float_gallery import FloatGallery
from learners.galleries.row_gallery import Gallery
from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.photo_sets import Floats, Ints

GLOBAL = (
    "color_moments",
    "color_coherence",
    "gabor",
    "color_histogram",
    "color_edge_texture",
    "edge_directions",
    "gabor_statistics",
    "lbp",
    "gist",
    "sift_words_200",
    "sift_words_1000",
    "orb_words_200",
    "orb_words_1000",
)
"""Every global family."""


def tagged_corel5k(names: tuple[str, ...] = GLOBAL) -> Described | None:
    """Return the 4,999 tagged photos, 499 of them the published test photos; None, said aloud, without the set."""
    found = described("corel5k", names)
    if found is None or found.tags is None or found.test is None:
        return None
    rows = np.flatnonzero(np.diff(found.tags.indptr))
    photos = found.photos
    return Described(
        replace(photos, files=[photos.files[row] for row in rows], classes=photos.classes[rows]),
        {name: vectors[rows] for name, vectors in found.vectors.items()},
        sp.csr_array(found.tags[rows]),
        found.tag_names,
        found.test[rows],
    )


def by_embedding(embed: Callable[[Ints], Floats]) -> Learn:
    """Return how a metric is learned without a fold; `embed` learns it from rows (t,) and returns all photos in it."""

    def learn(fold: HeldOut, _rng: np.random.Generator) -> tuple[Gallery, NDArray[np.float32]]:
        Z = np.ascontiguousarray(embed(fold.others), dtype=np.float32)
        return FloatGallery(np.ascontiguousarray(Z[fold.others])), Z[fold.asked]

    return learn
