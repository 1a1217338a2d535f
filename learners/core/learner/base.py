# SPDX-License-Identifier: MIT
"""Base classes of distance learners, from arrays to distances."""

from __future__ import annotations

import copy
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.learners.core import measures
from focal_photos.learners.core.estimator import Estimator, NotFittedError, Transformer
from focal_photos.learners.core.estimator import LearnerError as LearnerError
from focal_photos.learners.core.inputs.samples import as_samples, check_names, feature_names
from focal_photos.learners.core.inputs.targets import (
    Preprocessor,
    given,
    holds_tuples,
    side_information_of,
    tuples,
    verdicts,
)
from focal_photos.learners.core.learner.candidate import Candidate
from focal_photos.learners.core.learner.slider import Slider
from focal_photos.learners.core.learner.storage_layout import Coordinates, StorageLayout
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.core.map_steps import MapSteps
from focal_photos.learners.core.progress import ProgressReport as ProgressReport
from focal_photos.learners.core.progress import no_report as no_report
from focal_photos.learners.core.progress import part_of as part_of
from focal_photos.learners.core.side_information import SideInformation


class DistanceLearner(Estimator, ABC):
    """Base of all learners; a scikit-learn estimator.

    ``__init__`` only stores parameters. `fit` validates, calls `_learn` and, at the very end, sets the returned values
    as attributes ending in ``_``, so that an error or a cancelled fit leaves the learner unfitted.

    The class attributes describe a learner to the rest of the program: with them and a line in `learners.PLACES` it is
    in the chooser, on the command line and in the common tests.

    Attributes
    ----------
    name, title : str
        Name in the table of learners, and name shown in the metric chooser.
    family : str
        Heading of the learner in the chooser; empty: there is nothing to train.
    summary : str
        What it does, in one sentence for the user, without a full stop.
    source : str
        The paper: authors and year.
    needs : str
        Feedback that `fit` requires, in words for the user; empty if none.
    is_metric : bool
        True if the triangle inequality and symmetry hold (identity of indiscernibles need not).
    is_quick : bool
        True if it learns in closed form, within a second or two, so that it can be trained again for every fold.
    follows_judgements : bool
        True if the metric in use is updated with every judgement; it is then an `OnlineMixin`.
    takes_triplets : bool
        True if it learns from triplets directly; for other learners `fit` converts triplets to pairs.
    gains_by_neighbors : bool
        True if rankings by shared neighbours (`learners.galleries.reciprocal`) are better than by distance alone.
    rows : int
        Number of photos that `fit` can handle in memory and within minutes; above it, a sample is as good.
    candidates : tuple of Candidate
        Candidates for Automatic; empty if it is slow or suits the training photos only.
    sliders : tuple of Slider
        The two or three parameters that the user can set in the window; all others are on the command line.
    printed : mapping of str to Any, or None
        Parameters with which the learner equals the one printed in its source, errata corrected; the Notes of the class
        list the differences that remain. None if it is not from one of the five papers.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""
    needs: ClassVar[str] = "judged pairs, or tags that several photos share"
    is_metric: ClassVar[bool] = True
    is_quick: ClassVar[bool] = False
    follows_judgements: ClassVar[bool] = False
    takes_triplets: ClassVar[bool] = False
    gains_by_neighbors: ClassVar[bool] = True
    rows: ClassVar[int] = 20_000
    candidates: ClassVar[tuple[Candidate, ...]] = ()
    sliders: ClassVar[tuple[Slider, ...]] = ()
    printed: ClassVar[Mapping[str, Any] | None] = None

    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        side_information: SideInformation | None = None,
        preprocessor: Preprocessor | None = None,
        progress: ProgressReport | None = None,
    ) -> Self:
        """Learn a distance.

        Parameters
        ----------
        X : array_like
            Coordinates of the photos, float (n, d), rows are samples. Or pairs, float (n, 2, d), or triplets, float (n,
            3, d), of samples; in a triplet the first is more similar to the second than to the third. Pairs and
            triplets that contain a sample twice are skipped. With a preprocessor, pairs (n, 2) or triplets (n, 3) of
            its keys. The column names of a data frame are recorded.
        y : optional
            Target of the samples: `SideInformation`; class labels (n,), numbers or text, where a negative number or
            None is an unknown class; or tags (n, m), dense or sparse, 0 and 1. For pairs, (n,): 1 if similar, -1 if
            not. None for triplets.
        side_information : SideInformation, optional
            Pairs, triplets and tags by row number of X (n, d), in addition to y.
        preprocessor : array_like of float, shape (m, d), or callable, optional
            Source of the samples of pairs and triplets: a matrix indexed by row number, or a function from an array of
            distinct keys to samples. `score` and `pair_score` use it too; it is not saved. Only the samples that occur
            are learned from.
        progress : callable, optional
            Called with the share done, 0..1; may raise to cancel.

        Returns
        -------
        self

        Raises
        ------
        LearnerError
            If X is empty, not finite or of another shape, or the target is missing, out of range or of another form,
            or there is nothing to learn from.
        """
        for attribute in [a for a in vars(self) if a.endswith("_") and not a.startswith("_")]:
            delattr(self, attribute)
        vars(self).pop("_preprocessor", None)
        if preprocessor is not None:
            self._preprocessor = preprocessor
        names = feature_names(X)
        samples, side = given(X, y, preprocessor)
        if side_information is not None:
            side_information.check(len(samples))
            side = side | side_information
        side.check(len(samples))
        feedback = side if self.takes_triplets else side.absolute()
        report: ProgressReport = no_report if progress is None else progress
        report(0.0)
        try:
            if self.needs and not feedback.compares_photos:
                raise self.nothing_to_learn()
            with one_thread():
                state = self._learn(samples, feedback, report)
        except LearnerError as error:
            raise _said_to_scripts(error, len(samples), y is None and side.is_empty and bool(self.needs)) from None
        report(1.0)
        self.n_features_in_ = samples.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        for attribute, value in state.items():
            setattr(self, attribute, value)
        return self

    @abstractmethod
    def _learn(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        """Return the fitted attributes by name (ending in ``_``): arrays, numbers, strings. Sets nothing.

        If `needs` is not empty, there is a judged pair, a triplet, or a tag that several photos share. Raises
        `nothing_to_learn` if that is not enough.
        """

    def nothing_to_learn(self, why: str = "") -> LearnerError:
        """Return the error that names the missing feedback; `why`: a further requirement."""
        return LearnerError(
            f"{self.title} has nothing to learn from: it needs {self.needs}{f', {why}' if why else ''}. "
            "Mark photos as similar or dissimilar, or tag some."
        )

    def pair_distance(self, A: ArrayLike, B: ArrayLike | None = None) -> NDArray[np.float64]:
        """Return the distances between rows.

        Parameters
        ----------
        A, B : array_like of float, shape (n, d)
            Without B, A holds the pairs, (n, 2, d), or pairs of keys of the preprocessor of `fit`, (n, 2).

        Returns
        -------
        ndarray of float64, shape (n,)
            Each >= 0.
        """
        self.check_fitted()
        if B is None:
            samples, members = tuples(A, self._preprocessor_of_fit)
            if members.shape[1] != 2:
                raise LearnerError(f"A pair needs two samples, not {members.shape[1]}.")
            A, B = samples[members[:, 0]], samples[members[:, 1]]
        return self._pair_distance(self._rows(A, "A"), self._rows(B, "B"))

    def distances_from(self, query: ArrayLike, gallery: ArrayLike) -> NDArray[np.float64]:
        """Return the distances from one query, float (d,), to a gallery, float (N, d): float64 (N,), each >= 0."""
        self.check_fitted()
        queries = self._rows(np.atleast_2d(np.asarray(query)), "query")
        return self._distances_from(queries, self._rows(gallery, "gallery"))

    @abstractmethod
    def _pair_distance(self, A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float64]:
        """Return the distances (n,) between validated rows (n, d)."""

    @abstractmethod
    def _distances_from(self, query: NDArray[Any], gallery: NDArray[Any]) -> NDArray[np.float64]:
        """Return the distances (N,) from a validated query (1, d) to validated rows (N, d)."""

    def pair_score(self, pairs: ArrayLike) -> NDArray[np.float64]:
        """Return the similarity of pairs: the negative distance, float64 (n,).

        Parameters
        ----------
        pairs : array_like
            float (n, 2, d), or pairs of keys of the preprocessor of `fit`, (n, 2).
        """
        return -self.pair_distance(pairs)

    def get_metric(self) -> Callable[[ArrayLike, ArrayLike], float]:
        """Return the distance as a function of two samples, float (d,) each.

        Fitting the learner again does not change it. If the learner has `transform`, Euclidean distance after the
        transform is the same and much faster.
        """
        self.check_fitted()
        return functools.partial(_distance_of_two, copy.copy(self))

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return how well the distance separates similar from dissimilar held-out data, 0..1.

        Parameters
        ----------
        X : array_like
            See `fit`.
        y : optional
            See `fit`.

        Returns
        -------
        float
            For samples: share of those with a known class whose nearest known neighbour has their class or shares a
            tag. For pairs: area under the ROC curve of the similar pairs, .5 by chance. For triplets: share in the
            right order.

        Raises
        ------
        LearnerError
            As in `fit`, or if fewer than two samples are known, or all pairs are of one kind.
        """
        self.check_fitted()
        preprocessor = self._preprocessor_of_fit
        if preprocessor is None and not holds_tuples(X):
            samples = self._rows(X)
            return self._score_of_samples(samples, side_information_of(y, len(samples)))
        samples, members = tuples(X, preprocessor)
        samples = self._rows(samples)
        first, *others = (samples[member] for member in members.T)
        distances = [self._pair_distance(first, other) for other in others]
        if len(distances) == 2:
            return float((distances[0] < distances[1]).mean())

        similar = verdicts(y, len(members))
        if similar.all() or not similar.any():
            raise LearnerError("The score of pairs needs similar ones and others.")
        return measures.roc_auc(-distances[0], similar)

    def _score_of_samples(self, samples: NDArray[Any], side: SideInformation) -> float:
        known = side.tagged
        if side.tags is None or len(known) < 2:
            raise LearnerError(
                "score requires y to be passed, but the target y is None."
                if side.tags is None
                else "The score needs two samples of known class."
            )
        samples, tags = samples[known], side.tags[known]
        right = 0
        for row in range(len(known)):
            distances = self._distances_from(samples[row : row + 1], samples)
            distances[row] = np.inf
            right += bool(tags[[row]].multiply(tags[[int(distances.argmin())]]).sum())
        return right / len(known)

    @property
    def _preprocessor_of_fit(self) -> Preprocessor | None:
        found: Preprocessor | None = vars(self).get("_preprocessor")
        return found

    def _rows(self, X: ArrayLike, name: str = "X") -> NDArray[Any]:
        """Return validated rows with the features of the fit; raises as `fit` does."""
        check_names(self, X)
        return as_samples(X, name, features=self.n_features_in_, owner=type(self).__name__)

    def storage_layout(self) -> StorageLayout:
        """Return the storage layout of photos in galleries and their distance function; the learner must be fitted.

        Galleries of learners with an embedding store that instead.
        """
        return Coordinates(self.distances_from)

    def fitted_state(self) -> dict[str, Any]:
        """Return the fitted attributes by name; empty if not fitted."""
        return {k: v for k, v in vars(self).items() if k.endswith("_") and not k.startswith("_")}

    def check_fitted(self) -> None:
        """Raise NotFittedError unless `fit` has succeeded."""
        if "n_features_in_" not in vars(self):
            raise NotFittedError(f"{type(self).__name__} is not fitted yet: call fit first.")

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: the inputs that `fit` accepts."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = bool(self.needs)
        tags.target_tags.two_d_labels = True
        tags.input_tags.three_d_array = True
        return tags


def _said_to_scripts(error: LearnerError, n: int, untaught: bool) -> LearnerError:
    """Return an error of learning in the wording that scikit-learn's tools expect."""
    if n == 1:
        return LearnerError(f"{error} X holds 1 sample.")
    if untaught:
        return LearnerError(f"{error} In a script: fit requires y to be passed, but the target y is None.")
    return error


def _distance_of_two(learner: DistanceLearner, a: ArrayLike, b: ArrayLike) -> float:
    return float(learner.pair_distance(np.atleast_2d(np.asarray(a)), np.atleast_2d(np.asarray(b)))[0])


class EmbeddingMixin(Transformer, ABC):
    """A learner whose distance is Euclidean after a map; a ranking then maps each photo only once."""

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
        rows: NDArray[Any] = self._rows(X)  # type: ignore[attr-defined]
        return self._wrapped(self._coordinates_of(rows), X)  # type: ignore[no-any-return]

    def add_steps(self, steps: MapSteps, x: int) -> int:
        """Add the steps of `transform` to a map for other programs.

        Parameters
        ----------
        steps : MapSteps
        x : int
            Number of the value with the photos' coordinates, (n, d).

        Returns
        -------
        int
            Number of the embedding, (n, r).

        Raises
        ------
        LearnerError
            If the learner is not fitted, or cannot be described by such steps.
        """
        self.check_fitted()  # type: ignore[attr-defined]
        return self._add_steps(steps, x)

    def _add_steps(self, steps: MapSteps, x: int) -> int:  # noqa: ARG002
        """Add the steps of `_embed`; a learner that lacks this method cannot be exported."""
        title = type(self).title  # type: ignore[attr-defined]
        raise LearnerError(f"{title} cannot be exported for other programs: train another learner.")

    def _coordinates_of(self, X: NDArray[Any]) -> NDArray[np.float32]:
        return np.ascontiguousarray(self._embed(X), dtype=np.float32)

    @property
    def _n_features_out(self) -> int:  # type: ignore[override]
        return int(self._embed(np.zeros((1, self.n_features_in_))).shape[1])

    def _pair_distance(self, A: NDArray[Any], B: NDArray[Any]) -> NDArray[np.float64]:
        return self._lengths(self._coordinates_of(A).astype(np.float64) - self._coordinates_of(B))

    def _distances_from(self, query: NDArray[Any], gallery: NDArray[Any]) -> NDArray[np.float64]:
        return self._lengths(self._coordinates_of(gallery).astype(np.float64) - self._coordinates_of(query))

    @staticmethod
    def _lengths(difference: NDArray[np.float64]) -> NDArray[np.float64]:
        distances: NDArray[np.float64] = np.sqrt(np.einsum("ij,ij->i", difference, difference))
        return distances


class OnlineMixin(ABC):
    """A learner that can add side information without training from scratch."""

    def partial_fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        side_information: SideInformation | None = None,
        preprocessor: Preprocessor | None = None,
        progress: ProgressReport | None = None,
    ) -> Self:
        """Add further samples or further feedback; the first call is a `fit`.

        Parameters
        ----------
        X, y, side_information, preprocessor
            See `fit`. Earlier data are retained and need not be repeated. With `SideInformation` as y, only the photos
            that it names are read.
        progress : callable, optional
            See `fit`; a cancelled call changes nothing.
        """
        if "n_features_in_" not in vars(self):
            return self.fit(  # type: ignore[attr-defined, no-any-return]
                X, y, side_information=side_information, preprocessor=preprocessor, progress=progress
            )
        check_names(self, X)
        if isinstance(y, SideInformation) and preprocessor is None:
            samples, side = np.asarray(X), y
        else:
            samples, side = given(X, y, preprocessor)
            samples = self._rows(samples)  # type: ignore[attr-defined]
        if side_information is not None:
            side_information.check(len(samples))
            side = side | side_information
        side.check(len(samples))
        report: ProgressReport = no_report if progress is None else progress
        report(0.0)
        state = self._add(samples, side, report)
        report(1.0)
        for attribute, value in state.items():
            setattr(self, attribute, value)
        return self

    def prepare(self) -> None:  # noqa: B027  most have nothing to prepare
        """Compute in advance what `partial_fit` needs of the data learned from, to save time in that call."""

    @abstractmethod
    def _add(self, X: NDArray[Any], side_information: SideInformation, report: ProgressReport) -> dict[str, Any]:
        """Return the fitted attributes that change. X (n, d) is not validated yet. Sets nothing."""
