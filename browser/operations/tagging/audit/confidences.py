# SPDX-License-Identifier: MIT
"""Confidences of all tags on all photos, and the audit strata of these pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.annotated import described_in, read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.evaluation.audit import strata_of

_BLOCK = 4096


class PhotoTags(NamedTuple):
    """Photos and their tags."""

    ids: NDArray[np.int64]
    """Described photos that are not missing; shape (n,)."""
    names: list[str]
    """Names of the m tags."""
    confidence: NDArray[np.float32]
    """0..1; for tagged photos as predicted from the others; shape (n, m)."""
    carried: NDArray[np.bool_]
    """Shape (n, m)."""
    exclusive: bool
    """Whether each photo has at most one tag."""

    def strata(self) -> NDArray[np.int8]:
        """Return the strata of the pairs, (n, m)."""
        return strata_of(self.confidence, self.carried, exclusive=self.exclusive)


def tag_confidences(library: Library, ranker: Ranker, ids: Iterable[int] | None = None) -> Job[PhotoTags]:
    """Compute the confidences of all tags on some photos, or on all.

    Raises
    ------
    NothingToLearnError
        If no indexed photo is tagged.
    OperationError
        As for `Ranker.gallery`.
    """
    gallery = ranker.gallery()
    looks = looks_for_tags(ranker, gallery)
    annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    learned = yield from learn_tags(library, looks, annotated)
    photo_ids = described_in(looks.row_table, library.photos.ids("-missing"))
    if ids is not None:
        photo_ids = photo_ids[np.isin(photo_ids, np.fromiter(ids, dtype=np.int64))]
    photo_ids = np.sort(photo_ids)
    matrix, names = library.tags.matrix(photo_ids)
    column = {name: j for j, name in enumerate(learned.names)}
    known = [j for j, name in enumerate(names) if name in column]
    carried = np.zeros((len(photo_ids), len(column)), dtype=bool)
    carried[:, [column[names[j]] for j in known]] = scipy.sparse.csr_array(matrix)[:, known].toarray() > 0
    confidence = np.zeros(carried.shape, dtype=np.float32)
    meter = Meter(Text("Drawing photos to audit"), len(photo_ids))
    yield meter.state()
    for part in blocks(len(photo_ids), _BLOCK):
        confidence[part] = learned.confidences(photo_ids[part]).tags
        yield meter.advance(len(confidence[part]))
    return PhotoTags(photo_ids, list(learned.names), confidence, carried, learned.confidence.exclusive_)
