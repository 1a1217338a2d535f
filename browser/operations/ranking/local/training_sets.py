# SPDX-License-Identifier: MIT
"""Training sets of single focal images: the photos to compare with, and the known similarities."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingIndexedError
from focal_photos.browser.operations.ranking.local.patches import with_patches
from focal_photos.browser.operations.ranking.space import coordinates, current_space, described
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.side_information import SideInformation

MOST_PHOTOS: Final = 500
"""Maximum number of photos compared with a focal image; for the choice among more see `FocalTrainingSets`."""


_SHARE: Final = 4
"""At most one in this many chosen photos shares a tag with the focal image."""


_POOL: Final = 3000
"""Maximum number of tagged photos (a seeded sample) among which the nearest are searched."""


_GROWTH: Final = 1.1
"""Factor by which the number of known dissimilar photos must change before a focal image is learned again."""


@dataclass(frozen=True)
class FocalTrainingSet:
    """The training set of one focal image."""

    ids: NDArray[np.int64]
    """Candidates and the focal image itself, ascending; shape (n,)."""
    row: int
    side: SideInformation
    """Two tags, for photos that share a tag with the focal image and for other tagged photos, and the judgements
    against the focal image."""
    digest: bytes
    """8 bytes that change with the training data."""


class FocalTrainingSets:
    """The training sets of focal images, from the present tags and judgements.

    Photos of removed folders are included.

    A photo is similar to a focal image if they share a tag or an ancestor tag; it is dissimilar if both are tagged and
    share none. A judgement against the focal image overrides tags.

    In a library of more than `MOST_PHOTOS` photos with patches, a focal image is compared with all photos judged
    against it, a seeded sample of photos that share a tag with it, photos tagged otherwise, and other photos, which set
    the scale of each patch's distances. Of the photos tagged otherwise, the nearest in the library's space make up half
    of the choice; the rest are drawn at random. Near photos alone would not show typical distances, and any patch
    distinguishes far photos from the focal image. The paper compares with all photos. For the effect of the choice on
    recognition see `tests/benchmarks/results/frome2006-choice.md`.
    """

    def __init__(
        self, library: Library, keys: tuple[str, ...], *, use_tags: bool = True, use_judgements: bool = True
    ) -> None:
        self._library = library
        self.ids: NDArray[np.int64] = with_patches(library, keys)
        matrix, _ = library.tags.matrix(self.ids, with_ancestors=True)
        self._tags = scipy.sparse.csr_array(matrix) if use_tags else scipy.sparse.csr_array((len(self.ids), 0))
        self._tags.data = np.ones_like(self._tags.data)
        self._tagged = np.diff(self._tags.indptr) > 0
        self._judged: dict[int, dict[int, Verdict]] = {}
        inside = set(self.ids.tolist())
        for one in library.judgements.all() if use_judgements else ():
            if one.focal_id in inside and one.other_id in inside:
                self._judged.setdefault(one.focal_id, {})[one.other_id] = one.verdict
        self._relative: dict[int, list[tuple[int, int]]] = {}
        for focal, near, far in library.judged_relations.relative() if use_judgements else ():
            if inside.issuperset((focal, near, far)):
                self._relative.setdefault(focal, []).append((near, far))

    @property
    def tagged(self) -> NDArray[np.int64]:
        """Ids of the tagged photos."""
        found: NDArray[np.int64] = self.ids[self._tagged]
        return found

    @property
    def judged(self) -> NDArray[np.int64]:
        """Ids of the photos that others were judged against, ascending."""
        return np.array(sorted({*self._judged, *self._relative}), np.int64)

    @property
    def judgements(self) -> int:
        """Number of judgements."""
        return sum(map(len, (*self._judged.values(), *self._relative.values())))

    def of(self, photo_id: int) -> FocalTrainingSet:
        """Return the training set of a photo that has patches."""
        row = int(np.searchsorted(self.ids, photo_id))
        similar = np.zeros(len(self.ids), bool)
        dissimilar = np.zeros(len(self.ids), bool)
        if self._tagged[row]:
            similar[(self._tags @ self._tags[[row]].T).nonzero()[0]] = True
            dissimilar = self._tagged & ~similar
            similar[row] = False
        judged = self._judged.get(photo_id, {})
        near, far = (
            np.searchsorted(self.ids, sorted(i for i, verdict in judged.items() if verdict is wanted))
            for wanted in (Verdict.SIMILAR, Verdict.DISSIMILAR)
        )
        relative = np.array(sorted(self._relative.get(photo_id, ())), np.int64).reshape(-1, 2)
        compared = np.searchsorted(self.ids, relative)
        named = np.concatenate([near, far, compared.ravel()])
        chosen = self._chosen(photo_id, row, similar, dissimilar, named)
        place = np.full(len(self.ids), -1, np.intp)
        place[chosen] = np.arange(len(chosen))
        own = int(place[row])
        pairs = [np.column_stack([np.full(len(rows), own), place[rows]]).astype(np.intp) for rows in (near, far)]
        labels = np.where(similar, 0, np.where(dissimilar, 1, -1))
        if self._tagged[row]:
            labels[row] = 0
        tags = SideInformation.from_labels(labels[chosen]).tags
        summary = hashlib.blake2b(digest_size=8)
        for part in (self.ids[similar], self.ids[near], self.ids[far], *([relative.ravel()] if len(relative) else ())):
            summary.update(len(part).to_bytes(8, "little") + part.astype("<i8").tobytes())
        count = int(dissimilar.sum())
        summary.update(repr(round(math.log(count, _GROWTH)) if count else None).encode())
        triplets = np.column_stack([np.full(len(compared), own), place[compared]]).astype(np.intp)
        side = SideInformation(pairs[0], pairs[1], tags, triplets)
        return FocalTrainingSet(self.ids[chosen], own, side, summary.digest())

    def _chosen(
        self,
        photo_id: int,
        row: int,
        similar: NDArray[np.bool_],
        dissimilar: NDArray[np.bool_],
        judged: NDArray[np.intp],
    ) -> NDArray[np.intp]:
        """Return the rows compared with a focal image, and its own row, ascending."""
        n = len(self.ids)
        if n <= MOST_PHOTOS:
            return np.arange(n)
        always = np.append(judged, row)
        nearest = self._nearest(row, dissimilar)
        return choice(always, similar, dissimilar, nearest, MOST_PHOTOS, seed=photo_id)

    def _nearest(self, row: int, among: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the pool sorted by distance to a photo in the library's space; empty if it is not described."""
        if self._pool is None:
            return np.empty(0, np.intp)
        space, rows, points, squares = self._pool
        try:
            (own,) = coordinates(self._library, space, self.ids[[row]])
        except KeyError:  # not described, or edited meanwhile
            return np.empty(0, np.intp)
        inside = among[rows]
        squared = (squares - 2 * (points @ own))[inside]  # without its own squared length, which is the same for all
        found: NDArray[np.intp] = rows[inside][np.argsort(squared, kind="stable")]
        return found

    @cached_property
    def _pool(self) -> tuple[FeatureSpace, NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]] | None:
        """The library's space, and the rows, coordinates and squared lengths of tagged photos in it."""
        try:
            space = current_space(self._library)
            known = described(self._library, [family.name for family in space.families])
            rows = np.flatnonzero(self._tagged & np.isin(self.ids, known))
            if len(rows) > _POOL:
                rows = np.sort(np.random.default_rng(0).choice(rows, _POOL, replace=False))
            found = coordinates(self._library, space, self.ids[rows])
        except (NothingIndexedError, KeyError):
            return None
        return space, rows, found, np.einsum("ij,ij->i", found, found)


def choice(
    always: NDArray[np.intp],
    similar: NDArray[np.bool_],
    dissimilar: NDArray[np.bool_],
    nearest: NDArray[np.intp],
    most: int,
    *,
    seed: int,
) -> NDArray[np.intp]:
    """Choose the photos to compare with a focal image.

    Parameters
    ----------
    always : ndarray of intp, shape (k,)
        Rows that are always chosen.
    similar, dissimilar : ndarray of bool, shape (n,)
        Rows known to be similar or dissimilar; both False if unknown.
    nearest : ndarray of intp, shape (m,)
        Dissimilar rows with known distances to the focal image, nearest first.

    Returns
    -------
    ndarray of intp, ascending
        At most a quarter are similar and half are the nearest dissimilar rows; a quarter is drawn from the other
        dissimilar rows, and the rest from all remaining rows.
    """
    rng = np.random.default_rng(seed)
    chosen = np.zeros(len(similar), bool)
    chosen[always] = True
    near = np.zeros(len(similar), bool)
    near[nearest[~chosen[nearest]][: most // 2]] = True
    for group, share in (
        (similar, most // _SHARE),
        (near, most // 2),
        (dissimilar, most - most // 2 - most // _SHARE),
        (np.ones(len(similar), bool), most),
    ):
        rows = np.flatnonzero(group & ~chosen)
        room = max(0, min(share, most - int(chosen.sum())))
        chosen[rows if len(rows) <= room else rng.choice(rows, room, replace=False)] = True
    return np.flatnonzero(chosen)
