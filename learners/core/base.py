"""What a distance learner is: arrays in, distances out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core.candidate import Candidate
from focal_photos.learners.core.estimator import Estimator, NotFittedError
from focal_photos.learners.core.estimator import LearnerError as LearnerError
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.row_form import Coordinates, RowForm
from focal_photos.learners.core.side_information import SideInformation

ProgressReport = Callable[[float], None]
"""Called with the share done, 0..1. It may raise to cancel: the learner is then left unfitted."""


def no_report(_share: float, /) -> None:
    """Take a report of progress and do nothing with it."""


def part_of(report: ProgressReport, start: float, share: float) -> ProgressReport:
    """Return the report of a part of the work, which goes from `start` to ``start + share`` of the whole."""
    return lambda done: report(start + share * done)


def as_samples(X: ArrayLike, name: str = "X", *, features: int | None = None) -> NDArray[Any]:
    """Return X as a finite float array (n, d), or say what is wrong with it.

    float32 and float64 pass through uncopied, other types become float64.
    """
    array = np.asarray(X)
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    if array.ndim != 2:
        raise LearnerError(f"{name} must have two dimensions (photos, features), it has {array.ndim}.")
    if array.shape[0] == 0 or array.shape[1] == 0:
        raise LearnerError(f"{name} is empty (shape {array.shape}): index some photos first.")
    if features is not None and array.shape[1] != features:
        raise LearnerError(f"{name} has {array.shape[1]} features, the learner was fitted with {features}.")
    if not np.isfinite(array).all():
        raise LearnerError(f"{name} contains NaN or infinite values.")
    return array


class DistanceLearner(Estimator, ABC):
    """Base of all learners; a scikit-learn estimator.

    ``__init__`` only stores parameters. `fit` validates, calls `_learn` and sets what it returns as attributes
    ending in ``_`` at the very end, so that an error or a cancelled fit leaves the learner unfitted.

    All that the rest of the program knows of a learner are its class facts: with them and a line in
    `learners.LEARNERS` it is in the chooser, on the command line and in the common tests.

    Attributes
    ----------
    name, title : str
        Name in the table of learners, and what a person reads in the metric chooser.
    family : str
        Heading under which the chooser lists it; empty: there is nothing to train.
    summary : str
        What it does, in one sentence for a person, without a full stop.
    source : str
        The paper: authors and year.
    needs : str
        What `fit` cannot do without, in words for a person ("similar pairs or tags"); empty if nothing.
    is_metric : bool
        True if the triangle inequality and symmetry hold (identity of indiscernibles need not).
    is_quick : bool
        True if it learns in closed form, within a second or two: it may then be trained once more for every fold.
    follows_judgements : bool
        True if the metric in use takes in every judgement as it is given; then it is an `OnlineMixin`.
    takes_triplets : bool
        True if given triplets are learned as such; to other learners `fit` gives them as pairs.
    gains_by_neighbors : bool
        True if rankings by shared neighbours (`learners.galleries.reciprocal`) are better than by the distance alone.
    rows : int
        Largest number of photos that `fit` takes well, in memory and in minutes; of more, a sample is as good.
    candidates : tuple of Candidate
        What Automatic tries of it; empty: nothing, because it is slow or meant for what was taught alone.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""
    needs: ClassVar[str] = ""
    is_metric: ClassVar[bool] = True
    is_quick: ClassVar[bool] = False
    follows_judgements: ClassVar[bool] = False
    takes_triplets: ClassVar[bool] = False
    gains_by_neighbors: ClassVar[bool] = True
    rows: ClassVar[int] = 20_000
    candidates: ClassVar[tuple[Candidate, ...]] = ()

    n_features_in_: int

    def fit(
        self,
        X: ArrayLike,
        side_information: SideInformation | None = None,
        *,
        progress: ProgressReport | None = None,
    ) -> Self:
        """Learn a distance.

        Parameters
        ----------
        X : array_like of float, shape (n, d)
            Coordinates of the photos, rows are samples.
        side_information : SideInformation, optional
            Pairs, triplets and tags by row number of X.
        progress : callable, optional
            Called with the share done, 0..1; raise in it to cancel.

        Returns
        -------
        self

        Raises
        ------
        LearnerError
            X is empty, not finite or not two-dimensional; side information is missing or out of range.
        """
        for attribute in [a for a in vars(self) if a.endswith("_") and not a.startswith("_")]:
            delattr(self, attribute)
        samples = as_samples(X)
        side = SideInformation() if side_information is None else side_information
        side.check(len(samples))
        report: ProgressReport = no_report if progress is None else progress
        report(0.0)
        with one_thread():
            state = self._learn(samples, side if self.takes_triplets else side.absolute(), report)
        report(1.0)
        self.n_features_in_ = samples.shape[1]
        for attribute, value in state.items():
            setattr(self, attribute, value)
        return self

    @abstractmethod
    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        """Return the fitted attributes by name (ending in ``_``): arrays, numbers, strings. Sets nothing."""

    @abstractmethod
    def pair_distance(self, A: ArrayLike, B: ArrayLike) -> NDArray[np.float64]:
        """Return the distances between rows: float A and B (n, d) give float64 (n,), each >= 0."""

    @abstractmethod
    def distances_from(self, query: ArrayLike, gallery: ArrayLike) -> NDArray[np.float64]:
        """Return the distances from one query, float (d,), to a gallery, float (N, d): float64 (N,), each >= 0."""

    def row_form(self) -> RowForm:
        """Return how galleries store photos and compare them by this learner, once it is fitted.

        Of a learner with an embedding galleries store that, and do not ask.
        """
        return Coordinates(self.distances_from)

    def fitted_state(self) -> dict[str, Any]:
        """Return the fitted attributes by name; empty if not fitted."""
        return {k: v for k, v in vars(self).items() if k.endswith("_") and not k.startswith("_")}

    def check_fitted(self) -> None:
        """Raise NotFittedError unless `fit` has ended well."""
        if "n_features_in_" not in vars(self):
            raise NotFittedError(f"{type(self).__name__} is not fitted yet: call fit first.")


class EmbeddingMixin(ABC):
    """A learner whose distance is Euclidean distance after a map; rankings then need the map once a photo."""

    n_features_in_: int

    @abstractmethod
    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        """Map validated rows (n, d) to (n, r)."""

    def transform(self, X: ArrayLike) -> NDArray[np.float32]:
        """Map photos into the learned space.

        Parameters
        ----------
        X : array_like of float, shape (n, d)

        Returns
        -------
        ndarray of float32, shape (n, r)
            Euclidean distance between rows is the learned distance.
        """
        self.check_fitted()  # type: ignore[attr-defined]
        return np.ascontiguousarray(self._embed(as_samples(X, features=self.n_features_in_)), dtype=np.float32)

    def pair_distance(self, A: ArrayLike, B: ArrayLike) -> NDArray[np.float64]:
        """Return the distances between rows: float A and B (n, d) give float64 (n,), each >= 0."""
        difference = self.transform(A).astype(np.float64) - self.transform(B)
        distances: NDArray[np.float64] = np.sqrt(np.einsum("ij,ij->i", difference, difference))
        return distances

    def distances_from(self, query: ArrayLike, gallery: ArrayLike) -> NDArray[np.float64]:
        """Return the distances from one query, float (d,), to a gallery, float (N, d): float64 (N,), each >= 0."""
        difference = self.transform(gallery).astype(np.float64) - self.transform(np.atleast_2d(query))
        distances: NDArray[np.float64] = np.sqrt(np.einsum("ij,ij->i", difference, difference))
        return distances


class OnlineMixin(ABC):
    """A learner that can take more side information without learning again from the start."""

    @abstractmethod
    def partial_fit(
        self,
        X: ArrayLike,
        side_information: SideInformation,
        *,
        progress: ProgressReport | None = None,
    ) -> Self:
        """Add side information on the rows of X, float (n, d); the first call is a `fit`."""
