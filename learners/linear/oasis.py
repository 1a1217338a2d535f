# SPDX-License-Identifier: MIT
"""OASIS: a bilinear similarity learned online from triplets."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import LinearMap, check_blend
from focal_photos.learners.core.learner.candidate import Candidate, blends
from focal_photos.learners.core.learner.storage_layout import StorageLayout
from focal_photos.learners.core.learner.triplet_learner import TripletLearner
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.core.side_information import SideInformation

_REPORTS = 50
_SAMPLE = 1000
_ROWS = 4096  # photos converted to unit vectors at a time


class Oasis(TripletLearner):
    """Online algorithm for scalable image similarity (Chechik et al. 2010): ``S(q, x) = q' W x``, from triplets.

    Parameters
    ----------
    aggressiveness : float
        C, the maximum step size.
    n_components : int
        Number of principal components on which W acts.
    per_photo : int
        Number of triplets drawn for each tagged photo.
    epochs : int
        Number of passes of `fit` over the triplets.
    max_triplets : int
        Maximum number of triplets per epoch; excess triplets are dropped at random.
    euclidean_blend : float
        Weight of the squared distance between the photos' unit vectors, relative to the learned distance; 0 as in the
        paper.
    random_state : int

    Attributes
    ----------
    mean_ : ndarray of float64, shape (d,)
    axes_ : ndarray of float64, shape (d, p)
        Principal components.
    W_ : ndarray of float64, shape (p, p)
    scales_ : ndarray of float64, shape (2,)
        Mean learned distance and mean squared distance between training photos.

    Notes
    -----
    Photos are unit vectors of their principal components, W starts as the identity, and a triplet (i, j, k) with loss
    ``l = max(0, 1 - S(i, j) + S(i, k))`` changes it by ``min(C, l / |V|^2) V``, ``V = x_i (x_j - x_k)'``. The distance
    from a photo q is ``|W' q| - S(q, x) >= 0``, which ranks as the similarity does for one q. It is not a metric:
    neither symmetric nor 0 between a photo and itself.

    Cost: n d^2 + d^3 for principal components, p^2 per triplet; a ranking of N photos N d p (N p with stored unit
    vectors).

    References
    ----------
    .. [1] G. Chechik, V. Sharma, U. Shalit, S. Bengio, "Large scale online learning of image similarity through
       ranking", JMLR 11 (2010) 1109-1135, Fig. 1 (ALGORITHMS.md, 6.7).

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; 0 is nearer to 2 in X, but not in the learned distance. The distance
    of 0 to itself shows that it is not a metric:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.linear.oasis import Oasis
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_labels(["sea", "sea", "wood", "wood"])
    >>> Oasis(epochs=50).fit(X, tags).distances_from(X[0], X).round(2)
    array([1.  , 1.26, 1.66, 1.93])
    """

    name: ClassVar[str] = "oasis"
    title: ClassVar[str] = "OASIS"
    family: ClassVar[str] = "Classics"
    summary: ClassVar[str] = "A similarity from triplets, one at a time; no metric"
    source: ClassVar[str] = "Chechik et al. 2010"
    is_metric: ClassVar[bool] = False
    follows_judgements: ClassVar[bool] = True
    candidates: ClassVar[tuple[Candidate, ...]] = blends(1.0, tagged=(40, 2000), judgements=(40, 2000))

    mean_: NDArray[np.float64]
    axes_: NDArray[np.float64]
    W_: NDArray[np.float64]
    scales_: NDArray[np.float64]

    def __init__(
        self,
        aggressiveness: float = 0.1,
        n_components: int = 256,
        per_photo: int = 10,
        epochs: int = 2,
        max_triplets: int = 25_000,
        euclidean_blend: float = 1.0,
        random_state: int = 0,
    ) -> None:
        self.aggressiveness = aggressiveness
        self.n_components = n_components
        self.per_photo = per_photo
        self.epochs = epochs
        self.max_triplets = max_triplets
        self.euclidean_blend = euclidean_blend
        self.random_state = random_state

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        check_blend(self.euclidean_blend, self.n_components)
        if not self.aggressiveness > 0:
            raise LearnerError(f"aggressiveness must be above 0, it is {self.aggressiveness}.")
        found = self._triplets(side_information, len(X))
        start = LinearMap.fit(X, self.n_components)
        report(0.2)
        U = _unit(start.transform(X))
        W = _steps(
            np.eye(start.n_components),
            U,
            np.tile(found, (self.epochs, 1)),
            self.aggressiveness,
            lambda share: report(0.2 + 0.7 * share),
        )
        return {
            "mean_": start.mean,
            "axes_": start.axes,
            "W_": W,
            "scales_": _scales(W, U, self.random_state),
        }

    def _move(self, samples: NDArray[Any], found: NDArray[np.intp], report: ProgressReport) -> dict[str, Any]:
        return {"W_": _steps(self.W_, self._units(samples), found, self.aggressiveness, report)}

    def _pair_distance(self, A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float64]:
        return self._distances(self._units(A), self._units(B))

    def _distances_from(self, query: NDArray[Any], gallery: NDArray[Any]) -> NDArray[np.float64]:
        return self._distances(self._units(query), self._units(gallery))

    def storage_layout(self) -> StorageLayout:
        """Return the layout: unit vectors of principal components, in which the distance from one photo is linear."""
        return _UnitVectors(self)

    def _distances(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
        plain = self.euclidean_blend * np.square(a - b).sum(axis=1) / self.scales_[1]
        return np.asarray((_learned(self.W_, a, b) / self.scales_[0] + plain) / (1 + self.euclidean_blend))

    def _units(self, X: NDArray[Any]) -> NDArray[np.float64]:
        return _unit((X - self.mean_) @ self.axes_)


class _UnitVectors(StorageLayout):
    """Unit vectors of principal components; the distance from one focal image is linear in them."""

    def __init__(self, learner: Oasis) -> None:
        self.learner = learner

    def rows(self, X: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([self.learner._units(X[part]).astype(np.float32) for part in blocks(len(X), _ROWS)])

    def distances(self, query: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        distances: NDArray[np.float64] = self._all(query[None], rows)[0]
        return distances

    def rough(self, queries: NDArray[np.float32], rows: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
        return self._all(queries, rows), 0.0

    def _all(self, queries: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float64]:
        own = self.learner
        q, x = queries.astype(np.float64), rows.astype(np.float64)
        side = q @ own.W_
        learned = np.maximum(np.linalg.norm(side, axis=1)[:, None] - side @ x.T, 0.0) / own.scales_[0]
        plain = np.einsum("ij,ij->i", q, q)[:, None] + np.einsum("ij,ij->i", x, x) - 2 * (q @ x.T)
        blend = own.euclidean_blend
        return np.asarray((learned + blend / own.scales_[1] * np.maximum(plain, 0.0)) / (1 + blend))


def _unit(Y: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return rows scaled to length 1; zero rows are unchanged."""
    rows = Y.astype(np.float64)
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return np.asarray(np.divide(rows, length, out=np.zeros_like(rows), where=length > 0))


def _learned(W: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``|W' a| - a' W b`` by row, with one row of a for all of b or one for each."""
    side = a @ W
    return np.asarray(
        np.maximum(np.linalg.norm(side, axis=1) - np.einsum("ij,ij->i", np.broadcast_to(side, b.shape), b), 0.0)
    )


def _steps(
    W: NDArray[np.float64],
    U: NDArray[np.float64],
    found: NDArray[np.intp],
    largest: float,
    report: ProgressReport,
) -> NDArray[np.float64]:
    """Return W after one passive-aggressive step per triplet."""
    W = W.copy()
    every = max(1, len(found) // _REPORTS)
    for t, (i, j, k) in enumerate(found):
        x, difference = U[i], U[j] - U[k]
        loss = 1.0 - float(x @ W @ difference)
        size = float(x @ x) * float(difference @ difference)
        if loss > 0 and size > 0:
            W += np.outer(min(largest, loss / size) * x, difference)
        if t % every == every - 1:
            report((t + 1) / len(found))
    return W


def _scales(W: NDArray[np.float64], U: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return the mean learned and the mean squared distance of seeded random pairs; 1 for a mean of 0."""
    rng = np.random.default_rng(seed)
    a, b = U[rng.integers(0, len(U), _SAMPLE)], U[rng.integers(0, len(U), _SAMPLE)]
    means = np.array([_learned(W, a, b).mean(), np.square(a - b).sum(axis=1).mean()])
    return np.where(means > 0, means, 1.0)
