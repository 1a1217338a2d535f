# SPDX-License-Identifier: MIT
"""Side information: feedback of the user on photos, as row numbers of a sample matrix.

Conversions run one way: labels -> tags -> pairs -> triplets, and pairs and tags -> chunklets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.arrays.distinct import together
from focal_photos.learners.core.estimator import LearnerError

_DRAWS = 8
"""Maximum number of redraws of a photo that shares a tag when a dissimilar one is needed."""

Draw = Callable[[NDArray[Any], int], NDArray[Any]]
"""Draws a number of the given photos."""


def _no_pairs() -> NDArray[np.intp]:
    return np.empty((0, 2), dtype=np.intp)


def _no_triplets() -> NDArray[np.intp]:
    return np.empty((0, 3), dtype=np.intp)


class TrainingPairs(NamedTuple):
    """Weighted training pairs."""

    similar: NDArray[np.intp]
    dissimilar: NDArray[np.intp]
    """`similar` and `dissimilar`: shape (s, 2) and (t, 2)."""
    similar_weights: NDArray[np.float64]
    dissimilar_weights: NDArray[np.float64]
    """`similar_weights` and `dissimilar_weights`: positive; 1 for judged pairs. Pairs from tags weigh together as much
    as the judged pairs of their kind, so that neither source dominates; shape (s,) and (t,)."""


@dataclass(frozen=True)
class SideInformation:
    """Judged pairs and tags of the rows of a sample matrix.

    Attributes
    ----------
    similar, dissimilar : ndarray of intp, shape (s, 2) and (t, 2)
        Row numbers of judged pairs; the first of a pair is the focal image.
    tags : scipy.sparse.csr_array of float, shape (n, m), or None
        Above 0 if photo i carries tag j: 1, or how often the tag was given, by several people or sources. The scatters
        of tags (`learners.core.scatters`) weigh tags by it; everything else uses only which tags a photo carries.
    relative : ndarray of intp, shape (u, 3)
        Rows (i, j, k): photo i is more similar to photo j than to photo k. Triplet learners use them directly, the
        others as the pairs of `absolute`.
    visual : ndarray of intp, shape (v, 2)
        Pairs that look alike, whether or not they mean the same; used by `learners.boosted.bdm.BoostedMetricVisual`.
    """

    similar: NDArray[np.intp] = field(default_factory=_no_pairs)
    dissimilar: NDArray[np.intp] = field(default_factory=_no_pairs)
    tags: scipy.sparse.csr_array | None = None
    relative: NDArray[np.intp] = field(default_factory=_no_triplets)
    visual: NDArray[np.intp] = field(default_factory=_no_pairs)

    @classmethod
    def from_tags(cls, tags: ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix) -> Self:
        """Convert a tag matrix (n, m), sparse or dense, of 0 and 1 or of how often each tag was given."""
        matrix = scipy.sparse.csr_array(tags).astype(np.float64)
        matrix.eliminate_zeros()
        return cls(tags=matrix)

    @classmethod
    def from_labels(cls, labels: ArrayLike) -> Self:
        """Convert one class per photo, (n,) integers or strings, to a tag each; negative numbers and None: no class."""
        y = np.asarray(labels)
        if y.ndim != 1:
            raise LearnerError(f"labels must have one dimension (photos), they have {y.ndim}.")
        if y.dtype == object:  # of a table: missing values are None or NaN, which differs from itself
            known = np.array([label is not None and label == label for label in y], dtype=bool)
            named = np.array(y[known].tolist())
        else:
            known = y >= 0 if np.issubdtype(y.dtype, np.number) else np.ones(len(y), dtype=bool)
            named = y[known]
        classes, column = np.unique(named, return_inverse=True)
        rows = np.flatnonzero(known)
        ones = np.ones(len(rows))
        return cls(tags=scipy.sparse.csr_array((ones, (rows, column)), shape=(len(y), len(classes))))

    @property
    def tagged(self) -> NDArray[np.intp]:
        """Rows with at least one tag, intp (t,), ascending."""
        if self.tags is None:
            return np.empty(0, dtype=np.intp)
        return np.flatnonzero(np.diff(self.tags.indptr)).astype(np.intp)

    @property
    def is_empty(self) -> bool:
        """True if there is no feedback at all."""
        return not (len(self.similar) or len(self.dissimilar) or len(self.tagged) or len(self.relative))

    @property
    def compares_photos(self) -> bool:
        """True if there is a judged pair, a triplet, or a tag that several photos share."""
        if len(self.similar) or len(self.dissimilar) or len(self.relative):
            return True
        return self.tags is not None and bool(np.bincount(self.tags.indices).max(initial=0) > 1)

    def check(self, n: int) -> None:
        """Raise LearnerError unless everything fits a sample matrix of n rows."""
        for kind, pairs in (("similar", self.similar), ("dissimilar", self.dissimilar), ("visual", self.visual)):
            if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
                raise LearnerError(f"{kind} pairs must be integers of shape (pairs, 2), not {pairs.shape}.")
            if len(pairs) and (pairs.min() < 0 or pairs.max() >= n):
                raise LearnerError(f"A {kind} pair names a photo outside 0..{n - 1}.")
            if (pairs[:, 0] == pairs[:, 1]).any():
                raise LearnerError(f"A {kind} pair joins a photo with itself: leave such pairs out.")
        given = self.relative
        if given.ndim != 2 or given.shape[1] != 3 or not np.issubdtype(given.dtype, np.integer):
            raise LearnerError(f"Triplets must be integers of shape (triplets, 3), not {given.shape}.")
        if len(given) and (given.min() < 0 or given.max() >= n):
            raise LearnerError(f"A triplet names a photo outside 0..{n - 1}.")
        if (given == np.roll(given, 1, axis=1)).any():
            raise LearnerError("A triplet names a photo twice: leave such triplets out.")
        if self.tags is None:
            return
        if self.tags.shape[0] != n:
            raise LearnerError(f"The tags are of {self.tags.shape[0]} photos, the samples of {n}.")
        if len(self.tags.data) and not (np.isfinite(self.tags.data).all() and self.tags.data.min() > 0):
            raise LearnerError(
                "A tag matrix stores finite values above 0 only: make it with SideInformation.from_tags."
            )

    def __or__(self, other: SideInformation) -> SideInformation:
        """Combine two sources of side information on the same photos and tags; the larger count of a tag remains."""
        tags = self.tags if other.tags is None else other.tags
        if self.tags is not None and other.tags is not None:
            if self.tags.shape != other.tags.shape:
                raise LearnerError(
                    f"Tag matrices of shape {self.tags.shape} and {other.tags.shape} cannot be joined: "
                    "give both the same photos and tags."
                )
            tags = self.tags.maximum(other.tags)
        return SideInformation(
            np.concatenate([self.similar, other.similar]),
            np.concatenate([self.dissimilar, other.dissimilar]),
            tags,
            np.concatenate([self.relative, other.relative]),
            np.concatenate([self.visual, other.visual]),
        )

    def absolute(self) -> SideInformation:
        """Convert each triplet (i, j, k) to a similar pair (i, j) and a dissimilar pair (i, k).

        A pair that triplets imply in both kinds is dropped; judged pairs take precedence.
        """
        if not len(self.relative):
            return self
        near, far = (np.unique(self.relative[:, [0, other]], axis=0) for other in (1, 2))
        contradicted = np.intersect1d(_codes(near), _codes(far))
        near, far = (self._unjudged(pairs[~np.isin(_codes(pairs), contradicted)]) for pairs in (near, far))
        similar, dissimilar = np.concatenate([self.similar, near]), np.concatenate([self.dissimilar, far])
        return SideInformation(similar, dissimilar, self.tags, visual=self.visual)

    def with_visual_as_similar(self) -> SideInformation:
        """Add the visual pairs to the similar ones, and remove them from the dissimilar ones."""
        similar = np.concatenate([self.similar, self.visual[~np.isin(_codes(self.visual), _codes(self.similar))]])
        dissimilar = self.dissimilar[~np.isin(_codes(self.dissimilar), _codes(self.visual))]
        return SideInformation(similar, dissimilar, self.tags, self.relative)

    def pairs(self, per_photo: int = 10, seed: int = 0) -> TrainingPairs:
        """Return judged pairs and pairs drawn from the tags.

        Parameters
        ----------
        per_photo : int
            Number of similar and of dissimilar pairs drawn for each tagged photo.
        seed : int
            Seed of the draw; the same seed gives the same pairs.

        Returns
        -------
        TrainingPairs
            Similar pairs share a tag: a tag of the photo is drawn first, then the partner among the photos with that
            tag, so that rare tags are drawn as often as frequent ones. Dissimilar pairs share none. Judged pairs are
            never drawn: the judgement takes precedence.
        """
        alike, different = self._draw(per_photo, seed)

        def join(judged: NDArray[np.intp], drawn: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
            share = len(judged) / len(drawn) if len(judged) and len(drawn) else 1.0
            weights = np.concatenate([np.ones(len(judged)), np.full(len(drawn), share)])
            return np.concatenate([judged.astype(np.intp), drawn]), weights

        similar, similar_weights = join(self.similar, alike)
        dissimilar, dissimilar_weights = join(self.dissimilar, different)
        return TrainingPairs(similar, dissimilar, similar_weights, dissimilar_weights)

    def triplets(self, per_photo: int = 10, seed: int = 0) -> NDArray[np.intp]:
        """Return triplets, intp (t, 3), of rows (i, j, k): photo i is more similar to photo j than to photo k.

        Given triplets are included unchanged. Judged pairs with the same focal image give all their combinations. Tags
        give at most `per_photo` triplets per photo.
        """
        alike, different = self._draw(per_photo, seed)
        found = [self.relative.astype(np.intp)]
        for similar, dissimilar, everything in (
            (self.similar, self.dissimilar, True),
            (alike, different, False),
        ):
            for focal in np.intersect1d(similar[:, 0], dissimilar[:, 0]):
                near = similar[similar[:, 0] == focal, 1]
                far = dissimilar[dissimilar[:, 0] == focal, 1]
                if everything:
                    j, k = (part.ravel() for part in np.meshgrid(near, far, indexing="ij"))
                else:
                    count = min(len(near), len(far))
                    j, k = near[:count], far[:count]
                found.append(np.column_stack([np.full(len(j), focal), j, k]).astype(np.intp))
        return np.concatenate(found)

    def chunklets(self, n: int) -> NDArray[np.intp]:
        """Return chunklet numbers, intp (n,); -1 for photos in none.

        A chunklet is a group known to belong together: photos connected by similar pairs, and photos with exactly the
        same tags (the classes, if each photo has one tag).
        """
        links = [self.similar]
        if self.tags is not None:
            groups: dict[bytes, int] = {}
            same = []
            for row in self.tagged:
                tags = np.sort(self.tags.indices[self.tags.indptr[row] : self.tags.indptr[row + 1]])
                same.append((groups.setdefault(tags.tobytes(), int(row)), int(row)))
            links.append(np.array([pair for pair in same if pair[0] != pair[1]], dtype=np.intp).reshape(-1, 2))
        joined = np.concatenate(links)
        graph = scipy.sparse.coo_array((np.ones(len(joined)), (joined[:, 0], joined[:, 1])), shape=(n, n))
        _, component = scipy.sparse.csgraph.connected_components(graph, directed=False)
        size = np.bincount(component, minlength=n)
        numbers = np.full(n, -1, dtype=np.intp)
        shared = size[component] > 1
        numbers[shared] = np.unique(component[shared], return_inverse=True)[1]
        return numbers

    def _draw(self, per_photo: int, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Draw similar and dissimilar pairs from the tags, excluding judged pairs."""
        rows = self.tagged
        if self.tags is None or len(rows) < 2 or per_photo < 1:
            return _no_pairs(), _no_pairs()
        rng = np.random.default_rng(seed)
        focal = np.repeat(rows, per_photo)
        # Similar: draw a tag of the photo, then a photo with that tag (columns of the transposed matrix).
        by_tag = scipy.sparse.csr_array(self.tags.T)
        carried = np.diff(self.tags.indptr)[focal]
        tag = self.tags.indices[self.tags.indptr[focal] + rng.integers(0, carried)]
        used = np.diff(by_tag.indptr)[tag]
        partner = by_tag.indices[by_tag.indptr[tag] + rng.integers(0, used)]
        alike = np.column_stack([focal, partner]).astype(np.intp)
        # Dissimilar: draw any tagged photo, again while it shares a tag.
        other = rng.choice(rows, len(focal))
        for _ in range(_DRAWS):
            shares = self._share_tag(focal, other)
            other[shares] = rng.choice(rows, int(shares.sum()))
        different = np.column_stack([focal, other]).astype(np.intp)[~self._share_tag(focal, other)]
        return self._unjudged(alike[alike[:, 0] != alike[:, 1]]), self._unjudged(different)

    def _share_tag(self, a: NDArray[np.intp], b: NDArray[np.intp]) -> NDArray[np.bool_]:
        if self.tags is None:
            return np.zeros(len(a), dtype=bool)
        return np.asarray(self.tags[a].multiply(self.tags[b]).sum(axis=1)).ravel() > 0

    def _unjudged(self, pairs: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the pairs without repetitions (in either order) and without judged pairs."""
        _, first = np.unique(_codes(pairs), return_index=True)
        unique = pairs[np.sort(first)]
        judged = np.concatenate([self.similar, self.dissimilar])
        return unique[~np.isin(_codes(unique), _codes(judged))]


def choose_training_rows(
    judged: NDArray[Any], tagged: NDArray[Any], every: NDArray[Any], most: int, draw: Draw
) -> NDArray[Any]:
    """Return all judged photos, a sample of the tagged and a sample of the others, `most` photos in all.

    Parameters
    ----------
    judged, tagged, every : ndarray of integers, shape (j,), (t,) and (n,)
        Row numbers or ids, distinct; `every` includes the others.
    most : int
        Exceeded only if more photos were judged.
    draw : callable
        Draws a number of the given photos (m,), ascending; all of them if there are no more.

    Returns
    -------
    ndarray of integers, shape (c,)
        Ascending.
    """
    chosen = judged
    for more in (tagged, every):
        rest = np.setdiff1d(more, chosen, assume_unique=True)
        chosen = together(chosen, draw(rest, max(0, most - len(chosen))))
    return chosen


def _codes(pairs: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return a number for each pair that does not depend on its order."""
    ordered = np.sort(pairs, axis=1).astype(np.int64)
    return ordered[:, 0] << 32 | ordered[:, 1]
