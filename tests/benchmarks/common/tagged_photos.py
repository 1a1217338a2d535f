# SPDX-License-Identifier: MIT
"""The tagged photos of Corel-5k with all descriptors; one of its 5,000 photos has no tags and is left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from tests.benchmarks.common.described_photos import Described, described

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
"""Names of all global families."""


def tagged_corel5k(names: tuple[str, ...] = GLOBAL, codes: tuple[str, ...] = ()) -> Described | None:
    """Return the 4,999 tagged photos, 499 of them published test photos; None, with a message, if they are missing."""
    found = described("corel5k", names, codes)
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
        None if found.codes is None else found.codes[rows],
    )
