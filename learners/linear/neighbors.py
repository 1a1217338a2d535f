# SPDX-License-Identifier: MIT
"""Metrics for nearest neighbours: neighbourhood components analysis and large margins."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.groups import one_class_each
from focal_photos.learners.core.kernels import median_squared_distance
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.learner.blend import BlendedLearner, LinearMap, check_blend
from focal_photos.learners.core.linalg import sqd
from focal_photos.learners.core.side_information import SideInformation

_START_DISTANCE = 4.0
"""Median squared distance at the start of neighbourhood components analysis (ALGORITHMS.md, 6.6)."""


class _NeighborLearner(BlendedLearner):
    """Base of both learners: photos with one class each, the initial map, and progress by iterations."""

    iterations: int
    photos: int
    random_state: int

    def _classes(
        self, X: NDArray[Any], side: SideInformation
    ) -> tuple[LinearMap, NDArray[np.float64], NDArray[np.intp]]:
        """Return the principal components, the coordinates of the training photos, and their classes."""
        check_blend(self.euclidean_blend, self.output_components)
        if self.iterations < 1:
            raise LearnerError(f"iterations must be at least 1, it is {self.iterations}.")
        rows, classes = one_class_each(side, len(X), self.photos, self.random_state)
        sizes = np.bincount(classes)
        if len(sizes) < 2 or sizes.max() < 2:
            raise self.nothing_to_learn("with two photos that are alike and one that is not")
        start = LinearMap.fit(X)
        return start, start.transform(X[rows].astype(np.float64)), classes

    def _counted(self, report: ProgressReport) -> Callable[..., None]:
        """Return a callback that reports the progress of each iteration."""
        done = 0

        def callback(*_: object) -> None:
            nonlocal done
            done += 1
            report(min(0.1 + 0.9 * done / self.iterations, 1.0))

        report(0.1)
        return callback


class Nca(_NeighborLearner):
    """Neighbourhood components analysis (Goldberger et al. 2005), over scikit-learn.

    Maximizes the probability that a photo, choosing a neighbour with probability ``exp(-|A(x - x')|^2)``, finds one of
    its own class.

    Parameters
    ----------
    iterations : int
        Maximum number of L-BFGS iterations.
    photos : int
        Maximum number of training photos; more are sampled with `random_state`. The cost grows with their square.
    euclidean_blend : float
        Weight of the unlearned squared distance, relative to the learned one; 0 as in the paper.
    output_components : int
        Maximum dimension of the embedding: principal axes of the learned space.
    random_state : int

    Attributes
    ----------
    mean_ : ndarray of float64, shape (d,)
    axes_ : ndarray of float64, shape (d, r)
        The embedding is ``(x - mean_) @ axes_``.

    Notes
    -----
    Photos are first scaled to a median squared distance of 4, and the start is the identity (ALGORITHMS.md, 6.6): with
    standardized features of many dimensions every exponential would be 0 or 1, and nothing would be learned. For the
    class of a photo see `learners.core.groups.one_class_each`.

    Cost: principal components n d^2 + d^3, then k^2 d for each iteration with k photos.

    References
    ----------
    .. [1] J. Goldberger, S. Roweis, G. Hinton, R. Salakhutdinov, "Neighbourhood components analysis", NIPS 2005.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; 0 is nearer to 2 in X, but not in the learned distance:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.linear.neighbors import Nca
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_labels(["sea", "sea", "wood", "wood"])
    >>> Nca(euclidean_blend=0.1).fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 1.14, 1.64, 2.  ])
    """

    name: ClassVar[str] = "nca"
    title: ClassVar[str] = "NCA"
    family: ClassVar[str] = "Classics"
    summary: ClassVar[str] = "Neighbourhood components analysis: nearest photos should be of the same group"
    source: ClassVar[str] = "Goldberger et al. 2005"

    def __init__(
        self,
        iterations: int = 50,
        photos: int = 2000,
        euclidean_blend: float = 1.0,
        output_components: int = 256,
        random_state: int = 0,
    ) -> None:
        self.iterations = iterations
        self.photos = photos
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.random_state = random_state

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        from sklearn.neighbors import NeighborhoodComponentsAnalysis  # slow to import, needed only here

        start, Y, classes = self._classes(X, side_information)
        learner = NeighborhoodComponentsAnalysis(
            init="identity",
            max_iter=self.iterations,
            callback=self._counted(report),
            random_state=self.random_state,
        )
        with warnings.catch_warnings():  # groups of judged pairs are many and small
            warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
            learner.fit(Y * np.sqrt(_START_DISTANCE / median_squared_distance(Y, self.random_state)), classes)
        return self._finish(start, np.asarray(learner.components_.T, dtype=np.float64), side_information)


class Lmnn(_NeighborLearner):
    """Large margin nearest neighbours (Weinberger et al. 2006).

    Pulls each photo towards its targets, the nearest photos of its class, and pushes those of other classes out of the
    margin around the targets.

    Parameters
    ----------
    neighbors : int
        Number of targets of each photo.
    push : float
        0..1: weight of pushing relative to pulling.
    iterations : int
        Maximum number of L-BFGS iterations.
    photos, euclidean_blend, output_components, random_state
        See `Nca`.

    Attributes
    ----------
    mean_, axes_
        See `Nca`.

    Notes
    -----
    Minimizes over L, with d the squared distance after L,
    ``(1 - push) sum d(i, t) + push / 2 sum max(0, 1 + d(i, t) - d(i, l))^2`` over photos i, targets t and impostors l;
    the impostors are searched among all photos in every step. Departures from the paper (ALGORITHMS.md, 6.5): the hinge
    is squared, so that the objective is smooth; L is optimized by L-BFGS instead of the metric by projected gradients;
    and photos are first divided by the root mean square distance of targets, so that the margin 1 has the same meaning
    in every space. Targets are chosen once, by the unlearned distance. For the class of a photo see
    `learners.core.groups.one_class_each`; photos that are alone in their class are impostors only.

    Cost: principal components n d^2 + d^3, then k^2 (d + neighbors) + k d^2 for each iteration with k photos.

    References
    ----------
    .. [1] K. Weinberger, J. Blitzer, L. Saul, "Distance metric learning for large margin nearest neighbor
       classification", NIPS 2006.

    Examples
    --------
    Photos 0 and 1 share a tag, and so do 2 and 3; 0 is nearer to 2 in X, but not in the learned distance:

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.linear.neighbors import Lmnn
    >>> X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> tags = SideInformation.from_labels(["sea", "sea", "wood", "wood"])
    >>> Lmnn().fit(X, tags).distances_from(X[0], X).round(2)
    array([0.  , 1.34, 1.48, 2.  ])
    """

    name: ClassVar[str] = "lmnn"
    title: ClassVar[str] = "LMNN"
    family: ClassVar[str] = "Classics"
    summary: ClassVar[str] = "Large margins between each photo's group and the others"
    source: ClassVar[str] = "Weinberger et al. 2006"

    def __init__(
        self,
        neighbors: int = 3,
        push: float = 0.5,
        iterations: int = 50,
        photos: int = 2000,
        euclidean_blend: float = 1.0,
        output_components: int = 256,
        random_state: int = 0,
    ) -> None:
        self.neighbors = neighbors
        self.push = push
        self.iterations = iterations
        self.photos = photos
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.random_state = random_state

    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        if self.neighbors < 1 or not 0 <= self.push <= 1:
            raise LearnerError("neighbors must be at least 1, and push in 0..1.")
        start, Y, classes = self._classes(X, side_information)
        targets = _targets(Y, classes, self.neighbors)
        distances = np.square(Y[targets[:, 0]] - Y[targets[:, 1]]).sum(axis=1)
        scale = float(np.sqrt(distances.mean())) or np.sqrt(median_squared_distance(Y, self.random_state))
        Y = Y / scale
        p = Y.shape[1]

        def objective(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            value, gradient = _lmnn(flat.reshape(p, p), Y, classes, targets, self.push)
            return value, gradient.ravel()

        found = scipy.optimize.minimize(
            objective,
            np.eye(p).ravel(),
            jac=True,
            method="L-BFGS-B",
            callback=self._counted(report),
            options={"maxiter": self.iterations},
        )
        return self._finish(start, found.x.reshape(p, p), side_information)


def _targets(Y: NDArray[np.float64], classes: NDArray[np.intp], neighbors: int) -> NDArray[np.intp]:
    """Return rows (t, 2): a photo and one of its nearest of the same class; ascending by photo."""
    found = []
    for label in np.unique(classes):
        rows = np.flatnonzero(classes == label)
        if len(rows) < 2:
            continue
        distances = sqd(Y[rows], Y[rows])
        np.fill_diagonal(distances, np.inf)
        nearest = np.argsort(distances, axis=1, kind="stable")[:, : min(neighbors, len(rows) - 1)]
        found.append(np.column_stack([np.repeat(rows, nearest.shape[1]), rows[nearest.ravel()]]))
    pairs = np.concatenate(found)
    return pairs[np.argsort(pairs[:, 0], kind="stable")].astype(np.intp)


def _lmnn(
    L: NDArray[np.float64],
    Y: NDArray[np.float64],
    classes: NDArray[np.intp],
    targets: NDArray[np.intp],
    push: float,
) -> tuple[float, NDArray[np.float64]]:
    """Return the objective, and its gradient in L (p, p); the distance is that of the rows of ``Y @ L``."""
    Z = Y @ L
    D = sqd(Z, Z)
    reach = D[targets[:, 0], targets[:, 1]]
    value = (1 - push) * float(reach.sum())
    # Weight of every pair in the gradient: sum over pairs of weight * 2 Y' (e_i - e_j)(e_i - e_j)' Y L.
    weight = np.zeros_like(D)
    own = classes[:, None] == classes[None, :]
    D[own] = np.inf
    _, first, count = np.unique(targets[:, 0], return_index=True, return_counts=True)
    for place in range(int(count.max())):
        at = first[count > place] + place
        i, t = targets[at, 0], targets[at, 1]
        inside = 1 + reach[at, None] - D[i]
        np.maximum(inside, 0, out=inside)
        value += push / 2 * float(np.einsum("ij,ij->", inside, inside))
        inside *= push
        weight[i] -= inside
        weight[i, t] += 1 - push + inside.sum(axis=1)
    weight += weight.T
    gradient = 2 * (Y.T @ (Z * weight.sum(axis=1)[:, None] - weight @ Z))
    return value, gradient
