# SPDX-License-Identifier: MIT
"""Local distances of many focal images: learned one by one (`LocalDistances`), stored by photo id (`FocalImages`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.estimator import Estimator, LearnerError, NotFittedError
from focal_photos.learners.core.learner.base import ProgressReport, no_report
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.logistic import sigmoid
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.local.calibration import fit_probability
from focal_photos.learners.local.local_distance import (
    LocalDistance,
    as_distances,
    judged_about,
    judged_triplets,
    relevance_to,
    rescaling,
)

DistancesOf = Callable[[int], NDArray[np.floating[Any]]]
"""Returns the elementary distances (n, M) of all n photos, itself included, from the focal image of a row."""

_DIGEST = 16


class FocalImage(NamedTuple):
    """Learned distance of a focal image with M patches; see `LocalDistance`."""

    weights: NDArray[np.float32]
    factors: NDArray[np.float32]
    """`weights` and `factors`: shape (M,)."""
    slope: float
    offset: float
    """`slope` and `offset`: parameters of the probability."""
    gap: float
    """Relative duality gap reached."""
    triplets: int
    """Number of training triplets; 0 if there was nothing to learn from and all patches have equal weight."""
    digest: bytes
    """Digest of the training data."""


class LocalDistances(Estimator):
    """Local distance functions of many focal images.

    Each is learned from the feedback on its own photo only. So `fit` may be called for a single photo on request, for
    all photos, or again after further judgements or tags; it only learns those whose data changed. A cancelled `fit`
    retains the results completed before. Row numbers must refer to the same photos in all calls.

    Parameters
    ----------
    C, K, tolerance
        See `LocalDistance`.

    Attributes
    ----------
    focal_ : ndarray of intp, shape (F,)
        Rows of the focal images, ascending.
    offsets_ : ndarray of intp, shape (F + 1,)
        Focal image number f has the patches ``offsets_[f]:offsets_[f + 1]`` of the arrays below.
    weights_, factors_ : ndarray of float32, shape (total,)
    slopes_, intercepts_, gaps_ : ndarray of float64, shape (F,)
    triplets_ : ndarray of int64, shape (F,)
        Number of training triplets; 0 if all patches have equal weight.
    digests_ : ndarray of uint8, shape (F, 16)
        Digest of each focal image's training data.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006,
    section 4 (ALGORITHMS.md, 4.4).

    Examples
    --------
    Each photo has one patch, a point on a line.

    >>> import numpy as np
    >>> from focal_photos.learners.core.side_information import SideInformation
    >>> from focal_photos.learners.local.local_distances import LocalDistances
    >>> patches = np.array([0.0, 1, 2, 10, 11, 12])
    >>> def distances_of(photo):
    ...     return np.abs(patches[:, None] - patches[photo])
    >>> labels = SideInformation.from_labels([0, 0, 0, 1, 1, 1])
    >>> local = LocalDistances().fit(distances_of, labels, 6)
    >>> np.argsort(local.distances_from(2, distances_of(2)), kind="stable").tolist()
    [2, 1, 0, 3, 4, 5]

    A new photo at 11.5 is most probably similar to the second class.

    >>> bool(np.argmax(local.probabilities(np.abs(patches[None] - 11.5))) >= 3)
    True
    """

    focal_: NDArray[np.intp]
    offsets_: NDArray[np.intp]
    weights_: NDArray[np.float32]
    factors_: NDArray[np.float32]
    slopes_: NDArray[np.float64]
    intercepts_: NDArray[np.float64]
    gaps_: NDArray[np.float64]
    triplets_: NDArray[np.int64]
    digests_: NDArray[np.uint8]

    def __init__(self, C: float = 0.1, K: int = 5, tolerance: float = 1e-3) -> None:
        self.C = C
        self.K = K
        self.tolerance = tolerance

    def fit(
        self,
        distances: DistancesOf,
        side_information: SideInformation,
        n: int,
        *,
        focal: Iterable[int] | None = None,
        progress: ProgressReport | None = None,
    ) -> Self:
        """Learn the focal images that are new or whose judgements, tags or parameters changed.

        Parameters
        ----------
        distances : callable
            Called once for each focal image that is learned.
        side_information : SideInformation
            Tags, and judged pairs and triplets whose first photo is the focal image; see `relevance_to`.
        n : int
            Number of photos.
        focal : iterable of int, optional
            Restrict to these; all photos by default.
        progress : callable, optional
            Called with the share done, 0..1; may raise to cancel. Results completed by then are retained.

        Returns
        -------
        self

        Raises
        ------
        LearnerError
            If side information or distances do not fit n photos, or distances are not finite.
        """
        report: ProgressReport = no_report if progress is None else progress
        rows = _rows(side_information, n, focal)
        models = self.models()
        learned = 0
        report(0.0)
        try:
            with one_thread():
                for done, i in enumerate(rows.tolist(), 1):
                    digest = self._digest(i, side_information, n)
                    if i not in models or models[i].digest != digest:
                        models[i] = self._learn(i, as_distances(distances(i)), side_information, n, digest)
                        learned += 1
                    report(done / (len(rows) + 1))
        finally:
            if learned or "focal_" not in vars(self):
                self._pack(models)
        report(1.0)
        return self

    def distances_from(self, focal: int, distances: ArrayLike) -> NDArray[np.float64]:
        """Return the learned distances of photos from a focal image.

        Parameters
        ----------
        focal : int
            Row of the focal image.
        distances : array_like of float, shape (N, M)
            Elementary distances of photos from its patches.

        Returns
        -------
        ndarray of float64, shape (N,)
            Each >= 0.
        """
        part = self._part(self._number(focal))
        D = as_distances(distances, part.stop - part.start)
        return np.asarray(D @ (self.weights_[part] * self.factors_[part]), np.float64)

    def probabilities(self, distances: ArrayLike) -> NDArray[np.float64]:
        """Return the probabilities that new photos are similar to each focal image, for retrieving focal images.

        Parameters
        ----------
        distances : array_like of float, shape (q, total)
            Elementary distances of q photos from all patches of all focal images, in the order of `offsets_`.

        Returns
        -------
        ndarray of float64, shape (q, F)
            In the order of `focal_`.
        """
        self._check_fitted()
        combined, bounds = self.weights_ * self.factors_, self.offsets_
        D = as_distances(distances, len(combined))
        sums = np.zeros((len(D), len(self.focal_)))
        filled = np.flatnonzero(np.diff(bounds))
        if len(filled):
            for row, values in zip(sums, D, strict=True):
                row[filled] = np.add.reduceat(values * combined, bounds[filled])
        return sigmoid(-(sums * self.slopes_ + self.intercepts_))

    def models(self) -> dict[int, FocalImage]:
        """Return the learned distances by row of the focal image; the arrays are views."""
        if "focal_" not in vars(self):
            return {}
        return {photo: self.model(number) for number, photo in enumerate(self.focal_.tolist())}

    def model(self, number: int) -> FocalImage:
        """Return the learned distance of photo ``focal_[number]``; the arrays are views."""
        part = self._part(number)
        return FocalImage(
            self.weights_[part],
            self.factors_[part],
            float(self.slopes_[number]),
            float(self.intercepts_[number]),
            float(self.gaps_[number]),
            int(self.triplets_[number]),
            self.digests_[number].tobytes(),
        )

    def _learn(self, i: int, D: NDArray[Any], side: SideInformation, n: int, digest: bytes) -> FocalImage:
        if len(D) != n:
            raise LearnerError(f"There are elementary distances of {len(D)} photos, and {n} photos.")
        others = np.arange(n) != i
        relevance = relevance_to(i, side, n)[others]
        D = D[others]
        relative = side.relative[side.relative[:, 0] == i][:, [2, 1]]
        judged = np.concatenate([judged_triplets(*judged_about(i, side)), relative]).astype(np.intp)
        judged -= judged > i  # row numbers without the focal image
        learner = LocalDistance(self.C, self.K, self.tolerance)
        judged_distances = D[relevance != 0]
        varied = (
            (relevance > 0).any()
            and (relevance < 0).any()
            and (judged_distances.min(axis=0) < judged_distances.max(axis=0)).any()
        )
        if not varied and not (len(relative) and (D[judged[:, 0]] != D[judged[:, 1]]).any()):
            factors = rescaling(D)
            weights = np.full(D.shape[1], 1 / max(D.shape[1], 1), np.float32)
            rate = ((relevance > 0).sum() + 1) / (np.count_nonzero(relevance) + 2)
            return FocalImage(weights, factors, 0.0, float(np.log(1 / rate - 1)), 0.0, 0, digest)
        learner.fit(D, relevance, triplets=judged)
        slope, offset = learner.slope_, learner.offset_
        if len(relative):  # for the probability, photos judged only relatively count as similar or dissimilar
            near, far = (photos - (photos > i) for photos in relative.T[::-1])
            for photos, others, sign in ((near, far, 1), (far, near, -1)):
                only = np.setdiff1d(photos, others)
                relevance[only] = np.where(relevance[only] == 0, sign, relevance[only])
            known = np.flatnonzero(relevance)
            slope, offset = fit_probability(learner.distances(D[known]), relevance[known] > 0)
        return FocalImage(
            learner.weights_,
            learner.factors_,
            slope,
            offset,
            learner.gap_,
            learner.n_triplets_,
            digest,
        )

    def _digest(self, i: int, side: SideInformation, n: int) -> bytes:
        """Return a digest of the training data of a focal image: parameters, tags and judgements."""
        relevance = relevance_to(i, side, n)
        known = np.flatnonzero(relevance).astype("<i8")
        summary = hashlib.blake2b(repr((self.C, self.K, self.tolerance)).encode(), digest_size=_DIGEST)
        judged = [part.astype("<i8") for part in judged_about(i, side)]
        relative = side.relative[side.relative[:, 0] == i, 1:].astype("<i8")
        for part in (known, relevance[known], *judged, *([relative] if len(relative) else [])):
            summary.update(len(part).to_bytes(8, "little"))
            summary.update(part.tobytes())
        return summary.digest()

    def _pack(self, models: dict[int, FocalImage]) -> None:
        """Pack the models into the arrays that are saved."""
        self.focal_ = np.array(sorted(models), np.intp)
        trained = [models[i] for i in self.focal_.tolist()]
        empty = [np.empty(0, np.float32)]
        self.offsets_ = np.cumsum([0, *(len(model.weights) for model in trained)]).astype(np.intp)
        self.weights_ = np.concatenate([model.weights for model in trained] or empty)
        self.factors_ = np.concatenate([model.factors for model in trained] or empty)
        self.slopes_ = np.array([model.slope for model in trained], np.float64)
        self.intercepts_ = np.array([model.offset for model in trained], np.float64)
        self.gaps_ = np.array([model.gap for model in trained], np.float64)
        self.triplets_ = np.array([model.triplets for model in trained], np.int64)
        digests = np.frombuffer(b"".join(model.digest for model in trained), np.uint8)
        self.digests_ = digests.reshape(-1, _DIGEST).copy()

    def _number(self, focal: int) -> int:
        self._check_fitted()
        f = int(np.searchsorted(self.focal_, focal))
        if f == len(self.focal_) or self.focal_[f] != focal:
            raise LearnerError(f"Photo {focal} has no local distance yet: call fit for it.")
        return f

    def _part(self, number: int) -> slice:
        return slice(int(self.offsets_[number]), int(self.offsets_[number + 1]))

    def _check_fitted(self) -> None:
        if "focal_" not in vars(self):
            raise NotFittedError("These LocalDistances are not fitted yet: call fit first.")


class FocalImages(LocalDistances):
    """Local distances indexed by photo id, collected from separate fits.

    `LocalDistances.fit` works on one matrix of photos; this class is filled (`fill`), not fitted, and indexed by id.

    Parameters
    ----------
    C, K, tolerance
        Parameters of the fits; see `LocalDistance`.
    sources : tuple of str
        Keys of the local descriptors of the patches, in the order of a photo's patches.
    """

    def __init__(self, C: float = 0.1, K: int = 5, tolerance: float = 1e-3, sources: tuple[str, ...] = ()) -> None:
        super().__init__(C, K, tolerance)
        self.sources = sources

    def fill(self, models: Mapping[int, FocalImage]) -> Self:
        """Replace the contents by these focal images, by photo id >= 0."""
        self._pack(dict(models))
        return self


def _rows(side: SideInformation, n: int, focal: Iterable[int] | None) -> NDArray[np.intp]:
    side.check(n)
    rows = np.arange(n) if focal is None else np.unique(np.fromiter(focal, np.intp))
    if len(rows) and (rows[0] < 0 or rows[-1] >= n):
        raise LearnerError(f"A focal image is outside 0..{n - 1}.")
    return rows
