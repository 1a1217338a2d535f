"""What single focal images learn from: the photos that they are compared with, and what is known of these."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.local.patches import with_patches
from focal_photos.learners.core.side_information import SideInformation

MOST_PHOTOS: Final = 2000
"""Photos that a focal image is compared with: all, where there are no more; else a choice, see `FocalTrainingSets`."""


_SHARE: Final = 4
"""Of a choice, at most one photo in four shares a tag with the focal image."""


_GROWTH: Final = 1.1
"""A focal image is learned again when the photos known to be dissimilar have become a tenth more or fewer."""


@dataclass(frozen=True)
class FocalTrainingSet:
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
        8 bytes that change when there is something new to learn.
    """

    ids: NDArray[np.int64]
    row: int
    side: SideInformation
    digest: bytes


class FocalTrainingSets:
    """The training sets of focal images, from the tags and judgements that there are now.

    Photos of folders that were taken out take part.

    A photo is similar to a focal image if they share a tag, or one above it; dissimilar if both are tagged and share
    none. A judgement on the focal image stands against tags.

    In a library of more than `MOST_PHOTOS` photos with patches, a focal image is compared with all that were judged for
    it, with seeded draws from those that share a tag with it and from those tagged otherwise, and with others, which
    set the scale of each patch's distances.

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
        self._tags = scipy.sparse.csr_array(matrix) if use_tags else scipy.sparse.csr_array((len(self.ids), 0))
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
        return FocalTrainingSet(self.ids[chosen], own, side, summary.digest())

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
        if n <= MOST_PHOTOS:
            return np.arange(n)
        rng = np.random.default_rng(photo_id)
        kept = np.zeros(n, bool)
        kept[judged] = kept[row] = True
        for group, most in (
            (similar, MOST_PHOTOS // _SHARE),
            (dissimilar, MOST_PHOTOS - MOST_PHOTOS // _SHARE),
            (~kept, MOST_PHOTOS),
        ):
            rows = np.flatnonzero(group & ~kept)
            room = max(0, min(most, MOST_PHOTOS - int(kept.sum())))
            kept[rows if len(rows) <= room else rng.choice(rows, room, replace=False)] = True
        return np.flatnonzero(kept)
