# SPDX-License-Identifier: MIT
"""The photos annotated by the user, as training data for suggestions: tagged, or with a rejected tag."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.learners.core.arrays.distinct import common, without
from focal_photos.learners.galleries.row_gallery import Gallery


@dataclass(frozen=True)
class AnnotatedPhotos:
    """Photos with tags, and photos for which the user rejected a suggested tag."""

    ids: NDArray[np.int64]
    """Shape (n,)."""
    tags: scipy.sparse.csr_array
    rejected: scipy.sparse.csr_array
    """`tags` and `rejected`: 1 where photo i carries tag j; 1 where tag j was rejected for photo i, which does not
    carry it; shape (n, m)."""
    names: list[str]
    """Names of the m tags."""
    gallery: Gallery
    """Gallery of the n photos."""
    places: NDArray[np.intp]
    """Their rows among all described photos, used as queries of the gallery; shape (n,)."""

    @property
    def tagged(self) -> NDArray[np.intp]:
        """Rows of the tagged photos."""
        found: NDArray[np.intp] = np.flatnonzero(np.diff(self.tags.indptr))
        return found

    def digest(self) -> bytes:
        """Return 32 bytes that depend on all tags, rejections and photos."""
        summary = hashlib.sha256("\n".join(self.names).encode())
        for part in (self.ids, self.tags.indptr, self.tags.indices, self.rejected.indptr, self.rejected.indices):
            summary.update(np.ascontiguousarray(part).tobytes() + b"|")
        return summary.digest()


def read_annotated(library: Library, gallery: MetricGallery, rejected: set[tuple[int, str]]) -> AnnotatedPhotos:
    """Read the annotated photos described under a metric.

    Parameters
    ----------
    rejected : set of (int, str)
        Photo ids and tags.

    Raises
    ------
    NothingToLearnError
        If no indexed photo is tagged.
    """
    row_of = gallery.row_table
    tagged = described_in(row_of, library.photos.ids("tagged -missing"))
    if not len(tagged):
        raise NothingToLearnError("No indexed photo is tagged yet: tag a few photos first.")
    refusing = np.array(sorted({photo_id for photo_id, _ in rejected}), dtype=np.int64)
    refusing = common(refusing, library.photos.ids("-missing"))
    ids = np.concatenate([tagged, without(described_in(row_of, refusing), tagged)])
    matrix, names = library.tags.matrix(ids)
    tags = scipy.sparse.csr_array(matrix)
    row = {photo_id: i for i, photo_id in enumerate(ids.tolist())}
    column = {name: j for j, name in enumerate(names)}
    against = ones([(row[p], column[tag]) for p, tag in rejected if p in row and tag in column], tags.shape)
    against = scipy.sparse.csr_array(against - against.multiply(tags))  # tags override rejections
    against.eliminate_zeros()
    # Leave out photos that only have rejections of tags carried by no photo.
    kept = np.flatnonzero(np.diff(tags.indptr) + np.diff(against.indptr))
    ids, places = ids[kept], row_of[ids[kept]].astype(np.intp)
    return AnnotatedPhotos(ids, tags[kept], against[kept], names, gallery.among(places), places)


def described_in(row_of: NDArray[np.int32], ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the photos among `ids` (n,) with a row in `row_of`, int64 (m,)."""
    inside = ids[ids < len(row_of)]
    return inside[row_of[inside] >= 0]


def ones(places: list[tuple[int, int]], shape: tuple[int, int]) -> scipy.sparse.csr_array:
    """Return a float64 matrix with 1 at the given distinct rows and columns."""
    i, j = np.array(sorted(places), dtype=np.intp).reshape(-1, 2).T
    return scipy.sparse.csr_array((np.ones(len(i)), (i, j)), shape=shape)


def with_rare_tags(tags: scipy.sparse.csr_array, most: int) -> NDArray[np.intp]:
    """Return a seeded sample of at most `most` photos, rows (n, m), ascending, without losing a tag.

    In the first half of the sample, each tag has the same number of photos, or all of its photos if there are fewer.
    The rest is drawn from all photos.
    """
    n, m = tags.shape
    if n <= most:
        return np.arange(n)
    order = np.random.default_rng(0).permutation(n)
    carriers = scipy.sparse.csc_array(tags[order])  # the photos of each tag in random order
    share = max(1, most // (2 * max(m, 1)))
    counts = np.diff(carriers.indptr)
    taken = np.zeros(n, dtype=bool)
    # rarest first, so that these are included if there are too many tags
    for tag in np.argsort(counts, kind="stable").tolist():
        rows = np.sort(carriers.indices[carriers.indptr[tag] : carriers.indptr[tag + 1]])
        lacking = max(0, share - int(taken[rows].sum()))
        taken[rows[~taken[rows]][:lacking]] = True
        if taken.sum() >= most:
            break
    first = np.flatnonzero(taken)[:most]
    rest = np.flatnonzero(~taken)[: most - len(first)]
    return np.sort(order[np.concatenate([first, rest])])


def some_of(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return a seeded sample of at most `most` rows, in order."""
    return rows if len(rows) <= most else np.sort(np.random.default_rng(0).choice(rows, most, replace=False))
