# SPDX-License-Identifier: MIT
"""Weights of judgements: a similar pair counts less if it contradicts the other judged pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.kernels import KernelPCA
from focal_photos.learners.core.side_information import SideInformation

MOST_ANSWERS: Final = 1000
"""Maximum number of pairs weighed together: the time grows with the cube."""

_MIN_PAIRS: Final = 60
"""Number of pairs below which errors cannot be detected."""

_COORDINATES: Final = 128
"""Kernel principal components used to compare pairs."""

_NOISE: Final = 0.3
_MOST_ROOTS: Final = 32
"""Number of pairs added to an inverse before it is recomputed in full."""

_AGREEMENT: Final = (0.3, 0.6)
"""Correlations of answers with their predictions from the other pairs at which the doubt is largest, and zero."""

_RAMP: Final = 0.5
_MIN_PREDICTIONS: Final = (-1.0, 0.0)
"""Least prediction for an answer to count at all, without doubt and at the largest doubt."""


@dataclass(frozen=True)
class JudgedPairs:
    """Judged pairs whose weights may change with each further pair."""

    similar: NDArray[np.float64]
    """Shape (s, 2, q)."""
    dissimilar: NDArray[np.float64]
    """First q kernel principal components of the two photos of each pair; shape (t, 2, q)."""
    differences: NDArray[np.float64]
    """Differences of the similar pairs in all components; shape (s, p)."""

    @classmethod
    def of(
        cls, kernel_map: KernelPCA, X: NDArray[Any], side: SideInformation
    ) -> tuple[JudgedPairs, NDArray[np.float64]]:
        """Return the judged pairs of photos X (n, d) in the space of a map, and the differences of dissimilar pairs.

        Of these differences, float64 (t, p), only the sum of the outer products is stored.
        """
        rows, place = np.unique(np.concatenate([side.similar, side.dissimilar]), return_inverse=True)
        place = place.reshape(-1, 2)
        Y = np.asarray(kernel_map.transform(X[rows].astype(np.float64)))
        pairs, s = Y[:, :_COORDINATES][place], len(side.similar)
        differences = Y[place[:, 0]] - Y[place[:, 1]]
        return cls(pairs[:s], pairs[s:], differences[:s]), differences[s:]

    @classmethod
    def saved(cls, state: Mapping[str, Any], components: int) -> JudgedPairs:
        """Return the pairs of a fitted state; none for metrics of earlier versions, whose pairs have fixed weights."""
        if "differences_" not in state:
            return cls.none(components)
        return cls(state["similar_answers_"], state["dissimilar_answers_"], state["differences_"])

    @classmethod
    def none(cls, components: int) -> JudgedPairs:
        """Return an empty set of pairs of photos with p components."""
        nobody = np.empty((0, 2, min(components, _COORDINATES)))
        return cls(nobody, nobody, np.empty((0, components)))

    def state(self) -> dict[str, Any]:
        """Return the pairs as fitted attributes."""
        return {
            "similar_answers_": self.similar,
            "dissimilar_answers_": self.dissimilar,
            "differences_": self.differences,
        }

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.similar) + len(self.dissimilar)

    def __or__(self, more: JudgedPairs) -> JudgedPairs:
        """Return the union of both sets of pairs."""
        return JudgedPairs(
            np.concatenate([self.similar, more.similar]),
            np.concatenate([self.dissimilar, more.dissimilar]),
            np.concatenate([self.differences, more.differences]),
        )

    def inverse(self, known: PairInverse | None = None) -> PairInverse | None:
        """Return the inverse of the pairs' kernel, grown from that of the first pairs if known; None if not needed."""
        if len(self) > MOST_ANSWERS or not can_doubt(self.similar, self.dissimilar):
            return None
        return PairInverse.of(self.similar, self.dissimilar, known, self.differences)

    def weights(self, known: PairInverse | None = None) -> NDArray[np.float64]:
        """Return the weight of each similar pair, 0..1: float64 (s,); `known`: the `inverse` of these pairs.

        More than `MOST_ANSWERS` pairs are weighed in parts of that size.
        """
        if known is not None:
            return trust(self.similar, self.dissimilar, known)
        parts = -(-len(self) // MOST_ANSWERS)
        weights = np.ones(len(self.similar))
        for part in range(parts):
            weights[part::parts] = trust(self.similar[part::parts], self.dissimilar[part::parts])
        return weights


@dataclass(frozen=True)
class PairInverse:
    """Inverse of the kernel matrix of judged pairs, stored between judgements because growing it is fast.

    The kernel is the part that further pairs do not change, plus the noise; similar pairs come first. After pairs are
    added, the inverse is ``H + Z Z'``, where H belongs to the pairs `place`.
    """

    similar: NDArray[np.float64]
    dissimilar: NDArray[np.float64]
    """`similar` and `dissimilar`: the pairs; shape (s, 2, q) and (t, 2, q)."""
    directions: NDArray[np.float64]
    """Their photos, normalized to length 1; shape (2, s + t, q)."""
    distances: NDArray[np.float64]
    """Squared distance of the photos of each pair; shape (s + t,)."""
    products: NDArray[np.float64]
    """Inner products of the differences of the similar pairs; shape (s, s)."""
    base: NDArray[np.float64]
    """H; shape (k, k)."""
    place: NDArray[np.intp]
    """Pairs of H; shape (k,)."""
    roots: NDArray[np.float64]
    """Z; shape (s + t, m)."""
    diagonal: NDArray[np.float64]
    """Diagonal of the inverse; shape (s + t,)."""
    solved: NDArray[np.float64]
    """The inverse times the answers (+1 and -1), 1, and the distances; shape (s + t, 3)."""

    @classmethod
    def of(
        cls,
        similar: NDArray[np.float64],
        dissimilar: NDArray[np.float64],
        known: PairInverse | None = None,
        differences: NDArray[np.float64] | None = None,
    ) -> PairInverse:
        """Return the inverse for pairs; `known`: that for the first pairs of each kind, if available.

        `differences`: those of the similar pairs in all components, float64 (s, p); default: in the first q components.

        Cost (s + t)^3, or (s + t)^2 k if the inverse for all but k pairs is known, plus now and then (s + t)^2 per pair
        added.
        """
        n = len(similar) + len(dissimilar)
        apart = similar[:, 0] - similar[:, 1] if differences is None else differences
        if known is None or 2 * len(known.diagonal) < n:
            pairs = np.concatenate([similar, dissimilar])
            directions, distances = _directions(pairs), _distances(pairs)
            kernel = _common(directions, directions)
            kernel[np.diag_indices(n)] += _NOISE
            H = np.asarray(np.linalg.inv(kernel), np.float64)
            return cls(
                similar,
                dissimilar,
                directions,
                distances,
                apart @ apart.T,
                H,
                np.arange(n),
                np.empty((n, 0)),
                np.diag(H),
                H @ _observations(len(similar), distances),
            )
        return known._grown(similar, dissimilar, apart)

    def _grown(
        self, similar: NDArray[np.float64], dissimilar: NDArray[np.float64], apart: NDArray[np.float64]
    ) -> PairInverse:
        """Return the inverse for more pairs, which come after the present ones of each kind."""
        o, s, k, n = len(self.similar), len(similar), len(self.diagonal), len(similar) + len(dissimilar)
        before = np.arange(k)
        before[o:] += s - o
        new = np.concatenate([np.arange(o, s), np.arange(s + k - o, n)])
        pairs = np.concatenate([similar[o:], dissimilar[k - o :]])
        directions = np.empty((2, n, pairs.shape[2]))
        directions[:, :o], directions[:, s : s + k - o] = self.directions[:, :o], self.directions[:, o:]
        directions[:, new] = _directions(pairs)
        distances = np.empty(n)
        distances[before], distances[new] = self.distances, _distances(pairs)
        own = _common(directions[:, new], directions[:, new])
        own[np.diag_indices(len(new))] += _NOISE
        across = _common(self.directions, directions[:, new])
        reached = self._times(across)
        # Bordered by the new pairs, the inverse changes by [-reached; 1] corner [-reached; 1]'.
        added = np.empty((n, len(new)))
        added[new] = np.linalg.cholesky(np.linalg.inv(own - across.T @ reached))
        added[before] = -reached @ added[new]
        roots = np.zeros((n, self.roots.shape[1] + len(new)))
        roots[before, : self.roots.shape[1]] = self.roots
        roots[:, self.roots.shape[1] :] = added
        diagonal = np.square(added).sum(axis=1)
        diagonal[before] += self.diagonal
        solved = added @ (added.T @ _observations(s, distances))
        solved[before] += self.solved
        products = np.empty((s, s))
        products[:o, :o] = self.products
        products[o:] = apart[o:] @ apart.T
        products[:o, o:] = products[o:, :o].T
        grown = PairInverse(
            similar, dissimilar, directions, distances, products, self.base, before[self.place], roots, diagonal, solved
        )
        if roots.shape[1] <= _MOST_ROOTS:
            return grown
        return replace(grown, base=grown.inverse, place=np.arange(n), roots=np.empty((n, 0)))

    @property
    def inverse(self) -> NDArray[np.float64]:
        """The full inverse, float64 (s + t, s + t)."""
        result = self.roots @ self.roots.T
        result[np.ix_(self.place, self.place)] += self.base
        return np.asarray(result)

    def _times(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the inverse times columns (s + t, c)."""
        result = self.roots @ (self.roots.T @ columns)
        # Column by column, which is faster than a matrix product for so few columns.
        for column, known in zip(result.T, columns[self.place].T, strict=True):
            column[self.place] += self.base @ known
        return np.asarray(result)


def _common(pairs: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the similarity of pairs (2, n, q) to others (2, m, q): products of cosines, in either order."""
    (first, second), (third, fourth) = pairs, others
    return np.asarray((first @ third.T) * (second @ fourth.T) + (first @ fourth.T) * (second @ third.T))


def trust(
    similar: NDArray[np.float64], dissimilar: NDArray[np.float64], known: PairInverse | None = None
) -> NDArray[np.float64]:
    """Return the weights of similar pairs, based on their agreement with all judgements.

    Answers are +1 and -1, and each is predicted from all others by a Gaussian process over pairs (leave-one-out
    predictions have a closed form: Rasmussen & Williams 2006, eq. 5.12). The similarity of two pairs is the product of
    the cosines of their photos, in either order, plus the similarity of their photos' distances. With prediction m, an
    answer has full weight from m = d + .5 and no weight up to d. The share of wrong answers shows in the correlation of
    answers and predictions, plus its standard error: d rises from -1, where hardly any pair is doubted, at .6 to 0 at
    .3.

    Parameters
    ----------
    similar, dissimilar : ndarray of float64, shape (s, 2, q) and (t, 2, q)
        Coordinates of the two photos of each pair.
    known : PairInverse, optional
        Inverse for these pairs, if available.

    Returns
    -------
    ndarray of float64, shape (s,)
        0..1; all 1 if one kind is missing, or with fewer than 60 pairs. The cost is that of `PairInverse.of`.

    Notes
    -----
    Only wrong similar pairs do harm, so dissimilar ones retain their weights (measured: ALGORITHMS.md, 2.6).
    """
    n = len(similar) + len(dissimilar)
    if not can_doubt(similar, dissimilar):
        return np.ones(len(similar))
    answers = np.repeat([1.0, -1.0], [len(similar), len(dissimilar)])
    H = PairInverse.of(similar, dissimilar) if known is None else known
    spread = H.distances.std()
    distances = (H.distances - H.distances.mean()) / (spread if spread > 0 else 1.0)
    # The distances' part of the kernel changes with each further pair, but has rank 2: 1 + d d' (Woodbury).
    U = np.column_stack([np.ones(n), distances])
    alone, ones, raw = H.solved.T
    P = np.column_stack([ones, (raw - H.distances.mean() * ones) / (spread if spread > 0 else 1.0)])
    inner = np.linalg.inv(np.eye(2) + U.T @ P)
    solved = alone - P @ (inner @ (P.T @ answers))
    diagonal = H.diagonal - np.einsum("ij,ij->i", P @ inner, P)
    predicted = answers - solved / diagonal
    if not predicted.std() > 0:
        return np.ones(len(similar))
    agreement = float(np.corrcoef(answers, predicted)[0, 1]) + 1 / np.sqrt(n)
    low, high = _AGREEMENT
    doubt = float(np.clip((high - agreement) / (high - low), 0.0, 1.0))
    least = _MIN_PREDICTIONS[0] + doubt * (_MIN_PREDICTIONS[1] - _MIN_PREDICTIONS[0])
    return np.asarray(np.clip((predicted[: len(similar)] - least) / _RAMP, 0.0, 1.0))


def can_doubt(similar: NDArray[np.float64], dissimilar: NDArray[np.float64]) -> bool:
    """Return whether pairs can contradict each other: both kinds, (s, d) and (t, d), occur, at least 60 in all."""
    return bool(len(similar) and len(dissimilar) and len(similar) + len(dissimilar) >= _MIN_PAIRS)


def _observations(similar: int, distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the answers, 1 and the distances of pairs (n, 3); the first pairs are similar."""
    answers = np.where(np.arange(len(distances)) < similar, 1.0, -1.0)
    return np.column_stack([answers, np.ones(len(distances)), distances])


def _directions(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the photos of pairs (n, 2, q), normalized to length 1: float64 (2, n, q)."""
    lengths = np.sqrt(np.einsum("ijk,ijk->ij", pairs, pairs))[:, :, None]
    return np.ascontiguousarray((pairs / np.where(lengths > 0, lengths, 1.0)).swapaxes(0, 1))


def _distances(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the squared distances (n,) between the photos of pairs (n, 2, q)."""
    return np.asarray(np.square(pairs[:, 0] - pairs[:, 1]).sum(axis=1))
