"""Learn the local distances of focal images: one when it is asked for, or many, on all cores."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog.facts.records import Photo, Verdict
from browser.catalog.library import Library
from browser.operations.ranking.local.metric import LocalMetric
from browser.operations.ranking.local.patches import Candidates, PhotoPatches, patches_of, with_patches
from browser.operations.workers.threads import thread_pool
from learners.core.side_information import SideInformation
from learners.local.local_distances import FocalImage, FocalImages, LocalDistances

MOST: Final = 2000
"""Photos that a focal image is compared with: up to so many, all of them; of more, a choice (see `Lessons`)."""

_SHARE: Final = 4
"""Of a choice, at most one in so many photos shares a tag with the focal image."""

_GROWTH: Final = 1.1
"""A focal image is learned anew when the photos known to be dissimilar are so many times more or fewer."""


@dataclass(frozen=True)
class Lesson:
    """What one focal image learns from.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
        Candidates and the focal image itself, ascending.
    row : int
        Of the focal image.
    side : SideInformation
        What is known of them: two tags, that of the photos that share one with the focal image and that of the others
        that are tagged, and the judgements on the focal image.
    digest : bytes
        8 bytes that are others when there is something new to learn.
    """

    ids: NDArray[np.int64]
    row: int
    side: SideInformation
    digest: bytes


class Lessons:
    """What is known of the likeness of photos now, those of folders that were taken out included.

    A photo is similar to a focal image if they share a tag, or one above it; dissimilar if both are tagged and share
    none. A judgement on the focal image stands against tags.

    In a library of more than `MOST` photos with patches, a focal image is compared with all that were judged for it,
    with seeded draws from those that share a tag with it and from those tagged otherwise, and with others, which set
    the scale of each patch's distances.

    Parameters
    ----------
    library : Library
    keys : sequence of str
        Of the patches.
    use_tags, use_judgements : bool
    """

    def __init__(
        self, library: Library, keys: tuple[str, ...], *, use_tags: bool = True, use_judgements: bool = True
    ) -> None:
        self.ids: NDArray[np.int64] = with_patches(library, keys)
        matrix, _ = library.tags.matrix(self.ids, with_ancestors=True)
        self._tags = sp.csr_array(matrix) if use_tags else sp.csr_array((len(self.ids), 0))
        self._tags.data = np.ones_like(self._tags.data)
        self._tagged = np.diff(self._tags.indptr) > 0
        self._judged: dict[int, dict[int, Verdict]] = {}
        inside = set(self.ids.tolist())
        for one in library.judgements.all() if use_judgements else ():
            if one.focal_id in inside and one.other_id in inside:
                self._judged.setdefault(one.focal_id, {})[one.other_id] = one.verdict

    @property
    def tagged(self) -> NDArray[np.int64]:
        """Ids of the tagged photos."""
        found: NDArray[np.int64] = self.ids[self._tagged]
        return found

    @property
    def judged(self) -> NDArray[np.int64]:
        """Ids of the photos that others were judged against, ascending."""
        return np.array(sorted(self._judged), np.int64)

    @property
    def judgements(self) -> int:
        """Number of judgements."""
        return sum(map(len, self._judged.values()))

    def of(self, photo_id: int) -> Lesson:
        """Return the lesson of a photo with patches."""
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
        chosen = self._chosen(photo_id, row, similar, dissimilar, np.concatenate([near, far]))
        place = np.full(len(self.ids), -1, np.intp)
        place[chosen] = np.arange(len(chosen))
        own = int(place[row])
        pairs = [np.column_stack([np.full(len(rows), own), place[rows]]).astype(np.intp) for rows in (near, far)]
        labels = np.where(similar, 0, np.where(dissimilar, 1, -1))
        if self._tagged[row]:
            labels[row] = 0
        tags = SideInformation.from_labels(labels[chosen]).tags
        summary = hashlib.blake2b(digest_size=8)
        for part in (self.ids[similar], self.ids[near], self.ids[far]):
            summary.update(len(part).to_bytes(8, "little") + part.astype("<i8").tobytes())
        count = int(dissimilar.sum())
        summary.update(repr(round(math.log(count, _GROWTH)) if count else None).encode())
        side = SideInformation(pairs[0], pairs[1], tags)
        return Lesson(self.ids[chosen], own, side, summary.digest())

    def _chosen(
        self,
        photo_id: int,
        row: int,
        similar: NDArray[np.bool_],
        dissimilar: NDArray[np.bool_],
        judged: NDArray[np.intp],
    ) -> NDArray[np.intp]:
        """Return the rows that a focal image is compared with, and its own, ascending."""
        n = len(self.ids)
        if n <= MOST:
            return np.arange(n)
        rng = np.random.default_rng(photo_id)
        kept = np.zeros(n, bool)
        kept[judged] = kept[row] = True
        for group, most in ((similar, MOST // _SHARE), (dissimilar, MOST - MOST // _SHARE), (~kept, MOST)):
            rows = np.flatnonzero(group & ~kept)
            room = max(0, min(most, MOST - int(kept.sum())))
            kept[rows if len(rows) <= room else rng.choice(rows, room, replace=False)] = True
        return np.flatnonzero(kept)


def learn_one(lesson: Lesson, patches: PhotoPatches, distances: NDArray[np.float32], like: FocalImages) -> FocalImage:
    """Learn a focal image.

    Parameters
    ----------
    lesson : Lesson
    patches : PhotoPatches
        Of the focal image.
    distances : ndarray of float32, shape (n, M)
        Elementary distances of the lesson's photos from these.
    like : FocalImages
        Holds the parameters.
    """
    learner = LocalDistances(like.C, like.K, like.tolerance)
    learner.fit(lambda _row: distances, lesson.side, len(lesson.ids), focal=[lesson.row])
    digest = patches.fingerprint() + lesson.digest
    return FocalImage(
        learner.weights_,
        learner.factors_,
        float(learner.slopes_[0]),
        float(learner.intercepts_[0]),
        float(learner.gaps_[0]),
        int(learner.triplets_[0]),
        digest,
    )


def focal_image(library: Library, local: LocalMetric, photo: Photo) -> tuple[PhotoPatches, FocalImage]:
    """Return a photo's patches and what was learned of it; it is learned now if that was not done yet, and kept.

    Raises
    ------
    OperationError
        The photo has no patches.
    """
    patches = patches_of(library, local.keys, photo)
    found = local.focal_image(library, photo.id, patches.fingerprint())
    if found is not None:
        return patches, found
    with local.learning:  # whoever wants the same photo meanwhile finds it learned
        found = local.focal_image(library, photo.id, patches.fingerprint())
        if found is not None:
            return patches, found
        lesson = Lessons(library, local.keys).of(photo.id)
        candidates = Candidates(library, local.keys, lesson.ids)
        with thread_pool() as executor:
            distances = candidates.distances(patches, executor=executor)
        model = learn_one(lesson, patches, distances, local.trained)
        local.keep(library, photo.id, model)
    return patches, model
